"""The cache of what the folders of Python's path hold, which must never be wrong."""

from __future__ import annotations

import json
import os
import sys
import zlib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from mteval_core.plugin.installed import installed

OLD = 1_600_000_000
"""A time that is long over, in seconds."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with one plugin, the only one on the path, and a cache of its own."""
    folder = tmp_path / "site"
    monkeypatch.setattr(sys, "path", [str(folder)])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "platform", "linux")
    install(folder, "x", "1.0")
    return folder


@pytest.fixture(autouse=True)
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note which folders are read."""
    folders: list[str] = []
    distributions = metadata.distributions

    def noted(**options: Any) -> Any:
        folders.extend(Path(path).name for path in options.get("path", ["the whole path"]))
        return distributions(**options)

    monkeypatch.setattr(metadata, "distributions", noted)
    return folders


def install(folder: Path, name: str, version: str, at: int = OLD) -> Path:
    """Write the metadata of a plugin, as if at a time."""
    place = folder / f"mteval_{name}-{version}.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Name: mteval-{name}\nVersion: {version}\n")
    (place / "entry_points.txt").write_text(f"[mteval]\n{name} = mteval_{name}\n")
    for path in (*place.iterdir(), place, folder):
        os.utime(path, (at, at))
    return place


def cache(site: Path) -> Path:
    return site.parent / "cache" / "mteval" / "installed-plugins-1.json"


def names() -> list[tuple[str, str, str, str]]:
    return sorted((point.name, point.module, *point.dist) for point in installed())


X = [("x", "mteval_x", "mteval-x", "1.0")]


def test_a_folder_is_read_once(site: Path, read: list[str]) -> None:
    assert names() == X
    assert names() == X
    assert read == ["site"]
    assert cache(site).stat().st_mode & 0o777 == 0o600


def test_only_folders_with_distributions_are_read(site: Path, read: list[str]) -> None:
    (site.parent / "scripts").mkdir()
    archive = site.parent / "archive.zip"
    archive.write_bytes(b"PK\x05\x06" + bytes(18))
    os.utime(archive, (OLD, OLD))
    sys.path[:] = [str(site.parent / name) for name in ("scripts", "site", "gone", "archive.zip")]
    assert names() == names() == X
    assert sorted(read) == ["archive.zip", "site"]


def test_another_plugin_is_found(site: Path, read: list[str]) -> None:
    assert names() == X
    install(site, "y", "2.0", OLD + 1)
    assert names() == [*X, ("y", "mteval_y", "mteval-y", "2.0")]
    assert names() == [*X, ("y", "mteval_y", "mteval-y", "2.0")]
    assert read == ["site", "site"]


def test_a_change_of_metadata_is_found(site: Path) -> None:
    assert names() == X
    file = site / "mteval_x-1.0.dist-info" / "METADATA"
    file.write_text("Name: mteval-x\nVersion: 1.1\n")
    assert names() == [("x", "mteval_x", "mteval-x", "1.1")]
    file.unlink()
    (point,) = installed()
    assert "there is no METADATA" in point.point.damage


def test_what_changes_right_now_is_not_kept(site: Path, read: list[str]) -> None:
    os.utime(site)  # a later change may have the same time
    assert names() == names() == X
    assert read == ["site", "site"]
    assert not cache(site).exists()


def test_damage_is_not_kept(site: Path, read: list[str]) -> None:
    place = install(site, "y", "2.0")
    (place / "METADATA").write_bytes(b"\xff\xfe")
    os.utime(place / "METADATA", (OLD, OLD))
    for _ in range(2):
        assert {point.name: bool(point.module) for point in installed()} == {"x": True, "y": False}
    assert read == ["site", "site"]


def test_the_first_distribution_of_a_name_counts(site: Path) -> None:
    later = site.parent / "later"
    install(later, "x", "3.0")
    for path, version in ((["site", "later"], "1.0"), (["later", "site"], "3.0")):
        sys.path[:] = [str(site.parent / name) for name in path]
        for _ in range(2):
            assert names() == [("x", "mteval_x", "mteval-x", version)]


def sealed(body: bytes) -> bytes:
    return b"%d\n%b" % (zlib.crc32(body), body)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"0\n",
        b"\xff\n{}",
        b"12\n{}",
        sealed(b"[1, 2]"),
        sealed(b"null"),
        sealed(b"{"),
        sealed(b'{"\xff": 1}'),
    ],
)
def test_a_damaged_cache_is_read_anew(site: Path, read: list[str], content: bytes) -> None:
    assert names() == X
    cache(site).write_bytes(content)
    assert names() == names() == X
    assert read == ["site", "site"]


def test_every_cut_and_every_changed_byte_is_noticed(site: Path) -> None:
    assert names() == X
    whole = cache(site).read_bytes()
    for i in range(0, len(whole), 7):
        for damaged in (whole[:i], whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :]):
            cache(site).write_bytes(damaged)
            assert names() == X


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are not those of POSIX")
@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_cache_that_others_can_write_is_not_used(site: Path, read: list[str], place: str) -> None:
    assert names() == X
    path = cache(site) if place == "file" else cache(site).parent
    path.chmod(path.stat().st_mode | 0o002)
    assert names() == X
    assert read == ["site", "site"]


@pytest.mark.parametrize(
    "place", ["cache", "cache/mteval", "cache/mteval/installed-plugins-1.json"]
)
def test_a_cache_that_cannot_be_written_does_not_matter(site: Path, place: str) -> None:
    path = site.parent / place
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.name.endswith("json"):
        path.mkdir()
    else:
        path.write_text("a file where a folder should be")
    assert names() == names() == X


def test_other_finders_of_distributions_are_asked(
    site: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Finder:
        @staticmethod
        def find_distributions(*_: object) -> list[metadata.Distribution]:
            return [metadata.PathDistribution(place)]

    place = install(site.parent / "elsewhere", "z", "3.0")
    assert names() == X
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert names() == [*X, ("z", "mteval_z", "mteval-z", "3.0")]
    assert read == ["site", "the whole path"]


def test_an_attribute_of_a_module_can_be_a_plugin(site: Path) -> None:
    points = site / "mteval_x-1.0.dist-info" / "entry_points.txt"
    points.write_text("[mteval]\nx = json : decoder.JSONDecoder\n")
    (point,) = installed()
    assert (point.module, point.load()) == ("json", json.JSONDecoder)
