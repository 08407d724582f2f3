"""The table of Lin and Och: metrics and humans down, ways of preparing the texts across."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, get_args

from mteval_core.report import Column, Meaning, Table
from mteval_metaeval.experiments import WITHOUT_OUTLIERS
from mteval_metaeval.human_performance import Group
from mteval_metaeval.reports.correlation import (
    correlation_columns,
    correlation_record,
    ends_of,
    intervals_drawn,
)
from mteval_metaeval.reports.findings import COEFFICIENTS, SETS, study_report
from mteval_metaeval.reports.numbers import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import Report
    from mteval_metaeval.human_performance import Performance
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.results import Correlation
    from mteval_metaeval.study import Study

__all__ = ["of_table"]

SHORT = {"pearson": "P", "spearman": "S", "kendall": "K"}

OF_HUMANS = (
    "Scores of humans: each reference is scored against the others. For error rates, lower scores "
    "are better."
)


def of_table(
    study: Study,
    results: tuple[list[Correlation], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
    *,
    scores: Sequence[Performance] = (),
) -> Report:
    """Report correlations over systems, one table per criterion; scores of humans have own rows."""
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
                scores=scores,
            )
            for criterion in study.criteria
        ],
        legend=[*_legend(study, correlations, resampling), *[OF_HUMANS] * bool(scores)],
        notes=notes,
        records=[*records, *({"level": "scores", **asdict(one)} for one in scores)],
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
    study: Study,
    criterion: str,
    correlations: Sequence[Correlation],
    decimals: int,
    *,
    scores: Sequence[Performance],
) -> Table:
    """Coefficients and scores under each set, then the coefficients without outliers."""
    at = {(record.metric, record.set, record.quantity): record for record in correlations}
    score_at = {((one.metric, one.of), one.set): one for one in scores}
    scored, groups = {one.metric for one in scores}, get_args(Group)
    rows = [(m, of) for m in _metrics(study) for of in groups[: 1 + (m in scored)]]

    def of_systems(name: str, quantity: str) -> list[Correlation | None]:
        return [at.get((m, name, quantity)) if of == "systems" else None for m, of in rows]

    columns: list[Column] = []
    for name in _sets(study):
        group = SETS.get(name, name)
        for coefficient in _coefficients(correlations):
            heads = group, SHORT[coefficient]
            columns += correlation_columns(
                heads, of_systems(name, coefficient), decimals, marks=True
            )
        if scores:
            columns += _scores([score_at.get((row, name)) for row in rows], group, decimals)
    for name in _sets(study):
        without = of_systems(name, WITHOUT_OUTLIERS)
        if any(without):
            heads = ("P without outliers", SETS.get(name, name))
            columns += correlation_columns(heads, without, decimals)
    if not scores:
        return Table(criterion, ("metric",), tuple((m,) for m, _ in rows), tuple(columns))
    return Table(criterion, ("metric", "scores of"), tuple(rows), tuple(columns))


def _scores(scores: Sequence[Performance | None], group: str, decimals: int) -> Iterator[Column]:
    """Columns of the mean, the lowest and the highest score; empty where there are none."""
    for title in ("mean", "lowest", "highest"):
        cells = ["" if one is None else number(getattr(one, title), decimals) for one in scores]
        yield Column.of(title, cells, group)


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
