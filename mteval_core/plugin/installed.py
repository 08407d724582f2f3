"""Installed plugins: the entry points of the distributions on the path, and which are damaged."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.errors import PluginError, one_line
from mteval_core.plugin.hookspecs import PROJECT
from mteval_core.plugin.registry import canonical

if TYPE_CHECKING:
    from importlib import metadata
    from types import ModuleType

FIELD = re.compile(r"^(Name|Version):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
DISTRIBUTION_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")


class Installed(NamedTuple):
    """Name and version of a distribution."""

    name: str
    version: str


class InstalledPlugin(NamedTuple):
    """A plugin of an installed distribution, with the interface of an entry point.

    Parameters
    ----------
    name : str
        Name of the entry point.
    dist : Installed
        The distribution.
    point : importlib.metadata.EntryPoint or None
        The entry point; None if the distribution is damaged.
    damage : str
        What is wrong with the distribution, and what to do.
    """

    name: str
    dist: Installed
    point: metadata.EntryPoint | None
    damage: str = ""

    @property
    def module(self) -> str:
        """Name of the module; empty if the distribution is damaged."""
        return self.point.module if self.point else ""

    def load(self) -> ModuleType:
        """Import the plugin.

        Raises
        ------
        PluginError
            If its distribution is damaged.
        """
        if self.point is None:
            raise PluginError(self.damage)
        plugin: ModuleType = self.point.load()
        return plugin


def installed_plugins() -> list[InstalledPlugin]:
    """Return the plugins of all installed distributions.

    Of several distributions with one name, the first on the path counts, unless it is damaged. The
    plugins of a damaged distribution raise the reason when they are loaded.
    """
    from importlib import metadata

    found: dict[str, list[InstalledPlugin]] = {}
    for distribution in metadata.distributions():
        folder = Path(str(getattr(distribution, "_path", "")))  # there is no public name
        named = folder.parent if folder.name == "EGG-INFO" else folder
        name, _, version = named.stem.partition("-")
        if name.startswith("~"):  # pip renames what it is about to delete
            continue
        key = canonical(name or repr(distribution))
        if key not in found or any(plugin.damage for plugin in found[key]):
            plugins = _plugins_of(distribution, folder, Installed(name, version or "?"))
            found[key] = plugins or found.get(key, [])
    return [plugin for plugins in found.values() for plugin in plugins]


def _plugins_of(
    distribution: metadata.Distribution, folder: Path, expected: Installed
) -> list[InstalledPlugin]:
    """Return the plugins of a distribution; they hold the reason if it is damaged."""
    file, names = "entry_points.txt", ["?"]
    try:
        if f"[{PROJECT}]" not in (distribution.read_text(file) or ""):
            return []
        points = [*distribution.entry_points.select(group=PROJECT)]
        file, names = "METADATA", [point.name for point in points]
        dist = _name_and_version(distribution)
        return [InstalledPlugin(point.name, dist, point) for point in points]
    except Exception as error:  # noqa: BLE001 - damaged files fail in many ways
        if names == ["?"] and not _mentions_plugins(folder / file):
            return []
        reason = str(error) if isinstance(error, PluginError) else f"{file}: {one_line(error)}"
        damage = f"{folder}: {reason}: install the distribution again, or remove the folder"
        return [InstalledPlugin(name, expected, None, damage) for name in names]


def _name_and_version(distribution: metadata.Distribution) -> Installed:
    """Read the metadata of a distribution.

    Raises
    ------
    PluginError
        If there is none, or its name or version is missing or not valid.
    """
    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO")
    if not text:
        message = "there is no METADATA"
        raise PluginError(message)
    fields = dict(FIELD.findall(text.partition("\n\n")[0]))
    name, version = (fields.get(key, "") for key in ("Name", "Version"))
    if not (DISTRIBUTION_NAME.fullmatch(name) and VERSION.fullmatch(version)):
        message = f"METADATA has the name {name!r} and the version {version!r}"
        raise PluginError(message)
    return Installed(name, version)


def _mentions_plugins(file: Path) -> bool:
    """Tell whether entry points that cannot be read seem to have those of plugins."""
    try:
        return f"[{PROJECT}]".encode() in file.read_bytes()
    except OSError:
        return False
