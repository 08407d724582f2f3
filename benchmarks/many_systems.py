"""Measure tests of all pairs of many systems: time, memory, and p-values beside computing all.

    python benchmarks/many_systems.py [--systems N ...] [--segments N] [--untested]

The systems replace some words of generated references by others, more or fewer of them. Each
measurement is a process of its own with the default number of trials. Afterwards, every trial of
eight of the systems is computed by the formula, and p-values that differ from those of the command
are counted. With ``--untested``, a folder of the systems is scored, and nothing else.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from bleu import make_text, run

import mteval_core as mt
from mteval_core.evaluation.exchanges import MARGIN

SCORE = [sys.executable, "-m", "mteval_core", "score", "-m", "bleu", "-q"]
SPECS = ["bleu", "chrf", "ter", "wer", "rouge-l", "meteor"]


def write_systems(count: int, n: int, folder: Path) -> tuple[Path, list[Path]]:
    """Write a reference and systems of n segments, and return their paths."""
    rng = random.Random(1)
    _, reference = make_text(n)
    words = sorted({word for line in reference for word in line.split()})
    hard = [rng.uniform(0.3, 1.7) for _ in range(n)]
    path = folder / "reference.txt"
    path.write_text("\n".join(reference) + "\n", encoding="utf-8")
    systems = []
    (folder / "systems").mkdir(exist_ok=True)
    for number in range(count):
        noise = 0.2 + 0.15 * rng.random()
        lines = [
            " ".join(rng.choice(words) if rng.random() < noise * h else w for w in line.split())
            for line, h in zip(reference, hard, strict=True)
        ]
        systems.append(folder / "systems" / f"system{number:05}.txt")
        systems[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path, systems


def count_unlike(reference: Path, systems: list[Path], spec: str) -> tuple[int, int]:
    """Count p-values, and those that change if all differences are computed by the formula."""
    texts = {path.stem: mt.read_text(path) for path in systems}
    evaluation = mt.evaluate(texts, mt.TestSet((mt.read_text(reference),)), [spec])
    found = []
    for margin in (MARGIN, 10**9):
        with patch("mteval_core.evaluation.exchanges.MARGIN", margin):
            compared = evaluation.compare("ar", all_pairs=True, correct="none").comparisons
        found.append([one.p_value for one in compared.values()])
    return len(found[0]), sum(a != b for a, b in zip(*found, strict=True))


def measure_untested(counts: list[int], n: int) -> None:
    """Measure scores of folders of systems, without tests."""
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            reference, _ = write_systems(count, n, Path(name))
            seconds, memory, _ = run([*SCORE, str(reference), "-i", f"{name}/systems"])
            print(f"{count:8}{'-':>6}{seconds:9.1f}{memory:7.0f}", flush=True)


def main() -> None:
    """Measure commands, then compare p-values."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--systems", type=int, nargs="+", default=[10, 50, 200])
    parser.add_argument("--segments", type=int, default=2_000)
    parser.add_argument("--untested", action="store_true")
    arguments = parser.parse_args()
    print(f"{'systems':>8}{'test':>6}{'CPU s':>9}{'MB':>7}")
    if arguments.untested:
        measure_untested(arguments.systems, arguments.segments)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reference, systems = write_systems(max(arguments.systems), arguments.segments, folder)
        for count in arguments.systems:
            for test in ("-par", "-pbs") if count <= 50 else ("-par",):
                command = [*SCORE, "--all-pairs", str(reference), test]
                command += ["-i", *map(str, systems[:count]), "-o", str(folder / "report.json")]
                seconds, memory, _ = run(command)
                print(f"{count:8}{test:>6}{seconds:9.1f}{memory:7.0f}", flush=True)
        for spec in SPECS:
            n, n_unlike = count_unlike(reference, systems[:8], spec)
            print(f"{spec:10}{n_unlike} of {n} p-values differ", flush=True)


if __name__ == "__main__":
    main()
