"""P-values of pairs of metrics as a matrix."""

from __future__ import annotations

from typing import Any

import pytest

from mteval_core.metaeval.ranking import Ranking
from mteval_core.report import p_values
from mteval_core.report.p_values import plot_p_values

pytest.importorskip("matplotlib", reason="pictures need matplotlib")


class Pair:
    """A comparison of two metrics."""

    def __init__(self, better: str, worse: str, p_value: float) -> None:
        self.better, self.worse, self.p_value = better, worse, p_value


PAIRS = (
    Pair("$a$", "b", 0.2),
    Pair("$a$", "c", 0.001),
    Pair("b", "c", 0.05),
    Pair("c", "d", float("nan")),
)
RANKING = Ranking(
    criterion="adequacy",
    coefficient="pearson",
    grouping="",
    test="williams",
    alternative="greater",
    correction="holm",
    metrics=("$a$", "b", "c", "d"),
    values=(0.875, 0.5, -0.25, float("nan")),
    ranks=(1, 1, 2, None),
    comparisons=PAIRS,  # type: ignore[arg-type] # only these fields are drawn
)


def test_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    figures: list[Any] = []
    monkeypatch.setattr(p_values, "picture", lambda figure, _: figures.append(figure) or b"")
    plot_p_values([RANKING, RANKING], ".png")
    (figure,) = figures
    assert len(figure.axes) == 2
    assert figure.get_supxlabel().endswith("of the column; bold: at most 0.05")
    axes = figure.axes[0]
    assert axes.get_title() == "adequacy, Pearson"
    rows = [text.get_text() for text in axes.get_yticklabels()]
    assert rows == [r"\$a\$  0.88", "b  0.50", "c  -0.25", "d  –"]
    cells = {
        text.get_position()[::-1]: (text.get_text(), text.get_fontweight()) for text in axes.texts
    }
    assert cells == {
        (0, 1): ("0.200", "normal"),
        (0, 2): ("0.001", "bold"),
        (1, 2): ("0.050", "bold"),
        (2, 3): ("–", "normal"),
    }
    shaded = axes.images[0].get_array().filled(0) > 0
    assert [tuple(place) for place in zip(*shaded.nonzero(), strict=True)] == [(0, 2), (1, 2)]


def test_the_same_ranking_gives_the_same_bytes() -> None:
    pictures = [plot_p_values([RANKING], ".svg") for _ in range(2)]
    assert pictures[0] == pictures[1]
    assert b">$a$<" in pictures[0]
