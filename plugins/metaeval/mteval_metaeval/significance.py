"""Tests of one metric against another, whose coefficients share the human scores.

References
----------
Wilcoxon 1945, "Individual comparisons by ranking methods".
Williams 1959, "The comparison of regression variables"; Graham and Baldwin 2014, "Testing for
significance of increased correlation with human judgment", equation 1.
Deutsch, Dror and Roth 2021, "A statistical analysis of summarization evaluation metrics using
resampling methods", section 4.2 (PERM-BOTH).
Freitag et al. 2022, "Results of WMT22 metrics shared task" (ranks of metrics).
Abramowitz and Stegun 1964, 26.7.3 and 26.7.4 (Student's t).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_metaeval.correlation import DECIMALS, ranks
from mteval_metaeval.draws import all_swaps, at_least, swaps
from mteval_metaeval.missing import standardized

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Draw = Callable[[], Iterator[NDArray[np.uint8]]]

__all__ = [
    "SIGNIFICANT",
    "Alternative",
    "Trials",
    "bootstrap_p",
    "clusters",
    "exchange_trials",
    "exchanges",
    "perm_both",
    "student_t",
    "wilcoxon",
    "williams",
]

Alternative = Literal["greater", "two-sided"]

Statistic = Callable[["NDArray[np.float64]"], "NDArray[np.float64]"]
Differences = Callable[["NDArray[np.bool_]"], "NDArray[np.float64]"]
After = Callable[["NDArray[np.float64]", "NDArray[np.float64]"], Differences]

SIGNIFICANT = 0.05
"""Threshold of significance for p-values."""

UNCOUNTABLE = 63
"""With this many rows or more, exchanges are never enumerated."""

EXACT_UP_TO = 50
"""Largest sample for which the distribution of signed ranks is computed exactly."""


def student_t(t: float, degrees: int) -> float:
    """Compute the probability that Student's t is t or more.

    Parameters
    ----------
    t : float
    degrees : int
        Degrees of freedom, at least 1.

    Returns
    -------
    float
        From the finite series for a whole number of degrees of freedom.
    """
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    theta = math.atan(t / math.sqrt(degrees))
    cos2 = math.cos(theta) ** 2
    if degrees % 2:
        k = np.arange(1, (degrees - 1) // 2)
        terms = np.cumprod(np.append(1.0, 2 * k / (2 * k + 1) * cos2))[: (degrees - 1) // 2]
        series = math.sin(theta) * math.cos(theta) * float(terms.sum())
        within = 2 / math.pi * (theta + series)
    else:
        k = np.arange(1, degrees // 2)
        terms = np.cumprod(np.append(1.0, (2 * k - 1) / (2 * k) * cos2))
        within = math.sin(theta) * float(terms.sum())
    return min(max((1 - within) / 2, 0.0), 1.0)


class Outcome(NamedTuple):
    """Statistic and p-value of a test."""

    statistic: float
    p_value: float


def williams(
    r12: float, r13: float, r23: float, n: int, *, alternative: Alternative = "greater"
) -> Outcome:
    """Compare two correlations with the same variable by Williams' test.

    Parameters
    ----------
    r12, r13 : float
        Pearson coefficients of two metrics (2, 3) with the human score (1).
    r23 : float
        Pearson coefficient of the two metrics with each other.
    n : int
        Number of systems or items of all three coefficients.
    alternative : {"greater", "two-sided"}
        Test whether r12 is greater than r13, or whether they differ.

    Returns
    -------
    statistic : float
        t with n - 3 degrees of freedom; NaN if it is not defined.
    p_value : float
        0.5 (two-sided: 1) for equal coefficients; NaN for fewer than four systems, undefined
        coefficients, and r23 = -1.

    Notes
    -----
    t = (r12 - r13) sqrt((n - 1) (1 + r23)) /
    sqrt(2 K (n - 1) / (n - 3) + (r12 + r13)^2 / 4 (1 - r23)^3),
    K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23.
    """
    if n < 4 or math.isnan(r12 + r13 + r23):
        return Outcome(math.nan, math.nan)
    # K is the determinant of a correlation matrix: only rounding makes it negative.
    k = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    below = math.sqrt(2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3)
    above = (r12 - r13) * math.sqrt((n - 1) * max(0.0, 1 + r23))
    if abs(r12 - r13) < 1e-12:
        return Outcome(0.0, 0.5 if alternative == "greater" else 1.0)
    if above == 0:
        return Outcome(math.nan, math.nan)
    t = above / below if below else math.copysign(math.inf, above)
    if alternative == "greater":
        return Outcome(t, student_t(t, n - 3))
    return Outcome(t, min(1.0, 2 * student_t(abs(t), n - 3)))


def wilcoxon(
    x: NDArray[np.float64], y: NDArray[np.float64], alternative: Alternative = "two-sided"
) -> Outcome:
    """Compare paired samples by Wilcoxon's signed-rank test.

    Parameters
    ----------
    x, y : ndarray of float64, shape (n,)
        Pairs with a missing value (NaN) or without a difference do not count.
    alternative : {"two-sided", "greater"}
        Test whether x and y differ, or whether x is greater.

    Returns
    -------
    statistic : float
        Sum of the ranks of the positive differences.
    p_value : float
        Exact for up to 50 pairs. For more pairs, from the normal distribution with a correction for
        ties but not for continuity. 1 if no pair differs.
    """
    difference = np.asarray(x) - np.asarray(y)
    difference = difference[~np.isnan(difference) & (difference != 0)]
    n = len(difference)
    if not n:
        return Outcome(0.0, 1.0)
    rank = ranks(np.abs(difference))
    positive = float(rank[difference > 0].sum())
    if n <= EXACT_UP_TO:
        chance = _signed_rank_distribution(rank)
        doubled = round(2 * positive)
        upper, lower = float(chance[doubled:].sum()), float(chance[: doubled + 1].sum())
        p = upper if alternative == "greater" else 2 * min(upper, lower)
        return Outcome(positive, min(1.0, p))
    _, ties = np.unique(rank, return_counts=True)
    mean = n * (n + 1) / 4
    variance = n * (n + 1) * (2 * n + 1) / 24 - float(np.sum(ties**3 - ties)) / 48
    z = (positive - mean) / math.sqrt(variance)
    if alternative == "greater":
        return Outcome(positive, math.erfc(z / math.sqrt(2)) / 2)
    return Outcome(positive, math.erfc(abs(z) / math.sqrt(2)))


def _signed_rank_distribution(rank: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the probability of each sum of positive ranks under random signs, in steps of 0.5."""
    chance = np.ones(1)
    for steps in np.rint(2 * rank).astype(int).tolist():
        gap = np.zeros(steps)
        chance = (np.concatenate([chance, gap]) + np.concatenate([gap, chance])) / 2
    return chance


def bootstrap_p(
    differences: NDArray[np.float64], observed: float, alternative: Alternative
) -> float:
    """Estimate how probable a difference this large is by chance, by paired bootstrap.

    Parameters
    ----------
    differences : ndarray of float64, shape (n,)
        Resampled differences. Their deviations from their mean follow the null hypothesis.
    observed : float
        Difference on the whole test set.
    alternative : {"greater", "two-sided"}

    Returns
    -------
    float
        NaN if the observed difference or all resampled differences are NaN.
    """
    differences = differences[~np.isnan(differences)]
    if not len(differences) or math.isnan(observed):
        return math.nan
    chance = differences - differences.mean()
    if alternative == "greater":
        extreme = at_least(chance, observed)
    else:
        extreme = at_least(np.abs(chance), abs(observed))
    return float(extreme.sum() + 1) / (len(chance) + 1)


def perm_both(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    statistic: Statistic,
    *,
    n: int = 1000,
    seed: int = 12345,
    alternative: Alternative = "greater",
    after: After | None = None,
) -> Outcome:
    """Compare two metrics by PERM-BOTH: exchange their scores output by output.

    Parameters
    ----------
    x, y : ndarray of float64, shape (n_systems, n_items)
        Segment scores of the two metrics. They are standardised before they are exchanged.
    statistic : callable
        From scores of shape (..., n_systems, n_items) to coefficients of shape (...).
    n : int
        Number of trials. If there are no more possible exchanges than this, all are enumerated.
    seed : int
        Seed of ``numpy.random.default_rng``.
    alternative : {"greater", "two-sided"}
        Test whether x has the greater coefficient, or whether the coefficients differ.
    after : callable, optional
        A faster form, such as `mteval_metaeval.exchanges` has: prepares the standardised
        scores, and returns a function from masks of the exchanged scores, shape (chunk, n_systems,
        n_items), to the differences of the statistics, shape (chunk,).

    Returns
    -------
    statistic : float
        Difference of the coefficients.
    p_value : float
        NaN if the difference is not defined.
    """
    trials = exchange_trials(x, y, statistic, n=n, seed=seed, after=after)
    return Outcome(trials.observed, trials.p_value(alternative))


class Trials(NamedTuple):
    """Differences of two metrics: as observed, and after exchanges.

    Parameters
    ----------
    observed : float
        NaN if it is not defined.
    differences : ndarray of float64, shape (n,)
        After each exchange; NaN where it is not defined.
    exact : bool
        Whether all ways of exchanging are enumerated.
    """

    observed: float
    differences: NDArray[np.float64]
    exact: bool

    def p_value(self, alternative: Alternative) -> float:
        """Share of the exchanges that give a difference at least as large; NaN if undefined."""
        if math.isnan(self.observed):
            return math.nan
        differences, bound = self.differences[~np.isnan(self.differences)], self.observed
        if alternative == "two-sided":
            differences, bound = np.abs(differences), abs(bound)
        extreme = int(at_least(differences, bound).sum())
        # An enumeration has the observed arrangement already (Phipson and Smyth 2010).
        n = len(differences)
        return extreme / n if self.exact else (extreme + 1) / (n + 1)


def exchange_trials(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    statistic: Statistic,
    *,
    n: int,
    seed: int,
    after: After | None = None,
) -> Trials:
    """Exchange the scores of two metrics output by output; see `perm_both`."""
    x, y = (np.round(standardized(scores), DECIMALS) for scores in (x, y))
    observed = float(statistic(x) - statistic(y))
    draw, exact = exchanges(x.size, n, seed)
    if math.isnan(observed):
        return Trials(observed, np.empty(0), exact)

    def plain(masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        return statistic(np.where(masks, y, x)) - statistic(np.where(masks, x, y))

    differences_of = after(x, y) if after else plain
    chunks = [differences_of(weights.reshape(-1, *x.shape) == 1) for weights in draw()]
    return Trials(observed, np.concatenate(chunks), exact)


def exchanges(n: int, count: int, seed: int) -> tuple[Draw, bool]:
    """Draw which of n rows are exchanged in each trial, or enumerate all ways if they are few.

    Returns
    -------
    callable
        Returns an iterator of ndarray of float64, shape (chunk, n): 1 for a row that is exchanged,
        0 for the others.
    bool
        Whether all ways are enumerated.
    """
    exact = n < UNCOUNTABLE and 2**n <= count
    return (partial(all_swaps, n) if exact else partial(swaps, n, count, seed)), exact


def clusters(better: NDArray[np.float64], alpha: float = SIGNIFICANT) -> list[int]:
    """Rank metrics as WMT does.

    Parameters
    ----------
    better : ndarray of float64, shape (n_metrics, n_metrics)
        At [i, j], j > i, the p-value of metric i being better than metric j. The metrics are in
        descending order of their coefficient.
    alpha : float
        p-values below this are significant.

    Returns
    -------
    list of int
        Ranks from 1. A rank ends at the first metric significantly worse than one of its members;
        that metric begins the next rank.
    """
    clustered: list[int] = []
    start = 0
    for j in range(len(better)):
        if np.any(better[start:j, j] < alpha):
            start = j
        clustered.append(1 if not clustered else clustered[-1] + (start == j))
    return clustered
