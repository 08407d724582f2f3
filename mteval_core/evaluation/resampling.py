"""Weights of segments: bootstrap resamples, and exchanges of paired tests.

Whatever is drawn is ``score(weights @ rows)``. One stream of weights serves all systems and
metrics. The weights come in chunks of a fixed size, so memory does not grow with the number of
resamples, and results do not depend on how the work is split.

References
----------
Koehn 2004, "Statistical significance tests for machine translation evaluation".
Riezler and Maxwell 2005, "On some pitfalls in automatic evaluation and significance testing".
Politis and Romano 1994, "Large sample confidence regions based on subsamples under minimal
assumptions".
Clark, Dyer, Lavie and Smith 2011, "Better hypothesis testing for statistical machine translation".
Hemerik and Goeman 2018, "Exact testing with random permutations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.metrics.exact import CHUNK_BYTES, SIDE, Swaps, walsh_signs
from mteval_kernels import draw_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

CHUNK = 500
"""Largest number of weight vectors in a chunk. Weights do not depend on it."""


def bootstrap(n: int, count: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Draw n segments with replacement, ``count`` times.

    Parameters
    ----------
    n : int
        Number of segments.
    count : int
        Number of resamples.
    seed : int
        Seed of ``numpy.random.default_rng``. For the same seed, resamples are identical to
        sacreBLEU's.

    Yields
    ------
    ndarray of uint8, shape (at most CHUNK, n)
        How often each segment was drawn.
    """
    state: Mapping[str, Any] = np.random.PCG64(seed).state
    for size in chunk_sizes(count, n):
        counts, state = draw_counts(state, n, size)
        yield counts


def subsamples(n: int, count: int, seed: int, *, size: int) -> Iterator[NDArray[np.uint8]]:
    """Draw some of n segments without replacement, ``count`` times.

    Yields
    ------
    ndarray of uint8, shape (at most CHUNK, n)
        1 for the `size` segments that are drawn, 0 for the others.
    """
    rng = np.random.default_rng(seed)
    for rows in chunk_sizes(count, 8 * n):
        yield (rng.random((rows, n)).argsort(axis=1) < size).astype(np.uint8)


def swaps(n: int, count: int, seed: int) -> Iterator[Swaps]:
    """Decide for every segment at random whether two systems exchange it.

    Yields
    ------
    Swaps
        Of up to 1024 trials.

    Notes
    -----
    The trials of a chunk are a coset of a group of exchanges. One of them, by chance, exchanges
    nothing and is left out, so the test is exact (Hemerik and Goeman 2018). Any two trials are
    nearly independent, so p-values vary as little as with independent ones, or less.
    """
    rng = np.random.default_rng(seed)
    unchanged = int(rng.integers(count + 1))
    for start in range(0, count + 1, SIDE**2):
        signs = 1 - 2 * rng.integers(0, 2, n, np.int8)
        bins = np.concatenate([rng.permutation(SIDE**2) for _ in range(0, n, SIDE**2)])[:n]
        trials = np.arange(start, min(start + SIDE**2, count + 1))
        if unchanged in trials:
            (signs,) = walsh_signs(np.array([unchanged - start]), bins)
            trials = trials[trials != unchanged]
        if len(trials):
            yield Swaps(signs, bins, trials - start)


def all_swaps(n: int) -> Iterator[NDArray[np.uint8]]:
    """Enumerate the 2^n ways of exchanging segments between two systems."""
    for start in range(0, 2**n, CHUNK):
        numbers = np.arange(start, min(start + CHUNK, 2**n))
        yield (numbers[:, None] >> np.arange(n) & 1).astype(np.uint8)


def assignments(n: int, slots: int, count: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Reassign the outputs of several runs at random, segment by segment.

    Yields
    ------
    ndarray of int64, shape (at most CHUNK, slots, n)
        The run that each slot takes the segment from: a permutation for each segment.
    """
    rng = np.random.default_rng(seed)
    for size in chunk_sizes(count, 8 * slots * n):
        yield rng.random((size, slots, n)).argsort(axis=1)


def chunk_sizes(count: int, n_bytes: int) -> Iterator[int]:
    """Yield the numbers of weight vectors of chunks, of which each takes so many bytes."""
    size = min(CHUNK, max(1, CHUNK_BYTES // n_bytes))
    for start in range(0, count, size):
        yield min(size, count - start)
