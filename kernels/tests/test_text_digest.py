"""Digests of texts against SipHash as the paper describes it, and against its test vectors."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType, SimpleNamespace

KEY = bytes(range(16))
HALF = 2**64 - 1

VECTORS = {
    0: "a3817f04ba25a8e66df67214c7550293",
    1: "da87c1d86b99af44347659119b22fc45",
    7: "a1f1ebbed8dbc153c0b84aa61ff08239",
    8: "3b62a9ba6258f5610f83e264f31497b4",
    15: "5493e99933b0a8117e08ec0f97cfc3d9",
    16: "6ee2a4ca67b054bbfd3315bf85230577",
    63: "5150d1772f50834a503e069a973fbd7c",
}
"""Hashes of the bytes 0, 1, ..., n - 1, from vectors.h of the reference implementation."""


def siphash(message: bytes, n_bytes: int = 16, key: bytes = KEY) -> bytes:
    """Hash a message with SipHash-2-4, one word after the other."""
    k0, k1 = struct.unpack("<QQ", key)
    v = [a ^ b for a, b in zip(struct.unpack(">4Q", b"somepseudorandomlygeneratedbytes"),
                               (k0, k1, k0, k1), strict=True)]  # fmt: skip

    def rounds(count: int) -> None:
        for _ in range(count):
            for (x, y, turn), (z, w, other) in (((0, 1, 13), (2, 3, 16)), ((2, 1, 17), (0, 3, 21))):
                v[x], v[z] = v[x] + v[y] & HALF, v[z] + v[w] & HALF
                v[y], v[w] = rotated(v[y], turn) ^ v[x], rotated(v[w], other) ^ v[z]
                v[x] = rotated(v[x], 32)

    v[1] ^= 0xEE * (n_bytes == 16)
    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xEE if n_bytes == 16 else 0xFF
    hashed = b""
    for mark in (0, 0xDD)[: n_bytes // 8]:
        v[1] ^= mark
        rounds(4)
        hashed += struct.pack("<Q", v[0] ^ v[1] ^ v[2] ^ v[3])
    return hashed


def rotated(x: int, bits: int) -> int:
    return (x << bits | x >> (64 - bits)) & HALF


def digest(kernel: Any, segments: Sequence[bytes], ids: Sequence[int]) -> tuple[int, ...]:
    ends = np.cumsum([len(segment) for segment in segments], dtype=np.int64)
    starts = ends - np.array([len(segment) for segment in segments], np.int64)
    halves = kernel.text_digest(b"".join(segments), starts, ends, np.array(ids, np.int64))
    assert (halves.dtype, halves.shape) == (np.uint64, (2,))
    return tuple(halves.tolist())


def test_the_hash_of_the_papers_appendix() -> None:
    """Appendix A: the key 00 01 ... 0f and the message 00 01 ... 0e."""
    assert siphash(bytes(range(15)), 8) == (0xA129CA6149BE45E5).to_bytes(8, "little")


@pytest.mark.parametrize("n", VECTORS)
def test_the_hashes_of_the_reference_implementation(n: int) -> None:
    assert siphash(bytes(range(n))).hex() == VECTORS[n]


ids = st.integers(-(2**63), 2**63 - 1)
parts = st.lists(st.tuples(ids, st.binary(max_size=40)), max_size=12)


@given(parts)
def test_a_digest_is_the_sum_of_the_hashes_of_id_length_and_bytes(
    native: ModuleType, twins: SimpleNamespace, segments: list[tuple[int, bytes]]
) -> None:
    hashes = [siphash(struct.pack("<qq", i, len(text)) + text) for i, text in segments]
    halves = [struct.unpack("<QQ", each) for each in hashes]
    expected = tuple(sum(half[k] for half in halves) & HALF for k in (0, 1))
    for kernel in (native, twins):
        assert digest(kernel, [t for _, t in segments], [i for i, _ in segments]) == expected


@pytest.mark.parametrize("length", [55, 240, 256, 5000])
def test_long_segments(kernel: Any, length: int) -> None:
    text = bytes(i * i % 251 for i in range(length))
    expected = siphash(struct.pack("<qq", 3, length) + text)
    assert struct.pack("<QQ", *digest(kernel, [text, b"x"], [3, 0])) != expected
    assert struct.pack("<QQ", *digest(kernel, [text], [3])) == expected


@given(parts, st.randoms(use_true_random=False))
def test_parts_in_any_order_add_up_to_the_whole(
    kernel: Any, segments: list[tuple[int, bytes]], draw: Any
) -> None:
    whole = digest(kernel, [t for _, t in segments], [i for i, _ in segments])
    draw.shuffle(segments)
    cut = draw.randint(0, len(segments))
    sums = [0, 0]
    for part in (segments[:cut], segments[cut:]):
        halves = digest(kernel, [t for _, t in part], [i for i, _ in part])
        sums = [(a + b) & HALF for a, b in zip(sums, halves, strict=True)]
    assert tuple(sums) == whole


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (([b"a", b"b"], [0, 1]), ([b"b", b"a"], [0, 1])),
        (([b"a", b"b"], [0, 1]), ([b"a", b"b"], [0, 2])),
        (([b"a"], [0]), ([b"a", b""], [0, 1])),
        (([b"a\n"], [0]), ([b"a\n\0"], [0])),
        (([b"ab", b"c"], [0, 1]), ([b"a", b"bc"], [0, 1])),
        (([b""], [0]), ([b"\xff"], [0])),
    ],
)
def test_other_texts_have_other_digests(kernel: Any, one: Any, other: Any) -> None:
    assert digest(kernel, *one) != digest(kernel, *other)
