"""The digest of texts: a sum of one hash for each segment, in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import as_bytes, bounds, vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["text_digest"]

KEY = (0x0706050403020100, 0x0F0E0D0C0B0A0908)
"""The bytes 0, 1, ..., 15: the key of the test vectors in appendix A of the paper."""

HALF = 2**64 - 1

STATE = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
"""What the key is mixed with, section 2.1 of the paper."""

FEW = 16
"""If fewer segments have words left, each of them is hashed alone, with integers of Python."""

HEADER = 16
"""Bytes of the id and the length, which precede the bytes of a segment."""


def text_digest(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], ids: NDArray[np.int64]
) -> NDArray[np.uint64]:
    r"""Add up the hashes of segments, so that digests of parts add up to that of the whole.

    Parameters
    ----------
    buffer : bytes
        What the segments are parts of.
    starts, ends : ndarray of int64, shape (n_segments,)
        Segment ``i`` is ``buffer[starts[i]:ends[i]]``.
    ids : ndarray of int64, shape (n_segments,)
        Id of each segment, such as its number in the whole text.

    Returns
    -------
    ndarray of uint64, shape (2,)
        The sums, modulo 2^64, of the first and of the second half of the hashes. A hash is
        SipHash-2-4 with 128 bits of output (Aumasson and Bernstein 2012; the longer output is that
        of their reference implementation) of the id and the length in bytes, both as little-endian
        numbers of 64 bits, and the bytes. The key is fixed: the bytes 0, 1, ..., 15.

    Raises
    ------
    ValueError
        If a segment lies outside the buffer, or if there is not one id for each.

    Examples
    --------
    >>> both = text_digest(b"a\nb\n", np.array([0, 2]), np.array([1, 3]), np.array([0, 1]))
    >>> one = text_digest(b"a\n", np.array([0]), np.array([1]), np.array([0]))
    >>> other = text_digest(b"b\n", np.array([0]), np.array([1]), np.array([1]))
    >>> np.array_equal(both, one + other)
    True
    """
    buffer = as_bytes("buffer", buffer)
    first, stop = (np.array(b, np.int64) for b in bounds("buffer", starts, ends, len(buffer)))
    ids = vector("ids", ids, np.int64)
    if len(ids) != len(first):
        raise ValueError(f"buffer: {len(first)} texts but {len(ids)} ids; expected equal numbers")
    # All segments take a step at once. The longest come first, so that those with words left are
    # always a range.
    order = np.argsort(first - stop)
    first, lengths = first[order], (stop - first)[order]
    # Eight bytes from any position, as a number.
    words = np.ndarray(len(buffer) + 1, "<u8", buffer + bytes(8), strides=(1,))
    n_words, rest = np.divmod(lengths, 8)
    k0, k1 = KEY
    key = np.array([[k0], [k1 ^ 0xEE], [k0], [k1]], np.uint64)  # 0xEE is for 128 bits of output
    state = np.repeat(np.array(STATE, np.uint64)[:, None] ^ key, len(first), axis=1)
    _compress(state, ids[order].astype(np.uint64))
    _compress(state, lengths.astype(np.uint64))
    k, left = 0, 0
    for k in range(int(n_words.max(initial=0))):
        left = int(np.searchsorted(-n_words, -k))
        if left < FEW:
            break
        _compress(state[:, :left], words[first[:left] + 8 * k])
    else:
        left = 0
    for i in range(left):
        own = words[first[i] + 8 * k : first[i] + 8 * n_words[i] : 8]
        state[:, i] = _compressed(state[:, i].tolist(), own.tolist())
    bits = (8 * rest).astype(np.uint64)
    last = words[first + lengths - rest] & ((np.uint64(1) << bits) - np.uint64(1))
    _compress(state, last | (lengths + HEADER).astype(np.uint64) << np.uint64(56))
    return np.array([_half(state, 2, 0xEE), _half(state, 1, 0xDD)])


def _half(state: NDArray[np.uint64], v: int, mark: int) -> np.uint64:
    """Finalize a half of the hashes, and add them up."""
    state[v] ^= np.uint64(mark)
    _rounds(state, 4)
    half: np.uint64 = np.bitwise_xor.reduce(state, axis=0).sum(dtype=np.uint64)
    return half


def _compress(state: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
    """Mix one word of each segment into the state."""
    state[3] ^= words
    _rounds(state, 2)
    state[0] ^= words


def _compressed(state: list[int], words: list[int]) -> list[int]:
    """Mix the words of one segment into its state."""
    v0, v1, v2, v3 = state
    for word in words:
        v3 ^= word
        for _ in range(2):
            v0, v2 = v0 + v1 & HALF, v2 + v3 & HALF
            v1 = (v1 << 13 & HALF | v1 >> 51) ^ v0
            v3 = (v3 << 16 & HALF | v3 >> 48) ^ v2
            v0 = v0 << 32 & HALF | v0 >> 32
            v2, v0 = v2 + v1 & HALF, v0 + v3 & HALF
            v1 = (v1 << 17 & HALF | v1 >> 47) ^ v2
            v3 = (v3 << 21 & HALF | v3 >> 43) ^ v0
            v2 = v2 << 32 & HALF | v2 >> 32
        v0 ^= word
    return [v0, v1, v2, v3]


def _rounds(state: NDArray[np.uint64], count: int) -> None:
    """Mix the state, as figure 2.1 of the paper draws it."""
    v0, v1, v2, v3 = state
    for _ in range(count):
        for a, c, left, right in ((v0, v2, 13, 16), (v2, v0, 17, 21)):
            a += v1
            c += v3
            _rotate(v1, left)
            _rotate(v3, right)
            v1 ^= a
            v3 ^= c
            _rotate(a, 32)


def _rotate(values: NDArray[np.uint64], bits: int) -> None:
    """Rotate numbers to the left, in place."""
    values[:] = values << np.uint64(bits) | values >> np.uint64(64 - bits)
