"""Shared formulas in any shape, against loops over Python's numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import mteval_core as mt
from mteval_core.formulas import f_measure, ratio, split, stack

amounts = st.integers(-3, 9).map(float)
tables = arrays.arrays(
    np.float64, arrays.array_shapes(min_dims=1, max_dims=4, max_side=3), elements=amounts
)
few = settings(max_examples=25, deadline=None)


@few
@given(tables)
def test_columns_are_stacked_again(totals: np.ndarray) -> None:
    found = split(totals)
    assert len(found) == totals.shape[-1]
    for k, column in enumerate(found):
        assert np.array_equal(column, totals[..., k])
        assert np.ndim(column) == 0 or column.flags.c_contiguous
    assert np.array_equal(stack(found), totals)
    assert stack(found).dtype == np.float64


@few
@given(tables)
def test_columns_of_many_sums_are_their_own_memory_or_are_not_written_to(
    totals: np.ndarray,
) -> None:
    before = totals.copy()
    first, *_ = split(totals)
    chosen = np.where(first > 0, ratio(1.0, first), first)
    assert np.array_equal(totals, before)
    expected = [1 / value if value > 0 else value for value in before[..., 0].ravel().tolist()]
    assert np.ravel(chosen).tolist() == expected


@pytest.mark.parametrize("shape", [(0, 3), (2, 0, 3), (0, 0)])
def test_no_sums_have_empty_columns(shape: tuple[int, ...]) -> None:
    found = split(np.zeros(shape))
    assert [column.shape for column in found] == [shape[:-1]] * shape[-1]


def test_a_sum_of_no_values_has_no_columns() -> None:
    assert split(np.array([])) == []
    assert stack([]).tolist() == []


def test_values_of_other_shapes_are_not_stacked() -> None:
    with pytest.raises(ValueError, match="inhomogeneous shape"):
        stack([np.array([1.0, 2.0]), 1.0])


# Ratios and F-measures


@few
@given(amounts, amounts, amounts)
def test_ratios_of_numbers_of_all_types_are_equal(part: float, whole: float, other: float) -> None:
    expected = part / whole if whole > 0 else other
    assert ratio(part, whole, other) == expected
    assert ratio(int(part), int(whole), other) == expected
    for make in (np.float64, np.float32, np.int64, np.array):
        found = ratio(make(part), make(whole), other)
        assert isinstance(found, (np.ndarray, np.floating))
        assert found.dtype == np.float64
        assert float(found) == expected


def test_a_ratio_without_a_divisor_warns_of_nothing() -> None:
    with np.errstate(all="raise"):
        assert ratio(np.array([1e308, 1.0]), np.array([0.0, -1e-308])).tolist() == [0, 0]
        assert ratio(1.0, float("nan"), 7.0) == 7.0
        assert ratio([1.0], [float("nan")], 7.0).tolist() == [7.0]


@few
@given(*[st.integers(1, 20)] * 3, st.sampled_from([1, 4, 9]))
def test_f_of_counts_is_that_of_fractions(
    matches: int, in_output: int, in_reference: int, weight: int
) -> None:
    # F = (1 + w) m / (w r + h), with the lengths h and r of output and reference.
    h, r = matches + in_output, matches + in_reference
    found = f_measure(np.array(matches / h), np.array(matches / r), recall_weight=weight)
    assert float(found) == pytest.approx(float(Fraction((1 + weight) * matches, weight * r + h)))


# Lengths


@few
@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4), min_size=1, max_size=5))
def test_mean_lengths_are_those_of_each_segment(segments: list[list[int]]) -> None:
    lengths = np.array([n for segment in segments for n in segment])
    ends = np.cumsum(lengths)
    index = np.cumsum([0, *map(len, segments)])
    texts = mt.References(np.zeros(ends[-1], np.int32), ends - lengths, ends, index)
    expected = [sum(segment) / len(segment) for segment in segments]
    assert texts.mean_lengths.tolist() == expected
