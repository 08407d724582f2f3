"""Several tasks at once, as the metrics task of WMT: language pairs, levels, coefficients.

References
----------
Freitag et al. 2023, "Results of WMT23 metrics shared task" (average correlation over tasks, ranks).
Kocmi et al. 2021, "To ship or not to ship" (accuracy over the system pairs of all languages).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import UsageError, in_threads
from mteval_metaeval.contests import Comparison, Contest, contest_of
from mteval_metaeval.correlation import pairwise_accuracy
from mteval_metaeval.ranking import Ranking, corrected_comparisons, ranks_of
from mteval_metaeval.resampling import Resampling, quiet
from mteval_metaeval.significance import SIGNIFICANT, Trials

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_metaeval.contests import ContestCoefficient, Permutation
    from mteval_metaeval.ranking import Correction
    from mteval_metaeval.resampling import Bar
    from mteval_metaeval.segments import Grouping
    from mteval_metaeval.study import Study

    Array = NDArray[np.float64]
    Pair = tuple[str, str]

__all__ = ["AVERAGE", "POOLED", "Task", "TaskRankings", "rank_over_tasks"]

AVERAGE = "average correlation"
POOLED = "pooled pairwise accuracy"


@dataclass(frozen=True, kw_only=True)
class Task:
    """One coefficient of the metrics on one study.

    Parameters
    ----------
    name : str
        Name of the task.
    study : Study
        Metrics and one human score.
    coefficient : str
        The coefficient, see `rank_metrics`.
    grouping : {"none", "item", "system"}, optional
        Compare on segments, grouped this way. Default: compare on systems.
    """

    name: str
    study: Study
    coefficient: ContestCoefficient = "pearson"
    grouping: Grouping | None = None


@dataclass(frozen=True, kw_only=True)
class TaskRankings:
    """Ranks of metrics in each task and over all tasks.

    Parameters
    ----------
    tasks : tuple of Ranking
        One for each task; the criterion is the name of the task.
    average : Ranking
        By the mean of the coefficients of all tasks, of the metrics that all tasks have.
    pooled : Ranking or None
        By the share of pairs of systems in the right order, over the pairs of all studies that
        have a task of systems; None without such a task. A pair that humans and metric tie is
        right, one that only one of them ties is wrong. The metrics are those of all these tasks.
    average_ranks : mapping of str to float
        Mean over the tasks of the rank of each metric; NaN if it has no rank in a task, as a metric
        that the task does not have.
    """

    tasks: tuple[Ranking, ...]
    average: Ranking
    pooled: Ranking | None
    average_ranks: Mapping[str, float]


def rank_over_tasks(
    tasks: Sequence[Task],
    *,
    resampling: Resampling | None = None,
    test: Permutation = "perm-systems",
    correct: Correction = "none",
    alpha: float = SIGNIFICANT,
    bar: Bar = quiet,
) -> TaskRankings:
    """Rank metrics in several tasks and over all of them.

    Parameters
    ----------
    tasks : sequence of Task
        Tasks with two metrics or more. A metric may lack some tasks.
    resampling : Resampling, optional
        Its ``n`` is the number of trials. Default: 1000.
    test : {"perm-systems", "perm-both"}
        What is exchanged in tasks of systems: the scores of whole systems (PERM-SYS), or those of
        all segments (PERM-BOTH), as at WMT 2024. In tasks of segments, it is PERM-BOTH.
    correct : {"none", "holm", "bh"}
        Correction for the number of pairs of metrics; WMT corrects nothing.
    alpha : float
        p-values below this are significant.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    TaskRankings

    Raises
    ------
    UsageError
        If there is no task, two tasks have one name, or a task has several human scores or a single
        metric.

    Notes
    -----
    All differences are tested one-sided. A trial exchanges scores of two metrics in every task, and
    its difference over all tasks is the mean of those of the tasks. For the pooled accuracy, tasks
    are weighted by their pairs of systems.
    """
    from threadpoolctl import threadpool_limits

    _check(tasks, test)
    resampling = resampling or Resampling()
    contests = [_contest(task, resampling, t) for t, task in enumerate(tasks)]
    of_systems = {id(task.study): task for task in tasks if task.grouping is None}
    pooled = [
        _contest(task, resampling, t, pooled=True) for t, task in enumerate(of_systems.values())
    ]
    names = sorted({name for contest in contests for name in contest.names})
    pairs = list(combinations(names, 2))

    def test_of(contest: Contest) -> Permutation:
        return test if contest.grouping is None else "perm-both"

    def exchanged(a: str, b: str) -> list[Trials | None]:
        return [
            contest.exchanged_by(
                test_of(contest), 0, contest.names.index(a), contest.names.index(b)
            )
            if a in contest.names and b in contest.names
            else None
            for contest in (*contests, *pooled)
        ]

    # In products this small, BLAS threads only wait for each other.
    with threadpool_limits(1, user_api="blas"):
        drawn = in_threads(exchanged, bar(pairs, len(pairs)), resampling.threads)
    trials = dict(zip(pairs, drawn, strict=True))

    def over(head: Ranking, first: int, some: list[Contest], weights: Array) -> Ranking:
        """Rank the metrics that are in all of some contests, the first of which has this place."""
        common = [name for name in names if all(name in contest.names for contest in some)]
        values = [c.values[0, [c.names.index(name) for name in common]] for c in some]
        places = slice(first, first + len(some))
        joined = {
            pair: _joined([one for one in trials[pair][places] if one], weights, resampling.n)
            for pair in combinations(common, 2)
        }
        return _ranked(replace(head, metrics=tuple(common)), _mean(values, weights), joined, alpha)

    tests = [test_of(contest) for contest in contests]
    rankings = []
    for t, (task, contest) in enumerate(zip(tasks, contests, strict=True)):
        head = replace(
            _head(task.name, task.coefficient, tests[t], correct),
            grouping=task.grouping or "",
            metrics=tuple(contest.names),
        )
        of_task = {pair: each for pair in pairs if (each := trials[pair][t])}
        rankings.append(_ranked(head, contest.values[0], of_task, alpha))
    ones = np.ones(len(tasks))
    n_pairs = np.array([math.comb(len(contest.study.systems), 2) for contest in pooled], np.float64)
    average = _head("all tasks", AVERAGE, ", ".join(dict.fromkeys(tests)), correct)
    all_systems = _head("all systems", POOLED, test, correct)
    return TaskRankings(
        tasks=tuple(rankings),
        average=over(average, 0, contests, ones),
        pooled=over(all_systems, len(contests), pooled, n_pairs) if pooled else None,
        average_ranks=_average_ranks(names, rankings),
    )


def _check(tasks: Sequence[Task], test: Permutation) -> None:
    """Raise a `UsageError` if the tasks do not go together."""
    if not tasks:
        raise UsageError("no tasks; expected one or more")
    seen: set[str] = set()
    for task in tasks:
        if task.name in seen:
            raise UsageError(f"two tasks are named {task.name!r}; expected different names")
        seen.add(task.name)
        if task.grouping is not None or test == "perm-both":
            task.study.need_items(f"the task {task.name}")
        criteria = [criterion.name for criterion in task.study.criteria]
        if len(criteria) != 1:
            raise UsageError(
                f"task {task.name}: expected one human score, got {', '.join(criteria)}"
            )
        metrics = {measure.name for measure in task.study.measures}
        if len(metrics) < 2 or len(task.study.measures) != len(metrics):
            raise UsageError(
                f"task {task.name}: expected two metrics or more, without sets of texts; got "
                f"{', '.join(measure.name for measure in task.study.measures)}"
            )


def _contest(task: Task, resampling: Resampling, t: int, *, pooled: bool = False) -> Contest:
    """Prepare the metrics of a task, in the order of their names, for independent exchanges."""
    seed = int(np.random.SeedSequence([resampling.seed, t]).generate_state(1)[0])
    measures = sorted(task.study.measures, key=lambda measure: measure.name)
    study = replace(task.study, measures=tuple(measures))
    own = replace(resampling, seed=seed)
    if pooled:
        return Contest(study, "pearson", None, resampling=own, function=pairwise_accuracy)
    return contest_of(study, task.coefficient, task.grouping, resampling=own, alternative="greater")


def _mean(values: Sequence[Array], weights: Array) -> Array:
    """Average values of tasks; NaN if one is NaN."""
    mean: Array = np.average(np.stack(values), axis=0, weights=weights)
    return mean


def _joined(trials: Sequence[Trials], weights: Array, n: int) -> Trials:
    """Average the differences of two metrics over tasks, trial by trial."""
    observed = _mean([np.array(each.observed) for each in trials], weights)
    if math.isnan(float(observed)):
        return Trials(math.nan, np.empty(0), exact=False)
    rng = np.random.default_rng(n)
    # The ways of exchanging in a small task are enumerated: draw from them.
    differences = [
        rng.choice(each.differences, n) if each.exact else each.differences for each in trials
    ]
    return Trials(float(observed), _mean(differences, weights), exact=False)


def _head(name: str, coefficient: str, test: str, correct: Correction) -> Ranking:
    """Make a ranking that still lacks its metrics."""
    return Ranking(
        criterion=name,
        coefficient=coefficient,
        grouping="",
        test=test,
        alternative="greater",
        correction=correct,
        metrics=(),
        values=(),
        ranks=(),
        comparisons=(),
    )


def _ranked(head: Ranking, values: Array, trials: Mapping[Pair, Trials], alpha: float) -> Ranking:
    """Sort metrics by their values, and rank them by tests of all pairs."""
    descending = np.where(np.isnan(values), np.inf, -values)
    order = np.argsort(descending, kind="stable").tolist()
    comparisons = []
    for i, j in combinations(order, 2):
        sign, (first, second) = (1, (i, j)) if i < j else (-1, (j, i))
        pair = head.metrics[first], head.metrics[second]
        observed, differences, exact = trials[pair]
        p = Trials(sign * observed, sign * differences, exact).p_value("greater")
        comparisons.append(Comparison(head.metrics[i], head.metrics[j], sign * observed, p))
    corrected = corrected_comparisons(comparisons, head.correction)  # type: ignore[arg-type]
    ordered = values[order].tolist()
    return replace(
        head,
        metrics=tuple(head.metrics[k] for k in order),
        values=tuple(ordered),
        ranks=ranks_of(ordered, corrected, alpha),
        comparisons=tuple(corrected),
    )


def _average_ranks(names: Sequence[str], rankings: Sequence[Ranking]) -> dict[str, float]:
    """Average the ranks of each metric over the tasks."""
    ranks = [dict(zip(ranking.metrics, ranking.ranks, strict=True)) for ranking in rankings]
    of_names = {name: [of_task.get(name) for of_task in ranks] for name in names}
    return {
        name: math.nan if None in given else float(np.mean([rank or 0 for rank in given]))
        for name, given in of_names.items()
    }
