"""Simulate intervals and tests of metrics that see documents, or the segments around each segment.

    python benchmarks/units.py [--repetitions N] > benchmarks/results/units.md

The segments of a document are numbers, normal with the variance 1, of which a part is that of the
document. One metric takes the largest number of each document, whose expected value is known; the
other takes the mean of each segment and the two around it, whose expected value is 0. For each
number of documents, of ten segments each, the table has

largest
    How often the 95% interval of the mean of the largest numbers contains the expected value.
neighbours
    The same for the means with neighbours, drawn by documents.
by segment
    The same, drawn by segments, which mteval refuses.
par, pbs
    How often a paired test of the means with neighbours finds a difference (p < 0.05) between two
    systems that do not differ.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

import numpy as np

import mteval_core as mt

DOCUMENTS, LENGTH = (30, 100), 10
SHARED = 0.2
"""Part of the variance that the segments of a document share."""

RESAMPLES = 300
LARGEST, NEIGHBOURS = "largest", "neighbours"


class Largest:
    """The largest number of a document."""

    def segment_statistics(self, hypothesis: list[str], _: Any) -> list[float]:
        """Return the number."""
        return [max(map(float, hypothesis))]


class Neighbours:
    """The mean of a segment and those around it."""

    def statistics(self, own: mt.TextCorpus, around: mt.TextCorpus) -> Any:
        """Return the means."""
        texts = zip(own.hypotheses, around.hypotheses, strict=True)
        return [[np.mean([*map(float, " ".join(each).split())])] for each in texts]


@mt.hookimpl
def mteval_register_metrics() -> list[mt.MetricSpec]:
    """Register both metrics."""
    word = mt.View(tok="none")
    views = {
        "own": mt.View(raw=True),
        "around": mt.View(of="document", before=1, after=1, raw=True),
    }
    shared: dict[str, Any] = {"references": "none", "bounds": (-np.inf, np.inf)}
    return [
        mt.MetricSpec(
            LARGEST,
            factory=Largest,
            values={"value": 1},
            unit="document",
            views={"words": word},
            **shared,
        ),
        mt.MetricSpec(NEIGHBOURS, factory=Neighbours, values={"value": 1}, views=views, **shared),
    ]


def draw_texts(n: int, rng: np.random.Generator) -> tuple[list[str], list[str]]:
    """Draw the outputs of two systems, whose segments have as much in common."""
    shape = (n, LENGTH)
    shared = np.sqrt(SHARED) * rng.normal(size=(n, 1))
    common = np.sqrt((1 - SHARED) / 2) * rng.normal(size=shape)
    both = [shared + common + np.sqrt((1 - SHARED) / 2) * rng.normal(size=shape) for _ in "AB"]
    one, other = ([f"{value:.12f}" for value in values.ravel()] for values in both)
    return one, other


def expected_largest() -> float:
    """Return the expected largest number of a document, by numerical integration."""
    x = np.linspace(-9, 9, 200_001)
    density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    below = np.cumsum(density) * (x[1] - x[0])
    largest = np.sum(x * LENGTH * density * below ** (LENGTH - 1)) * (x[1] - x[0])
    return float(np.sqrt(1 - SHARED) * largest)  # what a document shares has the mean 0


def contained(registry: mt.Registry, n: int, seed: int, largest: float) -> list[bool]:
    """Draw a test set and say what its intervals contain, and whether its tests err."""
    rng = np.random.default_rng([seed, n])
    names = [str(k // LENGTH) for k in range(n * LENGTH)]
    one, other = draw_texts(n, rng)
    evaluation = mt.evaluate(
        {"A": one, "B": other}, [one], [LARGEST, NEIGHBOURS], documents=names, registry=registry
    )
    drawn: dict[str, Any] = {"by": "doc", "seed": seed}
    done = evaluation.confidence(RESAMPLES, **drawn)
    scores = evaluation.scores
    scorers = {NEIGHBOURS: scores.scorers[NEIGHBOURS]}
    alone = replace(scores.test_set, documents=tuple(map(str, range(len(names)))))
    cut = replace(evaluation, scores=replace(scores, test_set=alone, scorers=scorers))
    by_segment = cut.confidence(RESAMPLES, **drawn).intervals
    tested = [evaluation.compare(test, RESAMPLES, **drawn) for test in ("ar", "bs")]
    return [
        not done.intervals["A", LARGEST].excludes(largest),
        not done.intervals["A", NEIGHBOURS].excludes(0),
        not by_segment["A", NEIGHBOURS].excludes(0),
        *(each.comparisons["B", "A", NEIGHBOURS].p_value < 0.05 for each in tested),
    ]


def main() -> None:
    """Simulate all sizes and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=1000)
    repetitions = parser.parse_args().repetitions
    registry, largest = mt.load_registry(files=[__file__]), expected_largest()
    error = 1.96 * np.sqrt(0.0475 / repetitions)
    print(f"{repetitions} repetitions; sampling error of 0.95 and of 0.05 at 95%: ±{error:.3f}\n")
    print("| documents | largest | neighbours | by segment | par | pbs |")
    print("| --- | --- | --- | --- | --- | --- |")
    for n in DOCUMENTS:
        found = [contained(registry, n, k, largest) for k in range(repetitions)]
        rates = " | ".join(f"{rate:.3f}" for rate in np.mean(found, axis=0))
        print(f"| {n} | {rates} |", flush=True)


if __name__ == "__main__":
    main()
