"""Plots of length curves by matplotlib, where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mteval_core.errors import UsageError
from mteval_core.report.curve import line_label
from mteval_core.report.findings import COEFFICIENTS, count
from mteval_core.report.notes import UNITS
from mteval_core.report.plots import COLOURS, as_label, new_figure, picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.metaeval.curves import Point

__all__ = ["Lines", "check_plot", "plot_curves"]

Lines = Literal["metrics", "references", "coefficients"]

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


def plot_curves(
    curves: Mapping[str, Sequence[Point]],
    ending: str,
    unit: str = "segment",
    *,
    lines: Lines = "metrics",
    over: str = "systems",
) -> bytes:
    """Draw correlation by one or more coefficients against document length.

    Parameters
    ----------
    curves : mapping of str to sequence of Point
        Points of metrics and judges by the name of their coefficient.
    ending : {".png", ".svg", ".pdf"}
        The format.
    unit : {"segment", "doc"}
        What documents are made of.
    lines : {"metrics", "references", "coefficients"}
        What the lines of a panel are; the panels of a row differ in everything else.
    over : str
        What the coefficients are over.

    Returns
    -------
    bytes
        The picture: one row of panels per criterion, all on one scale. Bars show the 95% interval
        of the mean.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or if the ending is not one of these.
    """
    check_plot(ending)
    places = [
        _place(coefficient if len(curves) > 1 else "", point, lines)
        for coefficient, of in curves.items()
        for point in of
    ]
    criteria = list(dict.fromkeys(place.criterion for place in places))
    columns = list(dict.fromkeys(place.column for place in places if place.column))
    names = list(dict.fromkeys(place.line for place in places))
    figure = new_figure(figsize=(3.4 * len(columns) + 2.4, 3.0 * len(criteria) + 0.4))
    panels = figure.subplots(len(criteria), len(columns), squeeze=False, sharex=True, sharey=True)
    for row, criterion in zip(panels, criteria, strict=True):
        for axes, column in zip(row, columns, strict=True):
            here = [p for p in places if p.criterion == criterion and p.column in (column, "")]
            _draw(axes, here, names)
            axes.set_title(as_label(f"{criterion}, {column}"), fontsize=9)
        row[0].set_ylabel(_ylabel(list(curves), over), fontsize=9)
    lengths = sorted({place.point.length for place in places})
    for axes in panels[-1]:
        axes.set_xscale("log")
        axes.set_xticks(lengths, labels=[str(length) for length in lengths])
        axes.minorticks_off()
        axes.set_xlabel(f"{UNITS[unit]}s in a pseudo-document", fontsize=9)
    _add_legend(figure, panels)
    return picture(figure, ending[1:])


class Place(NamedTuple):
    """Where a point is drawn: its panel, and the name of its line."""

    criterion: str
    column: str
    line: str
    point: Point


def _place(coefficient: str, point: Point, lines: Lines) -> Place:
    """Say where a point is drawn; the points of judges are in every panel, but for coefficients."""
    parts = {
        "metrics": as_label(line_label(point.metric, point.set)),
        "references": count(point.n_references, "reference"),
        "coefficients": COEFFICIENTS.get(coefficient, ""),
    }
    if not point.metric:
        line = parts["coefficients"] if lines == "coefficients" else parts["metrics"]
        column = parts["metrics"] if lines == "coefficients" else ""
        return Place(point.criterion, column, line, point)
    line = parts.pop(lines)
    return Place(point.criterion, ", ".join(filter(None, parts.values())), line, point)


def _ylabel(coefficients: Sequence[str], over: str) -> str:
    """Name the coefficient, if there is only one."""
    name = COEFFICIENTS[coefficients[0]] if len(coefficients) == 1 else "correlation"
    return f"mean {name} over {over}"


def _add_legend(figure: Any, panels: Any) -> None:
    """List the lines of all panels once."""
    handles: dict[str, Any] = {}
    for axes in panels.ravel():
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    figure.legend(
        handles.values(),
        handles,
        loc="outside right upper",
        frameon=False,
        fontsize=8,
        title="bars: 95% interval\nof the mean",
        title_fontsize=7,
        alignment="left",
    )


def _draw(axes: Any, places: Sequence[Place], names: Sequence[str]) -> None:
    """Draw one panel: a line per name, a black one for the judges."""
    for k, name in enumerate(names):
        line = [place.point for place in places if place.line == name]
        if not line:
            continue
        # Shifted, the bars of adjacent lines do not overlap.
        shift = 1 + 0.04 * (k - (len(names) - 1) / 2) / max(1, len(names) / 4)
        axes.errorbar(
            [point.length * shift for point in line],
            [point.mean for point in line],
            yerr=[1.96 * point.standard_error for point in line],
            label=name,
            markersize=3.5,
            linewidth=1.2,
            elinewidth=0.8,
            **(JUDGES if name == as_label(line_label("", "")) else _style(k)),
        )
    axes.tick_params(labelsize=9, labelleft=True)
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    axes.spines[["top", "right"]].set_visible(False)


def _style(k: int) -> dict[str, str]:
    """Colour, shape and dashes of the k-th metric."""
    return {
        "color": COLOURS[k % len(COLOURS)],
        "marker": SHAPES[k % len(SHAPES)],
        "linestyle": DASHES[k // len(COLOURS) % len(DASHES)],
    }
