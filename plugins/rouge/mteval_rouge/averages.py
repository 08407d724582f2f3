"""The averages that ROUGE-1.5.5 prints: means of bootstrap means, with an interval.

The program draws sample i with Perl's random numbers seeded with i, from the items sorted by their
names as strings ("1.X", "10.X", "11.X", ..., "2.X"). The same texts therefore have the same
averages everywhere, and there is no seed to choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["interval", "resamples"]

CHUNK = 50
"""Number of samples drawn at a time."""

# drand48: state -> (MULTIPLIER * state + INCREMENT) mod 2^48, seeded with seed * 2^16 + START.
MULTIPLIER, INCREMENT, START, BITS = 0x5DEECE66D, 11, 0x330E, 48


def resamples(n: int, count: int, seed: int) -> Iterator[NDArray[np.float64]]:  # noqa: ARG001
    """Draw segments with replacement, as the program does.

    Parameters
    ----------
    n : int
        Number of segments.
    count : int
        Number of samples; the program draws 1000 (``-r``).
    seed : int
        Ignored: the program seeds sample i with i.

    Yields
    ------
    ndarray of float64, shape (at most CHUNK, n)
        How many times each segment was drawn.
    """
    items = np.array(sorted(range(n), key=lambda i: f"{i + 1}."), np.int64)
    # k steps at once: state_k = MULTIPLIER^k * state_0 + INCREMENT * sum of MULTIPLIER^j, j < k.
    # Overflow modulo 2^64 does not affect the result modulo 2^48.
    powers = np.multiply.accumulate(np.full(n, MULTIPLIER, np.uint64))
    increments = np.uint64(INCREMENT) * np.cumsum(
        np.concatenate([np.ones(1, np.uint64), powers[:-1]])
    )
    mask = np.uint64(2**BITS - 1)
    for first in range(0, count, CHUNK):
        seeds = np.arange(first, min(first + CHUNK, count), dtype=np.uint64)
        states = (
            powers * (seeds[:, None] * np.uint64(2**16) + np.uint64(START)) + increments
        ) & mask
        drawn = (states * 2.0**-BITS * n).astype(np.int64)
        places = items[drawn] + n * np.arange(len(seeds))[:, None]
        weights = np.bincount(places.ravel(), minlength=len(seeds) * n)
        yield weights.reshape(len(seeds), n).astype(np.float64)


def interval(means: NDArray[np.float64], level: float = 95) -> NDArray[np.float64]:
    """Average and interval as the program prints them.

    Parameters
    ----------
    means : ndarray of float64, shape (n_resamples, ...)
        Scores of the samples, at least one.
    level : float
        Confidence level in percent (``-c``).

    Returns
    -------
    ndarray of float64, shape (3, ...)
        The mean of the samples, and the lower and upper end of the interval. Both ends are
        interpolated between neighbouring samples with the same fraction, which is correct only for
        the upper end.
    """
    n = len(means)
    ordered = np.sort(means, axis=0)
    outside = n * (100 - level) / 200
    upper = n - outside - 1
    fraction = upper - int(upper)

    def between(place: int) -> NDArray[np.float64]:
        here, above = ordered[place], ordered[min(place + 1, n - 1)]
        return np.asarray(here + (above - here) * fraction)

    return np.stack([means.mean(axis=0), between(int(outside)), between(int(upper))])
