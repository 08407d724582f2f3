"""Where the lines of two texts no longer belong together, from the lengths of the lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Shift", "find_shift"]

FARTHEST = 3
"""Largest number of lines by which texts are tried to be shifted."""

FEWEST = 10
"""Fewest lines that a shift can be seen in."""

CLEAR = 0.25, 8.0
"""What a shift gains at least, per line and in all: differences of logarithms of lengths."""


@dataclass(frozen=True)
class Shift:
    """A part of two texts whose lines fit better if one text is shifted.

    Parameters
    ----------
    start, stop : int
        The lines of the first text, from 0; without `stop`.
    lines : int
        By how many lines the second text is late; negative if it is early.
    """

    start: int
    stop: int
    lines: int


def find_shift(lengths: NDArray[np.int64], others: NDArray[np.int64]) -> Shift | None:
    """Find the part of two texts that fits much better if one is shifted by a few lines.

    Parameters
    ----------
    lengths, others : ndarray of int64, shape (n,) and (m,)
        Lengths of the lines.

    Returns
    -------
    Shift or None
        None if there is no such part.

    Examples
    --------
    >>> lengths = np.random.default_rng(1).integers(5, 90, 60)
    >>> find_shift(lengths, np.delete(lengths, 20))
    Shift(start=21, stop=60, lines=-1)
    >>> find_shift(lengths, lengths + 3) is None
    True
    """
    n = min(len(lengths), len(others))
    if n < FEWEST:
        return None
    one, other = np.log1p(lengths), np.log1p(others)
    # Another language may be longer throughout.
    other = other - np.median(other[:n] - one[:n])
    found, gain = None, 0.0
    for lines in (*range(-FARTHEST, 0), *range(1, FARTHEST + 1)):
        start, stop, gained = best_part(one, other, lines)
        per_line, in_all = CLEAR
        is_clear = stop - start >= FEWEST and gained > max(in_all, per_line * (stop - start))
        if is_clear and gained > gain:
            found, gain = Shift(start, stop, lines), gained
    return found


def best_part(
    one: NDArray[np.float64], other: NDArray[np.float64], lines: int
) -> tuple[int, int, float]:
    """Find the part that gains most from a shift: its first line, its end, and the gain."""
    # Where a text has no such line, neither a match nor a mismatch is seen.
    at = np.arange(len(one))
    shifted, straight = (np.abs(one - _line(other, at + k)) for k in (lines, 0))
    gains = np.where(np.isnan(shifted), 0.0, np.nan_to_num(straight, nan=1.0) - shifted)
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    rises = sums - np.minimum.accumulate(sums)
    stop = int(rises.argmax())
    start = int(sums[: stop + 1].argmin())
    return start, stop, float(rises[stop])


def _line(values: NDArray[np.float64], at: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the values at some lines; not a number where there is no such line."""
    exists = (at >= 0) & (at < len(values))
    picked: NDArray[np.float64] = values[np.where(exists, at, 0)]
    return np.where(exists, picked, np.nan)
