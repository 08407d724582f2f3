"""Simulate intervals and tests of a metric that has no score of some segments.

    python benchmarks/missing.py [--repetitions N] > benchmarks/results/missing.md

A judge gives each of 300 segments of two systems a score. It leaves out a share of the segments of
each system: at random, or worse segments more often (the chance grows with the square of the rank
of the score). For each design the table has

score
    How often the 95% interval of a system's score contains the score that is expected on all
    segments.
difference
    The same for the difference of two systems, one of which is better by 5 points. It is computed
    on the segments that have a score of both.
false
    How often the paired bootstrap finds a difference (p < 0.05) where both are equally good.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from significance import with_rows

import mteval_core as mt

SEGMENTS, RESAMPLES = 300, 500
SHARES = (0.0, 0.05, 0.2)
MEAN, BETTER_BY, SPREAD = 0.6, 0.05, 0.12


class Judge:
    """Stands for any judge: the scores are drawn below."""

    def segment_statistics(self, *_: Any) -> list[float]:
        """Return the score of a segment."""
        return [0.0]


@mt.hookimpl
def mteval_register_metrics() -> list[mt.MetricSpec]:
    """Register the judge."""
    return [mt.MetricSpec("judge", factory=Judge, values={"judge": 100}, may_miss=True)]


def draw_scores(better_by: float, rng: np.random.Generator) -> Any:
    """Draw the scores of two systems, which depend on the segment, shape (2, n)."""
    shared, own = rng.normal(0, SPREAD, SEGMENTS), rng.normal(0, SPREAD, (2, SEGMENTS))
    return MEAN + np.array([[0], [better_by]]) + shared + own


def leave_out(scores: Any, share: float, *, worse: bool, rng: np.random.Generator) -> Any:
    """Replace a share of the scores of each system by NaN."""
    from_best = 1 - scores.argsort(axis=1).argsort(axis=1) / SEGMENTS
    chance = from_best**2 if worse else np.ones_like(scores)
    chance *= share / chance.mean(axis=1, keepdims=True)
    return np.where(rng.random(scores.shape) < chance, np.nan, scores)


def contained(evaluation: mt.Evaluation, share: float, seed: int, *, worse: bool) -> list[bool]:
    """Draw a test set and say what its intervals contain, and whether its test errs."""
    found, rng = [], np.random.default_rng([seed, int(100 * share), worse])
    metric: Any = evaluation.scorers["judge"].setup.implementation
    for better_by in (BETTER_BY, 0.0):
        scores = leave_out(draw_scores(better_by, rng), share, worse=worse, rng=rng)
        drawn = with_rows(evaluation, dict(zip("AB", map(metric.extend, scores), strict=True)))
        done = drawn.confidence(RESAMPLES, seed=seed).compare("bs", RESAMPLES, seed=seed)
        compared = done.comparisons["B", "A", "judge"]
        if better_by:
            of_score = done.intervals["A", "judge"]
            found += [not of_score.excludes(100 * MEAN)]
            found += [not compared.interval.excludes(100 * better_by)]
        else:
            found += [compared.p_value < 0.05]
    return found


def main() -> None:
    """Simulate all designs and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=1000)
    n = parser.parse_args().repetitions
    registry = mt.load_registry(files=[__file__])
    texts = ["x"] * SEGMENTS
    evaluation = mt.evaluate({"A": texts}, [texts], ["judge"], registry=registry)
    error = 1.96 * np.sqrt(0.0475 / n)
    print(f"{n} repetitions; sampling error of 0.95 and of 0.05 at 95%: ±{error:.3f}\n")
    print("| missing | which | score | difference | false |\n| --- | --- | --- | --- | --- |")
    for share in SHARES:
        for worse in (False, True)[: 1 + bool(share)]:
            found = [contained(evaluation, share, k, worse=worse) for k in range(n)]
            rates = " | ".join(f"{rate:.3f}" for rate in np.mean(found, axis=0))
            which = "worse ones more often" if worse else "at random" if share else ""
            print(f"| {share:.0%} | {which} | {rates} |", flush=True)


if __name__ == "__main__":
    main()
