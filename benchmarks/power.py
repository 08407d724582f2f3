"""Simulate whether tests find as many differences as `mteval power` predicts.

    python benchmarks/power.py REF... -i SYS SYS... [-m SPEC...] [--repetitions N]

The segments of the test set are the population, so the true difference between a system and the
first is known. Test sets of several sizes are drawn from it. On each, the standard error and the
power for the true difference are predicted, and the paired bootstrap tests the difference: the
mean prediction should be the share of significant tests. Under the null hypothesis, the two systems
change places in a random half of the segments; 5% of the tests should then be significant.

With `--neighbours`, nothing is simulated: it prints the differences between systems that are
neighbours when ranked by a metric, and the smallest difference that can be detected between them.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
from mteval_decide.power import Plan, powers
from significance import with_rows

import mteval_core as mt

SPECS = ["bleu", "chrf", "meteor"]
SIZES = (100, 500, 2000)
RESAMPLES = 500


def simulate(evaluation: mt.Evaluation, size: int, repetitions: int) -> dict[str, float]:
    """Compare predictions with what happens on test sets of one size."""
    (spec,), (baseline, system) = evaluation.scorers, evaluation.scores.runs
    a, b = (evaluation.scores.rows[name, spec] for name in (baseline, system))
    truth = evaluation.score(system, spec).score - evaluation.score(baseline, spec).score
    rng = np.random.default_rng(size)
    errors, predicted, differences, found, null = [], [], [], 0, 0
    for seed in range(repetitions):
        drawn = rng.integers(len(a), size=size)
        swapped = rng.random((size, 1)) < 0.5
        sets = [
            with_rows(evaluation, {baseline: one, system: other})
            for one, other in (
                (a[drawn], b[drawn]),
                (np.where(swapped, b[drawn], a[drawn]), np.where(swapped, a[drawn], b[drawn])),
            )
        ]
        (power,) = powers(sets[0], Plan(effect=abs(truth)))
        errors.append(power.error)
        predicted.append(power.power)
        differences.append(power.difference)
        p = [
            s.compare("bs", RESAMPLES, seed=seed).comparisons[system, baseline, spec] for s in sets
        ]
        found += p[0].significant
        null += p[1].significant
    return {
        "difference": truth,
        "error": float(np.std(differences)),
        "predicted": float(np.mean(errors)),
        "found": found / repetitions,
        "power": float(np.mean(predicted)),
        "null": null / repetitions,
    }


def neighbours(evaluation: mt.Evaluation, spec: str) -> tuple[list[float], list[float], int]:
    """Differences between neighbours, detectable differences, and how many differ by as much."""
    ranked = sorted(evaluation.scores.runs, key=lambda name: evaluation.score(name, spec).score)
    pairs = list(pairwise(ranked))
    every = {
        (power.system, power.baseline): power
        for power in powers(evaluation, Plan(), all_pairs=True)
        if power.metric == spec
    }
    found = [every.get((a, b)) or every[b, a] for a, b in pairs]
    differences = [abs(power.difference) for power in found]
    detectable = [power.detectable for power in found]
    return (
        differences,
        detectable,
        sum(d >= e for d, e in zip(differences, detectable, strict=True)),
    )


def main() -> None:
    """Simulate every metric and system, or list neighbours, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("references", nargs="+", type=Path)
    parser.add_argument("-i", "--input", nargs="+", type=Path, required=True)
    parser.add_argument("-m", "--metrics", nargs="+", default=SPECS)
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--neighbours", action="store_true")
    arguments = parser.parse_args()
    references = mt.TestSet(tuple(map(mt.read_text, arguments.references)))
    texts = {path.stem: mt.read_text(path) for path in arguments.input}
    print(f"{len(references)} segments, {len(texts)} systems")
    if arguments.neighbours:
        print("\n| metric | difference of neighbours | detectable | as large |")
        print("| --- | --- | --- | --- |")
        evaluation = mt.evaluate(texts, references, arguments.metrics)
        for spec in evaluation.scorers:
            differences, detectable, n = neighbours(evaluation, spec)
            cells = [
                f"{np.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"
                for values in (differences, detectable)
            ]
            print(f"| {spec} | {' | '.join(cells)} | {n} of {len(differences)} |", flush=True)
        return
    error = 1.96 * np.sqrt(0.0475 / arguments.repetitions)
    print(f"{arguments.repetitions} repetitions; sampling error of 0.05 at 95%: ±{error:.3f}\n")
    heads = ["metric", "segments", "true difference", "error", "predicted", "found", "predicted"]
    print(f"| {' | '.join([*heads, 'false'])} |\n|{' --- |' * 8}")
    first, *others = texts
    for spec in arguments.metrics:
        for other in others:
            pair = {name: texts[name] for name in (first, other)}
            evaluation = mt.evaluate(pair, references, [spec])
            for size in SIZES:
                results = simulate(evaluation, size, arguments.repetitions)
                columns = " | ".join(f"{value:.3f}" for value in results.values())
                print(f"| {spec} | {size} | {columns} |", flush=True)


if __name__ == "__main__":
    main()
