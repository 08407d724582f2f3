"""Simulate how often intervals of correlations contain the truth if systems are drawn.

    python benchmarks/system_intervals.py [--studies N] > benchmarks/results/system_intervals.md

Systems come from a population: their quality and the systematic error of the metric are normal.
The scores of segments have normal or skewed (exponential) noise, or for humans very skewed, as the
penalties of MQM where most segments have none (gamma, shape 0.15). Noise is the standard error of a
system's mean human score, relative to the standard deviation of the qualities; that of the metric
is half as large. The truth is the coefficient of all systems of the population,
on texts of this length, estimated from 200 groups of 500 systems. The script counts how often 95%
intervals of 200 resamples of the systems, and of systems and segments (both), contain it: basic
intervals, and those that ``mteval correlate --resample systems`` prints. Studies without an
interval, in which all systems are in the order of the human scores, do not count.

The last rows are means over systems of coefficients over segments (``--group system``).
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from mteval_metaeval import Resampling
from mteval_metaeval.experiments import SYSTEM_LEVEL
from mteval_metaeval.normal_intervals import interval_of_coefficient, interval_of_mean
from mteval_metaeval.segments import resampled_means

from mteval_core.evaluation.intervals import Estimate
from mteval_core.evaluation.resampling import bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    Counts = dict[tuple[str, str, str], list[bool]]

SYSTEMS = (5, 8, 12, 15, 30)
NOISE = (0.1, 0.3, 0.6)
KINDS = ("normal", "skewed", "very skewed")
FEW_PENALTIES = 0.15
DRAWS = ("systems", "both")
NAMES = {"differentials": "differences", "pairwise accuracy": "accuracy"}
VALIDITY = 0.9
"""Pearson's coefficient of qualities and expected metric scores in a population of systems."""

SEGMENTS, RESAMPLES = 100, 200

PAIRS = 500
"""Studies that have no more pairs of systems than this together are drawn at once."""


class Population(NamedTuple):
    """Systems whose scores have this noise, of this kind."""

    noise: float
    kind: str

    def means(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Any, Any]:
        """Draw the expected scores of systems under the metric and for humans."""
        quality, error = rng.standard_normal((2, *shape))
        return VALIDITY * quality + np.sqrt(1 - VALIDITY**2) * error, quality

    def scores(self, count: int, n: int, rng: np.random.Generator) -> list[Any]:
        """Draw scores of metric and humans in some studies, each of shape (count, segments, n)."""
        spread = self.noise * np.sqrt(SEGMENTS)
        kinds = "normal" if self.kind == "very skewed" else self.kind, self.kind
        means, spreads = self.means((count, n), rng), (spread / 2, spread)
        return [
            mean[:, None] + noise * errors(kind, (count, SEGMENTS, n), rng)
            for mean, noise, kind in zip(means, spreads, kinds, strict=True)
        ]

    def truths(self) -> dict[str, float]:
        """Coefficients of the population, from 200 groups of 500 systems."""
        rng = np.random.default_rng(1)
        found = [[each.mean(axis=1) for each in self.scores(1, 500, rng)] for _ in range(200)]
        return {
            name: float(np.mean([function(*group) for group in found]))
            for name, function in SYSTEM_LEVEL.items()
        }


def errors(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Draw noise of segments with mean 0 and variance 1."""
    if kind == "normal":
        return rng.standard_normal(shape)
    if kind == "skewed":
        return 1 - rng.exponential(size=shape)
    return (FEW_PENALTIES - rng.gamma(FEW_PENALTIES, size=shape)) / np.sqrt(FEW_PENALTIES)


def studies(
    population: Population, n: int, count: int, truths: dict[str, float]
) -> Iterator[tuple[tuple[str, str, str], bool]]:
    """Draw studies of n systems, a batch at a time; say which intervals there are, and hold."""
    rng = np.random.default_rng([n, int(100 * population.noise), KINDS.index(population.kind)])
    weights = np.concatenate(list(bootstrap(SEGMENTS, RESAMPLES, 1))) / SEGMENTS
    out = np.eye(n, dtype=bool)
    size = max(1, PAIRS // (n * (n - 1) // 2))
    for start in range(0, count, size):
        some = min(size, count - start)
        scores = population.scores(some, n, rng)
        means = [each.mean(axis=1) for each in scores]
        drawn = rng.integers(0, n, (some, RESAMPLES, n))
        resamples = {
            "systems": [np.take_along_axis(mean[:, None], drawn, 2) for mean in means],
            "both": [np.take_along_axis(weights @ each, drawn, 2) for each in scores],
        }
        without_systems = [np.where(out, np.nan, mean[:, None]) for mean in means]
        without_segments = [
            (each.sum(axis=1, keepdims=True) - each) / (SEGMENTS - 1) for each in scores
        ]
        for name, function in SYSTEM_LEVEL.items():
            values = function(*means)
            left_out = [function(*without_systems), function(*without_segments)]
            for k, draw in enumerate(DRAWS):
                resampled = function(*resamples[draw])
                for i, value in enumerate(values.tolist()):
                    without = [each[i] for each in left_out[: k + 1]]
                    estimate = Estimate(value, resampled[i], without)
                    least = interval_of_coefficient(name, value, n)
                    for key, interval in intervals(estimate, name, draw, least):
                        yield (name, draw, key), not interval.excludes(truths[name])


def intervals(estimate: Estimate, name: str, draw: Any, least: Any) -> Iterator[tuple[str, Any]]:
    """Compute the basic interval, and the one that is printed, if there is one."""
    for key, kind in (("basic", "basic"), ("printed", None)):
        resampling = Resampling(draw=draw, interval=kind)  # type: ignore[arg-type]
        interval = resampling.interval_of(estimate, name, least)
        if interval is not None:
            yield key, interval


def means_over_systems(n: int, count: int) -> Iterator[tuple[tuple[str, str, str], bool]]:
    """Draw coefficients of n systems, whose mean has an interval."""
    rng = np.random.default_rng(n)
    truth = float(np.tanh(rng.normal(0.5, 0.3, 1_000_000)).mean())
    for seed in range(count):
        values = np.tanh(rng.normal(0.5, 0.3, n))
        drawing = Resampling(n=RESAMPLES, draw="systems", seed=seed)
        resampled = resampled_means(values[None], drawing)
        estimate = resampled.estimate(float(values.mean()), 0)
        for key, interval in intervals(estimate, "mean", "systems", interval_of_mean(values)):
            yield ("mean", "systems", key), not interval.excludes(truth)


def shares(found: Iterator[tuple[tuple[str, str, str], bool]]) -> Counts:
    """Collect by coefficient, draw and kind of interval, which of them hold."""
    held: Counts = {}
    for key, holds in found:
        held.setdefault(key, []).append(holds)
    return held


def row(names: list[str], held: Counts, name: str, count: int) -> str:
    """Write a row: coverage, and the share of studies without an interval."""
    cells = list(names)
    for draw in DRAWS:
        for key in ("basic", "printed"):
            each = held.get((name, draw, key), [])
            cells.append(f"{np.mean(each):.2f}" if each else "")
        cells.append(f"{1 - len(each) / count:.2f}" if each else "")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Simulate all designs and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=1000, help="studies of each design")
    count = parser.parse_args().studies
    heads = [f"{draw}: {what}" for draw in DRAWS for what in ("basic", "printed", "none")]
    print(f"| coefficient | systems | noise | {' | '.join(heads)} |\n|{' --- |' * 9}")
    lines: dict[str, list[str]] = {name: [] for name in SYSTEM_LEVEL}
    for noise in NOISE:
        for kind in KINDS:
            population = Population(noise, kind)
            truths = population.truths()
            for n in SYSTEMS:
                held = shares(studies(population, n, count, truths))
                for name in SYSTEM_LEVEL:
                    heads = [NAMES.get(name, name), str(n), f"{noise} {kind}"]
                    lines[name].append(row(heads, held, name, count))
    for of_name in lines.values():
        print("\n".join(of_name))
    for n in SYSTEMS:
        held = shares(means_over_systems(n, count))
        print(row(["mean over systems", str(n), ""], held, "mean", count))


if __name__ == "__main__":
    main()
