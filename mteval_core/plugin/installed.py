"""Installed distributions with plugins, of which some may be damaged, and plugins of one file.

The folders of the path are read here, without `importlib.metadata`: importing that module, which
brings the parsers of archives and e-mail along, took a sixth of the start of a command.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, cast

from mteval_core.errors import PluginError, readable
from mteval_core.frozen import Frozen
from mteval_core.plugin.declarations import KINDS
from mteval_core.plugin.hookspecs import PROJECT
from mteval_core.plugin.registry import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Protocol

    class EntryPoint(Protocol):
        """The part of `importlib.metadata.EntryPoint` that the registry uses."""

        @property
        def name(self) -> str:
            """The name of the plugin."""
            ...

        @property
        def dist(self) -> Any:
            """The distribution that declares it: its name and its version."""
            ...

        def load(self) -> ModuleType:
            """Import its module."""
            ...


Offers = frozenset[tuple[str, str]]
"""The plural of the kind and the name of everything that a plugin declares."""

ENDINGS = (".dist-info", ".egg-info")
"""Of folders with the metadata of a distribution, installed and in place."""

FIELD = re.compile(r"^(Name|Version):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
DISTRIBUTION_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")
SECTION = re.compile(rf"^\[{PROJECT}(?:\.(\w+))?\][ \t]*$(.*?)(?=^\[|\Z)", re.MULTILINE | re.DOTALL)
ENTRY_POINT = re.compile(r"\s*([^=\s][^=]*?)\s*=\s*([\w.]+)\s*(?::\s*([\w.]+)\s*)?(?:\[.*\]\s*)?")


class Installed(NamedTuple):
    """Name and version of a distribution; a plugin file has a hash as name, and no version.

    A damaged distribution has those of its folder, and says what is wrong.
    """

    name: str
    version: str
    fault: str = ""


class InstalledPlugin(Frozen):
    """A plugin of an installed distribution, with the interface of an entry point.

    Parameters
    ----------
    name : str
        Name of the entry point.
    folder : Path
        The metadata of its distribution. Name and version are read when they are asked for.
    module, attribute : str
        The plugin: a module, or an attribute of it. Empty if the entry points are damaged.
    offers : frozenset of (str, str)
        What it declares, if the groups ``mteval.metrics``, ``mteval.commands`` and so on of its
        entry points list it.
    fault : str
        What is wrong with the entry points.
    """

    name: str
    folder: Path
    module: str = ""
    attribute: str = ""
    offers: Offers = frozenset()
    fault: str = ""

    @cached_property
    def dist(self) -> Installed:
        """The distribution."""
        return _distribution(self.folder)

    @property
    def damage(self) -> str:
        """What is wrong with the distribution, and what to do."""
        fault, to_do = self.fault or self.dist.fault, "install the distribution again, or remove"
        return fault and f"{self.folder}: {fault}: {to_do} the folder"

    def load(self) -> ModuleType:
        """Import the plugin.

        Raises
        ------
        PluginError
            If its distribution is damaged.
        """
        if self.damage:
            raise PluginError(self.damage)
        plugin = import_module(self.module)
        return cast("ModuleType", attrgetter(self.attribute)(plugin)) if self.attribute else plugin


def installed_plugins() -> list[InstalledPlugin]:
    """Return the plugins of all installed distributions.

    Of several distributions with one name, the first on the path counts, unless it is damaged. The
    plugins of a damaged distribution raise the reason when they are loaded.
    """
    found: dict[str, list[InstalledPlugin]] = {}
    for folder in _metadata_folders():
        name = folder.name.rpartition(".")[0].partition("-")[0]
        if name.startswith("~"):  # pip renames what it is about to delete
            continue
        key = canonical(name or str(folder))
        if key not in found or any(plugin.damage for plugin in found[key]):
            found[key] = _plugins_of(folder) or found.get(key, [])
    return [plugin for plugins in found.values() for plugin in plugins]


def _metadata_folders() -> Iterator[Path]:
    """Find the folders with the metadata of distributions, in the order of the path."""
    for place in map(Path, dict.fromkeys(sys.path)):
        with suppress(OSError):
            folders = (each for each in _inside(place) if each.name.endswith(ENDINGS))
            yield from sorted(folders, key=str)


def _inside(place: Path) -> Iterable[Any]:
    """List what is in a folder, or in an archive, such as Spark sends to its workers."""
    if not place.is_file():
        return place.iterdir()
    import zipfile

    return zipfile.Path(place).iterdir() if zipfile.is_zipfile(place) else ()


def _plugins_of(folder: Path) -> list[InstalledPlugin]:
    """Return the plugins of a distribution; one holds the reason if its list is damaged."""
    content = _content(folder / "entry_points.txt")
    if f"[{PROJECT}".encode() not in content:
        return []
    try:
        points = _entry_points(content.decode("utf-8", "replace"))
    except PluginError as error:
        return [InstalledPlugin("?", folder, fault=str(error))]
    return [InstalledPlugin(name, folder, *target, offers) for name, target, offers in points]


def _entry_points(text: str) -> list[tuple[str, tuple[str, str], Offers]]:
    """Read the name of each plugin, its module and attribute, and what it offers.

    Raises
    ------
    PluginError
        If one is not written as ``NAME = MODULE`` or ``NAME = MODULE:ATTRIBUTE``, or if what a
        plugin declares is listed without a plugin.
    """
    groups: dict[str, list[tuple[str, tuple[str, str]]]] = {"": []}
    for kind, lines in SECTION.findall(text):
        for line in lines.splitlines():
            if line.strip() and line.lstrip()[0] not in "#;":
                point = ENTRY_POINT.fullmatch(line)
                if not point:
                    raise PluginError(
                        f"entry_points.txt has the line {line.strip()!r}; expected NAME = MODULE"
                    )
                groups.setdefault(kind, []).append((point[1], (point[2], point[3] or "")))
    if not groups[""] and (listed := sorted(groups.keys() & KINDS.keys())):
        raise PluginError(
            f"entry_points.txt has a group [{PROJECT}.{listed[0]}]; expected [{PROJECT}] with the "
            f"plugin, too"
        )
    offers = {(k, name, target) for k, own in groups.items() if k for name, target in own}
    return [
        (name, target, frozenset((k, offered) for k, offered, other in offers if other == target))
        for name, target in groups[""]
    ]


def _distribution(folder: Path) -> Installed:
    """Read the metadata of a distribution."""
    content = _content(folder / "METADATA") or _content(folder / "PKG-INFO")
    fields = dict(FIELD.findall(content.partition(b"\n\n")[0].decode("utf-8", "replace")))
    name, version = (fields.get(key, "") for key in ("Name", "Version"))
    if DISTRIBUTION_NAME.fullmatch(name) and VERSION.fullmatch(version):
        return Installed(name, version)
    fault = f"METADATA has the name {name!r} and the version {version!r}"
    name, _, version = folder.name.rpartition(".")[0].partition("-")
    return Installed(name, version or "?", fault if content else "there is no METADATA")


def _content(file: Path) -> bytes:
    """Return what is in a file; nothing if it cannot be read."""
    with suppress(OSError):
        return file.read_bytes().replace(b"\r\n", b"\n")
    return b""


# Files


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
        from hashlib import sha256

        with readable(path):
            self.code: bytes = Path(path).read_bytes()
        self.path = path
        self.name: str = Path(path).stem
        self.dist: Installed = Installed(f"file-{sha256(self.code).hexdigest()[:12]}", "")

    def load(self) -> ModuleType:
        """Run the file as a module named after it.

        Raises
        ------
        PluginError
            If another module has the name.
        """
        present = sys.modules.get(self.name)
        if present is not None and getattr(present, "__file__", None) != self.path:
            raise PluginError(f"a module {self.name!r} is already loaded; rename the file")
        module = ModuleType(self.name)
        module.__file__ = self.path
        sys.modules[self.name] = module
        try:
            exec(compile(self.code, self.path, "exec"), vars(module))
        except BaseException:
            del sys.modules[self.name]
            raise
        return module
