"""Statistics of whole experiments against scipy, and against formulas in plain Python."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.contests import contest_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., metaeval.Study]

NONE = metaeval.Resampling(n=0)


@pytest.fixture(scope="module")
def stats() -> Any:
    return pytest.importorskip("scipy.stats", reason="scipy is the oracle")


def made(seed: int, n_systems: int = 7, n_items: int = 25) -> tuple[Any, Any]:
    """Two metrics with ties, and human scores in whole points, of which some are missing."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(n_systems, 1)) + rng.normal(size=(n_systems, n_items))
    metrics = np.round(quality + rng.normal(size=(2, n_systems, n_items)), 1)
    human = np.round(quality)
    human[rng.random(human.shape) < 0.1] = np.nan
    return metrics, human


def values(records: Any, quantity: str, grouping: str = "") -> list[float]:
    return [r.value for r in records if (r.quantity, r.grouping) == (quantity, grouping)]


COEFFICIENTS = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_coefficients_of_systems_and_outputs(study: Make, stats: Any, name: str) -> None:
    metrics, human = made(1)
    oracle = getattr(stats, COEFFICIENTS[name])
    made_study = study(metrics, human)
    means = np.nanmean(human, axis=1)
    records, _ = metaeval.system_level(made_study, NONE)
    expected = [oracle(metric.mean(axis=1), means)[0] for metric in metrics]
    assert values(records, name) == pytest.approx(expected, abs=1e-9)
    records, _ = metaeval.segment_level(made_study, NONE)
    judged = ~np.isnan(human)
    expected = [oracle(metric[judged], human[judged])[0] for metric in metrics]
    assert values(records, name, "none") == pytest.approx(expected, abs=1e-9)
    for grouping, rows in (("item", lambda x: x.T), ("system", lambda x: x)):
        expected = []
        for metric in metrics:
            of_groups = [
                oracle(x[~np.isnan(y)], y[~np.isnan(y)])[0]
                for x, y in zip(rows(metric), rows(human), strict=True)
                if len({*x[~np.isnan(y)]}) > 1 and len({*y[~np.isnan(y)]}) > 1
            ]
            expected.append(np.mean(of_groups))
        assert values(records, name, grouping) == pytest.approx(expected, abs=1e-9)


def test_differences_and_accuracy_of_pairs_of_systems(study: Make, stats: Any) -> None:
    metrics, human = made(2)
    records, _ = metaeval.system_level(study(metrics, human), NONE)
    y = np.nanmean(human, axis=1)
    differences, accuracies = [], []
    for metric in metrics:
        x, gaps, right = metric.mean(axis=1), [], []
        for i, j in itertools.combinations(range(len(x)), 2):
            better, worse = (i, j) if y[i] > y[j] else (j, i)
            gaps.append((x[better] - x[worse], y[better] - y[worse]))
            right.append(gaps[-1][0] > 0)
        differences.append(stats.pearsonr(*zip(*gaps, strict=True))[0])
        accuracies.append(np.mean(right))
    assert values(records, "differentials") == pytest.approx(differences)
    assert values(records, "pairwise accuracy") == pytest.approx(accuracies)


def test_williams_test_from_its_formula(study: Make, stats: Any) -> None:
    metrics, human = made(3)
    (ranking,), _ = metaeval.rank_metrics(study(metrics, human), test="williams")
    x, y = metrics.mean(axis=2)
    h, n = np.nanmean(human, axis=1), len(human)
    r12, r13, r23 = (stats.pearsonr(a, b)[0] for a, b in ((h, x), (h, y), (x, y)))
    if r12 < r13:
        r12, r13 = r13, r12
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    assert ranking.comparisons[0].p_value == pytest.approx(stats.t.sf(t, n - 3))


def test_the_interval_of_a_correlation_of_systems(study: Make, stats: Any) -> None:
    """Resampled systems: the percentile interval of scipy's bootstrap of pairs."""
    metrics, human = made(4, n_systems=30)
    resampling = metaeval.Resampling(n=4000, draw="systems", interval="percentile")
    records, _ = metaeval.system_level(study(metrics, human), resampling)
    record = next(r for r in records if r.quantity == "pearson")
    expected = stats.bootstrap(
        (metrics[0].mean(axis=1), np.nanmean(human, axis=1)),
        lambda x, y, axis: stats.pearsonr(x, y, axis=axis)[0],
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=4000,
        random_state=np.random.default_rng(1),
    ).confidence_interval
    assert record.interval is not None
    found = record.interval.low, record.interval.high
    assert found == pytest.approx(tuple(expected), abs=0.025)


@pytest.mark.parametrize("grouping", ["item", "none"])
def test_perm_both_of_kendalls_coefficient(study: Make, stats: Any, grouping: Any) -> None:
    """With three systems and one or two segments, every exchange can be tried."""
    metrics, human = made(5, 4, 2)
    human = np.nan_to_num(human)
    resampling = metaeval.Resampling(n=256)  # 2 to the number of outputs: all exchanges
    contest = contest_of(
        study(metrics, human), "kendall", grouping, resampling=resampling, alternative="greater"
    )
    x, y = ((m - m.mean()) / m.std(ddof=1) for m in metrics)

    def coefficient(scores: Any) -> float:
        if grouping == "none":
            return float(stats.kendalltau(scores.ravel(), human.ravel())[0])
        taus = [stats.kendalltau(a, b)[0] for a, b in zip(scores.T, human.T, strict=True)]
        return float(np.nanmean(taus))

    observed = coefficient(x) - coefficient(y)
    ways = itertools.product((False, True), repeat=x.size)
    masks = [np.reshape(way, x.shape) for way in ways]
    chance = [coefficient(np.where(m, y, x)) - coefficient(np.where(m, x, y)) for m in masks]
    trials = contest.exchanged(0, 0, 1)
    assert trials.observed == pytest.approx(observed)
    assert sorted(trials.differences) == pytest.approx(sorted(chance))
    assert trials.p_value("greater") == np.mean(np.array(chance) >= observed - 1e-12)
