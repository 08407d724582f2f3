"""Simulate the calibration of tests and the coverage of intervals on real rows.

    python benchmarks/significance.py REF... -i SYS [-m SPEC...] [--repetitions N]

Calibration: the segments of one system are split at random into two halves that stand for two
systems. Under this null hypothesis p-values should be uniform (Kolmogorov-Smirnov).
Coverage: test sets are drawn from the segments with replacement. In 95% of cases, the interval of
such a test set should contain the score of the whole set.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import mteval_core as mt

SPECS = ["bleu", "rouge-l", "gtm", "meteor"]
RESAMPLERS = ("bootstrap", "poisson")
SIZES = (30, 100)
"""Segments of the test sets whose intervals are tried, beside as many as there are."""


def with_rows(evaluation: mt.Evaluation, rows: dict[str, Any]) -> mt.Evaluation:
    """Replace the systems of an evaluation under one metric by systems with the given rows."""
    (spec,) = evaluation.scorers
    scores = replace(
        evaluation.scores,
        runs={name: (name,) for name in rows},
        rows={(name, spec): counts for name, counts in rows.items()},
        totals={(name, spec): counts.sum(axis=0) for name, counts in rows.items()},
    )
    return replace(evaluation, scores=scores)


def calibration(evaluation: mt.Evaluation, repetitions: int, seed: int = 1) -> dict[str, float]:
    """Largest distance of the p-values from uniformity, and share of small ones."""
    (spec,), (system,) = evaluation.scorers, evaluation.scores.runs
    rows = evaluation.scores.rows[system, spec]
    n = len(rows)
    rng = np.random.default_rng(seed)
    p: dict[str, list[float]] = {"ar": [], "bs": []}
    for repetition in range(repetitions):
        order = rng.permutation(n)
        halves = with_rows(
            evaluation, {"A": rows[order[: n // 2]], "B": rows[order[n // 2 : n // 2 * 2]]}
        )
        for test, p_values in p.items():
            compared = halves.compare(test, 1000, seed=repetition)  # type: ignore[arg-type]
            p_values.append(compared.comparisons["B", "A", spec].p_value)
    steps = np.arange(1, repetitions + 1) / repetitions
    result = {}
    for test, p_values in p.items():
        result[f"KS {test}"] = float(np.abs(np.sort(p_values) - steps).max())
        result[f"{test} p<.05"] = float(np.mean(np.array(p_values) < 0.05))
    return result


def coverage(evaluation: mt.Evaluation, repetitions: int, size: int) -> dict[str, float]:
    """Share of the intervals of test sets of a size that contain the score of the whole set."""
    (spec,), (system,) = evaluation.scorers, evaluation.scores.runs
    rows = evaluation.scores.rows[system, spec]
    truth = evaluation.score(system, spec).score
    rng = np.random.default_rng(size)
    covered = dict.fromkeys(RESAMPLERS, 0)
    for seed in range(repetitions):
        drawn = with_rows(evaluation, {"A": rows[rng.integers(len(rows), size=size)]})
        for name in RESAMPLERS:
            interval = drawn.confidence(1000, seed=seed, resampler=name).intervals["A", spec]
            covered[name] += interval.low <= truth <= interval.high
    return {f"{size} {name}": count / repetitions for name, count in covered.items()}


def main() -> None:
    """Simulate for every metric and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("references", nargs="+", type=Path)
    parser.add_argument("-i", "--input", type=Path, required=True)
    parser.add_argument("-m", "--metrics", nargs="+", default=SPECS)
    parser.add_argument("--repetitions", type=int, default=400)
    arguments = parser.parse_args()
    references = mt.TestSet(tuple(map(mt.read_text, arguments.references)))
    text = mt.read_text(arguments.input)
    n = arguments.repetitions
    print(f"{len(references)} segments, {n} repetitions; sampling error at 95%:")
    print(f"KS {1.36 / np.sqrt(n):.3f}, p<.05 and coverage ±{1.96 * np.sqrt(0.0475 / n):.3f}")
    for spec in arguments.metrics:
        evaluation = mt.evaluate({"system": text}, references, [spec])
        results = calibration(evaluation, n)
        for size in (*SIZES, len(references)):
            results |= coverage(evaluation, n, size)
        if spec == arguments.metrics[0]:
            print(f"\n| metric | {' | '.join(results)} |\n| --- |{' --- |' * len(results)}")
        columns = " | ".join(f"{value:.3f}" for value in results.values())
        print(f"| {spec} | {columns} |", flush=True)


if __name__ == "__main__":
    main()
