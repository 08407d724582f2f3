"""Exchanges of units between systems, counted for all pairs at once.

The sum of both systems stays the same, so the difference of their scores after an exchange is an
odd function of what moves: nearly a linear one. Linear functions that were fitted to the first
trials decide about the others. Only those differences are computed that are too close.

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

TRIALS_AT_ONCE = 128
"""Trials that are predicted at once: the predictions of all pairs stay close to the processor."""


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
        self.totals: Any = totals
        self.pairs: NDArray[np.int64] = np.array(pairs)
        self.exact: bool = exact
        scores = [score(total) for total in totals]
        self.observed: NDArray[np.float64] = np.abs([scores[i] - scores[j] for i, j in pairs])
        self.n_as_extreme: NDArray[np.int64] = np.zeros(len(pairs), np.int64)
        self.slopes: NDArray[np.float32] = np.empty(0, np.float32)
        self.margins: NDArray[np.float64] = np.empty(0)

    def after(self, one: Any, other: Any, given: Sums) -> NDArray[np.float64]:
        """Compute differences after the units with these sums changed from one to the other."""
        return self.score(self.totals[one] + given) - self.score(self.totals[other] - given)

    def try_all(self, moved: Sequence[Sums]) -> None:
        """Count trials: the differences of the first call are computed, and most others predicted.

        Parameters
        ----------
        moved : sequence of ndarray of float64, shape (n_trials, k), or WeightedRows
            Sums of the units that change sides, by system.
        """
        if len(self.slopes):
            trials = np.stack(moved)
            for start in range(0, trials.shape[1], TRIALS_AT_ONCE):
                self._count_predicted(trials[:, start : start + TRIALS_AT_ONCE])
            return
        differences = np.array([self.after(i, j, moved[j] - moved[i]) for i, j in self.pairs])
        self.n_as_extreme += at_least(np.abs(differences), self.observed[:, None]).sum(axis=1)
        if not self.exact and not isinstance(moved[0], WeightedRows):
            self._fit(np.stack(moved), differences)

    def _fit(self, moved: NDArray[np.float64], differences: NDArray[np.float64]) -> None:
        """Fit linear functions to differences that were computed."""
        self.totals = np.stack(self.totals)
        self.slopes = np.zeros((len(moved), *self.totals.shape), np.float32)
        for (i, j), each in zip(self.pairs, differences, strict=True):
            apart = self.totals[i] - self.totals[j] + 2 * (moved[j] - moved[i])
            self.slopes[i, j] = self.slopes[j, i] = np.linalg.lstsq(apart, np.nan_to_num(each))[0]
        errors = np.abs(self._predicted(moved) - differences).max(axis=1)
        size = (np.abs(self.slopes) @ np.abs(self.totals)[:, :, None])[..., 0]
        i, j = self.pairs.T
        rounding = EPSILON * (self.totals.shape[1] + 8)  # a sum of products, and what goes into it
        self.margins = MARGIN * errors + rounding * (1 + size[i, j] + size[j, i])
        (predicted,) = np.abs(self._predicted(np.zeros_like(moved[:, :1]))).T
        self.observed = np.clip(self.observed, predicted - self.margins, predicted + self.margins)

    def _predicted(self, moved: NDArray[np.float64]) -> NDArray[np.float32]:
        """Predict the differences of all pairs, shape (n_pairs, n_trials)."""
        i, j = self.pairs.T
        after = (self.totals[:, :, None] - 2 * moved.transpose(0, 2, 1)).astype(np.float32)
        along: NDArray[np.float32] = self.slopes @ after  # a system, along the slopes of its pairs
        predicted: NDArray[np.float32] = along[i, j] - along[j, i]
        return predicted

    def _count_predicted(self, moved: NDArray[np.float64]) -> None:
        """Count trials, of which only differences close to the observed ones are computed."""
        predicted = np.abs(self._predicted(moved))
        clear = predicted >= (self.observed + self.margins)[:, None]
        close = clear ^ (predicted >= (self.observed - self.margins)[:, None])
        pairs, trials = np.divmod(np.flatnonzero(close), moved.shape[1])
        i, j = self.pairs[pairs].T
        differences = self.after(i, j, moved[j, trials] - moved[i, trials])
        extreme = pairs[at_least(np.abs(differences), self.observed[pairs])]
        self.n_as_extreme += clear.sum(axis=1) + np.bincount(extreme, minlength=len(clear))
