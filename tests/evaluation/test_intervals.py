"""Bootstrap intervals, against scipy on the same resamples, and by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import mteval_core as mt
from mteval_core.evaluation.intervals import INTERVAL_KINDS, Estimate, percentile_interval
from mteval_core.evaluation.resampling import bootstrap


def test_ends_of_percentile_intervals_by_hand() -> None:
    # 1000 resamples at 95%: elements 25 and 974 of the sorted ones, counted from 0.
    interval = percentile_interval(np.arange(1000.0)[::-1])
    assert (interval.low, interval.high, interval.mean) == (25.0, 974.0, 499.5)
    # 10 at 80%: elements 1 and 8.
    interval = percentile_interval(np.arange(10.0), 80)
    assert (interval.low, interval.high) == (1.0, 8.0)
    # 39 at 95% are too few to leave one out.
    assert percentile_interval(np.arange(39.0)).low == 0.0


def test_a_basic_interval_is_reflected_at_the_value() -> None:
    interval = Estimate(0.7, np.arange(1000.0) / 1000).interval(95, "basic")
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((1.4 - 0.974, 1.4 - 0.025))
    assert interval.kind == "basic"
    bounded = Estimate(0.7, np.arange(1000.0) / 1000).interval(95, "basic", (0.0, 1.0))
    assert bounded is not None
    assert (bounded.low, bounded.high) == pytest.approx((0.426, 1.0))
    beyond = Estimate(1.0, np.arange(1000.0) / 1100).interval(95, "basic", (0.0, 1.0))
    assert beyond is not None
    assert beyond.low == pytest.approx(2 - 974 / 1100)
    assert beyond.excludes(1.0)


def test_a_symmetric_interval_reaches_to_the_further_end_on_both_sides() -> None:
    """Resamples from 0 to 0.999 end at 0.025 and 0.974."""
    for value, reach in ((0.4, 0.574), (0.7, 0.675), (1.5, 1.475)):
        interval = Estimate(value, np.arange(1000.0) / 1000).interval(95, "symmetric")
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx((value - reach, value + reach))
        assert interval.kind == "symmetric"
    bounded = Estimate(0.7, np.arange(1000.0) / 1000).interval(95, "symmetric", (0.0, 1.0))
    assert bounded is not None
    assert (bounded.low, bounded.high) == pytest.approx((0.025, 1.0))


def skewed(n: int, seed: int) -> Any:
    return np.random.default_rng(seed).exponential(size=(2, n)) ** 1.5


def ratio(x: Any, y: Any, axis: int = -1) -> Any:
    return np.sum(x, axis=axis) / np.sum(y, axis=axis)


@pytest.mark.parametrize("level", [80.0, 95.0])
def test_bca_equals_scipy_on_the_same_resamples(level: float) -> None:
    x, y = skewed(40, 1)
    weights = np.concatenate(list(bootstrap(40, 999, 7)))
    resamples = (weights @ x) / (weights @ y)
    left_out = (x.sum() - x) / (y.sum() - y)
    given = stats._resampling.BootstrapResult(None, resamples, None)
    expected = stats.bootstrap(
        (x, y), ratio, paired=True, n_resamples=0, bootstrap_result=given,
        confidence_level=level / 100, method="BCa",
    ).confidence_interval  # fmt: skip
    interval = Estimate(float(ratio(x, y)), resamples, [left_out]).interval(level, "bca")
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), rel=1e-9)
    assert interval.low != pytest.approx(percentile_interval(resamples, level).low, rel=1e-3)


def test_bca_of_two_samples_equals_scipy() -> None:
    x, y = skewed(30, 2)[0], skewed(50, 3)[0]
    rng = np.random.default_rng(4)
    resamples = rng.choice(x, (999, 30)).mean(axis=1) / rng.choice(y, (999, 50)).mean(axis=1)
    left_out = [(x.sum() - x) / 29 / y.mean(), x.mean() / ((y.sum() - y) / 49)]

    def of_means(x: Any, y: Any, axis: int = -1) -> Any:
        return x.mean(axis=axis) / y.mean(axis=axis)

    given = stats._resampling.BootstrapResult(None, resamples, None)
    expected = stats.bootstrap(
        (x, y), of_means, n_resamples=0, bootstrap_result=given, method="BCa"
    ).confidence_interval
    interval = Estimate(float(x.mean() / y.mean()), resamples, left_out).interval(95, "bca")
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), rel=1e-9)


def test_a_value_beyond_all_resamples_is_outside_a_bca_interval() -> None:
    interval = Estimate(2.0, np.linspace(0, 1, 100), [np.arange(5.0)]).interval(95, "bca")
    assert interval is not None
    assert (interval.low, interval.high) == (1.0, 1.0)
    assert interval.excludes(2.0)


@pytest.mark.parametrize("kind", INTERVAL_KINDS)
def test_a_constant_is_its_own_interval(kind: Any) -> None:
    interval = Estimate(3.0, np.full(50, 3.0), [np.full(9, 3.0)]).interval(95, kind)
    assert interval is not None
    assert (interval.low, interval.high) == (3.0, 3.0)
    assert not interval.excludes(3.0 + 1e-12)


@pytest.mark.parametrize("kind", INTERVAL_KINDS)
def test_what_is_not_defined_does_not_count(kind: Any) -> None:
    nan = float("nan")
    some = np.random.default_rng(5).normal(size=200)
    left_out = np.random.default_rng(6).normal(size=20)
    plain = Estimate(0.1, some, [left_out]).interval(90, kind)
    gaps = Estimate(0.1, np.append(some, nan), [np.append(left_out, nan)]).interval(90, kind)
    assert plain is not None
    assert gaps == plain
    assert Estimate(nan, some, [left_out]).interval(90, kind) is None
    assert Estimate(0.1, np.full(9, nan), [left_out]).interval(90, kind) is None


def test_a_difference_has_differences_of_everything() -> None:
    a = Estimate(3.0, np.array([1.0, 2.0]), [np.array([4.0])])
    difference = a.minus(Estimate(1.0, np.array([1.0, 0.0]), [np.array([1.0])]))
    assert difference.value == 2.0
    assert difference.resamples.tolist() == [0.0, 2.0]
    assert [each.tolist() for each in difference.left_out] == [[3.0]]


# Intervals of scores


def test_scores_without_each_segment_are_scored_again() -> None:
    """The BCa interval of a corpus score uses the score of the test set without each segment."""
    rng = np.random.default_rng(8)
    words = [f"w{k}" for k in range(30)]
    references = [" ".join(rng.choice(words, 12)) for _ in range(25)]
    system = [" ".join(w if rng.random() < 0.7 else "x" for w in r.split()) for r in references]
    evaluation = mt.evaluate({"A": system, "B": references[::-1]}, [references], ["chrf"])
    drawn = evaluation.confidence(200, interval="bca")
    spec = "chrf"
    rows = evaluation.scores.rows["A", spec]
    weights = np.concatenate(list(bootstrap(25, 200, 12345)))
    left_out = []
    for k in range(25):
        rest, targets = (text[:k] + text[k + 1 :] for text in (system, references))
        left_out.append(mt.metric(spec).corpus_score(rest, [targets]).score)
    expected = Estimate(
        evaluation.score("A", spec).score,
        evaluation.scorers[spec].scores(weights @ rows),
        [np.array(left_out)],
    ).interval(95, "bca")
    interval = drawn.intervals["A", spec]
    assert expected is not None
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))
    assert interval.kind == "bca"
    assert "|interval:bca|" in str(drawn.score("A", spec).signature)
    assert drawn.to_records()[0]["ci"]["kind"] == "bca"
    assert "interval" not in str(evaluation.confidence(20).score("A", spec).signature)
    compared = drawn.compare("bs", 200, interval="bca")
    assert compared.comparisons["B", "A", spec].interval.kind == "bca"
    with pytest.raises(mt.UsageError, match="drawn with interval:bca, and now interval:basic"):
        drawn.compare("bs", 200, interval="basic")
    with pytest.raises(mt.UsageError, match="unknown kind of interval 'normal'"):
        evaluation.confidence(20, interval="normal")  # type: ignore[arg-type]


def test_a_score_outside_its_interval_is_noted() -> None:
    evaluation = mt.evaluate({"A": ["a b", "c d"], "B": ["a x", "c y"]}, [["a b", "c d"]], ["chrf"])
    drawn = evaluation.confidence(20)
    assert "outside the interval" not in str(drawn)
    below = replace(drawn.intervals["A", "chrf"], low=1.0, high=2.0)
    noted = str(replace(drawn, intervals={**drawn.intervals, ("A", "chrf"): below}))
    assert "This score is outside the interval: A under chrF." in noted
