"""Load plugins from entry points into a registry.

A plugin that fails to load is reported and does not affect the others; only a request for
something of that plugin raises an error.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from reprlib import repr as shortened
from threading import Event, RLock, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from mteval_core._version import API, __version__
from mteval_core.errors import PluginError
from mteval_core.plugin import builtin_hooks
from mteval_core.plugin.declarations import kind_of
from mteval_core.plugin.hook_calls import HookManager
from mteval_core.plugin.installed import PluginFile, installed_plugins
from mteval_core.plugin.registry import HOST, Entry, Plugin, Registry, canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from types import ModuleType

    from mteval_core.plugin.installed import EntryPoint, Offers

LOADING = RLock()
"""Held by the thread that loads plugins."""

SLOW = 5.0
"""Seconds after which a plugin that is still loading is named."""


def load_registry(
    entry_points: Iterable[EntryPoint] | None = None,
    *,
    blocked: Collection[str] = (),
    files: Iterable[str] = (),
    strict: bool = False,
) -> Registry:
    """Load the declarations of the host and of plugins.

    A plugin whose entry points list what it offers is imported when something of it is asked for.

    Parameters
    ----------
    entry_points : iterable of EntryPoint, optional
        The plugins (default: all that are installed).
    blocked : collection of str
        Names of entry points or distributions that are not to be loaded.
    files : iterable of str
        Paths of plugins that are one Python file each and not installed. Their signatures hold
        the hash of the file in place of a distribution.
    strict : bool
        Whether a plugin that fails to load is an error. Then all are loaded at once.

    Returns
    -------
    Registry

    Raises
    ------
    PluginError
        If a plugin file is broken; in strict mode, if any plugin is.
    """
    registry = Registry((), ())
    loader = _Loader(registry, blocked, strict=strict)
    loader.register(builtin_hooks, Plugin("host", HOST, __version__, api=API))
    points = installed_plugins() if entry_points is None else entry_points
    loader.waiting = [*points, *map(PluginFile, dict.fromkeys(files))]
    loader.load_waiting(lambda point: strict or not offers_of(point) or loader.is_blocked(point))
    registry.load_offers = loader.load_offers
    return registry


@contextmanager
def kept_output() -> Iterator[None]:
    """Send what compiled code prints to standard error, if what Python prints goes there."""
    if sys.stdout is not sys.stderr:
        yield
        return
    real = os.dup(1)
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(real, 1)
        os.close(real)


@contextmanager
def kept_environment() -> Iterator[None]:
    """Put back the variables of the environment that are changed meanwhile."""
    environment = dict(os.environ)
    try:
        yield
    finally:
        if os.environ != environment:
            os.environ.clear()
            os.environ.update(environment)


class _Loader:
    """Loads plugins, one after another, and adds what they declare to a registry."""

    def __init__(self, registry: Registry, blocked: Collection[str], *, strict: bool) -> None:
        self.registry = registry
        self.waiting: list[EntryPoint] = []
        self._blocked = {canonical(name) for name in blocked}
        self._strict = strict
        self._hooks = HookManager()
        self._loading = ""

    def name_slow(self, done: Event) -> None:
        """Name the plugin whose import or hooks make everybody wait."""
        while not done.wait(SLOW):
            sys.stderr.write(f"mteval: still loading the plugin {self._loading}\n")

    def is_blocked(self, point: EntryPoint) -> bool:
        """Whether the plugin of an entry point is not to be loaded."""
        names = map(canonical, (point.name, point.dist.name)) if self._blocked else ()
        return not self._blocked.isdisjoint(names)

    def load_offers(self, kind: str, name: str) -> None:
        """Load the plugins that wait and offer a name of a kind; see `Registry`."""

        def is_wanted(point: EntryPoint) -> bool:
            offers = offers_of(point)
            return not kind or (kind, name) in offers or (not name and kind in dict(offers))

        with LOADING:
            self.load_waiting(is_wanted)

    def load_waiting(self, is_wanted: Callable[[EntryPoint], bool]) -> None:
        """Load those of the plugins that wait that are wanted now; name one that takes long."""
        points = [point for point in self.waiting if is_wanted(point)]
        if not points:
            return
        points.sort(key=lambda point: (isinstance(point, PluginFile), point.dist.name, point.name))
        self.waiting = [point for point in self.waiting if not is_wanted(point)]
        done = Event()
        Thread(target=self.name_slow, args=(done,), daemon=True).start()
        try:
            with kept_environment(), kept_output():
                for point in points:
                    self.load(point)
        finally:
            done.set()

    def load(self, point: EntryPoint) -> None:
        """Load the plugin of an entry point, unless it is blocked.

        Raises
        ------
        PluginError
            If it is broken, and a file or loaded in strict mode.
        """
        path = getattr(point, "path", "")
        plugin = Plugin(point.name, point.dist.name, point.dist.version, path=path)
        self._loading = f"{plugin.name!r} {plugin.origin}"
        if self.is_blocked(point):
            self.registry.add([replace(plugin, blocked=True)], [])
            return
        try:
            check_distribution(plugin.distribution)
            start = perf_counter()
            module = point.load()
            seconds, api = perf_counter() - start, api_of(module)
            folder = str(Path(getattr(module, "__file__", None) or "").parent)
            found = replace(plugin, seconds=seconds, api=api, folder=folder)
            self.register(module, found, offers_of(point))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an error such as SystemExit must not end the process
            plugin = replace(plugin, cause=error)
            if path or self._strict:
                place = f" ({plugin.where})" if plugin.where else ""
                raise PluginError(f"{plugin}{place}") from error
            self.registry.add([plugin], [])

    def register(self, module: ModuleType, plugin: Plugin, offers: Offers = frozenset()) -> None:
        """Keep a plugin and what its hooks declare; nothing is kept if they fail."""
        declarations = self._hooks.declarations(module, plugin.name, plugin.distribution)
        declared = {(kind_of(type(each)).plural, each.name) for each in declarations}
        unlisted, unknown = sorted(declared - offers), sorted(offers - declared)
        if offers and (unlisted or unknown):
            kind, name = (unlisted or unknown)[0]
            group = f"[project.entry-points.'mteval.{kind}']"
            raise PluginError(
                f"its hooks declare {name!r}, which its entry points do not list: add it to {group}"
                if unlisted
                else f"{group} lists {name!r}, which its hooks do not declare: remove it"
            )
        self.registry.add([plugin], [Entry(declaration, plugin) for declaration in declarations])


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

    Returns
    -------
    Registry
    """
    disabled = os.environ.get("MTEVAL_DISABLE_PLUGINS", "").replace(",", " ").split()
    strict = os.environ.get("MTEVAL_STRICT_PLUGINS") == "1"
    return load_registry(blocked=blocked | set(disabled), files=files, strict=strict)


def offers_of(point: EntryPoint) -> Offers:
    """Return what a plugin declares, as far as its entry points list it."""
    return getattr(point, "offers", frozenset())


def check_distribution(distribution: str) -> None:
    """Raise a `PluginError` if a distribution has the name of the host, whose names stand."""
    if canonical(distribution) == HOST:
        raise PluginError(f"only the host may be called {HOST}: rename the distribution")


def api_of(module: object) -> int:
    """Return the API level of this host, which a plugin states as ``mteval_api``; without it, 1.

    A plugin that was written for several levels states a tuple of them.

    Raises
    ------
    PluginError
        If the plugin was not written for this host.
    """
    stated = getattr(module, "mteval_api", 1)
    levels = stated if isinstance(stated, tuple) else (stated,)
    if {*map(type, levels)} != {int}:
        raise PluginError(
            f"mteval_api is {shortened(stated)}; expected a whole number, mteval_api = {API}"
        )
    if API not in levels:
        outdated = HOST if max(levels) > API else "the plugin"
        raise PluginError(
            f"written for API level {' and '.join(map(str, levels))}, but {HOST} {__version__} has "
            f"level {API}: install a newer version of {outdated}"
        )
    return API
