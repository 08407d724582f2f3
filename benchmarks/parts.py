"""Measure what a part of a test set costs: to count, to resample, to send and to merge.

    python benchmarks/parts.py [--segments N] [--rounds R]

One system and one reference, one thread, text as in `bleu.py`. Times are the least CPU times of
several rounds. The figures of plugins/scale/docs/scale.md come from here.
"""

from __future__ import annotations

import argparse
import os
from time import process_time

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from bleu import make_text
from mteval_scale.arrow import to_bytes
from mteval_scale.plan import plan_of
from mteval_scale.received import from_bytes

import mteval_core as mt
from mteval_core.evaluation.counting import collect, count_segments, is_prepared, with_counts
from mteval_core.evaluation.sources import Part

METRICS = ("bleu", "chrf", "gtm", "rouge-l", "meteor", "wer", "nist")


def measure(name: str, part: Part, resamples: int, rounds: int) -> tuple[float, float, float]:
    """Return µs per segment to count a part, kB of its result, and ms to read and merge it."""
    plan = plan_of([name], ["A"], ["R"], resamples=resamples)
    (scorer,) = plan.scorers()
    if is_prepared(scorer):
        scorer = with_counts(scorer, collect(part, [scorer])[name])
    counting, merging = [], []
    for _ in range(rounds):
        start = process_time()
        partial = count_segments(part, [scorer], plan.kept)
        counting.append(process_time() - start)
        sent = to_bytes(partial, plan.id)
        start = process_time()
        partial.merge(from_bytes(sent, plan)[1])
        merging.append(process_time() - start)
    return min(counting) / len(part.test_set) * 1e6, len(sent) / 1e3, min(merging) * 1e3


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    hypotheses, references = make_text(arguments.segments)
    test_set = mt.TestSet((mt.Text.of(references),))
    part = Part({"A": mt.Text.of(hypotheses)}, test_set, np.arange(arguments.segments))
    print(f"{'':8}{'resamples':>10}{'µs':>8}{'kB':>8}{'merge ms':>10}")
    for name in METRICS:
        for resamples in (0, 1000):
            counting, size, merging = measure(name, part, resamples, arguments.rounds)
            print(f"{name:8}{resamples:10}{counting:8.1f}{size:8.0f}{merging:10.2f}")


if __name__ == "__main__":
    main()
