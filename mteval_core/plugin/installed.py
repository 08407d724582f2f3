"""The plugins of installed distributions: what their metadata says, and how they are imported."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.errors import PluginError, one_line
from mteval_core.plugin.installed_cache import Cache, Point, has_distributions
from mteval_core.plugin.markers import PROJECT
from mteval_core.plugin.registry import canonical

if TYPE_CHECKING:
    from importlib import metadata
    from types import ModuleType

    from mteval_core.plugin.installed_cache import Distributions

__all__ = ["installed"]

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")


class Installed(NamedTuple):
    """What the metadata of a distribution says.

    Parameters
    ----------
    name, version : str
        Its name and version.
    """

    name: str
    version: str


class InstalledPlugin:
    """A plugin of an installed distribution, with the interface of an entry point.

    Parameters
    ----------
    point : Point
        What the metadata of its distribution says of it.

    Attributes
    ----------
    name : str
        Name of the entry point.
    dist : Installed
        The distribution.
    module : str
        Name of the module; empty if the distribution is damaged.
    """

    def __init__(self, point: Point) -> None:
        self.point: Point = point
        self.name: str = point.name
        self.dist: Installed = Installed(point.distribution, point.version)
        self.module: str = point.value.partition(":")[0].strip()

    def load(self) -> ModuleType:
        """Import the plugin.

        Raises
        ------
        PluginError
            If its distribution is damaged.
        """
        if self.point.damage:
            raise PluginError(self.point.damage)
        plugin = import_module(self.module)
        for name in self.point.value.partition(":")[2].split("."):
            plugin = getattr(plugin, name.strip()) if name else plugin
        return plugin


def installed() -> list[InstalledPlugin]:
    """Return the plugins of all installed distributions.

    Of several distributions with one name, the first on the path counts, unless it is damaged. The
    plugins of a damaged distribution raise the reason when they are loaded.
    """
    plugins: dict[str, list[Point]] = {}
    for name, points in _distributions():
        earlier = plugins.get(name)
        if earlier is None or any(point.damage for point in earlier):
            plugins[name] = points or earlier or []
    return [InstalledPlugin(point) for points in plugins.values() for point in points]


def _distributions() -> Distributions:
    """Return the name and the plugins of each distribution on the path.

    The cache knows folders and archives. Where something else can find distributions, it is of no
    use.
    """
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    if finders != [PathFinder]:
        return _read()
    cache = Cache()
    found = []
    for folder in filter(has_distributions, (folder or "." for folder in sys.path)):
        known = cache.get(folder)
        if known is None:
            known = _read([folder])
            cache.keep(folder, known)
        found += known
    cache.write()
    return found


def _read(path: list[str] | None = None) -> Distributions:
    """Read the metadata of the distributions in the folders of a path (default: Python's)."""
    from importlib import metadata

    found = metadata.distributions() if path is None else metadata.distributions(path=path)
    places = [(distribution, _place(distribution)) for distribution in found]
    return [
        (canonical(place.name), _plugins_of(distribution, place))
        for distribution, place in places
        if not place.name.startswith("~")  # pip renames what it is about to delete
    ]


class Place(NamedTuple):
    """Where the metadata of a distribution is, and what the name of the folder says of it."""

    folder: str
    name: str
    version: str


def _place(distribution: metadata.Distribution) -> Place:
    """Return the folder of a distribution, without reading a file in it."""
    path = Path(str(getattr(distribution, "_path", "")))  # importlib.metadata has no public name
    named = path.parent if path.name == "EGG-INFO" else path
    name, _, version = named.stem.partition("-")
    return Place(str(path), name or repr(distribution), version or "?")


def _plugins_of(distribution: metadata.Distribution, place: Place) -> list[Point]:
    """Return the plugins of a distribution; they hold the reason if it is damaged."""
    names = ["?"]
    try:
        if f"[{PROJECT}]" not in (distribution.read_text("entry_points.txt") or ""):
            return []
        points = [point for point in distribution.entry_points if point.group == PROJECT]
        names = [point.name for point in points]
        dist = _metadata(distribution)
        return [Point(each.name, each.value, *dist, folder=place.folder) for each in points]
    except Exception as error:  # noqa: BLE001 - damaged files fail in many ways
        is_known = names != ["?"]
        file = "METADATA" if is_known else "entry_points.txt"
        reason = str(error) if isinstance(error, PluginError) else f"{file}: {one_line(error)}"
        damage = f"{place.folder}: {reason}: install the distribution again, or remove the folder"
        if not (is_known or _is_named_in(Path(place.folder))):
            return []
        where = (place.name, place.version, place.folder)
        return [Point(name, "", *where, damage=damage) for name in names]


def _metadata(distribution: metadata.Distribution) -> Installed:
    """Read the name and the version of a distribution.

    Raises
    ------
    PluginError
        If the metadata is missing, or lacks a valid name or version.
    """
    from email.parser import HeaderParser

    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO")
    if not text:
        message = "there is no METADATA"
        raise PluginError(message)
    fields = HeaderParser().parsestr(text.partition("\n\n")[0])
    name, version = (str(fields[key] or "") for key in ("Name", "Version"))
    if not (NAME.fullmatch(name) and VERSION.fullmatch(version)):
        message = f"METADATA has the name {name!r} and the version {version!r}"
        raise PluginError(message)
    return Installed(name, version)


def _is_named_in(folder: Path) -> bool:
    """Tell whether entry points that cannot be read seem to have those of plugins."""
    try:
        return f"[{PROJECT}]".encode() in (folder / "entry_points.txt").read_bytes()
    except OSError:
        return False
