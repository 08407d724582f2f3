"""The table of Lin and Och: metrics down, ways of preparing the texts across."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report import Meaning, Table
from mteval_metaeval.experiments import WITHOUT_OUTLIERS
from mteval_metaeval.reports.correlation import (
    correlation_columns,
    correlation_record,
    ends_of,
    intervals_drawn,
)
from mteval_metaeval.reports.findings import COEFFICIENTS, SETS, study_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Report
    from mteval_core.report import Column
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.results import Correlation
    from mteval_metaeval.study import Study

__all__ = ["of_table"]

SHORT = {"pearson": "P", "spearman": "S", "kendall": "K"}


def of_table(
    study: Study,
    results: tuple[list[Correlation], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
) -> Report:
    """Report correlations over systems, with one table per criterion."""
    correlations, notes = results
    return study_report(
        study,
        resampling,
        experiment="table",
        title="Correlation of metrics with human judgments",
        summary=intervals_drawn(study, resampling, correlations),
        parts=[
            _table(
                study,
                criterion.name,
                [record for record in correlations if record.criterion == criterion.name],
                decimals,
            )
            for criterion in study.criteria
        ],
        legend=_legend(study, correlations, resampling),
        notes=notes,
        records=[correlation_record(record, "system") for record in correlations],
        settings={"sets": _sets(study)},
    )


def _sets(study: Study) -> list[str]:
    return list(dict.fromkeys(measure.set for measure in study.measures))


def _metrics(study: Study) -> list[str]:
    return list(dict.fromkeys(measure.name for measure in study.measures))


def _coefficients(correlations: Sequence[Correlation]) -> list[str]:
    """Coefficients that were computed, in the order of the table."""
    computed = {record.quantity for record in correlations}
    return [name for name in SHORT if name in computed]


def _table(
    study: Study, criterion: str, correlations: Sequence[Correlation], decimals: int
) -> Table:
    """Coefficients under each set, then the coefficients without outliers."""
    at = {(record.metric, record.set, record.quantity): record for record in correlations}
    metrics, sets = _metrics(study), _sets(study)
    columns: list[Column] = []
    for name in sets:
        for coefficient in _coefficients(correlations):
            heads = (SETS.get(name, name), SHORT[coefficient])
            of_metrics = [at.get((metric, name, coefficient)) for metric in metrics]
            columns += correlation_columns(heads, of_metrics, decimals, marks=True)
    for name in sets:
        of_metrics = [at.get((metric, name, WITHOUT_OUTLIERS)) for metric in metrics]
        if any(of_metrics):
            heads = ("P without outliers", SETS.get(name, name))
            columns += correlation_columns(heads, of_metrics, decimals)
    return Table(criterion, ("metric",), tuple((m,) for m in metrics), tuple(columns))


def _legend(
    study: Study, correlations: Sequence[Correlation], resampling: Resampling
) -> list[str | list[Meaning]]:
    names = [f"{SHORT[name]} {COEFFICIENTS[name]}" for name in _coefficients(correlations)]
    ends = f"; {ends_of(resampling)}" if resampling.n else ""
    best = [Meaning("best of the column", "best")]
    if resampling.n:
        test = "not significantly different from the best (bootstrap of the difference)"
        best.append(Meaning(test, "equal"))
    legend: list[str | list[Meaning]] = [f"{', '.join(names)}{ends}.", best]
    if len(study.measures) < len(_metrics(study)) * len(_sets(study)):
        empty = "Empty: preparing the texts in this way changes nothing for the metric."
        legend.append(empty)
    return legend
