"""Simulate the tests of equivalence and of not being worse, with known differences.

    python benchmarks/equivalence.py [--repetitions N]

The difference of two systems is the mean of its segments, which are drawn from a skewed
distribution (an exponential one). The margin is three standard errors. At a true loss as large as
the margin both claims are false, and should be found in 5% of the simulations at most.
"""

from __future__ import annotations

import argparse

import numpy as np

from mteval_core.evaluation import SIGNIFICANT
from mteval_core.evaluation.p_values import one_sided
from mteval_core.evaluation.resampling import bootstrap

SIZES = (100, 500, 2000)
LOSSES = {"the margin": 1.0, "half of it": 0.5, "none": 0.0}
MARGIN = 3.0
"""The margin in standard errors."""


def simulate(n: int, loss: float, repetitions: int) -> tuple[float, float]:
    """Shares of simulations in which systems are equivalent, and the system is not worse."""
    rng = np.random.default_rng([n, int(10 * loss)])
    margin = MARGIN / np.sqrt(n)
    equivalent = not_worse = 0
    for seed in range(repetitions):
        gains = rng.exponential(1.0, n) - 1 - loss * margin
        resamples = np.concatenate([weights @ gains / n for weights in bootstrap(n, 1000, seed)])
        sides = one_sided(float(gains.mean()), resamples, margin)
        equivalent += max(sides) < SIGNIFICANT
        not_worse += sides[0] < SIGNIFICANT
    return equivalent / repetitions, not_worse / repetitions


def main() -> None:
    """Simulate all sizes and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=2000)
    n_repetitions = parser.parse_args().repetitions
    error = 1.96 * np.sqrt(0.0475 / n_repetitions)
    print(f"{n_repetitions} repetitions; sampling error of 0.05 at 95%: ±{error:.3f}\n")
    print("| segments | true loss | equivalent | not worse |\n| --- | --- | --- | --- |")
    for n in SIZES:
        for name, loss in LOSSES.items():
            equivalent, not_worse = simulate(n, loss, n_repetitions)
            print(f"| {n} | {name} | {equivalent:.3f} | {not_worse:.3f} |", flush=True)


if __name__ == "__main__":
    main()
