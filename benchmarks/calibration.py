"""Simulate the intervals of ``mteval correlate --calibrate``, with known agreement.

    python benchmarks/calibration.py [--repetitions N]

Systems have a true quality under the metric and one for people, which correlate. Segments add
noise, half of which the metric shares with people, so that the differences of systems that are
drawn on a test set are as uncertain as those between systems. The true agreement comes from the
pairs of 3,000 other systems, at a small, a middle and a large difference. The intervals have a
level of 95%.
"""

from __future__ import annotations

import argparse

import numpy as np
from mteval_metaeval.calibration import fitted, pairs_of
from mteval_metaeval.draws import pseudo_documents

DIFFERENCES = np.array([0.2, 0.7, 1.5])
"""In standard deviations of the quality of systems."""

CORRELATIONS = {"none": 0.0, "middle": 0.6, "strong": 0.95}
SHARED = 0.5


def qualities(n: int, correlation: float, rng: np.random.Generator) -> np.ndarray:
    """Draw the quality of systems under the metric and for people, shape (2, n)."""
    metric, other = rng.normal(size=(2, n))
    return np.stack([metric, correlation * metric + np.sqrt(1 - correlation**2) * other])


def noise(shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Draw noise of standard deviation 1 for metric and people, shape (2, ...)."""
    metric, other = rng.normal(size=(2, *shape))
    return np.stack([metric, SHARED * metric + np.sqrt(1 - SHARED**2) * other])


def truth(correlation: float) -> np.ndarray:
    """Measure the agreement of very many systems on a test set of half the segments."""
    rng = np.random.default_rng(1)
    metric, human = qualities(3000, correlation, rng) + noise((3000,), rng)
    i, j = np.triu_indices(3000, 1)
    sizes, agreed = np.abs(metric[i] - metric[j]), (metric[i] > metric[j]) == (human[i] > human[j])
    return np.array([agreed[np.abs(sizes - x) < 0.05].mean() for x in DIFFERENCES])


def simulate(
    k: int, n: int, correlation: float, repetitions: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean estimate, coverage and width of the intervals at each difference."""
    expected = truth(correlation)
    results = []
    for seed in range(repetitions):
        rng = np.random.default_rng([k, n, seed])
        # The mean of n / 2 segments then has the standard deviation 1.
        outputs = qualities(k, correlation, rng)[..., None] + noise((k, n), rng) * np.sqrt(n / 2)
        sets = np.concatenate(list(pseudo_documents(n, 300, seed, n // 2))) / (n // 2)
        metric, human = (sets @ each.T for each in outputs)
        pairs = pairs_of((metric, human))
        assert pairs is not None
        results.append(fitted(pairs, DIFFERENCES, k, 95.0))
    estimate, low, high = np.array(results).transpose(1, 0, 2)
    covered = (low <= expected) & (expected <= high)
    return estimate.mean(axis=0), covered.mean(axis=0), (high - low).mean(axis=0)


def main() -> None:
    """Simulate all sizes and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=400)
    n_repetitions = parser.parse_args().repetitions
    error = 1.96 * np.sqrt(0.0475 / n_repetitions)
    print(f"{n_repetitions} repetitions; sampling error of 0.95 at 95%: ±{error:.3f}\n")
    print("| systems | segments | correlation | true agreement | estimate | coverage | width |")
    print("| --- | --- | --- | --- | --- | --- | --- |")

    def written(values: np.ndarray) -> str:
        return ", ".join(f"{value:.2f}" for value in values)

    for k in (5, 10, 20):
        for n in (100, 500, 2000) if k == 10 else (500,):
            for name, correlation in CORRELATIONS.items():
                found = simulate(k, n, correlation, n_repetitions)
                cells = " | ".join(map(written, (truth(correlation), *found)))
                print(f"| {k} | {n} | {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
