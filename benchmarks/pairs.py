"""Simulate intervals of the strengths of systems by Bradley and Terry.

    python benchmarks/pairs.py [--repetitions N] > benchmarks/results/pairs.md

Each output has the strength of its system and noise of the Gumbel distribution; the better of two
outputs wins. So system i wins against j with the probability of Bradley and Terry, and the pairs
of a segment depend on one another, as they do in a test set. With ties, a difference of less than
0.3 is one; the strengths are then those that a million segments have. For four systems, the table
has how often the 95% interval of a strength contains the true one: over all systems, for the best
and for the worst of them; and how often the ranking is right.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from typing import Any

import numpy as np
from mteval_decide.pairs import bradley_terry, ranked, wins_of

STRENGTHS = np.array([1.0, 0.4, -0.4, -1.0])
SIZES, RESAMPLES = (50, 200, 1000), 500
TIES = (0.0, 0.3)
SYSTEMS = ["A", "B", "C", "D"]


def draw_outcomes(n: int, tie: float, rng: np.random.Generator) -> Any:
    """Draw who wins each segment, for all pairs, shape (n_pairs, n)."""
    quality = STRENGTHS[:, None] + rng.gumbel(size=(len(STRENGTHS), n))
    leads = np.array([quality[i] - quality[j] for i, j in combinations(range(len(quality)), 2)])
    return np.where(np.abs(leads) < tie, 0.5, leads > 0)


def main() -> None:
    """Simulate all designs and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=1000)
    n_studies = parser.parse_args().repetitions
    error = 1.96 * np.sqrt(0.0475 / n_studies)
    print(f"{n_studies} repetitions; sampling error of 0.95 at 95%: ±{error:.3f}\n")
    print("| segments | ties | strengths | best | worst | right order |")
    print("| --- | --- | --- | --- | --- | --- |")
    for tie in TIES:
        many = draw_outcomes(1_000_000, tie, np.random.default_rng(1))
        wins = wins_of(np.ones((1, many.shape[1])), many, len(SYSTEMS))
        truth = bradley_terry(wins)[0] if tie else STRENGTHS - STRENGTHS.mean()
        share = float(np.mean(many == 0.5))
        for n in SIZES:
            contained, right = [], []
            for k in range(n_studies):
                outcomes = draw_outcomes(n, tie, np.random.default_rng([k, n]))
                found = ranked(SYSTEMS, outcomes, resamples=RESAMPLES, level=95.0, seed=k)
                by_name = {one.system: one for one in found}
                ends = [(by_name[name].low, by_name[name].high) for name in SYSTEMS]
                contained.append(
                    [low <= s <= high for (low, high), s in zip(ends, truth, strict=True)]
                )
                right.append([one.system for one in found] == SYSTEMS)
            rates = np.mean(contained, axis=0)
            numbers = (rates.mean(), rates[0], rates[-1], np.mean(right))
            shown = " | ".join(f"{number:.3f}" for number in numbers)
            print(f"| {n} | {share:.0%} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
