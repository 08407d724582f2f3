"""Labels of points in a figure, placed where they cover neither a point nor another label."""

from __future__ import annotations

from math import cos, sin
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["label_points"]

RINGS = np.arange(6, 300, 8)
"""Distances from a dot, in pixels, at which there may be room for its label."""

DIRECTIONS = np.array([0, 180, 90, 270, *range(15, 360, 15)])
"""Directions from a dot, in degrees, in which its label is tried, the best first."""

Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in pixels."""


def label_points(axes: Any, x: Sequence[float], y: Sequence[float], names: Sequence[str]) -> None:
    """Write the name of each point next to it, where it covers neither a point nor a name.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Axes whose layout does not change any more.
    x, y : sequence of float
        The points.
    names : sequence of str
        A name for each.
    """
    axes.set_autoscale_on(False)
    pixels = axes.figure.dpi / 72
    left, bottom, right, top = axes.get_window_extent().extents.tolist()
    frame = left, bottom, right, top
    points = axes.transData.transform(np.stack([x, y], axis=1))
    taken = [_around(point, 5 * pixels, 5 * pixels) for point in points.tolist()]
    for point, name in zip(points.tolist(), names, strict=True):
        if not np.isfinite(point).all():
            continue
        label = axes.text(0, 0, name, fontsize=7, va="center", ha="center")
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
