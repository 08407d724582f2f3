"""Installed plugins are found on the path, whatever state other distributions are in."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mteval_core.plugin.installed import installed_plugins


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with one plugin, the only one on the path."""
    folder = tmp_path / "site"
    monkeypatch.setattr(sys, "path", [str(folder)])
    install(folder, "x", "1.0")
    return folder


def install(folder: Path, name: str, version: str) -> Path:
    """Write the metadata of a plugin."""
    place = folder / f"mteval_{name}-{version}.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Name: mteval-{name}\nVersion: {version}\n")
    (place / "entry_points.txt").write_text(f"[mteval]\n{name} = mteval_{name}\n")
    return place


def names() -> list[tuple[str, str, str, str]]:
    return sorted((point.name, point.module, *point.dist) for point in installed_plugins())


X = ("x", "mteval_x", "mteval-x", "1.0")


def test_what_changes_in_place_is_seen(site: Path) -> None:
    assert names() == [X]
    points = site / "mteval_x-1.0.dist-info" / "entry_points.txt"
    points.write_text("[mteval]\nx = mteval_x\nz = mteval_x.z\n")
    assert names() == [X, ("z", "mteval_x.z", "mteval-x", "1.0")]
    install(site, "y", "2.0")
    assert ("y", "mteval_y", "mteval-y", "2.0") in names()


def test_the_first_distribution_of_a_name_counts(site: Path) -> None:
    later = site.parent / "later"
    install(later, "x", "3.0")
    for path, version in ((["site", "later"], "1.0"), (["later", "site"], "3.0")):
        sys.path[:] = [str(site.parent / name) for name in path]
        assert names() == [("x", "mteval_x", "mteval-x", version)]


@pytest.mark.parametrize("path", [["site", "later"], ["later", "site"]])
def test_a_damaged_distribution_counts_only_where_it_is_alone(site: Path, path: list[str]) -> None:
    (site / "mteval_x-1.0.dist-info" / "METADATA").unlink()
    (point,) = installed_plugins()
    assert point.damage.endswith(
        "there is no METADATA: install the distribution again, or remove the folder"
    )
    install(site.parent / "later", "x", "3.0")
    sys.path[:] = [str(site.parent / name) for name in path]
    assert names() == [("x", "mteval_x", "mteval-x", "3.0")]


def test_an_attribute_of_a_module_can_be_a_plugin(site: Path) -> None:
    points = site / "mteval_x-1.0.dist-info" / "entry_points.txt"
    points.write_text("[mteval]\nx = json : decoder.JSONDecoder\n")
    (point,) = installed_plugins()
    assert (point.module, point.load()) == ("json", json.JSONDecoder)
