"""Reports on length curves: lengths down, metrics across."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from mteval_core.report import Cell, Chart, Column, Meaning, Table
from mteval_metaeval.reports.curve_charts import CAPTION, curve_panels
from mteval_metaeval.reports.findings import COEFFICIENTS, MARKS, line_label, study_report
from mteval_metaeval.reports.numbers import UNITS, count, ends, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mteval_core import Report
    from mteval_core.report.charts import Lines
    from mteval_metaeval.curves import Point
    from mteval_metaeval.notes import Note
    from mteval_metaeval.reports.curve_charts import LineChoice
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.study import Study

__all__ = ["of_curve"]


def of_curve(
    studies: Sequence[Study],
    results: tuple[list[Point], list[Note]],
    resampling: Resampling,
    *,
    coefficient: str,
    documents: int,
    pooled: bool = False,
    lines: Sequence[LineChoice] = ("metrics",),
    more: Callable[[], Mapping[str, Sequence[Point]]] = dict,
    decimals: int = 2,
) -> Report:
    """Report correlations on documents of growing length.

    Parameters
    ----------
    studies : sequence of Study
        One per choice of references.
    results : tuple of list of Point and list of Note
        The points and their notes.
    resampling : Resampling
        The confidence level and the seed.
    coefficient : str
        The coefficient that was computed.
    documents : int
        Number of pseudo-documents of each length.
    pooled : bool
        Whether choices of references were pooled.
    lines : sequence of {"metrics", "references", "coefficients"}
        In what the lines of the chart differ.
    more : callable
        Computes the points by other coefficients, which the chart shows, too.
    decimals : int
        Digits after the decimal point.
    """
    points, notes = results
    study, level = _with_all_references(studies), resampling.level
    points_of = "systems and choices of references" if pooled else "systems"

    def panels() -> Sequence[Sequence[Lines]]:
        over = "systems and references" if pooled else "systems"
        curves = {coefficient: points, **more()}
        return curve_panels(curves, study.unit, lines=lines, over=over)

    test = "not significantly different from the best (Wilcoxon's signed ranks, Holm's correction)"
    return study_report(
        study,
        resampling,
        experiment="curve",
        title="Metrics on documents of growing length",
        summary=f". {COEFFICIENTS[coefficient]} over {points_of} on {documents} pseudo-documents "
        f"of each length, seed {resampling.seed}: the mean, and where {level:g}% of the documents "
        f"lie (L, U).",
        parts=[
            *(
                Table(caption, (f"{UNITS[study.unit]}s",), *_grid(some, level, decimals))
                for caption, some in _panels(studies, points)
            ),
            Chart("curve", panels, CAPTION),
        ],
        legend=[(Meaning("best mean at a length", "best"), Meaning(test, "equal"))],
        notes=notes,
        records=[_record(point, coefficient, level) for point in points],
        settings={"coefficient": coefficient, "documents": documents, "pool_refs": pooled},
        signatures=(measure.signature for one in studies for measure in one.measures),
    )


def _with_all_references(studies: Sequence[Study]) -> Study:
    """Return the first study, its inputs naming the references of all studies."""
    references = {tuple(r.values()): r for one in studies for r in one.inputs["references"]}
    inputs = {**studies[0].inputs, "references": list(references.values())}
    return replace(studies[0], inputs=inputs)


def _panels(studies: Sequence[Study], points: Sequence[Point]) -> Iterator[tuple[str, list[Point]]]:
    """Caption and points of each criterion and number of references."""
    sizes = [len(study.inputs["references"]) for study in studies]
    n_references = len(_with_all_references(studies).inputs["references"])
    for criterion in studies[0].criteria:
        for size in dict.fromkeys(point.n_references for point in points if point.metric):
            caption = f"{criterion.name}, {count(size, 'reference')}"
            if sizes.count(size) > 1:
                caption += f" ({sizes.count(size)} choices of {n_references})"
            yield (
                caption,
                [
                    point
                    for point in points
                    if point.criterion == criterion.name and point.n_references in (size, 0)
                ],
            )


def _grid(
    points: Sequence[Point], level: float, decimals: int
) -> tuple[tuple[tuple[int], ...], tuple[Column, ...]]:
    """Lengths, and the columns of each metric and of the judges."""
    lengths = list(dict.fromkeys(point.length for point in points))
    lines: dict[str, dict[int, Point]] = {}
    for point in points:
        lines.setdefault(line_label(point.metric, point.set), {})[point.length] = point
    columns = []
    for label, by_length in lines.items():
        line = [by_length[length] for length in lengths]
        means = tuple(
            Cell((number(point.mean, decimals),), MARKS[point.mark] if point.metric else None)
            for point in line
        )
        columns.append(Column(("mean",), means, label))
        low, high = zip(*(ends(point.interval(level), decimals) for point in line), strict=True)
        columns += [Column.of("L", low, label), Column.of("U", high, label)]
    return tuple((length,) for length in lengths), tuple(columns)


def _record(point: Point, coefficient: str, level: float) -> dict[str, object]:
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
