"""Counts of n-grams against plain counters, at once and in pieces."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise
from math import log2
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_bleu_nist import ngram_counts
from mteval_bleu_nist.ngram_counts import NgramCounts, ReferenceWords

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ORDER = 3

Texts = list[list[str]]

TOKENS = st.sampled_from(["a", "b", "c", "0", "à"])
TEXTS: st.SearchStrategy[Texts] = st.lists(st.lists(TOKENS, max_size=6), max_size=5)


def collected(texts: Texts) -> ReferenceWords:
    words = ReferenceWords(ORDER)
    types = sorted({token for text in texts for token in text})
    places = [place for text in texts for place in [*map(types.index, text), -1]]
    words.add(types, np.array(places, np.int32))
    return words


def ngrams(texts: Iterable[Sequence[str]], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[i : i + n]) for text in texts for i in range(len(text) - n + 1))


def as_counters(words: ReferenceWords) -> list[Counter[tuple[str, ...]]]:
    """Spell every n-gram out: the words of its prefix, and its last word."""
    types = words.vocabulary.tokens(np.arange(len(words.vocabulary), dtype=np.int32))
    spelled: list[list[tuple[str, ...]]] = [[(word,) for word in types]]
    for index in words.counts.numbers:
        before, (left, right) = spelled[-1], index.pairs()
        pairs = zip(left.tolist(), right.tolist(), strict=True)
        spelled.append([(*before[a], types[b]) for a, b in pairs])
    return [
        Counter(dict(zip(names, count.tolist(), strict=True)))
        for names, count in zip(spelled, words.counts.counts, strict=True)
    ]


def expected(texts: Texts) -> list[Counter[tuple[str, ...]]]:
    """Count the n-grams whose prefix occurs more than once, or is ``0``."""
    tables = [ngrams(texts, n) for n in range(1, ORDER + 1)]
    for shorter, table in pairwise(tables):
        for ngram in list(table):
            if shorter[ngram[:-1]] < 2 and ngram[:-1] != ("0",):
                del table[ngram]
    return tables


@given(TEXTS)
def test_counts_are_those_of_a_counter(texts: Texts) -> None:
    words = collected(texts)
    assert as_counters(words) == expected(texts)
    assert words.counts.n_words == sum(map(len, texts))


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_counts_of_pieces_are_those_of_all_texts(pieces: list[Texts]) -> None:
    whole = ReferenceWords(ORDER)
    for piece in pieces:
        whole.merge(pickle.loads(pickle.dumps(collected(piece))))
    texts = [text for piece in pieces for text in piece]
    assert as_counters(whole) == expected(texts)
    assert as_counters(pickle.loads(pickle.dumps(whole))) == expected(texts)


@given(TEXTS)
def test_information_is_equation_2(texts: Texts) -> None:
    """Info(w_1 ... w_n) = log2(count(w_1 ... w_n-1) / count(w_1 ... w_n)); see the module."""
    counts, words = collected(texts).counts, collected(texts).words
    tables = [Counter({(): sum(map(len, texts))}), *(ngrams(texts, n) for n in range(1, ORDER + 1))]
    spelled = [token for text in texts for token in [*text, ""]]
    inside = [
        [k >= n and "" not in spelled[k - n : k + 1] for k in range(len(words))]
        for n in range(ORDER)
    ]
    for n, (ends, bits) in enumerate(counts.information(words, np.array(inside, np.bool_))):
        found = dict(zip(ends.tolist(), bits.tolist(), strict=True))
        for end in np.flatnonzero(inside[n]).tolist():
            ngram = tuple(spelled[end - n : end + 1])
            before = () if n == 1 and ngram[0] == "0" else ngram[:-1]  # a false string in Perl
            expected_bits = log2(tables[len(before)][before] / tables[n + 1][ngram])
            assert found.get(end, 0) == pytest.approx(expected_bits, abs=1e-12)


def test_counts_follow_what_is_added() -> None:
    words = collected([["a", "b"]])
    assert words.counts.counts[0].tolist() == [1, 1]
    words.merge(collected([["a", "a"]]))
    assert words.counts.counts[0].tolist() == [3, 1]


def test_counts_do_not_depend_on_how_many_words_are_counted_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    words = rng.integers(-1, 4, 1000).astype(np.int32)
    whole = NgramCounts.of(words, 4, 0)
    for at_once in (1, 7, 999, 1000):
        monkeypatch.setattr(ngram_counts, "AT_ONCE", at_once)
        pieces = NgramCounts.of(words, 4, 0)
        assert [sorted(each) for each in pieces.counts] == [sorted(each) for each in whole.counts]
        information = (each.information(words, ALL) for each in (pieces, whole))
        for found, known in zip(*information, strict=True):
            assert all(map(np.array_equal, found, known))
            assert np.any(known[1] > 0)


ALL = np.ones((4, 1000), np.bool_)
ALL[[1, 2, 2, 3, 3, 3], [0, 0, 1, 0, 1, 2]] = False
