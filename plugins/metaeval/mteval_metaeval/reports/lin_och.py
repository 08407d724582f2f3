"""The table of Lin and Och: metrics down, ways of preparing the texts across."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mteval_core.report import Column, Meaning, Table
from mteval_metaeval.experiments import WITHOUT_OUTLIERS
from mteval_metaeval.reports.correlation import (
    correlation_columns,
    correlation_record,
    ends_of,
    intervals_drawn,
)
from mteval_metaeval.reports.findings import COEFFICIENTS, SETS, study_report
from mteval_metaeval.reports.numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Report
    from mteval_metaeval.human_performance import HumanPerformance
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
    *,
    people: Sequence[HumanPerformance] = (),
) -> Report:
    """Report correlations over systems, with one table per criterion, and human performance."""
    correlations, notes = results
    records = [correlation_record(record, "system") for record in correlations]
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
        ]
        + ([_people(people, _sets(study), decimals)] if people else []),
        legend=_legend(study, correlations, resampling),
        notes=notes,
        records=[*records, *({"level": "human", **asdict(one)} for one in people)],
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


def _people(people: Sequence[HumanPerformance], sets: Sequence[str], decimals: int) -> Table:
    """Scores of people and of systems: metrics down, versions of the text across."""
    at = {(one.metric, one.set): one for one in people}
    metrics = list(dict.fromkeys(one.metric for one in people))
    columns = [
        Column.of(
            title,
            (
                number(getattr(at[metric, name], key), decimals) if (metric, name) in at else ""
                for metric in metrics
            ),
            SETS.get(name, name),
        )
        for name in sets
        for title, key in (("human", "human"), ("lowest", "lowest"), ("highest", "highest"))
    ]
    caption = "Human performance (mean of the references against the others), and systems"
    return Table(caption, ("metric",), tuple((m,) for m in metrics), tuple(columns))


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
