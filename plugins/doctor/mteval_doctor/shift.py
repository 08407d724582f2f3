"""Detect misaligned lines from line lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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


BLOCK = 1 << 16
"""Number of lines that are looked at at once."""


class Shift(NamedTuple):
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


def find_shift(lengths: NDArray[np.integer], others: NDArray[np.integer]) -> Shift | None:
    """Find the part of two texts that fits much better if one is shifted by a few lines.

    It needs the lengths of all lines, but no other memory that grows with the texts, apart from
    the difference of the logarithms, once, for its median.

    Parameters
    ----------
    lengths, others : ndarray of int, shape (n,) and (m,)
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
    # Another language may be longer throughout.
    longer = float(np.median(np.log1p(others[:n]) - np.log1p(lengths[:n])))
    found, gain = None, 0.0
    for lines in (*range(-FARTHEST, 0), *range(1, FARTHEST + 1)):
        start, stop, gained = best_part(lengths, others, lines, longer)
        per_line, in_all = CLEAR
        is_clear = stop - start >= FEWEST and gained > max(in_all, per_line * (stop - start))
        if is_clear and gained > gain:
            found, gain = Shift(start, stop, lines), gained
    return found


def best_part(
    lengths: NDArray[np.integer], others: NDArray[np.integer], lines: int, longer: float
) -> tuple[int, int, float]:
    """Find the part that gains most from a shift: its first line, its end, and the gain."""
    start, stop, gain = 0, 0, 0.0
    total, lowest, lowest_at = 0.0, 0.0, 0
    for i in range(0, len(lengths), BLOCK):
        at = np.arange(i, min(i + BLOCK, len(lengths)))
        one = np.log1p(lengths[at])
        shifted, straight = (np.abs(one - _logs(others, at + k, longer)) for k in (lines, 0))
        # Where a text has no such line, neither a match nor a mismatch is seen.
        gains = np.where(np.isnan(shifted), 0.0, np.nan_to_num(straight, nan=1.0) - shifted)
        sums = np.cumsum(np.concatenate([[total], gains]))[1:]
        rises = sums - np.minimum.accumulate(np.minimum(sums, lowest))
        k, low = int(rises.argmax()), int(sums.argmin())
        if rises[k] > gain:
            first = int(sums[: k + 1].argmin())
            start = i + first + 1 if sums[first] < lowest else lowest_at
            stop, gain = i + k + 1, float(rises[k])
        if sums[low] < lowest:
            lowest, lowest_at = float(sums[low]), i + low + 1
        total = float(sums[-1])
    return start, stop, gain


def _logs(
    lengths: NDArray[np.integer], at: NDArray[np.int64], longer: float
) -> NDArray[np.float64]:
    """Return logarithms of lengths, without what is longer throughout; NaN without a line."""
    exists = (at >= 0) & (at < len(lengths))
    logs: NDArray[np.float64] = np.log1p(lengths[np.where(exists, at, 0)]) - longer
    return np.where(exists, logs, np.nan)
