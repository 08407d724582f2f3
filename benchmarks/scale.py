"""Measure whole processes on small and large files, on one core and two, beside sacreBLEU.

    python benchmarks/scale.py [--segments N ...] [--rounds R] [--only NAME ...]

Text of up to 100,000 segments is generated as in `bleu.py`; more is this text again, with a random
word of each line replaced. Each measurement is a process of its own, and all programs take turns.
The table shows the smallest numbers of the rounds. The time on the wall tells something about two
threads only on a machine that does nothing else, so the load is printed at the end. The first table
is of calls in Python, without imports and reading, with the peers of `peers.py` that are installed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bleu import make_text, run
from peers import OURS, PEERS
from peers import measure as measure_call

SCORE = [sys.executable, "-m", "mteval_core", "score", "{ref}", "-i", "{hyp}", "-q"]
SACREBLEU = [sys.executable, "-m", "sacrebleu", "{ref}", "-i", "{hyp}", "-m", "bleu", "-b"]
SEGMENTS = [*SCORE, "-sl", "-o"]
CALLED = ("BLEU 13a", "NIST", "chrF", "TER", "WER", "ROUGE-L")
GENERATED = 100_000
CALL_SEGMENTS = 5_000


class Job(NamedTuple):
    """A command, and the largest number of segments that it is given."""

    command: list[str]
    largest: int = 10**9


JOBS = {
    "BLEU, one thread": Job([*SCORE, "-m", "bleu", "--threads", "1"]),
    "BLEU, two threads": Job([*SCORE, "-m", "bleu", "--threads", "2"]),
    "BLEU of sacreBLEU": Job(SACREBLEU, 100_000),
    "default set, one thread": Job([*SCORE, "--threads", "1"]),
    "default set, two threads": Job([*SCORE, "--threads", "2"]),
    "with intervals, one thread": Job([*SCORE, "-ci", "--threads", "1"], 100_000),
    "with intervals, two threads": Job([*SCORE, "-ci", "--threads", "2"], 100_000),
    "Poisson intervals, one thread": Job(
        [*SCORE, "-ci", "--resampler", "poisson", "--threads", "1"], 100_000
    ),
    "segments, BLEU, a text table": Job([*SEGMENTS, "{ref}.txt", "-m", "bleu"], 100_000),
    "segments, BLEU of sacreBLEU": Job([*SACREBLEU, "-sl"], 100_000),
    "segments, default set, JSON lines": Job([*SEGMENTS, "{ref}.jsonl"]),
    "segments, default set, CSV": Job([*SEGMENTS, "{ref}.csv"]),
    "segments, default set, Parquet": Job([*SEGMENTS, "{ref}.parquet"]),
    "Poisson intervals, two threads": Job(
        [*SCORE, "-ci", "--resampler", "poisson", "--threads", "2"], 100_000
    ),
}


def write_texts(n: int, folder: Path) -> dict[str, str]:
    """Write hypotheses and references of n segments, and return their paths."""
    rng = random.Random(2)
    texts = make_text(min(n, GENERATED))
    words = texts[1][0].split()
    paths = {name: str(folder / f"{name}{n}.txt") for name in ("hyp", "ref")}
    for path, lines in zip(paths.values(), texts, strict=True):
        with Path(path).open("w", encoding="utf-8") as file:
            for i in range(n):
                line = lines[i % GENERATED].split()
                if i >= GENERATED:
                    line[rng.randrange(len(line))] = rng.choice(words)
                file.write(" ".join(line) + "\n")
    return paths


def measure(n: int, names: list[str], rounds: int, folder: Path) -> None:
    """Print the table of all processes for a number of segments."""
    paths = write_texts(n, folder)
    found: dict[str, list[tuple[float, float, float]]] = {}
    for _ in range(rounds):
        for name in names:
            if n <= JOBS[name].largest:
                start = time.perf_counter()
                cpu, memory, _ = run([word.format(**paths) for word in JOBS[name].command])
                wall = time.perf_counter() - start
                found.setdefault(name, []).append((cpu, wall, memory))
    print(f"\n{f'{n} segments':36}{'CPU s':>10}{'wall s':>10}{'MB':>8}")
    for name, numbers in found.items():
        cpu, wall, memory = map(min, zip(*numbers, strict=True))
        print(f"{name:36}{cpu:10.2f}{wall:10.2f}{memory:8.0f}", flush=True)


def measure_calls(rounds: int, folder: Path) -> None:
    """Print the table of calls in Python."""
    data = folder / "data.json"
    data.write_text(json.dumps(make_text(CALL_SEGMENTS)), encoding="utf-8")
    print(f"{'call, µs per segment':24}{'mteval':>10}  peers")
    for name in CALLED:
        specs, peers = PEERS[name]
        codes = {"mteval": (OURS[0].format(specs=specs), OURS[1].format()), **peers}
        times: dict[str, list[float]] = {who: [] for who in codes}
        for _ in range(rounds):
            for who, code in codes.items():
                seconds = measure_call(code, data)
                times[who] += [] if seconds is None else [seconds]
        cells = {
            who: f"{1e6 * min(each) / CALL_SEGMENTS:.2f}" if each else "not installed"
            for who, each in times.items()
        }
        ours = cells.pop("mteval")
        others = "  ".join(f"{who} {cell}" for who, cell in cells.items())
        print(f"{name:24}{ours:>10}  {others}", flush=True)


def main() -> None:
    """Measure calls, then processes of all sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--segments", type=int, nargs="+", default=[2_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=list(JOBS), choices=list(JOBS))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure_calls(arguments.rounds, Path(folder))
        for n in arguments.segments:
            rounds = arguments.rounds if n <= GENERATED else 1
            measure(n, arguments.only, rounds, Path(folder))
    print(f"\nload at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
