"""Reports on correlations of metrics with human judgments, and on ranks of metrics."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mteval_core.metaeval.experiments import DIFFERENTIALS, SOFT, WITHOUT_OUTLIERS
from mteval_core.metaeval.segments import CALIBRATED, DRAWN
from mteval_core.report.correlation_tables import Column, Table
from mteval_core.report.findings import (
    COEFFICIENTS,
    DASH,
    MARKS,
    SETS,
    UNITS,
    count,
    ends,
    number,
    of_study,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mteval_core.metaeval.experiments import Correlation, Resampling
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.ranking import Ranking
    from mteval_core.metaeval.study import Study
    from mteval_core.report.findings import Findings

__all__ = ["of_rankings", "of_segments", "of_systems", "of_table"]

SHORT = {"pearson": "P", "spearman": "S", "kendall": "K"}
SHOWN = {
    "pearson": ("Pearson", "r"),
    "spearman": ("Spearman", "rho"),
    "kendall": ("Kendall", "tau"),
    WITHOUT_OUTLIERS: ("no outliers", "r"),
    DIFFERENTIALS: ("differences", "r"),
    "pairwise accuracy": ("accuracy", ""),
    SOFT: ("soft acc.", ""),
    CALIBRATED: ("calibrated", ""),
}
"""Groups of columns and the title of the value, in their order."""


def of_systems(
    study: Study,
    found: tuple[list[Correlation], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
) -> Findings:
    """Correlations over systems: metrics down, coefficients across, a table per criterion."""
    correlations, notes = found
    legend = ["L, U: ends of the interval."] if resampling.n else []
    legend += [
        "Differences: Pearson's coefficient of the score differences of all pairs of systems.",
        "Accuracy: share of pairs of systems in the right order; soft: by p-values of both.",
    ]
    return of_study(
        study,
        resampling,
        "system",
        "Metrics against human judgments of systems",
        _drawn(study, resampling, correlations),
        [
            _coefficients(
                f"System level: {criterion.name}",
                [record for record in correlations if record.criterion == criterion.name],
                decimals,
            )
            for criterion in study.criteria
        ],
        legend,
        notes,
        [_record(record, "system") for record in correlations],
    )


def of_segments(
    study: Study,
    found: tuple[list[Correlation], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
) -> Findings:
    """Correlations over segments: metrics down, coefficients across, a table per grouping."""
    correlations, notes = found
    unit = UNITS[study.unit]
    captions = {
        "none": "all outputs together",
        "item": f"the systems' outputs for one {unit}, mean over {unit}s",
        "system": "the outputs of one system, mean over systems",
    }
    groupings = dict.fromkeys(record.grouping for record in correlations)
    legend = [
        "Accuracy: share of pairs in the right order, human ties to be ties of the metric.",
        "Calibrated: the same when differences of at most eps count as ties, with the best eps.",
    ]
    if any(record.interval for record in correlations):
        drawn = DRAWN[resampling.draw]
        legend = [f"L, U: ends of the interval; only the grouping {drawn} has any.", *legend]
    return of_study(
        study,
        resampling,
        study.unit,
        f"Metrics against human judgments of {unit}s",
        _drawn(study, resampling, correlations),
        [
            _coefficients(
                f"{criterion.name}, grouping {grouping}: {captions[grouping]}",
                [
                    record
                    for record in correlations
                    if (record.criterion, record.grouping) == (criterion.name, grouping)
                ],
                decimals,
            )
            for criterion in study.criteria
            for grouping in groupings
        ],
        legend,
        notes,
        [_record(record, study.unit) for record in correlations],
    )


def _drawn(study: Study, resampling: Resampling, found: Iterable[Correlation]) -> str:
    """Say how intervals were drawn, if there are any, and which way is up."""
    unit = UNITS[study.unit]
    what = {"segments": f"{unit}s", "systems": "systems", "both": f"{unit}s and systems"}
    drawn = (
        f"{resampling.level:g}% intervals from {resampling.n} resamples of "
        f"{what[resampling.draw]}, seed {resampling.seed}"
    )
    if not any(record.interval for record in found):
        drawn = "no intervals"
    return f"; {drawn}. Higher is better in every column, also for error rates."


def _coefficients(caption: str, records: Sequence[Correlation], decimals: int) -> Table:
    """Metrics down, what was computed of each across."""
    by_metric: dict[tuple[str, str], dict[str, Correlation]] = {}
    for record in records:
        by_metric.setdefault((record.metric, record.set), {})[record.quantity] = record
    columns: list[Column] = []
    for quantity, (group, title) in SHOWN.items():
        some = [of_metric.get(quantity) for of_metric in by_metric.values()]
        if any(some):
            columns += _columns(group, title, some, decimals)
    if not any(name for _, name in by_metric):
        return Table(caption, ("metric",), tuple((metric,) for metric, _ in by_metric), columns)
    names = tuple((metric, SETS.get(name, name)) for metric, name in by_metric)
    return Table(caption, ("metric", "set"), names, columns)


def _columns(
    group: str,
    title: str,
    records: Sequence[Correlation | None],
    decimals: int,
    *,
    marks: bool = False,
) -> list[Column]:
    """Give the value and, where any has them, the ends of its interval and the threshold."""
    values = tuple("" if r is None else number(r.value, decimals) for r in records)
    given = tuple("" if r is None else r.mark for r in records) if marks else ()
    columns = [Column(group, title, values, given)]
    if any(r is not None and r.interval is not None for r in records):
        both = [("", "") if r is None else ends(r.interval, decimals) for r in records]
        low, high = zip(*both, strict=True)
        columns += [Column(group, "L", low), Column(group, "U", high)]
    thresholds = [None if r is None else r.epsilon for r in records]
    if any(threshold is not None for threshold in thresholds):
        cells = tuple("" if t is None else number(t, decimals) for t in thresholds)
        columns.append(Column(group, "eps", cells))
    return columns


def _record(correlation: Correlation, level: str) -> dict[str, Any]:
    record = asdict(correlation)
    record["ci"] = record.pop("interval")
    return {"level": level, **record}


def of_table(
    study: Study,
    found: tuple[list[Correlation], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
) -> Findings:
    """Give the table of Lin and Och: metrics down, sets across, a block per criterion."""
    correlations, notes = found
    sets = list(dict.fromkeys(measure.set for measure in study.measures))
    metrics = list(dict.fromkeys(measure.name for measure in study.measures))
    coefficients = [name for name in SHORT if any(r.quantity == name for r in correlations)]
    tables = []
    for criterion in study.criteria:
        at = {
            (r.metric, r.set, r.quantity): r for r in correlations if r.criterion == criterion.name
        }
        columns: list[Column] = []
        for name in sets:
            for coefficient in coefficients:
                some = [at.get((metric, name, coefficient)) for metric in metrics]
                group = SETS.get(name, name)
                columns += _columns(group, SHORT[coefficient], some, decimals, marks=True)
        for name in sets:
            some = [at.get((metric, name, WITHOUT_OUTLIERS)) for metric in metrics]
            if any(some):
                columns += _columns("P without outliers", SETS.get(name, name), some, decimals)
        tables.append(Table(criterion.name, ("metric",), tuple((m,) for m in metrics), columns))
    shown = ", ".join(f"{SHORT[name]} {COEFFICIENTS[name]}" for name in coefficients)
    legend = [
        f"{shown}; L, U: ends of the interval." if resampling.n else f"{shown}.",
        f"{MARKS[0]} of the column, {MARKS[1]} (bootstrap of the difference)"
        if resampling.n
        else f"{MARKS[0]} of the column",
    ]
    if len(study.measures) < len(metrics) * len(sets):
        legend.append("Empty: this way of looking at the texts changes nothing for the metric.")
    return of_study(
        study,
        resampling,
        "table",
        "Correlation of metrics with human judgments",
        _drawn(study, resampling, correlations),
        tables,
        legend,
        notes,
        [_record(record, "system") for record in correlations],
        sets=sets,
    )


TESTS = {
    "williams": "Williams' test",
    "perm-both": "PERM-BOTH permutation test",
    "bootstrap": "paired bootstrap",
}
CORRECTIONS = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "none": "no correction",
}


def of_rankings(
    study: Study,
    found: tuple[list[Ranking], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
    alpha: float = 0.05,
) -> Findings:
    """Ranks of metrics and p-values of all pairs, a table per criterion."""
    rankings, notes = found
    one = rankings[0]
    coefficient = COEFFICIENTS.get(one.coefficient, one.coefficient.capitalize())
    on = f"{UNITS[study.unit]}s, grouping {one.grouping}" if one.grouping else "systems"
    drawn = f", {resampling.n} {'trials' if one.test == 'perm-both' else 'resamples'}, seed "
    summary = (
        f". {coefficient} on {on}; {TESTS[one.test]}, "
        f"{'one' if one.alternative == 'greater' else 'two'}-sided"
        f"{'' if one.test == 'williams' else f'{drawn}{resampling.seed}'}, "
        f"{CORRECTIONS[one.correction]} for {count(math.comb(len(one.metrics), 2), 'pair')}."
    )
    return of_study(
        study,
        resampling,
        "ranking",
        "Which metric is better?",
        summary,
        [_ranks(ranking, coefficient, decimals, alpha) for ranking in rankings],
        [
            "A new rank begins with the first metric that a metric of the rank before is "
            "significantly better than.",
            f"p: how easily chance alone puts the metric so far ahead of that of the line; * at "
            f"most {alpha:g}.",
        ],
        notes,
        map(asdict, rankings),
        alpha=alpha,
    )


def _ranks(ranking: Ranking, coefficient: str, decimals: int, alpha: float) -> Table:
    """One line for each metric: rank, coefficient, and p against every metric further down."""
    p = {(pair.better, pair.worse): pair.p_value for pair in ranking.comparisons}

    def cells(other: str) -> Iterable[str]:
        for metric in ranking.metrics:
            value = p.get((metric, other))
            if value is None:
                yield ""
            else:
                yield (DASH if math.isnan(value) else f"{value:.3f}") + " *"[value <= alpha]

    columns = [
        Column("", "rank", tuple(DASH if k is None else str(k) for k in ranking.ranks)),
        Column("", coefficient, tuple(number(value, decimals) for value in ranking.values)),
        *(
            Column("p against the metric of line", str(line), tuple(cells(other)))
            for line, other in enumerate(ranking.metrics, 1)
            if line > 1
        ),
    ]
    names = tuple((str(line), metric) for line, metric in enumerate(ranking.metrics, 1))
    return Table(ranking.criterion, ("line", "metric"), names, columns)
