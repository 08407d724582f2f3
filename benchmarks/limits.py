"""Compare BLEU, WER and CER with small C++ programs that do nothing else: limits of this machine.

    python benchmarks/limits.py [--segments N] [--words N] [--rounds R]

The programs of ``limits/`` read both files, and take the time from the text of the files to the
score: `bleu.cpp` counts hashes of n-grams in a table, `edits.cpp` computes edit distances by bit
vectors. They split words at spaces, keep no rows, and check nothing. The scores must agree. mteval
is measured as in `peers.py`, from lists of strings, and both take turns. A C++ compiler is needed
(``c++``, or ``CXX``).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

from peers import OURS, measure
from translations import translations

import mteval_core as mt

PROGRAMS = Path(__file__).parent / "limits"
FLAGS = ["-O3", "-march=native", "-std=c++17"]
LIMITS = {
    "bleu:tok=none": ("bleu.cpp", []),
    "wer:tok=none": ("edits.cpp", ["wer"]),
    "cer": ("edits.cpp", ["cer"]),
}


def main() -> None:
    """Compile the programs, and print the times and ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--words", type=int, help="words of every reference")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    texts = translations(arguments.segments, words=arguments.words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, files = folder / "data.json", [folder / "ref", folder / "hyp"]
        data.write_text(json.dumps(texts), encoding="utf-8")
        for file, lines in zip(files, reversed(texts), strict=True):
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for source in ("bleu.cpp", "edits.cpp"):
            compiler, program = os.environ.get("CXX", "c++"), folder / Path(source).stem
            command = [compiler, *FLAGS, str(PROGRAMS / source), "-o", str(program)]
            subprocess.run(command, check=True)
        print(f"{'µs per segment':16}{'mteval':>10}{'limit':>10}{'ratio':>8}")
        for spec, (source, words) in LIMITS.items():
            command = [str(folder / Path(source).stem), *words, *map(str, files)]
            score = mt.metric(spec).corpus_score(texts[0], [texts[1]]).score
            codes, own, limits = (OURS[0].format(specs=[spec]), OURS[1].format()), [], []
            for _ in range(arguments.rounds):
                own.append(measure(codes, data) or 0)
                seconds, found = subprocess.check_output(command, text=True).split()
                assert abs(float(found) - score) < 1e-5, (spec, found, score)
                limits.append(float(seconds))
            times = [1e6 * min(each) / arguments.segments for each in (own, limits)]
            print(
                f"{spec:16}{times[0]:10.2f}{times[1]:10.2f}{times[0] / times[1]:8.1f}", flush=True
            )


if __name__ == "__main__":
    main()
