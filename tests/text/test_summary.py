"""What remains of texts: the digests, hashes and sizes of the texts themselves."""

from __future__ import annotations

import struct
from dataclasses import FrozenInstanceError
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_testing.strategies import samples

import mteval_core as mt
from mteval_core.metrics.scorer import sign
from mteval_core.text.digest import SeenTestSet, SeenText, TextDigest, reference_hash
from mteval_core.text.summary import TextSummary
from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from mteval_core import Sample

halves = st.integers(0, 2**64 - 1)
digests = st.builds(TextDigest, st.integers(0, 9), halves, halves)


# Sums of digests


@given(digests, digests, digests)
def test_digests_are_added_modulo_2_64(a: TextDigest, b: TextDigest, c: TextDigest) -> None:
    assert (a + b) + c == a + (c + b)
    assert a + TextDigest() == a
    total = a + b
    assert total.n_segments == a.n_segments + b.n_segments
    assert bytes(total) == b"".join(
        ((x + y) & (2**64 - 1)).to_bytes(8, "little") for x, y in ((a.low, b.low), (a.high, b.high))
    )
    assert bytes.fromhex(total.hex) == bytes(total)
    assert len(total.hex) == 32


@given(st.lists(digests, max_size=4))
def test_the_hash_covers_every_digest_and_the_first_size(streams: list[TextDigest]) -> None:
    n = streams[0].n_segments if streams else 0
    numbers = [half for each in streams for half in (each.low, each.high)]
    content = struct.pack(f"<qq{len(numbers)}Q", len(streams), n, *numbers)
    assert reference_hash(streams) == blake2b(content, digest_size=6).hexdigest()
    assert reference_hash(streams) != reference_hash([*streams, TextDigest()])


@given(st.lists(st.text("ab \u00e9\u6771"), min_size=2, max_size=6), st.data())
def test_any_two_segments_that_change_places_change_the_digest(
    lines: list[str], data: st.DataObject
) -> None:
    i, j = sorted(data.draw(st.lists(st.integers(0, len(lines) - 1), min_size=2, max_size=2)))
    moved = [*lines]
    moved[i], moved[j] = moved[j], moved[i]
    assert (Text.of(moved).digest == Text.of(lines).digest) == (lines[i] == lines[j])
    parts = [Text.of([line]).part_digest(np.array([k])) for k, line in enumerate(lines)]
    data.draw(st.randoms()).shuffle(parts)
    assert sum(parts, TextDigest()) == Text.of(lines).digest


def test_a_digest_is_of_bytes_and_of_ids() -> None:
    composed, decomposed = Text.of(["\u00e9"]), Text.of(["e\u0301"])
    assert composed.digest != decomposed.digest
    assert Text.of([""]).digest != TextDigest(1)
    assert Text.of([]).digest == TextDigest()
    assert composed.part_digest(np.array([1])) != composed.digest
    with pytest.raises(FrozenInstanceError):
        composed.digest.low = 0  # type: ignore[misc]


# Test sets of digests


def seen(test_set: TestSet) -> SeenTestSet:
    """Forget the texts, after they were read segment by segment."""
    streams = tuple(SeenText(digest_of(stream)) for stream in test_set.references)
    source = None if test_set.source is None else SeenText(digest_of(test_set.source))
    return SeenTestSet(streams, source, None, len(test_set), test_set.n_references)


def digest_of(text: Text) -> TextDigest:
    """Add up the digests of single segments."""
    parts = [Text.of([segment]).part_digest(np.array([i])) for i, segment in enumerate(text)]
    return sum(parts, TextDigest())


def in_lines(text: Text) -> TextSummary:
    summary = TextSummary(text.path)
    for i in range(len(text)):
        summary.add(Text.of([text[i]]))
    return summary


@pytest.mark.parametrize("has_source", [True, False])
@settings(max_examples=5)
@given(sample=samples(max_tokens=4))
def test_a_test_set_of_digests_signs_like_its_texts(sample: Sample, has_source: Any) -> None:
    source = [*sample.hypotheses] if has_source else None
    whole = TestSet.of(sample.references, source=source)
    digests_only = seen(whole)
    assert len(digests_only) == len(whole)
    assert digests_only.n_references == whole.n_references
    assert (digests_only.hash, digests_only.source_hash) == (whole.hash, whole.source_hash)
    for spec in ("bleu", "chrf:nw=2"):
        scorer = mt.metric(spec)
        assert sign(scorer, digests_only) == scorer.signature(whole)
    for asked in ({"references": a, "source": b} for a in (True, False) for b in (True, False)):
        fields = digests_only.hashes(**asked)
        assert fields == whole.hashes(**asked)
        assert ("refs" in fields) == asked["references"]
        assert ("src" in fields) == (asked["source"] and has_source)


def test_signatures_tell_varying_references_from_none() -> None:
    bleu, one = mt.metric("bleu"), Text.of(["a", "b"])
    some, none = TestSet.of([["a", "b"], ["c", None]]), TestSet.of([], source=["a", "b"])
    assert sign(bleu, seen(some)).get("nrefs") == "var"
    assert sign(bleu, seen(TestSet((one, one)))).get("nrefs") == "2"
    assert sign(bleu, seen(none)).get("nrefs") == "0"
    assert sign(bleu, seen(none)).get("refs") is None
    assert seen(none).hash == reference_hash([]) == none.hash
    assert seen(none).source_hash == reference_hash([one.digest])


def test_a_text_of_which_the_digest_is_left_has_its_length_and_path() -> None:
    text = SeenText(Text.of(["a", "", "b"]).digest, "ref.txt")
    assert (len(text), text.path, SeenText(TextDigest()).path) == (3, "ref.txt", None)
    assert len(SeenText(TextDigest())) == 0


# Summaries

blanks = st.sampled_from([" ", "\t", "\r", "\x0b", "\x0c", "\u00a0", "\u3000", "\x1f", "\x00"])


@given(st.lists(st.none() | st.lists(blanks | st.sampled_from([".", "a"])).map("".join)))
def test_a_summary_counts_what_its_lines_are(lines: list[str | None]) -> None:
    text = Text.of(lines)
    there = [line for line in text if line is not None]
    for summary in (TextSummary.of(text), in_lines(text)):
        assert summary.n_segments == len(lines)
        assert summary.n_empty == sum(not line.strip(" \t\r\x0b\x0c") for line in there)
        assert summary.n_bytes == sum(len(line.encode()) + 1 for line in there) + 2 * (
            len(lines) - len(there)
        )
        assert summary.digest == text.digest
        assert [*summary.sample.values()] == there


def test_a_summary_of_nothing_is_that_of_no_segments() -> None:
    empty = TextSummary("a.txt")
    for summary in (empty, TextSummary.of(Text.of([]))):
        assert (summary.n_segments, summary.n_bytes, summary.n_empty) == (0, 0, 0)
        assert summary.sample == {}
        assert summary.digest == TextDigest()
    assert empty.path == "a.txt"


# Summaries for checks


def in_blocks(text: Text, size: int) -> TextSummary:
    summary = TextSummary(text.path)
    for start in range(0, len(text), size):
        summary.add(text[start : start + size])
    return summary


@given(
    st.lists(st.sampled_from(["a", "", " ", " .", "b\tc", "\u00e9" * 33_000, None])),
    st.integers(1, 5),
)
def test_a_summary_adds_up_over_blocks(segments: list[str | None], size: int) -> None:
    text = Text.of(segments)
    summary = in_blocks(text, size)
    assert summary.digest == summary.digest == text.digest
    assert (summary.n_segments, summary.n_bytes) == (len(text), len(text.buffer))
    assert summary.n_empty == text.empty.sum()
    assert summary.sample == {i: line for i, line in enumerate(segments) if line is not None}
    assert summary.lengths.tolist() == np.minimum(text.ends - text.starts, 65_535).tolist()


@pytest.mark.parametrize("size", [1, 7, 256, 1000, 5000])
def test_the_sample_of_a_long_text_depends_on_the_numbers_alone(size: int) -> None:
    text = Text.of([f"line {i}" for i in range(5000)])
    sample = in_blocks(text, size).sample
    runs = ((0, 384), (512, 640), (1024, 1152), (2048, 2176), (4096, 4224))
    assert [*sample] == [i for start, stop in runs for i in range(start, stop)]
    assert all(sample[i] == f"line {i}" for i in sample)
