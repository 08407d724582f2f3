"""The numbers of WMT's metrics task, by its definitions in plain loops."""

from __future__ import annotations

import itertools
import math
import random
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.tasks import Task, rank_over_tasks

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., metaeval.Study]
    Scores = list[list[float]]

NAMES = "column:k=0", "column:k=1"
N_TRIALS = 1000


def made(seed: int) -> tuple[Any, Any]:
    """Two metrics with ties, on 4 systems and 20 segments, and human scores in whole points."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0, 0.6, 4)[:, None] + rng.normal(size=(4, 20))
    noisy = quality + np.array([0.5, 0.9])[:, None, None] * rng.normal(size=(2, 4, 20))
    return np.round(noisy, 1), np.round(quality)


def sign(x: float, epsilon: float = 0.0) -> int:
    return 0 if abs(x) <= epsilon else (1 if x > 0 else -1)


def results(metric: Scores, human: Scores, epsilon: float) -> list[list[bool]]:
    """For each segment, whether each pair of systems is right; a tie must be one on both sides."""
    pairs = list(itertools.combinations(range(len(human)), 2))
    return [
        [
            sign(metric[i][k] - metric[j][k], epsilon) == sign(human[i][k] - human[j][k])
            for i, j in pairs
        ]
        for k in range(len(human[0]))
    ]


def accuracy(right: list[list[bool]]) -> float:
    return sum(sum(of_segment) / len(of_segment) for of_segment in right) / len(right)


def calibrated(metric: Scores, human: Scores) -> tuple[float, float]:
    """Try every difference of two outputs for one segment as the threshold."""
    n = len(human[0])
    gaps = {
        abs(metric[i][k] - metric[j][k])
        for i, j in itertools.combinations(range(len(human)), 2)
        for k in range(n)
    }
    return max(
        ((accuracy(results(metric, human, e)), e) for e in sorted({0.0, *gaps})),
        key=lambda found: (round(found[0], 12), -found[1]),
    )


def p_values(scores: Scores, rng: random.Random) -> list[float]:
    """Share of exchanges of segment scores that give system i at least its lead over j."""
    found = []
    for i, j in itertools.combinations(range(len(scores)), 2):
        gaps = [a - b for a, b in zip(scores[i], scores[j], strict=True)]
        lead = sum(gaps)
        leads = [sum(rng.choice((-1, 1)) * gap for gap in gaps) for _ in range(N_TRIALS)]
        found.append(sum(each >= lead - 1e-9 for each in leads) / N_TRIALS)
    return found


def soft(metric: Scores, human: Scores) -> float:
    p, q = (p_values(scores, random.Random(1)) for scores in (human, metric))
    return 1 - sum(abs(a - b) for a, b in zip(p, q, strict=True)) / len(p)


@pytest.fixture
def tasks(study: Make) -> list[Task]:
    found = []
    for name, seed in (("one", 1), ("other", 2)):
        of_pair = study(*made(seed))
        found.append(Task(name=f"{name} sys", study=of_pair, coefficient="soft pairwise accuracy"))
        found.append(
            Task(
                name=f"{name} seg",
                study=of_pair,
                coefficient="calibrated accuracy",
                grouping="item",
            )
        )
    return found


def test_values_of_tasks_and_their_average(tasks: list[Task]) -> None:
    rankings = rank_over_tasks(tasks, resampling=metaeval.Resampling(n=N_TRIALS))
    expected: dict[str, list[float]] = {name: [] for name in NAMES}
    for seed in (1, 2):
        metrics, human = (x.tolist() for x in made(seed))
        for name, metric in zip(NAMES, metrics, strict=True):
            expected[name] += [soft(metric, human), calibrated(metric, human)[0]]
    for t, ranking in enumerate(rankings.tasks):
        # Two draws of 1000 trials differ by less than 0.016 for a pair, four standard errors of p.
        tolerance = 1e-12 if t % 2 else 0.02
        found = dict(zip(ranking.metrics, ranking.values, strict=True))
        assert found == pytest.approx({n: expected[n][t] for n in NAMES}, abs=tolerance)
    average = dict(zip(rankings.average.metrics, rankings.average.values, strict=True))
    assert average == pytest.approx({n: np.mean(expected[n]) for n in NAMES}, abs=0.01)


def test_the_test_of_pairs(tasks: list[Task]) -> None:
    """A trial exchanges the results of each pair of outputs with probability 1/2."""
    (comparison,) = (
        rank_over_tasks(tasks[1:2], resampling=metaeval.Resampling(n=4000)).tasks[0].comparisons
    )
    metrics, human = (x.tolist() for x in made(1))
    x, y = (results(metric, human, calibrated(metric, human)[1]) for metric in metrics)
    rng, n_extreme = random.Random(2), 0
    difference = accuracy(x) - accuracy(y)
    for _ in range(2000):
        total = 0
        for a, b in zip(itertools.chain(*x), itertools.chain(*y), strict=True):
            total += (a - b) * rng.choice((-1, 1))
        n_extreme += total / (6 * 20) >= abs(difference) - 1e-9
    p = n_extreme / 2000
    assert abs(comparison.difference) == pytest.approx(abs(difference))
    assert comparison.p_value == pytest.approx(p, abs=4 * math.sqrt(p / 2000) + 0.002)


def test_the_test_of_soft_accuracy(study: Make) -> None:
    """Exchanged scores, with permutations in every trial: what the normal distribution replaces."""
    metrics, human = made(5)
    one = Task(name="t", study=study(metrics, human), coefficient="soft pairwise accuracy")
    (comparison,) = rank_over_tasks([one], test="perm-both").tasks[0].comparisons
    rng = np.random.default_rng(3)
    signs = rng.choice((-1.0, 1.0), (500, 20))
    i, j = np.triu_indices(4, 1)

    def p(scores: Any) -> Any:
        gaps = scores[..., i, :] - scores[..., j, :]
        leads = gaps @ signs.T
        return (leads >= gaps.sum(axis=-1)[..., None] - 1e-9).mean(axis=-1)

    x, y = ((m - m.mean()) / m.std(ddof=1) for m in metrics)
    of_human = p(human)

    def difference(a: Any, b: Any) -> Any:
        apart = [np.abs(of_human - p(each)).mean(axis=-1) for each in (a, b)]
        return apart[1] - apart[0]

    masks = rng.random((1000, 4, 20)) < 0.5
    chance = difference(np.where(masks, y, x), np.where(masks, x, y))
    expected = np.mean(chance >= abs(difference(x, y)) - 1e-9)
    assert comparison.p_value == pytest.approx(expected, abs=0.06)
