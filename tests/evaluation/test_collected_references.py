"""NIST of references that come in pieces: every row against plain counters."""

from __future__ import annotations

import pickle
from collections import Counter
from functools import cache
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_bleu_nist.ngram_counts import ReferenceWords
from mteval_bleu_nist.nist import Nist

import mteval_core as mt
from mteval_core import Kept, Part
from mteval_core.evaluation.counting import Collection, collect, count_segments, with_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

ORDER = 3
SPEC = f"nist:order={ORDER},tok=none,case=mixed"

TEXT = st.lists(st.sampled_from(["a", "b", "c", "à", "日"]), max_size=6)
SEGMENTS = st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6)


def ngrams(text: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))


configured = cache(mt.metric)


def rows_in_pieces(segments: Any, cuts: Any, spec: str = SPEC) -> Any:
    """Collect the references in pieces, then count them in the same pieces, last one first."""
    scorer = configured(spec)
    parts = np.split(np.arange(len(segments)), cuts)
    pieces = []
    for ids in parts:
        texts = [mt.Text.of([" ".join(segments[i][k]) for i in ids]) for k in range(3)]
        if len(ids):
            pieces.append(Part({"A": texts[0]}, mt.TestSet((texts[1], texts[2])), ids))
    collection = Collection()
    for each in pieces:
        collection.merge(pickle.loads(pickle.dumps(collect(each, [scorer]))))
    seen = with_counts(scorer, collection[spec])
    rows = {}
    for each in reversed(pieces):
        partial = count_segments(each, [seen], Kept("segment"))
        counted = partial.all_rows(("A", spec)).tolist()
        rows.update(zip(partial.all_ids.tolist(), counted, strict=True))
    return [rows[i] for i in range(len(segments))]


def expected_row(segment: Any, seen: Counter[tuple[str, ...]]) -> list[float]:
    """Lengths; information of the matches, clipped by any one reference; n-grams."""
    hypothesis, *references = segment
    row = [len(hypothesis), sum(map(len, references)) / len(references)]
    for n in range(1, ORDER + 1):
        most = ngrams(references[0], n) | ngrams(references[1], n)
        matches = ngrams(hypothesis, n) & most
        row.append(sum(k * log2(seen[ngram[:-1]] / seen[ngram]) for ngram, k in matches.items()))
    return [*row, *(max(0, len(hypothesis) - n) for n in range(ORDER))]


@given(segments=SEGMENTS, data=st.data())
def test_rows_of_pieces_are_their_definition(segments: Any, data: st.DataObject) -> None:
    seen: Counter[tuple[str, ...]] = Counter()
    for _, *references in segments:
        for reference in references:
            seen[()] += len(reference)
            for n in range(1, ORDER + 1):
                seen.update(ngrams(reference, n))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(segments)), max_size=3)))
    found = rows_in_pieces(segments, cuts)
    assert found == [pytest.approx(expected_row(one, seen), abs=1e-9) for one in segments]


def test_a_bigram_after_a_zero_is_relative_to_all_words() -> None:
    """A false string in Perl: with 8 words, "0 a" occurs once and "0" twice; log2(8 / 1) = 3."""
    segments = [(["0", "a"], ["0", "a"], ["b", "0"]), (["c"], ["c", "c"], ["c", "c"])]
    for cuts in ([], [1]):
        first, second = rows_in_pieces(segments, cuts)
        assert first == [2, 2, 2 + 3, 3, 0, 2, 1, 0]
        assert second == [1, 2, 1, 0, 0, 1, 0, 0]


@pytest.mark.parametrize("cuts", [[], [1], [1, 2]])
def test_without_weights_every_match_counts_one(cuts: list[int]) -> None:
    segments = [(["a", "b"], ["a", "b"], ["a"]), (["x"], ["y"], ["x", "x"]), ([], ["z"], ["z"])]
    spec = f"nist:order={ORDER},tok=none,case=mixed,weights=no"
    assert rows_in_pieces(segments, cuts, spec) == [
        [2, 1.5, 2, 1, 0, 2, 1, 0],
        [1, 1.5, 1, 0, 0, 1, 0, 0],
        [0, 1.0, 0, 0, 0, 0, 0, 0],
    ]


def test_words_that_are_only_in_hypotheses_carry_no_information() -> None:
    segments = [(["new", "a", "other"], ["a"], ["a"]), (["a", "b"], ["b"], ["b"])]
    found = rows_in_pieces(segments, [1])
    assert found == [[3, 1, 1, 0, 0, 3, 2, 1], [2, 1, 1, 0, 0, 2, 1, 0]]


def test_without_any_reference_words_the_score_is_0() -> None:
    segments: Any = [(["a"], [], []), ([], [], [])]
    for cuts in ([], [1]):
        assert rows_in_pieces(segments, cuts) == [[1, 0, 0, 0, 0, 1, 0, 0], [0] * 8]
    assert Nist(ORDER).score(np.array([1.0, 0, 0, 0, 0, 1, 0, 0]))[0] == 0


@pytest.mark.parametrize("order", [1, 2, 4])
def test_a_piece_of_nothing_adds_nothing(order: int) -> None:
    nothing, some = ReferenceWords(order), ReferenceWords(order)
    some.add(["a", "b"], np.array([0, 1, 0, 1, -1], np.int32))
    some.merge(pickle.loads(pickle.dumps(nothing)))
    nothing.merge(some)
    for each in (some, nothing):
        repeated = [ngrams.counts.tolist() for ngrams in each.counts.repeated]
        assert repeated == [[2], [], []][: order - 1]
        assert each.counts.words.tolist() == [2, 2]
