"""Reports on several tasks: all metrics over all tasks in one table, then a table for each task."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_core.report import Column, Table
from mteval_metaeval.reports.findings import human_inputs
from mteval_metaeval.reports.notes import sentence
from mteval_metaeval.reports.numbers import DASH, count, number
from mteval_metaeval.reports.ranking import (
    CORRECTIONS,
    RANKS,
    TESTS,
    coefficient_of,
    ranking_record,
    ranking_table,
)
from mteval_metaeval.significance import SIGNIFICANT
from mteval_metaeval.soft_accuracy import SOFT, incomplete

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_metaeval.ranking import Ranking
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.tasks import Task, TaskRankings

__all__ = ["of_tasks"]

POOLED = (
    "Pooled: share of pairs of systems in the right order, over the pairs of all tasks of systems; "
    "a pair that humans and metric tie is right (the accuracy of a task leaves it out)."
)


def of_tasks(
    tasks: Sequence[Task], rankings: TaskRankings, resampling: Resampling, decimals: int = 3
) -> Report:
    """Report ranks of metrics over all tasks and in each of them."""
    overall = [rankings.average, *([rankings.pooled] if rankings.pooled else [])]
    any_soft = any(task.coefficient == SOFT for task in tasks)
    names = [TESTS[name].partition(" ")[0] for name in rankings.average.test.split(", ")]
    tests = f"{' and '.join(names)} permutation {'tests' if len(names) > 1 else 'test'}"
    correction = CORRECTIONS[rankings.average.correction]
    return Report.of(
        experiment="tasks",
        title="Metrics over several tasks",
        summary=f"{count(len(tasks), 'task')}; {tests}, one-sided, "
        f"{resampling.n} trials, seed {resampling.seed}, {correction}.",
        parts=[
            _overall(rankings, decimals),
            *(
                ranking_table(ranking, coefficient_of(ranking), decimals, SIGNIFICANT)
                for ranking in (*overall, *rankings.tasks)
            ),
        ],
        records=[
            {"level": "overall", **ranking_record(rankings.average, soft=any_soft)},
            *({"level": "overall", **ranking_record(ranking)} for ranking in overall[1:]),
            {"level": "overall", "average_ranks": dict(rankings.average_ranks)},
            *({"level": "task", **ranking_record(ranking)} for ranking in rankings.tasks),
        ],
        inputs={
            task.name: {**task.study.inputs, **human_inputs(task.study.judgments)} for task in tasks
        },
        legend=[
            "Metrics by average correlation over the tasks. Before each value: its rank.",
            RANKS,
            *([POOLED] if rankings.pooled else []),
        ],
        notes=list(_notes(tasks)),
        settings={
            "n": resampling.n,
            "seed": resampling.seed,
            "correction": rankings.average.correction,
            "alpha": SIGNIFICANT,
            "tasks": [task.name for task in tasks],
        },
        signatures=_signatures(tasks),
    )


def _notes(tasks: Sequence[Task]) -> Iterator[str]:
    """Say to which tasks a note applies; those on one study have the same notes."""
    of_notes: dict[str, list[str]] = {}
    for task in tasks:
        soft = incomplete(task.study) if task.coefficient == SOFT else []
        for note in (*task.study.notes, *soft):
            of_notes.setdefault(sentence(note), []).append(task.name)
    for text, names in of_notes.items():
        yield text if len(names) == len(tasks) else f"{', '.join(names)}: {text}"


def _signatures(tasks: Sequence[Task]) -> Iterator[str]:
    """Write the signature of each metric once; values that differ between tasks are joined by /."""
    alike: dict[tuple[str, ...], list[list[str]]] = {}
    for task in tasks:
        for measure in task.study.measures:
            fields = measure.signature.split("|")
            keys = (measure.name, *(field.partition(":")[0] for field in fields))
            alike.setdefault(keys, []).append(fields)
    for found in alike.values():
        joined = []
        for field in zip(*found, strict=True):
            key, _, _ = field[0].partition(":")
            values = dict.fromkeys(one.removeprefix(f"{key}:") for one in field)
            joined.append(field[0] if len(values) == 1 else f"{key}:{'/'.join(values)}")
        yield "|".join(joined)


def _overall(rankings: TaskRankings, decimals: int) -> Table:
    """One line per metric: average rank and correlation, pooled accuracy, and every task."""
    others = [name for name in rankings.average_ranks if name not in rankings.average.metrics]
    metrics = [*rankings.average.metrics, *others]
    ranks = [number(rankings.average_ranks[metric], 1) for metric in metrics]
    columns = [
        Column.of("rank", ranks, "average"),
        *_columns(rankings.average, metrics, ("average", "correlation"), decimals),
    ]
    if rankings.pooled:
        columns += _columns(rankings.pooled, metrics, ("all systems", "pooled"), decimals)
    for ranking in rankings.tasks:
        heads = ranking.criterion, coefficient_of(ranking)
        columns += _columns(ranking, metrics, heads, decimals)
    return Table("All tasks", ("metric",), tuple((metric,) for metric in metrics), tuple(columns))


def _columns(
    ranking: Ranking, metrics: Sequence[str], heads: tuple[str, str], decimals: int
) -> list[Column]:
    """Rank and value of each metric."""
    group, title = heads
    values = dict(zip(ranking.metrics, ranking.values, strict=True))
    ranks = dict(zip(ranking.metrics, ranking.ranks, strict=True))
    shown = [DASH if (rank := ranks.get(metric)) is None else str(rank) for metric in metrics]
    return [
        Column.of("", shown, group),
        Column.of(
            title, (number(values.get(metric, math.nan), decimals) for metric in metrics), group
        ),
    ]
