"""The formula of a metric, with checks of what it returns; and the mean of metrics without one.

The rows of a metric without a formula are its values for each segment. The host appends the number
of segments, 1, so that sums of rows still have everything that the mean needs.
"""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core.errors import PluginError, UsageError, attributed
from mteval_core.formulas import ratio
from mteval_core.frozen import Frozen
from mteval_core.metrics.rows import as_numbers, rows_of
from mteval_core.text.text import kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_core.metrics.sums import Sums
    from mteval_core.text.tokens import CorpusView, ReferenceView
    from mteval_kernels import Vocabulary


class Formula(NamedTuple):
    """A formula, and what it must return.

    Parameters
    ----------
    function : callable
        The formula, of sums of rows, or of rows and their weights.
    metric : str
        The metric, for messages.
    blames : attributed
        Names the metric in errors of the formula.
    factors : tuple of float
        Factors that convert what the formula returns to the scale of each value.
    of_rows : bool
        Whether it is a formula of rows and weights.
    may_miss : bool
        Whether the last value is the coverage; where it is 0, the others may be NaN.
    """

    function: Callable[..., object]
    metric: str
    blames: attributed
    factors: tuple[float, ...]
    of_rows: bool
    may_miss: bool = False

    def values(self, totals: Sums, *sets: int) -> NDArray[np.float64]:
        """Compute all values, scaled.

        Parameters
        ----------
        totals : ndarray of float64, shape (..., k), or WeightedRows or KeptRows
        *sets : int
            Axes that the result has before those of the totals.

        Returns
        -------
        ndarray of float64, shape (*sets, ..., v)

        Raises
        ------
        UsageError
            If the totals are not of the kind that the formula takes.
        PluginError
            If the formula fails, or its result has another shape or is not finite.
        """
        if isinstance(totals, np.ndarray) == self.of_rows:
            expected = "WeightedRows" if self.of_rows else "an array of sums"
            raise UsageError(f"{self.metric}: expected {expected}, got {kind(totals)}")
        if not self.of_rows:
            is_one = not sets and totals.shape[:-1] == (1,)
            return np.array([self.numbers(totals[0])]) if is_one else self._scaled((totals,), sets)
        values: NDArray[np.float64] = totals.values(lambda *of: self._scaled(of, sets))
        return values

    def numbers(self, total: Sums) -> list[float]:
        """Compute all values of one sum, as `values` does: with Python's numbers, in less time."""
        if self.of_rows or not isinstance(total, np.ndarray):
            return [*map(float, self.values(total))]
        fractions = self._fractions((total,), (len(self.factors),))
        values = list(map(mul, fractions.tolist(), self.factors))
        if not all(map(isfinite, values)) and not (self.may_miss and values[-1] == 0):
            raise self._not_finite()
        return values

    def _scaled(
        self, arguments: tuple[NDArray[np.float64], ...], sets: tuple[int, ...]
    ) -> NDArray[np.float64]:
        shape = (*sets, *arguments[-1].shape[:-1], len(self.factors))
        fractions = self._fractions(arguments, shape)
        with np.errstate(over="ignore"):
            values: NDArray[np.float64] = fractions * self.factors
        known = values[values[..., -1] > 0] if self.may_miss else values
        if not np.isfinite(known).all():
            raise self._not_finite()
        return values

    def _fractions(
        self, arguments: tuple[NDArray[np.float64], ...], expected: tuple[int, ...]
    ) -> NDArray[np.float64]:
        """Return what the formula computes, which must have the expected shape."""
        with self.blames:
            fractions = as_numbers(self.function(*arguments))
        if fractions.shape != expected:
            raise PluginError(
                f"{self.metric}: the result of the formula has the shape {fractions.shape}, "
                f"expected {expected}"
            )
        return fractions

    def _not_finite(self) -> PluginError:
        return PluginError(f"{self.metric}: the result of the formula is not finite")


class Mean:
    """The formula: sums of values over their number, which is the last column."""

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Means over the segments, shape (..., v + 1) to (..., v); 0 without segments."""
        return ratio(totals[..., :-1], totals[..., -1:])


class SegmentMean(Mean, Frozen, eq=False):
    """The mean of the values of the segments.

    Parameters
    ----------
    metric : object
        Computes the values of each segment, as its rows.
    """

    metric: Any

    def statistics(self, **views: CorpusView) -> NDArray[np.float64]:
        """Values of all segments, and 1; shape (n_segments, v + 1)."""
        return self.extend(rows_of(self.metric, views))

    def extend(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Append to the rows of the metric what the formula needs besides."""
        return np.column_stack([rows, np.ones(len(rows))])


class PreparableMean(SegmentMean):
    """The same for a metric with a ``prepare`` method."""

    def prepare(self, vocabulary: Vocabulary, **views: ReferenceView) -> SegmentMean:
        """Prepare the metric."""
        return replace(self, metric=self.metric.prepare(**views, vocabulary=vocabulary))
