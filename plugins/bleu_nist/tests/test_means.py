"""Weighted means of numbers and of arrays: by hand, and the same bits for both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_bleu_nist.means import geometric_mean, weighted_sum, where

from mteval_core.formulas import split

amounts = st.integers(-3, 9).map(float)
fractions = st.floats(0, 1).filter(lambda value: value == 0 or value > 1e-100)


def test_means_by_hand() -> None:
    """The cube root of 1 * 1/8; 3/2 + 4/4."""
    assert geometric_mean([1.0, 0.125], [2 / 3, 1 / 3]) == pytest.approx(0.5, rel=1e-15)
    assert weighted_sum([3.0, 4.0], [0.5, 0.25]) == 2.5


def test_a_zero_makes_the_geometric_mean_zero_and_nothing_adds_up_to_zero() -> None:
    assert geometric_mean([0.0, 1.0], [0.5, 0.5]) == 0
    assert weighted_sum([], []) == 0


def test_a_value_without_weight_does_not_matter() -> None:
    for own in (0.0, 1e-300, 1.0):
        assert geometric_mean([own, 0.5], [0.0, 1.0]) == 0.5


@given(st.lists(st.lists(fractions, min_size=3, max_size=3), min_size=1, max_size=4), st.data())
def test_means_of_arrays_are_those_of_their_elements(
    rows: list[list[float]], data: st.DataObject
) -> None:
    counted = data.draw(st.lists(st.lists(st.booleans(), min_size=3, max_size=3)))
    counted = [*counted, *[[True, True, True]] * len(rows)][: len(rows)]
    values, shares = split(np.array(rows)), split(np.array(counted) / 3)
    each = np.divide(counted, 3).tolist()
    for function in (geometric_mean, weighted_sum):
        found = function(values, shares)
        assert found.tolist() == [float(function(*one)) for one in zip(rows, each, strict=True)]


@given(st.lists(amounts).map(np.array), amounts, amounts)
def test_a_choice_is_made_number_by_number(values: np.ndarray, low: float, other: float) -> None:
    found = where(values > low, values, other)
    each = [where(value > low, value, other) for value in values.ravel().tolist()]
    assert found.ravel().tolist() == each
    assert {type(value) for value in each} <= {float}
    assert found.shape == values.shape


@pytest.mark.parametrize("chosen", [1, np.bool_(1), "x", [0]])
def test_a_choice_between_numbers_leaves_their_type(chosen: Any) -> None:
    found = where(chosen, 1, 2.5)
    assert (found, type(found)) == (1, int)
