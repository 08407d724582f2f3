r"""The Poisson bootstrap: every segment draws its own weight, wherever it is.

The ordinary bootstrap draws n segments out of n, so the weights of all segments depend on each
other. Here the weight of a segment in a resample is a Poisson variable of mean 1, independent of
all others (Hanley and MacGibbon 2006; Chamandy et al. 2012). A machine that has a part of the
segments can draw their weights without the others.

The weights come from a generator that computes any part of its stream directly: Philox (Salmon et
al. 2011), keyed by the seed. Ids are in blocks of 1024, and the block is a part of the counter::

    w = table[Philox(key=seed, counter=[0, 0, 0, id // 1024]) as 16-bit words][1024 r + id % 1024]

is the weight of a segment in resample r. The table is the inverse of the distribution function F:
the weight of a word u is the number of k with :math:`u \ge 2^{16} F(k)`. These thresholds are
rounded to whole words, which keeps the mean of 1 exactly, makes the variance :math:`1 - 2^{-15}`,
and the largest weight 8.

References
----------
Chamandy, Muralidharan, Najmi and Naidu 2012, "Estimating uncertainty for massive data streams".
Hanley and MacGibbon 2006, "Creating non-parametric bootstrap samples using Poisson frequencies".
Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".
"""

from __future__ import annotations

from functools import cache
from math import exp, factorial
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import chunk_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BLOCK = 1024
"""Ids of a block: they draw from the same stream of Philox."""

FEWEST_UNITS = 30
"""With n units, a resample is empty with probability exp(-n).

With 30, there is an empty one in a million resamples with probability 1e-7.
"""

LARGEST_SEED = 2**128 - 1
"""The key of Philox has 128 bits."""


def check_units(n: int) -> None:
    """Raise a `UsageError` if there are too few units for a Poisson bootstrap."""
    if n < FEWEST_UNITS:
        raise UsageError(
            f"{n} segments or documents to draw from; a Poisson bootstrap needs at least "
            f"{FEWEST_UNITS}, because with fewer a resample can be empty: "
            f"use the resampler bootstrap"
        )


def poisson(n: int, count: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Draw how often each of n segments counts, independently of the others.

    Parameters
    ----------
    n : int
        Number of segments, at least 30. Their ids are 0 to n - 1.
    count : int
        Number of resamples.
    seed : int
        Key of Philox, below 2^128.

    Yields
    ------
    ndarray of uint8, shape (at most CHUNK, n)
        The weights of the segments; those of a resample add up to n on average.

    Raises
    ------
    UsageError
        If there are too few segments, or the seed is too large.
    """
    check_units(n)
    yield from poisson_weights(np.arange(n), count, seed)


def poisson_weights(ids: NDArray[np.int64], count: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Draw the weights of segments with any ids.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
        Ids of the segments, in any order. Weights depend only on the id, the resample and the
        seed. Time and memory depend on the number of blocks of 1024 that the ids are from, so
        parts of consecutive ids are the best ones.
    count : int
        Number of resamples. The first ones are the same for any number.
    seed : int
        Key of Philox, below 2^128.

    Yields
    ------
    ndarray of uint8, shape (at most CHUNK, n)
        How often each segment counts, from 0 to 8.

    Raises
    ------
    UsageError
        If an id is negative, or the seed is too large.

    Examples
    --------
    >>> whole, = poisson_weights(np.arange(5000), 2, seed=1)
    >>> part, = poisson_weights(np.array([4711, 3]), 2, seed=1)
    >>> bool((part == whole[:, [4711, 3]]).all())
    True
    """
    if len(ids) and ids.min() < 0:
        raise UsageError(f"segment id {ids.min()}: expected a whole number of at least 0")
    if not 0 <= seed <= LARGEST_SEED:
        raise UsageError(f"seed {seed} of a Poisson bootstrap: expected 0 to 2^128 - 1")
    blocks, which = np.unique(ids // BLOCK, return_inverse=True)
    columns = which * BLOCK + ids % BLOCK
    is_range = bool((np.diff(columns) == 1).all())
    chosen = slice(columns[0], columns[-1] + 1) if is_range and len(ids) else columns
    table = _weight_table()
    streams = [np.random.Philox(key=seed, counter=[0, 0, 0, block]) for block in blocks.tolist()]
    width = len(streams) * BLOCK
    for size in chunk_sizes(count, max(1, width)):
        weights = np.empty((size, width), np.uint8)
        for i, stream in enumerate(streams):
            weights[:, i * BLOCK : (i + 1) * BLOCK] = table.take(_words(stream, size))
        yield weights[:, chosen]


def _words(stream: np.random.Philox, size: int) -> NDArray[np.uint16]:
    """Draw the next words of a block, shape (size, BLOCK)."""
    raw: NDArray[np.uint64] = stream.random_raw(size * BLOCK // 4)
    return raw.astype("<u8", copy=False).view("<u2").reshape(size, BLOCK)


@cache
def _weight_table() -> NDArray[np.uint8]:
    """Compute the weight that each 16-bit word stands for."""
    distribution = np.cumsum([exp(-1) / factorial(k) for k in range(12)])
    thresholds = np.rint(2**16 * distribution)
    return np.searchsorted(thresholds, np.arange(2**16), side="right").astype(np.uint8)
