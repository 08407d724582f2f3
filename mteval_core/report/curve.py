"""Length curves as tables, and as plots by matplotlib where it is installed."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from mteval_core.errors import UsageError
from mteval_core.report.correlation_tables import Column, Table
from mteval_core.report.findings import (
    COEFFICIENTS,
    MARKS,
    SETS,
    UNITS,
    count,
    ends,
    number,
    of_study,
)
from mteval_core.report.plots import new_figure, picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.metaeval.curves import Point
    from mteval_core.metaeval.experiments import Resampling
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.study import Study
    from mteval_core.report.findings import Findings

__all__ = ["check_plot", "of_curve", "plot_curve"]

ENDINGS = (".png", ".svg", ".pdf")

# Okabe and Ito's colours, which people with any colour vision tell apart, and shapes beside them.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
SHAPES = "osD^vP*X"
DASHES = ("-", "--", "-.")


def of_curve(
    studies: Sequence[Study],
    found: tuple[list[Point], list[Note]],
    resampling: Resampling,
    coefficient: str,
    documents: int,
    decimals: int = 2,
) -> Findings:
    """Correlation on documents of growing length: lengths down, metrics across.

    Parameters
    ----------
    studies : sequence of Study
        One for each choice of references.
    found, resampling, coefficient, documents, decimals
        The points with their notes, and how they were made.
    """
    chosen = [study.inputs["references"] for study in studies]
    references = {tuple(r.values()): r for some in chosen for r in some}
    study = replace(
        studies[0], inputs={**studies[0].inputs, "references": list(references.values())}
    )
    points, notes = found
    tables = []
    for criterion in study.criteria:
        for size in dict.fromkeys(point.n_references for point in points if point.metric):
            here = [p for p in points if p.criterion == criterion.name]
            n_choices = sum(1 for some in chosen if len(some) == size)
            caption = f"{criterion.name}, {count(size, 'reference')}"
            if n_choices > 1:
                caption += f" ({n_choices} choices of {len(references)})"
            tables.append(_lengths(caption, here, size, study.unit, resampling.level, decimals))
    findings = of_study(
        study,
        resampling,
        "curve",
        "Metrics on documents of growing length",
        f". {COEFFICIENTS[coefficient]} over systems on {documents} pseudo-documents of each "
        f"length, seed {resampling.seed}: the mean, and where {resampling.level:g}% of the "
        f"documents lie (L, U).",
        tables,
        [f"{MARKS[0]} mean at a length, {MARKS[1]} (Wilcoxon's signed ranks, Holm's correction)"],
        notes,
        [_record(point, coefficient, resampling.level) for point in points],
        coefficient=coefficient,
        documents=documents,
    )
    return replace(
        findings,
        signatures=tuple(dict.fromkeys(m.signature for one in studies for m in one.measures)),
    )


def _lengths(
    caption: str, points: Sequence[Point], size: int, unit: str, level: float, decimals: int
) -> Table:
    """One line for each length, the metrics with so many references and the judges across."""
    lengths = list(dict.fromkeys(point.length for point in points))
    lines: dict[str, dict[int, Point]] = {}
    for point in points:
        if point.n_references in (size, 0):
            lines.setdefault(_label(point.metric, point.set), {})[point.length] = point
    columns = []
    for label, by_length in lines.items():
        some = [by_length[length] for length in lengths]
        low, high = zip(*(ends(p.interval(level), decimals) for p in some), strict=True)
        marks = tuple(p.mark for p in some) if some[0].metric else ()
        columns += [
            Column(label, "mean", tuple(number(p.mean, decimals) for p in some), marks),
            Column(label, "L", low),
            Column(label, "U", high),
        ]
    names = tuple((str(length),) for length in lengths)
    return Table(caption, (f"{UNITS[unit]}s",), names, columns)


def _label(metric: str, name: str) -> str:
    """What a line of the curve is called."""
    if not metric:
        return "judge against judge"
    return f"{metric} ({SETS.get(name, name)})" if name else metric


def _record(point: Point, coefficient: str, level: float) -> dict[str, Any]:
    interval = point.interval(level)
    return {
        "metric": point.metric or None,
        "set": point.set,
        "criterion": point.criterion,
        "n_references": point.n_references or None,
        "length": point.length,
        "coefficient": coefficient,
        "mean": point.mean,
        "standard_error": point.standard_error,
        "ci": None if interval is None else asdict(interval),
        "n": point.n,
        "mark": point.mark,
        "p_value": point.p_value,
    }


def check_plot(ending: str) -> None:
    """Raise a `UsageError` if no plot can be written to a file with this ending."""
    if ending not in ENDINGS:
        message = f"plots are written to {', '.join(ENDINGS)}; found {ending or 'no ending'!r}"
        raise UsageError(message)
    new_figure()


def plot_curve(
    points: Sequence[Point], coefficient: str, ending: str, unit: str = "segment"
) -> bytes:
    """Draw correlation against document length.

    Parameters
    ----------
    points : sequence of Point
        Of metrics and judges.
    coefficient : str
        Its name.
    ending : {".png", ".svg", ".pdf"}
        The format.
    unit : {"segment", "doc"}
        What documents are made of.

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
    check_plot(ending)
    criteria = list(dict.fromkeys(point.criterion for point in points))
    sizes = list(dict.fromkeys(point.n_references for point in points if point.metric))
    lines = list(dict.fromkeys((point.metric, point.set) for point in points))
    figure = new_figure(figsize=(3.4 * len(sizes) + 2.4, 3.0 * len(criteria) + 0.4))
    panels = figure.subplots(len(criteria), len(sizes), squeeze=False, sharex=True, sharey="row")
    for row, criterion in zip(panels, criteria, strict=True):
        for axes, size in zip(row, sizes, strict=True):
            here = [
                point
                for point in points
                if point.criterion == criterion and point.n_references in (size, 0)
            ]
            _draw(axes, here, lines)
            axes.set_title(f"{criterion}, {count(size, 'reference')}", fontsize=9)
        row[0].set_ylabel(f"mean {COEFFICIENTS[coefficient]} over systems", fontsize=9)
    for axes in panels[-1]:
        axes.set_xlabel(f"{UNITS[unit]}s in a pseudo-document", fontsize=9)
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
    return picture(figure, ending[1:])


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
        if not metric:
            style = {"color": "black", "marker": "", "linestyle": ":"}
        # Bars of neighbouring lines stand beside each other.
        shift = 1 + 0.04 * (k - (n_lines - 1) / 2) / max(1, n_lines / 4)
        axes.errorbar(
            [length * shift for length in lengths],
            [point.mean for point in some],
            yerr=[1.96 * point.standard_error for point in some],
            label=_label(metric, name),
            markersize=3.5,
            linewidth=1.2,
            elinewidth=0.8,
            **style,
        )
    axes.set_xscale("log")
    lengths = sorted({point.length for point in points})
    axes.set_xticks(lengths, labels=[str(length) for length in lengths])
    axes.minorticks_off()
    axes.tick_params(labelsize=9)
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    axes.spines[["top", "right"]].set_visible(False)
