"""The panels of charts, as data: dots, heat maps, bars, scatter plots and lines.

Titles and labels are plain text. What a writer draws them with, and how large, is up to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from mteval_core.report.grid import Cell

__all__ = ["Bars", "Dots", "HeatMap", "Line", "Lines", "Scatter"]


class Dots(NamedTuple):
    """Numbers with their intervals: a row for each name, from the top.

    Parameters
    ----------
    title : str
        What the numbers are.
    names : sequence of str
        The rows. Panels next to each other have the same.
    values : sequence of float
        The numbers.
    intervals : sequence of ((float, float) or None)
        Their intervals; empty if there are none.
    hollow : collection of str
        Names of rows with a hollow dot.
    diamonds : collection of str
        Names of rows with a diamond in place of a dot.
    """

    title: str
    names: Sequence[str]
    values: Sequence[float]
    intervals: Sequence[tuple[float, float] | None] = ()
    hollow: Collection[str] = ()
    diamonds: Collection[str] = ()


class HeatMap(NamedTuple):
    """A table whose cells are shaded.

    Parameters
    ----------
    title : str
        What the cells are.
    rows, columns : sequence of str
        Names of the rows, from the top, and of the columns.
    cells : sequence of sequence of Cell
        The cells of each row. Significant numbers are bold.
    shades : sequence of sequence of float
        The shade of each cell, from -1 (red) over 0 (white) to 1 (blue); NaN for none.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Cell]]
    shades: Sequence[Sequence[float]]


class Bars(NamedTuple):
    """Bars next to each other, without names. Panels below each other have one scale.

    Parameters
    ----------
    title : str
        What the bars are.
    heights : sequence of float
        The bars, from the left.
    better : {"higher", "lower"}
        Whether bars above or below zero have the colour of what is better.
    up : str
        Label of the axis.
    """

    title: str
    heights: Sequence[float]
    better: Literal["higher", "lower"] = "higher"
    up: str = ""


class Scatter(NamedTuple):
    """Points. The area of a dot is proportional to the number of points at its place.

    Parameters
    ----------
    title : str
        What the panel shows, such as ``BLEU, r = 0.91``.
    across, up : str
        Labels of the axes.
    x, y : sequence of float
        The points. Points with a number that is not finite are left out.
    names : sequence of str
        A label for each point; empty for points without labels.
    guide : {"none", "signs", "diagonal"}
        ``signs``: both axes cross at zero, and the quadrants where the signs differ are shaded.
        ``diagonal``: both axes have one scale, with a line where the two numbers are equal.
    """

    title: str
    across: str
    up: str
    x: Sequence[float]
    y: Sequence[float]
    names: Sequence[str] = ()
    guide: Literal["none", "signs", "diagonal"] = "none"


class Line(NamedTuple):
    """A line of a panel.

    Parameters
    ----------
    name : str
        Its name in the legend. Lines of the same name look the same in all panels.
    x, y : sequence of float
        The points.
    errors : sequence of float
        Half the length of the error bar of each point; empty for none.
    is_yardstick : bool
        Whether it is not one of the lines that are compared, but what they are compared with.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    errors: Sequence[float] = ()
    is_yardstick: bool = False


class Lines(NamedTuple):
    """Lines over one axis. All panels of a chart have the same axes and one legend.

    Parameters
    ----------
    title : str
        What the panel shows.
    across, up : str
        Labels of the axes.
    lines : sequence of Line
        The lines.
    is_logarithmic : bool
        Whether the axis across is logarithmic.
    """

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    is_logarithmic: bool = False


Panel: TypeAlias = Dots | HeatMap | Bars | Scatter | Lines
