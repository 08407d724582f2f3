"""Simulate sequential tests: false alarms under the null hypothesis, power, and average sizes.

    python benchmarks/sequential.py [--repetitions N]

The differences of segments are drawn from a normal distribution, or from a skewed one (an
exponential distribution). At each look, the difference of the segments so far is divided by its
standard error, which is estimated from them, and compared with the bound. "Every look at 0.05"
tests each time as if it were the only time.
"""

from __future__ import annotations

import argparse
from statistics import NormalDist

import numpy as np
from mteval_decide.sequential import BOUNDS, Schedule

SIZES = (100, 500, 2000)
LOOKS = (1, 2, 5, 10)
ALPHA, POWER = 0.05, 0.8
AT_ONCE = 500
"""Repetitions that are simulated at once."""

DRAWN = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "skewed": lambda rng, shape: rng.exponential(size=shape) - 1,
}


def z_values(differences: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Difference over its standard error at each look, shape (repetitions, n_looks)."""
    sums, squares = np.cumsum(differences, axis=1), np.cumsum(differences**2, axis=1)
    n = sizes.astype(float)
    means = sums[:, sizes - 1] / n
    variances = (squares[:, sizes - 1] / n - means**2) * n / (n - 1)
    return means / np.sqrt(variances / n)


def simulate(kind: str, n: int, n_looks: int, repetitions: int) -> list[str]:
    """Compute the columns of a row for each distribution."""
    sizes = np.round(n * np.arange(1, n_looks + 1) / n_looks).astype(int)
    schedule = Schedule((sizes / n).tolist(), kind if kind in BOUNDS else "pocock", ALPHA)
    bounds = schedule.bounds
    if kind not in BOUNDS:
        bounds = np.full(n_looks, NormalDist().inv_cdf(1 - ALPHA / 2))
    distance = schedule.distance(POWER)
    columns = []
    for name, draw in DRAWN.items():
        rng = np.random.default_rng([n, n_looks, len(name), len(kind)])
        parts = []
        for _ in range(repetitions // AT_ONCE):
            noise = draw(rng, (AT_ONCE, n))
            null = np.abs(z_values(noise, sizes)) >= bounds
            z = z_values(noise + distance / np.sqrt(n), sizes)
            # The last look ends the test in any case.
            stops = np.column_stack([np.abs(z)[:, :-1] >= bounds[:-1], np.ones(AT_ONCE, bool)])
            first = stops.argmax(axis=1)
            found = z[np.arange(AT_ONCE), first] >= bounds[first]
            parts.append([null.any(axis=1).mean(), found.mean(), sizes[first].mean() / n])
        false, power, size = np.mean(parts, axis=0)
        columns += [f"{false:.3f}", f"{power:.3f}", f"{size:.2f}"]
    return [*columns, f"{schedule.expected_share(distance):.2f}" if kind in BOUNDS else "–"]


def main() -> None:
    """Simulate all bounds, looks and sizes, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=20_000)
    n_repetitions = parser.parse_args().repetitions
    error = 1.96 * np.sqrt(ALPHA * (1 - ALPHA) / n_repetitions)
    print(f"{n_repetitions} repetitions; sampling error of {ALPHA} at 95%: ±{error:.3f}\n")
    heads = ["bounds", "looks", "segments"]
    heads += [f"{name}: {what}" for name in DRAWN for what in ("null", "power", "size")]
    heads.append("theory")
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for kind in (*BOUNDS, "every look at 0.05"):
        looks = LOOKS if kind in BOUNDS else (5,)
        for n_looks in looks:
            for n in SIZES:
                first = n == SIZES[0]  # a name stands only in the first of its rows
                row = [kind * (first and n_looks == min(looks)), str(n_looks) * first, str(n)]
                row += simulate(kind, n, n_looks, n_repetitions)
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
