"""Plugins that print, wait, change the process or take names disturb nobody else."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.plugins import clashes
from mteval_core.plugin import loading

if TYPE_CHECKING:
    from collections.abc import Callable

SCORE = ["score", "ref", "-i", "sys", "-m", "moving", "-b"]

METRIC = """
import os
import mteval_core as mt

class Moving:
    def segment_statistics(self, hypothesis, references):
        os.chdir("/")
        return [1]

    def score(self, totals):
        return totals / totals

@mt.hookimpl
def mteval_register_metrics():
    return [mt.MetricSpec("moving", factory=Moving, values={"n": 1})]
"""

NUMBERS = count()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with two texts."""
    for name in ("ref", "sys"):
        (tmp_path / name).write_text("a b\n", "utf-8")
    return tmp_path


def write(folder: Path, *lines: str) -> str:
    path = folder / f"rude{next(NUMBERS)}.py"  # a process loads a module of one name once
    path.write_text("\n".join([*lines, METRIC]), "utf-8")
    return str(path)


def test_an_import_cannot_print_into_the_table(folder: Path, mteval: Callable[..., Any]) -> None:
    path = write(folder, "import os", "os.write(1, b'NOISE')", "print('MORE')")
    done = mteval("-p", path, *SCORE, cwd=folder)
    assert (done.code, done.out) == (0, "1.00\n")
    assert "NOISE" in done.err
    assert "MORE" in done.err


def test_an_import_cannot_change_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    lines = ["import os", "os.environ['COLUMNS'] = '7'", "os.environ['MTEVAL_RUDE'] = '1'"]
    registry = mt.load_registry([], files=[write(folder, *lines)])
    assert registry.of_name(mt.MetricSpec, "moving")
    assert (os.environ["COLUMNS"], "MTEVAL_RUDE" in os.environ) == ("90", False)


def test_a_thread_that_does_not_end_does_not_hold_the_process(
    folder: Path, mteval: Callable[..., Any]
) -> None:
    line = "import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()"
    start = perf_counter()
    done = mteval("-p", write(folder, line), *SCORE, cwd=folder)
    assert (done.code, done.out) == (0, "1.00\n")
    assert perf_counter() - start < 45


def test_a_plugin_that_everybody_waits_for_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(loading, "SLOW", 0.05)
    path = write(folder, "import time", "time.sleep(0.5)")
    mt.load_registry([], files=[path])
    err = capsys.readouterr().err
    assert err.startswith(f"mteval: still loading the plugin {Path(path).stem!r} in {path}\n")
    mt.load_registry([], files=[write(folder)])
    assert capsys.readouterr().err == ""


def test_a_hook_declares_a_thousand_things_at_most(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    many = [replace(matches, name=f"m{k}", label=f"M{k}") for k in range(1001)]
    with pytest.raises(mt.PluginError, match="at most 1,000 declarations, got 1,001"):
        mt.load_registry([plugin("rude", metrics=many)], strict=True)
    assert len(mt.load_registry([plugin(metrics=many[1:])]).of_kind(mt.MetricSpec)) == 1000


def test_a_metric_that_changes_the_folder_does_not_move_the_output(
    folder: Path, mteval: Callable[..., Any]
) -> None:
    done = mteval("-p", write(folder), *SCORE[:-1], "-o", "out.csv", cwd=folder)
    assert (done.code, done.err) == (0, "")
    assert (folder / "out.csv").exists()


def test_the_plugin_that_is_known_for_a_name_keeps_it(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    """The catalogue says that BLEU is in mteval-bleu-nist."""
    bleu = replace(matches, name="bleu", label="BLEU", in_default_set=True)
    registry = mt.load_registry(
        [plugin("rude", metrics=[bleu]), plugin("bleu-nist", metrics=[bleu])]
    )
    found = registry.find(mt.MetricSpec, "bleu")
    assert found.plugin.distribution == "mteval-bleu-nist"
    assert registry.find(mt.MetricSpec, "mteval-rude/bleu").plugin.distribution == "mteval-rude"
    assert registry.default_metrics() == ["bleu", "mteval-rude/bleu"]
    (clash, *_) = clashes(registry)
    assert [*clash.sentences()] == [
        "metric 'bleu' of mteval-rude is hidden by that of mteval-bleu-nist: choose "
        "mteval-rude/bleu"
    ]
    assert mt.metric("bleu", registry=registry).spec.distribution is None
    strangers = mt.load_registry([plugin(name, metrics=[bleu]) for name in ("a", "b")])
    with pytest.raises(mt.PluginError, match="bleu"):
        strangers.find(mt.MetricSpec, "bleu")
