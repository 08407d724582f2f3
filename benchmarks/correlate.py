"""CPU time and peak memory of the table of Lin and Och.

    python benchmarks/correlate.py [DIRECTORY] [-m SPEC ...] [--resamples N ...]

The directory is a test set with ``ref*.txt``, ``systems/*.txt`` and ``human_raters.tsv``. Without a
directory, the benchmark generates texts and judgments from a seed: 13 systems, 529 segments, two
references. Each measurement runs a new process on one thread and includes start-up. The default
metrics are those of the default set, in three sets (Case, NoCase, Stem).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

N_SYSTEMS, N_SEGMENTS = 13, 529


def make(directory: Path, seed: int = 1) -> None:
    """Write systems of increasing quality, two references, and scores of noisy raters."""
    rng = random.Random(seed)
    words = [f"{a}{b}{c}" for a in "bdgklmnprst" for b in "aeiou" for c in ("n", "r", "st", "")]
    weights = [1 / rank for rank in range(1, len(words) + 1)]

    def noisy(line: list[str], keep: float) -> list[str]:
        return [w if rng.random() < keep else rng.choices(words, weights)[0] for w in line]

    source = [rng.choices(words, weights, k=rng.randint(6, 40)) for _ in range(N_SEGMENTS)]
    for k in range(2):
        lines = [" ".join(noisy(line, 0.8)) for line in source]
        (directory / f"ref{k}.txt").write_text("\n".join(lines) + "\n")
    (directory / "systems").mkdir()
    rows = ["system\tsegment\trater\tscore\taccuracy\tfluency"]
    for s in range(N_SYSTEMS):
        quality = 0.5 + 0.03 * s
        lines = [" ".join(noisy(line, quality)) for line in source]
        (directory / "systems" / f"system{s:02}.txt").write_text("\n".join(lines) + "\n")
        for i in range(N_SEGMENTS):
            scores = [round(quality * 25 - 25 + rng.gauss(0, 4), 1) for _ in range(3)]
            rows.append(f"system{s:02}\t{i}\tr{i % 8}\t" + "\t".join(map(str, scores)))
    (directory / "human_raters.tsv").write_text("\n".join(rows) + "\n")


def run(command: list[str]) -> tuple[float, float, bytes]:
    """Run a process and return its CPU seconds, peak memory in MB and output."""
    with tempfile.TemporaryFile() as out:
        pid = os.fork()
        if pid == 0:
            os.dup2(out.fileno(), 1)
            os.environ["OMP_NUM_THREADS"] = "1"
            if hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
            os.execv(command[0], command)
        _, status, usage = os.wait4(pid, 0)
        if status:
            raise SystemExit(f"{' '.join(command)} failed")
        out.seek(0)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read()


def measure(directory: Path, metrics: list[str], resamples: list[int]) -> None:
    """Measure the command on one test set, and print the results."""
    references = sorted(map(str, directory.glob("ref*.txt")))
    systems = sorted(map(str, directory.glob("systems/*.txt")))
    command = [sys.executable, "-m", "mteval_core", "correlate", *references, "-i", *systems]
    command += ["--human", str(directory / "human_raters.tsv"), "--lin-och", "-f", "json", "-q"]
    command += ["-m", *metrics] if metrics else []
    print(f"{'resamples':>10}{'CPU s':>9}{'peak MB':>9}  results")
    for n in resamples:
        seconds, memory, out = run([*command, "-n", str(n)])
        report = json.loads(out)
        cells = len(report["records"])
        scored = len(report["signatures"])
        print(f"{n:10}{seconds:9.2f}{memory:9.0f}  {cells} numbers, {scored} metrics and sets")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directory", nargs="?", type=Path)
    parser.add_argument("-m", "--metrics", nargs="+", default=[], metavar="SPEC")
    parser.add_argument("--resamples", nargs="+", type=int, default=[0, 1000, 10_000])
    arguments = parser.parse_args()
    version = subprocess.run(
        [sys.executable, "-m", "mteval_core", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    print(version.stdout.strip())
    if arguments.directory:
        measure(arguments.directory, arguments.metrics, arguments.resamples)
        return
    with tempfile.TemporaryDirectory() as made:
        make(Path(made))
        measure(Path(made), arguments.metrics, arguments.resamples)


if __name__ == "__main__":
    main()
