"""Heat maps of all pairs of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.report import Layout
from mteval_core.report.heatmap import png, svg
from mteval_core.report.scores import of_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("matplotlib", reason="heat maps need matplotlib")


@pytest.fixture
def evaluation(plugin: Callable[..., Any]) -> mt.Evaluation:
    """Systems of falling quality under the share of lost words, lower being better."""

    class Lost:
        def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> Any:
            return len(references[0]) - len(hypothesis), len(references[0])

        def score(self, totals: Any) -> Any:
            return totals[..., :1] / totals[..., 1:]

    lost = mt.MetricSpec("lost", factory=Lost, help="lost words", values={"L": 100}, better="lower")
    return mt.evaluate(
        {"all": ["a b c d"] * 20, "some": ["a b"] * 20, "few": ["a"] * 20},
        [["a b c d"] * 20],
        ["lost"],
        registry=mt.load_registry([plugin(metrics=[lost])]),
    )


def test_what_it_shows(evaluation: mt.Evaluation) -> None:
    report = of_evaluation(evaluation.compare("ar", all_pairs=True), Layout())
    picture = svg(report, Layout()).decode()
    for words in ("lost ↓", "all", "few", "-50.00", "+75.00", "+25.00"):
        assert words in picture
    assert "Blue: the row is better" in picture
    assert svg(report, Layout()) == svg(report, Layout())
    assert png(report, Layout()).startswith(b"\x89PNG")


def test_needs_comparisons(evaluation: mt.Evaluation) -> None:
    with pytest.raises(
        mt.UsageError, match="shows comparisons of systems: mteval score --all-pairs"
    ):
        png(of_evaluation(evaluation, Layout()), Layout())
