"""Scatter plots by matplotlib: systems, pairs of systems, and judgments of two judges."""

from __future__ import annotations

from math import ceil, cos, sin
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from mteval_core.report.plots import COLOURS, as_label, new_figure, picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["Scatter", "ScatterKind", "plot_scatter"]

ScatterKind = Literal["systems", "pairs", "judges"]

PANELS_ACROSS = 3

AREA = 16.0
"""Area of a dot in square points. Points at the same place are one dot, as large as all of them."""

RINGS = np.arange(6, 300, 8)
"""Distances from a dot, in pixels, at which there may be room for its label."""

DIRECTIONS = np.array([0, 180, 90, 270, *range(15, 360, 15)])
"""Directions from a dot, in degrees, in which its label is tried, the best first."""

LARGEST = 300.0
"""Area of the largest dot of a panel; all dots shrink if one would be larger."""


class Scatter(NamedTuple):
    """One panel of a scatter plot.

    Parameters
    ----------
    title : str
        What the panel shows, such as ``BLEU, r = 0.91``.
    axes : (str, str)
        What is across, and what is up.
    x, y : ndarray of float64, shape (n,)
        The points. Points with a number that is not finite are left out.
    names : sequence of str
        A label for each point; empty for points without labels.
    """

    title: str
    axes: tuple[str, str]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    names: Sequence[str] = ()


def plot_scatter(
    panels: Sequence[Scatter], kind: ScatterKind, ending: str, caption: str = ""
) -> bytes:
    """Draw points, panel by panel.

    Parameters
    ----------
    panels : sequence of Scatter
        At least one.
    kind : {"systems", "pairs", "judges"}
        ``systems``: scores of systems. ``pairs``: differences of pairs of systems, or of other
        pairs; the quadrants in which the two differences disagree are shaded. ``judges``: scores
        by two judges on one scale, with a line where they agree.
    ending : {".png", ".svg", ".pdf"}
        The format.
    caption : str
        What is written below the panels.

    Returns
    -------
    bytes
        The picture. The area of a dot is proportional to the number of points at its place.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    across = min(PANELS_ACROSS, len(panels))
    down = ceil(len(panels) / across)
    figure = new_figure(figsize=(2.9 * across, 2.8 * down))
    grid = figure.subplots(down, across, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        _draw_points(axes, panel)
        if kind == "pairs":
            _shade_disagreement(axes)
        elif kind == "judges":
            _draw_agreement(axes)
        axes.set_title(as_label(panel.title), fontsize=9)
        axes.set_xlabel(as_label(panel.axes[0]), fontsize=8)
        axes.set_ylabel(as_label(panel.axes[1]), fontsize=8)
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    if caption:
        figure.supxlabel(as_label(caption), fontsize=7, x=0.01, ha="left", wrap=True)
    _settle(figure)
    for axes, panel in zip(grid, panels, strict=False):
        _label_points(axes, panel)
    return picture(figure, ending[1:])


def _draw_points(axes: Any, panel: Scatter) -> None:
    """Draw a dot at each place, its area proportional to the number of points there."""
    points = np.stack([panel.x, panel.y], axis=1)
    places, counts = np.unique(points[np.isfinite(points).all(axis=1)], axis=0, return_counts=True)
    area = min(AREA, LARGEST / counts.max(initial=1))
    axes.scatter(*places.T, s=area * counts, color=COLOURS[0], alpha=0.75, linewidths=0)
    axes.margins(0.12)


def _shade_disagreement(axes: Any) -> None:
    """Draw the axes of zero differences, and shade where the signs of the differences differ."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    left, right, low, high = min(left, 0), max(right, 0), min(low, 0), max(high, 0)
    axes.set(xlim=(left, right), ylim=(low, high))
    for across, up in (((left, 0), (0, high)), ((0, right), (low, 0))):
        axes.fill_between(across, *up, color=COLOURS[1], alpha=0.1, linewidth=0, zorder=0)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.axvline(0, color="black", linewidth=0.6)


def _draw_agreement(axes: Any) -> None:
    """Give both axes the same scale, and draw the line on which both judges agree."""
    ends = [*axes.get_xlim(), *axes.get_ylim()]
    low, high = min(ends), max(ends)
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.set_aspect("equal")
    axes.axline((low, low), (high, high), color="black", linewidth=0.6, linestyle=":", zorder=0)


def _settle(figure: Any) -> None:
    """Compute the layout once, and keep it: labels are placed in it."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


# Labels

Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in pixels."""


def _label_points(axes: Any, panel: Scatter) -> None:
    """Write the name of each point next to it, where it covers neither a point nor a name."""
    if not panel.names:
        return
    axes.set_autoscale_on(False)
    pixels = axes.figure.dpi / 72
    left, bottom, right, top = axes.get_window_extent().extents.tolist()
    frame = left, bottom, right, top
    points = axes.transData.transform(np.stack([panel.x, panel.y], axis=1))
    taken = [_around(point, 5 * pixels, 5 * pixels) for point in points.tolist()]
    for point, name in zip(points.tolist(), panel.names, strict=True):
        if not np.isfinite(point).all():
            continue
        label = axes.text(0, 0, as_label(name), fontsize=7, va="center", ha="center")
        extent = label.get_window_extent()
        size = extent.width + 3 * pixels, extent.height + 1 * pixels
        place, distance = _free_place(point, size, frame, taken)
        box = _around(place, *size)
        taken.append(box)
        label.set_position(axes.transData.inverted().transform(place))
        if distance > RINGS[0]:
            line = axes.transData.inverted().transform([point, _nearest(point, box)])
            axes.plot(*line.T, color="0.5", linewidth=0.4, zorder=1)


def _free_place(
    point: list[float], size: tuple[float, float], frame: Box, taken: Sequence[Box]
) -> tuple[tuple[float, float], float]:
    """Return the centre of the nearest place for a label of this size, and how near it is.

    If there is no room in the frame, the label is next to its point.
    """
    places = list(_places(point, size))
    for place, distance in places:
        box = _around(place, *size)
        if _within(box, frame) and not any(_overlap(box, other) for other in taken):
            return place, distance
    return places[0]


def _places(
    point: list[float], size: tuple[float, float]
) -> Iterator[tuple[tuple[float, float], float]]:
    """Yield centres of a label of this size around a point, near ones first, and their distance."""
    for distance in RINGS.tolist():
        for angle in np.radians(DIRECTIONS).tolist():
            x = point[0] + cos(angle) * (size[0] / 2 + distance)
            yield (x, point[1] + sin(angle) * (size[1] / 2 + distance)), distance


def _around(centre: Sequence[float], width: float, height: float) -> Box:
    x, y = centre
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _within(box: Box, frame: Box) -> bool:
    left, bottom, right, top = frame
    return left <= box[0] and bottom <= box[1] and box[2] <= right and box[3] <= top


def _overlap(one: Box, other: Box) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]


def _nearest(point: Sequence[float], box: Box) -> tuple[float, float]:
    """Return the point of a box that is nearest to a point."""
    x, y = point
    return min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])
