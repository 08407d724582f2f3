"""Scatter plots: what is drawn where."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from mteval_core.report import scatter
from mteval_core.report.scatter import Scatter, plot_scatter

pytest.importorskip("matplotlib", reason="scatter plots need matplotlib")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Collect the figures that are drawn."""
    figures: list[Any] = []

    def keep(figure: Any, _kind: str) -> bytes:
        figures.append(figure)
        return b""

    monkeypatch.setattr(scatter, "picture", keep)
    return figures


def test_labels_cover_neither_each_other_nor_a_point(drawn: list[Any]) -> None:
    names = [f"system number {k}" for k in range(13)]
    near = np.random.default_rng(5).normal(size=(2, 13)) * 0.02
    near[:, 0] = 3.0
    plot_scatter([Scatter("", ("x", "y"), near[0], near[1], names)], "systems", ".png")
    (axes,) = drawn[0].axes
    frame = axes.get_window_extent()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert [text.get_text() for text in axes.texts] == names
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    points = axes.transData.transform(near.T)
    assert not any(box.contains(*point) for box in boxes for point in points)
    assert all(frame.contains(*corner) for box in boxes for corner in box.corners())


def test_points_at_the_same_place_are_one_larger_dot(drawn: list[Any]) -> None:
    x = np.array([1.0, 1, 1, 2, np.nan])
    plot_scatter([Scatter("", ("A", "B"), x, x)], "judges", ".png")
    (dots,) = drawn[0].axes[0].collections
    assert dots.get_offsets().tolist() == [[1, 1], [2, 2]]
    assert dots.get_sizes().tolist() == [3 * scatter.AREA, scatter.AREA]


def test_judges_have_one_scale(drawn: list[Any]) -> None:
    one, other = np.array([1.0, 5.0]), np.array([2.0, 3.0])
    plot_scatter([Scatter("", ("A", "B"), one, other)], "judges", ".png")
    axes = drawn[0].axes[0]
    assert axes.get_xlim() == axes.get_ylim()
    assert axes.get_aspect() == 1


def test_disagreement_is_shaded(drawn: list[Any]) -> None:
    panel = Scatter("", ("x", "y"), np.array([-1.0, 2.0]), np.array([3.0, -1.0]))
    plot_scatter([panel], "pairs", ".png")
    _, *shades = drawn[0].axes[0].collections
    centres = [shade.get_paths()[0].get_extents() for shade in shades]
    signs = [tuple(np.sign((box.x0 + box.x1, box.y0 + box.y1))) for box in centres]
    assert signs == [(-1, 1), (1, -1)]
    assert centres[0].x1 == centres[1].x0 == centres[0].y0 == centres[1].y1 == 0


def test_the_same_points_give_the_same_bytes() -> None:
    panel = Scatter("$x$", ("x", "y"), np.arange(3.0), np.arange(3.0), ["<a>", "$b$", "c_d"])
    again = [plot_scatter([panel], "systems", ".svg", "caption") for _ in range(2)]
    assert again[0] == again[1]
    for text in (b"&lt;a&gt;", b"$b$", b"c_d", b"caption", b"$x$"):
        assert text in again[0]
    assert b"dc:date" not in again[0]
    assert plot_scatter([panel], "systems", ".png").startswith(b"\x89PNG")
