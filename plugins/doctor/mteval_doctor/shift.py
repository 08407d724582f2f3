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


CHUNK = 1 << 17
"""Number of lines that are looked at at once, to bound memory."""

N_BLOCKS = 4096
"""Number of blocks of lines in which a shift is looked for before it is looked for in lines."""


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
    """Find the first part of two texts that fits much better if one is shifted by a few lines.

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
    n = len(lengths)
    for first in range(0, n, CHUNK):
        found = shift_of_chunk(lengths[first : first + CHUNK], others[first : first + CHUNK])
        if found:
            stop = first + found.stop
            # The next lines are not looked at: the shift may go on.
            return Shift(first + found.start, n if stop == first + CHUNK else stop, found.lines)
    return None


def shift_of_chunk(lengths: NDArray[np.integer], others: NDArray[np.integer]) -> Shift | None:
    """Find the part of some lines that gains most from a shift."""
    n = min(len(lengths), len(others))
    if n < FEWEST:
        return None
    # np.log has instructions for many numbers at once, and np.log1p has not.
    one, other = (np.log(np.add(each, 1, dtype=np.float32)) for each in (lengths, others))
    # Another language may be longer throughout. Some lines show it, and np.median takes long.
    longer = np.sort((other[:n] - one[:n])[:: n // N_BLOCKS or 1])
    other -= longer[len(longer) // 2]
    straight = distances(one, other, 0)
    straight[n:] = 1  # a line that the other text lacks is a mismatch
    found, gain = None, CLEAR[1]
    for lines in (*range(-FARTHEST, 0), *range(1, FARTHEST + 1)):
        gains = straight - distances(one, other, lines)
        gains[np.isneginf(gains)] = 0
        if best_part(sums_of_blocks(gains))[2] < gain / 2:
            continue
        start, stop, gained = best_part(gains)
        if stop - start >= FEWEST and gained > max(gain, CLEAR[0] * (stop - start)):
            found, gain = Shift(start, stop, lines), gained
    return found


def distances(
    one: NDArray[np.float32], other: NDArray[np.float32], lines: int
) -> NDArray[np.float32]:
    """Return how far each line is from that of the other text so many lines later; inf without."""
    found = np.full(len(one), np.inf, np.float32)
    start, stop = max(0, -lines), min(len(one), len(other) - lines)
    found[start:stop] = np.abs(one[start:stop] - other[start + lines : stop + lines])
    return found


def sums_of_blocks(gains: NDArray[np.float32]) -> NDArray[np.float32]:
    """Add up blocks of lines, which have a large sum where their lines have."""
    size = len(gains) // N_BLOCKS or 1
    sums: NDArray[np.float32] = gains[: len(gains) // size * size].reshape(-1, size).sum(axis=1)
    return sums


def best_part(gains: NDArray[np.floating]) -> tuple[int, int, float]:
    """Find the part with the largest sum: its first line, its end, and the sum.

    Examples
    --------
    >>> best_part(np.array([-1.0, 2, -1, 3, -9, 1]))
    (1, 4, 4.0)
    """
    sums = np.concatenate([[0.0], np.cumsum(gains, dtype=float)])
    stop = int((sums - np.minimum.accumulate(sums)).argmax())
    start = int(sums[: stop + 1].argmin())
    return start, stop, float(sums[stop] - sums[start])
