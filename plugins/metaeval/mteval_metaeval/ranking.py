"""Tests of all pairs of metrics, and ranks as WMT prints them.

References
----------
See `mteval_metaeval.significance`, which has the tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core import correct_p_values, in_threads
from mteval_metaeval.contests import contest_of
from mteval_metaeval.notes import SegmentMeans
from mteval_metaeval.resampling import Resampling, quiet
from mteval_metaeval.significance import SIGNIFICANT, clusters
from mteval_metaeval.soft_accuracy import SOFT, incomplete

if TYPE_CHECKING:
    from mteval_metaeval.contests import Comparison, ContestCoefficient, Test
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Bar
    from mteval_metaeval.segments import Grouping
    from mteval_metaeval.significance import Alternative
    from mteval_metaeval.study import Study

__all__ = ["Correction", "Ranking", "corrected_comparisons", "rank_metrics", "ranks_of"]

Correction = Literal["holm", "bh", "none"]


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Metrics in descending order of their coefficient with one criterion.

    Parameters
    ----------
    criterion : str
        The human score.
    coefficient : str
        The coefficient.
    grouping : str
        For segments, which outputs are compared with each other; empty for systems.
    test : str
        The test, as `rank_metrics` names it; of several tasks, their tests.
    alternative : {"greater", "two-sided"}
        One-sided or two-sided.
    correction : {"holm", "bh", "none"}
        Correction for the number of pairs.
    metrics : tuple of str
        The metrics.
    values : tuple of float
        Their coefficients.
    ranks : tuple of (int or None)
        Ranks from 1, see `mteval_metaeval.significance.clusters`; None without a coefficient.
    comparisons : tuple of Comparison
        All pairs, in the order of the metrics.
    """

    criterion: str
    coefficient: str
    grouping: str
    test: str
    alternative: Alternative
    correction: str
    metrics: tuple[str, ...]
    values: tuple[float, ...]
    ranks: tuple[int | None, ...]
    comparisons: tuple[Comparison, ...]


def rank_metrics(
    study: Study,
    coefficient: ContestCoefficient = "pearson",
    grouping: Grouping | None = None,
    test: Test | None = None,
    *,
    resampling: Resampling | None = None,
    correct: Correction = "holm",
    alternative: Alternative = "greater",
    alpha: float = SIGNIFICANT,
    bar: Bar = quiet,
) -> tuple[list[Ranking], list[Note]]:
    """Test all pairs of metrics, and rank the metrics.

    Parameters
    ----------
    study : Study
    coefficient : str
        ``pearson``, ``spearman``, ``kendall`` or ``pairwise accuracy``; on systems also ``soft
        pairwise accuracy``, on segments ``calibrated accuracy``.
    grouping : {"none", "item", "system"}, optional
        Compare on segments, grouped this way. Default: compare on systems.
    test : {"williams", "perm-systems", "perm-both", "bootstrap"}, optional
        Williams' test (Pearson of systems or of ungrouped segments only), exchanges of the scores
        of whole systems (PERM-SYS) or output by output (PERM-BOTH), or the paired bootstrap.
        Default: Williams' test where it applies, otherwise PERM-SYS on systems and PERM-BOTH on
        segments.
    resampling : Resampling, optional
        How trials and resamples are drawn. Default: 1000 resamples of the segments.
    correct : {"holm", "bh", "none"}
        Correction for the number of pairs.
    alternative : {"greater", "two-sided"}
        Test whether the better metric is better, or whether the two differ.
    alpha : float
        p-values below this are significant.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    list of Ranking
        One for each criterion.
    list of Note

    Raises
    ------
    UsageError
        If the test does not apply, a name is unknown, or there are fewer than two metrics.
    """
    from threadpoolctl import threadpool_limits

    contest = contest_of(
        study, coefficient, grouping, resampling=resampling or Resampling(), alternative=alternative
    )
    test = test or ("williams" if contest.suits_williams else contest.default_permutation)
    contest.check(test)
    pairs = [(c, i, j) for c, order in enumerate(contest.orders) for i, j in combinations(order, 2)]
    trial = contest.trials[test]
    # In products this small, BLAS threads only wait for each other.
    with threadpool_limits(1, user_api="blas"):
        trials = in_threads(trial, bar(pairs, len(pairs)), contest.resampling.threads)
    comparisons = dict(zip(pairs, trials, strict=True))
    rankings = []
    for c, order in enumerate(contest.orders):
        of_criterion = [comparisons[c, i, j] for i, j in combinations(order, 2)]
        of_criterion = corrected_comparisons(of_criterion, correct)
        values = contest.values[c, order].tolist()
        ranking = Ranking(
            criterion=study.criteria[c].name,
            coefficient=coefficient,
            grouping=grouping or "",
            test=test,
            alternative=alternative,
            correction=correct,
            metrics=tuple(contest.names[k] for k in order),
            values=tuple(values),
            ranks=ranks_of(values, of_criterion, alpha),
            comparisons=tuple(of_criterion),
        )
        rankings.append(ranking)
    notes: list[Note] = [SegmentMeans()] if test == "perm-both" and contest.tests_means else []
    return rankings, [*notes, *(incomplete(study) if coefficient == SOFT else [])]


def corrected_comparisons(comparisons: list[Comparison], correct: Correction) -> list[Comparison]:
    """Correct the p-values; an undefined one stays undefined, and counts as a comparison."""
    raw = [1.0 if math.isnan(one.p_value) else one.p_value for one in comparisons]
    return [
        one if math.isnan(one.p_value) else replace(one, p_value=p)
        for one, p in zip(comparisons, correct_p_values(raw, correct), strict=True)
    ]


def ranks_of(
    values: list[float], comparisons: list[Comparison], alpha: float
) -> tuple[int | None, ...]:
    """Rank metrics by the comparisons of all pairs; None without a coefficient."""
    n = len(values)
    better = np.full((n, n), np.nan)
    better[np.triu_indices(n, 1)] = [one.p_value for one in comparisons]
    return tuple(
        None if math.isnan(value) else rank
        for value, rank in zip(values, clusters(better, alpha), strict=True)
    )
