"""Simulate how often tests of two equally good metrics find a difference over systems.

    python benchmarks/metric_tests.py [--studies N] > benchmarks/results/metric_tests.md

Ten systems of different quality have 300 segments. Both metrics favour some systems: their expected
scores are the qualities plus errors, with a standard deviation that is a share of that of the
qualities. There are two ways to be equally good:

these systems
    The errors of one metric are those of the other in a mirror, so that all coefficients of
    expected scores are equal on these ten systems.
all systems
    The errors of both are drawn from the same distribution: neither is better on all systems that
    there could be, but mostly one of them is on these ten.

The noise of a system's mean human score is a fifth of the standard deviation of the qualities, and
that of the metrics half of this. One-sided tests with 200 trials ask whether the first metric is
better. The table has the share with p < 0.05.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
from mteval_metaeval.contests import TESTS, contest_of

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

N_SYSTEMS, N_SEGMENTS, N_TRIALS = 10, 300, 200
NOISE = 0.2
EQUAL = ("these systems", "all systems")
ERRORS = (0.0, 0.3, 0.6)
COEFFICIENTS = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "pairwise accuracy": "accuracy",
    "soft pairwise accuracy": "soft accuracy",
}


def qualities() -> Any:
    """Spread the qualities as a sample of a normal distribution, with mean 0 and deviation 1."""
    quantiles = [NormalDist().inv_cdf((k + 0.5) / N_SYSTEMS) for k in range(N_SYSTEMS)]
    return np.array(quantiles) / np.std(quantiles)


def empty_study(
    n_systems: int, n_segments: int, metrics: Sequence[str] = ("A", "B")
) -> metaeval.Study:
    """Make a study of some metrics, whose scores are replaced."""
    names = [f"s{k}" for k in range(n_systems)]
    zeros = {name: np.zeros(n_segments) for name in names}
    judgments = mt.Judgments.of(
        [(name, i, "", {"human": 0.0}) for name in names for i in range(n_segments)]
    )
    scores = [mt.OutsideScores(name=metric, values=zeros) for metric in metrics]
    texts = {name: ["x"] * n_segments for name in names}
    return metaeval.study_metrics(texts, [["x"] * n_segments], judgments, scores)


def study_of(template: metaeval.Study, metrics: Any, human: Any) -> metaeval.Study:
    """Put scores of shape (n_systems, n_segments) into a study."""

    def rows(scores: Any) -> Any:
        return np.stack([scores, np.ones(scores.shape)], axis=-1)

    measures = [
        replace(measure, rows=tuple(rows(scores)))
        for measure, scores in zip(template.measures, metrics, strict=True)
    ]
    (criterion,) = template.criteria
    criteria = (replace(criterion, rows=rows(human)),)
    return replace(template, measures=tuple(measures), criteria=criteria)


def p_values(study: metaeval.Study, seed: int) -> Iterator[tuple[str, str, float]]:
    """Test by every coefficient and every test whether the first metric is better."""
    resampling = metaeval.Resampling(n=N_TRIALS, seed=seed)
    for coefficient, name in COEFFICIENTS.items():
        contest: Any = contest_of(
            study,
            coefficient,  # type: ignore[arg-type]
            None,
            resampling=resampling,
            alternative="greater",
        )
        for test in TESTS:
            if test != "williams" or contest.suits_williams:
                yield name, test, contest.trials[test](0, 0, 1).p_value


def simulate(equal: str, error: float, count: int) -> dict[tuple[str, str], float]:
    """Share of studies in which each test finds a difference."""
    rng = np.random.default_rng([EQUAL.index(equal), int(10 * error)])
    quality, template = qualities(), empty_study(N_SYSTEMS, N_SEGMENTS)
    spread = NOISE * np.sqrt(N_SEGMENTS)
    found: dict[tuple[str, str], int] = {}
    for seed in range(count):
        errors = error * rng.standard_normal((2, N_SYSTEMS))
        if equal == "these systems":
            errors[1] = -errors[0, ::-1]
        noise = spread * rng.standard_normal((3, N_SYSTEMS, N_SEGMENTS))
        metrics = (quality + errors)[:, :, None] + noise[:2] / 2
        study = study_of(template, metrics, quality[:, None] + noise[2])
        for name, test, p in p_values(study, seed):
            found[name, test] = found.get((name, test), 0) + (p < 0.05)
    return {key: n / count for key, n in found.items()}


def main() -> None:
    """Simulate all designs and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=1000)
    count = parser.parse_args().studies
    print(f"| equal on | errors | coefficient | {' | '.join(TESTS)} |\n|{' --- |' * 7}")
    for equal in EQUAL:
        for error in ERRORS:
            found = simulate(equal, error, count)
            for name in COEFFICIENTS.values():
                cells = [found.get((name, test)) for test in TESTS]
                shown = ["" if cell is None else f"{cell:.3f}" for cell in cells]
                print(f"| {equal} | {error} | {name} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
