"""Every metric on one long segment: seconds, or why it is refused.

    python benchmarks/long_texts.py [METRIC ...] [--lengths N ...] [--timeout S]

The texts have one type, two types, twenty types at random, or are permutations of each other. Each
measurement is a process of its own; the time is that of the CPU, without the start of Python. Set
`MTEVAL_KERNELS=python` to measure the plain-Python kernels.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

import numpy as np

import mteval_core as mt

METRICS = [
    "bleu", "nist", "chrf", "per", "wer", "ter", "rouge-n", "rouge-l", "rouge-w", "rouge-s",
    "rouge-s:skip=4", "gtm:e=2", "gtm:e=2,matching=exact", "meteor", "meteor:align=chunks",
    "meteor:align=beam[40]",
]  # fmt: skip
KINDS = {"one type": 1, "two types": 2, "twenty types": 20, "permutation": None}
LENGTHS = [100, 1_000, 10_000, 60_000]


def text(length: int, n_types: int | None, seed: int) -> str:
    rng = np.random.default_rng(seed)
    ids = rng.permutation(length) if n_types is None else rng.integers(0, n_types, length)
    return " ".join(f"w{i}" for i in ids)


def measure(metric: str, length: int, kind: str) -> str:
    """Seconds of one score; a refusal has what there may be at most."""
    hypothesis, reference = (text(length, KINDS[kind], seed) for seed in (1, 2))
    scorer = mt.metric(metric)
    scorer.sentence_score("w1 w2", ["w1 w2"])  # imports what is needed
    start = time.process_time()
    try:
        scorer.sentence_score(hypothesis, [reference])
    except mt.InputError as error:
        reason = str(error).partition(" cannot score it: ")[2]
        limit = reason.partition("at most ")[2] or reason.partition(" than ")[2]
        return f"{time.process_time() - start:.2f}, refused: {limit.partition(';')[0]}"
    return f"{time.process_time() - start:.2f}"


def in_process(metric: str, length: int, kind: str, timeout: float) -> str:
    command = [sys.executable, __file__, metric, "--lengths", str(length), "--kind", kind]
    try:
        run = subprocess.run(command, timeout=timeout, check=False, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return f"above {timeout:g}"
    return run.stdout.strip() or run.stderr.strip().splitlines()[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("metrics", nargs="*", default=METRICS)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--kind", choices=KINDS, help="measure once, in this process")
    options = parser.parse_args()
    if options.kind:
        print(measure(options.metrics[0], options.lengths[0], options.kind))
        return
    print("| metric | types |", " | ".join(f"{n:,}" for n in options.lengths), "|")
    print("| --- | --- |", " --- |" * len(options.lengths))
    for metric in options.metrics:
        for kind in KINDS:
            cells = (in_process(metric, n, kind, options.timeout) for n in options.lengths)
            print(f"| {metric} | {kind} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
