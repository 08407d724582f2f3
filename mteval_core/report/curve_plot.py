"""Plots of length curves by matplotlib, where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.errors import UsageError
from mteval_core.report.curve import line_label
from mteval_core.report.findings import COEFFICIENTS, count
from mteval_core.report.notes import UNITS
from mteval_core.report.plots import COLOURS, as_label, new_figure, picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.metaeval.curves import Point

__all__ = ["check_plot", "plot_curve"]

ENDINGS = (".png", ".svg", ".pdf")

SHAPES = "osD^vP*X"
DASHES = ("-", "--", "-.")
JUDGES = {"color": "black", "marker": "", "linestyle": ":"}


def check_plot(ending: str) -> None:
    """Raise a `UsageError` if no plot can be written to a file with this ending."""
    if ending not in ENDINGS:
        message = f"plots are written to {', '.join(ENDINGS)}; got {ending!r}"
        raise UsageError(message)
    new_figure()


def plot_curve(
    points: Sequence[Point], coefficient: str, ending: str, unit: str = "segment"
) -> bytes:
    """Draw correlation against document length.

    Parameters
    ----------
    points : sequence of Point
        Points of metrics and judges.
    coefficient : str
        Name of the coefficient.
    ending : {".png", ".svg", ".pdf"}
        The format.
    unit : {"segment", "doc"}
        What documents are made of.

    Returns
    -------
    bytes
        The picture: one row of panels per criterion, one column per number of references. Bars
        show the 95% interval of the mean.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or if the ending is not one of these.
    """
    check_plot(ending)
    criteria = list(dict.fromkeys(point.criterion for point in points))
    sizes = list(dict.fromkeys(point.n_references for point in points if point.metric))
    lines = list(dict.fromkeys((point.metric, point.set) for point in points))
    figure = new_figure(figsize=(3.4 * len(sizes) + 2.4, 3.0 * len(criteria) + 0.4))
    panels = figure.subplots(len(criteria), len(sizes), squeeze=False, sharex=True, sharey="row")
    for row, criterion in zip(panels, criteria, strict=True):
        for axes, size in zip(row, sizes, strict=True):
            _draw(axes, _panel_points(points, criterion, size), lines)
            axes.set_title(f"{as_label(criterion)}, {count(size, 'reference')}", fontsize=9)
        row[0].set_ylabel(f"mean {COEFFICIENTS[coefficient]} over systems", fontsize=9)
    for axes in panels[-1]:
        axes.set_xlabel(f"{UNITS[unit]}s in a pseudo-document", fontsize=9)
    _add_legend(figure, panels[0][0])
    return picture(figure, ending[1:])


def _panel_points(points: Sequence[Point], criterion: str, size: int) -> list[Point]:
    """Points of the metrics with this number of references, and of the judges."""
    return [p for p in points if p.criterion == criterion and p.n_references in (size, 0)]


def _add_legend(figure: Any, axes: Any) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside right upper",
        frameon=False,
        fontsize=8,
        title="bars: 95% interval\nof the mean",
        title_fontsize=7,
        alignment="left",
    )


def _draw(axes: Any, points: Sequence[Point], lines: Sequence[tuple[str, str]]) -> None:
    """Draw one panel: a line per metric, and a black one for the judges."""
    n_lines = len(lines)
    for k, (metric, name) in enumerate(lines):
        line = [point for point in points if (point.metric, point.set) == (metric, name)]
        if not line:
            continue
        # Shifted, the bars of adjacent lines do not overlap.
        shift = 1 + 0.04 * (k - (n_lines - 1) / 2) / max(1, n_lines / 4)
        axes.errorbar(
            [point.length * shift for point in line],
            [point.mean for point in line],
            yerr=[1.96 * point.standard_error for point in line],
            label=as_label(line_label(metric, name)),
            markersize=3.5,
            linewidth=1.2,
            elinewidth=0.8,
            **(_style(k) if metric else JUDGES),
        )
    lengths = sorted({point.length for point in points})
    axes.set_xscale("log")
    axes.set_xticks(lengths, labels=[str(length) for length in lengths])
    axes.minorticks_off()
    axes.tick_params(labelsize=9)
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    axes.spines[["top", "right"]].set_visible(False)


def _style(k: int) -> dict[str, str]:
    """Colour, shape and dashes of the k-th metric."""
    return {
        "color": COLOURS[k % len(COLOURS)],
        "marker": SHAPES[k % len(SHAPES)],
        "linestyle": DASHES[k // len(COLOURS) % len(DASHES)],
    }
