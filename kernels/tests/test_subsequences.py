"""Subsequence kernels: both implementations against the obvious way."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import id_corpora, layout, reference_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    Text = Sequence[int]
    Corpus = tuple[list[list[int]], list[list[list[int]]]]

POWERS = np.array([k**1.2 for k in range(301)])

few = settings(max_examples=25, deadline=None)  # the obvious ways take their time


def same(a: int, b: int) -> bool:
    return a == b and a >= 0


# --- the obvious ways ---


def lcs_table(hypothesis: Text, reference: Text) -> list[list[int]]:
    table = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, word in enumerate(reference, 1):
        for j, token in enumerate(hypothesis, 1):
            table[i][j] = (
                table[i - 1][j - 1] + 1
                if same(word, token)
                else max(table[i - 1][j], table[i][j - 1])
            )
    return table


def way_back(hypothesis: Text, reference: Text, table: Sequence[Sequence[float]]) -> list[bool]:
    marks = [False] * len(reference)
    i, j = len(reference), len(hypothesis)
    while i and j:
        if same(reference[i - 1], hypothesis[j - 1]):
            i, j = i - 1, j - 1
            marks[i] = True
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marks


def weight_of(hypothesis: Text, reference: Text) -> float:
    """Lin's recursion, from the ends of the texts; run lengths counted again at every match."""

    def run(i: int, j: int) -> int:
        length = 0
        while min(i, j) > length and same(reference[i - length - 1], hypothesis[j - length - 1]):
            length += 1
        return length

    @cache
    def weight(i: int, j: int) -> float:
        if not i or not j:
            return 0.0
        if same(reference[i - 1], hypothesis[j - 1]):
            k = run(i - 1, j - 1)
            return weight(i - 1, j - 1) + float(POWERS[k + 1]) - float(POWERS[k])
        return max(weight(i - 1, j), weight(i, j - 1))

    return weight(len(reference), len(hypothesis))


def skip_pairs(text: Text, skip: int | None) -> Counter[tuple[int, int]]:
    reach = len(text) if skip is None else skip + 1
    positions = combinations(range(len(text)), 2)
    found = ((text[i], text[j]) for i, j in positions if j - i <= reach)
    return Counter(pair for pair in found if min(pair) >= 0)


# --- the kernels ---


def pairs_of(corpus: Corpus) -> list[tuple[list[int], list[int]]]:
    """Every reference, after its hypothesis."""
    return [(h, r) for h, references in zip(*corpus, strict=True) for r in references]


@few
@given(corpus=id_corpora())
def test_lcs_is_that_of_the_table(kernel: Any, corpus: Corpus) -> None:
    lengths = kernel.lcs(*layout(*corpus))
    assert lengths.dtype == np.float64
    assert lengths.tolist() == [lcs_table(h, r)[-1][-1] for h, r in pairs_of(corpus)]


@few
@given(corpus=id_corpora(max_segments=2))
def test_lcs_marks_are_those_of_the_way_back(kernel: Any, corpus: Corpus) -> None:
    groups = [[h, *references[1:]] for h, references in zip(*corpus, strict=True)]
    marks = kernel.lcs_marks(reference_layout(groups), reference_layout(corpus[1]))
    assert marks.dtype == np.bool_
    expected: list[bool] = []
    for group, references in zip(groups, corpus[1], strict=True):
        for reference in references:
            each = [way_back(h, reference, lcs_table(h, reference)) for h in group]
            expected += map(any, zip(*each, strict=True))
    assert marks.tolist() == expected


@few
@given(corpus=id_corpora())
def test_there_are_as_many_marks_as_the_lcs_is_long(kernel: Any, corpus: Corpus) -> None:
    pairs = pairs_of(corpus)
    hypotheses = reference_layout([[h] for h, _ in pairs])
    references = reference_layout([[r] for _, r in pairs])
    marks = kernel.lcs_marks(hypotheses, references)
    ends = np.cumsum([len(r) for _, r in pairs], dtype=np.int64)
    counts = [part.sum() for part in np.split(marks, ends[:-1])] if pairs else []
    assert counts == kernel.lcs(hypotheses, references).tolist()


@few
@given(corpus=id_corpora([0, 1, 2, 5, 26, 63, 64, 65], max_segments=2))
def test_weighted_lcs_follows_the_recursion(kernel: Any, corpus: Corpus) -> None:
    weights = kernel.weighted_lcs(*layout(*corpus), POWERS)
    assert weights.tolist() == [weight_of(h, r) for h, r in pairs_of(corpus)]


@few
@given(corpus=id_corpora())
def test_a_run_has_its_value(kernel: Any, corpus: Corpus) -> None:
    for text in corpus[0]:
        tokens = [token for token in text if token >= 0]
        weight = kernel.weighted_lcs(*layout([tokens], [[tokens]]), POWERS).item()
        assert weight == pytest.approx(POWERS[len(tokens)], rel=1e-12)


@few
@given(corpus=id_corpora())
def test_exchanging_the_texts_gives_the_same_weight(kernel: Any, corpus: Corpus) -> None:
    pairs = pairs_of(corpus)
    forward = layout([h for h, _ in pairs], [[r] for _, r in pairs])
    backward = layout([r for _, r in pairs], [[h] for h, _ in pairs])
    weights = kernel.weighted_lcs(*forward, POWERS)
    assert weights.tolist() == kernel.weighted_lcs(*backward, POWERS).tolist()


@few
@given(corpus=id_corpora())
def test_runs_of_the_value_of_their_length_have_the_marks_of_the_lcs(
    kernel: Any, corpus: Corpus
) -> None:
    groups = reference_layout([[h] for h in corpus[0]]), reference_layout(corpus[1])
    marks = kernel.weighted_lcs_marks(*groups, np.arange(301.0))
    assert marks.tolist() == kernel.lcs_marks(*groups).tolist()


@few
@given(corpus=id_corpora(), skip=st.sampled_from([None, 0, 1, 4, 9, 62, 63, 64, 1000]))
def test_skip_bigrams_are_clipped_pairs(kernel: Any, corpus: Corpus, skip: int | None) -> None:
    matches = kernel.skip_bigrams(*layout(*corpus), skip)
    assert matches.dtype == np.float64
    assert matches.tolist() == [
        (skip_pairs(h, skip) & skip_pairs(r, skip)).total() for h, r in pairs_of(corpus)
    ]


def test_skip_bigrams_of_long_texts_take_little_memory(kernel: Any) -> None:
    rng = np.random.default_rng(3)
    text = rng.integers(0, 700, 1_000).tolist()
    corpus = layout([text], [[text]])
    tracemalloc.start()
    matches = kernel.skip_bigrams(*corpus)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert matches.tolist() == [1_000 * 999 / 2]
    assert peak < 2e6
