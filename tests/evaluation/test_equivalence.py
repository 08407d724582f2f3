"""Equivalence and non-inferiority, against t-tests, intervals and a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import norm, ttest_1samp

import mteval_core as mt
from mteval_core.evaluation.p_values import Equivalence, correct_p_values, one_sided

if TYPE_CHECKING:
    from collections.abc import Callable

    Evaluate = Callable[..., mt.Evaluation]

SPEC = "mean:tok=none"


def found(evaluation: mt.Evaluation, margin: float, **options: Any) -> list[Equivalence]:
    """Return what a margin adds to all comparisons."""
    comparisons = evaluation.compare("bs", 4000, margin=margin, **options).comparisons
    return [one.equivalence for one in comparisons.values() if one.equivalence is not None]


@pytest.mark.parametrize(("shift", "margin"), [(0.0, 0.15), (-0.1, 0.2), (0.1, 0.05), (-0.3, 0.1)])
def test_p_values_are_those_of_two_t_tests(evaluate: Evaluate, shift: float, margin: float) -> None:
    rng = np.random.default_rng(1)
    a = rng.normal(0, 1, 500).round(3)
    b = (a + rng.normal(shift, 1, 500)).round(3)
    not_worse = ttest_1samp(b - a, -margin, alternative="greater").pvalue
    not_better = ttest_1samp(b - a, margin, alternative="less").pvalue
    (one,) = found(evaluate({"A": a, "B": b}), margin)
    for p, expected in [
        (one.p_not_worse, not_worse),
        (one.p_equivalent, max(not_worse, not_better)),
    ]:
        # Within 4 standard errors of 4000 resamples.
        sampling = np.sqrt(expected * (1 - expected) / 4000)
        assert p == pytest.approx(expected, abs=4 * sampling + 1 / 4000)
    assert one.margin == margin


def test_p_values_by_hand() -> None:
    # The resamples differ from their mean by -2 -1 0 1 2. A gain of 0.5 is 1.5 above -1, and only
    # 2 is as much; it is 0.5 below 1, and -2 and -1 are as much.
    assert one_sided(0.5, np.array([-1.0, 0, 1, 2, 3]), 1.0) == (2 / 6, 3 / 6)


def test_what_is_worse_depends_on_the_direction(plugin: Any, mean: mt.MetricSpec) -> None:
    from dataclasses import replace

    rng = np.random.default_rng(2)
    texts = {
        name: [f"{x:.3f}" for x in rng.normal(mu, 1, 200)] for name, mu in [("A", 0), ("B", 0.5)]
    }
    p = {}
    for better in ("higher", "lower"):
        registry = mt.load_registry([plugin(metrics=[replace(mean, better=better)])])
        evaluation = mt.evaluate(texts, [["x"] * 200], [SPEC], registry=registry)
        (p[better],) = found(evaluation, 0.2)
    assert p["higher"].p_not_worse < 0.001 < 0.9 < p["lower"].p_not_worse
    assert p["higher"].p_equivalent == pytest.approx(p["lower"].p_equivalent)


def test_both_claims_are_corrected_on_their_own(evaluate: Evaluate) -> None:
    rng = np.random.default_rng(3)
    systems = {f"S{k}": rng.normal(0.05 * k, 1, 150).round(3) for k in range(4)}
    evaluation = evaluate(systems)
    for all_pairs in (False, True):
        raw = found(evaluation, 0.3, correct="none", all_pairs=all_pairs)
        for method in ("holm", "bh"):
            both = found(evaluation, 0.3, correct=method, all_pairs=all_pairs)
            for claim in ("p_equivalent", "p_not_worse"):
                expected = correct_p_values([getattr(one, claim) for one in raw], method)
                assert [getattr(one, claim) for one in both] == expected


def test_systems_without_spread_prove_nothing(evaluate: Evaluate) -> None:
    (one,) = found(evaluate({"A": [1] * 20, "B": [1] * 20}), 5)
    assert (one.p_equivalent, one.p_not_worse) == (1.0, 1.0)


def test_without_a_margin_nothing_is_added(evaluate: Evaluate) -> None:
    compared = evaluate({"A": [1, 2, 4], "B": [2, 2, 3]}).compare("bs", correct="none")
    assert compared.comparisons["B", "A", SPEC].equivalence is None
    assert "margin" not in compared.to_dict()["comparisons"][0]


@pytest.mark.parametrize(
    ("test", "options", "message"),
    [
        ("ar", {"margin": 1.0}, "a margin needs resamples: test with 'bs'"),
        ("bs", {"margin": 1.0, "correct": "maxt"}, "which maxt does not correct"),
        ("bs", {"margin": 0}, "margin 0: expected a number above 0"),
        ("bs", {"margin": float("nan")}, "margin nan: expected a number above 0"),
        ("bs", {"margin": True}, "margin True: expected a number above 0"),
        ("bs", {"margin": "1"}, "margin '1': expected a number above 0"),
    ],
)
def test_margins_that_make_no_sense(
    evaluate: Evaluate, test: Any, options: Any, message: str
) -> None:
    evaluation = evaluate({name: [1, 2, k] for k, name in enumerate("ABC")})
    with pytest.raises(mt.UsageError, match=message):
        evaluation.compare(test, **options)


def test_error_rate_and_power_of_equivalence() -> None:
    # Means of 400 normal differences, with an error of 0.05 and a margin of 0.15: at the margin 5%
    # are wrongly equivalent, and at zero P(|Z| < 3 - 1.645) are found.
    rng = np.random.default_rng(4)
    error, margin, n = 0.05, 0.15, 1500
    for truth, expected in ((margin, 0.05), (0.0, 2 * norm.cdf(3 - 1.6449) - 1)):
        gains = rng.normal(truth, error, n)
        resamples = rng.normal(0, error, 1000)
        share = np.mean([max(one_sided(g, g + resamples, margin)) < 0.05 for g in gains])
        # The resamples are common to all, so their 95th percentile adds to the sampling error.
        sampling = np.sqrt(expected * (1 - expected) / n)
        assert share == pytest.approx(expected, abs=4 * sampling + 0.02)
