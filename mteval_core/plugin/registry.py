"""The registry: finds what the host and the plugins declare, by kind and name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mteval_core.errors import PluginError, UnknownNameError, near
from mteval_core.plugin import declarations

__all__ = ["HOST", "KINDS", "Entry", "Plugin", "Registry", "canonical"]

HOST = "mteval-core"

KINDS: Mapping[str, type[Any]] = MappingProxyType(
    {
        "metrics": declarations.MetricSpec,
        "tokenizers": declarations.TokenizerSpec,
        "normalizers": declarations.NormalizerSpec,
        "formats": declarations.FormatSpec,
        "readers": declarations.ReaderSpec,
        "resamplers": declarations.ResamplerSpec,
    }
)
"""What can be registered, and the declaration of each; the hook is ``mteval_register_KIND``."""


@dataclass(frozen=True)
class Plugin:
    """One plugin, usable or not.

    Parameters
    ----------
    name : str
        Name of its entry point.
    distribution, version : str
        Where it comes from.
    status : {"ok", "broken", "blocked"}
        Whether its declarations are in the registry.
    error : str
        Why it is broken.
    seconds : float
        How long its import took.
    """

    name: str
    distribution: str
    version: str
    status: str = "ok"
    error: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def signed(self) -> str:
        """What a signature says of the plugin: distribution and version, or the hash of a file."""
        return "@".join(filter(None, (self.distribution, self.version)))

    def __str__(self) -> str:
        what = f"plugin {self.name!r} of {self.distribution} {self.version} is {self.status}"
        return f"{what}: {self.error}" if self.error else what


@dataclass(frozen=True)
class Entry:
    """A declaration and the plugin that made it."""

    declaration: Any
    plugin: Plugin

    def __str__(self) -> str:
        return f"{self.declaration.name!r} of {self.plugin.distribution} {self.plugin.version}"


class Registry:
    """Finds what is registered by kind and name.

    Parameters
    ----------
    plugins : sequence of Plugin
        All plugins, usable or not.
    entries : iterable of (str, Entry)
        Kind and entry of everything that is declared.
    """

    def __init__(self, plugins: Iterable[Plugin], entries: Iterable[tuple[str, Entry]]) -> None:
        self.plugins = tuple(plugins)
        self._entries: dict[str, list[Entry]] = {kind: [] for kind in KINDS}
        for kind, entry in entries:
            self._entries[kind].append(entry)

    def of_kind(self, kind: str) -> list[Entry]:
        """All entries of a kind, sorted by name."""
        return sorted(
            self._entries[kind], key=lambda e: (e.declaration.name, e.plugin.distribution)
        )

    def default_metrics(self) -> list[str]:
        """Specs of the metrics of the default set, with the distribution where it is needed."""
        entries = [entry for entry in self.of_kind("metrics") if entry.declaration.in_default_set]
        names = [entry.declaration.name for entry in self._entries["metrics"]]
        return [
            f"{entry.plugin.distribution}/{entry.declaration.name}"
            if names.count(entry.declaration.name) > 1
            else entry.declaration.name
            for entry in entries
        ]

    def registered_by(self, plugin: Plugin) -> dict[str, list[str]]:
        """Names that a plugin registers, by kind; a normalizer's with its key, ``case=lc``."""
        names = {
            kind: sorted(_shown(e.declaration) for e in entries if e.plugin is plugin)
            for kind, entries in self._entries.items()
        }
        return {kind: found for kind, found in names.items() if found}

    def named(self, kind: str, name: str, key: str | None = None) -> list[Entry]:
        """All entries of a name, or of a label where none has the name; see `find`."""
        distribution, slash, bare = name.rpartition("/")
        asked = [
            entry
            for entry in self._entries[kind]
            if signature_key(entry.declaration) == key
            and (not slash or canonical(entry.plugin.distribution) == canonical(distribution))
        ]
        return [entry for entry in asked if entry.declaration.name == bare] or [
            entry for entry in asked if getattr(entry.declaration, "label", None) == bare
        ]

    def find(self, kind: str, name: str, key: str | None = None) -> Entry:
        """Find one entry by name, or by ``DISTRIBUTION/name`` where several plugins give a name.

        Parameters
        ----------
        kind : str
            ``metrics``, ``tokenizers``, ``normalizers``, ``formats``, ``readers`` or
            ``resamplers``.
        name : str
            The name, or for a metric its label.
        key : str, optional
            The signature key of a normalizer.

        Raises
        ------
        UnknownNameError
            If nothing of that name is registered.
        PluginError
            If several distributions give the name, or if nothing has it while there are plugins
            that could not be loaded.
        """
        found = self.named(kind, name, key)
        thing, bare = kind.removesuffix("s"), name.rpartition("/")[2]
        if len(found) > 1:
            who = sorted(f"{entry.plugin.distribution}/{bare}" for entry in found)
            message = f"{thing} {bare!r} is registered more than once: choose {' or '.join(who)}"
            raise PluginError(message)
        if found:
            return found[0]
        known = {
            e.declaration.name for e in self._entries[kind] if signature_key(e.declaration) == key
        }
        if key is not None:
            thing, known = f"{thing} {key}", known | {_neutral(key)}
        message = f"unknown {thing} {name!r}.{near(bare, known)}"
        unusable = [plugin for plugin in self.plugins if plugin.status != "ok"]
        if unusable:
            listed = "; ".join(map(str, unusable))
            message = f"{message} Not everything installed could be loaded: {listed}"
            raise PluginError(message)
        raise UnknownNameError(message)

    def ambiguous(self) -> list[tuple[str, str, list[str]]]:
        """Kind, name and claims, as ``DISTRIBUTION/name``, of what several plugins give."""
        claims: dict[tuple[str, str], list[str]] = {}
        for kind, entries in self._entries.items():
            for entry in entries:
                claim = f"{entry.plugin.distribution}/{entry.declaration.name}"
                what = kind.removesuffix("s"), _shown(entry.declaration)
                claims.setdefault(what, []).append(claim)
        return [(*what, sorted(who)) for what, who in sorted(claims.items()) if len(who) > 1]

    def normalizer(self, key: str, name: str) -> Entry | None:
        """Find the normalizer of a signature key; None for the name that changes nothing."""
        return None if name == _neutral(key) else self.find("normalizers", name, key)

    def normalizer_keys(self, stage: str) -> list[str]:
        """Signature keys of the normalizers of a stage, the host's first."""
        normalizers = [entry.declaration for entry in self._entries["normalizers"]]
        keys = {normalizer.key for normalizer in normalizers if normalizer.stage == stage}
        return sorted(keys, key=lambda key: (key not in ("case", "stem"), key))

    def reader(self, path: str) -> Entry:
        """Find the reader for a file by its name, plugins' readers before the host's."""
        name = Path(path).name
        for ending in (".gz", ".xz"):
            name = name.removesuffix(ending)
        matching = [
            entry
            for entry in self._entries["readers"]
            if any(fnmatch(name, pattern) for pattern in entry.declaration.patterns)
        ]
        foreign = [entry for entry in matching if entry.plugin.distribution != HOST]
        if len(foreign) > 1:
            who = " and ".join(f"{e.plugin.distribution}/{e.declaration.name}" for e in foreign)
            message = f"{path}: {who} both read such a file; block one with -p no:NAME"
            raise PluginError(message)
        return (foreign or matching)[0]


def signature_key(declaration: Any) -> str | None:
    """Signature key of a normalizer, None of anything else."""
    key: str | None = getattr(declaration, "key", None)
    return key


def _shown(declaration: Any) -> str:
    """Name of a declaration as one gives it in a spec."""
    return "=".join(filter(None, (signature_key(declaration), declaration.name)))


def _neutral(key: str) -> str:
    """Give the value of a signature key that changes nothing."""
    return "mixed" if key == "case" else "none"


def canonical(name: str) -> str:
    """Write the name of a distribution in the one way that stands for all."""
    return re.sub(r"[-_.]+", "-", name).lower()
