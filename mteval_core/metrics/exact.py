"""Exact sums of rows: correctly rounded, in any order, mergeable without loss.

The corpus, documents and parts of a test set are sums of rows. Here such a sum is rounded once, at
its end, so that it depends neither on the order of the segments nor on how they were split.

Resamples are sums of rows with weights, ``weights @ rows``, which numpy rounds at every addition.
`Weighable` rows are whole multiples of 2^-40, cut into pieces that are small enough for all these
additions to be exact.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core.errors import PluginError
from mteval_core.kernels import exact_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Weights = NDArray[np.float64] | NDArray[np.uint8]

__all__ = [
    "ExactSum",
    "Weighable",
    "WeightedSum",
    "Weights",
    "exact_total",
    "exact_totals",
    "weighted_sums",
]

UNIT = 1 << 1074
"""Exact sums are whole multiples of 1 / UNIT, the smallest number above 0."""

LARGEST = 2.0**53
"""Up to here, every whole number is a float64."""

FINE = 2.0**-40
"""Rows that are weighted are multiples of this."""

COARSE = 2.0**-14
"""Where rows are cut in two if their sums could pass 2^53 multiples of 2^-40."""

USUAL_WEIGHT = 4
"""Resamples seldom draw a segment more often than this on average."""

UNITS_AT_ONCE = 2048
"""Products are of so many units, so that their weights and rows stay in the cache."""


class ExactSum:
    """The sum of some rows, without rounding errors.

    It can be pickled, and sums of parts can be merged in any order.

    Parameters
    ----------
    units : sequence of int
        The sum of each column in units of 2^-1074. Empty if there are no rows yet.
    n : int
        Number of rows.

    Examples
    --------
    >>> total = ExactSum()
    >>> total.add(np.array([[0.1], [0.2]]))
    >>> total.merge(ExactSum.of(np.array([[-0.1]])))
    >>> total.n, total.total()
    (3, array([0.2]))
    """

    def __init__(self, units: Sequence[int] = (), n: int = 0) -> None:
        self.units: tuple[int, ...] = tuple(units)
        self.n: int = n

    @classmethod
    def of(cls, rows: NDArray[np.float64]) -> ExactSum:
        """Add up the columns of rows, shape (n, k)."""
        return cls(exact_sums(rows), len(rows))

    def add(self, rows: NDArray[np.float64]) -> None:
        """Add rows, shape (n, k).

        Raises
        ------
        PluginError
            If the rows have another number of columns than those before them.
        """
        self.merge(ExactSum.of(rows))

    def merge(self, other: ExactSum) -> None:
        """Add the sum of other rows.

        Raises
        ------
        PluginError
            If the rows have another number of columns.
        """
        if not self.n or not other.n:
            self.units = self.units if self.n else other.units
        elif len(self.units) != len(other.units):
            message = (
                f"rows of {len(other.units)} columns cannot be added to rows of "
                f"{len(self.units)}; expected the same number for all segments"
            )
            raise PluginError(message)
        else:
            self.units = tuple(a + b for a, b in zip(self.units, other.units, strict=True))
        self.n += other.n

    def total(self) -> NDArray[np.float64]:
        """Round the sum to the nearest numbers, shape (k,).

        Raises
        ------
        PluginError
            If a sum is larger than 2^53, so that counts could have lost digits.
        """
        return checked_total(np.array([units / UNIT for units in self.units], np.float64))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactSum) and (self.units, self.n) == (other.units, other.n)

    def __repr__(self) -> str:
        return f"<ExactSum of {self.n} rows: {[units / UNIT for units in self.units]}>"


def checked_total(total: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sums of rows; raise a `PluginError` if one is larger than 2^53."""
    if (np.abs(total) > LARGEST).any():
        message = (
            f"a sum of rows is {total.flat[np.argmax(np.abs(total))]:g}: above 2^53, float64 "
            f"loses digits of counts; make the statistics smaller, or score fewer segments"
        )
        raise PluginError(message)
    return total


def exact_total(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up rows of shape (n, k), correctly rounded; see `ExactSum.total`."""
    return ExactSum.of(rows).total()


def exact_totals(rows: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Add up consecutive groups of rows, correctly rounded.

    Parameters
    ----------
    rows : ndarray of float64, shape (n, k)
        The rows, group by group.
    sizes : ndarray of int64, shape (n_groups,)
        Number of rows in each group, at least 1.

    Returns
    -------
    ndarray of float64, shape (n_groups, k)
    """
    starts = np.cumsum(sizes) - sizes
    sums: NDArray[np.float64] = np.add.reduceat(rows, starts, axis=0)
    for column in np.flatnonzero(~are_whole(rows)).tolist():
        numbers = rows[:, column].tolist()
        sums[:, column] = [
            math.fsum(numbers[start : start + size])
            for start, size in zip(starts.tolist(), sizes.tolist(), strict=True)
        ]
    return checked_total(sums)


def are_whole(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Test for each column, the last axis, whether all its numbers are whole."""
    whole: NDArray[np.bool_] = (rows == np.rint(rows)).all(axis=tuple(range(rows.ndim - 1)))
    return whole


class Weighable(NamedTuple):
    """Rows whose sums with whole weights are exact.

    Fractions are rounded to multiples of 2^-40, and cut in two at 2^-14 if their sums could
    otherwise have more than 53 bits.

    Parameters
    ----------
    coarse : ndarray of float64, shape (n, k)
        The rows, or their multiples of 2^-14.
    fine : ndarray of float64, shape (n, f)
        What is left of the columns with fractions; f is 0 if these are not cut.
    fractions : ndarray of int64, shape (f,)
        Numbers of these columns.
    heaviest : float
        Largest sum of weights for which the sums are exact.
    """

    coarse: NDArray[np.float64]
    fine: NDArray[np.float64]
    fractions: NDArray[np.int64]
    heaviest: float

    @classmethod
    def of(cls, rows: NDArray[np.float64], *, cut: bool = False) -> Weighable:
        """Prepare rows of shape (n, k).

        Parameters
        ----------
        rows : ndarray of float64, shape (n, k)
            The rows.
        cut : bool
            Whether to cut fractions of rows in any case, for sums over many parts.

        Raises
        ------
        PluginError
            If numbers with fractions are so small that multiples of 2^-40 are too coarse.
        """
        largest = float(np.abs(rows).max(initial=FINE))
        fractions = np.flatnonzero(~are_whole(rows))
        if not len(fractions):
            return cls(rows, rows[:, :0], fractions, LARGEST / largest)
        coarse = rows.copy()
        coarse[:, fractions] = rounded(rows[:, fractions])
        heaviest = LARGEST * FINE / largest
        if not cut and heaviest >= USUAL_WEIGHT * len(rows):
            return cls(coarse, rows[:, :0], fractions[:0], heaviest)
        fine = coarse[:, fractions]
        coarse[:, fractions] = np.rint(fine / COARSE) * COARSE
        fine -= coarse[:, fractions]
        return cls(coarse, fine, fractions, LARGEST * min(COARSE / largest, FINE / COARSE))


class WeightedSum(NamedTuple):
    """Sums of weighted rows in pieces, which can be merged without loss.

    Parameters
    ----------
    coarse : ndarray of float64, shape (..., k)
        Sums of the coarse pieces.
    fine : ndarray of float64, shape (..., f)
        Sums of the fine ones.
    fractions : ndarray of int64, shape (f,)
        The columns of the fine pieces.
    """

    coarse: NDArray[np.float64]
    fine: NDArray[np.float64]
    fractions: NDArray[np.int64]

    @classmethod
    def joined(cls, sums: Sequence[WeightedSum]) -> WeightedSum:
        """Join the sums of the same rows under several chunks of weights."""
        coarse = np.concatenate([each.coarse for each in sums], axis=-2)
        fine = np.concatenate([each.fine for each in sums], axis=-2)
        return cls(coarse, fine, sums[0].fractions)

    def total(self) -> NDArray[np.float64]:
        """Add the pieces, shape (..., k)."""
        if not len(self.fractions):
            return self.coarse
        total = self.coarse.copy()
        total[..., self.fractions] += self.fine
        return total

    def plus(self, other: WeightedSum) -> WeightedSum:
        """Add sums of other rows, which were cut in any case; see `Weighable.of`.

        Raises
        ------
        PluginError
            If the sums are too large to be exact.
        """
        fractions = np.union1d(self.fractions, other.fractions)
        fine = np.zeros((*self.coarse.shape[:-1], len(fractions)))
        for each in (self, other):
            fine[..., np.searchsorted(fractions, each.fractions)] += each.fine
        coarse = self.coarse + other.coarse
        limits = np.full(coarse.shape[-1], LARGEST)
        limits[fractions] *= COARSE
        if (np.abs(coarse) > limits).any() or (np.abs(fine) > LARGEST * FINE).any():
            message = (
                f"weighted sums of rows up to {np.abs(coarse).max():g} are not exact: make the "
                f"statistics smaller, or score fewer segments"
            )
            raise PluginError(message)
        return WeightedSum(coarse, fine, fractions)


def weighted_sums(parts: Sequence[Weighable], weights: Weights) -> list[WeightedSum]:
    """Add up rows of the same units under the same weights.

    Parameters
    ----------
    parts : sequence of Weighable
        Rows, not necessarily as wide as each other.
    weights : ndarray of float64 or uint8, shape (chunk, n)
        Whole numbers.

    Returns
    -------
    list of WeightedSum
        The sums of each part, of shape (chunk, k).

    Raises
    ------
    PluginError
        If sums of this size would not be exact.
    """
    pieces = [piece for part in parts for piece in (part.coarse, part.fine)]
    ends = np.cumsum([piece.shape[1] for piece in pieces])
    sums, heaviest = np.zeros((len(weights), ends[-1])), np.zeros(len(weights))
    for start in range(0, weights.shape[1], UNITS_AT_ONCE):
        some = slice(start, start + UNITS_AT_ONCE)
        block = weights[:, some].astype(np.float64)
        # One product with many columns takes half the time of many with few.
        sums += block @ np.concatenate([piece[some] for piece in pieces], axis=1)
        heaviest += block.sum(axis=1)
    for part in parts:
        if heaviest.max() > part.heaviest:
            message = (
                f"rows with numbers up to {np.abs(part.coarse).max():g} cannot be added exactly "
                f"{heaviest.max():g} times: make the statistics smaller, or score fewer segments"
            )
            raise PluginError(message)
    split = iter(np.split(sums, ends[:-1], axis=1))
    return [WeightedSum(next(split), next(split), part.fractions) for part in parts]


def rounded(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round numbers to multiples of 2^-40.

    Raises
    ------
    PluginError
        If the numbers are so small that rounding changes their sum by more than a millionth.
    """
    multiples: NDArray[np.float64] = np.rint(numbers / FINE) * FINE
    if np.abs(multiples - numbers).sum() > 1e-6 * np.abs(numbers).sum():
        message = (
            f"statistics with numbers as small as {np.abs(numbers[numbers != 0]).min():g} cannot "
            f"be resampled, which rounds them to multiples of 2^-40; make them larger"
        )
        raise PluginError(message)
    return multiples
