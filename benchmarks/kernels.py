"""The kernels: CPU microseconds per segment, on two files or on text made up here.

    python benchmarks/kernels.py [REF HYP] [--segments N] [--rounds R]

The smallest of the rounds counts. `MTEVAL_KERNELS=python` measures the plain-Python twins.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import kernels
from mteval_core.text.tokens import References, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class Lines(NamedTuple):
    """Lines in one buffer, as scanners take them."""

    buffer: bytes
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def split_lines(buffer: bytes) -> Lines:
    ends = np.flatnonzero(np.frombuffer(buffer, np.uint8) == ord("\n"))
    return Lines(buffer, np.append(0, ends[:-1] + 1), ends)


def make_lines(n: int) -> tuple[bytes, bytes]:
    """Make references of about 25 tokens by Zipf's law, hypotheses with most of their words."""
    rng = np.random.default_rng(1)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyzäéøß"))
    types = np.array(["".join(rng.choice(letters, 1 + i % 11)) for i in range(50_000)])
    references, hypotheses = [], []
    for length in rng.poisson(23, n) + 1:
        words = types[np.minimum(rng.zipf(1.3, length), len(types)) - 1].tolist()
        words[length // 2] += ","
        words[-1] += "."
        kept = [word for word in words if rng.random() < 0.8]
        at = length // 3
        references.append(" ".join(words) + "\n")
        hypotheses.append(" ".join(kept[at:] + kept[:at]) + "\n")
    return "".join(references).encode(), "".join(hypotheses).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="REF HYP")
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    buffers = [file.read_bytes() for file in options.files] or make_lines(options.segments)
    references, hypotheses = map(split_lines, buffers)
    n = len(references.starts)

    def report(name: str, call: Callable[[], object], n_texts: int = n) -> None:
        seconds = []
        for _ in range(options.rounds):
            start = time.process_time()
            call()
            seconds.append(time.process_time() - start)
        print(f"{name:28}{min(seconds) / n_texts * 1e6:8.2f}")

    print(f"{n} segments, {kernels.implementation} kernels, microseconds per segment")
    for name in ("scan_whitespace", "scan_13a"):
        scan = getattr(kernels, name)
        report(name, lambda scan=scan: scan(*references, kernels.Vocabulary()))

    vocabulary = kernels.Vocabulary()
    ids, offsets = kernels.scan_13a(*references, vocabulary)
    reference_texts = References(ids, offsets[:-1], offsets[1:], index=np.arange(n + 1))
    ids, offsets = kernels.scan_13a(*hypotheses, vocabulary)
    corpus = Tokens(ids, offsets[:-1], offsets[1:]), reference_texts
    weights = np.ones(len(vocabulary))
    for order in (1, 4, 12):
        report(
            f"clipped_matches, n <= {order}", lambda n=order: kernels.clipped_matches(*corpus, n)
        )
    report("weighted_matches", lambda: kernels.weighted_matches(*corpus, weights))

    budgets = np.minimum(corpus[0].lengths, reference_texts.lengths).astype(np.float64)
    report("run_matching", lambda: kernels.run_matching(*corpus, 2, budgets))
    report("maximum_run_matching", lambda: kernels.maximum_run_matching(*corpus, 2, budgets, 1000))

    left, right = reference_texts.ids[:-1], reference_texts.ids[1:]
    index = kernels.PairIndex()
    index.add(left, right)
    report("PairIndex.add, bigrams", lambda: kernels.PairIndex().add(left, right))
    report("PairIndex.find, bigrams", lambda: index.find(left, right))
    words = vocabulary.tokens(reference_texts.ids)
    report("Vocabulary.intern", lambda: kernels.Vocabulary().intern(words))


if __name__ == "__main__":
    main()
