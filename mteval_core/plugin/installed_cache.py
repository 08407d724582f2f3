"""What the folders of Python's path hold, kept from one process to the next.

Reading the metadata of all distributions takes longer than scoring a small test set. So the plugins
that a folder holds are written to ``installed-plugins-1.json`` in the user's cache folder; the
number changes with the form of the file. They count as long as neither the folder nor the metadata
of a plugin has changed. The file can be deleted at any time. It is not read if somebody else could
have written it.
"""

from __future__ import annotations

import json
import os
import sys
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Cache", "Point", "has_distributions"]

METADATA = ("METADATA", "PKG-INFO", "entry_points.txt")

SETTLED = 2_000_000_000
"""Nanoseconds after which a change of a folder is old enough for the next one to differ in time."""


class Point(NamedTuple):
    """An entry point of a plugin.

    Parameters
    ----------
    name, value : str
        As in ``entry_points.txt``; the value is empty if the distribution is damaged.
    distribution, version : str
        The distribution and its version.
    folder : str
        Where its metadata is.
    damage : str
        What is wrong with the distribution; usually empty.
    """

    name: str
    value: str
    distribution: str
    version: str
    folder: str
    damage: str = ""


Distributions = list[tuple[str, list[Point]]]


def has_distributions(folder: str) -> bool:
    """Tell whether a folder or archive can hold the metadata of distributions.

    Parameters
    ----------
    folder : str
        An entry of Python's path.

    Returns
    -------
    bool
        True in case of doubt.
    """
    try:
        names = [path.name.lower() for path in Path(folder).iterdir()]
    except NotADirectoryError:
        return True
    except OSError:
        return False
    return any(name.endswith((".dist-info", "egg-info")) for name in names)


class Cache:
    """The plugins of the folders that have not changed since an earlier process read them."""

    def __init__(self) -> None:
        self._path = _user_folder() / "mteval" / "installed-plugins-1.json"
        self._folders: dict[str, Any] = _read(self._path)
        self._is_changed = False

    def get(self, folder: str) -> Distributions | None:
        """Return the distributions of a folder and their plugins; None if they must be read."""
        known = self._folders.get(str(Path(folder).absolute()))
        if known is None or _times(folder, *known["metadata"]) != known["times"]:
            return None
        return [(name, [Point(*point) for point in points]) for name, points in known["holds"]]

    def keep(self, folder: str, holds: Distributions) -> None:
        """Keep what was read, unless something is damaged or has changed just now."""
        points = [point for _, points in holds for point in points]
        metadata = [f"{path}/{name}" for path in {p.folder for p in points} for name in METADATA]
        times = _times(folder, *metadata)
        if any(point.damage for point in points) or max(times) > time.time_ns() - SETTLED:
            return
        known = {"metadata": metadata, "times": times, "holds": holds}
        self._folders[str(Path(folder).absolute())] = known
        self._is_changed = True

    def write(self) -> None:
        """Write the file if something was added; a file that cannot be written is left out."""
        if not self._is_changed:
            return
        present = {path: known for path, known in self._folders.items() if Path(path).exists()}
        body = json.dumps(present).encode()
        part = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            part.write_bytes(b"%d\n%b" % (zlib.crc32(body), body))
            part.chmod(0o600)
            part.replace(self._path)
        except OSError:
            with suppress(OSError):
                part.unlink()


def _user_folder() -> Path:
    """Return the folder where the system keeps the caches of the user's programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or "~/AppData/Local").expanduser()
    default = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or default).expanduser()


def _read(path: Path) -> dict[str, Any]:
    """Read the cache; it is empty if the file is damaged, or could be somebody else's."""
    try:
        if not (_is_ours(path) and _is_ours(path.parent)):
            return {}
        total, _, body = path.read_bytes().partition(b"\n")
        folders = json.loads(body) if int(total) == zlib.crc32(body) else {}
    except (OSError, ValueError):
        return {}
    return folders if isinstance(folders, dict) else {}


def _is_ours(path: Path) -> bool:
    """Tell whether only the user of this process can have written a file or folder."""
    if sys.platform == "win32":
        return True
    status = path.stat()
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _times(*paths: str) -> list[int]:
    """Return when files and folders last changed, in nanoseconds; 0 for those that are missing."""
    return [_time(Path(path)) for path in paths]


def _time(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
