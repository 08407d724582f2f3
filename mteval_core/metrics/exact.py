"""Exact sums of floating-point rows: correctly rounded, in any order, mergeable.

The corpus, documents and parts of a test set are sums of rows. Here such a sum is rounded once, at
its end, so that it depends neither on the order of the segments nor on how they were split.

Resamples are sums of rows with weights, ``weights @ rows``, which numpy rounds at every addition.
`Weighable` rows are whole multiples of 2^-40, cut into pieces that are small enough for all these
additions to be exact. Most statistics are small whole numbers, for which float32 is exact too, and
twice as fast.
"""

from __future__ import annotations

import math
from functools import partial, reduce
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core.errors import PluginError
from mteval_core.metrics.threads import in_threads
from mteval_kernels import exact_sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Weights = NDArray[np.float64] | NDArray[np.uint8]
    Likeness = tuple[int, float, NDArray[np.float32]]

UNIT = 1 << 1074
"""Exact sums are whole multiples of 1 / UNIT, the smallest number above 0."""

LARGEST_INTEGER = 2.0**53
"""Up to here, every whole number is a float64."""

FINE = 2.0**-40
"""Rows that are weighted are multiples of this."""

COARSE = 2.0**-14
"""Where rows are cut in two if their sums could pass 2^53 multiples of 2^-40."""

USUAL_WEIGHT = 4
"""Resamples seldom draw a segment more often than this on average."""

ROWS_AT_ONCE = 2048
"""Products are of so many units, so that their weights and rows stay in the cache."""

SMALL = 2.0**11
"""Whole numbers up to here are float32 in products."""

SMALL_WEIGHT = 2.0**24 / SMALL
"""Up to this sum of the weights of units at once, such products are exact."""

MOST_LIKE = 16
"""Largest number of columns of its set that a column is compared with."""

MOST_OFF = 256
"""Largest number of rows in which the gap between two similar columns may be another one."""

SIDE = 32
WALSH = reduce(np.kron, 5 * [np.array([[1, 1], [1, -1]], np.int8)])
"""The Walsh-Hadamard matrix of size 32."""

CHUNK_BYTES = 8_000_000
"""Largest size of weights that are drawn at once. Weights do not depend on it."""


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
            raise PluginError(
                f"rows of {len(other.units)} columns cannot be added to rows of "
                f"{len(self.units)}; expected the same number for all segments"
            )
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
    if (np.abs(total) > LARGEST_INTEGER).any():
        raise PluginError(
            f"a sum of rows is {total.flat[np.argmax(np.abs(total))]:g}: above 2^53, float64 "
            f"loses digits of counts; make the statistics smaller, or score fewer segments"
        )
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


class Columns(NamedTuple):
    """What became of the columns of rows whose sums with whole weights are exact.

    Parameters
    ----------
    small : ndarray of bool, shape (k,)
        Whether a column has whole numbers only, in rows without large numbers.
    fractions : ndarray of int64, shape (f,)
        Numbers of the columns that are cut in two.
    largest : float
        The largest number.
    heaviest : float
        Largest sum of weights for which the sums are exact.
    """

    small: NDArray[np.bool_]
    fractions: NDArray[np.int64]
    largest: float
    heaviest: float


class Distinct(NamedTuple):
    """Columns of small whole numbers, without those that follow from others.

    Lengths of references are the same for all systems, and a segment has one bigram less than words
    unless it is empty. So many columns are another one plus a gap, in all rows or nearly all.

    Parameters
    ----------
    full : ndarray of float32, shape (n, f)
        A column of ones, and those that are like no other one.
    basis : ndarray of int64, shape (k,)
        The full column that each column follows from.
    gaps : ndarray of float32, shape (k, 1)
        By how much it is larger in most rows.
    off : ndarray of int64, shape (r,)
        The rows in which the gap of any column is another one.
    rest : ndarray of float32, shape (k, r)
        What is to be added to the gaps in these rows.
    """

    full: NDArray[np.float32]
    basis: NDArray[np.int64]
    gaps: NDArray[np.float32]
    off: NDArray[np.int64]
    rest: NDArray[np.float32]

    @classmethod
    def of(cls, sets: Sequence[NDArray[np.float32]]) -> Distinct:
        """Compare the columns of each set, shape (k, n), with those before."""
        full, alike = [np.ones(sets[0].shape[1], np.float32)], []
        known: dict[bytes, Likeness] = {blake2b(full[0].data).digest(): (0, 0.0, 0 * full[0])}
        for columns in sets:
            own = {0}
            for column in columns:
                key = blake2b(column.data).digest()
                if key not in known:
                    known[key] = _likeness(column, full, own)
                alike.append(known[key])
                own.add(known[key][0])
        basis = np.array([k for k, _, _ in alike], np.int64)
        gaps = np.array([gap for _, gap, _ in alike], np.float32)[:, None]
        off = reduce(np.union1d, (np.flatnonzero(rest) for _, _, rest in alike), basis[:0])
        rest = np.array([rest[off] for _, _, rest in alike], np.float32)
        rest = rest.reshape(len(alike), len(off))  # also without columns
        return cls(np.stack(full, axis=1), basis, gaps, off=off, rest=rest)

    def sums(self, full: NDArray[Any], off: NDArray[Any]) -> NDArray[Any]:
        """Compute the sums of all columns from those of `full`, and from the weights of `off`."""
        sums: NDArray[Any] = full[self.basis] + self.gaps * full[0]
        sums += self.rest @ off.astype(full.dtype)
        return sums


class Weighable(NamedTuple):
    """Rows of the same units whose sums with whole weights are exact.

    Fractions are rounded to multiples of 2^-40, and cut in two at 2^-14 if their sums could
    otherwise have more than 53 bits.

    Parameters
    ----------
    small : Distinct
        The columns of small whole numbers.
    others : ndarray of float64, shape (n, t)
        The other columns of each set of rows, or their multiples of 2^-14, and then what is left
        of those with fractions.
    sets : sequence of Columns
        The sets of rows that these columns belong to.
    """

    small: Distinct
    others: NDArray[np.float64]
    sets: Sequence[Columns]

    @classmethod
    def of(
        cls, sets: Iterable[NDArray[np.float64]], *, cut: bool = False, threads: int = 1
    ) -> Weighable:
        """Prepare sets of rows.

        Parameters
        ----------
        sets : iterable of ndarray of float64, shape (n, k)
            The rows, not necessarily as wide as each other.
        cut : bool
            Whether to cut fractions of rows in any case, for sums over many parts.
        threads : int
            Number of threads.

        Raises
        ------
        PluginError
            If numbers with fractions are so small that multiples of 2^-40 are too coarse.
        """
        prepared = in_threads(partial(_prepare, cut=cut), zip(sets), threads)
        small, others, columns = zip(*prepared, strict=True)
        return cls(Distinct.of(small), np.concatenate(others, axis=1), columns)

    def sums(self, weights: Weights | Swaps) -> list[WeightedSum]:
        """Add up the rows of each set under the same weights.

        Parameters
        ----------
        weights : ndarray of float64 or uint8, shape (chunk, n), or Swaps
            Whole numbers.

        Returns
        -------
        list of WeightedSum
            The sums of each set, of shape (chunk, k); float32 if small ones were exchanged.

        Raises
        ------
        PluginError
            If sums of this size would not be exact.
        """
        if isinstance(weights, np.ndarray):
            full, others = self._products(weights)
            off, heaviest = weights[:, self.small.off].T, float(full[0].max())
        else:  # whose transform works with sums of up to twice as many rows
            full, others = ((weights @ rows).T for rows in (self.small.full, self.others))
            off, heaviest = weights.mask(self.small.off).T, 2.0 * len(self.others)
        for each in self.sets:
            if heaviest > each.heaviest:
                raise PluginError(
                    f"rows with numbers up to {each.largest:g} cannot be added exactly "
                    f"{heaviest:g} times: make the statistics smaller, or score fewer "
                    f"segments"
                )
        return self._split(self.small.sums(full, off), others)

    def _products(self, weights: Weights) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the sums of full and other columns."""
        count, n = weights.shape
        full, others = (np.zeros((rows.shape[1], count)) for rows in (self.small.full, self.others))
        for start in range(0, n, ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            block: NDArray[Any] = weights[:, some].T
            block = block.astype(np.float32 if block.dtype == np.uint8 else np.float64)
            if block.sum(axis=0).max() > SMALL_WEIGHT:
                block = block.astype(np.float64)
            full += self.small.full[some].T @ block
            if others.size:
                others += self.others[some].T @ block.astype(np.float64)
        return full, others

    def _split(self, small: NDArray[np.float64], others: NDArray[np.float64]) -> list[WeightedSum]:
        """Split sums of all columns into those of each set."""
        sums, n_small, n_others = [], 0, 0
        for each in self.sets:
            some = slice(n_small, n_small := n_small + int(each.small.sum()))
            large = slice(n_others, n_others := n_others + int((~each.small).sum()))
            fine = slice(n_others, n_others := n_others + len(each.fractions))
            coarse = small[some]
            if len(coarse) < len(each.small):
                coarse = np.empty((len(each.small), small.shape[1]))
                coarse[each.small], coarse[~each.small] = small[some], others[large]
            sums.append(WeightedSum(coarse.T, others[fine].T, each.fractions))
        return sums


class Swaps(NamedTuple):
    """The units that two systems exchange in up to 1024 trials, whose sums are one transform.

    Trial t exchanges the units u where ``signs[u] * H[t, bins[u]]`` is -1, with the Walsh-Hadamard
    matrix H of size 1024.

    Parameters
    ----------
    signs : ndarray of int8, shape (n_units,)
        1 or -1 by chance.
    bins : ndarray of int64, shape (n_units,)
        Columns of H by chance, other ones for each of 1024 units in a row.
    trials : ndarray of int64
        The rows of H.
    """

    signs: NDArray[np.int8]
    bins: NDArray[np.int64]
    trials: NDArray[np.int64]

    def masks(self) -> Iterator[NDArray[np.uint8]]:
        """Yield 1 for the units that are exchanged, and 0 for others, shape (chunk, n_units)."""
        size = max(1, CHUNK_BYTES // len(self.bins))
        for start in range(0, len(self.trials), size):
            some = self._replace(trials=self.trials[start : start + size])
            yield some.mask(np.arange(len(self.bins)))

    def mask(self, units: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Compute 1 where a unit is exchanged, shape (n_trials, n_units)."""
        signs = walsh_signs(self.trials, self.bins[units]) * self.signs[units]
        return (signs < 0).astype(np.uint8)

    def __matmul__(self, rows: NDArray[np.floating]) -> NDArray[Any]:
        """Add up the rows of the units that are exchanged, shape (n_trials, k)."""
        is_small = rows.dtype == np.float32 and len(rows) * SMALL <= 2**23
        walsh: NDArray[Any] = WALSH.astype(np.float32 if is_small else np.float64)
        folded = np.zeros((SIDE**2, rows.shape[1]), walsh.dtype)
        for start in range(0, len(rows), SIDE**2):
            some = slice(start, start + SIDE**2)
            folded[self.bins[some]] -= rows[some] * self.signs[some, None]
        folded[0] += rows.sum(axis=0, dtype=walsh.dtype)
        half = walsh / 2 @ folded.reshape(SIDE, -1)
        sums: NDArray[Any] = (walsh @ half.reshape(SIDE, SIDE, -1)).reshape(folded.shape)
        return sums if len(self.trials) == len(sums) else sums[self.trials]


def walsh_signs(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int8]:
    """Compute some rows and columns of the Walsh-Hadamard matrix of size 1024."""
    outer, inner = zip(np.divmod(rows, SIDE), np.divmod(columns, SIDE), strict=True)
    signs: NDArray[np.int8] = WALSH[np.ix_(*outer)] * WALSH[np.ix_(*inner)]
    return signs


def _likeness(
    column: NDArray[np.float32], full: list[NDArray[np.float32]], own: Iterable[int]
) -> Likeness:
    """Find the full column that a column follows from, its gap and rest; or append the column."""
    most_off = min(MOST_OFF, len(column) // 16)
    for k in islice(own, MOST_LIKE):
        apart = column - full[k]
        rest = apart - (gap := float(apart[len(apart) // 2]))
        if np.count_nonzero(rest) <= most_off and np.abs(apart).max() <= SMALL:
            return k, gap, rest
    full.append(column)
    return len(full) - 1, 0.0, np.broadcast_to(np.float32(0), column.shape)


def _prepare(
    rows: NDArray[np.float64], *, cut: bool
) -> tuple[NDArray[np.float32], NDArray[np.float64], Columns]:
    """Divide the columns of rows into small and other ones, cut these, and describe all."""
    whole, largest = are_whole(rows), float(max(FINE, rows.max(initial=0), -rows.min(initial=0)))
    small = whole & (largest <= SMALL)
    columns = np.ascontiguousarray(rows[:, small].T, np.float32)
    others, fractions = rows[:, ~small], np.flatnonzero(~whole)
    if not len(fractions):
        return columns, others, Columns(small, fractions, largest, LARGEST_INTEGER / largest)
    own = ~whole[~small]
    others[:, own] = round_exactly(others[:, own])
    heaviest = LARGEST_INTEGER * FINE / largest
    if not cut and heaviest >= USUAL_WEIGHT * len(rows):
        return columns, others, Columns(small, fractions[:0], largest, heaviest)
    fine = others[:, own]
    others[:, own] = np.rint(fine / COARSE) * COARSE
    fine -= others[:, own]
    heaviest = LARGEST_INTEGER * min(COARSE / largest, FINE / COARSE)
    others = np.concatenate([others, fine], axis=1)
    return columns, others, Columns(small, fractions, largest, heaviest)


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
        limits = np.full(coarse.shape[-1], LARGEST_INTEGER)
        limits[fractions] *= COARSE
        if (np.abs(coarse) > limits).any() or (np.abs(fine) > LARGEST_INTEGER * FINE).any():
            raise PluginError(
                f"weighted sums of rows up to {np.abs(coarse).max():g} are not exact: make the "
                f"statistics smaller, or score fewer segments"
            )
        return WeightedSum(coarse, fine, fractions)


def round_exactly(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round numbers to multiples of 2^-40.

    Raises
    ------
    PluginError
        If the numbers are so small that rounding changes their sum by more than a millionth.
    """
    multiples: NDArray[np.float64] = np.rint(numbers / FINE) * FINE
    if np.abs(multiples - numbers).sum() > 1e-6 * np.abs(numbers).sum():
        raise PluginError(
            f"statistics with numbers as small as {np.abs(numbers[numbers != 0]).min():g} cannot "
            f"be resampled, which rounds them to multiples of 2^-40; make them larger"
        )
    return multiples
