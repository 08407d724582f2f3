"""The parts of the search for shifts with sacreBLEU's limits, against sacreBLEU's own parts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_error_rates import sacrebleu_search as search

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

lib_ter = pytest.importorskip("sacrebleu.metrics.lib_ter")

texts = st.lists(st.integers(0, 3), max_size=40)
words = st.lists(st.integers(0, 3), min_size=1, max_size=40)

no_deadline = settings(deadline=None)


def ids(text: list[int]) -> np.ndarray:
    return np.array(text, np.int64)


def names(text: list[int]) -> list[str]:
    return [str(word) for word in text]


def test_the_limits_are_those_of_sacrebleu() -> None:
    assert search.MAX_SIZE == lib_ter._MAX_SHIFT_SIZE
    assert search.MAX_DISTANCE == lib_ter._MAX_SHIFT_DIST
    assert search.MAX_CANDIDATES == lib_ter._MAX_SHIFT_CANDIDATES
    assert search.BEAM == lib_ter._BEAM_WIDTH


@no_deadline
@given(texts, st.data())
def test_words_are_moved_to_the_same_place(text: list[int], data: st.DataObject) -> None:
    text = [*range(len(text))]
    start = data.draw(st.integers(0, len(text)))
    size = data.draw(st.integers(0, len(text) - start))
    target = data.draw(st.integers(0, len(text)))
    moved = search.shifted_words(ids(text), (start, size, target))
    assert moved.tolist() == lib_ter._perform_shift(text, start, size, target)
    assert sorted(moved.tolist()) == text


@no_deadline
@given(texts, texts)
def test_copies_are_listed_in_the_same_order(one: list[int], other: list[int]) -> None:
    expected = list(lib_ter._find_shifted_pairs(names(one), names(other))) if other else []
    assert list(search._copies(one, other)) == expected


@no_deadline
@given(texts, texts)
def test_alignments_are_equal(one: list[int], other: list[int]) -> None:
    edits, trace = lib_ter.BeamEditDistance(names(other))(names(one))
    places, wrong_copies, wrong = lib_ter.trace_to_alignment(lib_ter._flip_trace(trace))
    ours = search._align(ids(one), ids(other))
    assert ours.edits == edits
    assert ours.places == [places[j] for j in range(len(other))]
    assert [b - a for a, b in pairwise(ours.errors)] == wrong
    assert [b - a for a, b in pairwise(ours.copy_errors)] == wrong_copies
    assert ours.insertions - ours.deletions == len(one) - len(other)


@no_deadline
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=30),
    st.integers(0, 120),
    st.integers(0, 2**31),
)
def test_the_beam_is_equally_wide(one: list[int], length: int, seed: int) -> None:
    """With texts of very different lengths, where most of the table is outside the beam."""
    other = np.random.default_rng(seed).integers(0, 4, length).tolist()
    for a, b in ((one, other), (other, one)):
        edits, _ = lib_ter.BeamEditDistance(names(b))(names(a))
        *_, (_, row) = search._rows(ids(a)[None], ids(b))
        assert row[0, -1] == edits


@no_deadline
@given(st.integers(1, 12), words, st.integers(0, 2**31))
def test_many_texts_at_once_are_many_texts(n: int, other: list[int], seed: int) -> None:
    batch = np.random.default_rng(seed).integers(0, 4, (n, len(other)))
    *_, (_, together) = search._rows(batch, ids(other))
    for text, edits in zip(batch, together[:, -1], strict=True):
        *_, (_, alone) = search._rows(text[None], ids(other))
        assert alone[0, -1] == edits


def test_blocks_of_candidates_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    pairs = [(rng.integers(0, 5, 25), rng.integers(0, 5, 25)) for _ in range(5)]
    at_once = [search._count(*pair) for pair in pairs]
    monkeypatch.setattr(search, "AT_ONCE", 60)
    assert [search._count(*pair) for pair in pairs] == at_once


def test_candidates_end_with_the_copy_that_reaches_the_limit() -> None:
    rng = np.random.default_rng(0)
    text, reference = rng.integers(0, 2, 60).tolist(), rng.integers(0, 2, 60).tolist()
    alignment = search._align(ids(text), ids(reference))
    before = list(search._candidates(text, reference, alignment, 0))
    assert search.MAX_CANDIDATES <= len(before) <= search.MAX_CANDIDATES + search.MAX_SIZE
    after = list(search._candidates(text, reference, alignment, search.MAX_CANDIDATES - 1))
    assert 1 <= len(after) <= search.MAX_SIZE + 1
    assert before[: len(after)] == after
    # The round that reaches the limit makes no shift; without the limit, six shifts are made.
    assert search._count(ids(text), ids(reference)) == (3, 3, 14, 0, 0)
    assert lib_ter.translation_edit_rate(names(text), names(reference)) == (20, 60)
    with pytest.MonkeyPatch.context() as lifted:
        lifted.setattr(search, "MAX_CANDIDATES", 10**9)
        assert search._count(ids(text), ids(reference))[3:] == (6, 23)


@no_deadline
@given(texts, texts)
def test_kinds_of_edits_turn_one_length_into_the_other(one: list[int], other: list[int]) -> None:
    insertions, deletions, substitutions, shifts, shifted = search._count(ids(one), ids(other))
    assert min(insertions, deletions, substitutions, shifts) >= 0
    assert insertions - deletions == len(one) - len(other)
    assert shifts <= shifted <= search.MAX_SIZE * shifts
