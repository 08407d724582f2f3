"""Length curves as charts: which lines are in which panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from mteval_core.report.charts import Line, Lines
from mteval_metaeval.reports.findings import COEFFICIENTS, line_label
from mteval_metaeval.reports.numbers import UNITS, count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_metaeval.curves import Point

__all__ = ["CAPTION", "LineChoice", "curve_panels"]

LineChoice = Literal["metrics", "references", "coefficients"]

CAPTION = "bars: 95% interval of the mean"

NORMAL = 1.96
"""Standard errors from the mean to the ends of its interval."""


def curve_panels(
    curves: Mapping[str, Sequence[Point]],
    unit: str = "segment",
    *,
    lines: Sequence[LineChoice] = ("metrics",),
    over: str = "systems",
) -> list[list[Lines]]:
    """Show correlation by one or more coefficients against document length.

    Parameters
    ----------
    curves : mapping of str to sequence of Point
        Points of metrics and judges by the name of their coefficient.
    unit : {"segment", "doc"}
        What documents are made of.
    lines : sequence of {"metrics", "references", "coefficients"}
        In what the lines of a panel differ; the panels of a row differ in everything else.
    over : str
        What the coefficients are over.

    Returns
    -------
    list of list of Lines
        One row of panels per criterion. Bars show the 95% interval of the mean.
    """
    places = [
        _place(coefficient if len(curves) > 1 else "", point, lines)
        for coefficient, of in curves.items()
        for point in of
    ]
    criteria = list(dict.fromkeys(place.criterion for place in places))
    columns = list(dict.fromkeys(place.column for place in places if place.column)) or [""]
    names = list(dict.fromkeys(place.line for place in places))

    def panel(criterion: str, column: str) -> Lines:
        here = [p for p in places if p.criterion == criterion and p.column in (column, "")]
        made = [_line(name, [p.point for p in here if p.line == name]) for name in names]
        return Lines(
            ", ".join(filter(None, (criterion, column))),
            f"{UNITS[unit]}s in a pseudo-document",
            _up(list(curves), over),
            lines=[line for line in made if line.x],
            is_logarithmic=True,
        )

    return [[panel(criterion, column) for column in columns] for criterion in criteria]


class Place(NamedTuple):
    """Where a point is drawn: its panel, and the name of its line."""

    criterion: str
    column: str
    line: str
    point: Point


def _place(coefficient: str, point: Point, lines: Sequence[LineChoice]) -> Place:
    """Say where a point is drawn; the points of judges are in every panel, but for coefficients."""
    parts: dict[LineChoice, str] = {
        "metrics": line_label(point.metric, point.set),
        "references": count(point.n_references, "reference"),
        "coefficients": COEFFICIENTS.get(coefficient, ""),
    }
    if not point.metric:
        parts["references"] = ""
        if "metrics" not in lines and "coefficients" not in lines:
            return Place(point.criterion, "", parts["metrics"], point)
    line = ", ".join(part for key, part in parts.items() if part and key in lines)
    column = ", ".join(part for key, part in parts.items() if part and key not in lines)
    return Place(point.criterion, column, line, point)


def _line(name: str, points: Sequence[Point]) -> Line:
    return Line(
        name,
        [point.length for point in points],
        [point.mean for point in points],
        [NORMAL * point.standard_error for point in points],
        is_yardstick=name.startswith(line_label("", "")),
    )


def _up(coefficients: Sequence[str], over: str) -> str:
    """Name the coefficient, if there is only one."""
    name = COEFFICIENTS[coefficients[0]] if len(coefficients) == 1 else "correlation"
    return f"mean {name} over {over}"
