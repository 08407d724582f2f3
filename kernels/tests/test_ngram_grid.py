"""Clipped matches where every hypothesis meets every group of references: an index of each text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpora import Hypotheses, References, layout

if TYPE_CHECKING:
    from types import ModuleType, SimpleNamespace

texts = st.lists(st.integers(-1, 3), max_size=9)
groups = st.lists(texts, min_size=1, max_size=3)


def crossed(hypotheses: list[list[int]], references: list[list[list[int]]]) -> Any:
    """Lay out every hypothesis with every group of references; segments share the ids of a text."""
    corpus = layout(hypotheses[:1] * len(references), references)
    own = layout(hypotheses, [[[]]] * len(hypotheses))[0]
    n, m = len(hypotheses), len(references)
    side = corpus[1]
    index = np.append(0, np.cumsum(np.tile(np.diff(side.index), n)))
    return (
        Hypotheses(own.ids, np.repeat(own.starts, m), np.repeat(own.ends, m)),
        References(side.ids, np.tile(side.starts, n), np.tile(side.ends, n), index),
    )


def counted(hypothesis: list[int], references: list[list[int]], n: int) -> int:
    """Count the n-grams that match, each at most as often as the reference with most of it."""

    def ngrams(text: list[int]) -> Counter[tuple[int, ...]]:
        found = (tuple(text[i : i + n]) for i in range(len(text) - n + 1))
        return Counter(ngram for ngram in found if min(ngram) >= 0)

    most: Counter[tuple[int, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference)
    return (ngrams(hypothesis) & most).total()


@settings(max_examples=30)
@given(
    hypotheses=st.lists(texts, min_size=3, max_size=6),
    references=st.lists(groups, min_size=3, max_size=6),
)
@example(hypotheses=[[0, 1, 0, 1]] * 4, references=[[[0, 1, 0]], [[1]], [[]], [[1, 0], [0, 1]]])
@example(hypotheses=[[], [0], [], [1]], references=[[[0]], [[1]], [[0]], [[0, 1]]])
@example(hypotheses=[[-1]] * 4, references=[[[-1]]] * 4)
def test_every_pair_has_its_clipped_matches(
    kernel: Any, hypotheses: list[list[int]], references: list[list[list[int]]]
) -> None:
    found = kernel.clipped_matches(*crossed(hypotheses, references), 3)
    expected = [[counted(h, own, n) for n in (1, 2, 3)] for h in hypotheses for own in references]
    assert found.tolist() == expected


@pytest.mark.parametrize("n_groups", [63, 64, 65, 129])
def test_any_number_of_groups_fits_in_words(native: ModuleType, twins: Any, n_groups: int) -> None:
    rng = np.random.default_rng(n_groups)
    hypotheses = [rng.integers(0, 4, 40).tolist() for _ in range(5)]
    references = [[rng.integers(0, 4, rng.integers(0, 40)).tolist()] for _ in range(n_groups)]
    corpus = crossed(hypotheses, references)
    expected = twins.clipped_matches(*corpus, 6)
    np.testing.assert_array_equal(native.clipped_matches(*corpus, 6), expected)


def test_an_ngram_may_occur_often(native: ModuleType) -> None:
    """Counts of more than one byte, in texts of several lengths."""
    lengths = [1, 255, 256, 1000, 5000]
    corpus = crossed([[7] * n for n in lengths], [[[7] * n] for n in lengths])
    found = native.clipped_matches(*corpus, 2).reshape(5, 5, 2)
    np.testing.assert_array_equal(found[..., 0], np.minimum.outer(lengths, lengths))
    np.testing.assert_array_equal(found[..., 1], np.minimum.outer(lengths, lengths) - 1)


@pytest.mark.parametrize("changed", [0, 4, 17, 24])
@pytest.mark.parametrize("side", [0, 1])
def test_what_is_almost_a_grid_is_counted_as_well(
    native: ModuleType, twins: SimpleNamespace, changed: int, side: int
) -> None:
    rng = np.random.default_rng(0)
    corpus = crossed(
        [rng.integers(0, 3, 12).tolist() for _ in range(5)],
        [[rng.integers(0, 3, 12).tolist()] for _ in range(5)],
    )
    corpus[side].ends[changed] -= 5
    expected = twins.clipped_matches(*corpus, 4)
    np.testing.assert_array_equal(native.clipped_matches(*corpus, 4), expected)


def test_a_group_more_or_less_in_one_row_is_no_grid(native: ModuleType, twins: Any) -> None:
    hypotheses, references = crossed([[0, 1, 2]] * 5, [[[0, 1], [1, 2]], *[[[2, 0]]] * 4])
    index = references.index.copy()
    index[6:8] += [-1, 0]  # of hypothesis 1: one reference for group 0, two for group 1
    moved = References(references.ids, references.starts, references.ends, index)
    expected = twins.clipped_matches(hypotheses, moved, 2)
    np.testing.assert_array_equal(native.clipped_matches(hypotheses, moved, 2), expected)
