"""The registry: everything that the host and the installed plugins declare, and by whom.

Built once by `load_registry`, immutable afterwards. A plugin that cannot be used is reported and
does not disturb the others; only who asks for something of it gets an error.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from time import perf_counter
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, Protocol

import pluggy

import mteval_core
from mteval_core import declarations
from mteval_core.errors import InputError, PluginError, UnknownNameError, near
from mteval_core.plugin import builtin_hooks, hookspecs
from mteval_core.plugin.markers import PROJECT
from mteval_core.signature import NOT_OPTIONS

__all__ = ["HOST", "Entry", "Plugin", "Registry", "default_registry", "load_registry"]

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


class EntryPoint(Protocol):
    """What the registry needs of an `importlib.metadata.EntryPoint`."""

    @property
    def name(self) -> str: ...
    @property
    def dist(self) -> Any: ...
    def load(self) -> Any: ...


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
            if _key(entry.declaration) == key
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
        known = {e.declaration.name for e in self._entries[kind] if _key(e.declaration) == key}
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


def load_registry(
    entry_points: Iterable[EntryPoint] | None = None,
    *,
    blocked: Collection[str] = (),
    files: Iterable[str] = (),
    strict: bool = False,
) -> Registry:
    """Load the host's own declarations and those of plugins.

    Parameters
    ----------
    entry_points : iterable of EntryPoint, optional
        The plugins; those installed, unless given.
    blocked : collection of str
        Names of entry points or distributions that are not to be loaded.
    files : iterable of str
        Paths of plugins that are one Python file each, not installed. What such a file computes
        is not reproducible by its name: its signature has the hash of the file.
    strict : bool
        Whether a plugin that cannot be loaded is an error at once.

    Returns
    -------
    Registry

    Raises
    ------
    PluginError
        In strict mode, if a plugin is broken.
    """
    if entry_points is None:
        from importlib import metadata

        entry_points = metadata.entry_points(group=PROJECT)
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    host = Plugin("host", HOST, mteval_core.__version__)
    plugins, entries = [host], _register(manager, builtin_hooks, host, [])
    shut = {canonical(name) for name in blocked}
    points = sorted(entry_points, key=lambda p: (p.dist.name, p.name))
    for point in [*points, *map(PluginFile, files)]:
        plugin = Plugin(point.name, point.dist.name, point.dist.version)
        if shut & {canonical(point.name), canonical(point.dist.name)}:
            plugin = replace(plugin, status="blocked")
        else:
            try:
                check_host(getattr(point.dist, "requires", None) or ())
                start = perf_counter()
                module = point.load()
                plugin = replace(plugin, seconds=perf_counter() - start)
                entries += _register(manager, module, plugin, entries)
            except (Exception, SystemExit) as error:  # a plugin must not end the process either
                kind = "" if isinstance(error, PluginError) else f"{type(error).__name__}: "
                plugin = replace(plugin, status="broken", error=" ".join(f"{kind}{error}".split()))
                if strict:
                    raise PluginError(str(plugin)) from error
        plugins.append(plugin)
    return Registry(plugins, entries)


class PluginFile:
    """A plugin in a file, as an entry point.

    Parameters
    ----------
    path : str
        The file.

    Raises
    ------
    InputError
        If it cannot be read.
    """

    def __init__(self, path: str) -> None:
        try:
            self.code = Path(path).read_bytes()
        except OSError as error:
            message = f"the plugin {path}: {error.strerror}"
            raise InputError(message) from None
        self.path = path
        self.name = Path(path).stem
        digest = hashlib.sha256(self.code).hexdigest()[:12]
        self.dist = SimpleNamespace(name=f"file:{digest}", version="")

    def load(self) -> ModuleType:
        """Run the file, as a module that its declarations can name."""
        other = sys.modules.get(self.name)
        if other is not None and getattr(other, "__file__", None) != self.path:
            message = f"{self.path}: there is a module {self.name!r} already; rename the file"
            raise PluginError(message)
        module = ModuleType(self.name)
        module.__file__ = self.path
        sys.modules[self.name] = module
        exec(compile(self.code, self.path, "exec"), vars(module))
        return module


def check_host(requirements: Iterable[str]) -> None:
    """Raise a `PluginError` if a distribution was made for another version of the host."""
    for requirement in requirements:
        asked, _, condition = requirement.replace(" ", "").partition(";")
        name, bounds = re.fullmatch(r"([\w.-]*)(?:\[.*\])?\(?(.*?)\)?", asked).groups()  # type: ignore[union-attr]
        if canonical(name) != HOST or not bounds or "extra" in condition:
            continue
        ours = _release(mteval_core.__version__)
        for bound in bounds.split(","):
            operator, version = re.sub(r"[\d.*]+.*$", "", bound), bound.lstrip("~<>=!")
            theirs = _release(version)
            met = {
                ">=": ours >= theirs,
                ">": ours > theirs,
                "<=": ours <= theirs,
                "<": ours < theirs,
                "~=": ours >= theirs and ours[: len(theirs) - 1] == theirs[:-1],
                "==": ours[: len(theirs)] == theirs,
            }
            if not met.get(operator, True):
                message = (
                    f"it needs {requirement.strip()}, here is {HOST} {mteval_core.__version__}: "
                    f"install a version of the plugin that fits, or pip install '{HOST}{bound}'"
                )
                raise PluginError(message)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _register(
    manager: pluggy.PluginManager,
    module: Any,
    plugin: Plugin,
    registered: Iterable[tuple[str, Entry]],
) -> list[tuple[str, Entry]]:
    """Call the hooks of one plugin and check what they return."""
    known = {f"mteval_register_{kind}" for kind in KINDS}
    for name in dir(module):
        marked = manager.parse_hookimpl_opts(module, name) is not None
        if name not in known and (marked or name.startswith("mteval_register_")):
            message = f"no hook is called {name!r}.{near(name, known)}"
            raise PluginError(message)
        if name in known and not marked:
            message = f"{name} is not marked as a hook: put @mteval_core.hookimpl above it"
            raise PluginError(message)
    manager.register(module, name=f"{plugin.distribution}/{plugin.name}")
    manager.check_pending()
    entries: list[tuple[str, Entry]] = []
    names = {
        name
        for kind, entry in registered
        if entry.plugin.distribution == plugin.distribution
        for name in _names(kind, entry.declaration)
    }
    for kind, declaration_type in KINDS.items():
        hook = f"mteval_register_{kind}"
        if not hasattr(module, hook):
            continue
        declared: Any = getattr(module, hook)()
        for declaration in declared if isinstance(declared, (list, tuple)) else [declared]:
            if not isinstance(declaration, declaration_type):
                message = (
                    f"{hook} returned {declaration!r}; expected {declaration_type.__name__} objects"
                )
                raise PluginError(message)
            check(declaration)
            if names & _names(kind, declaration):
                message = f"{hook} returned {declaration.name!r} twice"
                raise PluginError(message)
            names |= _names(kind, declaration)
            entries.append((kind, Entry(declaration, plugin)))
    return entries


def check(declaration: Any) -> None:
    """Raise a `PluginError` if specs and signatures cannot hold what a declaration names."""
    name = declaration.name
    if not isinstance(name, str) or not name or "/" in name:
        message = f"{name!r} is no name: expected a word without '/'"
        raise PluginError(message)
    keys = [option.key for option in getattr(declaration, "options", ())]
    keys += [declaration.key] if hasattr(declaration, "key") else []
    for key in keys:
        if key in (*NOT_OPTIONS, "loo") or keys.count(key) > 1:
            message = f"{name!r} has the key {key!r}, which is taken: choose another"
            raise PluginError(message)


def _names(kind: str, declaration: Any) -> set[tuple[str, str, str | None]]:
    """Name and label of a declaration, with all that tells it from others."""
    label = getattr(declaration, "label", None) or declaration.name
    return {(kind, name, _key(declaration)) for name in (declaration.name, label)}


def _key(declaration: Any) -> str | None:
    """Signature key of a normalizer, None of anything else."""
    key: str | None = getattr(declaration, "key", None)
    return key


def _shown(declaration: Any) -> str:
    """Name of a declaration as one gives it in a spec."""
    return "=".join(filter(None, (_key(declaration), declaration.name)))


def _neutral(key: str) -> str:
    """Give the value of a signature key that changes nothing."""
    return "mixed" if key == "case" else "none"


def canonical(name: str) -> str:
    """Write the name of a distribution in the one way that stands for all."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def default_registry(
    blocked: frozenset[str] = frozenset(), files: tuple[str, ...] = ()
) -> Registry:
    """Return the registry of what is installed, built on first use.

    ``MTEVAL_DISABLE_PLUGINS`` names plugins to block, separated by commas;
    ``MTEVAL_STRICT_PLUGINS=1`` makes a broken plugin an error.

    Parameters
    ----------
    blocked : frozenset of str
        Further plugins to block.
    files : tuple of str
        Plugins that are one Python file each.
    """
    disabled = os.environ.get("MTEVAL_DISABLE_PLUGINS", "").replace(",", " ").split()
    return load_registry(
        blocked=blocked | set(disabled),
        files=files,
        strict=os.environ.get("MTEVAL_STRICT_PLUGINS") == "1",
    )
