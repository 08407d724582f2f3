"""Tests of significance against scipy, hand-worked cases, enumeration, and simulated nulls."""

from __future__ import annotations

import itertools
import math
from typing import Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mteval_metaeval.significance import (
    bootstrap_p,
    clusters,
    perm_both,
    student_t,
    wilcoxon,
    williams,
)


def stats() -> Any:
    return pytest.importorskip("scipy.stats", reason="scipy is the oracle")


# Student's t


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 11, 100, 101, 6874])
@pytest.mark.parametrize("t", [-9.0, -2.5, -0.3, 0.0, 0.7, 1.96, 4.0, 30.0])
def test_student_t_is_that_of_scipy(t: float, degrees: int) -> None:
    assert student_t(t, degrees) == pytest.approx(float(stats().t.sf(t, degrees)), abs=1e-12)


def test_student_t_by_hand() -> None:
    # One degree of freedom is Cauchy's distribution, two have (1 - t / sqrt(2 + t^2)) / 2.
    assert student_t(1, 1) == pytest.approx(0.25)
    assert student_t(math.sqrt(2), 2) == pytest.approx((1 - math.sqrt(0.5)) / 2)
    assert student_t(math.inf, 5) == 0
    assert student_t(-math.inf, 5) == 1


# Williams


def test_williams_by_hand() -> None:
    # K = 1 - .64 - .36 - .25 + 2 * .8 * .6 * .5 = .23; above: .2 sqrt(9 * 1.5);
    # below: sqrt(2 * .23 * 9 / 7 + .49 * .125).
    t = 0.2 * math.sqrt(13.5) / math.sqrt(2 * 0.23 * 9 / 7 + 0.49 * 0.125)
    outcome = williams(0.8, 0.6, 0.5, 10)
    assert outcome.statistic == pytest.approx(t)
    assert outcome.p_value == pytest.approx(float(stats().t.sf(t, 7)))
    two_sided = williams(0.8, 0.6, 0.5, 10, alternative="two-sided")
    assert two_sided.p_value == pytest.approx(2 * outcome.p_value)
    assert williams(0.6, 0.8, 0.5, 10).p_value == pytest.approx(1 - outcome.p_value)


def test_williams_is_that_of_psych() -> None:
    """The examples of the page of r.test, psych 2.5.3: one of Steiger 1980, and one with digits."""
    of_steiger = williams(0.4, 0.5, 0.1, 103, alternative="two-sided")
    assert round(of_steiger.statistic, 2) == -0.89
    r12, r23, r13 = 0.693458895410494, 0.988475791500198, 0.695966022434845
    exact = williams(r12, r13, r23, 5105, alternative="two-sided")
    assert round(exact.p_value, 7) == 0.1000759


def test_williams_is_that_of_sacrerouge() -> None:
    """The values in SacreROUGE's test of williams_diff_test, which are psych's."""
    rng = np.random.RandomState(12)
    outputs = [rng.random_sample((9, 5)).ravel() for _ in range(3)]
    systems = [rng.random_sample((9, 5)).mean(axis=1) for _ in range(3)]
    for (x, y, z), coefficient, expected in (
        (outputs, metaeval.pearson, 0.2716978),
        ([systems[1], systems[0], systems[2]], metaeval.spearman, 0.4658712),
    ):
        r12, r13, r23 = (abs(float(coefficient(*pair))) for pair in ((x, z), (y, z), (x, y)))
        one = williams(r12, r13, r23, len(x)).p_value
        assert one == pytest.approx(expected, abs=1e-5)
        assert williams(r13, r12, r23, len(x)).p_value == pytest.approx(1 - expected, abs=1e-5)
        both = williams(r12, r13, r23, len(x), alternative="two-sided").p_value
        assert both == pytest.approx(2 * expected, abs=1e-5)


def test_williams_at_its_limits() -> None:
    assert math.isnan(williams(0.8, 0.6, 0.5, 3).p_value)
    assert math.isnan(williams(math.nan, 0.6, 0.5, 10).p_value)
    assert math.isnan(williams(0.9, -0.9, -1.0, 10).p_value)
    assert williams(0.7, 0.7, 1.0, 10).p_value == 0.5
    assert williams(0.7, 0.7, 1.0, 10, alternative="two-sided").p_value == 1
    # Three vectors in a plane: K is 0 but for rounding.
    angles = np.cos(np.radians([10, 40, 50]))
    assert 0 <= williams(angles[0], angles[1], angles[2], 10).p_value <= 1


# Wilcoxon


@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=8), st.sampled_from(["two-sided", "greater"])
)
def test_wilcoxon_with_ties_tries_every_sign(differences: list[int], alternative: Any) -> None:
    d = np.array(differences, float)
    assume(d.any())
    rank = metaeval.ranks(np.abs(d[d != 0]))
    signs = np.array(list(itertools.product([0, 1], repeat=len(rank))))
    sums, observed = signs @ rank, float(rank[d[d != 0] > 0].sum())
    upper, lower = np.mean(sums >= observed - 1e-9), np.mean(sums <= observed + 1e-9)
    expected = upper if alternative == "greater" else min(1, 2 * min(upper, lower))
    assert wilcoxon(d, np.zeros_like(d), alternative) == pytest.approx((observed, expected))


@pytest.mark.parametrize("n", [14, 30, 50, 51, 1000])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_wilcoxon_is_that_of_scipy(n: int, alternative: Any) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.normal(0.1, size=n), rng.normal(size=n)
    expected = stats().wilcoxon(x, y, alternative=alternative).pvalue
    assert wilcoxon(x, y, alternative).p_value == pytest.approx(expected)
    if n > 50:
        x, y = x.round(1), y.round(1)
        expected = stats().wilcoxon(x, y, alternative=alternative).pvalue
        assert wilcoxon(x, y, alternative).p_value == pytest.approx(expected)


def test_wilcoxon_by_hand() -> None:
    # Three positive differences: one of eight signs is as extreme, on one side.
    x = np.array([1.0, 2.0, 3.0])
    two_sided, greater = wilcoxon(x, np.zeros(3)), wilcoxon(x, np.zeros(3), "greater")
    assert two_sided.statistic == greater.statistic == 6
    assert (two_sided.p_value, greater.p_value) == pytest.approx((2 / 8, 1 / 8))
    assert wilcoxon(x, x) == (0, 1)
    assert wilcoxon(np.array([math.nan, 1.0]), np.array([1.0, math.nan])).p_value == 1


# PERM-BOTH


def pearson_of_systems(human: Any) -> Any:
    return lambda scores: metaeval.pearson(scores.mean(axis=-1), human)


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_perm_both_tries_every_exchange(alternative: Any) -> None:
    rng = np.random.default_rng(5)
    x, y, human = rng.normal(size=(4, 2)), rng.normal(size=(4, 2)) * 7 + 3, rng.normal(size=4)
    statistic = pearson_of_systems(human)
    z, w = ((a - a.mean()) / a.std(ddof=1) for a in (x, y))
    observed = statistic(z) - statistic(w)
    differences = []
    for bits in itertools.product([False, True], repeat=8):
        mask = np.reshape(bits, (4, 2))
        differences.append(statistic(np.where(mask, w, z)) - statistic(np.where(mask, z, w)))
    if alternative == "greater":
        extreme = [d >= observed - 1e-10 for d in differences]
    else:
        extreme = [abs(d) >= abs(observed) - 1e-10 for d in differences]
    outcome = perm_both(x, y, statistic, n=256, alternative=alternative)
    assert outcome.statistic == pytest.approx(observed)
    assert outcome.p_value == pytest.approx(np.mean(extreme))
    drawn = perm_both(x, y, statistic, n=255, alternative=alternative)
    assert drawn.p_value == pytest.approx(outcome.p_value, abs=5 * 0.5 / 16)


def test_perm_both_exchanges_standardised_scores() -> None:
    rng = np.random.default_rng(6)
    x, y, human = rng.normal(size=(5, 30)), rng.normal(size=(5, 30)), rng.normal(size=5)
    statistic = pearson_of_systems(human)
    plain, scaled = (perm_both(x, other, statistic, n=200) for other in (y, 1000 * y + 50))
    assert plain == pytest.approx(scaled)


def test_perm_both_of_what_is_not_defined() -> None:
    x = np.ones((4, 3))
    outcome = perm_both(x, x + 1, pearson_of_systems(np.arange(4.0)), n=50)
    assert math.isnan(outcome.p_value)


# Bootstrap of the difference


def test_bootstrap_p_by_hand() -> None:
    differences = np.array([0.1, 0.2, 0.3, 0.4, math.nan])  # round their mean: -.15 -.05 .05 .15
    assert bootstrap_p(differences, 0.1, "greater") == pytest.approx((1 + 1) / (4 + 1))
    assert bootstrap_p(differences, -0.1, "two-sided") == pytest.approx((2 + 1) / (4 + 1))
    assert math.isnan(bootstrap_p(np.array([math.nan]), 0.1, "greater"))


# Ranks


def test_clusters_by_hand() -> None:
    p = np.full((4, 4), math.nan)
    p[np.triu_indices(4, 1)] = [0.2, 0.01, 0.01, 0.3, 0.01, 0.2]
    # The third is beaten by the first; the fourth by the second, which is of a rank before.
    assert clusters(p) == [1, 1, 2, 2]
    assert clusters(p, alpha=0.005) == [1, 1, 1, 1]
    p[2, 3] = 0.05  # not below 0.05, as in every other command
    assert clusters(p) == [1, 1, 2, 2]
    p[2, 3] = 0.049
    assert clusters(p) == [1, 1, 2, 3]
    assert clusters(np.full((1, 1), math.nan)) == [1]


# What is said to happen by chance happens so often


def null(rng: np.random.Generator, n_systems: int, n_items: int) -> tuple[Any, Any, Any]:
    """Make scores of two equally good metrics, and human scores."""
    quality = rng.normal(size=(n_systems, 1))
    human = (quality + rng.normal(0, 0.3, (n_systems, 1))).ravel()
    x, y = (quality + rng.normal(size=(n_systems, n_items)) for _ in range(2))
    return x, y, human


def test_williams_keeps_its_size() -> None:
    rng = np.random.default_rng(8)
    p = []
    for _ in range(400):
        human, x, y = rng.multivariate_normal(
            np.zeros(3), [[1, 0.6, 0.6], [0.6, 1, 0.7], [0.6, 0.7, 1]], 15
        ).T
        r = np.corrcoef([human, x, y])
        p.append(williams(r[0, 1], r[0, 2], r[1, 2], 15).p_value)
    # 5% of 400 within 3.5 standard errors.
    assert abs(np.mean(np.array(p) <= 0.05) - 0.05) < 3.5 * math.sqrt(0.05 * 0.95 / 400)


def test_perm_both_keeps_its_size() -> None:
    rng = np.random.default_rng(9)
    p = []
    for _ in range(300):
        x, y, human = null(rng, 8, 12)
        p.append(perm_both(x, y, pearson_of_systems(human), n=99).p_value)
    assert np.mean(np.array(p) <= 0.05) < 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / 300)
    assert np.mean(np.array(p) <= 0.5) > 0.5 - 3.5 * 0.5 / math.sqrt(300)


def test_wilcoxon_keeps_its_size() -> None:
    rng = np.random.default_rng(10)
    p = [wilcoxon(*rng.normal(size=(2, 60))).p_value for _ in range(600)]
    assert abs(np.mean(np.array(p) <= 0.05) - 0.05) < 3.5 * math.sqrt(0.05 * 0.95 / 600)
