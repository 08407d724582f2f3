"""Where plugins come from: entry points of installed distributions, and single files."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from email.parser import HeaderParser
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, cast

from mteval_core.errors import InputError, PluginError, one_line
from mteval_core.plugin.markers import PROJECT
from mteval_core.plugin.registry import canonical

__all__ = ["PluginFile", "installed"]

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")

Loader = Callable[[], ModuleType]

if TYPE_CHECKING:
    from typing import Protocol

    class Distribution(Protocol):
        """The part of `importlib.metadata.Distribution` that the registry uses."""

        @property
        def name(self) -> str: ...
        @property
        def version(self) -> str: ...

    class EntryPoint(Protocol):
        """The part of `importlib.metadata.EntryPoint` that the registry uses."""

        @property
        def name(self) -> str: ...
        @property
        def dist(self) -> Distribution: ...
        def load(self) -> ModuleType: ...


# Installed distributions


class Installed(NamedTuple):
    """What the metadata of a distribution says.

    Parameters
    ----------
    name, version : str
        Its name and version.
    """

    name: str
    version: str


@dataclass(frozen=True, eq=False)
class InstalledPlugin:
    """A plugin of an installed distribution, with the interface of an entry point.

    Parameters
    ----------
    name : str
        Name of the entry point.
    dist : Installed
        The distribution.
    load : callable
        Imports the plugin, or raises the error that makes its distribution unusable.
    module : str
        Name of the module; empty if the distribution is unusable.
    """

    name: str
    dist: Installed
    load: Loader
    module: str = ""


def installed() -> list[InstalledPlugin]:
    """Return the plugins of all installed distributions.

    Of several distributions with one name, the first on the path counts, unless it is damaged. The
    plugins of a damaged distribution raise the reason when they are loaded.
    """
    plugins: dict[str, list[InstalledPlugin]] = {}
    for distribution in metadata.distributions():
        place = _place(distribution)
        if place.name.startswith("~"):  # pip renames what it is about to delete
            continue
        earlier = plugins.get(canonical(place.name))
        if earlier is None or not all(plugin.module for plugin in earlier):
            plugins[canonical(place.name)] = _plugins_of(distribution, place) or earlier or []
    return [plugin for group in plugins.values() for plugin in group]


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


def _plugins_of(distribution: metadata.Distribution, place: Place) -> list[InstalledPlugin]:
    """Return the plugins of a distribution; they raise the reason if it is damaged."""
    names = ["?"]
    try:
        if f"[{PROJECT}]" not in (distribution.read_text("entry_points.txt") or ""):
            return []
        points = [point for point in distribution.entry_points if point.group == PROJECT]
        names = [point.name for point in points]
        dist = _metadata(distribution)
        return [
            InstalledPlugin(point.name, dist, cast("Loader", point.load), point.module)
            for point in points
        ]
    except Exception as error:  # noqa: BLE001 - damaged files fail in many ways
        is_known = names != ["?"]
        file = "METADATA" if is_known else "entry_points.txt"
        reason = str(error) if isinstance(error, PluginError) else f"{file}: {one_line(error)}"
        message = f"{place.folder}: {reason}: install the distribution again, or remove the folder"
        dist = Installed(place.name, place.version)
        is_ours = is_known or _is_named_in(Path(place.folder))
        return [InstalledPlugin(name, dist, _raising(message)) for name in names if is_ours]


def _metadata(distribution: metadata.Distribution) -> Installed:
    """Read the metadata of a distribution.

    Raises
    ------
    PluginError
        If it is missing, or lacks a valid name or version.
    """
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


def _raising(message: str) -> Loader:
    """Return a function that raises a `PluginError`."""

    def load() -> ModuleType:
        raise PluginError(message)

    return load


# Files


class FileDistribution:
    """The distribution of a plugin file: named by the hash of the file, without a version."""

    version = ""

    def __init__(self, code: bytes) -> None:
        self.name = f"file-{hashlib.sha256(code).hexdigest()[:12]}"


class PluginFile:
    """A plugin in a file, with the interface of an entry point.

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
        except (OSError, ValueError) as error:
            message = f"the plugin {path}: {getattr(error, 'strerror', None) or error}"
            raise InputError(message) from None
        self.path = path
        self.name = Path(path).stem
        self.dist = FileDistribution(self.code)

    def load(self) -> ModuleType:
        """Run the file as a module named after it.

        Raises
        ------
        PluginError
            If another module has the name.
        """
        present = sys.modules.get(self.name)
        if present is not None and getattr(present, "__file__", None) != self.path:
            message = f"a module {self.name!r} is already loaded; rename the file"
            raise PluginError(message)
        module = ModuleType(self.name)
        module.__file__ = self.path
        sys.modules[self.name] = module
        try:
            exec(compile(self.code, self.path, "exec"), vars(module))
        except BaseException:
            del sys.modules[self.name]
            raise
        return module
