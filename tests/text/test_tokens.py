"""References chosen by a value, and references as segments of their own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mteval_core import References, TokenizedCorpus, Tokens
from mteval_kernels import Vocabulary

VALUES = st.lists(st.lists(st.integers(-2, 2), min_size=1, max_size=4), min_size=0, max_size=5)


def references(lengths: list[list[int]]) -> References:
    flat = np.array([n for segment in lengths for n in segment], np.int64)
    starts = np.cumsum(flat) - flat
    index = np.cumsum([0, *map(len, lengths)])
    return References(np.arange(flat.sum(), dtype=np.int32), starts, starts + flat, index)


@given(values=VALUES)
def test_the_highest_is_the_first_of_several(values: list[list[int]]) -> None:
    texts = references([[1] * len(segment) for segment in values])
    flat = np.array([value for segment in values for value in segment], np.float64)
    found = texts.highest(flat) - texts.index[:-1]
    assert found.tolist() == [segment.index(max(segment)) for segment in values]


@given(values=VALUES)
def test_the_best_row_is_that_of_the_highest_quality(values: list[list[int]]) -> None:
    texts = references([[1] * len(segment) for segment in values])
    rows = np.array([[value, -value] for segment in values for value in segment], np.float64)
    best = texts.best(rows, lambda each: each[:, 1])
    assert best.tolist() == [[min(segment), -min(segment)] for segment in values]


@given(values=VALUES)
def test_another_value_decides_between_equals(values: list[list[int]]) -> None:
    texts = references([[1] * len(segment) for segment in values])
    flat = np.array([value for segment in values for value in segment])
    found = texts.highest(flat // 2, flat % 2) - texts.index[:-1]
    assert found.tolist() == [segment.index(max(segment)) for segment in values]


@pytest.mark.parametrize(("start", "stop"), [(0, 3), (1, 3), (2, 2)])
def test_pairs_repeat_the_hypothesis_for_each_reference(start: int, stop: int) -> None:
    hypotheses = Tokens(np.arange(6, dtype=np.int32), np.array([0, 2, 5]), np.array([2, 5, 6]))
    corpus = TokenizedCorpus(hypotheses, references([[1, 2], [3], [4, 0, 5]]), Vocabulary())
    part = corpus.slice(start, stop)
    pairs = part.pairs()
    owners = np.repeat(np.arange(start, stop), part.references.counts)
    assert pairs.hypotheses.starts.tolist() == hypotheses.starts[owners].tolist()
    assert pairs.hypotheses.ends.tolist() == hypotheses.ends[owners].tolist()
    assert pairs.references.starts.tolist() == part.references.starts.tolist()
    assert pairs.references.index.tolist() == list(range(len(owners) + 1))
    assert len(pairs) == len(owners)
