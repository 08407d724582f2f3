"""Tests of all pairs of metrics, and ranks as WMT prints them.

References
----------
See `mteval_core.metaeval.significance`, which has the tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import SIGNIFICANT, corrected
from mteval_core.metaeval.correlation import (
    DECIMALS,
    coefficient_named,
    mean_over_groups,
    pearson,
)
from mteval_core.metaeval.exchanges import can_exchange, exchange_of
from mteval_core.metaeval.experiments import SYSTEM_LEVEL
from mteval_core.metaeval.notes import SegmentMeans
from mteval_core.metaeval.resampling import Resampling, quiet, resample
from mteval_core.metaeval.segments import DRAWN, SEGMENT_LEVEL, groups, resampled_means
from mteval_core.metaeval.significance import bootstrap_p, clusters, exchange_trials, williams

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_core.evaluation.intervals import Interval
    from mteval_core.metaeval.correlation import Coefficient
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.resampling import Bar, Resampled
    from mteval_core.metaeval.segments import Grouping, SegmentCoefficient
    from mteval_core.metaeval.significance import After, Alternative, Differences, Trials
    from mteval_core.metaeval.study import Study

__all__ = [
    "TESTS",
    "Comparison",
    "Contest",
    "Correction",
    "Ranking",
    "Test",
    "corrected_comparisons",
    "rank_metrics",
    "ranks_of",
]

Correction = Literal["holm", "bh", "none"]
Test = Literal["williams", "perm-both", "bootstrap"]
TESTS: tuple[Test, ...] = ("williams", "perm-both", "bootstrap")


@dataclass(frozen=True)
class Comparison:
    """One metric against another.

    Parameters
    ----------
    better, worse : str
        The metrics; the one with the higher coefficient is first.
    difference : float
        Difference of the coefficients that the test compares.
    p_value : float
        Probability that chance alone gives a difference this large, corrected for the number of
        comparisons; NaN if the test is not defined.
    interval : Interval or None
        Bootstrap interval of the difference; None for other tests.
    """

    better: str
    worse: str
    difference: float
    p_value: float
    interval: Interval | None = None


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
    test : {"williams", "perm-both", "bootstrap"}
        The test.
    alternative : {"greater", "two-sided"}
        One-sided or two-sided.
    correction : {"holm", "bh", "none"}
        Correction for the number of pairs.
    metrics : tuple of str
        The metrics.
    values : tuple of float
        Their coefficients.
    ranks : tuple of (int or None)
        Ranks from 1, see `mteval_core.metaeval.significance.clusters`; None without a coefficient.
    comparisons : tuple of Comparison
        All pairs, in the order of the metrics.
    """

    criterion: str
    coefficient: str
    grouping: str
    test: Test
    alternative: Alternative
    correction: str
    metrics: tuple[str, ...]
    values: tuple[float, ...]
    ranks: tuple[int | None, ...]
    comparisons: tuple[Comparison, ...]


def rank_metrics(
    study: Study,
    coefficient: SegmentCoefficient = "pearson",
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
    coefficient : {"pearson", "spearman", "kendall", "pairwise accuracy"}
        The coefficient.
    grouping : {"none", "item", "system"}, optional
        Compare on segments, grouped this way. Default: compare on systems.
    test : {"williams", "perm-both", "bootstrap"}, optional
        Williams' test (Pearson of systems or of ungrouped segments only), PERM-BOTH, or the paired
        bootstrap. Default: Williams' test where it applies, otherwise PERM-BOTH.
    resampling : Resampling, optional
        How trials and resamples are drawn. Default: 1000 resamples of the segments.
    correct : {"holm", "bh", "none"}
        Correction for the number of pairs.
    alternative : {"greater", "two-sided"}
        Test whether the better metric is better, or whether the two differ.
    alpha : float
        Largest p-value that is significant.
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
    contest = Contest(
        study, coefficient, grouping, resampling=resampling or Resampling(), alternative=alternative
    )
    test = test or ("williams" if contest.suits_williams else "perm-both")
    contest.check(test)
    pairs = [(c, i, j) for c, order in enumerate(contest.orders) for i, j in combinations(order, 2)]
    trial = contest.trials[test]
    comparisons = {pair: trial(*pair) for pair in bar(pairs, len(pairs))}
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
    segment_means = test == "perm-both" and grouping is None
    return rankings, [SegmentMeans()] if segment_means else []


def corrected_comparisons(comparisons: list[Comparison], correct: Correction) -> list[Comparison]:
    """Correct the p-values; an undefined one stays undefined, and counts as a comparison."""
    raw = [1.0 if math.isnan(one.p_value) else one.p_value for one in comparisons]
    return [
        one if math.isnan(one.p_value) else replace(one, p_value=p)
        for one, p in zip(comparisons, corrected(raw, correct), strict=True)
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


class Contest:
    """Coefficients of all metrics on systems or segments, and the tests of a pair of metrics."""

    def __init__(
        self,
        study: Study,
        coefficient: SegmentCoefficient,
        grouping: Grouping | None,
        *,
        resampling: Resampling,
        alternative: Alternative,
        function: Coefficient | None = None,
    ) -> None:
        if len(study.measures) < 2:
            message = "comparing metrics needs two metrics or more"
            raise UsageError(message)
        by_name = coefficient_named(coefficient, SEGMENT_LEVEL)
        if grouping is None:
            by_name = SYSTEM_LEVEL[coefficient]
        else:
            study.need_items("comparing metrics on segments")
        self.study, self.resampling = study, resampling
        self.grouping: Grouping | None = grouping
        self.coefficient = coefficient
        self.alternative: Alternative = alternative
        self.function: Coefficient = function or by_name
        self.names = [f"{m.name} ({m.set})" if m.set else m.name for m in study.measures]
        self.suits_williams = coefficient == "pearson" and grouping in (None, "none")
        # Scores have the shape (..., n_groups, n); the systems form a single group.
        if grouping is None:
            self.metrics, self.humans = (scores[:, None] for scores in study.totals)
        else:
            self.metrics = groups(study.item_scores, grouping)
            self.humans = groups(study.human_items, grouping)
        # Shape (n_criteria, n_measures, n_groups).
        self.of_groups = self.function(self.metrics[None], self.humans[:, None])
        self.values = mean_over_groups(self.of_groups)

    @property
    def trials(self) -> dict[Test, Callable[[int, int, int], Comparison]]:
        """The tests, as functions of a criterion and two metrics."""
        return {
            "williams": self.williams,
            "perm-both": self.perm_both,
            "bootstrap": self.bootstrap,
        }

    @cached_property
    def orders(self) -> list[list[int]]:
        """For each criterion the metrics in descending order; undefined coefficients are last."""
        descending = np.where(np.isnan(self.values), np.inf, -self.values)
        orders: list[list[int]] = np.argsort(descending, axis=-1, kind="stable").tolist()
        return orders

    def check(self, test: Test) -> None:
        """Raise a `UsageError` if the test does not apply."""
        if test not in TESTS:
            message = f"unknown test {test!r}: expected one of {', '.join(TESTS)}"
            raise UsageError(message)
        if test == "williams" and not self.suits_williams:
            message = (
                "Williams' test is for Pearson's coefficient of systems or of ungrouped segments; "
                "use perm-both or bootstrap here"
            )
            raise UsageError(message)
        if test == "perm-both":
            self.study.need_items("PERM-BOTH")
        if test == "bootstrap" and self.grouping not in (None, DRAWN.get(self.resampling.draw)):
            message = (
                "the bootstrap resamples whole groups: draw segments with the grouping by item, or "
                "systems with the grouping by system; otherwise use perm-both"
            )
            raise UsageError(message)
        if test != "williams" and not self.resampling.n:
            message = f"{test} needs resamples; expected at least 1, got 0"
            raise UsageError(message)

    def williams(self, c: int, i: int, j: int) -> Comparison:
        """Apply Williams' test to the judged systems or outputs."""
        human = self.humans[c].ravel()
        judged = ~np.isnan(human)
        x, y = (self.metrics[k].ravel()[judged] for k in (i, j))
        human = human[judged]
        r12, r13, r23 = (float(pearson(a, b)) for a, b in ((human, x), (human, y), (x, y)))
        p = williams(r12, r13, r23, len(human), alternative=self.alternative).p_value
        return Comparison(self.names[i], self.names[j], r12 - r13, p)

    def perm_both(self, c: int, i: int, j: int) -> Comparison:
        """Exchange the segment scores of the two metrics."""
        trials = self.exchanged(c, i, j)
        p = trials.p_value(self.alternative)
        return Comparison(self.names[i], self.names[j], trials.observed, p)

    def exchanged(self, c: int, i: int, j: int) -> Trials:
        """Compute the differences of the two metrics after exchanges of segment scores."""
        from threadpoolctl import threadpool_limits

        def coefficient(scores: NDArray[np.float64]) -> NDArray[np.float64]:
            if self.grouping is None:
                means = np.round(np.mean(scores, axis=-1), DECIMALS)
                return self.function(means, self.humans[c, 0])
            return mean_over_groups(self.function(groups(scores, self.grouping), self.humans[c]))

        x, y = self.study.item_scores[[i, j]]
        if self.grouping is not None:
            # Outputs that nobody judged must not affect the standardisation.
            x, y = (np.where(np.isnan(self.study.human_items[c]), np.nan, a) for a in (x, y))
        n, seed = self.resampling.n, self.resampling.seed
        # In products this small, BLAS threads only wait for each other.
        with threadpool_limits(1, user_api="blas"):
            after = self._after_exchanges(c)
            return exchange_trials(x, y, coefficient, n=n, seed=seed, after=after)

    def _after_exchanges(self, c: int) -> After | None:
        """Return how to compute differences faster than anew; None if there is no faster way."""
        grouping, coefficient = self.grouping, self.coefficient
        if grouping is None or not can_exchange(coefficient, self.humans[c].shape):
            return None

        def after(x: NDArray[np.float64], y: NDArray[np.float64]) -> Differences:
            x, y = (groups(each, grouping) for each in (x, y))
            exchange = exchange_of(coefficient, x, y, self.humans[c])

            def differences(masks: NDArray[np.bool_]) -> NDArray[np.float64]:
                first, second = exchange(groups(masks, grouping))
                return mean_over_groups(first) - mean_over_groups(second)

            return differences

        return after

    def bootstrap(self, c: int, i: int, j: int) -> Comparison:
        """Resample the difference of the coefficients."""
        first, second = (self.resampled.estimate(float(self.values[c, k]), 0, c, k) for k in (i, j))
        difference = first.minus(second)
        p = bootstrap_p(difference.resamples, difference.value, self.alternative)
        interval = self.resampling.interval_of(difference)
        return Comparison(self.names[i], self.names[j], difference.value, p, interval=interval)

    @cached_property
    def resampled(self) -> Resampled:
        """Resampled coefficients, shape (1, n_criteria, n_measures, n_resamples)."""
        if self.grouping is not None:
            return resampled_means(self.of_groups[None], self.resampling)
        return resample(self.study, [self.function], self.resampling)
