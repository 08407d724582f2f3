"""Pictures of scores: intervals, all pairs, and differences of segments."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.report import Layout, score_plots
from mteval_core.report.score_plots import draw_scores, png, svg
from mteval_core.report.scores import of_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("matplotlib", reason="pictures need matplotlib")

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


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Draw scores, and return the figure."""
    figures: list[Any] = []

    def keep(figure: Any, _kind: str) -> bytes:
        figures.append(figure)
        return b""

    def draw(evaluation: mt.Evaluation, layout: Layout | None = None) -> Any:
        draw_scores(evaluation, layout or Layout(), "png")
        return figures.pop()

    monkeypatch.setattr(score_plots, "picture", keep)
    return draw


def labels(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_yticklabels()]


def test_all_pairs_are_ordered_by_score(
    evaluation: mt.Evaluation, drawn: Callable[..., Any]
) -> None:
    (axes,) = drawn(evaluation.compare("ar", all_pairs=True)).axes
    assert labels(axes) == ["all", "some", "few"]
    cells = {text.get_position(): text for text in axes.texts}
    shown = {
        (1, 0): "-47.50",  # all minus some, 0 - 38 / 80
        (2, 0): "-75.00",
        (0, 1): "+47.50",
        (2, 1): "-27.50",
        (0, 2): "+75.00",
        (1, 2): "+27.50",
    }
    assert {place: cell.get_text() for place, cell in cells.items()} == shown
    assert {cell.get_fontweight() for cell in cells.values()} == {"bold"}
    shades = axes.images[0].get_array()
    assert shades[0, 2] > 0 > shades[2, 0]  # blue where the row loses fewer words


def test_scores_and_intervals(evaluation: mt.Evaluation, drawn: Callable[..., Any]) -> None:
    scored = evaluation.confidence(50)
    (axes,) = drawn(scored).axes
    assert labels(axes) == ["all", "some", "few"]
    dots = {line.get_ydata()[0]: line for line in axes.lines if len(line.get_xdata()) == 1}
    bars = {line.get_ydata()[0]: line for line in axes.lines if len(line.get_xdata()) == 2}
    for place, system in enumerate(labels(axes)):
        interval = scored.intervals[system, "lost"]
        assert dots[place].get_xdata()[0] == scored.score(system, "lost").score
        assert list(bars[place].get_xdata()) == [interval.low, interval.high]
        assert dots[place].get_markerfacecolor() != "white"
    assert axes.get_ylim() == (2.5, -0.5)


def test_a_hollow_dot_is_not_significantly_different(
    evaluation: mt.Evaluation, drawn: Callable[..., Any]
) -> None:
    texts = {"one": SYSTEMS["all"], "same": SYSTEMS["all"], "few": SYSTEMS["few"]}
    registry = evaluation.scorers["lost"].setup.registry
    compared = mt.evaluate(texts, [["a b c d"] * 20], ["lost"], registry=registry).compare("ar")
    figure = drawn(compared)
    dots = {line.get_ydata()[0]: line for line in figure.axes[0].lines}
    hollow = {
        name: dots[place].get_markerfacecolor() == "white"
        for place, name in enumerate(labels(figure.axes[0]))
    }
    assert hollow == {"one": False, "same": True, "few": False}
    assert [dots[place].get_marker() for place in range(3)] == ["D", "o", "o"]
    assert "different from one (diamond), p < 0.05" in figure.get_supxlabel()


def test_intervals_and_pairs_are_one_picture(
    evaluation: mt.Evaluation, drawn: Callable[..., Any]
) -> None:
    figure = drawn(evaluation.confidence(50).compare("ar", all_pairs=True))
    above, below = figure.subfigs
    assert len(above.axes[0].lines) == 6
    assert len(below.axes[0].texts) == 6


@pytest.mark.parametrize("level", ["segment", "doc"])
def test_differences_of_parts(
    evaluation: mt.Evaluation, drawn: Callable[..., Any], level: Any
) -> None:
    registry = evaluation.scorers["lost"].setup.registry
    documents = [f"document {i // 2}" for i in range(20)]
    scored = mt.evaluate(
        {"some": SYSTEMS["some"], "all": SYSTEMS["all"], "few": SYSTEMS["few"]},
        [["a b c d"] * 20],
        ["lost", "matches"],
        documents=documents,
        registry=registry,
    )
    figure = drawn(scored, Layout(level))
    names = [axes.get_ylabel() for axes in figure.axes]
    assert names == ["all", "", "few", ""]
    n = {"segment": 20, "doc": 10}[level]
    titles = [axes.get_title().split("\n")[-1] for axes in figure.axes]
    assert titles == [
        {"segment": "19 better, 1 equal, 0 worse", "doc": "10 better, 0 equal, 0 worse"}[level],
        f"0 better, {n} equal, 0 worse",
        f"0 better, 0 equal, {n} worse",
        f"0 better, {n} equal, 0 worse",
    ]
    better, worse = (stairs.get_data().values for stairs in figure.axes[0].patches)
    assert np.all(np.diff(better) <= 0)
    assert better.min() == -50
    assert not worse.any()


def test_the_labels_of_thirteen_systems_do_not_overlap(
    evaluation: mt.Evaluation, drawn: Callable[..., Any]
) -> None:
    texts = {f"a system, number {k}": ["a b c d"[: 1 + k % 7]] * 20 for k in range(13)}
    registry = evaluation.scorers["lost"].setup.registry
    scored = mt.evaluate(texts, [["a b c d"] * 20], ["lost", "matches"], registry=registry)
    figure = drawn(scored)
    figure.draw_without_rendering()
    boxes = [
        text.get_window_extent()
        for axes in figure.axes
        for text in (*axes.get_yticklabels(), axes.title, *axes.get_xticklabels())
        if text.get_text()
    ]
    assert len(boxes) > 13 + 2
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_the_same_scores_give_the_same_bytes(evaluation: mt.Evaluation) -> None:
    report = of_evaluation(evaluation.compare("ar", all_pairs=True), Layout())
    picture = svg(report, Layout()).decode()
    for words in ("lost ↓", "all", "few", "-75.00", "Blue: the row is better"):
        assert words in picture
    assert svg(report, Layout()).decode() == picture
    assert "dc:date" not in picture
    assert png(report, Layout()).startswith(b"\x89PNG")


def test_what_cannot_be_drawn(evaluation: mt.Evaluation) -> None:
    one = mt.evaluate({"all": SYSTEMS["all"]}, [["a b c d"] * 20], [evaluation.scorers["lost"]])
    with pytest.raises(mt.UsageError, match="shows differences of systems: add a second one"):
        png(of_evaluation(one, Layout("segment")), Layout("segment"))
