"""Numbers of concordant, discordant and tied pairs, in O(n log n).

References
----------
Knight 1966, "A computer method for calculating Kendall's tau with ungrouped data".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PairCounts", "pair_counts"]


class PairCounts(NamedTuple):
    """Numbers of pairs: all pairs, those tied in x, in y and in both, and discordant pairs."""

    pairs: NDArray[np.float64]
    tied_x: NDArray[np.float64]
    tied_y: NDArray[np.float64]
    tied_both: NDArray[np.float64]
    discordant: NDArray[np.float64]

    @property
    def concordant(self) -> NDArray[np.float64]:
        """Number of concordant pairs."""
        return self.pairs - self.tied_x - self.tied_y + self.tied_both - self.discordant


def pair_counts(x: NDArray[np.float64], y: NDArray[np.float64]) -> PairCounts:
    """Count the pairs along the last axis.

    Parameters
    ----------
    x, y : ndarray of float64, shape (..., n)
        NaN, on both sides, is a missing value.

    Returns
    -------
    PairCounts
        Of shape (...).
    """
    shape = x.shape[:-1]
    n_rows = int(np.prod(shape))
    x, y = x.reshape(n_rows, -1), y.reshape(n_rows, -1)
    present = ~np.isnan(x)
    row = np.nonzero(present)[0]  # ascending; every sort below keeps it so
    x, y = x[present], y[present]
    place = np.arange(len(row))
    row_start = np.maximum.accumulate(np.where(_runs(row), place, 0))

    order = np.lexsort((y, row))
    begins_y = _runs(row, y[order])
    class_ = np.cumsum(begins_y)
    code = np.empty(len(y), np.int64)
    code[order] = class_ - class_[row_start]
    order = np.lexsort((code, x, row))
    x, code = x[order], code[order]
    counts = [
        _pairs_of(np.bincount(row, minlength=n_rows)),
        _tied_pairs(row, _runs(row, x), n_rows),
        _tied_pairs(row, begins_y, n_rows),
        _tied_pairs(row, _runs(row, x, code), n_rows),
        _inversions(row, code, n_rows),
    ]
    return PairCounts(*(count.reshape(shape) for count in counts))


def _runs(*keys: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Mark where a run of equal keys begins."""
    begins = np.ones(len(keys[0]), bool)
    begins[1:] = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    return begins


def _pairs_of(n: NDArray[np.int64]) -> NDArray[np.float64]:
    pairs: NDArray[np.float64] = n * (n - 1.0) / 2
    return pairs


def _tied_pairs(
    row: NDArray[np.int64], begins: NDArray[np.bool_], n_rows: int
) -> NDArray[np.float64]:
    """Count the pairs within runs, row by row."""
    starts = np.flatnonzero(begins)
    lengths = np.diff(np.append(starts, len(row)))
    return _sums(row[starts], _pairs_of(lengths), n_rows)


def _sums(
    row: NDArray[np.int64], values: NDArray[np.float64] | NDArray[np.int64], n_rows: int
) -> NDArray[np.float64]:
    """Sum values row by row."""
    sums: NDArray[np.float64] = np.bincount(row, values, n_rows).astype(np.float64)
    return sums


def _inversions(
    row: NDArray[np.int64], code: NDArray[np.int64], n_rows: int
) -> NDArray[np.float64]:
    """Count the pairs of a row whose codes descend, bit by bit from the highest.

    Two codes with equal higher bits descend if only the first has the current bit. Rows are runs of
    equal ``row``.
    """
    count = np.zeros(n_rows)
    place = np.arange(len(code))
    for bit in reversed(range(int(code.max(initial=0)).bit_length())):
        one = code >> bit & 1
        begins = _runs(row, code >> (bit + 1))
        ones = np.cumsum(one) - one
        ones_before = ones - ones[np.maximum.accumulate(np.where(begins, place, 0))]
        count += _sums(row, np.where(one, 0, ones_before), n_rows)
        order = np.argsort(2 * np.cumsum(begins) + one, kind="stable")
        row, code = row[order], code[order]
    return count
