"""Comparisons of two metrics: coefficients of all metrics, and tests of each pair.

References
----------
Deutsch, Foster and Freitag 2023, "Ties matter" (calibrated accuracy).
Thompson et al. 2024, "Improving statistical significance in human evaluation of automatic metrics
via soft pairwise accuracy".
Freitag et al. 2024, "Are LLMs breaking MT metrics? Results of the WMT24 metrics shared task" (both
coefficients as tasks).
See `mteval_metaeval.significance`, which has the tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core import Estimate, UsageError
from mteval_metaeval.correlation import (
    DECIMALS,
    coefficient_named,
    mean_over_groups,
    pearson,
)
from mteval_metaeval.exchanges import AFTER_EXCHANGES
from mteval_metaeval.experiments import SYSTEM_LEVEL
from mteval_metaeval.lead_p_values import normal_p_table, normal_p_values
from mteval_metaeval.missing import standardized
from mteval_metaeval.resampling import resample
from mteval_metaeval.segments import (
    CALIBRATED,
    DRAWN,
    SEGMENT_LEVEL,
    SegmentCoefficient,
    groups,
    pair_results,
    resampled_means,
    tie_calibration,
)
from mteval_metaeval.significance import (
    Trials,
    bootstrap_p,
    exchange_trials,
    exchanges,
    williams,
)
from mteval_metaeval.soft_accuracy import SOFT, soft_estimates, soft_pairwise_accuracy

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_core import Interval
    from mteval_metaeval.correlation import Coefficient
    from mteval_metaeval.resampling import Resampled, Resampling
    from mteval_metaeval.segments import Grouping
    from mteval_metaeval.significance import After, Alternative, Differences
    from mteval_metaeval.study import Study

__all__ = [
    "TESTS",
    "Comparison",
    "Contest",
    "ContestCoefficient",
    "Permutation",
    "Test",
    "contest_of",
]

Test = Literal["williams", "perm-systems", "perm-both", "bootstrap"]
TESTS: tuple[Test, ...] = ("williams", "perm-systems", "perm-both", "bootstrap")

Permutation = Literal["perm-systems", "perm-both"]
"""A test that exchanges scores of two metrics: of whole systems, or output by output."""

ContestCoefficient = Literal[SegmentCoefficient, "soft pairwise accuracy", "calibrated accuracy"]


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


def contest_of(
    study: Study,
    coefficient: ContestCoefficient,
    grouping: Grouping | None,
    *,
    resampling: Resampling,
    alternative: Alternative,
) -> Contest:
    """Prepare a contest of the metrics of a study; see `rank_metrics` for the parameters."""
    kinds: dict[str, type[Contest]] = {SOFT: SoftContest, CALIBRATED: CalibratedContest}
    kind = kinds.get(coefficient, Contest)
    return kind(study, coefficient, grouping, resampling=resampling, alternative=alternative)


class Contest:
    """Coefficients of all metrics on systems or segments, and the tests of a pair of metrics."""

    def __init__(
        self,
        study: Study,
        coefficient: ContestCoefficient,
        grouping: Grouping | None,
        *,
        resampling: Resampling,
        alternative: Alternative = "greater",
        function: Coefficient | None = None,
    ) -> None:
        if grouping is not None:
            study.need_items("comparing metrics on segments")
        self.study: Study = study
        if coefficient == SOFT:
            resampling = replace(resampling, interval=resampling.kind(SOFT))
        self.resampling: Resampling = resampling
        self.grouping: Grouping | None = grouping
        self.coefficient: ContestCoefficient = coefficient
        self.alternative: Alternative = alternative
        self.given: Coefficient | None = function
        self.names: list[str] = [f"{m.name} ({m.set})" if m.set else m.name for m in study.measures]
        self.suits_williams: bool = coefficient == "pearson" and grouping in (None, "none")
        self.tests_means: bool = grouping is None
        self.values: NDArray[np.float64] = self.compute_values()

    @cached_property
    def function(self) -> Coefficient:
        """From scores of shape (..., n) to coefficients of shape (...)."""
        by_name = coefficient_named(self.coefficient, SEGMENT_LEVEL)
        return self.given or (SYSTEM_LEVEL[self.coefficient] if self.grouping is None else by_name)

    def compute_values(self) -> NDArray[np.float64]:
        """Compute the coefficients of all metrics, shape (n_criteria, n_measures)."""
        # Scores have the shape (..., n_groups, n); the systems form a single group.
        if self.grouping is None:
            self.metrics, self.humans = (scores[:, None] for scores in self.study.totals)
        else:
            self.metrics = groups(self.study.item_scores, self.grouping)
            self.humans = groups(self.study.human_items, self.grouping)
        # Shape (n_criteria, n_measures, n_groups).
        self.of_groups = self.function(self.metrics[None], self.humans[:, None])
        return mean_over_groups(self.of_groups)

    @property
    def trials(self) -> dict[Test, Callable[[int, int, int], Comparison]]:
        """The tests, as functions of a criterion and two metrics."""
        return {
            "williams": self.williams,
            "perm-systems": partial(self.permutation, "perm-systems"),
            "perm-both": partial(self.permutation, "perm-both"),
            "bootstrap": self.bootstrap,
        }

    @property
    def default_permutation(self) -> Permutation:
        """What is exchanged unless something is chosen: systems if these are compared."""
        return "perm-systems" if self.grouping is None else "perm-both"

    @cached_property
    def orders(self) -> list[list[int]]:
        """For each criterion the metrics in descending order; undefined coefficients are last."""
        descending = np.where(np.isnan(self.values), np.inf, -self.values)
        orders: list[list[int]] = np.argsort(descending, axis=-1, kind="stable").tolist()
        return orders

    def check(self, test: Test) -> None:
        """Raise a `UsageError` if the test does not apply."""
        if len(self.names) < 2:
            raise UsageError("comparing metrics needs two metrics or more")
        if test not in TESTS:
            raise UsageError(f"unknown test {test!r}: expected one of {', '.join(TESTS)}")
        if test == "williams" and not self.suits_williams:
            raise UsageError(
                "Williams' test is for Pearson's coefficient of systems or of ungrouped segments; "
                "use bootstrap, or perm-systems on systems and perm-both on segments"
            )
        if test == "perm-systems" and self.grouping is not None:
            raise UsageError(
                "perm-systems compares coefficients over systems; use perm-both on segments"
            )
        if test == "perm-both":
            self.study.need_items("PERM-BOTH")
        if test == "perm-both":
            self.study.need_units_without_context("exchanged")
        if test == "bootstrap" and self.grouping == "item":
            self.study.need_units_without_context()
        if test == "bootstrap" and self.grouping not in (None, DRAWN.get(self.resampling.draw)):
            raise UsageError(
                "the bootstrap resamples whole groups: draw segments with the grouping by item, or "
                "systems with the grouping by system; otherwise use perm-both"
            )
        if test != "williams" and not self.resampling.n:
            raise UsageError(f"{test} needs resamples; expected at least 1, got 0")

    def williams(self, c: int, i: int, j: int) -> Comparison:
        """Apply Williams' test to the judged systems or outputs."""
        human = self.humans[c].ravel()
        judged = ~np.isnan(human)
        x, y = (self.metrics[k].ravel()[judged] for k in (i, j))
        human = human[judged]
        r12, r13, r23 = (float(pearson(a, b)) for a, b in ((human, x), (human, y), (x, y)))
        p = williams(r12, r13, r23, len(human), alternative=self.alternative).p_value
        return Comparison(self.names[i], self.names[j], r12 - r13, p)

    def permutation(self, test: Permutation, c: int, i: int, j: int) -> Comparison:
        """Exchange the scores of the two metrics."""
        trials = self.exchanged_by(test, c, i, j)
        p = trials.p_value(self.alternative)
        return Comparison(self.names[i], self.names[j], trials.observed, p)

    def exchanged_by(self, test: Permutation, c: int, i: int, j: int) -> Trials:
        """Compute the differences of the two metrics after the exchanges of a test."""
        exchanged = self.exchanged_systems if test == "perm-systems" else self.exchanged
        return exchanged(c, i, j)

    def exchanged_systems(self, c: int, i: int, j: int) -> Trials:
        """Compute the differences of the two metrics after exchanges of whole systems."""
        human = self.humans[c, 0]
        judged = ~np.isnan(human)
        x, y = (self.metrics[k, 0][judged] for k in (i, j))

        def statistic(scores: NDArray[np.float64]) -> NDArray[np.float64]:
            return self.function(scores, human[judged])

        return exchange_trials(x, y, statistic, n=self.resampling.n, seed=self.resampling.seed)

    def exchanged(self, c: int, i: int, j: int) -> Trials:
        """Compute the differences of the two metrics after exchanges of segment scores."""
        from threadpoolctl import threadpool_limits

        def statistic(scores: NDArray[np.float64]) -> NDArray[np.float64]:
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
            return exchange_trials(x, y, statistic, n=n, seed=seed, after=after)

    def _after_exchanges(self, c: int) -> After | None:
        """Return the fast form of the differences after exchanges; None if there is none."""
        grouping, coefficient = self.grouping, self.coefficient
        if grouping is None or coefficient not in AFTER_EXCHANGES:
            return None

        def after(x: NDArray[np.float64], y: NDArray[np.float64]) -> Differences:
            x, y = (groups(each, grouping) for each in (x, y))
            coefficients = AFTER_EXCHANGES[coefficient](x, y, self.humans[c])

            def differences(masks: NDArray[np.bool_]) -> NDArray[np.float64]:
                of_x, of_y = coefficients(groups(masks, grouping))
                return mean_over_groups(of_x) - mean_over_groups(of_y)

            return differences

        return after

    def bootstrap(self, c: int, i: int, j: int) -> Comparison:
        """Resample the difference of the coefficients."""
        first, second = (self.estimate(c, k) for k in (i, j))
        difference = first.minus(second)
        p = bootstrap_p(difference.resamples, difference.value, self.alternative)
        interval = self.resampling.interval_of(difference)
        return Comparison(self.names[i], self.names[j], difference.value, p, interval=interval)

    def estimate(self, c: int, k: int) -> Estimate:
        """Resample the coefficient of a metric."""
        return self.resampled.estimate(float(self.values[c, k]), 0, c, k)

    def estimate_of(self, c: int, k: int, *, resampled: bool) -> Estimate:
        """Return the coefficient of a metric, with resamples or without."""
        if resampled:
            return self.estimate(c, k)
        return Estimate(float(self.values[c, k]), np.empty(0))

    @cached_property
    def resampled(self) -> Resampled:
        """Resampled coefficients, shape (1, n_criteria, n_measures, n_resamples)."""
        if self.grouping is not None:
            return resampled_means(self.of_groups[None], self.resampling)
        return resample(self.study, [self.function], self.resampling)


class SoftContest(Contest):
    """Soft pairwise accuracy of all metrics.

    Values come from permutations of segment scores. To permute them after every exchange would take
    a thousand times as long, so p-values after exchanges come from the normal distribution, as
    those of resamples do.
    """

    def compute_values(self) -> NDArray[np.float64]:
        """Compute the accuracy of all metrics with every criterion."""
        self.study.need_items(SOFT)
        self.study.need_units_without_context("exchanged")
        missing = [bool(np.isnan(scores).any()) for scores in self.study.item_scores]
        if any(missing):
            names = ", ".join(name for name, one in zip(self.names, missing, strict=True) if one)
            raise UsageError(
                f"{SOFT} compares metrics on the same segments, and {names} did not score all: "
                f"leave it out, or give missing segments the worst score (--missing worst)"
            )
        if self.grouping is not None:
            raise UsageError(
                f"{SOFT} compares systems; expected no grouping, got {self.grouping!r}"
            )
        self.tests_means = False
        no_intervals = replace(self.resampling, n=0)
        of_criteria = [
            soft_estimates(self.study, c, no_intervals) for c in range(len(self.study.criteria))
        ]
        return np.array([[one.value for one in of_criterion] for of_criterion in of_criteria])

    @cached_property
    def estimates(self) -> list[list[Estimate]]:
        """Accuracy of all metrics with every criterion, with resamples."""
        n_criteria = len(self.study.criteria)
        return [soft_estimates(self.study, c, self.resampling) for c in range(n_criteria)]

    def estimate(self, c: int, k: int) -> Estimate:
        """Return the accuracy of a metric with its resamples."""
        return self.estimates[c][k]

    def exchanged(self, c: int, i: int, j: int) -> Trials:
        """Compute the differences of two metrics after exchanges, on items judged for all systems.

        If there is no such item, nothing is defined.
        """
        from threadpoolctl import threadpool_limits

        human = self.study.human_items[c]
        complete = ~np.isnan(human).any(axis=0)
        if not complete.any():
            return Trials(math.nan, np.empty(0), exact=False)
        x, y = self.study.item_scores[[i, j]][..., complete]
        p_of_human = normal_p_values(human[:, complete])

        def statistic(scores: NDArray[np.float64]) -> NDArray[np.float64]:
            return soft_pairwise_accuracy(p_of_human, normal_p_values(scores))

        n, seed = self.resampling.n, self.resampling.seed
        with threadpool_limits(1, user_api="blas"):
            return exchange_trials(x, y, statistic, n=n, seed=seed)

    def exchanged_systems(self, c: int, i: int, j: int) -> Trials:
        """Compute the differences of two metrics after exchanges of whole systems.

        All pairs of systems that an exchange can bring together, of either metric, are compared
        once.
        """
        human = self.study.human_items[c]
        complete = ~np.isnan(human).any(axis=0)
        if not complete.any():
            return Trials(math.nan, np.empty(0), exact=False)
        both = self.study.item_scores[[i, j]][..., complete]
        p_of_human = normal_p_values(human[:, complete])
        n = len(human)
        p = normal_p_table(np.concatenate([standardized(scores) for scores in both]))
        first, second = np.triu_indices(n, 1)

        def accuracy(places: NDArray[np.int64]) -> NDArray[np.float64]:
            of_metric = p[places[..., first], places[..., second]]
            return soft_pairwise_accuracy(p_of_human, of_metric)

        def difference(exchanged: NDArray[np.int64]) -> NDArray[np.float64]:
            system = np.arange(n)
            of_x = accuracy(system + n * exchanged)
            return of_x - accuracy(system + n * (1 - exchanged))

        draw, exact = exchanges(n, self.resampling.n, self.resampling.seed)
        chunks = [difference(mask.astype(np.int64)) for mask in draw()]
        observed = float(difference(np.zeros(n, np.int64)))
        return Trials(observed, np.concatenate(chunks), exact)


class CalibratedContest(Contest):
    """Pairwise accuracy of all metrics, each with its best threshold for ties.

    Scores of two metrics with different thresholds cannot be exchanged. As at WMT, a trial
    exchanges results: whether each pair of outputs is in the right order.
    """

    def compute_values(self) -> NDArray[np.float64]:
        """Compute the accuracy of all metrics with every criterion, and keep their thresholds."""
        if self.grouping is None:
            raise UsageError(
                f"{CALIBRATED} compares segments; expected a grouping: none, item or system"
            )
        calibrated = [
            [
                tie_calibration(metric, human, self.grouping, self.resampling.seed)
                for metric in self.study.item_scores
            ]
            for human in self.study.human_items
        ]
        self.thresholds = np.array([[epsilon for epsilon, _ in row] for row in calibrated])
        return np.array([[accuracy for _, accuracy in row] for row in calibrated])

    def check(self, test: Test) -> None:
        """Raise a `UsageError` if the test does not apply."""
        if test != "perm-both":
            raise UsageError(f"{CALIBRATED} is compared by perm-both; got {test}")
        super().check(test)

    def exchanged(self, c: int, i: int, j: int) -> Trials:
        """Compute the differences of two metrics after exchanges of the results of pairs.

        Notes
        -----
        Only pairs with different results matter. Of n such pairs that count alike, a binomial
        number is right for the first metric after an exchange.
        """
        assert self.grouping is not None
        human, seed, n = self.study.human_items[c], self.resampling.seed, self.resampling.n
        results = [
            pair_results(
                self.study.item_scores[k],
                human,
                self.thresholds[c, k],
                grouping=self.grouping,
                seed=seed,
            )
            for k in (i, j)
        ]
        (weight, first), (_, second) = results
        differ = first != second
        weights, kind = np.unique(weight[differ], return_inverse=True)
        n_pairs = np.bincount(kind, minlength=len(weights))
        n_first = np.bincount(kind, first[differ], minlength=len(weights))
        right = np.random.default_rng([seed, i, j]).binomial(n_pairs, 0.5, (n, len(weights)))
        observed = float(np.sum(weights * (2 * n_first - n_pairs)))
        if math.isnan(self.values[c, i] + self.values[c, j]):
            observed = math.nan
        return Trials(observed, np.sum(weights * (2 * right - n_pairs), axis=-1), exact=False)
