"""Intervals over few systems: Fisher's z and Student's t, and what is printed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.experiments import SYSTEM_LEVEL
from mteval_metaeval.normal_intervals import interval_of_coefficient, interval_of_mean

from mteval_core import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable

stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")

SYSTEMS = metaeval.Resampling(n=500, draw="systems")


@pytest.mark.parametrize("n", [5, 8, 30])
@pytest.mark.parametrize("level", [95.0, 90.0])
def test_the_interval_of_pearson_is_that_of_scipy(n: int, level: float) -> None:
    x, y = np.random.default_rng(n).normal(size=(2, n)) + np.linspace(0, 2, n)
    found = stats.pearsonr(x, y)
    expected = found.confidence_interval(level / 100)
    assert interval_of_coefficient("pearson", found.statistic, n, level) == pytest.approx(expected)


def test_the_variances_of_bonett_and_wright() -> None:
    # By hand: z = atanh(.8) = 1.0986; n = 14: Spearman sqrt(1.32 / 11), Kendall sqrt(.0437).
    for name, error in (("spearman", 0.34641), ("kendall", 0.20905)):
        reach = 1.959964 * error
        expected = np.tanh(1.098612 - reach), np.tanh(1.098612 + reach)
        assert interval_of_coefficient(name, 0.8, 14) == pytest.approx(expected, abs=1e-5)


def test_accuracy_is_kendalls_coefficient_on_another_scale() -> None:
    of_tau = interval_of_coefficient("kendall", 0.6, 11)
    assert of_tau is not None
    expected = [(1 + end) / 2 for end in of_tau]
    assert interval_of_coefficient("pairwise accuracy", 0.8, 11) == pytest.approx(expected)


def test_differences_of_pairs_know_as_much_as_the_systems() -> None:
    expected = interval_of_coefficient("pearson", 0.6, 11)
    assert interval_of_coefficient("differentials", 0.6, 11) == expected


@pytest.mark.slow
def test_intervals_of_differences_hold_where_noise_counts_twice(
    study: Callable[..., metaeval.Study],
) -> None:
    """Drawing systems and segments adds the noise of segments to scores that have it already.

    The corrected percentiles then lie above the coefficient of all systems.
    """
    rng = np.random.default_rng(8)
    n_systems, n_studies = 30, 60

    def drawn(n: int) -> Any:
        quality = rng.normal(size=(n, 1))
        metric = 0.98 * quality + 0.2 * rng.normal(size=(n, 1)) + 0.3 * noise(n)
        return metric, quality + 0.6 * noise(n)

    def noise(n: int) -> Any:
        return rng.normal(size=(n, 25)) * 5

    function = SYSTEM_LEVEL["differentials"]
    truth = np.mean([function(*(s.mean(axis=1) for s in drawn(1000))) for _ in range(20)])
    held = {None: 0, "bca": 0}
    for _ in range(n_studies):
        metric, human = drawn(n_systems)
        made = study([metric], human)
        for kind in held:
            drawing = metaeval.Resampling(n=200, draw="both", interval=kind)
            records, _ = metaeval.system_level(made, drawing)
            (interval,) = (r.interval for r in records if r.quantity == "differentials")
            assert interval is not None
            held[kind] += not interval.excludes(float(truth))
    assert held["bca"] < 0.85 * n_studies
    assert held[None] >= 0.9 * n_studies


@pytest.mark.parametrize(
    ("name", "r", "n"),
    [("soft pairwise accuracy", 0.5, 9), ("pearson", 1.0, 9), ("kendall", 0.5, 4)],
)
def test_no_interval_of_fisher(name: str, r: float, n: int) -> None:
    assert interval_of_coefficient(name, r, n) is None


@pytest.mark.parametrize("n", [2, 5, 12])
def test_the_interval_of_a_mean_is_that_of_scipy(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n)
    expected = stats.t.interval(0.95, n - 1, values.mean(), stats.sem(values))
    assert interval_of_mean(np.append(values, np.nan)) == pytest.approx(expected)


def scores(n: int, seed: int = 3) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    quality = np.linspace(0, 1, n)[:, None]
    return (quality + rng.normal(0, 0.5, (2, n, 40)))[:, None], quality


@pytest.mark.parametrize("draw", ["systems", "both"])
def test_intervals_over_systems_are_bca_and_not_narrower_than_fishers(
    study: Callable[..., metaeval.Study], draw: Any
) -> None:
    (metric, human), _ = scores(6)
    made = study([metric[0]], human[0])
    default = metaeval.Resampling(n=500, draw=draw)
    bca = metaeval.Resampling(n=500, draw=draw, interval="bca")
    records, _ = metaeval.system_level(made, default)
    plain, _ = metaeval.system_level(made, bca)
    for record, other in zip(records, plain, strict=True):
        if record.interval is None or other.interval is None:
            continue
        least = interval_of_coefficient(record.quantity, record.value, 6) or (1.0, -1.0)
        assert record.interval.kind == "bca"
        assert record.interval.low == min(other.interval.low, max(least[0], -1))
        assert record.interval.high == max(other.interval.high, least[1])


def test_a_mean_over_systems_has_at_least_students_interval(
    study: Callable[..., metaeval.Study],
) -> None:
    (metric, human), _ = scores(5)
    made = study([metric[0]], human[0])
    records, _ = metaeval.segment_level(made, SYSTEMS, ["system"])
    (record,) = (r for r in records if r.quantity == "pearson")
    of_systems = metaeval.pearson(metric[0], human[0])
    low, high = stats.t.interval(0.95, 4, of_systems.mean(), stats.sem(of_systems))
    assert record.interval is not None
    assert record.interval.low <= low + 1e-9
    assert record.interval.high >= high - 1e-9


def test_no_interval_if_all_resamples_of_systems_agree(
    study: Callable[..., metaeval.Study],
) -> None:
    _, quality = scores(6)
    ordered = np.repeat(quality, 4, axis=1)
    made = study([ordered**2], ordered)
    found = {r.quantity: r for r in metaeval.system_level(made, SYSTEMS)[0]}
    for name in ("spearman", "kendall", "pairwise accuracy"):
        assert found[name].value == pytest.approx(1)
        assert found[name].interval is None
    assert found["pearson"].interval is not None


@pytest.mark.parametrize("n", [5, 12, 30])
def test_the_bca_interval_over_systems_is_that_of_scipy(n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(2, n)) + np.linspace(0, 3, n)
    drawn, out = rng.integers(0, n, (1000, n)), np.eye(n, dtype=bool)
    resamples = metaeval.pearson(x[drawn], y[drawn])
    without = metaeval.pearson(np.where(out, np.nan, x), np.where(out, np.nan, y))
    estimate = Estimate(float(metaeval.pearson(x, y)), resamples, [without])
    expected = stats.bootstrap(
        (x, y),
        lambda a, b, axis: stats.pearsonr(a, b, axis=axis)[0],
        paired=True,
        vectorized=True,
        method="BCa",
        n_resamples=0,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=resamples[~np.isnan(resamples)]),
    ).confidence_interval
    interval = SYSTEMS.interval_of(estimate, "pearson")
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(tuple(expected))
