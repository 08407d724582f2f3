"""Loading: the host's own declarations and those of the installed plugins, checked.

A plugin that cannot be used is reported and does not affect the others; only a request for
something of that plugin raises an error.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import perf_counter
from types import ModuleType, SimpleNamespace
from typing import Any, Protocol

import pluggy

from mteval_core._version import __version__
from mteval_core.errors import InputError, PluginError, near
from mteval_core.plugin import builtin_hooks, hookspecs
from mteval_core.plugin.markers import PROJECT
from mteval_core.plugin.registry import (
    HOST,
    KINDS,
    Entry,
    Plugin,
    Registry,
    canonical,
    signature_key,
)
from mteval_core.signature import NOT_OPTIONS

__all__ = ["check_declaration", "default_registry", "load_registry"]


class EntryPoint(Protocol):
    """What the registry needs of an `importlib.metadata.EntryPoint`."""

    @property
    def name(self) -> str: ...
    @property
    def dist(self) -> Any: ...
    def load(self) -> Any: ...


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
    host = Plugin("host", HOST, __version__)
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
        ours = _release(__version__)
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
                    f"it needs {requirement.strip()}, here is {HOST} {__version__}: "
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
            check_declaration(declaration)
            if names & _names(kind, declaration):
                message = f"{hook} returned {declaration.name!r} twice"
                raise PluginError(message)
            names |= _names(kind, declaration)
            entries.append((kind, Entry(declaration, plugin)))
    return entries


def check_declaration(declaration: Any) -> None:
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
    return {(kind, name, signature_key(declaration)) for name in (declaration.name, label)}


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
