"""Compare BLEU with sacreBLEU: CPU time and peak memory, measured alternately in one run.

    python benchmarks/bleu.py [REF HYP] [--segments N ...] [--rounds R]

Without files, the script generates text (seeded; words follow Zipf's law, with numbers and
punctuation). Both tools must be installed in the same environment. Each measurement runs in its own
process, and the table shows the smallest of the rounds. The library call is measured inside its
process, from lists of strings to a score, without imports.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

LIBRARY = {
    "mteval": "import mteval_core; bleu = mteval_core.metric('bleu'); score = bleu.corpus_score",
    "sacreBLEU": "import sacrebleu; bleu = sacrebleu.BLEU(); score = bleu.corpus_score",
}

CALL = """
import sys, time
{setup}
hypotheses, references = (open(p, encoding="utf-8").read().split("\\n")[:-1] for p in sys.argv[1:])
score(["a b"], [["a b"]])
start = time.process_time()
result = score(hypotheses, [references])
print(time.process_time() - start, result.score)
"""

PROCESS = {
    "mteval": ["score", "REF", "-i", "HYP", "-m", "bleu", "-b", "-w", "6", "-q"],
    "sacreBLEU": ["REF", "-i", "HYP", "-m", "bleu", "-b", "-w", "6"],
}


def make_text(n: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Make hypotheses and references of about 26 tokens that share about 60% of their words."""
    rng = random.Random(seed)
    syllables = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "an", "er")]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    odd = ["1,200", "3.5", "U.S.", "don't", "(see", "below)", "10-year", '"so"', "café", "Ångström"]

    def sentence() -> list[str]:
        length = max(3, int(rng.gauss(23, 9)))
        line = rng.choices(words, weights, k=length)
        line[rng.randrange(length)] = rng.choice(odd)
        line[rng.randrange(length)] += ","
        line[-1] += "."
        return line

    references = [sentence() for _ in range(n)]
    hypotheses = []
    for reference in references:
        noise = rng.choices(words, weights, k=len(reference))
        kept = [r if rng.random() < 0.75 else x for r, x in zip(reference, noise, strict=True)]
        hypotheses.append([word for word in kept if rng.random() > 0.05] or kept)
    return [" ".join(line) for line in hypotheses], [" ".join(line) for line in references]


def run(command: list[str]) -> tuple[float, float, str]:
    """Run a process outside of this source tree; return CPU seconds, peak MB and output."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        message = [seconds, after.ru_maxrss / 1024, done.stdout, done.stderr, done.returncode]
        os.write(writing, json.dumps(message).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        seconds, memory, out, err, code = json.load(stream)
    os.waitpid(pid, 0)
    if code:
        raise SystemExit(f"{' '.join(command)} failed: {err}")
    return seconds, memory, out.strip()


def measure(hypothesis: Path, reference: Path, rounds: int) -> None:
    """Measure one pair of files and print the table."""
    bin_ = Path(sys.executable).parent
    programs = {"mteval": bin_ / "mteval", "sacreBLEU": bin_ / "sacrebleu"}
    calls: dict[str, list[float]] = {name: [] for name in LIBRARY}
    processes: dict[str, list[tuple[float, float]]] = {name: [] for name in LIBRARY}
    scores: dict[str, set[str]] = {name: set() for name in LIBRARY}
    for _ in range(rounds):
        for name, setup in LIBRARY.items():
            code = CALL.format(setup=setup)
            _, _, out = run([sys.executable, "-c", code, str(hypothesis), str(reference)])
            seconds, score = out.split()
            calls[name].append(float(seconds))
            scores[name].add(f"{float(score):.6f}")
            names = {"REF": str(reference), "HYP": str(hypothesis)}
            command = [str(programs[name]), *(names.get(a, a) for a in PROCESS[name])]
            seconds, memory, out = run(command)
            processes[name].append((seconds, memory))
            scores[name].add(out)
    if len(scores["mteval"] | scores["sacreBLEU"]) != 1:
        raise SystemExit(f"the scores differ: {scores}")
    n = sum(1 for _ in hypothesis.open("rb"))
    print(f"\n{n} segments, BLEU {scores['mteval'].pop()} by both\n")
    print(f"{'':28}{'mteval':>12}{'sacreBLEU':>12}{'ratio':>8}")
    rows = {
        "library call, CPU s": {name: min(calls[name]) for name in calls},
        "process, CPU s": {name: min(s for s, _ in p) for name, p in processes.items()},
        "process, peak MB": {name: min(m for _, m in p) for name, p in processes.items()},
    }
    for title, row in rows.items():
        ours, theirs = row["mteval"], row["sacreBLEU"]
        print(f"{title:28}{ours:12.3f}{theirs:12.3f}{theirs / ours:8.1f}")


def main() -> None:
    """Measure the given files, or generated text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="REF HYP")
    parser.add_argument("--segments", type=int, nargs="+", default=[2_000, 100_000])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.files:
        reference, hypothesis = (path.resolve() for path in arguments.files)
        measure(hypothesis, reference, arguments.rounds)
        return
    with tempfile.TemporaryDirectory() as folder:
        for n in arguments.segments:
            hypotheses, references = make_text(n)
            hypothesis, reference = Path(folder, "hyp.txt"), Path(folder, "ref.txt")
            hypothesis.write_text("\n".join(hypotheses) + "\n", encoding="utf-8")
            reference.write_text("\n".join(references) + "\n", encoding="utf-8")
            measure(hypothesis, reference, arguments.rounds if n < 20_000 else 1)


if __name__ == "__main__":
    main()
