"""Counts of n-grams in pieces, against plain counters and against NIST's preparation at once."""

from __future__ import annotations

import pickle
from collections import Counter
from math import log2
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_bleu_nist.ngram_counts import NgramCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ORDER = 3

Texts = list[list[str]]

TOKENS = st.sampled_from(["a", "b", "c", "0", "à"])
TEXTS: st.SearchStrategy[Texts] = st.lists(st.lists(TOKENS, max_size=6), max_size=5)


def counted(texts: Texts, order: int = ORDER) -> NgramCounts:
    counts = NgramCounts(order)
    words = counts.intern([token for text in texts for token in text])
    lengths = np.array([len(text) for text in texts], np.int64)
    starts = np.cumsum(lengths) - lengths
    counts.add(words, starts[lengths > 0])
    return counts


def ngrams(texts: Iterable[Sequence[str]], n: int) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(text[i : i + n]) for text in texts for i in range(len(text) - n + 1) if text
    )


def as_counters(counts: NgramCounts) -> list[Counter[tuple[str, ...]]]:
    """Spell every n-gram out: the words of its prefix, and its last word."""
    words = counts.types
    spelled: list[list[tuple[str, ...]]] = [[(word,) for word in words]]
    for left, right in counts._pairs:
        before = spelled[-1]
        pairs = zip(left.tolist(), right.tolist(), strict=True)
        spelled.append([(*before[a], words[b]) for a, b in pairs])
    return [
        Counter(dict(zip(names, count.tolist(), strict=True)))
        for names, count in zip(spelled, counts.counts, strict=True)
    ]


def expected(texts: Texts) -> list[Counter[tuple[str, ...]]]:
    return [ngrams(texts, n) for n in range(1, ORDER + 1)]


@given(TEXTS)
def test_counts_are_those_of_a_counter(texts: Texts) -> None:
    assert as_counters(counted(texts)) == expected(texts)


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_merged_counts_are_those_of_all_texts(pieces: list[Texts]) -> None:
    whole = NgramCounts(ORDER)
    for piece in pieces:
        whole.merge(pickle.loads(pickle.dumps(counted(piece))))
    texts = [text for piece in pieces for text in piece]
    assert as_counters(whole) == expected(texts)
    assert as_counters(pickle.loads(pickle.dumps(whole))) == expected(texts)


@given(TEXTS.filter(any))
def test_information_is_equation_2(texts: Texts) -> None:
    """Info(w_1 ... w_n) = log2(count(w_1 ... w_n-1) / count(w_1 ... w_n)); see the module."""
    counts, words = counted(texts), sum(map(len, texts))
    tables = expected(texts)
    for n, (names, found) in enumerate(zip(as_counters(counts), counts.information, strict=True)):
        assert found[-1] == 0
        for ngram, information in zip(names, found[:-1].tolist(), strict=True):
            before = tables[n - 1][ngram[:-1]] if n else words
            if n == 1 and ngram[0] == "0":  # a false string in Perl
                before = words
            assert information == pytest.approx(log2(before / tables[n][ngram]), abs=1e-12)


def test_information_follows_what_is_added() -> None:
    counts = counted([["a", "b"]])
    assert counts.information[0].tolist() == [1.0, 1.0, 0.0]
    counts.merge(counted([["a", "a"]]))
    assert counts.information[0].round(3).tolist() == [0.415, 2.0, 0.0]
