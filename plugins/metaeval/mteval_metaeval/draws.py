"""Random draws: pseudo-documents, and exchanges of segments between two systems.

Draws come in chunks of a fixed size, so memory does not grow with their number. Curves draw judges
chunk by chunk, so that results depend on the size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["CHUNK", "all_swaps", "at_least", "pseudo_documents", "swaps"]

CHUNK = 250
CHUNK_BYTES = 8_000_000
"""Largest number of draws in a chunk, and of bytes that are drawn for it."""


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
        raise UsageError(
            f"pseudo-documents of {size} segments; expected 1 to {n}, the size of the test set"
        )
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


def _chunks(count: int, n_bytes: int) -> Iterator[int]:
    size = min(CHUNK, max(1, CHUNK_BYTES // n_bytes))
    for start in range(0, count, size):
        yield min(size, count - start)


def at_least(a: NDArray[np.float64], b: float) -> NDArray[np.bool_]:
    """Test where a >= b, up to rounding, so that ties count as ties."""
    return np.asarray(a >= b - 1e-10 * max(1.0, abs(b)))
