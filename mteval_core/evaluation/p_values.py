"""P-values of differences: tests of one, of several together, and of equivalence.

References
----------
Koehn 2004, "Statistical significance tests for machine translation evaluation".
Riezler and Maxwell 2005, "On some pitfalls in automatic evaluation and significance testing".
Phipson and Smyth 2010, "Permutation p-values should never be zero".
Westfall and Young 1993, *Resampling-Based Multiple Testing* (max-T).
Romano and Wolf 2005, "Exact and approximate stepdown methods for multiple hypothesis testing".
Schuirmann 1987, "A comparison of the two one-sided tests procedure and the power approach for
assessing the equivalence of average bioavailability".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core.evaluation.intervals import Estimate

Test = Literal["bs", "ar"]
"""Paired bootstrap (Koehn 2004) or approximate randomisation (Riezler and Maxwell 2005)."""

CORRECTIONS = ("holm", "bh", "maxt", "none")

SMALLEST_P = 0.01
"""With the default number of trials, corrected p-values can become this small."""

N_RESAMPLES = 1000
N_TRIALS = 10_000
"""Numbers of resamples and trials, unless many comparisons need more."""

MOST_TRIALS = 1_000_000
"""Largest number of resamples or trials; more would only cost time and memory."""


class Equivalence(NamedTuple):
    """What a margin adds to the comparison of two systems.

    Parameters
    ----------
    margin : float
        The smallest difference that matters, in the scale in which scores are reported.
    p_equivalent : float
        P-value of the claim that the systems differ by less than the margin, corrected.
    p_not_worse : float
        P-value of the claim that the system is worse by less than the margin, corrected.
    """

    margin: float
    p_equivalent: float
    p_not_worse: float


class Difference(NamedTuple):
    """Score of a system minus score of its baseline.

    Parameters
    ----------
    system, baseline : str
        Names of the two.
    scores : (Estimate, Estimate)
        Their scores, on the test set and on every resample.
    constant : bool
        Whether all units are alike, so that every resample is the test set itself.
    n_as_extreme : int or None
        In how many trials the difference is at least as large; None without trials.
    """

    system: str
    baseline: str
    scores: tuple[Estimate, Estimate]
    constant: bool
    n_as_extreme: int | None

    @property
    def estimate(self) -> Estimate:
        """The difference, on the test set and on every resample: computed when it is needed."""
        return self.scores[0].minus(self.scores[1])


class PValues(NamedTuple):
    """P-values of a difference: of this one alone, corrected, and of equivalence by a margin."""

    raw: float
    corrected: float
    equivalence: Equivalence | None


class PairedTest(NamedTuple):
    """A test of differences under one metric.

    Parameters
    ----------
    test : {"bs", "ar"}
        Paired bootstrap or approximate randomisation.
    correction : {"holm", "bh", "maxt", "none"}
        Correction for the number of differences.
    margin : float or None
        The smallest difference that matters, for tests of equivalence.
    n : int
        Number of resamples or trials; 0 before they are drawn.
    exact : bool
        Whether the trials enumerate all possible exchanges.
    """

    test: Test
    correction: str = "holm"
    margin: float | None = None
    n: int = 0
    exact: bool = False

    def checked(self, n_comparisons: int) -> PairedTest:
        """Return the test.

        Raises
        ------
        UsageError
            If the test or the correction does not exist; if max-T has no resamples or nothing to
            correct; or if the margin is not valid.
        """
        if self.test not in ("ar", "bs"):
            raise UsageError(f"unknown test {self.test!r}: expected 'ar' or 'bs'")
        if self.correction not in CORRECTIONS:
            raise UsageError(
                f"unknown correction {self.correction!r}: expected {', '.join(CORRECTIONS)}"
            )
        if self.correction == "maxt" and self.test != "bs":
            raise UsageError(
                "the correction maxt needs resamples that all pairs of systems share: test with "
                "'bs', or correct with holm"
            )
        if self.correction == "maxt" and n_comparisons < 2:
            raise UsageError("the correction maxt needs two comparisons or more; there is one")
        check_margin(self.margin, self.test, self.correction)
        return self

    def smallest_p(self, n_comparisons: int) -> float:
        """Return the smallest corrected p-value that the trials can give."""
        # Exchanging all units gives the observed difference with the opposite sign.
        smallest = p_value(2 if self.exact else 0, self.n, exact=self.exact)
        return smallest * growth_of_p(self.correction, n_comparisons)

    def p_values(self, differences: Sequence[Difference], sign: int) -> list[PValues]:
        """Compute the p-values of all differences under one metric.

        Parameters
        ----------
        differences : sequence of Difference
        sign : {1, -1}
            1 if higher scores are better, -1 if lower ones are.
        """
        raw = [self._p_value(one) for one in differences]
        if self.correction == "maxt":
            values = [0.0 if one.constant else one.estimate.value for one in differences]
            corrected = max_t(values, [one.estimate.resamples for one in differences])
        else:
            corrected = correct_p_values(raw, self.correction)
        equivalences = self._equivalences(differences, sign)
        return [PValues(*each) for each in zip(raw, corrected, equivalences, strict=True)]

    def _p_value(self, difference: Difference) -> float:
        """Compute the probability that chance alone gives a difference at least as large."""
        n_as_extreme = difference.n_as_extreme
        if n_as_extreme is None:
            if difference.constant:
                return 1.0
            value, resamples, _ = difference.estimate
            by_chance = resamples - resamples.mean()
            extreme = at_least(np.abs(by_chance, out=by_chance), abs(value))
            n_as_extreme = int(np.count_nonzero(extreme))
        return p_value(n_as_extreme, self.n, exact=self.exact)

    def _equivalences(
        self, differences: Sequence[Difference], sign: int
    ) -> Sequence[Equivalence | None]:
        """Test whether systems are equivalent, or not worse than their baselines, by the margin."""
        margin = self.margin
        if margin is None:
            return [None] * len(differences)
        sides = [
            (1.0, 1.0)
            if one.constant
            else one_sided(sign * one.estimate.value, sign * one.estimate.resamples, margin)
            for one in differences
        ]
        equivalent = correct_p_values([max(pair) for pair in sides], self.correction)
        not_worse = correct_p_values([p for p, _ in sides], self.correction)
        return [Equivalence(margin, *both) for both in zip(equivalent, not_worse, strict=True)]


def default_trials(test: Test, n_comparisons: int, correction: str) -> int:
    """Choose a number of resamples or trials that leaves room for the correction.

    The smallest p-value that n trials can give is 1 / (n + 1). Correction for m comparisons
    multiplies it by m, so n grows with m.

    Parameters
    ----------
    test : {"bs", "ar"}
        Paired bootstrap or approximate randomisation.
    n_comparisons : int
        Number of comparisons under one metric.
    correction : {"holm", "bh", "maxt", "none"}
        Multiple-comparison correction.

    Returns
    -------
    int

    Examples
    --------
    >>> default_trials("bs", 1, "holm"), default_trials("bs", 45, "holm")
    (1000, 5000)
    """
    usual = N_RESAMPLES if test == "bs" else N_TRIALS
    thousands = -(-growth_of_p(correction, n_comparisons) // int(1000 * SMALLEST_P))
    return min(max(usual, 1000 * thousands), MOST_TRIALS)


def check_margin(margin: float | None, test: Test, correction: str) -> None:
    """Check a margin, if there is one.

    Raises
    ------
    UsageError
        If it is not a finite number above 0, if the test draws no resamples, or if the correction
        is max-T, which is one of differences.
    """
    if margin is None:
        return
    is_number = isinstance(margin, (int, float)) and not isinstance(margin, bool)
    if not (is_number and 0 < margin < math.inf):
        raise UsageError(f"margin {margin!r}: expected a number above 0")
    if test != "bs":
        raise UsageError("a margin needs resamples: test with 'bs', the paired bootstrap")
    if correction == "maxt":
        message = "a margin makes one-sided tests, which maxt does not correct: expected holm, bh "
        raise UsageError(message + "or none")


def one_sided(gain: float, resamples: NDArray[np.float64], margin: float) -> tuple[float, float]:
    r"""Test that a system is not worse, and not better, than another by a margin.

    Parameters
    ----------
    gain : float
        How much better the system is; negative if it is worse.
    resamples : ndarray of float64, shape (n,)
        The gain on bootstrap resamples.
    margin : float
        The margin.

    Returns
    -------
    (float, float)
        The p-values of "worse by less than the margin" and "better by less than the margin".

    Notes
    -----
    The null hypothesis of the first is that the true gain is at most :math:`-m`. The observed gain
    is then above the truth by at least :math:`g + m`, and p is the share of resamples that exceed
    their mean by as much. The second is its mirror image. Systems are equivalent if both claims
    hold, so the p-value of equivalence is the larger one (Schuirmann 1987).
    """
    by_chance = resamples - resamples.mean()
    n = len(by_chance)
    not_worse = at_least(by_chance, gain + margin).sum()
    not_better = at_least(-by_chance, margin - gain).sum()
    return p_value(int(not_worse), n, exact=False), p_value(int(not_better), n, exact=False)


def at_least(a: NDArray[np.float64], b: float | NDArray[np.float64]) -> NDArray[np.bool_]:
    """Test where a >= b, up to rounding, so that ties count as ties."""
    return np.asarray(a >= b - 1e-10 * np.maximum(1.0, np.abs(b)))


def p_value(n_as_extreme: int, n_trials: int, *, exact: bool) -> float:
    """Compute the share of trials that are at least as extreme as the observation.

    Monte Carlo trials include the observed arrangement (Phipson and Smyth 2010); an exact
    enumeration already contains it.
    """
    return n_as_extreme / n_trials if exact else (n_as_extreme + 1) / (n_trials + 1)


def correct_p_values(p_values: Sequence[float], method: str) -> list[float]:
    """Correct p-values for the number of comparisons.

    Parameters
    ----------
    p_values : sequence of float
    method : {"holm", "bh", "none"}
        Holm 1979 (family-wise error rate), Benjamini and Hochberg 1995 (false discovery rate), or
        no correction.

    Returns
    -------
    list of float
        In the same order.

    Raises
    ------
    UsageError
        If the method does not exist.
    """
    if method not in ("holm", "bh", "none"):
        raise UsageError(f"unknown correction {method!r}: expected holm, bh or none")
    p = np.asarray(p_values, np.float64)
    m = len(p)
    if method == "none" or not m:
        return list(p_values)
    order = np.argsort(p, kind="stable")
    rank = np.arange(1, m + 1)
    if method == "holm":
        steps = np.maximum.accumulate((m - rank + 1) * p[order])
    else:
        steps = np.minimum.accumulate((m / rank * p[order])[::-1])[::-1]
    result = np.empty(m)
    result[order] = np.minimum(steps, 1.0)
    return [float(value) for value in result]


def max_t(values: Sequence[float], resampled: Sequence[NDArray[np.float64]]) -> list[float]:
    r"""Compute p-values that control the family-wise error of differences resampled together.

    Parameters
    ----------
    values : sequence of float
        The differences, m of them.
    resampled : sequence of ndarray of float64, shape (n,)
        Each difference on the same n bootstrap resamples.

    Returns
    -------
    list of float
        In the same order; never below the p-value of a difference on its own.

    Notes
    -----
    The statistic of a difference is :math:`t = |d| / s`, where s is the standard deviation of its
    resamples, and its value by chance on a resample is :math:`t^* = |d^* - \bar{d^*}| / s`. The
    test steps down: the largest t is compared with the largest :math:`t^*` of all differences in
    each resample, the next one with that of all but the first, and so on, and no p-value is below
    that of a larger t (Westfall and Young 1993; Romano and Wolf 2005). Correlated
    differences, such as those of all pairs of systems, are corrected less than by Holm.
    """
    # Without the lower limit, rounding would be the spread of differences that have none.
    spreads = [
        max(float(of_one.std()), 1e-10 * max(1.0, abs(value)))
        for value, of_one in zip(values, resampled, strict=True)
    ]
    t = np.abs(values) / spreads
    ascending = np.argsort(t, kind="stable")
    p = np.empty(len(t))
    largest = np.zeros_like(resampled[0])
    for k in ascending:
        by_chance = np.abs(resampled[k] - resampled[k].mean()) / spreads[k]
        largest = np.maximum(largest, by_chance)
        p[k] = p_value(int(at_least(largest, float(t[k])).sum()), len(largest), exact=False)
    descending = ascending[::-1]
    p[descending] = np.maximum.accumulate(p[descending])
    return [float(value) for value in p]


def growth_of_p(method: str, m: int) -> int:
    """Return the largest factor by which a correction for m comparisons multiplies a p-value.

    That of max-T has no bound, but the smallest p-value that n trials can give stays the smallest.
    """
    return 1 if method in ("none", "maxt") else m
