"""Soft pairwise accuracy: plain loops on the same permutations, enumeration, edge cases."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_metaeval.draws import all_swaps, swaps
from mteval_metaeval.lead_p_values import p_values_of_means, p_values_of_scores
from mteval_metaeval.notes import UnitsNotComplete, UnitsNotScored
from mteval_metaeval.soft_accuracy import (
    CORPUS_SOFT,
    SOFT,
    soft_pairwise_accuracy,
)

import mteval_core as mt
from mteval_core import bootstrap

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., metaeval.Study]

NAN = math.nan


def made(seed: int, n_systems: int = 5, n_items: int = 40) -> tuple[Any, Any]:
    """Scores of two metrics and of humans, in steps so that sums tie."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0, 0.6, n_systems)[:, None]
    scores = quality + rng.normal(0, 1, (3, n_systems, n_items))
    return scores[:2].round(1), (4 * scores[2]).round() / 4


def wmt_p_values(scores: Any, masks: Any) -> dict[tuple[int, int], float]:
    """Permute the segment scores of each pair of systems, one mask after another.

    Section 3 of Thompson et al. 2024: a trial sums the scores that the mask selects from either
    system, and p is the share of trials whose difference is at least that of the test set.
    """
    p = {}
    for i, j in itertools.combinations(range(len(scores)), 2):
        lead = math.fsum(scores[i]) - math.fsum(scores[j])
        extreme = 0
        for mask in masks:
            kept, moved = mask == 0, mask == 1
            first = math.fsum([*scores[i][kept], *scores[j][moved]])
            second = math.fsum([*scores[j][kept], *scores[i][moved]])
            extreme += first - second >= lead - 1e-9
        p[i, j] = extreme / len(masks)
    return p


def test_wmts_numbers_on_the_same_permutations(study: Make) -> None:
    metrics, human = made(1)
    masks = np.concatenate(list(swaps(40, 200, 5)))
    half = np.concatenate(list(swaps(40, 100, 5)))
    mirrored = np.concatenate([half, 1 - half])
    records, _ = metaeval.system_level(study(metrics, human), metaeval.Resampling(n=200, seed=5))
    people = wmt_p_values(human, masks)
    for k, metric in enumerate(metrics):
        p = wmt_p_values(metric, masks)
        expected = 1 - np.mean([abs(people[pair] - p[pair]) for pair in people])
        (record,) = (r for r in records if (r.metric, r.quantity) == (f"column:k={k}", SOFT))
        assert record.value == pytest.approx(expected, abs=1e-12)
        # Corpus scores that are means of segment scores have the same p-values, on permutations of
        # which each stands for its mirror image, too.
        p, q = (wmt_p_values(scores, mirrored) for scores in (human, metric))
        expected = 1 - np.mean([abs(p[pair] - q[pair]) for pair in p])
        (corpus,) = (r for r in records if (r.metric, r.quantity) == (f"column:k={k}", CORPUS_SOFT))
        assert corpus.value == pytest.approx(expected, abs=1e-12)
        assert corpus.interval is None


def test_only_completely_judged_items_count(study: Make) -> None:
    metrics, human = made(2)
    gaps = human.copy()
    gaps[2, 10:] = NAN
    resampling = metaeval.Resampling(n=100)
    records, some = metaeval.system_level(study(metrics, gaps), resampling)
    expected, none = metaeval.system_level(study(metrics[..., :10], human[:, :10]), resampling)
    assert UnitsNotComplete("score", 10, 40, "segment") in some
    assert not any(isinstance(note, UnitsNotComplete) for note in none)
    values = [[r.value for r in each if r.quantity == SOFT] for each in (records, expected)]
    assert values[0] == values[1]
    gaps[3, :10] = NAN
    records, some = metaeval.system_level(study(metrics, gaps), resampling)
    assert UnitsNotComplete("score", 0, 40, "segment") in some
    assert all(math.isnan(r.value) and r.interval is None for r in records if r.quantity == SOFT)


@pytest.fixture
def gaps(study: Make) -> metaeval.Study:
    """Study of two metrics; the first has no score of the last 4 of 40 items of a system."""
    metrics, human = made(2)
    metrics[0, 2, 36:] = NAN
    with pytest.warns(mt.MtevalWarning, match="scored only 90%"):
        return study(metrics, human, specs=["gaps:k=0", "column:k=1"])


def test_only_items_that_a_metric_scored_for_all_systems_count(
    gaps: metaeval.Study, study: Make
) -> None:
    metrics, human = made(2)
    resampling = metaeval.Resampling(n=100)
    records, notes = metaeval.system_level(gaps, resampling)
    assert UnitsNotScored("gaps:k=0", 36, 40, "segment") in notes
    of_36, _ = metaeval.system_level(study(metrics[..., :36], human[:, :36]), resampling)
    of_all, _ = metaeval.system_level(study(metrics, human), resampling)
    found, first, second = (
        [(r.value, r.interval) for r in each if r.quantity == SOFT]
        for each in (records, of_36, of_all)
    )
    assert found == [first[0], second[1]]


def test_metrics_are_compared_on_items_that_all_scored(gaps: metaeval.Study) -> None:
    with pytest.raises(mt.UsageError, match=r"gaps:k=0 did not score all: .*\(--missing worst\)"):
        metaeval.rank_metrics(gaps, SOFT)


def normal_accuracy(human: Any, metric: Any, weights: Any, times: Any) -> float:
    """Soft accuracy on weighted items, with p from the normal distribution, in plain loops.

    A pair of systems counts as often as both were drawn.
    """

    def p(x: Any) -> float:
        return math.erfc(weights @ x / math.sqrt(weights @ x**2) / math.sqrt(2)) / 2

    total = n = 0.0
    for i, j in itertools.combinations(range(len(human)), 2):
        n += times[i] * times[j]
        total += times[i] * times[j] * abs(p(human[i] - human[j]) - p(metric[i] - metric[j]))
    return 1 - total / n


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("draw", ["segments", "both"])
def test_intervals_of_resamples(
    study: Make, draw: Any, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mteval_metaeval.draws.CHUNK_BYTES", 40 * 7)
    metrics, human = made(3)
    resampling = metaeval.Resampling(
        n=60, seed=9, draw=draw, interval="percentile", threads=threads
    )
    records, _ = metaeval.system_level(study(metrics, human), resampling)
    record = next(r for r in records if r.quantity == SOFT)
    weights = np.concatenate(list(bootstrap(40, 60, 9)))
    times = np.ones((60, 5))
    if draw == "both":
        times = np.random.default_rng([9, 1]).multinomial(5, [0.2] * 5, 60)
    values = sorted(map(normal_accuracy, [human] * 60, [metrics[0]] * 60, weights, times))
    assert record.interval is not None
    assert [record.interval.low, record.interval.high] == pytest.approx(
        [values[1], values[-2]], abs=1e-6
    )


def test_the_normal_distribution_stands_in_for_permutations() -> None:
    scores = made(4, n_items=100)[0]
    p = p_values_of_means(scores[0], swaps(100, 20_000, 1))
    ones = np.ones(100)
    pairs = list(itertools.combinations(scores[0], 2))
    by_normal = [
        math.erfc(ones @ (a - b) / math.sqrt(ones @ (a - b) ** 2) / math.sqrt(2)) / 2
        for a, b in pairs
    ]
    np.testing.assert_allclose(p, by_normal, atol=0.02)


@pytest.mark.parametrize("draw", ["systems", "both"])
@pytest.mark.parametrize("kind", ["basic", "bca"])
def test_intervals_of_resampled_systems_are_wider(study: Make, draw: Any, kind: Any) -> None:
    metrics, human = made(6, n_systems=7, n_items=300)
    widths = []
    for how in ("segments", draw):
        resampling = metaeval.Resampling(n=200, draw=how, interval=kind)
        records, _ = metaeval.system_level(study(metrics, human), resampling)
        record = next(r for r in records if r.quantity == SOFT)
        assert record.interval is not None
        assert 0 <= record.interval.low <= record.interval.high <= 1
        widths.append(record.interval.high - record.interval.low)
    assert (widths[1] > widths[0]) == (draw == "both") or draw == "systems"
    assert min(widths) > 0


# Corpus scores, and p-values


def brute_force_p(a: Any, b: Any) -> float:
    """Compute the share of all exchanges of segments in which A leads B by the observed lead."""
    lead = np.mean(a) - np.mean(b)
    leads = []
    for bits in itertools.product([False, True], repeat=len(a)):
        swap = np.array(bits)
        leads.append(np.mean(np.where(swap, b, a)) - np.mean(np.where(swap, a, b)))
    return float(np.mean([other >= lead - 1e-10 for other in leads]))


def mean(totals: Any) -> Any:
    return totals[..., 0] / totals[..., 1]


def p_of_all_swaps(scores: Any) -> Any:
    rows = np.stack([scores, np.ones_like(scores)], axis=-1)
    return p_values_of_scores([(rows, mean)], all_swaps(scores.shape[1]))[0]


@given(seed=st.integers(0, 2**32), n_systems=st.integers(2, 5), n=st.integers(1, 7))
def test_p_values_equal_the_plain_form(seed: int, n_systems: int, n: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(n_systems, n)).round(1)
    expected = [brute_force_p(a, b) for a, b in itertools.combinations(scores, 2)]
    assert p_of_all_swaps(scores).tolist() == expected
    assert p_values_of_means(scores, all_swaps(n)).tolist() == expected


class OfRows:
    """The mean of numbers and their weights, which are the hypotheses, from all rows."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert references
        return [float(number) for number in hypothesis]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        return mean(weights @ rows)[..., None]


def test_rows_that_are_kept_have_the_p_values_of_their_sums(plugin: Callable[..., Any]) -> None:
    rows = np.random.default_rng(4).integers(1, 9, (3, 6, 2)).astype(float)
    spec = mt.MetricSpec("of-rows", factory=OfRows, values={"mean": 1}, bounds=(0, 9))
    registry = mt.load_registry([plugin(metrics=[spec])])
    systems = {f"{k}": [f"{a:g} {b:g}" for a, b in each] for k, each in enumerate(rows)}
    evaluation = mt.evaluate(systems, [["x"] * 6], ["of-rows:tok=none"], registry=registry)
    kept, (scorer,) = [*evaluation.scores.rows.values()], evaluation.scorers.values()
    sources: Any = [(rows, mean), (kept, scorer.scores)]
    of_sums, of_rows = p_values_of_scores(sources, all_swaps(6))
    assert of_rows.tolist() == of_sums.tolist()
    assert len({*of_sums.tolist()}) == 3


def test_a_system_without_scores_takes_part_in_no_pair() -> None:
    scores = np.random.default_rng(3).normal(size=(4, 6))
    rows = np.stack([scores, np.ones_like(scores)], axis=-1)
    rows[1] = 0
    # The third was judged on other segments than the fourth: an exchange can leave it nothing.
    rows[2, :3] = rows[3, 3:] = 0

    def mean(totals: Any) -> Any:
        n = totals[..., 1]
        return np.divide(totals[..., 0], n, out=np.full(n.shape, math.nan), where=n > 0)

    (p,) = p_values_of_scores([(rows, mean)], all_swaps(6))
    pairs = dict(zip(itertools.combinations(range(4), 2), p.tolist(), strict=True))
    assert [pair for pair in pairs if math.isnan(pairs[pair])] == [(0, 1), (1, 2), (1, 3)]
    leads = []
    for mask in itertools.product([0, 1], repeat=6):
        third, fourth = rows[2].copy(), rows[3].copy()
        swap = np.array(mask, bool)
        third[swap], fourth[swap] = rows[3, swap], rows[2, swap]
        leads.append(float(mean(third.sum(axis=0)) - mean(fourth.sum(axis=0))))
    defined = np.array(leads)[~np.isnan(leads)]
    assert len(defined) < len(leads)
    assert pairs[2, 3] == pytest.approx(np.mean(defined >= leads[0] - 1e-10))
    assert soft_pairwise_accuracy(p, np.where(np.isnan(p), 0.5, p)) == 1


def test_soft_pairwise_accuracy_by_hand() -> None:
    # A leads B by 1 on both of two segments: one of four exchanges does as well, p = 1/4. A
    # metric that sees no difference has p = 1; one that sees the opposite has p = 1, too.
    people = p_of_all_swaps(np.array([[2.0, 2.0], [1.0, 1.0]]))
    assert people == pytest.approx([1 / 4])
    blind = p_of_all_swaps(np.array([[1.0, 1.0], [1.0, 1.0]]))
    assert soft_pairwise_accuracy(people, blind) == pytest.approx(1 / 4)
    assert soft_pairwise_accuracy(people, people) == 1
    # Of three pairs two agree, and one is 0.3 apart.
    p, q = np.array([0.1, 0.5, 0.2]), np.array([0.1, 0.2, 0.2])
    assert soft_pairwise_accuracy(p, q) == pytest.approx(1 - 0.3 / 3)
