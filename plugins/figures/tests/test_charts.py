"""Charts drawn by matplotlib: what is where, and that the same chart gives the same bytes."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pytest
from mteval_figures import charts
from mteval_figures.charts import png, svg
from mteval_figures.pages import pdf

import mteval_core as mt
from mteval_core.report import Cell, Chart, Layout, Picture, Report
from mteval_core.report.charts import Bars, Dots, HeatMap, Line, Lines, Scatter

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_figures.charts import Panel

pytest.importorskip("matplotlib", reason="charts need matplotlib")


def report(*parts: Chart | Picture) -> Report:
    return Report.of("x", "X", parts, [], inputs={})


def chart(*panels: Panel, caption: str = "") -> Chart:
    return Chart("chart", lambda: [panels[k : k + 3] for k in range(0, len(panels), 3)], caption)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Draw charts, and return the figure."""
    made: list[Any] = []

    def keep(figure: Any, _kind: str) -> bytes:
        made.append(figure)
        return b""

    monkeypatch.setattr(charts, "_saved", keep)

    def draw(*charts: Chart) -> Any:
        png(report(*charts), Layout())
        return made.pop()

    return draw


DOTS = Dots("BLEU", ["a", "b", "c"], [3, 2, 1], [(2, 4), None, (0.5, 1.5)], ["b"], ["c"])


@pytest.mark.slow
def test_dots(drawn: Callable[..., Any]) -> None:
    figure = drawn(chart(DOTS, DOTS._replace(title="TER"), caption="bars: 95%"))
    first, second = figure.axes
    assert [text.get_text() for text in first.get_yticklabels()] == ["a", "b", "c"]
    assert [text.get_text() for text in second.get_yticklabels()] == ["", "", ""]
    assert first.get_ylim() == (2.5, -0.5)
    dots = {line.get_ydata()[0]: line for line in first.lines if len(line.get_xdata()) == 1}
    bars = {line.get_ydata()[0]: line for line in first.lines if len(line.get_xdata()) == 2}
    assert [dots[place].get_xdata()[0] for place in range(3)] == [3, 2, 1]
    assert {place: list(bar.get_xdata()) for place, bar in bars.items()} == {
        0: [2, 4],
        2: [0.5, 1.5],
    }
    assert [dots[k].get_markerfacecolor() == "white" for k in range(3)] == [False, True, False]
    assert [dots[k].get_marker() for k in range(3)] == ["o", "o", "D"]
    assert figure.get_supxlabel() == "bars: 95%"


def test_a_heat_map(drawn: Callable[..., Any]) -> None:
    cells = [[Cell(("",)), Cell(("0.20",))], [Cell(("0.01",), "significant"), Cell(("",))]]
    shades = [[np.nan, 0.2], [0.4, np.nan]]
    (axes,) = drawn(chart(HeatMap("p", ["$a$", "b"], ["a", "b"], cells, shades))).axes
    assert [text.get_text() for text in axes.get_yticklabels()] == [r"\$a\$", "b"]
    found = {text.get_position(): text for text in axes.texts if text.get_text()}
    assert {place: text.get_text() for place, text in found.items()} == {
        (1, 0): "0.20",
        (0, 1): "0.01",
    }
    assert [found[place].get_fontweight() for place in ((1, 0), (0, 1))] == ["normal", "bold"]
    assert axes.images[0].get_cmap().name == "Blues"
    (axes,) = drawn(chart(HeatMap("d", ["a"], ["b"], [[Cell(("-1",))]], [[-0.5]]))).axes
    assert axes.images[0].get_cmap().name == "RdBu"


def test_bars_have_the_colour_of_what_is_better(drawn: Callable[..., Any]) -> None:
    first, second = drawn(
        chart(Bars("x", [2, 0, -1], up="A"), Bars("y", [2, 0, -1], "lower", up="A"))
    ).axes
    colours = [patch.get_facecolor() for patch in first.patches]
    heights = [patch.get_data().values.tolist() for patch in first.patches]
    assert heights == [[2, 0, 0], [0, 0, -1]]
    assert [patch.get_data().values.tolist() for patch in second.patches] == heights[::-1]
    assert [patch.get_facecolor() for patch in second.patches] == colours
    assert (first.get_ylabel(), second.get_ylabel()) == ("A", "")


def lines(*names: str) -> Lines:
    made = [Line(name, [1, 10], [0.1, 0.2], [0.05, 0.05]) for name in names]
    made.append(Line("judges", [1, 5], [0.9, 0.9], is_yardstick=True))
    return Lines("panel", "length", "mean", made, is_logarithmic=True)


def test_lines_have_one_legend_and_the_same_axes(drawn: Callable[..., Any]) -> None:
    rows = [[lines("a", "b"), lines("a", "b")], [lines("a", "b"), lines("b")]]
    figure = drawn(Chart("curve", lambda: rows, "bars: 95% interval of the mean"))
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "judges"]
    assert legend.get_title().get_text() == "bars: 95% interval\nof the mean"
    assert len({axes.get_ylim() for axes in figure.axes}) == 1
    for axes in figure.axes[2:]:
        assert [text.get_text() for text in axes.get_xticklabels()] == ["1", "5", "10"]
    assert [axes.get_ylabel() for axes in figure.axes] == ["mean", "", "mean", ""]
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "", "length", "length"]
    of_b = [
        axes.containers[k].lines[0].get_color()
        for axes, k in zip(figure.axes, (1, 1, 1, 0), strict=True)
    ]
    assert len({*of_b}) == 1
    container = figure.axes[0].containers[0]
    (bars,) = container.lines[2]
    low, high = bars.get_segments()[0][:, 1]
    assert high - low == pytest.approx(0.1)


def scatter(x: Any, y: Any, **fields: Any) -> Chart:
    return chart(Scatter("", "x", "y", x, y, **fields))


def test_labels_cover_neither_each_other_nor_a_point(drawn: Callable[..., Any]) -> None:
    names = [f"system number {k}" for k in range(13)]
    near = np.random.default_rng(5).normal(size=(2, 13)) * 0.02
    near[:, 0] = 3.0
    (axes,) = drawn(scatter(*near.tolist(), names=names)).axes
    frame = axes.get_window_extent()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert [text.get_text() for text in axes.texts] == names
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    points = axes.transData.transform(near.T)
    assert not any(box.contains(*point) for box in boxes for point in points)
    assert all(frame.contains(*corner) for box in boxes for corner in box.corners())


def test_points_at_the_same_place_are_one_larger_dot(drawn: Callable[..., Any]) -> None:
    x = [1.0, 1, 1, 2, np.nan]
    (dots,) = drawn(scatter(x, x)).axes[0].collections
    assert dots.get_offsets().tolist() == [[1, 1], [2, 2]]
    assert dots.get_sizes().tolist() == [3 * charts.AREA, charts.AREA]


def test_a_diagonal_needs_one_scale(drawn: Callable[..., Any]) -> None:
    (axes,) = drawn(scatter([1.0, 5.0], [2.0, 3.0], guide="diagonal")).axes
    assert axes.get_xlim() == axes.get_ylim()
    assert axes.get_aspect() == 1


def test_quadrants_of_different_signs_are_shaded(drawn: Callable[..., Any]) -> None:
    (axes,) = drawn(scatter([-1.0, 2.0], [3.0, -1.0], guide="signs")).axes
    _, *shades = axes.collections
    centres = [shade.get_paths()[0].get_extents() for shade in shades]
    signs = [tuple(np.sign((box.x0 + box.x1, box.y0 + box.y1))) for box in centres]
    assert signs == [(-1, 1), (1, -1)]
    assert centres[0].x1 == centres[1].x0 == centres[0].y0 == centres[1].y1 == 0


# Files


def test_several_charts_are_one_figure(drawn: Callable[..., Any]) -> None:
    figure = drawn(chart(DOTS), scatter([1.0, 2.0], [1.0, 2.0], names=["a", "b"]))
    above, below = figure.subfigs
    assert len(above.axes[0].lines) == 5
    assert [text.get_text() for text in below.axes[0].texts] == ["a", "b"]


def test_labels_of_many_panels_do_not_overlap(drawn: Callable[..., Any]) -> None:
    names = [f"a system, number {k}" for k in range(13)]
    panels = [Dots(f"M{k} ↑\nk={k}", names, [7.5 * k for k in range(13)]) for k in range(2)]
    figure = drawn(chart(*panels))
    figure.draw_without_rendering()
    boxes = [
        text.get_window_extent()
        for axes in figure.axes
        for text in (*axes.get_yticklabels(), axes.title, *axes.get_xticklabels())
        if text.get_text()
    ]
    assert len(boxes) > 13 + 2
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


EVERY = report(
    chart(DOTS, caption="caption"),
    scatter([0.0, 1, 2], [0.0, 1, 2], names=["<a>", "$b$", "c_d"]),
)


@pytest.mark.slow
@pytest.mark.parametrize(("write", "magic"), [(png, b"\x89PNG"), (pdf, b"%PDF"), (svg, "<?xml")])
def test_the_same_charts_give_the_same_bytes(write: Callable[..., Any], magic: Any) -> None:
    written = write(EVERY, Layout())
    assert written.startswith(magic)
    assert written == write(EVERY, Layout())


def test_svg_has_the_texts() -> None:
    written = svg(EVERY, Layout())
    for text in ("&lt;a&gt;", "$b$", "c_d", "caption", "BLEU"):
        assert f">{text}<" in written
    assert "dc:date" not in written


def test_pictures_and_charts_are_stacked_in_one_file() -> None:
    def element(_: Layout) -> str:
        return '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"></svg>\n'

    picture = Picture("p", "P", str, str, element, style=".p { fill: red }")
    root = ElementTree.fromstring(svg(report(picture, picture, chart(DOTS)), Layout()))
    style, first, second, third = root
    assert style.text == "\n.p { fill: red }\n"
    assert [one.get("y") for one in (first, second, third)] == ["0", "30", "60"]
    size = re.fullmatch(r"([\d.]+)pt", third.get("height") or "")
    assert size is not None
    assert float(root.get("height") or 0) == pytest.approx(60 + float(size[1]) * 4 / 3, abs=0.01)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(mt.UsageError, match=r"pip install 'mteval-figures\[plots\]'"):
        png(report(chart(DOTS)), Layout())
