"""``mteval plugins`` and ``mteval list`` where much is installed, and not all of it works."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.plugins import clashes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOUND = """
import mteval_core

@mteval_core.hookimpl
def mteval_register_metrics():
    return [mteval_core.MetricSpec(
        "dummy{i:02}", factory="nowhere:Class", help="a dummy", values={{"x": 1}})]
"""

BROKEN = {
    7: ("import java\n", "the module 'java'"),
    11: ("def mteval_register_metrics(): return []\n", "add @mteval_core.hookimpl"),
    23: (SOUND.format(i=23) + "mteval_api = 99\n", "written for API level 99"),
}


@pytest.fixture(scope="module")
def thirty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install thirty plugins, three of them broken, in an order that is not theirs."""
    folder = tmp_path_factory.mktemp("thirty")
    for i in reversed(range(30)):
        code, _ = BROKEN.get(i, (SOUND.format(i=i), ""))
        (folder / f"mteval_dummy{i:02}.py").write_text(code, encoding="utf-8")
        information = folder / f"mteval_dummy{i:02}-1.{i}.dist-info"
        information.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: mteval-dummy{i:02}\nVersion: 1.{i}\n"
        (information / "METADATA").write_text(metadata, encoding="utf-8")
        points = f"[mteval]\ndummy{i:02} = mteval_dummy{i:02}\n"
        (information / "entry_points.txt").write_text(points, encoding="utf-8")
    return folder


def test_thirty_plugins(mteval: Callable[..., Any], thirty: Path) -> None:
    env = {"PYTHONPATH": str(thirty)}
    done = mteval("plugins", "--json", env=env)
    assert (done.code, done.err) == (0, "")
    plugins = json.loads(done.out)
    assert plugins[0]["name"] == "host"
    order = [(plugin["distribution"], plugin["name"]) for plugin in plugins[1:]]
    assert order == sorted(order)
    ours = [plugin for plugin in plugins if "dummy" in plugin["name"]]
    assert len(ours) == 30
    for i, plugin in enumerate(ours):
        assert plugin["status"] == ("broken" if i in BROKEN else "ok")
        assert plugin["registers"] == ({} if i in BROKEN else {"metrics": [f"dummy{i:02}"]})
        assert 0 <= plugin["seconds"] < 1
        if i in BROKEN:
            assert BROKEN[i][1] in f"{plugin['error']} {plugin['advice']}"
    listed = mteval("list", "metrics", "--json", env=env)
    metrics = [metric["name"] for metric in json.loads(listed.out)["metrics"]]
    assert metrics == sorted(metrics)
    assert sum(name.startswith("dummy") for name in metrics) == 27
    requirements = mteval("plugins", "--requirements", env=env).out.splitlines()
    assert requirements == sorted(requirements)
    assert {f"mteval-core=={mt.__version__}", "mteval-dummy00==1.0"} <= set(requirements)
    assert "# mteval-dummy07==1.7 is broken" in requirements


def test_a_name_that_two_claim(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    registry = mt.load_registry(
        [plugin("one", metrics=[matches]), plugin("two", metrics=[matches])]
    )
    (clash,) = clashes(registry)
    (sentence,) = clash.sentences()
    assert sentence.startswith("metric 'matches' ")
    assert sentence.endswith(": choose mteval-one/matches or mteval-two/matches")


@pytest.mark.parametrize(
    ("stated", "status", "error"),
    [
        ("", "ok", ""),
        ("mteval_api = 1", "ok", ""),
        ("mteval_api = (1, 2)", "ok", ""),
        (
            "mteval_api = (2, 3)",
            "broken",
            f"written for API level 2 and 3, but mteval-core {mt.__version__} has level 1: "
            "install a newer version of mteval-core",
        ),
        (
            "mteval_api = 2",
            "broken",
            f"written for API level 2, but mteval-core {mt.__version__} has level 1: "
            "install a newer version of mteval-core",
        ),
        (
            "mteval_api = 0",
            "broken",
            f"written for API level 0, but mteval-core {mt.__version__} has level 1: "
            "install a newer version of the plugin",
        ),
        *(
            (
                f"mteval_api = {value}",
                "broken",
                f"mteval_api is {value}; expected a whole number, mteval_api = 1",
            )
            for value in ("'1'", "True", "1.0", "None", "()", "(1, None)")
        ),
    ],
)
def test_the_api_level_of_a_plugin(
    plugin: Callable[..., Any], matches: mt.MetricSpec, stated: str, status: str, error: str
) -> None:
    stating = plugin("stating", metrics=[matches])
    exec(stated, vars(stating.load()))
    registry = mt.load_registry([stating, plugin("other", metrics=[replace(matches, name="x")])])
    _, other, found = registry.plugins
    assert (found.status, found.error, found.api) == (status, error, 1 if status == "ok" else None)
    assert (other.status, other.api) == ("ok", mt.API)
    if error:
        with pytest.raises(mt.PluginError, match=re.escape(error)):
            mt.metric("matches", registry=registry)


def test_a_file_has_no_requirement(mteval: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "a_plugin.py"
    path.write_text(SOUND.format(i=1), encoding="utf-8")
    out = mteval("-p", path, "plugins", "--requirements").out
    assert "# file-" in out
    assert "(a_plugin.py): cannot be installed by name" in out
