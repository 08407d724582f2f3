"""Plots of length curves, by matplotlib where it is installed (``mteval-core[plots]``)."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from mteval_core.errors import UsageError
from mteval_core.report.correlation import JUDGES, LONG, SETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.metaeval.curves import Point

__all__ = ["ENDINGS", "plot_curve"]

ENDINGS = (".png", ".svg", ".pdf")

# Okabe and Ito's colours, which people with any colour vision tell apart, and shapes beside them.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
SHAPES = "osD^vP*X"
DASHES = ("-", "--", "-.")


def plot_curve(points: Sequence[Point], coefficient: str, ending: str) -> bytes:
    """Draw correlation against document length.

    Parameters
    ----------
    points : sequence of Point
        Of metrics and judges.
    coefficient : str
        Its name.
    ending : {".png", ".svg", ".pdf"}
        The format.

    Returns
    -------
    bytes
        The picture: criteria down, numbers of references across; means, with bars for the 95%
        interval of the mean.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or the format is another.
    """
    if ending not in ENDINGS:
        message = f"plots are written to {', '.join(ENDINGS)}; found {ending or 'no ending'!r}"
        raise UsageError(message)
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        message = "plots need matplotlib: pip install 'mteval-core[plots]'"
        raise UsageError(message) from None
    criteria = list(dict.fromkeys(point.criterion for point in points))
    sizes = list(dict.fromkeys(point.n_references for point in points if point.metric))
    lines = list(dict.fromkeys((point.metric, point.set) for point in points))
    # The same input gives the same file.
    with mpl.rc_context({"svg.hashsalt": "mteval", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(
            figsize=(3.4 * len(sizes) + 2.4, 3.0 * len(criteria) + 0.4), layout="constrained"
        )
        panels = figure.subplots(
            len(criteria), len(sizes), squeeze=False, sharex=True, sharey="row"
        )
        for row, criterion in zip(panels, criteria, strict=True):
            for axes, size in zip(row, sizes, strict=True):
                here = [
                    point
                    for point in points
                    if point.criterion == criterion and point.n_references in (size, 0)
                ]
                _draw(axes, here, lines)
                axes.set_title(
                    f"{criterion}, {size} reference{'s' if size > 1 else ''}", fontsize=9
                )
            row[0].set_ylabel(f"mean {LONG[coefficient]} over systems")
        for axes in panels[-1]:
            axes.set_xlabel("segments in a document")
        handles, labels = panels[0][0].get_legend_handles_labels()
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
        out = io.BytesIO()
        metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(
            ending, {}
        )
        figure.savefig(out, format=ending[1:], dpi=160, metadata=metadata)
    return out.getvalue()


def _draw(axes: Any, points: Sequence[Point], lines: Sequence[tuple[str, str]]) -> None:
    """One panel: a line for each metric, black for the judges."""
    n_lines = len(lines)
    for k, (metric, name) in enumerate(lines):
        some = [point for point in points if (point.metric, point.set) == (metric, name)]
        if not some:
            continue
        lengths = [point.length for point in some]
        style: dict[str, Any] = {
            "color": COLOURS[k % len(COLOURS)],
            "marker": SHAPES[k % len(SHAPES)],
            "linestyle": DASHES[k // len(COLOURS) % len(DASHES)],
        }
        label = f"{metric} ({SETS.get(name, name)})" if name else metric
        if not metric:
            style = {"color": "black", "marker": "", "linestyle": ":"}
            label = JUDGES.strip("()")
        # Bars of neighbouring lines stand beside each other.
        shift = 1 + 0.04 * (k - (n_lines - 1) / 2) / max(1, n_lines / 4)
        axes.errorbar(
            [length * shift for length in lengths],
            [point.mean for point in some],
            yerr=[1.96 * point.standard_error for point in some],
            label=label,
            markersize=3.5,
            linewidth=1.2,
            elinewidth=0.8,
            **style,
        )
    axes.set_xscale("log")
    lengths = sorted({point.length for point in points})
    axes.set_xticks(lengths, labels=[str(length) for length in lengths])
    axes.minorticks_off()
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    axes.spines[["top", "right"]].set_visible(False)
