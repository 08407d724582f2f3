"""Resampling of rows: bootstrap, paired tests, pseudo-documents.

Everything here is ``score(weights @ rows)``. One stream of weights serves all systems and metrics.
The weights come in chunks of a fixed size, so memory does not grow with the number of resamples,
and results do not depend on how the work is split.

References
----------
Koehn 2004, "Statistical significance tests for machine translation evaluation".
Riezler and Maxwell 2005, "On some pitfalls in automatic evaluation and significance testing".
Clark, Dyer, Lavie and Smith 2011, "Better hypothesis testing for statistical machine translation".
Phipson and Smyth 2010, "Permutation p-values should never be zero".
Westfall and Young 1993, *Resampling-Based Multiple Testing* (max-T).
Romano and Wolf 2005, "Exact and approximate stepdown methods for multiple hypothesis testing".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import UsageError
from mteval_kernels import draw_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = [
    "SIGNIFICANT",
    "all_swaps",
    "assignments",
    "at_least",
    "bootstrap",
    "correct_p_values",
    "growth_of_p",
    "max_t",
    "p_value",
    "pseudo_documents",
    "swaps",
]

SIGNIFICANT = 0.05
"""Threshold of significance for p-values."""

CHUNK = 250
CHUNK_BYTES = 8_000_000
"""Largest number of weight vectors in a chunk, and of bytes that are drawn for it.

Weights do not depend on them. Keep them fixed all the same: curves draw judges chunk by chunk.
"""


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
    for size in _chunks(count, n):
        counts, state = draw_counts(state, n, size)
        yield counts


def pseudo_documents(n: int, count: int, seed: int, size: int) -> Iterator[NDArray[np.float64]]:
    """Draw documents of random segments, without replacement.

    Melamed, Green and Turian 2003, section 4.

    Parameters
    ----------
    n : int
        Number of segments in the test set.
    count : int
        Number of documents.
    seed : int
        Seed of ``numpy.random.default_rng``.
    size : int
        Number of segments in a document, from 1 to n.

    Yields
    ------
    ndarray of float64, shape (at most CHUNK, n)
        1 for the segments of the document, 0 for the others.

    Raises
    ------
    UsageError
        If the size is out of range.
    """
    if not 0 < size <= n:
        message = (
            f"pseudo-documents of {size} segments; expected 1 to {n}, the size of the test set"
        )
        raise UsageError(message)
    rng = np.random.default_rng(seed)
    for rows in _chunks(count, 8 * n):
        weights = np.zeros((rows, n))
        chosen = np.argpartition(rng.random((rows, n)), size - 1, axis=1)[:, :size]
        np.put_along_axis(weights, chosen, 1.0, axis=1)
        yield weights


def swaps(n: int, count: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Decide for every segment at random whether two systems exchange it.

    Yields
    ------
    ndarray of uint8, shape (at most CHUNK, n)
        1 for a segment that two systems exchange, 0 for the others.
    """
    rng = np.random.default_rng(seed)
    n_bytes = 4 * -(-n // 32)  # the generator gives four bytes at a time
    for size in _chunks(count, n):
        tosses = np.frombuffer(rng.bytes(size * n_bytes), np.uint8).reshape(size, -1)
        yield np.unpackbits(tosses, axis=1, count=n)


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
    for size in _chunks(count, 8 * slots * n):
        yield rng.random((size, slots, n)).argsort(axis=1)


def _chunks(count: int, n_bytes: int) -> Iterator[int]:
    size = min(CHUNK, max(1, CHUNK_BYTES // n_bytes))
    for start in range(0, count, size):
        yield min(size, count - start)


def at_least(a: NDArray[np.float64], b: float) -> NDArray[np.bool_]:
    """Test where a >= b, up to rounding, so that ties count as ties."""
    return np.asarray(a >= b - 1e-10 * max(1.0, abs(b)))


def p_value(n_as_extreme: int, n_trials: int, *, exact: bool) -> float:
    """Compute the share of trials that are at least as extreme as the observation.

    Monte Carlo trials include the observed arrangement (Phipson and Smyth 2010); an exact
    enumeration already contains it.
    """
    return n_as_extreme / n_trials if exact else (n_as_extreme + 1) / (n_trials + 1)


def correct_p_values(p_values: Sequence[float], method: str) -> list[float]:
    """Correct p-values for the number of comparisons.

    Parameters
    ----------
    p_values : sequence of float
    method : {"holm", "bh", "none"}
        Holm 1979 (family-wise error rate), Benjamini and Hochberg 1995 (false discovery rate), or
        no correction.

    Returns
    -------
    list of float
        In the same order.

    Raises
    ------
    UsageError
        If the method does not exist.
    """
    if method not in ("holm", "bh", "none"):
        message = f"unknown correction {method!r}: expected holm, bh or none"
        raise UsageError(message)
    p = np.asarray(p_values, np.float64)
    m = len(p)
    if method == "none" or not m:
        return list(p_values)
    order = np.argsort(p, kind="stable")
    rank = np.arange(1, m + 1)
    if method == "holm":
        steps = np.maximum.accumulate((m - rank + 1) * p[order])
    else:
        steps = np.minimum.accumulate((m / rank * p[order])[::-1])[::-1]
    result = np.empty(m)
    result[order] = np.minimum(steps, 1.0)
    return [float(value) for value in result]


def max_t(values: Sequence[float], resampled: Sequence[NDArray[np.float64]]) -> list[float]:
    r"""Compute p-values that control the family-wise error of differences resampled together.

    Parameters
    ----------
    values : sequence of float
        The differences, m of them.
    resampled : sequence of ndarray of float64, shape (n,)
        Each difference on the same n bootstrap resamples.

    Returns
    -------
    list of float
        In the same order; never below the p-value of a difference on its own.

    Notes
    -----
    The statistic of a difference is :math:`t = |d| / s`, where s is the standard deviation of its
    resamples, and its value by chance on a resample is :math:`t^* = |d^* - \bar{d^*}| / s`. The
    test steps down: the largest t is compared with the largest :math:`t^*` of all differences in
    each resample, the next one with that of all but the first, and so on, and no p-value is below
    that of a larger t (Westfall and Young 1993; Romano and Wolf 2005). Correlated
    differences, such as those of all pairs of systems, are corrected less than by Holm.
    """
    # Without the lower limit, rounding would be the spread of differences that have none.
    spreads = [
        max(float(of_one.std()), 1e-10 * max(1.0, abs(value)))
        for value, of_one in zip(values, resampled, strict=True)
    ]
    t = np.abs(values) / spreads
    ascending = np.argsort(t, kind="stable")
    p = np.empty(len(t))
    largest = np.zeros_like(resampled[0])
    for k in ascending:
        by_chance = np.abs(resampled[k] - resampled[k].mean()) / spreads[k]
        largest = np.maximum(largest, by_chance)
        p[k] = p_value(int(at_least(largest, float(t[k])).sum()), len(largest), exact=False)
    descending = ascending[::-1]
    p[descending] = np.maximum.accumulate(p[descending])
    return [float(value) for value in p]


def growth_of_p(method: str, m: int) -> int:
    """Return the largest factor by which a correction for m comparisons multiplies a p-value.

    That of max-T has no bound, but the smallest p-value that n trials can give stays the smallest.
    """
    return 1 if method in ("none", "maxt") else m
