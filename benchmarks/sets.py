"""Simulate intervals and tests of a score of the whole set: the type-token ratio.

    python benchmarks/sets.py [--repetitions N] > benchmarks/results/sets.md

Words are drawn from a Zipf distribution, and segments have 10 to 39 of them. The expected ratio of
a set of this size is the mean of many sets. For each number of segments the table has

subsamples
    How often the 95% interval of the ratio contains the expected one.
bootstrap
    The same for a bootstrap, which the metric would have without its declaration.
difference
    How often the interval of the difference of two systems contains the expected difference; one of
    them draws its words from a flatter distribution.
par, pbs
    How often a paired test finds a difference (p < 0.05) between systems of the same distribution.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import mteval_core as mt

OUTSIDER = Path(__file__).parents[1] / "tests/outsiders/type_token_ratio.py"
SIZES = (50, 200)
WORDS, SLOPES = 20_000, (1.1, 1.05)
RESAMPLES, LONGEST = 200, 39


def draw_rows(slope: float, n: int, rng: np.random.Generator) -> Any:
    """Draw the rows of n segments: their words from 1, and zeros."""
    weights = 1 / np.arange(1, WORDS + 1) ** slope
    words = rng.choice(WORDS, (n, LONGEST), p=weights / weights.sum()) + 1.0
    return words * (np.arange(LONGEST) < rng.integers(10, LONGEST + 1, (n, 1)))


def expected(evaluation: mt.Evaluation, slope: float, n: int) -> float:
    """Return the mean ratio of many sets."""
    rng, score = np.random.default_rng(n), partial(ratio, evaluation)
    return float(np.mean([score(draw_rows(slope, n, rng)) for _ in range(2000)]))


def ratio(evaluation: mt.Evaluation, rows: Any) -> float:
    """Compute the type-token ratio of rows."""
    metric: Any = evaluation.scorers["ttr"].setup.implementation
    return float(100 * metric.score_rows(rows, np.ones(len(rows)))[0])


def with_rows(evaluation: mt.Evaluation, *systems: Any) -> mt.Evaluation:
    """Replace the rows of the systems."""
    (kept,) = {type(rows) for rows in evaluation.scores.rows.values()}
    rows = {key: kept(own) for key, own in zip(evaluation.scores.rows, systems, strict=True)}
    totals = {key: own.sum() for key, own in rows.items()}
    return replace(evaluation, scores=replace(evaluation.scores, rows=rows, totals=totals))


def bootstrapped(evaluation: mt.Evaluation) -> mt.Evaluation:
    """Declare the metric as most are."""
    scorer = evaluation.scorers["ttr"]
    entry = scorer.setup.entry
    usual = replace(entry, declaration=replace(entry.declaration, resample="with-replacement"))
    scorers = {"ttr": replace(scorer, setup=replace(scorer.setup, entry=usual))}
    return replace(evaluation, scores=replace(evaluation.scores, scorers=scorers))


def contained(evaluation: mt.Evaluation, truths: list[float], n: int, seed: int) -> list[bool]:
    """Draw a test set and say what its intervals contain, and whether its tests err."""
    rng = np.random.default_rng([seed, n])
    one, same, other = (draw_rows(slope, n, rng) for slope in (SLOPES[0], *SLOPES))
    drawn = with_rows(evaluation, one, other)
    done = drawn.confidence(RESAMPLES, seed=seed).compare("bs", RESAMPLES, seed=seed)
    usual = bootstrapped(drawn).confidence(RESAMPLES, seed=seed)
    alike = with_rows(evaluation, one, same)
    tested = [alike.compare(test, RESAMPLES, seed=seed) for test in ("ar", "bs")]
    return [
        not done.intervals["A", "ttr"].excludes(truths[0]),
        not usual.intervals["A", "ttr"].excludes(truths[0]),
        not done.comparisons["B", "A", "ttr"].interval.excludes(truths[1] - truths[0]),
        *(each.comparisons["B", "A", "ttr"].p_value < 0.05 for each in tested),
    ]


def main() -> None:
    """Simulate all sizes and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=1000)
    repetitions = parser.parse_args().repetitions
    registry = mt.load_registry(files=[str(OUTSIDER)])
    error = 1.96 * np.sqrt(0.0475 / repetitions)
    print(f"{repetitions} repetitions; sampling error of 0.95 and of 0.05 at 95%: ±{error:.3f}\n")
    print("| segments | subsamples | bootstrap | difference | par | pbs |")
    print("| --- | --- | --- | --- | --- | --- |")
    for n in SIZES:
        texts = [str(k) for k in range(n)]
        evaluation = mt.evaluate({"A": texts, "B": texts}, [texts], ["ttr"], registry=registry)
        truths = [expected(evaluation, slope, n) for slope in SLOPES]
        found = [contained(evaluation, truths, n, k) for k in range(repetitions)]
        rates = " | ".join(f"{rate:.3f}" for rate in np.mean(found, axis=0))
        print(f"| {n} | {rates} |", flush=True)


if __name__ == "__main__":
    main()
