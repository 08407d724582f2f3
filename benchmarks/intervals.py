"""Simulate how often bootstrap intervals of correlations contain the truth.

    python benchmarks/intervals.py [--texts N] [--segments N] > benchmarks/results/intervals.md

Each simulated study has systems of known quality, a metric whose systematic errors are known, and
scores of segments with noise: normal, skewed (exponential), or very skewed for humans, as the
penalties of MQM where most segments have none (gamma, shape 0.15). The noise is the standard error
of a system's mean human score, relative to the standard deviation of the qualities; that of the
metric is half as large. For two truths the script counts how often a 95% interval of 400 resamples
of the segments contains them:

whole text
    The coefficient on unlimited text, which is that of the qualities and of the metric's errors.
another text
    The expected coefficient on another text of the same length, estimated from 500 such texts.

Intervals are widened to contain the coefficient that they belong to, as `mteval correlate` prints
them; "widened" is the share of basic intervals that this changes.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from mteval_metaeval.experiments import SYSTEM_LEVEL
from mteval_metaeval.results import covering

from mteval_core.evaluation.intervals import INTERVAL_KINDS, Estimate
from mteval_core.evaluation.resampling import bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = {"differentials": "differences", "pairwise accuracy": "accuracy"}
SYSTEMS = (5, 8, 12, 15, 30)
NOISE = (0.1, 0.3, 0.6)
KINDS = ("normal", "skewed", "very skewed")
FEW_PENALTIES = 0.15
N_RESAMPLES, N_TEXTS = 400, 500
VALIDITY = 0.9
"""Pearson's coefficient of qualities and expected metric scores in a population of systems."""


class Design(NamedTuple):
    """Size of a study, and noise of its scores."""

    systems: int
    segments: int
    noise: float
    kind: str

    def texts(self, means: Any, noise: float, n: int, rng: np.random.Generator) -> Any:
        """Draw mean scores of the systems on n texts, nearly normal, shape (n, systems)."""
        return means + noise * rng.standard_normal((n, self.systems))

    def scores(self, means: Any, noise: float, kind: str, rng: np.random.Generator) -> Any:
        """Draw scores of all segments, shape (segments, systems)."""
        shape = (self.segments, self.systems)
        if kind == "normal":
            errors = rng.standard_normal(shape)
        elif kind == "skewed":
            errors = 1 - rng.exponential(size=shape)
        else:
            penalties = rng.gamma(FEW_PENALTIES, size=shape)
            errors = (FEW_PENALTIES - penalties) / np.sqrt(FEW_PENALTIES)
        return means + noise * np.sqrt(self.segments) * errors


def contained(design: Design, weights: Any, rng: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Draw one study, and say for each coefficient what each kind of interval contains."""
    quality = rng.standard_normal(design.systems)
    errors = rng.standard_normal(design.systems)
    expected = VALIDITY * quality + np.sqrt(1 - VALIDITY**2) * errors
    means = (expected, design.noise / 2), (quality, design.noise)
    of_metric = "normal" if design.kind == "very skewed" else design.kind
    samples = [
        design.scores(mean, noise, kind, rng)
        for (mean, noise), kind in zip(means, (of_metric, design.kind), strict=True)
    ]
    others = [design.texts(mean, noise, N_TEXTS, rng) for mean, noise in means]
    resamples = [weights @ sample for sample in samples]
    left_out = [sample.sum(axis=0) - sample for sample in samples]
    for name, function in SYSTEM_LEVEL.items():
        value = float(function(*(sample.mean(axis=0) for sample in samples)))
        truths = {
            "whole": float(function(expected, quality)),
            "another": float(np.nanmean(function(*others))),
        }
        estimate = Estimate(value, function(*resamples), [function(*left_out)])
        for kind in INTERVAL_KINDS:
            interval = estimate.interval(
                95, kind, (0.0 if name.endswith("accuracy") else -1.0, 1.0)
            )
            assert interval is not None
            outside = interval.excludes(value)
            interval = covering(interval, value)
            yield (
                name,
                kind,
                *(what for what, t in truths.items() if not interval.excludes(t)),
                *["widened"] * outside,
            )


def coverage(design: Design, n: int) -> dict[tuple[str, str, str], float]:
    """Share of studies whose intervals contain each truth, by coefficient and kind of interval."""
    rng = np.random.default_rng([design.systems, int(100 * design.noise), KINDS.index(design.kind)])
    weights = np.concatenate(list(bootstrap(design.segments, N_RESAMPLES, 1)))
    counts: dict[tuple[str, str, str], int] = {}
    for _ in range(n):
        for name, kind, *truths in contained(design, weights, rng):
            for truth in truths:
                counts[name, kind, truth] = counts.get((name, kind, truth), 0) + 1
    return {key: count / n for key, count in counts.items()}


def main() -> None:
    """Simulate all designs and print a table for each coefficient."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--texts", type=int, default=1000, help="simulated studies of each design")
    parser.add_argument("--segments", type=int, default=200, help="segments of a text")
    arguments = parser.parse_args()
    n = arguments.segments
    designs = [Design(s, n, x, kind) for s in SYSTEMS for x in NOISE for kind in KINDS]
    asked = [(what, kind) for what in ("whole", "another") for kind in INTERVAL_KINDS]
    heads = ["coefficient", "systems", "noise", *(f"{what}: {kind}" for what, kind in asked)]
    print(f"| {' | '.join(heads)} | widened |\n|{' --- |' * (len(heads) + 1)}")
    results = {design: coverage(design, arguments.texts) for design in designs}
    for name in SYSTEM_LEVEL:
        for design, result in results.items():
            cells = [result.get((name, kind, what), 0) for what, kind in asked]
            cells.append(result.get((name, "basic", "widened"), 0))
            row = [NAMES.get(name, name), str(design.systems), f"{design.noise} {design.kind}"]
            print(f"| {' | '.join([*row, *(f'{cell:.2f}' for cell in cells)])} |")


if __name__ == "__main__":
    main()
