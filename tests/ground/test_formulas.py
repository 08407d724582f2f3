"""Formulas that plugins share, against values worked by hand and their limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.formulas import f_measure, ratio, split, stack

fractions = st.floats(0, 1).filter(lambda value: value == 0 or value > 1e-100)


def f(precision: float, recall: float, **weights: float) -> float:
    return float(f_measure(np.array(precision), np.array(recall), **weights))


# ratio


def test_a_ratio_has_a_value_where_it_cannot_divide() -> None:
    assert ratio([3, 1, 0], [4, 0, 0]).tolist() == [0.75, 0, 0]
    assert ratio([3, 1, 0], [4, 0, 0], [1, 1, 0]).tolist() == [0.75, 1, 0]
    assert ratio([1, 2], -1).tolist() == [0, 0]


def test_a_ratio_broadcasts_and_leaves_its_arguments_alone() -> None:
    part, whole = np.array([[1.0], [2.0]]), np.array([2.0, 0.0])
    assert ratio(part, whole).tolist() == [[0.5, 0], [1, 0]]
    assert (part.tolist(), whole.tolist()) == ([[1], [2]], [2, 0])


# f_measure


def test_equal_weights_are_the_harmonic_mean() -> None:
    """P = 1/2, R = 1: F1 = 2 * 1/2 * 1 / (3/2) = 2/3."""
    assert f(0.5, 1) == pytest.approx(2 / 3, rel=1e-15)
    assert f(0.25, 0.25) == 0.25


def test_beta_weighs_recall_by_its_square() -> None:
    """P = 1/2, R = 1, beta = 2: F = 5 * 1/2 / (4 * 1/2 + 1) = 5/6; the other way 5/9."""
    assert f(0.5, 1, recall_weight=2**2) == pytest.approx(5 / 6, rel=1e-15)
    assert f(1, 0.5, recall_weight=2**2) == pytest.approx(5 / 9, rel=1e-15)


def test_alpha_divides_a_weight_of_1() -> None:
    """P = 1/2, R = 1, 9/10 of the weight on recall: 1 / (0.1 / 0.5 + 0.9 / 1) = 10/11."""
    assert f(0.5, 1, precision_weight=0.1, recall_weight=0.9) == pytest.approx(10 / 11, rel=1e-15)


def test_only_the_proportion_of_the_weights_matters() -> None:
    assert f(0.3, 0.8, precision_weight=2, recall_weight=8) == pytest.approx(
        f(0.3, 0.8, precision_weight=0.2, recall_weight=0.8), rel=1e-15
    )


@pytest.mark.parametrize(("precision", "recall"), [(0, 0), (0, 1), (1, 0)])
def test_nothing_matched_scores_0(precision: float, recall: float) -> None:
    for weight in (0, 0.5, 1, 4, 1e300):
        assert f(precision, recall, recall_weight=weight) == 0


def test_a_weight_of_0_leaves_the_other() -> None:
    assert f(0.3, 0.8, recall_weight=0) == pytest.approx(0.3, rel=1e-15)
    assert f(0.3, 0.8, precision_weight=0) == pytest.approx(0.8, rel=1e-15)
    assert f(0.3, 0.8, recall_weight=1e300) == pytest.approx(0.8, rel=1e-15)


@given(fractions, fractions, st.floats(0, 1))
def test_f_lies_between_precision_and_recall(precision: float, recall: float, alpha: float) -> None:
    score = f(precision, recall, precision_weight=alpha, recall_weight=1 - alpha)
    low, high = sorted((precision, recall))
    if low:
        assert low * (1 - 1e-12) <= score <= high * (1 + 1e-12)
    else:
        assert score == 0


@given(fractions, fractions, st.floats(0, 1))
def test_weights_that_add_up_to_1_need_no_factor(
    precision: float, recall: float, alpha: float
) -> None:
    """Bit for bit 1 / (alpha / P + (1 - alpha) / R), times PR / PR: alpha + (1 - alpha) is 1."""
    p, r = np.array(precision), np.array(recall)
    score = f(precision, recall, precision_weight=alpha, recall_weight=1 - alpha)
    assert score == ratio(p * r, (1 - alpha) * p + alpha * r)


# Lengths


def references(*lengths_of_segments: list[int]) -> mt.References:
    lengths = np.concatenate(lengths_of_segments).astype(np.int64)
    ends = np.cumsum(lengths)
    index = np.cumsum([0, *map(len, lengths_of_segments)])
    return mt.References(np.zeros(ends[-1], np.int32), ends - lengths, ends, index)


def test_mean_lengths_of_references() -> None:
    """Unequal numbers of references, an empty one, and a mean that is not whole."""
    texts = references([3, 4], [2], [5, 9, 3, 11, 5], [0, 1], [0])
    assert texts.mean_lengths.tolist() == [3.5, 2, 6.6, 0.5, 0]


# split, stack


@given(st.lists(st.lists(st.integers(0, 9).map(float), min_size=3, max_size=3), min_size=1))
def test_numbers_and_arrays_go_through_a_formula_alike(rows: list[list[float]]) -> None:
    def formula(totals: np.ndarray) -> np.ndarray:
        a, b, c = split(totals)
        part = ratio(a, b, c)
        return stack([part, f_measure(a, b, recall_weight=4), a + c])

    totals = np.array(rows)
    values = formula(totals)
    assert values.tolist() == [formula(row).tolist() for row in totals]
    assert np.array_equal(formula(totals[None, :]), values[None, :])


def test_a_single_sum_has_plain_numbers() -> None:
    totals = np.array([3.0, 4.0])
    assert list(map(type, split(totals))) == [float, float]
    assert ratio(3, 4) == 0.75
    assert stack(split(totals)).tolist() == [3, 4]
