"""Simulate how often `mteval gate` fails, with known losses.

    python benchmarks/gate.py REF... -i BASE SYS [-m SPEC...] [--repetitions N]

The segments of the test set are the population. In a share of them, the base has its own output and
the new system has the other one, which is worse; in the others, the two outputs change places at
random. The share decides how large the true loss is under the first metric: without it, the systems
are equally good. Test sets of several sizes are drawn from the population.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from mteval_decide.gate import Rules, allowed_losses, judge, run_tests

import mteval_core as mt

SPECS = ["bleu", "chrf", "ter"]
SIZES = (100, 500, 2000)
LOSSES = (0.0, 0.5, 1.0, 2.0)
RULES = {
    "any loss, one metric": Rules(["{} < 0"]),
    "any loss, all metrics": Rules(),
    "more than 1": Rules(["{} < -1"]),
    "not shown within 1": Rules(["{} < -1000"], margin=1.0),
}


def share_of(evaluation: mt.Evaluation, loss: float) -> float:
    """Find the share of segments in which the base has the better output, for a true loss."""
    spec, (base, system) = next(iter(evaluation.scorers)), evaluation.systems
    score = evaluation.scorers[spec].scores
    a, b = (evaluation.scores.totals[name, spec] for name in (base, system))
    shares = np.linspace(0, 1, 10_001)[:, None]
    losses = score(a * (1 + shares) / 2 + b * (1 - shares) / 2)
    losses -= score(b * (1 + shares) / 2 + a * (1 - shares) / 2)
    if losses[-1] < loss:
        raise SystemExit(f"{system} loses only {losses[-1]:.2f}; expected {loss} or more")
    return float(shares[np.argmax(losses >= loss), 0]) if loss else 0.0


def simulate(evaluation: mt.Evaluation, size: int, loss: float, repetitions: int) -> list[float]:
    """Shares of test sets of one size on which each rule fails."""
    base, system = evaluation.systems
    share, failed = share_of(evaluation, loss), np.zeros(len(RULES))
    for seed in range(repetitions):
        rng = np.random.default_rng([size, int(10 * loss), seed])
        drawn = rng.integers(len(evaluation.scores.test_set), size=size)
        swapped = (rng.random((size, 1)) >= share) & (rng.random((size, 1)) < 0.5)
        rows = {}
        for spec in evaluation.scorers:
            a, b = (evaluation.scores.rows[name, spec][drawn] for name in (base, system))
            rows[base, spec] = np.where(swapped, b, a)
            rows[system, spec] = np.where(swapped, a, b)
        totals = {key: some.sum(axis=0) for key, some in rows.items()}
        sample = replace(evaluation, scores=replace(evaluation.scores, rows=rows, totals=totals))
        tested = run_tests(sample, {system: base}, Rules(margin=1.0, seed=seed, trials=1000))
        for k, rules in enumerate(RULES.values()):
            first = next(iter(evaluation.scorers))
            rules = rules._replace(fail_if=[each.format(first) for each in rules.fail_if])
            allowed = allowed_losses(rules, evaluation.scorers)
            found = judge(sample, {system: base}, rules, allowed=allowed, tested=tested)
            failed[k] += any(one.verdict == "fail" for one in found)
    return (failed / repetitions).tolist()


def main() -> None:
    """Simulate all sizes and losses, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("references", nargs="+", type=Path)
    parser.add_argument("-i", "--input", nargs=2, type=Path, required=True)
    parser.add_argument("-m", "--metrics", nargs="+", default=SPECS)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    arguments = parser.parse_args()
    systems = {path.stem: read(path) for path in arguments.input}
    evaluation = mt.evaluate(systems, [*map(read, arguments.references)], arguments.metrics)
    error = 1.96 * np.sqrt(0.0475 / arguments.repetitions)
    print(f"{arguments.repetitions} repetitions; sampling error of 0.05 at 95%: ±{error:.3f}\n")
    print(f"| segments | true loss | {' | '.join(RULES)} |\n| --- | --- |{' --- |' * len(RULES)}")
    for size in arguments.sizes:
        for loss in LOSSES:
            failed = simulate(evaluation, size, loss, arguments.repetitions)
            shares = " | ".join(f"{share:.3f}" for share in failed)
            print(f"| {size} | {loss:g} | {shares} |", flush=True)


def read(path: Path) -> list[str]:
    """Read the lines of a file."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    main()
