"""Segments that a metric could not score: ``mteval explain`` says so, and goes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from mteval_testing import run_command

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., str]

PLUGIN = """
import math
import mteval_core as mt


class Judge:
    def statistics(self, texts):
        return [[math.nan if text == "?" else len(text)] for text in texts.hypotheses]

    def explain(self, texts):
        (row,) = self.statistics(texts)
        words, term = tuple(texts.hypotheses), mt.Term("letters", *row)
        return mt.Explanation(words, (), (), (term,), ("letters",))


class Marker:
    statistics = Judge.statistics

    def marks(self, texts):
        return [[mt.Mark("hypothesis", 0, 1, "minor")] * (t != "?") for t in texts.hypotheses]


def declared(name, factory):
    return mt.MetricSpec(name, factory=factory, help=name, views={"texts": mt.View(raw=True)},
                         references="none", values={"score": 1}, may_miss=True, bounds=(0, 9))


@mt.hookimpl
def mteval_register_metrics():
    return [declared("judge", Judge), declared("marker", Marker)]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("missing")
    plugin = ("-p", str(folder / "judges_of_tests.py"))
    (folder / "judges_of_tests.py").write_text(PLUGIN)
    for name, lines in {"a": ["four", "?"], "b": ["fives", "six"]}.items():
        (folder / name).write_text("\n".join([*lines, *["seven"] * 18, ""]))
    systems = [str(folder / name) for name in "ab"]

    def command(*words: str) -> str:
        code, out, err = run_command(*plugin, "explain", "-i", *systems, "-q", *words)
        assert (code, err) == (0, "")
        return out

    return command


@pytest.mark.parametrize("metric", ["judge", "marker"])
def test_a_line_of_json_says_that_there_is_no_score(run: Run, metric: str) -> None:
    lines = [json.loads(x) for x in run("-m", metric, "--all", "-f", "jsonl").splitlines()]
    assert [x["values"]["score"] for x in lines[:4]] == [4, 5, None, 3]
    assert [x["remarks"] for x in lines[1:4]] == [
        [], ["the metric has no score of this segment"], []
    ]  # fmt: skip
    assert lines[2]["texts"][0]["text"] == "?"
    assert len(lines) == 40


@pytest.mark.parametrize("metric", ["judge", "judge:missing=worst", "marker"])
def test_every_picture_says_so(run: Run, metric: str) -> None:
    pytest.importorskip("mteval_html_report")
    pytest.importorskip("mteval_figures")
    for form in ("text", "html"):
        assert run("-m", metric, "--segment", "1", "-f", form).count("no score of this") == 1
    picture = run("-m", metric, "--segment", "1", "-f", "svg")
    assert "coverage 0.00" in picture
    assert "nan" not in picture
    if metric != "marker":
        assert "no score of this" in run("-m", metric, "--segment", "1", "-f", "markdown")


def test_segments_without_a_score_have_no_rank(run: Run) -> None:
    assert "segment 1," not in run("-m", "judge", "--worst", "20")
    assert run("-m", "judge", "--worse", "a", "b").count("a, segment") == 1


def test_tables_have_a_dash(run: Run) -> None:
    rows = run("-m", "judge", "--segment", "1").splitlines()
    assert rows[3].split()[:4] == ["1", "–", "3.00", "–"]
