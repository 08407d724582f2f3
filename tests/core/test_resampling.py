"""Weights, intervals and corrections, against plain definitions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mteval_core.evaluation.resampling import (
    CHUNK,
    all_swaps,
    assignments,
    at_least,
    bootstrap,
    corrected,
    p_value,
    pseudo_documents,
    swaps,
)
from mteval_core.metrics.sums import weighted_totals


@pytest.mark.parametrize(("n", "count"), [(1, 3), (7, CHUNK), (529, 3 * CHUNK + 1)])
def test_the_bootstrap_draws_what_one_call_of_the_generator_draws(n: int, count: int) -> None:
    drawn = np.random.default_rng(12345).choice(n, size=(count, n), replace=True)
    expected = [np.bincount(row, minlength=n) for row in drawn]
    assert np.array_equal(np.concatenate(list(bootstrap(n, count, 12345))), expected)


def test_zero_is_a_seed() -> None:
    one, other = (np.concatenate(list(bootstrap(50, 10, seed))) for seed in (0, 1))
    assert not np.array_equal(one, other)
    assert np.array_equal(one, np.concatenate(list(bootstrap(50, 10, 0))))


def test_pseudo_documents_have_different_segments() -> None:
    weights = np.concatenate(list(pseudo_documents(30, 120, 1, 7)))
    assert weights.shape == (120, 30)
    assert set(np.unique(weights)) == {0.0, 1.0}
    assert (weights.sum(axis=1) == 7).all()
    # 120 documents of 7 out of 30: every segment should turn up about 28 times.
    assert (abs(weights.sum(axis=0) - 28) < 5 * np.sqrt(120 * 7 / 30 * 23 / 30)).all()
    assert (np.concatenate(list(pseudo_documents(5, 3, 1, 5))) == 1).all()


@pytest.mark.parametrize("size", [0, 6])
def test_pseudo_documents_of_an_impossible_size(size: int) -> None:
    with pytest.raises(ValueError, match=f"pseudo-documents of {size} segments; expected 1 to 5"):
        next(pseudo_documents(5, 1, 1, size))


def test_swaps_are_fair_coins() -> None:
    weights = np.concatenate(list(swaps(13, 4000, 3)))
    assert weights.shape == (4000, 13)
    assert set(np.unique(weights)) == {0.0, 1.0}
    assert (abs(weights.mean(axis=0) - 0.5) < 5 * 0.5 / np.sqrt(4000)).all()


@pytest.mark.parametrize("n", [1, 3, 8])
def test_all_swaps_are_all(n: int) -> None:
    found = {tuple(row) for row in np.concatenate(list(all_swaps(n)))}
    assert found == set(product((0.0, 1.0), repeat=n))


def test_assignments_are_permutations() -> None:
    dealt = np.concatenate(list(assignments(11, 3, 60, 5)))
    assert dealt.shape == (60, 3, 11)
    assert (np.sort(dealt, axis=1) == np.arange(3)[:, None]).all()
    # Each run comes to each slot a third of the time.
    assert abs((dealt[:, 0] == 0).mean() - 1 / 3) < 5 * np.sqrt(2 / 9 / 660)


def test_weighted_totals_are_products() -> None:
    rng = np.random.default_rng(1)
    rows = {"a": rng.random((40, 11)), "b": rng.random((3, 40, 2))}
    weights = np.concatenate(list(bootstrap(40, 120, 1)))
    totals = weighted_totals(lambda: bootstrap(40, 120, 1), rows)
    np.testing.assert_allclose(totals["a"], weights @ rows["a"], rtol=1e-13)
    np.testing.assert_allclose(totals["b"], weights @ rows["b"], rtol=1e-13)


def test_ties_count_up_to_rounding() -> None:
    third = 0.1 + 0.2  # 0.30000000000000004
    assert at_least(np.array([0.3, third, 0.31, 0.29]), third).tolist() == [True, True, True, False]


def test_p_values() -> None:
    assert p_value(4, 8, exact=True) == 0.5
    assert p_value(0, 999, exact=False) == 0.001


def test_corrections_by_hand() -> None:
    p = [0.01, 0.04, 0.03, 0.005]
    # Holm: 4 * 0.005, 3 * 0.01, 2 * 0.03, then not below its predecessor.
    assert corrected(p, "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    # Benjamini and Hochberg: 4/1 * 0.005, 4/2 * 0.01, 4/3 * 0.03, 4/4 * 0.04.
    assert corrected(p, "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert corrected(p, "none") == p
    assert corrected([], "holm") == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrections_raise_p_and_keep_order(p: list[float]) -> None:
    for method in ("holm", "bh"):
        result = corrected(p, method)
        assert all(before <= after <= 1 for before, after in zip(p, result, strict=True))
        order = np.argsort(p, kind="stable")
        assert (np.diff(np.array(result)[order]) >= 0).all()
    assert all(a <= b for a, b in zip(corrected(p, "bh"), corrected(p, "holm"), strict=True))
