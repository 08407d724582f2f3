"""Simulate tests and predictions of power where the segments of a document are alike.

    python benchmarks/documents.py [--repetitions N]

The difference of two systems in a segment is the sum of what its document and the segment itself
contribute. All documents have ten segments, and the documents' share of the variance is r, so that
the true design effect is 1 + 9 r (Kish 1965). The paired bootstrap tests the difference by segments
and by documents, where there is no difference and where there is one that a test by documents
should find in 80% of the test sets.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np
from mteval_decide.power import Plan, powers
from significance import with_rows

import mteval_core as mt

if TYPE_CHECKING:
    from mteval_core.evaluation.scores import By

LENGTH = 10
SIZES = (10, 50, 200)
SHARES = (0.0, 0.1, 0.3)
RESAMPLES = 500
TESTS: tuple[tuple[By, float], ...] = (("segment", 0.0), ("doc", 0.0), ("doc", 1.0))


def evaluated(n: int) -> mt.Evaluation:
    """Evaluate two systems on n documents; their rows are the sum of scores and their number."""
    n_segments = n * LENGTH
    nothing = {name: np.zeros(n_segments) for name in "AB"}
    scores = mt.OutsideScores(name="points", values=nothing, level="segment")
    documents = [f"{k // LENGTH}" for k in range(n_segments)]
    texts = {name: ["x"] * n_segments for name in "AB"}
    return mt.evaluate(texts, [["x"] * n_segments], [scores], documents=documents)


def simulate(n: int, r: float, repetitions: int) -> dict[str, float]:
    """Shares of significant tests, and what was predicted."""
    evaluation = evaluated(n)
    rng = np.random.default_rng([n, int(100 * r)])
    design = 1 + (LENGTH - 1) * r
    effect = Plan().distance * np.sqrt(design / (n * LENGTH))
    found = dict.fromkeys(TESTS, 0)
    predicted, designs = [], []
    for seed in range(repetitions):
        of_documents = rng.normal(0, np.sqrt(r), n).repeat(LENGTH)
        gains = of_documents + rng.normal(0, np.sqrt(1 - r), n * LENGTH)
        one = evaluation
        for by, size in TESTS:
            rows = np.column_stack([gains + size * effect, np.ones(n * LENGTH)])
            one = with_rows(evaluation, {"A": rows * [0, 1], "B": rows})
            compared = one.compare("bs", RESAMPLES, seed=seed, by=by)
            (comparison,) = compared.comparisons.values()
            found[by, size] += comparison.significant
        (power,) = powers(one, Plan(effect=effect, by="doc"))
        predicted.append(power.power)
        designs.append(power.design_effect)
    shares = {
        f"{by} {'found' if size else 'false'}": count / repetitions
        for (by, size), count in found.items()
    }
    return {
        "design": design,
        "estimated": float(np.mean(designs)),
        **shares,
        "predicted": float(np.mean(predicted)),
    }


def main() -> None:
    """Simulate all sizes and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=400)
    n_repetitions = parser.parse_args().repetitions
    error = 1.96 * np.sqrt(0.0475 / n_repetitions)
    print(f"{n_repetitions} repetitions; sampling error of 0.05 at 95%: ±{error:.3f}\n")
    heads = ["documents", "segments", "design effect", "estimated", "false by segments"]
    heads += ["false by documents", "found by documents", "predicted"]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for n in SIZES:
        for r in SHARES:
            values = simulate(n, r, n_repetitions).values()
            cells = " | ".join(f"{value:.3f}" for value in values)
            print(f"| {n} | {n * LENGTH} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
