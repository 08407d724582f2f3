"""Weights, intervals and corrections, against plain definitions."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import studentized_range

from mteval_core.evaluation.p_values import at_least, correct_p_values, max_t, p_value
from mteval_core.evaluation.resampling import (
    CHUNK,
    all_swaps,
    assignments,
    bootstrap,
    swaps,
)
from mteval_core.metrics.sums import weighted_totals

if TYPE_CHECKING:
    from numpy.typing import NDArray


@pytest.mark.parametrize(("n", "count"), [(1, 3), (7, CHUNK), (529, 3 * CHUNK + 1)])
def test_the_bootstrap_draws_what_one_call_of_the_generator_draws(n: int, count: int) -> None:
    drawn = np.random.default_rng(12345).choice(n, size=(count, n), replace=True)
    expected = [np.bincount(row, minlength=n) for row in drawn]
    assert np.array_equal(np.concatenate(list(bootstrap(n, count, 12345))), expected)


def test_zero_is_a_seed() -> None:
    one, other = (np.concatenate(list(bootstrap(50, 10, seed))) for seed in (0, 1))
    assert not np.array_equal(one, other)
    assert np.array_equal(one, np.concatenate(list(bootstrap(50, 10, 0))))


def masks(n: int, count: int, seed: int) -> NDArray[np.uint8]:
    return np.concatenate([mask for chunk in swaps(n, count, seed) for mask in chunk.masks()])


@pytest.mark.parametrize(("n", "count"), [(1, 1), (13, 4), (1025, 1024), (2, 1025)])
def test_swaps_are_fair_coins(n: int, count: int) -> None:
    weights = np.array([masks(n, count, seed)[[0, -1]] for seed in range(100)])
    assert masks(n, count, 0).shape == (count, n)
    assert set(np.unique(weights)) == {0, 1}
    assert (abs(weights.mean(axis=0) - 0.5) < 5 * 0.5 / np.sqrt(100)).all()


@pytest.mark.parametrize("unit", [1.0, 2.0**-40])
@pytest.mark.parametrize("n", [1, 700, 2100, 5000])
def test_sums_of_swaps_are_products_with_their_masks(n: int, unit: float) -> None:
    rows = np.random.default_rng(n).integers(0, 2000, (n, 3)) * unit
    (totals,) = weighted_totals(lambda: swaps(n, 600, 1), {"a": rows})
    assert np.array_equal(totals["a"], masks(n, 600, 1) @ rows)


@pytest.mark.parametrize("seed", range(4))
def test_two_trials_are_independent(seed: int) -> None:
    # Of each pair of trials, half of the units change sides, give or take what chance leaves.
    drawn = masks(4000, 1500, seed).astype(np.int64)
    for one, other in np.random.default_rng(seed).integers(0, 1500, (50, 2)):
        if one != other:
            assert abs((drawn[one] ^ drawn[other]).mean() - 0.5) < 5 * 0.5 / np.sqrt(4000)


def test_the_test_with_swaps_is_exact() -> None:
    # Whatever six units hold, one of the 64 ways to exchange them was observed. Over all of them
    # and many seeds, a p-value of at most k / 8 must not come more often than k times in 8.
    gaps = np.array([7.0, 5, 5, 1, 0.5, 0.25])
    sides = 1 - 2 * np.array(list(product((0, 1), repeat=6)))
    p_values = []
    for seed in range(300):
        tried = abs((sides[:, None] * (1 - 2.0 * masks(6, 7, seed))) @ gaps)
        as_extreme = (tried >= abs(sides @ gaps)[:, None]).sum(axis=1)
        p_values.append((as_extreme + 1) / 8)
    for k in range(1, 8):
        rate = np.mean([np.mean(p <= k / 8) for p in p_values])
        assert rate <= k / 8 + 5 * np.sqrt(k / 8 * (1 - k / 8) / 300)


@pytest.mark.parametrize(("n", "threshold"), [(30, 2), (300, 2.5), (2500, 2)])
def test_p_values_vary_no_more_than_those_of_independent_trials(n: int, threshold: float) -> None:
    gaps = np.random.default_rng(n).standard_t(3, (n, 1))
    least = threshold * np.sqrt((gaps**2).sum())
    counts = [
        sum((abs(gaps.sum() - 2 * (chunk @ gaps)) >= least).sum() for chunk in swaps(n, 2000, seed))
        for seed in range(100)
    ]
    variance = np.mean(counts) * (1 - np.mean(counts) / 2000)
    assert np.var(counts) < 1.6 * variance  # four standard errors of a variance of 100


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
    rows = {"a": rng.integers(0, 2**40, (40, 11)), "b": rng.integers(0, 2**40, (40, 2))}
    rows = {name: numbers / 2**40 for name, numbers in rows.items()}
    weights = np.concatenate(list(bootstrap(40, 120, 1)))
    (totals,) = weighted_totals(lambda: bootstrap(40, 120, 1), rows)
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
    assert correct_p_values(p, "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    # Benjamini and Hochberg: 4/1 * 0.005, 4/2 * 0.01, 4/3 * 0.03, 4/4 * 0.04.
    assert correct_p_values(p, "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert correct_p_values(p, "none") == p
    assert correct_p_values([], "holm") == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrections_raise_p_and_keep_order(p: list[float]) -> None:
    for method in ("holm", "bh"):
        result = correct_p_values(p, method)
        assert all(before <= after <= 1 for before, after in zip(p, result, strict=True))
        order = np.argsort(p, kind="stable")
        assert (np.diff(np.array(result)[order]) >= 0).all()
    assert all(
        a <= b for a, b in zip(correct_p_values(p, "bh"), correct_p_values(p, "holm"), strict=True)
    )


def test_max_t_by_hand() -> None:
    resampled = [np.array(d) for d in ([2.0, -2, 2, -2], [3.0, -1, -1, -1], [0.0, 0, 2, -2])]
    # Their standard deviations are 2, sqrt(3) and sqrt(2), so t* is
    #     1 1 1 1,    1.73 0.58 0.58 0.58,    0 0 1.41 1.41.
    found = max_t([3.0, -1.0, 0.9 * np.sqrt(2)], resampled)
    # 1.5 against the largest of all, 1.73 1 1.41 1.41: one is as large.
    # 0.9 against the largest of the last two, 1.73 0.58 1.41 1.41: three.
    # 0.58 against 1.73 0.58 0.58 0.58: all four.
    assert found == [2 / 5, 5 / 5, 4 / 5]


def test_max_t_of_all_pairs_is_tukeys_test_where_that_holds() -> None:
    # Independent normal means: the largest of all differences has the studentized range.
    rng = np.random.default_rng(1)
    means = rng.normal(0, 1, (5, 40_000))
    pairs = list(combinations(range(5), 2))
    for t in (2.0, 2.7, 3.5):
        values = [t * np.sqrt(2), *[0.0] * (len(pairs) - 1)]
        p = max_t(values, [means[a] - means[b] for a, b in pairs])[0]
        tukey = studentized_range.sf(t * np.sqrt(2), 5, np.inf)
        assert p == pytest.approx(tukey, abs=float(4 * np.sqrt(tukey / 40_000) + 0.01 * tukey))


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=6), st.integers(0, 9))
def test_max_t_is_between_no_correction_and_that_for_all(values: list[float], seed: int) -> None:
    resampled = list(np.random.default_rng(seed).normal(0, 1, (len(values), 50)))
    spreads = [one.std() for one in resampled]
    t = np.abs(values) / spreads
    t_star = [abs(one - one.mean()) / s for one, s in zip(resampled, spreads, strict=True)]
    alone = [
        p_value(at_least(one, x).sum(), 50, exact=False) for one, x in zip(t_star, t, strict=True)
    ]
    against_all = [p_value(at_least(np.max(t_star, 0), x).sum(), 50, exact=False) for x in t]
    found = max_t(values, resampled)
    assert all(a <= p <= b for a, p, b in zip(alone, found, against_all, strict=True))
    assert found[int(np.argmax(t))] == min(against_all)
    assert (np.diff(np.array(found)[np.argsort(-t, kind="stable")]) >= 0).all()


def test_max_t_of_differences_without_spread() -> None:
    # The first differs in every resample by as much; the second not at all.
    assert max_t([1.0, 0.0], [np.full(9, 1.0), np.zeros(9)]) == [0.1, 1.0]
