"""Detect misaligned lines from line lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["Shift", "find_shift"]

FARTHEST = 3
"""Largest number of lines by which texts are tried to be shifted."""

FEWEST = 10
"""Fewest lines that a shift can be seen in."""

CLEAR = 0.25, 8.0
"""What a shift gains at least, per line and in all: differences of logarithms of lengths."""


CHUNK = 1 << 14
"""Number of lines that are looked at at once, to bound memory."""

N_BLOCKS = 512
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
    found, gain = None, CLEAR[1]
    for lines, gains, most in gains_of_shifts(one, other):
        if most < gain / 2:
            continue
        start, stop, gained = best_part(gains)
        if stop - start >= FEWEST and gained > max(gain, CLEAR[0] * (stop - start)):
            found, gain = Shift(start, stop, lines), gained
    return found


def gains_of_shifts(
    one: NDArray[np.float32], other: NDArray[np.float32]
) -> Iterator[tuple[int, NDArray[np.float32], float]]:
    """Yield each shift, what every line gains from it, and about what the best part gains."""
    shifts = [*range(-FARTHEST, FARTHEST + 1)]
    far = distances(one, other)
    straight = far[FARTHEST]
    straight[len(other) :] = 1  # a line that the other text lacks is a mismatch
    gains = straight - far
    gains[np.isinf(gains)] = 0
    # A part gains much in blocks of lines where it does in lines, and blocks are fewer.
    size = len(one) // N_BLOCKS or 1
    blocks = gains[:, : len(one) // size * size].reshape(len(shifts), -1, size)
    most = largest_sums(blocks @ np.ones(size, np.float32)).tolist()
    yield from (each for each in zip(shifts, gains, most, strict=True) if each[0])


def distances(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how far each line is from the lines of the other text around it; inf without.

    Returns
    -------
    ndarray of float32, shape (2 * FARTHEST + 1, n)
        The first row is that of the line `FARTHEST` lines earlier, and so on.
    """
    n = len(one)
    around = np.full(n + 2 * FARTHEST, np.inf, np.float32)
    around[FARTHEST : FARTHEST + len(other)] = other[: n + FARTHEST]
    return np.abs(one - np.stack([around[k : k + n] for k in range(2 * FARTHEST + 1)]))


def largest_sums(gains: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the sum of the part of each row that has the largest, shape (n_rows,)."""
    sums = np.zeros((len(gains), 1 + gains.shape[1]))
    gains.cumsum(axis=1, out=sums[:, 1:])
    largest: NDArray[np.float64] = (sums - np.minimum.accumulate(sums, axis=1)).max(axis=1)
    return largest


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
