"""The kernels: CPU microseconds per segment, on two files or on generated text.

    python benchmarks/kernels.py [REF HYP] [--segments N] [--rounds R]

The fastest round counts. Set `MTEVAL_KERNELS=python` to measure the plain-Python twins.
"""

from __future__ import annotations

import argparse
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import mteval_kernels as kernels
from mteval_core.text.tokens import References, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Call = Callable[[], object]


class Lines(NamedTuple):
    """Lines in one buffer, as scanners take them."""

    buffer: bytes
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def split_lines(buffer: bytes) -> Lines:
    ends = np.flatnonzero(np.frombuffer(buffer, np.uint8) == ord("\n"))
    return Lines(buffer, np.append(0, ends[:-1] + 1), ends)


def make_lines(n: int) -> tuple[bytes, bytes]:
    """Draw references of about 25 tokens by Zipf's law, and hypotheses with most of their words."""
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


def scans(references: Lines) -> Iterator[tuple[str, Call]]:
    """Calls that read texts."""
    lines = references.buffer.decode().splitlines()
    yield "encode_lines", lambda: kernels.encode_lines(lines)
    yield "scan_whitespace", lambda: kernels.scan_whitespace(*references, kernels.Vocabulary())
    yield "scan_13a", lambda: kernels.scan_13a(*references, kernels.Vocabulary())
    yield "scan_characters", lambda: kernels.scan_characters(*references, kernels.Vocabulary())


def tables(references: References, words: list[str]) -> Iterator[tuple[str, Call]]:
    """Calls that number tokens and pairs."""
    left, right = references.ids[:-1], references.ids[1:]
    index = kernels.PairIndex()
    index.add(left, right)
    yield "PairIndex.add, bigrams", lambda: kernels.PairIndex().add(left, right)
    yield "PairIndex.find, bigrams", lambda: index.find(left, right)
    n_types = int(references.ids.max()) + 1
    repeated = kernels.repeated_ngrams(references.ids, 2, 0, n_types)[0]
    yield "repeated_ngrams, n <= 5", lambda: kernels.repeated_ngrams(references.ids, 5, 0, n_types)
    yield "find_ngrams, bigrams", lambda: kernels.find_ngrams(*repeated[:2], left, right)
    yield "Vocabulary.intern", lambda: kernels.Vocabulary().intern(words)


def comparisons(h: Tokens, r: References) -> Iterator[tuple[str, Call]]:
    """Calls that compare hypotheses with references."""
    tercom = {"max_size": 10, "max_distance": 50, "beam": 20}
    values = np.arange(max(h.lengths.max(), r.lengths.max()) + 1) ** 1.2
    budgets = np.minimum(h.lengths, r.lengths).astype(np.float64)
    for order in (1, 4, 12):
        name = f"clipped_matches, n <= {order}"
        yield name, lambda order=order: kernels.clipped_matches(h, r, order)
    yield "matched_ngrams, n <= 5", lambda: kernels.matched_ngrams(h, r, 5)
    yield "edit_distance", lambda: kernels.edit_distance(h, r)
    yield "shift_edit_distance", lambda: kernels.shift_edit_distance(h, r, **tercom)
    yield "lcs", lambda: kernels.lcs(h, r)
    yield "weighted_lcs", lambda: kernels.weighted_lcs(h, r, values)
    yield "skip_bigrams", lambda: kernels.skip_bigrams(h, r)
    yield "run_matching", lambda: kernels.run_matching(h, r, 2, budgets)
    yield "maximum_run_matching", lambda: kernels.maximum_run_matching(h, r, 2, budgets, limit=1000)


def alignments(h: Tokens, r: References, n_types: int) -> Iterator[tuple[str, Call]]:
    """Calls that align, by equal tokens and by a key that every third token shares."""
    keys = np.arange(n_types, dtype=np.int32) // 3
    relations = [None, (np.arange(n_types + 1), keys)]
    yield "staged_alignment, crossings", lambda: kernels.staged_alignment(h, r, relations)
    yield (
        "staged_alignment, chunks",
        lambda: kernels.staged_alignment(h, r, relations, minimize="chunks"),
    )
    yield "beam_alignment", lambda: kernels.beam_alignment(h, r, relations, weights=[1, 1], beam=40)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="REF HYP")
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    buffers = [file.read_bytes() for file in options.files] or make_lines(options.segments)
    references, hypotheses = map(split_lines, buffers)
    n = len(references.starts)

    vocabulary = kernels.Vocabulary()
    ids, offsets = kernels.scan_13a(*references, vocabulary)
    r = References(ids, offsets[:-1], offsets[1:], index=np.arange(n + 1))
    ids, offsets = kernels.scan_13a(*hypotheses, vocabulary)
    h = Tokens(ids, offsets[:-1], offsets[1:])
    calls = chain(
        scans(references),
        tables(r, vocabulary.tokens(r.ids)),
        comparisons(h, r),
        alignments(h, r, len(vocabulary)),
    )
    print(f"{n} segments, {kernels.implementation} kernels, microseconds per segment")
    for name, call in calls:
        print(f"{name:28}{fastest(call, options.rounds) / n * 1e6:8.2f}")


def fastest(call: Call, rounds: int) -> float:
    """CPU seconds of the fastest of several rounds."""
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
