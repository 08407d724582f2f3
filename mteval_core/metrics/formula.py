"""The formula of a metric, with checks of what it returns."""

from __future__ import annotations

from math import isfinite
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core.errors import PluginError, UsageError, attributed
from mteval_core.metrics.rows import as_numbers
from mteval_core.text.text import kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_core.metrics.sums import Sums


class Formula(NamedTuple):
    """A formula, and what it must return.

    Parameters
    ----------
    function : callable
        The formula, of sums of rows, or of rows and their weights.
    metric : str
        The metric, for messages.
    factors : tuple of float
        Factors that convert what the formula returns to the scale of each value.
    of_rows : bool
        Whether it is a formula of rows and weights.
    """

    function: Callable[..., object]
    metric: str
    factors: tuple[float, ...]
    of_rows: bool

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
            message = f"{self.metric}: expected {expected}, got {kind(totals)}"
            raise UsageError(message)
        if not self.of_rows:
            return self._scaled((totals,), sets)
        values: NDArray[np.float64] = totals.values(lambda *of: self._scaled(of, sets))
        return values

    def numbers(self, total: Sums) -> list[float]:
        """Compute all values of one sum, as `values` does: with Python's numbers, in less time."""
        if self.of_rows or not isinstance(total, np.ndarray):
            numbers: list[float] = self.values(total).tolist()
            return numbers
        fractions = self._fractions((total,), (len(self.factors),))
        values = list(map(mul, fractions.tolist(), self.factors))
        if not all(map(isfinite, values)):
            raise self._not_finite()
        return values

    def _scaled(
        self, arguments: tuple[NDArray[np.float64], ...], sets: tuple[int, ...]
    ) -> NDArray[np.float64]:
        shape = (*sets, *arguments[-1].shape[:-1], len(self.factors))
        fractions = self._fractions(arguments, shape)
        with np.errstate(over="ignore"):
            values: NDArray[np.float64] = fractions * self.factors
        if not np.isfinite(values).all():
            raise self._not_finite()
        return values

    def _fractions(
        self, arguments: tuple[NDArray[np.float64], ...], expected: tuple[int, ...]
    ) -> NDArray[np.float64]:
        """Return what the formula computes, which must have the expected shape."""
        with attributed(f"the formula of {self.metric}"):
            fractions = as_numbers(self.function(*arguments))
        if fractions.shape != expected:
            message = (
                f"{self.metric}: the result of the formula has the shape {fractions.shape}, "
                f"expected {expected}"
            )
            raise PluginError(message)
        return fractions

    def _not_finite(self) -> PluginError:
        return PluginError(f"{self.metric}: the result of the formula is not finite")
