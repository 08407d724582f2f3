"""Charts of scores: intervals, all pairs, and differences of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.report import Layout
from mteval_core.report.scores import of_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable

SYSTEMS = {"few": ["a"] * 20, "all": ["a b c d"] * 20, "some": ["a b"] * 19 + ["a b c d"]}


class Lost:
    """The share of lost words."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> Any:
        return len(references[0]) - len(hypothesis), len(references[0])

    def score(self, totals: Any) -> Any:
        return totals[..., :1] / totals[..., 1:]


@pytest.fixture(scope="module")
def evaluation(plugin: Callable[..., Any], matches: mt.MetricSpec) -> mt.Evaluation:
    """Systems of different quality under the share of lost words, lower being better."""
    lost = mt.MetricSpec("lost", factory=Lost, help="lost words", values={"L": 100}, better="lower")
    registry = mt.load_registry([plugin(metrics=[lost, matches])])
    return mt.evaluate(SYSTEMS, [["a b c d"] * 20], ["lost"], registry=registry)


def charts(evaluation: mt.Evaluation, layout: Layout | None = None) -> dict[str, Any]:
    """Return the charts of the scores by name."""
    layout = layout or Layout()
    parts = of_evaluation(evaluation, layout).parts(layout)
    return {part.name: part for part in parts if part.kind == "chart"}


def test_all_pairs_are_ordered_by_score(evaluation: mt.Evaluation) -> None:
    (pairs,) = charts(evaluation.compare("ar", all_pairs=True)).values()
    (((panel,),),) = [pairs.panels()]
    assert panel.rows == panel.columns == ["all", "some", "few"]
    assert [[cell.parts[0] for cell in row] for row in panel.cells] == [
        ["", "-47.50", "-75.00"],  # all minus some, 0 - 38 / 80
        ["+47.50", "", "-27.50"],
        ["+75.00", "+27.50", ""],
    ]
    assert {cell.mark for row in panel.cells for cell in row} == {None, "significant"}
    assert panel.shades[0][2] > 0 > panel.shades[2][0]  # blue where the row loses fewer words
    assert max(map(abs, np.nan_to_num(panel.shades).ravel())) < 1
    assert "bold: p < 0.05" in pairs.caption


def test_scores_and_intervals(evaluation: mt.Evaluation) -> None:
    scored = evaluation.confidence(50)
    ((panel,),) = charts(scored)["scores"].panels()
    assert panel.names == ["all", "some", "few"]
    for system, value, ends in zip(panel.names, panel.values, panel.intervals, strict=True):
        interval = scored.intervals[system, "lost"]
        assert value == scored.score(system, "lost").score
        assert ends == (interval.low, interval.high)
    assert [*panel.hollow, *panel.diamonds] == []


def test_what_is_not_significantly_different_is_hollow(evaluation: mt.Evaluation) -> None:
    texts = {"one": SYSTEMS["all"], "same": SYSTEMS["all"], "few": SYSTEMS["few"]}
    registry = evaluation.scorers["lost"].setup.registry
    compared = mt.evaluate(texts, [["a b c d"] * 20], ["lost"], registry=registry).compare("ar")
    chart = charts(compared)["scores"]
    ((panel,),) = chart.panels()
    assert (panel.hollow, panel.diamonds) == (["same"], ["one"])
    assert "different from one (diamond), p < 0.05" in chart.caption


def test_charts_of_intervals_and_pairs(evaluation: mt.Evaluation) -> None:
    both = evaluation.confidence(50).compare("ar", all_pairs=True)
    assert list(charts(both)) == ["scores", "pairs"]
    assert list(charts(evaluation.compare("ar", all_pairs=True))) == ["pairs"]
    assert list(charts(evaluation.compare("ar"))) == ["scores"]


@pytest.mark.parametrize("level", ["segment", "doc"])
def test_differences_of_parts(evaluation: mt.Evaluation, level: Any) -> None:
    scored = mt.evaluate(
        {"some": SYSTEMS["some"], "all": SYSTEMS["all"], "few": SYSTEMS["few"]},
        [["a b c d"] * 20],
        ["lost", "matches"],
        documents=[f"document {i // 2}" for i in range(20)],
        registry=evaluation.scorers["lost"].setup.registry,
    )
    rows = charts(scored, Layout(level))["differences"].panels()
    assert [[panel.up for panel in row] for row in rows] == [["all"] * 2, ["few"] * 2]
    n = {"segment": 20, "doc": 10}[level]
    assert [panel.title.split("\n")[-1] for row in rows for panel in row] == [
        {"segment": "19 better, 1 equal, 0 worse", "doc": "10 better, 0 equal, 0 worse"}[level],
        f"0 better, {n} equal, 0 worse",
        f"0 better, 0 equal, {n} worse",
        f"0 better, {n} equal, 0 worse",
    ]
    assert [len(panel.title.split("\n")) for row in rows for panel in row] == [2, 2, 1, 1]
    heights = rows[0][0].heights
    assert np.all(np.diff(heights) <= 0)
    assert min(heights) == -50
    assert rows[0][0].better == "lower"


def test_one_system_has_no_differences(evaluation: mt.Evaluation) -> None:
    registry = evaluation.scorers["lost"].setup.registry
    alone = mt.evaluate({"A": ["a"]}, [["a b"]], "lost", registry=registry)
    with pytest.raises(mt.UsageError, match="add a second one"):
        charts(alone, Layout("segment"))["differences"].panels()


def test_a_chart_stands_next_to_its_table(evaluation: mt.Evaluation) -> None:
    layout = Layout()
    table, chart = of_evaluation(evaluation, layout).parts(layout)
    assert chart.table is table
