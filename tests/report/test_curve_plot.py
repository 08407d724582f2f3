"""Pictures of length curves: which lines are in which panel."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from mteval_core.metaeval.curves import Point
from mteval_core.report import curve_plot
from mteval_core.report.curve_plot import plot_curves

pytest.importorskip("matplotlib", reason="pictures need matplotlib")

JUDGES = "judge against judge"


def point(metric: str, n_references: int, length: int, mean: float) -> Point:
    correlations = np.array([mean - 0.1, mean + 0.1])
    return Point(
        metric=metric,
        criterion="adequacy",
        n_references=n_references,
        length=length,
        correlations=correlations,
    )


POINTS = [
    *(point(m, n, length, 0.1 * n) for m, n, length in product("ab", (1, 2), (1, 10))),
    *(point("", 0, length, 0.9) for length in (1, 5)),
]


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    drawn: list[Any] = []
    monkeypatch.setattr(curve_plot, "picture", lambda figure, _: drawn.append(figure) or b"")
    return drawn


@pytest.mark.parametrize(
    ("lines", "panels", "names"),
    [
        (
            "metrics",
            ["adequacy, 1 reference, Pearson", "adequacy, 2 references, Pearson"],
            ["a", "b", JUDGES],
        ),
        (
            "references",
            ["adequacy, a, Pearson", "adequacy, b, Pearson"],
            ["1 reference", "2 references", JUDGES],
        ),
    ],
)
def test_lines_and_panels(
    figures: list[Any], lines: Any, panels: list[str], names: list[str]
) -> None:
    plot_curves({"pearson": POINTS}, ".png", lines=lines)
    (figure,) = figures
    assert [f"{axes.get_title()}, Pearson" for axes in figure.axes] == panels
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == names
    assert figure.axes[0].get_ylabel() == "mean Pearson over systems"
    for axes in figure.axes:
        assert axes.get_legend_handles_labels()[1] == names
        assert axes.get_ylim() == figure.axes[0].get_ylim()
        assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "5", "10"]


def test_coefficients_in_one_set_of_axes(figures: list[Any]) -> None:
    curves = {"pearson": POINTS, "kendall": POINTS}
    plot_curves(curves, ".png", lines="coefficients")
    (figure,) = figures
    assert [axes.get_title() for axes in figure.axes] == [
        "adequacy, a, 1 reference",
        "adequacy, a, 2 references",
        "adequacy, b, 1 reference",
        "adequacy, b, 2 references",
        f"adequacy, {JUDGES}",
    ]
    for axes in figure.axes:
        assert axes.get_legend_handles_labels()[1] == ["Pearson", "Kendall"]
        assert axes.get_ylim() == figure.axes[0].get_ylim()
    assert figure.axes[0].get_ylabel() == "mean correlation over systems"


def test_several_coefficients_have_panels_of_their_own(figures: list[Any]) -> None:
    plot_curves({"pearson": POINTS[:4], "kendall": POINTS[:4]}, ".png", lines="references")
    titles = [axes.get_title() for axes in figures[0].axes]
    assert titles == ["adequacy, a, Pearson", "adequacy, a, Kendall"]


def test_means_and_intervals(figures: list[Any]) -> None:
    plot_curves({"pearson": POINTS}, ".png", lines="references")
    container = figures[0].axes[0].containers[1]
    assert container.get_label() == "2 references"
    assert container.lines[0].get_ydata().tolist() == pytest.approx([0.2, 0.2])
    (bars,) = container.lines[2]
    low, high = bars.get_segments()[0][:, 1]
    assert high - low == pytest.approx(2 * 1.96 * 0.1)  # standard error of -0.1 and 0.1 is 0.1
