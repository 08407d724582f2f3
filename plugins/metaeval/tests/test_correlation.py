"""Coefficients against scipy, and tie calibration against trying everything."""

from __future__ import annotations

import itertools
import warnings
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_metaeval import correlation, segments
from mteval_metaeval.correlation import COEFFICIENTS, mean_over_groups
from mteval_metaeval.missing import standardized
from mteval_metaeval.raters import mean_scores
from mteval_metaeval.segments import GROUPINGS, groups

if TYPE_CHECKING:
    from pathlib import Path

ORACLES = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}

NAN = float("nan")

EACH = pytest.mark.parametrize("name", list(COEFFICIENTS))


def oracle(name: str, x: Any, y: Any) -> float:
    """Compute the coefficient of the complete pairs with scipy."""
    stats = pytest.importorskip("scipy.stats", reason="scipy is the oracle")
    x, y = np.asarray(x, float), np.asarray(y, float)
    both = ~np.isnan(x + y)
    if both.sum() < 2:
        return NAN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns of constant input
        return float(getattr(stats, ORACLES[name])(x[both], y[both])[0])


def few_values(n: int) -> st.SearchStrategy[list[float]]:
    """Numbers with many ties, some of them missing."""
    return st.lists(st.sampled_from([0.0, 1.0, 1.5, -2.0, 7.25, NAN]), min_size=n, max_size=n)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    n = draw(st.integers(0, 12))
    return draw(few_values(n)), draw(few_values(n))


@EACH
@given(pairs())
def test_equals_scipy_with_ties_and_missing_values(name: str, xy: Any) -> None:
    values = COEFFICIENTS[name](*xy)
    assert float(values) == pytest.approx(oracle(name, *xy), abs=1e-12, nan_ok=True)


@EACH
@pytest.mark.parametrize("n", [2, 3, 13, 63, 64, 65, 1000])
def test_equals_scipy_row_by_row(name: str, n: int) -> None:
    rng = np.random.default_rng(n)
    x = rng.normal(size=(4, 1, n)).round(1)
    y = x + rng.normal(size=(4, 3, n)).round(1)
    y[rng.random(y.shape) < 0.1] = NAN
    values = COEFFICIENTS[name](x, y)
    assert values.shape == (4, 3)
    expected = [[oracle(name, x[i, 0], y[i, j]) for j in range(3)] for i in range(4)]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


@EACH
@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e300])
def test_the_scale_of_scores_does_not_matter(name: str, scale: float) -> None:
    x, y = np.array([1.0, 4.0, 2.0, 8.0]), np.array([2.0, 1.0, 3.0, 9.0])
    assert float(COEFFICIENTS[name](x * scale, y)) == pytest.approx(
        float(COEFFICIENTS[name](x, y)), abs=1e-12
    )


@EACH
def test_what_does_not_vary_has_no_coefficient(name: str) -> None:
    # The mean of these is not exactly 0.1.
    assert np.isnan(COEFFICIENTS[name]([0.1] * 10, range(10)))
    assert np.isnan(COEFFICIENTS[name]([], []))
    assert np.isnan(COEFFICIENTS[name]([1], [2]))


def test_hand_worked() -> None:
    # d = 0, 1, 1, 0: rho = 1 - 6 * 2 / (4 * 15) = 0.8; one of six pairs is discordant.
    x, y = [1, 2, 3, 4], [10, 30, 20, 40]
    assert float(metaeval.spearman(x, y)) == pytest.approx(0.8)
    assert float(metaeval.kendall(x, y)) == pytest.approx(4 / 6)
    assert float(metaeval.pairwise_accuracy(x, y)) == pytest.approx(5 / 6)
    # Pairs of (1, 1, 2) and (1, 2, 2): a tie on one side, a tie on the other, one in order.
    assert float(metaeval.kendall([1, 1, 2], [1, 2, 2])) == pytest.approx(1 / 2)
    assert float(metaeval.pairwise_accuracy([1, 1, 2], [1, 2, 2])) == pytest.approx(1 / 3)


@given(pairs())
def test_pairwise_accuracy_counts_signs(xy: Any) -> None:
    complete = [(a, b) for a, b in zip(*xy, strict=True) if not np.isnan(a + b)]
    right = [
        np.sign(a - c) == np.sign(b - d) for (a, b), (c, d) in itertools.combinations(complete, 2)
    ]
    expected = np.mean(right) if right else NAN
    assert float(metaeval.pairwise_accuracy(*xy)) == pytest.approx(expected, nan_ok=True)


@given(st.lists(st.sampled_from([1.0, 2.0, 2.5, NAN]), max_size=10))
def test_ranks_are_those_of_scipy(x: list[float]) -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is the oracle")
    present = ~np.isnan(np.array(x, float))
    ranked = metaeval.ranks(np.array(x, float))
    assert ranked[present].tolist() == stats.rankdata(np.array(x, float)[present]).tolist()
    assert np.isnan(ranked[~present]).all()


def test_standardised_scores() -> None:
    scores = standardized(np.array([[0.1, 0.1], [0.1, NAN]]))
    np.testing.assert_array_equal(scores, [[0, 0], [0, NAN]])
    scores = standardized(np.array([1.0, NAN, 3.0]))
    np.testing.assert_allclose(scores, [-(0.5**0.5), NAN, 0.5**0.5])
    # The square of the deviation is too small to be a number.
    assert standardized(np.array([1e-300, 2e-300])).tolist() == [0, 0]
    np.testing.assert_array_equal(standardized(np.array([NAN, NAN])), [NAN, NAN])


@EACH
@pytest.mark.parametrize("set_", ["ted21-zh-en", "news23-en-de", "news24-en-ja"])
def test_equals_scipy_on_real_judgments(shared: Path, set_: str, name: str) -> None:
    judgments = metaeval.read_judgments([shared / set_ / "human_raters.tsv"])
    human = mean_scores(judgments)[0]
    rng = np.random.default_rng(0)
    metric = human + rng.normal(size=human.shape).round(0) * np.nanstd(human)
    human[rng.random(human.shape) < 0.05] = NAN
    for grouping in GROUPINGS:
        x, y = groups(metric, grouping), groups(human, grouping)
        some = slice(0, 40)
        expected = [oracle(name, a, b) for a, b in zip(x[some], y[some], strict=True)]
        np.testing.assert_allclose(COEFFICIENTS[name](x[some], y[some]), expected, atol=1e-12)


def test_groups() -> None:
    scores = np.arange(6.0).reshape(2, 3)  # two systems, three items
    assert groups(scores, "none").tolist() == [[0, 1, 2, 3, 4, 5]]
    assert groups(scores, "item").tolist() == [[0, 3], [1, 4], [2, 5]]
    assert groups(scores, "system").tolist() == [[0, 1, 2], [3, 4, 5]]


def test_equal_coefficients_are_equal_to_the_last_bit() -> None:
    # 6 - 6 sum d^2 / 35, and the sum of squared differences of six ranks takes 36 even values.
    orders = np.array(list(itertools.permutations(range(6))), float)
    assert len(set(metaeval.spearman(orders, np.arange(6.0)).tolist())) == 36


def test_means_are_of_what_is_defined() -> None:
    assert float(mean_over_groups(np.array([1.0, NAN, 0.5]))) == 0.75
    assert np.isnan(mean_over_groups(np.array([NAN, NAN])))


# Differences of systems


def test_differences_stand_the_better_system_first() -> None:
    metric, human = metaeval.differentials(np.array([1.0, 5.0, 2.0]), np.array([3.0, 1.0, 2.0]))
    assert human.tolist() == [2, 1, 1]
    assert metric.tolist() == [-4, -1, -3]


@given(st.permutations(range(6)))
def test_differences_do_not_depend_on_the_order_of_systems(order: list[int]) -> None:
    metric = np.array([1.0, 4.0, 2.0, 8.0, 5.0, 7.0])
    human = np.array([2.0, 1.0, 3.5, 9.0, 4.0, 6.0])
    expected = metaeval.pearson(*metaeval.differentials(metric, human))
    value = metaeval.pearson(*metaeval.differentials(metric[order], human[order]))
    assert float(value) == pytest.approx(float(expected), abs=1e-12)


@given(st.permutations(range(5)))
def test_nor_if_the_human_scores_are_equal(order: list[int]) -> None:
    metric, human = np.array([1.0, 4.0, 2.0, 8.0, 2.0]), np.array([2.0, 2.0, 1.0, 3.0, 1.0])
    expected = metaeval.pearson(*metaeval.differentials(metric, human))
    value = metaeval.pearson(*metaeval.differentials(metric[order], human[order]))
    assert float(value) == pytest.approx(float(expected), abs=1e-12)


def test_a_system_drawn_twice_is_no_pair() -> None:
    metric, human = np.array([1.0, 1.0, 2.0, NAN]), np.array([3.0, 3.0, 1.0, 2.0])
    by_metric, by_human = metaeval.differentials(metric[:3], human[:3])
    np.testing.assert_array_equal(by_metric, [NAN, -1, -1])
    np.testing.assert_array_equal(by_human, [NAN, 2, 2])
    assert correlation.accuracy_of_systems(metric, human) == 0
    # A tie of one side alone is wrong; of the three pairs two are right.
    assert correlation.accuracy_of_systems(
        np.array([1.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    ) == pytest.approx(2 / 3)


def test_differences_in_both_orders_are_the_plain_coefficient() -> None:
    metric, human = np.array([1.0, 4.0, 2.0, 8.0]), np.array([2.0, 1.0, 3.5, 9.0])
    d, e = metaeval.differentials(metric, human)
    both = metaeval.pearson(np.concatenate([d, -d]), np.concatenate([e, -e]))
    assert float(both) == pytest.approx(float(metaeval.pearson(metric, human)))


# Outliers


def test_outliers_by_hand() -> None:
    # Median 3, distances 2 1 0 1 2 17, their median 1.5: 17 / (1.483 * 1.5) = 7.6 > 2.5.
    assert metaeval.outliers([1, 2, 3, 4, 5, 20]).tolist() == [False] * 5 + [True]
    # Median 3 of five, distances 2 1 0 1 c: the median distance is 1, the bound 3.7075.
    assert not metaeval.outliers([1, 2, 3, 4, 3 + 3.70]).any()
    assert metaeval.outliers([1, 2, 3, 4, 3 + 3.71]).tolist() == [False] * 4 + [True]


def test_no_outliers_where_most_are_equal() -> None:
    assert not metaeval.outliers([1, 1, 1, 1, 9]).any()
    assert not metaeval.outliers([NAN, NAN]).any()
    assert metaeval.outliers([1, 2, 3, 4, 5, 20, NAN]).tolist() == [False] * 5 + [True, False]


# Tie calibration


def accuracy(metric: Any, human: Any, epsilon: float) -> float:
    """Accuracy with ties under a threshold, as Deutsch et al. 2023 define it, pair by pair."""
    per_group = []
    for x, y in zip(metric, human, strict=True):
        right = []
        for (a, b), (c, d) in itertools.combinations(zip(x, y, strict=True), 2):
            if np.isnan(a + b + c + d):
                continue
            by_metric = 0 if abs(a - c) <= epsilon else np.sign(a - c)
            right.append(by_metric == np.sign(b - d))
        per_group += [np.mean(right)] if right else []
    return float(np.mean(per_group))


@st.composite
def matrices(draw: st.DrawFn) -> tuple[Any, Any]:
    shape = draw(st.tuples(st.integers(2, 4), st.integers(1, 4)))
    n = shape[0] * shape[1]
    x = draw(st.lists(st.sampled_from([0.0, 1.0, 2.5, 4.0, 8.0]), min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, NAN]), min_size=n, max_size=n))
    return np.reshape(x, shape), np.reshape(y, shape)


@pytest.mark.parametrize("grouping", GROUPINGS)
@given(matrices())
def test_tie_calibration_is_the_best_of_all_thresholds(grouping: Any, xy: Any) -> None:
    x, y = groups(xy[0], grouping), groups(xy[1], grouping)
    epsilon, best = metaeval.tie_calibration(xy[0], xy[1], grouping)
    pairs = [
        abs(a - b)
        for row, of_humans in zip(x, y, strict=True)
        for a, b in itertools.combinations(row[~np.isnan(of_humans)], 2)
    ]
    if not pairs:
        assert np.isnan(best)
        return
    tried = {e: accuracy(x, y, e) for e in sorted({0.0, *pairs})}
    assert best == pytest.approx(max(tried.values()))
    assert epsilon == min(e for e, a in tried.items() if a == pytest.approx(best))


def test_tie_calibration_by_hand() -> None:
    # People tie the first two. Differences 1, 6, 5: as they are, two of three pairs are right; with
    # ties up to 1 all three; with ties up to 5 two; with ties up to 6 one.
    metric, human = np.array([[1.0], [2.0], [7.0]]), np.array([[3.0], [3.0], [4.0]])
    assert metaeval.tie_calibration(metric, human) == (1.0, 1.0)
    assert float(metaeval.pairwise_accuracy(metric.T, human.T)[0]) == pytest.approx(2 / 3)


def test_tie_calibration_draws_pairs_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(3)
    human = rng.integers(0, 4, (5, 200)).astype(float)
    metric = human + rng.normal(size=human.shape)
    exact = metaeval.tie_calibration(metric, human, "none")
    monkeypatch.setattr(segments, "PAIR_LIMIT", 100_000)
    drawn = metaeval.tie_calibration(metric, human, "none")
    # A share of 100,000 pairs is known to about 0.0016.
    assert drawn[1] == pytest.approx(exact[1], abs=0.007)
    assert drawn == metaeval.tie_calibration(metric, human, "none")


def test_inputs_are_left_alone() -> None:
    x, y = np.array([3.0, 1.0, 2.0]), np.array([1.0, NAN, 2.0])
    before = x.copy(), y.copy()
    for function in (*COEFFICIENTS.values(), metaeval.pairwise_accuracy, metaeval.differentials):
        function(x, y)
    np.testing.assert_array_equal((x, y), before)
