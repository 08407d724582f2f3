"""Do the tests keep their level, and do the intervals cover? Simulated on real rows.

    python benchmarks/significance.py REF... -i SYS [-m SPEC...] [--repetitions N]

Under the null: the segments of one system are dealt at random to two pretended systems of half
the size, so that no difference is real, and p-values should be uniform (Kolmogorov-Smirnov).
Coverage: test sets of the same size are drawn from the segments with replacement, and the interval
of each should hold the score of the whole set in 95% of cases.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import mteval_core as mt

SPECS = ["bleu", "rouge-l", "gtm", "meteor"]


def with_rows(evaluation: mt.Evaluation, rows: dict[str, Any]) -> mt.Evaluation:
    """Pretended systems with given rows, under the one metric of an evaluation."""
    (spec,) = evaluation.scorers
    return replace(
        evaluation,
        runs={name: (name,) for name in rows},
        rows={(name, spec): found for name, found in rows.items()},
        totals={(name, spec): found.sum(axis=0) for name, found in rows.items()},
    )


def simulate(evaluation: mt.Evaluation, repetitions: int, seed: int = 1) -> dict[str, float]:
    """Largest distance of the p-values from uniformity, and coverage, for one metric."""
    (spec,), (system,) = evaluation.scorers, evaluation.runs
    rows = evaluation.rows[system, spec]
    truth = evaluation.score(system, spec).score
    n = len(rows)
    rng = np.random.default_rng(seed)
    p: dict[str, list[float]] = {"ar": [], "bs": []}
    covered = 0
    for repetition in range(repetitions):
        order = rng.permutation(n)
        halves = with_rows(
            evaluation, {"A": rows[order[: n // 2]], "B": rows[order[n // 2 : n // 2 * 2]]}
        )
        for test, found in p.items():
            compared = halves.compare(test, 1000, seed=repetition)  # type: ignore[arg-type]
            found.append(compared.comparisons["B", "A", spec].p_value)
        drawn = with_rows(evaluation, {"A": rows[rng.integers(n, size=n)]})
        interval = drawn.confidence(1000, seed=repetition).intervals["A", spec]
        covered += interval.low <= truth <= interval.high
    steps = np.arange(1, repetitions + 1) / repetitions
    result = {}
    for test, found in p.items():
        result[f"KS {test}"] = float(np.abs(np.sort(found) - steps).max())
        result[f"{test} p<.05"] = float(np.mean(np.array(found) < 0.05))
    return {**result, "coverage": covered / repetitions}


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
    print(f"KS {1.36 / np.sqrt(n):.3f}, p<.05 and coverage ±{1.96 * np.sqrt(0.0475 / n):.3f}\n")
    for spec in arguments.metrics:
        found = simulate(mt.evaluate({"system": text}, references, [spec]), n)
        shown = "  ".join(f"{name} {value:.3f}" for name, value in found.items())
        print(f"{spec:12} {shown}", flush=True)


if __name__ == "__main__":
    main()
