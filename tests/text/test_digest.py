"""Digests of texts and of sets of references: what they cover, and how parts add up."""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_kernels as kernels
from mteval_core import TestSet, Text, TextDigest
from mteval_core.text.files import read_text

if TYPE_CHECKING:
    from pathlib import Path

segments = st.lists(st.none() | st.text(st.sampled_from("ab \u00e9"), max_size=4), max_size=8)


def halves(*lines: bytes) -> tuple[int, int]:
    """Digest lines by the kernel, segment after segment."""
    each = [
        kernels.text_digest(line, np.array([0]), np.array([len(line)]), np.array([i]))
        for i, line in enumerate(lines)
    ]
    low, high = sum(each).tolist()  # type: ignore[union-attr]
    return low, high


def test_a_digest_covers_the_number_and_the_bytes_of_every_segment() -> None:
    text = Text.of(["a b", "\u00fc", ""])
    assert text.digest == TextDigest(3, *halves(b"a b", "\u00fc".encode(), b""))


def test_a_missing_reference_is_the_byte_ff() -> None:
    assert Text.of(["c", None]).digest == TextDigest(2, *halves(b"c", b"\xff"))
    references = Text.of(["a", "b"])
    missing, empty = (TestSet((references, Text.of(["c", last]))) for last in (None, ""))
    assert missing.hash != empty.hash


def test_a_digest_is_written_in_32_little_endian_digits() -> None:
    digest = TextDigest(1, 0x0102, 2**63)
    assert digest.hex == "02010000000000000000000000000080"
    assert digest.hex == bytes(digest).hex()


@given(segments, st.integers(0, 8))
def test_parts_add_up_to_the_whole(lines: list[str | None], cut: int) -> None:
    first, last = Text.of(lines[:cut]), Text.of(lines[cut:])
    parts = [last.part_digest(np.arange(len(first), len(lines))), first.digest]
    assert sum(parts, TextDigest()) == Text.of(lines).digest


def test_the_hash_of_references_covers_their_number_their_length_and_each_in_order() -> None:
    one, other = Text.of(["a b", "c"]), Text.of(["a", "b c"])
    content = struct.pack("<qq", 2, 2) + bytes(one.digest) + bytes(other.digest)
    assert TestSet((one, other)).hash == blake2b(content, digest_size=6).hexdigest()
    content = struct.pack("<qq", 1, 2) + bytes(one.digest)
    assert TestSet((one,)).hash == blake2b(content, digest_size=6).hexdigest()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([["a", "b"]], [["a"], ["b"]]),
        ([["a\nb"]], [["a", "b"]]),
        ([["a"], ["b"]], [["b"], ["a"]]),
        ([["a", "b"]], [["b", "a"]]),
        ([["a", "b"], ["c", "d"]], [["a", "d"], ["c", "b"]]),
        ([["a"]], [["a "]]),
    ],
)
def test_other_references_have_another_hash(one: list[list[str]], other: list[list[str]]) -> None:
    hashes = [TestSet(tuple(map(Text.of, streams))).hash for streams in (one, other)]
    assert hashes[0] != hashes[1]


@pytest.mark.parametrize("content", [b"a b\nc", b"\xef\xbb\xbfa b\nc\n", b"a b\r\nc\r\n"])
def test_the_digest_is_of_the_cleaned_lines(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ref"
    path.write_bytes(content)
    assert read_text(path).digest == Text.of(["a b", "c"]).digest
