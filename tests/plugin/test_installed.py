"""Installed plugins are found on the path, whatever state other distributions are in."""

from __future__ import annotations

import json
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mteval_core import (
    CommandSpec,
    MetricSpec,
    PluginError,
    TokenizerSpec,
    load_registry,
)
from mteval_core.plugin.installed import installed_plugins

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Registry
    from mteval_core.plugin.declarations import Declaration


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
    return sorted((point.name, point.module, *point.dist[:2]) for point in installed_plugins())


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


def test_a_plugin_in_an_archive_is_found(site: Path) -> None:
    archive = site.parent / "plugins.zip"
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("mteval_z.py", "answer = 42")
        written.writestr("mteval_z-1.0.dist-info/METADATA", "Name: mteval-z\r\nVersion: 1.0\r\n")
        written.writestr("mteval_z-1.0.dist-info/entry_points.txt", "[mteval]\r\nz = mteval_z\r\n")
    (site.parent / "text.txt").write_text("not an archive")
    sys.path[:] = [str(archive), str(site.parent / "text.txt"), str(site.parent / "missing")]
    (point,) = installed_plugins()
    assert point.dist[:2] == ("mteval-z", "1.0")
    assert vars(point.load())["answer"] == 42


@pytest.mark.parametrize("line", ["mteval_x", "= mteval_x", "x =", "x = mteval x", "x = a:b:c"])
def test_a_line_that_is_no_entry_point_damages_its_distribution(site: Path, line: str) -> None:
    points = site / "mteval_x-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"[mteval]\n{line}\n[other]\nhere anything goes\n")
    (point,) = installed_plugins()
    assert f"entry_points.txt has the line {line!r}; expected NAME = MODULE" in point.damage


def test_plugins_are_those_that_the_standard_library_finds() -> None:
    """`importlib.metadata` finds the same names, modules, distributions and versions."""
    points = metadata.entry_points(group="mteval")
    expected = {
        (p.name, p.module, p.attr or "", p.dist.name, p.dist.version) for p in points if p.dist
    }
    assert len(expected) > 1
    assert {(p.name, p.module, p.attribute, *p.dist[:2]) for p in installed_plugins()} == expected


def test_comments_and_other_groups_are_no_plugins(site: Path) -> None:
    points = site / "mteval_x-1.0.dist-info" / "entry_points.txt"
    points.write_text(
        "[console_scripts]\na = b\n[mteval]\n# y = mteval_y\n; z = z\n\nx = mteval_x [all]\n"
        "[mteval.more]\nz = mteval_z\n"
    )
    assert names() == [X]


# Plugins that say what they offer


HOOKS = """
import mteval_core as mt


@mt.hookimpl
def mteval_register_metrics():
    return mt.MetricSpec(
        "late", factory="mteval_late:Late", label="Late score", help="late", values={"late": 1.0},
        aliases={"tardy": "late"},
    )


@mt.hookimpl
def mteval_register_tokenizers():
    return mt.TokenizerSpec("late-words", function="mteval_late:words", help="words")
"""


@pytest.fixture
def late(site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a plugin that lists what it declares."""
    (site / "mteval_x-1.0.dist-info" / "entry_points.txt").unlink()
    points = install(site, "late", "1.0") / "entry_points.txt"
    points.write_text(
        "[mteval]\nlate = mteval_late\n[mteval.metrics]\nlate = mteval_late\n"
        "[mteval.tokenizers]\nlate-words = mteval_late\n"
    )
    (site / "mteval_late.py").write_text(HOOKS)
    monkeypatch.delitem(sys.modules, "mteval_late", raising=False)
    return points


def is_imported() -> bool:
    return "mteval_late" in sys.modules


@pytest.mark.usefixtures("late")
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (MetricSpec, "late"),
        (MetricSpec, "mteval-late/late"),
        (MetricSpec, "Late score"),
        (MetricSpec, "TARDY"),
        (TokenizerSpec, "late-words"),
    ],
)
def test_a_plugin_is_imported_when_something_of_it_is_asked_for(
    kind: type[Declaration], name: str
) -> None:
    registry = load_registry()
    assert registry.find(TokenizerSpec, "13a").plugin.name == "host"
    assert registry.of_kind(CommandSpec)
    assert not is_imported()
    assert registry.find(kind, name).plugin.name == "late"


@pytest.mark.usefixtures("late")
def test_the_metadata_of_a_plugin_that_waits_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, read = [], Path.read_bytes

    def read_seen(file: Path) -> bytes:
        seen.append(file.name)
        return read(file)

    monkeypatch.setattr(Path, "read_bytes", read_seen)
    registry = load_registry()
    assert registry.find(TokenizerSpec, "13a").plugin.name == "host"
    assert "METADATA" not in seen
    assert registry.find(MetricSpec, "late").plugin.version == "1.0"
    assert seen[-1] == "METADATA"


def test_a_plugin_whose_metadata_are_missing_is_reported_when_it_is_asked_for(late: Path) -> None:
    (late.parent / "METADATA").unlink()
    with pytest.raises(PluginError, match="there is no METADATA: install the distribution again"):
        load_registry().find(MetricSpec, "late")


@pytest.mark.usefixtures("late")
@pytest.mark.parametrize(
    "ask",
    [
        lambda registry: registry.plugins[-1].name,
        lambda registry: registry.default_metrics() or "late",
        lambda registry: "" if registry.of_name(MetricSpec, "unknown") else "late",
    ],
)
def test_all_plugins_are_imported_when_all_are_asked_for(ask: Callable[[Registry], str]) -> None:
    assert (ask(load_registry()), is_imported()) == ("late", True)


@pytest.mark.usefixtures("late")
def test_a_plugin_that_is_blocked_is_never_imported() -> None:
    registry = load_registry(blocked=["late"])
    assert (registry.plugins[-1].status, is_imported()) == ("blocked", False)


@pytest.mark.parametrize(
    ("before", "after", "seen"),
    [
        ("late-words = mteval_late\n", "", "'late-words', which its entry points do not list"),
        ("late-words", "other", "'late-words', which its entry points do not list"),
        ("tokenizers]", "tokenizer]", "[project.entry-points.'mteval.tokenizers']"),
        (
            "[mteval.metrics]\n",
            "[mteval.metrics]\nmore = mteval_late\n",
            "lists 'more', which",
        ),
    ],
)
def test_a_list_that_is_not_what_hooks_declare_makes_a_plugin_unusable(
    late: Path, before: str, after: str, seen: str
) -> None:
    late.write_text(late.read_text().replace(before, after))
    *_, plugin = load_registry().plugins
    assert seen in plugin.error


def test_a_list_without_a_plugin_is_reported(late: Path) -> None:
    late.write_text("[mteval.metrics]\nlate = mteval_late\n[mteval.more]\nx = y\n")
    *_, plugin = load_registry().plugins
    assert "has a group [mteval.metrics]; expected [mteval] with the plugin, too" in plugin.error
    late.write_text("[mteval.more]\nx = y\n")
    assert installed_plugins() == []


@pytest.mark.usefixtures("late")
def test_threads_that_ask_at_once_all_get_the_plugin() -> None:
    registry = load_registry()
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda _: registry.find(MetricSpec, "late").plugin.name, range(8))
        assert [*found] == ["late"] * 8
    assert [plugin.name for plugin in registry.plugins] == ["host", "late"]


def test_the_plugins_here_list_what_they_declare() -> None:
    registry = load_registry(strict=True)
    declaring = {plugin.name for plugin in registry.plugins[1:] if registry.of_plugin(plugin)}
    assert declaring == {plugin.name for plugin in installed_plugins() if plugin.offers}
