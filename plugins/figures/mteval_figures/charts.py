"""Charts as PNG and SVG, drawn by matplotlib; pictures of other kinds as SVG."""

from __future__ import annotations

import io
import re
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import UsageError
from mteval_core.report import Chart, Picture
from mteval_core.report.charts import Bars, Dots, HeatMap, Lines, Scatter
from mteval_figures.labels import label_points

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mteval_core.report import Layout, Report

    Rows = Sequence[Sequence[Any]]
    Size = tuple[float, float]
    Panel = Bars | Dots | HeatMap | Lines | Scatter

__all__ = ["figure_of", "library", "png", "svg"]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito's colours, which people with any colour vision tell apart."""

BETTER, WORSE = COLOURS[:2]

SHAPES = "osD^vP*X"
DASHES = ("-", "--", "-.")
YARDSTICK = {"color": "black", "marker": "", "linestyle": ":"}

AREA = 16.0
"""Area of a dot in square points. Points at the same place are one dot, as large as all of them."""

LARGEST = 300.0
"""Area of the largest dot of a panel; all dots shrink if one would be larger."""


def png(report: Report, layout: Layout) -> bytes:
    """Draw the charts of a report, one below the other."""
    return _saved(figure_of(_charts(report, layout)), "png")


def svg(report: Report, layout: Layout) -> str:
    """Draw the charts of a report, or its pictures, one below the other."""
    pictures = [part for part in report.parts(layout) if isinstance(part, Picture)]
    charts = _charts(report, layout)
    drawn = [_saved(figure_of(charts), "svg").decode()] if charts else []
    if not pictures:
        return drawn[0]
    styles = dict.fromkeys(picture.style for picture in pictures)
    return _stacked([*(one.svg(layout) for one in pictures), *drawn], "\n".join(styles))


def _charts(report: Report, layout: Layout) -> list[Chart]:
    return [part for part in report.parts(layout) if isinstance(part, Chart)]


# Files


def library() -> Any:
    """Return matplotlib.

    Raises
    ------
    UsageError
        If it is not installed.
    """
    try:
        import matplotlib.figure
    except ImportError:
        message = "charts and PDF need matplotlib: pip install 'mteval-figures[plots]'"
        raise UsageError(message) from None
    return matplotlib


def figure_of(charts: Sequence[Chart]) -> Any:
    """Draw charts, each in a part of the figure."""
    figure = library().figure
    made = [(chart.panels(), chart.caption) for chart in charts]
    sizes = [SIZES[type(rows[0][0])](rows) for rows, _ in made]
    heights = [height for _, height in sizes]
    size = max(width for width, _ in sizes), sum(heights)
    whole = figure.Figure(figsize=size, layout="constrained")
    parts: Any = [whole]
    if len(made) > 1:
        parts = whole.subfigures(len(made), 1, height_ratios=heights)
    places: list[tuple[Any, Panel]] = []
    for part, (rows, caption) in zip(parts, made, strict=True):
        places += DRAWN[type(rows[0][0])](part, rows, caption)
    _label(whole, places)
    return whole


def _label(figure: Any, places: Sequence[tuple[Any, Panel]]) -> None:
    """Write names next to points, in a layout that no longer changes."""
    scattered = [(axes, panel) for axes, panel in places if isinstance(panel, Scatter)]
    if scattered:
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    for axes, panel in scattered:
        if panel.names:
            label_points(axes, panel.x, panel.y, list(map(_shown, panel.names)))


def _saved(figure: Any, kind: str) -> bytes:
    """Write a figure. The same figure gives the same bytes."""
    from matplotlib import rc_context

    out = io.BytesIO()
    with rc_context({"svg.hashsalt": "mteval", "svg.fonttype": "none"}):
        undated = {"Date": None} if kind == "svg" else {}
        figure.savefig(out, format=kind, dpi=150, bbox_inches="tight", metadata=undated)
    return out.getvalue()


SVG = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)(pt)?"[^>]*?\bheight="([\d.]+)', re.DOTALL)


def _stacked(drawings: Sequence[str], style: str) -> str:
    """Put drawings into one file, one below the other."""
    placed = []
    wide = high = 0.0
    for drawing in drawings:
        found = SVG.search(drawing)
        assert found is not None, "a drawing begins with its size"
        scale = 4 / 3 if found[2] else 1.0
        placed.append(f'<svg y="{high:g}" {drawing[found.start() + 5 :].strip()}')
        wide = max(wide, scale * float(found[1]))
        high += scale * float(found[3])
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}">'
    return "\n".join([head, f"<style>\n{style}\n</style>", *placed, "</svg>", ""])


# Panels


def _shown(text: str) -> str:
    """Write a text so that a figure shows it as it is, dollar signs included."""
    return text.replace("$", r"\$")


def _panels(figure: Any, rows: Rows, **options: Any) -> list[tuple[Any, Any]]:
    """Make axes for panels in rows; the last row may be shorter."""
    across = max(map(len, rows))
    grid = figure.subplots(len(rows), across, squeeze=False, **options)
    pairs = []
    for line, panels in zip(grid, rows, strict=True):
        pairs += list(zip(line, panels, strict=False))
        for axes in line[len(panels) :]:
            axes.set_axis_off()
    for axes, panel in pairs:
        axes.set_title(_shown(panel.title), fontsize=9)
    return pairs


def _caption(figure: Any, text: str) -> None:
    if text:
        figure.supxlabel(_shown(text), fontsize=7, x=0.01, ha="left", wrap=True)


def _despined(axes: Any, *sides: str) -> None:
    axes.spines[["top", "right", *sides]].set_visible(False)


# Dots


def _size_of_dots(rows: Sequence[Sequence[Dots]]) -> Size:
    n = len(rows[0][0].names)
    return 2.6 * len(rows[0]) + 1.4, len(rows) * (0.24 * n + 0.7) + 0.3


def _dots(figure: Any, rows: Sequence[Sequence[Dots]], caption: str) -> list[tuple[Any, Panel]]:
    pairs = _panels(figure, rows)
    first = {id(row[0]) for row in rows}
    for axes, panel in pairs:
        places = range(len(panel.names))
        for place, name, value in zip(places, panel.names, panel.values, strict=True):
            interval = panel.intervals[place] if panel.intervals else None
            if interval is not None:
                axes.plot(interval, [place, place], color=BETTER, linewidth=1.4)
            face = "white" if name in panel.hollow else BETTER
            shape = "D" if name in panel.diamonds else "o"
            axes.plot([value], [place], shape, color=BETTER, markerfacecolor=face, markersize=4.5)
        labels = [_shown(name) if id(panel) in first else "" for name in panel.names]
        axes.set_yticks(places, labels, fontsize=8)
        axes.set_ylim(len(panel.names) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.tick_params(axis="x", labelsize=8)
        axes.locator_params(axis="x", nbins=6, prune="both")
        axes.grid(axis="both", linewidth=0.4, alpha=0.4)
        _despined(axes, "left")
    _caption(figure, caption)
    return pairs


# Heat maps


def _size_of_heat_maps(rows: Sequence[Sequence[HeatMap]]) -> Size:
    panels = [panel for row in rows for panel in row]
    texts = [len(cell.parts[0]) for panel in panels for row in panel.cells for cell in row]
    cell = 0.02 + 0.1 * max(texts, default=5)
    names = max(len(name) for panel in panels for name in panel.rows)
    side = max(0.5 + 0.08 * names, 1.3) + cell * max(len(panel.rows) for panel in panels)
    return side * len(rows[0]) + 0.4, side * len(rows) + 0.9


def _heat_maps(
    figure: Any, rows: Sequence[Sequence[HeatMap]], caption: str
) -> list[tuple[Any, Panel]]:
    pairs = _panels(figure, rows)
    for axes, panel in pairs:
        shades = np.array(panel.shades, dtype=float)
        has_red = bool((shades < 0).any())
        axes.imshow(shades, cmap="RdBu" if has_red else "Blues", vmin=-1 if has_red else 0, vmax=1)
        for i, row in enumerate(panel.cells):
            for j, cell in enumerate(row):
                weight = "bold" if cell.mark == "significant" else "normal"
                place = {"ha": "center", "va": "center"}
                axes.text(j, i, _shown(cell.parts[0]), fontsize=7, fontweight=weight, **place)
        across, down = (list(map(_shown, names)) for names in (panel.columns, panel.rows))
        axes.set_xticks(range(len(across)), across, rotation=45, ha="right", fontsize=8)
        axes.set_yticks(range(len(down)), down, fontsize=8)
    _caption(figure, caption)
    return pairs


# Bars


def _size_of_bars(rows: Sequence[Sequence[Bars]]) -> Size:
    return 2.7 * len(rows[0]) + 0.4, 1.7 * len(rows) + 0.6


def _bars(figure: Any, rows: Sequence[Sequence[Bars]], caption: str) -> list[tuple[Any, Panel]]:
    pairs = _panels(figure, rows, sharex=True, sharey="col")
    for axes, panel in pairs:
        heights = np.array(panel.heights, dtype=float)
        good = heights > 0 if panel.better == "higher" else heights < 0
        for colour, kept in ((BETTER, good), (WORSE, ~good)):
            edges = np.arange(len(heights) + 1)
            axes.stairs(np.where(kept, heights, 0), edges, fill=True, color=colour)
        axes.axhline(0, color="black", linewidth=0.6)
        axes.set_xlim(0, len(heights))
        axes.title.set_fontsize(8)
        if axes.get_subplotspec().is_first_col():
            axes.set_ylabel(_shown(panel.up), fontsize=8)
        axes.tick_params(labelsize=7)
        _despined(axes, "bottom")
    _caption(figure, caption)
    return pairs


# Points


def _size_of_scatter(rows: Sequence[Sequence[Scatter]]) -> Size:
    return 2.9 * len(rows[0]), 2.8 * len(rows)


def _scatter(
    figure: Any, rows: Sequence[Sequence[Scatter]], caption: str
) -> list[tuple[Any, Panel]]:
    pairs = _panels(figure, rows)
    for axes, panel in pairs:
        points = np.stack([panel.x, panel.y], axis=1)
        finite = points[np.isfinite(points).all(axis=1)]
        places, counts = np.unique(finite, axis=0, return_counts=True)
        area = min(AREA, LARGEST / counts.max(initial=1))
        axes.scatter(*places.T, s=area * counts, color=COLOURS[0], alpha=0.75, linewidths=0)
        axes.margins(0.12)
        if panel.guide == "signs":
            _shade_signs(axes)
        elif panel.guide == "diagonal":
            _draw_diagonal(axes)
        axes.set_xlabel(_shown(panel.across), fontsize=8)
        axes.set_ylabel(_shown(panel.up), fontsize=8)
        axes.tick_params(labelsize=8)
        axes.locator_params(axis="x", nbins=5)
        _despined(axes)
    _caption(figure, caption)
    return pairs


def _shade_signs(axes: Any) -> None:
    """Let the axes cross at zero, and shade the quadrants where the signs differ."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    left, right, low, high = min(left, 0), max(right, 0), min(low, 0), max(high, 0)
    axes.set(xlim=(left, right), ylim=(low, high))
    for across, up in (((left, 0), (0, high)), ((0, right), (low, 0))):
        axes.fill_between(across, *up, color=COLOURS[1], alpha=0.1, linewidth=0, zorder=0)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.axvline(0, color="black", linewidth=0.6)


def _draw_diagonal(axes: Any) -> None:
    """Give both axes the same scale, and draw the line on which both numbers are equal."""
    ends = [*axes.get_xlim(), *axes.get_ylim()]
    low, high = min(ends), max(ends)
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.set_aspect("equal")
    axes.axline((low, low), (high, high), color="black", linewidth=0.6, linestyle=":", zorder=0)


# Lines


def _size_of_lines(rows: Sequence[Sequence[Lines]]) -> Size:
    return 3.4 * len(rows[0]) + 2.4, 3.0 * len(rows) + 0.4


def _lines(figure: Any, rows: Sequence[Sequence[Lines]], caption: str) -> list[tuple[Any, Panel]]:
    """Draw a line of the same look for each name, and list the names once."""
    pairs = _panels(figure, rows, sharex=True, sharey=True)
    every = [line for _, panel in pairs for line in panel.lines]
    names = list(dict.fromkeys(line.name for line in every))
    handles: dict[str, Any] = {}
    for axes, panel in pairs:
        for line in panel.lines:
            drawn = _line(axes, line, names, is_logarithmic=panel.is_logarithmic)
            handles.setdefault(line.name, drawn)
        axes.tick_params(labelsize=9, labelleft=True)
        axes.grid(axis="y", linewidth=0.4, alpha=0.5)
        if axes.get_subplotspec().is_last_row():
            axes.set_xlabel(_shown(panel.across), fontsize=9)
        if axes.get_subplotspec().is_first_col():
            axes.set_ylabel(_shown(panel.up), fontsize=9)
        _despined(axes)
    if rows[0][0].is_logarithmic:
        axes, _ = pairs[-1]
        places = sorted({x for line in every for x in line.x})
        axes.set_xscale("log")
        axes.set_xticks(places, labels=[f"{place:g}" for place in places])
        axes.minorticks_off()
    ordered = {_shown(name): handles[name] for name in names}
    figure.legend(
        ordered.values(),
        ordered,
        loc="outside right upper",
        frameon=False,
        fontsize=8,
        title=_shown(fill(caption, 20)),
        title_fontsize=7,
        alignment="left",
    )
    return pairs


def _line(axes: Any, line: Any, names: Sequence[str], *, is_logarithmic: bool) -> Any:
    k = names.index(line.name)
    # Shifted, the bars of adjacent lines do not overlap.
    shift = 1 + 0.04 * (k - (len(names) - 1) / 2) / max(1, len(names) / 4)
    style = {
        "color": COLOURS[k % len(COLOURS)],
        "marker": SHAPES[k % len(SHAPES)],
        "linestyle": DASHES[k // len(COLOURS) % len(DASHES)],
    }
    return axes.errorbar(
        [x * shift if is_logarithmic else x for x in line.x],
        line.y,
        yerr=line.errors or None,
        label=_shown(line.name),
        markersize=3.5,
        linewidth=1.2,
        elinewidth=0.8,
        **(YARDSTICK if line.is_yardstick else style),
    )


SIZES: dict[type, Callable[[Any], Size]] = {
    Bars: _size_of_bars,
    Dots: _size_of_dots,
    HeatMap: _size_of_heat_maps,
    Lines: _size_of_lines,
    Scatter: _size_of_scatter,
}
DRAWN: dict[type, Callable[[Any, Any, str], list[tuple[Any, Panel]]]] = {
    Bars: _bars,
    Dots: _dots,
    HeatMap: _heat_maps,
    Lines: _lines,
    Scatter: _scatter,
}
"""How large the panels of each class are, and how they are drawn."""
