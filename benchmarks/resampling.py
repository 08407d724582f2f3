"""Measure the time and memory of resampling, in turn with sacreBLEU.

    python benchmarks/resampling.py [--segments N ...] [--rounds R]

The text is the same as in `bleu.py`. Each measurement is a separate process with the default BLAS
threads. Times are CPU seconds of all threads: a call with 1000 resamples minus one with 2 for the
intervals, and a call with 10,000 trials minus one with 2 for the test. Memory is the peak of a
process that scores one system with all installed metrics, with 1000 and with 10,000 resamples.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from bleu import make_text, run

CALL = """
import json, sys, time
a, b, references = json.load(open(sys.argv[1]))
{setup}
def seconds(work, n):
    start = time.process_time()
    work(n)
    return time.process_time() - start
for work, many in ((intervals, 1000), (test, 10_000)):
    work(2)
    print(seconds(work, many) - seconds(work, 2))
"""

SETUPS = {
    "mteval": """
import mteval_core as mt
one = mt.evaluate({"A": a}, [references], ["bleu"])
two = mt.evaluate({"A": a, "B": b}, [references], ["bleu"])
def intervals(n): one.confidence(n)
def test(n): two.compare("ar", n)
""",
    "sacreBLEU": """
import logging, sacrebleu
from sacrebleu.significance import PairedTest
logging.disable(logging.CRITICAL)
def intervals(n):
    sacrebleu.BLEU().corpus_score(a, [references], n_bootstrap=n)
def test(n):
    metrics = {"BLEU": sacrebleu.BLEU(references=[references])}
    PairedTest([("A", a), ("B", b)], metrics, None, test_type="ar", n_samples=n)()
""",
}


def measure(n: int, rounds: int, folder: Path) -> None:
    """Print the table for a number of segments."""
    a, references = make_text(n)
    b = a[1:] + a[:1]
    b = [y if i % 3 else x for i, (x, y) in enumerate(zip(a, b, strict=True))]
    data = folder / "data.json"
    data.write_text(json.dumps([a, b, references]), encoding="utf-8")
    seconds: dict[str, list[list[float]]] = {name: [] for name in SETUPS}
    for _ in range(rounds):
        for name, setup in SETUPS.items():
            _, _, out = run([sys.executable, "-c", CALL.format(setup=setup), str(data)])
            seconds[name].append([float(line) for line in out.split()])
    print(f"\n{n} segments, BLEU{'':16}{'mteval':>12}{'sacreBLEU':>12}{'ratio':>8}")
    titles = ("1000 resamples, CPU s", "10,000 trials of two, CPU s")
    best = [[min(times) for times in zip(*seconds[name], strict=True)] for name in SETUPS]
    for title, ours, theirs in zip(titles, *best, strict=True):
        print(f"{title:32}{ours:12.3f}{theirs:12.3f}{theirs / ours:8.1f}", flush=True)


def measure_memory(n: int, folder: Path) -> None:
    """Print the peak memory of scoring with all metrics, for two numbers of resamples."""
    hypotheses, references = make_text(n)
    for name, lines in {"hyp.txt": hypotheses, "ref.txt": references}.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    program = str(Path(sys.executable).parent / "mteval")
    files = [str(folder / "ref.txt"), "-i", str(folder / "hyp.txt")]
    print(f"\n{n} segments, all metrics of the default set")
    for resamples in (1_000, 10_000):
        seconds, memory, _ = run([program, "score", *files, "-ci", "-n", str(resamples), "-q"])
        title = f"{resamples} resamples"
        print(f"{title:32}{memory:9.0f} MB{seconds:11.1f} s", flush=True)


def main() -> None:
    """Measure time, then memory."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--segments", type=int, nargs="+", default=[2_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for n in arguments.segments:
            measure(n, arguments.rounds if n < 20_000 else 1, Path(folder))
        measure_memory(max(arguments.segments), Path(folder))


if __name__ == "__main__":
    main()
