"""Counts of n-grams against plain counters, at once and in pieces."""

from __future__ import annotations

import pickle
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from math import log2
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_bleu_nist import ngram_counts
from mteval_bleu_nist.ngram_counts import Counting, NgramCounts, ReferenceWords

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
    counts = words.counts
    spelled: list[tuple[str, ...]] = [(word,) for word in types]
    counters = [Counter(dict(zip(spelled, counts.words.tolist(), strict=True)))]
    for first, last, times in counts.repeated:
        prefixes = np.repeat(np.arange(len(first) - 1), np.diff(first)).tolist()
        spelled = [(*spelled[a], types[b]) for a, b in zip(prefixes, last.tolist(), strict=True)]
        counters.append(Counter(dict(zip(spelled, times.tolist(), strict=True))))
    return counters


def expected(texts: Texts) -> list[Counter[tuple[str, ...]]]:
    """Count the words, and the longer n-grams that occur more than once."""
    words, *longer = (ngrams(texts, n) for n in range(1, ORDER + 1))
    return [words, *(Counter({k: v for k, v in table.items() if v > 1}) for table in longer)]


@given(TEXTS)
def test_counts_are_those_of_a_counter(texts: Texts) -> None:
    words = collected(texts)
    assert as_counters(words) == expected(texts)


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_counts_of_pieces_are_those_of_all_texts(pieces: list[Texts]) -> None:
    whole = ReferenceWords(ORDER)
    for piece in pieces:
        whole.merge(pickle.loads(pickle.dumps(collected(piece))))
    texts = [text for piece in pieces for text in piece]
    for each in (pickle.loads(pickle.dumps(whole)), whole, pickle.loads(pickle.dumps(whole))):
        assert as_counters(each) == expected(texts)  # of words, and of counts


@given(TEXTS)
def test_information_is_equation_2(texts: Texts) -> None:
    """Info(w_1 ... w_n) = log2(count(w_1 ... w_n-1) / count(w_1 ... w_n)); see the module."""
    collection = collected(texts)
    words = np.array(collection.words, np.int32)
    tables = [Counter({(): sum(map(len, texts))}), *(ngrams(texts, n) for n in range(1, ORDER + 1))]
    spelled = [token for text in texts for token in [*text, ""]]
    inside = [
        [k >= n and "" not in spelled[k - n : k + 1] for k in range(len(words))]
        for n in range(ORDER)
    ]
    found = collection.counts.information(words, np.array(inside, np.bool_))
    for n, (ends, bits) in enumerate(found):
        assert ends.tolist() == np.flatnonzero(inside[n]).tolist()
        for end, information in zip(ends.tolist(), bits.tolist(), strict=True):
            ngram = tuple(spelled[end - n : end + 1])
            before = () if n == 1 and ngram[0] == "0" else ngram[:-1]  # a false string in Perl
            expected_bits = log2(tables[len(before)][before] / tables[n + 1][ngram])
            assert information == pytest.approx(expected_bits, abs=1e-12)


@given(TEXTS, st.integers(0, 2**24))
def test_information_of_some_ngrams_is_that_of_all(texts: Texts, seed: int) -> None:
    collection = collected(texts)
    words = np.array(collection.words, np.int32)
    every = np.array([[k >= n for k in range(len(words))] for n in range(ORDER)], np.bool_)
    for n in range(ORDER):
        for j in range(n + 1):
            every[n, n:] &= words[n - j : len(words) - j] >= 0
    some = every & np.random.default_rng(seed).integers(0, 2, every.shape, np.bool_)
    counts = collection.counts
    for n, (known, found) in enumerate(
        zip(counts.information(words, every), counts.information(words, some), strict=True)
    ):
        bits = dict(zip(*(each.tolist() for each in known), strict=True))
        assert found[0].tolist() == np.flatnonzero(some[n]).tolist()
        assert found[1].tolist() == [bits[end] for end in found[0].tolist()]


def test_nothing_is_added_to_what_is_counted() -> None:
    counted, other = collected([["a", "b"]]), collected([["a", "c", "c"]])
    assert counted.counts.words.tolist() == [1, 1]
    for one, another in ((counted, other), (other, counted)):
        with pytest.raises(RuntimeError, match="cannot be added any more"):
            one.merge(another)
        assert len(counted.vocabulary) == 2
    assert other.counts.words.tolist() == [1, 2]


@pytest.mark.parametrize("n_parts", [1, 2, 7, 999, 2000])
def test_counts_do_not_depend_on_parts_and_threads(
    monkeypatch: pytest.MonkeyPatch, n_parts: int
) -> None:
    words = np.random.default_rng(1).integers(-1, 9, 1000).astype(np.int32)
    whole = NgramCounts.of(words, 4, 0)
    monkeypatch.setattr(ngram_counts, "AT_ONCE", n_parts)
    counting = Counting.of(words, 4, 0, n_parts)
    with ThreadPoolExecutor(5) as threads:
        found = [threads.submit(counting.counts) for _ in range(5)]
    for each in found:
        assert each.result() is found[0].result()
    words_counted, repeated, zero = found[0].result()
    assert zero == 0
    assert np.array_equal(words_counted, whole.words)
    for some, known in zip(repeated, whole.repeated, strict=True):
        assert all(map(np.array_equal, some, known))
        assert len(known.last) > 10


def test_a_part_that_failed_is_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise MemoryError

    words = np.array([0, 1, 0, 1], np.int32)
    counting = Counting.of(words, 2, -1, 2)
    with monkeypatch.context() as patched:
        patched.setattr(ngram_counts, "repeated_ngrams", fails)
        with pytest.raises(MemoryError):
            counting.counts()
    assert counting.counts().repeated[0].counts.tolist() == [2]
