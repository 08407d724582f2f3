"""Charts of length curves: which lines are in which panel."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from mteval_metaeval.curves import Point
from mteval_metaeval.reports.curve_charts import curve_panels

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


@pytest.mark.parametrize(
    ("lines", "panels", "names"),
    [
        (
            "metrics",
            ["adequacy, 1 reference", "adequacy, 2 references"],
            ["a", "b", JUDGES],
        ),
        (
            "references",
            ["adequacy, a", "adequacy, b"],
            ["1 reference", "2 references", JUDGES],
        ),
    ],
)
def test_lines_and_panels(lines: Any, panels: list[str], names: list[str]) -> None:
    (row,) = curve_panels({"pearson": POINTS}, lines=[lines])
    assert [panel.title for panel in row] == panels
    for panel in row:
        assert [line.name for line in panel.lines] == names
        assert [line.is_yardstick for line in panel.lines] == [False, False, True]
        assert panel.up == "mean Pearson over systems"
        assert panel.across == "segments in a pseudo-document"
    assert [line.x for line in row[0].lines] == [[1, 10], [1, 10], [1, 5]]


def test_coefficients_in_one_set_of_axes() -> None:
    curves = {"pearson": POINTS, "kendall": POINTS}
    (row,) = curve_panels(curves, lines=["coefficients"], over="systems and references")
    assert [panel.title for panel in row] == [
        "adequacy, a, 1 reference",
        "adequacy, a, 2 references",
        "adequacy, b, 1 reference",
        "adequacy, b, 2 references",
        f"adequacy, {JUDGES}",
    ]
    for panel in row:
        assert [line.name for line in panel.lines] == ["Pearson", "Kendall"]
        assert panel.up == "mean correlation over systems and references"


def test_several_coefficients_have_panels_of_their_own() -> None:
    curves = {"pearson": POINTS[:4], "kendall": POINTS[:4]}
    (row,) = curve_panels(curves, lines=["references"])
    assert [panel.title for panel in row] == ["adequacy, a, Pearson", "adequacy, a, Kendall"]


def test_means_and_intervals() -> None:
    ((first, _),) = curve_panels({"pearson": POINTS}, lines=["references"])
    assert first.lines[1].name == "2 references"
    assert first.lines[1].y == pytest.approx([0.2, 0.2])
    # The standard error of 0.1 and 0.3 is 0.1.
    assert first.lines[1].errors == pytest.approx([1.96 * 0.1] * 2)


def test_criteria_are_rows() -> None:
    both = [*POINTS, *(replace(one, criterion="fluency") for one in POINTS)]
    rows = curve_panels({"pearson": both})
    assert [[panel.title for panel in row] for row in rows] == [
        ["adequacy, 1 reference", "adequacy, 2 references"],
        ["fluency, 1 reference", "fluency, 2 references"],
    ]


def test_metrics_coefficients_and_references_in_one_set_of_axes() -> None:
    curves = {"pearson": POINTS, "kendall": POINTS}
    ((panel,),) = curve_panels(curves, lines=["metrics", "references", "coefficients"])
    assert panel.title == "adequacy"
    ends = [f"{m}, {n}" for m in "ab" for n in ("1 reference", "2 references")] + [JUDGES]
    names = [f"{end}, {name}" for name in ("Pearson", "Kendall") for end in ends]
    assert [line.name for line in panel.lines] == names
    assert [line.is_yardstick for line in panel.lines] == [JUDGES in name for name in names]


def test_metrics_and_references_in_one_set_of_axes() -> None:
    ((panel,),) = curve_panels({"spearman": POINTS}, lines=["metrics", "references"])
    lines = [f"{m}, {n}" for m in "ab" for n in ("1 reference", "2 references")]
    assert [line.name for line in panel.lines] == [*lines, JUDGES]
    assert panel.up == "mean Spearman over systems"
