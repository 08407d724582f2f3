"""The coefficients of WMT's tasks as contests: against plain loops and enumerations."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.contests import contest_of
from mteval_metaeval.experiments import SYSTEM_LEVEL
from mteval_metaeval.lead_p_values import normal_p_values, p_values_of_means
from mteval_metaeval.notes import UnitsNotComplete
from mteval_metaeval.segments import pair_results, tie_calibration

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., metaeval.Study]

SOFT: Any = "soft pairwise accuracy"
CALIBRATED: Any = "calibrated accuracy"


def made(seed: int, n_systems: int = 5, n_items: int = 40) -> tuple[Any, Any]:
    """Two metrics, the first one better, and human scores with ties and without one output."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(n_systems, 1)) + rng.normal(size=(n_systems, n_items))
    noise = np.array([0.3, 1.5])[:, None, None]
    human = np.round(quality)
    human[0, 0] = np.nan
    return quality + noise * rng.normal(size=(2, n_systems, n_items)), human


def contest(study: Any, coefficient: Any, grouping: Any, n: int = 1000) -> Any:
    resampling = metaeval.Resampling(n=n)
    return contest_of(study, coefficient, grouping, resampling=resampling, alternative="greater")


def is_right(metric: float, human: float, epsilon: float) -> bool:
    if abs(metric) <= epsilon or human == 0:
        return abs(metric) <= epsilon and human == 0
    return metric * human > 0


@pytest.mark.parametrize("grouping", ["item", "system", "none"])
def test_results_of_pairs_in_plain_loops(grouping: Any) -> None:
    (metric, _), human = made(1, 4, 6)
    epsilon, accuracy = tie_calibration(metric, human, grouping)
    weight, right = pair_results(metric, human, epsilon, grouping=grouping)
    assert weight.sum() == pytest.approx(1)
    assert weight[right].sum() == pytest.approx(accuracy)
    cells = {(s, i): 0 for s in range(4) for i in range(6) if not np.isnan(human[s, i])}
    group = {"item": lambda cell: cell[1], "system": lambda cell: cell[0], "none": lambda _: 0}
    shares: dict[int, list[bool]] = {}
    for a, b in itertools.combinations(cells, 2):
        if group[grouping](a) == group[grouping](b):
            one = is_right(metric[a] - metric[b], human[a] - human[b], epsilon)
            shares.setdefault(group[grouping](a), []).append(one)
    assert accuracy == pytest.approx(np.mean([np.mean(share) for share in shares.values()]))


def test_exchanges_of_pair_results_by_enumeration(study: Make) -> None:
    """With few pairs, all ways of exchanging results can be listed."""
    metrics, human = made(3, 3, 4)
    made_contest = contest(study(metrics, human), CALIBRATED, "item", n=20_000)
    trials = made_contest.exchanged(0, 0, 1)
    (weight, x), (_, y) = (
        pair_results(metric, human, made_contest.thresholds[0, k])
        for k, metric in enumerate(metrics)
    )
    signed = weight * (x.astype(float) - y)
    assert trials.observed == pytest.approx(signed.sum())
    ways = np.array([signed @ signs for signs in itertools.product((1, -1), repeat=len(signed))])
    share = np.mean(ways >= signed.sum() - 1e-12)
    assert trials.p_value("greater") == pytest.approx(share, abs=4 * np.sqrt(share / 20_000))
    assert np.var(trials.differences) == pytest.approx(np.sum(signed**2), rel=0.1)


def test_p_values_of_the_normal_distribution_are_those_of_permutations() -> None:
    scores = np.random.default_rng(5).normal(size=(2, 4, 300)) + np.linspace(0, 0.2, 4)[:, None]
    scores[0, 1] = scores[0, 0]
    masks = np.random.default_rng(6).integers(0, 2, (20_000, 300)).astype(float)
    permuted = p_values_of_means(scores, [masks])
    assert normal_p_values(scores) == pytest.approx(permuted, abs=0.02)
    assert normal_p_values(scores)[0, 0] == pytest.approx(
        1
    )  # equal systems: no permutation changes the lead


def test_values_are_those_of_the_experiments(study: Make) -> None:
    made_study = study(*made(7))
    by_systems, _ = metaeval.system_level(made_study, metaeval.Resampling(n=0))
    by_segments, _ = metaeval.segment_level(made_study, metaeval.Resampling(n=0), ["item"])
    for records, quantity, grouping in (
        (by_systems, SOFT, None),
        (by_segments, CALIBRATED, "item"),
    ):
        values = [record.value for record in records if record.quantity == quantity]
        assert contest(made_study, quantity, grouping).values[0].tolist() == values


@pytest.mark.parametrize(("coefficient", "grouping"), [(SOFT, None), (CALIBRATED, "item")])
def test_the_better_metric_wins(study: Make, coefficient: Any, grouping: Any) -> None:
    metrics, human = made(9, 8, 80)
    few = metaeval.Resampling(n=300)
    (ranking,), notes = metaeval.rank_metrics(
        study(metrics, human), coefficient, grouping, "perm-both", resampling=few
    )
    assert ranking.metrics == ("column:k=0", "column:k=1")
    assert (ranking.ranks, ranking.test) == ((1, 2), "perm-both")
    # Both compare segment scores, or their means, but soft accuracy those judged for all systems.
    assert notes == ([UnitsNotComplete("score", 79, 80, "segment")] if coefficient == SOFT else [])


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall", "pairwise accuracy"])
def test_exchanges_of_systems_by_enumeration(study: Make, coefficient: Any) -> None:
    """PERM-SYS in plain words: standardise the scores of systems, and exchange them every way."""
    metrics, human = made(11, 6, 30)
    human = np.nan_to_num(human)
    trials = contest(study(metrics, human), coefficient, None).exchanged_systems(0, 0, 1)
    of = SYSTEM_LEVEL[coefficient]
    x, y = ((m - m.mean()) / m.std() for m in metrics.mean(axis=-1))
    means = human.mean(axis=-1)
    chance = [
        of(np.where(way, y, x), means) - of(np.where(way, x, y), means)
        for way in itertools.product((False, True), repeat=6)
    ]
    assert trials.exact
    assert trials.observed == pytest.approx(of(metrics[0].mean(axis=-1), means) - of(y, means))
    assert sorted(trials.differences) == pytest.approx(sorted(chance))


def test_exchanges_of_systems_of_soft_accuracy_by_enumeration(study: Make) -> None:
    metrics, human = made(12, 5, 30)
    human = np.nan_to_num(human)
    trials = contest(study(metrics, human), SOFT, None).exchanged_systems(0, 0, 1)
    x, y = ((m - m.mean()) / m.std(ddof=1) for m in metrics)
    of_human = normal_p_values(human)

    def soft(scores: Any) -> float:
        return float(1 - np.mean(np.abs(of_human - normal_p_values(scores))))

    ways = np.array(list(itertools.product((False, True), repeat=5)))[:, :, None]
    chance = [soft(np.where(way, y, x)) - soft(np.where(way, x, y)) for way in ways]
    assert trials.exact
    assert trials.observed == pytest.approx(soft(x) - soft(y))
    assert sorted(trials.differences) == pytest.approx(sorted(chance))


def test_exchanged_systems_keep_the_level_where_metrics_favour_systems(study: Make) -> None:
    """Two metrics with the same coefficient and other errors: mirror images of each other."""
    rejected: dict[str, list[bool]] = {"perm-systems": [], "perm-both": []}
    quality = np.linspace(-1, 1, 8)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        favoured = quality + 0.5 * rng.normal(size=8)
        expected = np.stack([favoured, -favoured[::-1], quality])[..., None]
        noisy = expected + rng.normal(0, 1, (3, 8, 50))
        made_contest = contest(study(noisy[:2], noisy[2]), "pearson", None, n=150)
        for test, each in rejected.items():
            p = made_contest.exchanged_by(test, 0, 0, 1).p_value("greater")
            each.append(p < 0.05)
    # Four standard errors of 5% in 60 cases are 11%.
    assert np.mean(rejected["perm-systems"]) <= 0.16
    assert np.mean(rejected["perm-both"]) > 0.2


@pytest.mark.parametrize(("coefficient", "grouping"), [(SOFT, None), (CALIBRATED, "item")])
def test_equal_metrics_differ_significantly_in_one_of_twenty(
    study: Make, coefficient: Any, grouping: Any
) -> None:
    p = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        quality = np.linspace(0, 0.5, 4)[:, None] + rng.normal(0, 1, (4, 15))
        noisy = quality + rng.normal(0, 1, (3, 4, 15))
        trials = contest(study(noisy[:2], noisy[2]), coefficient, grouping, n=100)
        p.append(trials.exchanged(0, 0, 1).p_value("greater"))
    assert np.mean(p) == pytest.approx(0.5, abs=0.13)
    # Pairs of outputs are not independent, so that the test of pairs rejects more often.
    assert np.mean(np.array(p) <= 0.05) <= (0.16 if coefficient == SOFT else 0.25)


def test_what_is_not_judged_for_all_systems_has_no_soft_accuracy(study: Make) -> None:
    metrics, human = made(2, 3, 3)
    human[[0, 1, 2], [0, 1, 2]] = np.nan
    undefined = contest(study(metrics, human), SOFT, None)
    assert np.isnan(undefined.values).all()
    assert np.isnan(undefined.permutation("perm-both", 0, 0, 1).p_value)
    assert np.isnan(undefined.permutation("perm-systems", 0, 0, 1).p_value)


def test_refusals(study: Make) -> None:
    made_study = study(*made(4))
    for coefficient, grouping, test, message in (
        (SOFT, "item", None, "compares systems; expected no grouping, got 'item'"),
        (CALIBRATED, None, None, "compares segments; expected a grouping"),
        (CALIBRATED, "item", "bootstrap", "is compared by perm-both; got bootstrap"),
        (SOFT, None, "williams", "Williams' test"),
    ):
        with pytest.raises(mt.UsageError, match=message):
            metaeval.rank_metrics(made_study, coefficient, grouping, test)
