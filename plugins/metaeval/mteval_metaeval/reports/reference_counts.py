"""Reports on correlation by the number of references: metrics down, numbers across."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mteval_core.report import Cell, Column, Meaning, Table
from mteval_metaeval.reports.correlation import ends_of, intervals_drawn
from mteval_metaeval.reports.findings import MARKS, metric_rows, study_report
from mteval_metaeval.reports.numbers import count, ends, number
from mteval_metaeval.reports.ranking import named_coefficient

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import Report
    from mteval_metaeval.reference_counts import ReferenceCount
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.segments import Grouping
    from mteval_metaeval.study import Study

__all__ = ["of_reference_counts"]


def of_reference_counts(
    study: Study,
    records: Sequence[ReferenceCount],
    resampling: Resampling,
    *,
    coefficient: str,
    grouping: Grouping | None = None,
    decimals: int = 2,
) -> Report:
    """Report the coefficient of each metric with each number of references.

    Parameters
    ----------
    study : Study
        With all references.
    records : sequence of ReferenceCount
    resampling : Resampling
    coefficient : str
        The coefficient.
    grouping : {"none", "item", "system"}, optional
        How outputs are grouped; None for systems.
    decimals : int
        Digits after the decimal point.
    """
    name = named_coefficient(coefficient)
    what = f"{study.unit}s, grouping {grouping}" if grouping else "systems"
    has_intervals = any(record.interval for record in records)
    marks = [Meaning("best metric of the column", "best")]
    if has_intervals:
        test = "not significantly different from the best (bootstrap of the difference)"
        marks.append(Meaning(test, "equal"))
    return study_report(
        study,
        resampling,
        experiment="references",
        title="Metrics by the number of references",
        summary=f". {name} on {what}: mean over all choices of that many references"
        f"{intervals_drawn(study, resampling, records)}",
        parts=[
            _table(criterion.name, [r for r in records if r.criterion == criterion.name], decimals)
            for criterion in study.criteria
        ],
        legend=[*([f"{ends_of(resampling)}."] if has_intervals else []), marks],
        notes=[],
        records=map(_record, records),
        settings={"coefficient": coefficient, "grouping": grouping or ""},
    )


def _record(record: ReferenceCount) -> dict[str, object]:
    fields = asdict(record)
    fields["ci"] = fields.pop("interval")
    return fields


def _table(caption: str, records: Sequence[ReferenceCount], decimals: int) -> Table:
    """One row per metric, and a group of columns per number of references."""
    names = list(dict.fromkeys((record.metric, record.set) for record in records))
    columns = [
        column
        for size in dict.fromkeys(record.n_references for record in records)
        for column in _columns([r for r in records if r.n_references == size], decimals)
    ]
    return Table(caption, *metric_rows(names), tuple(columns))


def _columns(records: Sequence[ReferenceCount], decimals: int) -> Iterator[Column]:
    group = count(records[0].n_references, "reference")
    yield Column(
        (count(records[0].n_choices, "choice"),),
        tuple(Cell((number(r.value, decimals),), MARKS[r.mark]) for r in records),
        group,
    )
    if any(record.interval for record in records):
        low, high = zip(*(ends(record.interval, decimals) for record in records), strict=True)
        yield Column.of("L", low, group)
        yield Column.of("U", high, group)
