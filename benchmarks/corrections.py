"""Simulate how corrections for all pairs of systems keep the error rate, and what they find.

    python benchmarks/corrections.py [--repetitions N] > benchmarks/results/corrections.md

The score of a system is the mean of its segments, which have a difficulty that all systems share,
and noise of their own. Three truths: all systems are equal; each is slightly better than the one
before, or clearly better. In the last two, the first half of the systems are equal. A step is
given in standard errors of a difference. The paired bootstrap tests all pairs, with as many
resamples as `mteval score` draws.
"""

from __future__ import annotations

import argparse
from itertools import combinations

import numpy as np

from mteval_core.evaluation import SIGNIFICANT
from mteval_core.evaluation.p_values import (
    at_least,
    correct_p_values,
    default_trials,
    max_t,
    p_value,
)
from mteval_core.evaluation.resampling import bootstrap

SIZES = [(k, n) for k in (5, 10, 20) for n in (50, 100, 500, 2000)]
STEPS = {"equal": 0.0, "small steps": 1.0, "large steps": 2.5}
METHODS = ("none", "holm", "maxt")


def p_values(outputs: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """Test all pairs of systems, given the scores of their segments, shape (k, n)."""
    k, n = outputs.shape
    pairs = list(combinations(range(k), 2))
    count = default_trials("bs", len(pairs), "holm")
    means = np.concatenate([w @ outputs.T / n for w in bootstrap(n, count, seed)]).T
    values = [float(outputs[b].mean() - outputs[a].mean()) for a, b in pairs]
    resampled = [means[b] - means[a] for a, b in pairs]
    raw = [
        p_value(int(at_least(np.abs(d - d.mean()), abs(value)).sum()), count, exact=False)
        for value, d in zip(values, resampled, strict=True)
    ]
    found = {method: correct_p_values(raw, method) for method in ("none", "holm")}
    return {key: np.array(p) for key, p in {**found, "maxt": max_t(values, resampled)}.items()}


def simulate(k: int, n: int, step: float, repetitions: int) -> dict[str, tuple[float, float]]:
    """Share of simulations with a false finding, and share of the true differences found."""
    rng = np.random.default_rng([k, n, int(10 * step)])
    truth = step * np.sqrt(2 / n) * np.maximum(np.arange(k) - (k - 1) // 2, 0)
    differ = np.array([truth[a] != truth[b] for a, b in combinations(range(k), 2)])
    false: dict[str, int] = dict.fromkeys(METHODS, 0)
    true: dict[str, float] = dict.fromkeys(METHODS, 0.0)
    for seed in range(repetitions):
        outputs = truth[:, None] + rng.normal(0, 2, n) + rng.normal(0, 1, (k, n))
        for method, p in p_values(outputs, seed).items():
            false[method] += bool((p[~differ] < SIGNIFICANT).any())
            true[method] += float((p[differ] < SIGNIFICANT).mean()) if differ.any() else 0.0
    return {m: (false[m] / repetitions, true[m] / repetitions) for m in METHODS}


def main() -> None:
    """Simulate all sizes and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=1000)
    n_repetitions = parser.parse_args().repetitions
    columns = [f"{share}: {method}" for share in ("wrong", "found") for method in METHODS]
    print(f"| systems | segments | truth | {' | '.join(columns)} |\n|{' --- |' * 9}")
    for k, n in SIZES:
        for name, step in STEPS.items():
            results = simulate(k, n, step, n_repetitions)
            wrong, found = zip(*results.values(), strict=True)
            shares = [f"{share:.3f}" for share in wrong]
            shares += [f"{share:.3f}" if step else "" for share in found]
            print(f"| {k} | {n} | {name} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main()
