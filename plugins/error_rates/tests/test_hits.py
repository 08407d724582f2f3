"""Hits of the alignment that jiwer takes, against a plain table of edit distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_error_rates import hits as module
from mteval_error_rates.pairs import pairs_of_ids

import mteval_core as mt
from mteval_kernels import Vocabulary

texts = st.lists(st.integers(0, 3), max_size=30)


def table(hypothesis: list[int], reference: list[int]) -> list[list[int]]:
    """Edit distances of all beginnings: one column for each number of words of the hypothesis."""
    columns = [list(range(len(reference) + 1))]
    for word in hypothesis:
        before, column = columns[-1], [columns[-1][0] + 1]
        for i, copy in enumerate(reference):
            diagonal = before[i] + (word != copy)
            column.append(min(diagonal, before[i + 1] + 1, column[i] + 1))
        columns.append(column)
    return columns


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ([], [], 0),
        ([1], [], 0),
        ([], [1], 0),
        ([1, 2, 3], [1, 2, 3], 3),
        ([1, 2], [2, 1], 1),  # an insertion and a deletion, not two substitutions
        ([1, 9, 2, 3], [1, 2, 8, 3], 3),
        ([-2, 1], [-1, 1], 1),
    ],
)
def test_examples(hypothesis: list[int], reference: list[int], expected: int) -> None:
    assert module._hits(hypothesis, reference) == expected


@settings(deadline=None)
@given(texts, texts)
def test_hits_belong_to_a_shortest_alignment(hypothesis: list[int], reference: list[int]) -> None:
    """The other kinds follow from the hits, the lengths and the edits; none is below 0."""
    edits = table(hypothesis, reference)[-1][-1]
    hits, h, r = module._hits(hypothesis, reference), len(hypothesis), len(reference)
    substitutions, deletions, insertions = r + h - 2 * hits - edits, edits - h + hits, edits - r
    insertions += hits
    assert min(hits, substitutions, deletions, insertions) >= 0
    assert substitutions + deletions + insertions == edits


@settings(deadline=None)
@given(texts, texts)
def test_columns_are_differences_of_the_table(hypothesis: list[int], reference: list[int]) -> None:
    columns, found = table(hypothesis, reference), module._Table(hypothesis, reference)
    for j in reversed(range(len(columns))):
        steps = np.diff(columns[j])
        for i, step in enumerate(steps.tolist()):
            column = found.column(j)
            assert (column.up >> i & 1, column.down >> i & 1) == (step == 1, step == -1)


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), max_size=60), st.randoms(use_true_random=False))
def test_columns_can_be_read_in_any_order(hypothesis: list[int], random: object) -> None:
    reference = [0, 1, 2, 3, 0, 2]
    one, other = module._Table(hypothesis, reference), module._Table(hypothesis, reference)
    expected = [one.column(j) for j in range(len(hypothesis) + 1)]
    order = list(range(len(hypothesis) + 1))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert [other.column(j) for j in order] == [expected[j] for j in order]


def test_few_columns_are_kept() -> None:
    found = module._Table([0, 1] * 5000, [1, 0, 1])
    assert len(found.kept) + found.size < 250


def test_ids_that_match_nothing_differ_in_both_texts() -> None:
    hypotheses = mt.Tokens(np.array([5, -1], np.int32), np.array([0]), np.array([2]))
    references = mt.References(
        np.array([5, -1, 5, 7], np.int32), np.array([0, 2]), np.array([2, 4]), np.array([0, 2])
    )
    corpus = mt.TokenizedCorpus(hypotheses, references, Vocabulary())
    pairs = [(one.tolist(), other.tolist()) for one, other in pairs_of_ids(corpus)]
    assert pairs == [([5, -2], [5, -1]), ([5, -2], [5, 7])]
    assert module.hits(corpus).tolist() == [1, 1]
