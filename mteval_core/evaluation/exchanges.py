"""Exchanges of units between systems, counted for all pairs at once.

The sum of both systems stays the same, so the difference of their scores after an exchange is an
odd function of what moves: nearly a linear one. Linear functions that were fitted to the first
trials decide about the others. Only those differences are computed that are too close. Most pairs
of many systems are so different that no exchange can make up for it, which a bound shows for many
trials at once.

References
----------
Riezler and Maxwell 2005, "On some pitfalls in automatic evaluation and significance testing".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.evaluation.p_values import at_least
from mteval_core.metrics.sums import WeightedRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mteval_core.metrics.sums import Sums

    Formula = Callable[[Sums], NDArray[np.float64]]
    Pairs = Sequence[tuple[int, int]]

MARGIN = 4
"""A prediction decides if it is this many times as far from the observed difference as the worst
prediction was from what it predicted."""

EPSILON = float(np.finfo(np.float32).eps)
"""Largest relative rounding error of a number of a prediction."""

N_FITTED = 250
"""Trials whose differences are computed, so that linear functions can be fitted to them."""

PAIRS_AT_ONCE = 16
TRIALS_AT_ONCE = 256
"""Pairs that are computed, and trials that are predicted at once: they stay close to the processor.
"""


class Exchanges:
    """Pairs of systems under one metric, and the exchanges that were tried.

    Parameters
    ----------
    score : callable
        The score from totals, shape (..., k) to (...).
    totals : sequence of ndarray of float64, shape (k,), or WeightedRows
        The totals of the systems.
    pairs : sequence of (int, int)
        The pairs, by the numbers of their systems.
    exact : bool
        Whether the trials enumerate all exchanges, so that the first ones are no sample.

    Notes
    -----
    A trial counts if its difference is at least as large as the observed one. Both are moved to
    within the margin of their predictions, so the test is valid for any formula, and equal to that
    of differences unless a formula jumps where no trial before did.
    """

    def __init__(self, score: Formula, totals: Any, pairs: Pairs, *, exact: bool) -> None:
        self.score: Formula = score
        self.totals: Any = totals if isinstance(totals[0], WeightedRows) else np.stack(totals)
        self.pairs: NDArray[np.int64] = np.array(pairs)
        self.exact: bool = exact
        scores = [score(total) for total in totals]
        self.observed: NDArray[np.float64] = np.abs([scores[i] - scores[j] for i, j in pairs])
        self.n_as_extreme: NDArray[np.int64] = np.zeros(len(pairs), np.int64)
        self.slopes: NDArray[np.float32] = np.empty(0, np.float32)
        self.margins: NDArray[np.float64] = np.empty(0)
        self.directions: NDArray[np.float32] = np.empty(0, np.float32)
        self.lengths: NDArray[np.float32] = np.empty(0, np.float32)

    def after(self, one: Any, other: Any, given: Sums) -> NDArray[np.float64]:
        """Compute differences after the units with these sums changed from one to the other."""
        return self.score(self.totals[one] + given) - self.score(self.totals[other] - given)

    def try_all(self, moved: Sequence[Sums]) -> None:
        """Count trials: some differences of the first call are computed, and most others predicted.

        Parameters
        ----------
        moved : sequence of ndarray of float64, shape (n_trials, k), or WeightedRows
            Sums of the units that change sides, by system.
        """
        if self.exact or isinstance(moved[0], WeightedRows):
            self._count(moved)
            return
        trials = np.stack(moved)
        if not len(self.slopes):
            first, trials = trials[:, :N_FITTED], trials[:, N_FITTED:]
            self._fit(first, self._count(first))
        if trials.size:
            self._count_predicted(trials)

    def _count(self, moved: Any) -> NDArray[np.float64]:
        """Count trials by the formula, and return their differences, shape (n_pairs, n_trials)."""
        differences: list[NDArray[np.float64]] = []
        for some in np.split(self.pairs, range(PAIRS_AT_ONCE, len(self.pairs), PAIRS_AT_ONCE)):
            if isinstance(moved, np.ndarray):
                i, j = some.T
                differences.extend(self.after(i[:, None], j[:, None], moved[j] - moved[i]))
            else:
                differences.extend(self.after(i, j, moved[j] - moved[i]) for i, j in some)
        extreme = at_least(np.abs(differences), self.observed[:, None])
        self.n_as_extreme += extreme.sum(axis=1)
        return np.array(differences)

    def _fit(self, moved: NDArray[np.floating], differences: NDArray[np.float64]) -> None:
        """Fit linear functions to differences that were computed."""
        i, j = self.pairs.T
        apart = self.totals[i, None] - self.totals[j, None]
        fits = [
            np.linalg.lstsq(gap + 2 * (moved[b] - moved[a]), np.nan_to_num(each), rcond=None)[0]
            for (a, b), gap, each in zip(self.pairs, apart, differences, strict=True)
        ]
        self.slopes = np.array(fits, np.float32)
        everything = np.arange(len(fits))
        errors = np.abs(self._predict(everything, self._after(moved)) - differences).max(axis=1)
        size = (np.abs(self.slopes) * (np.abs(self.totals[i]) + np.abs(self.totals[j]))).sum(axis=1)
        rounding = EPSILON * (self.totals.shape[1] + 8)  # a sum of products, and what goes into it
        self.margins = MARGIN * errors + rounding * (1 + size)
        (predicted,) = np.abs(self._predict(everything, self._after(0 * moved[:, :1]))).T
        self.observed = np.clip(self.observed, predicted - self.margins, predicted + self.margins)
        spread = np.maximum(moved.std(axis=(0, 1)), 1).astype(np.float32)
        _, _, directions = np.linalg.svd(self.slopes * spread, full_matrices=False)
        self.directions, self.lengths = directions / spread, self.slopes * spread @ directions.T

    def _after(self, moved: NDArray[np.floating]) -> NDArray[np.float32]:
        """Compute totals after an exchange minus their means over all systems, (S, k, trials)."""
        after = np.array(moved.transpose(0, 2, 1), np.float32, order="C")
        after -= after.mean(axis=0)
        after *= -2
        after += (self.totals - self.totals.mean(axis=0)).astype(np.float32)[..., None]
        return after

    def _predict(self, pairs: NDArray[np.int64], after: NDArray[np.float32]) -> NDArray[np.float32]:
        """Predict the differences of some pairs, shape (n_pairs, n_trials)."""
        one, other = (_along(self.slopes[pairs], of, after) for of in self.pairs[pairs].T)
        one -= other
        return one

    def _count_predicted(self, moved: NDArray[np.floating]) -> None:
        """Count trials, of which only differences close to the observed ones are computed.

        A slope is a sum of directions, so no difference is larger than the sum of what both systems
        reach in each of them. The doubled margin covers the rounding of this sum.
        """
        after = self._after(moved)
        reach = np.abs(self.directions @ after).max(axis=2)
        i, j = self.pairs.T
        largest = (np.abs(self.lengths) * (reach[i] + reach[j])).sum(axis=1)
        pairs = np.flatnonzero(largest >= self.observed - 2 * self.margins)
        observed, margins = self.observed[pairs, None], self.margins[pairs, None]
        least, most = (np.float32(observed + sign * margins) for sign in (-1, 1))
        for start in range(0, moved.shape[1], TRIALS_AT_ONCE):
            some = slice(start, start + TRIALS_AT_ONCE)
            predicted = self._predict(pairs, after[..., some])
            np.abs(predicted, out=predicted)
            clear = predicted >= most
            close = np.flatnonzero(clear ^ (predicted >= least))
            which, trials = np.divmod(close, predicted.shape[1])
            i, j = self.pairs[pairs[which]].T
            given = moved[j, start + trials] - moved[i, start + trials]
            which = which[at_least(np.abs(self.after(i, j, given)), observed[which, 0])]
            which = np.append(which, np.flatnonzero(clear) // predicted.shape[1])
            self.n_as_extreme[pairs] += np.bincount(which, minlength=len(pairs))


def _along(
    slopes: NDArray[np.float32], of: NDArray[np.int64], after: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Compute the products of slopes and the totals of their systems, (n_slopes, n_trials)."""
    products = np.empty((len(of), after.shape[2]), np.float32)
    order, start = np.argsort(of, kind="stable"), 0
    slopes = slopes[order]
    for of_one, n in zip(after, np.bincount(of).tolist(), strict=False):
        own = slice(start, start + n)
        np.matmul(slopes[own], of_one, out=products[own])
        start += n
    return products if (np.diff(of) >= 0).all() else products[np.argsort(order)]
