"""Simulate intervals over segments alone, and over segments and references together.

    python benchmarks/influence.py [--repetitions N]

The difference of two systems is a mean over segments and references: each segment, each reference
and each pair of them adds to it, and the true difference is 0. The spread of references is a share
of that of segments. Intervals have a level of 95%, and are those of ``mteval influence``.
"""

from __future__ import annotations

import argparse
from statistics import NormalDist

import numpy as np

from mteval_core.evaluation.resampling import bootstrap

SIZES = (100, 500, 2000)
REFERENCES = (2, 4, 8)
SHARES = {
    "none": 0.0,
    "half of that from segments": 0.5,
    "that from segments": 1.0,
    "twice that from segments": 2.0,
}
"""The error from the choice of references, relative to that from segments."""


def simulate(n: int, n_references: int, share: float, repetitions: int) -> tuple[float, float]:
    """Coverage of intervals over segments alone, and over both."""
    reach = NormalDist().inv_cdf(0.975)
    rng = np.random.default_rng([n, n_references, int(10 * share)])
    alone = both = 0
    for seed in range(repetitions):
        of_segments = rng.normal(size=(n, 1)) + rng.normal(size=(n, n_references))
        error = np.sqrt((1 + 1 / n_references) / n)
        of_references = rng.normal(0, share * error * np.sqrt(n_references), n_references)
        gains = of_segments + of_references
        value, columns = gains.mean(), gains.mean(axis=0)
        without = (columns.sum() - columns) / (n_references - 1)
        weights = np.concatenate(list(bootstrap(n, 200, seed)))
        from_segments = float((weights @ gains.mean(axis=1) / n).std(ddof=1))
        from_references = np.sqrt((n_references - 1) * without.var())
        alone += abs(value) <= reach * from_segments
        both += abs(value) <= reach * np.hypot(from_segments, from_references)
    return alone / repetitions, both / repetitions


def main() -> None:
    """Simulate all sizes and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=1000)
    n_repetitions = parser.parse_args().repetitions
    error = 1.96 * np.sqrt(0.0475 / n_repetitions)
    print(f"{n_repetitions} repetitions; sampling error of 0.95 at 95%: ±{error:.3f}\n")
    print("| segments | references | error from references | segments alone | both |")
    print("| --- | --- | --- | --- | --- |")
    for n in SIZES:
        for n_references in REFERENCES:
            for name, share in SHARES.items():
                alone, both = simulate(n, n_references, share, n_repetitions)
                print(f"| {n} | {n_references} | {name} | {alone:.3f} | {both:.3f} |", flush=True)


if __name__ == "__main__":
    main()
