"""Score every hypothesis against every reference: CPU time per pair, in one run with peers.

    python benchmarks/matrix.py [--sizes N ...] [--pairs N]

The texts are N variants of one segment of 25 tokens, as samples of a model are. fastchrf scores the
whole matrix at once, as mteval does. sacreBLEU scores as many pairs as `--pairs` says, one by one.
The package mbrs decodes with chrF by fastchrf, and by the adapter of mteval. Peers that are not
installed are skipped: ``pip install fastchrf sacrebleu mbrs``.
"""

from __future__ import annotations

import argparse
import random
import time
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bleu import make_text
from mteval_mbr import matrix

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

METRICS: tuple[str, ...] = ("chrf", "bleu", "rouge-l", "ter")


def variants(n: int) -> list[str]:
    """Replace, move and drop words of a segment of 25 tokens; return n different texts."""
    rng = random.Random(1)
    words = " ".join(make_text(50)[1]).split()
    base, found = words[:25], {" ".join(words[:25])}
    while len(found) < n:
        text = list(base)
        for _ in range(rng.randint(1, 8)):
            text[rng.randrange(25)] = rng.choice(words)
        if rng.random() < 0.5:
            text.insert(rng.randrange(25), text.pop(rng.randrange(25)))
        found.add(" ".join(text))
    return sorted(found)


def seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def peers(texts: list[str], n_pairs: int) -> Iterator[tuple[str, str, float]]:
    """Yield what is measured, a peer, and its microseconds per pair."""
    if find_spec("fastchrf"):
        from fastchrf import pairwise_chrf  # pyright: ignore[reportMissingImports]

        taken = seconds(lambda: pairwise_chrf([texts], [texts]))
        yield "chrf", "fastchrf", 1e6 * taken / len(texts) ** 2
    if find_spec("sacrebleu"):
        import sacrebleu

        scorers = {
            "chrf": sacrebleu.CHRF(),
            "bleu": sacrebleu.BLEU(effective_order=True),
            "ter": sacrebleu.TER(),
        }
        for name, scorer in scorers.items():
            fewer = n_pairs // 10 if name == "ter" else n_pairs
            pairs = [(h, r) for r in texts for h in texts][:fewer]

            def one_by_one(scorer: Any = scorer, pairs: Any = pairs) -> None:
                for hypothesis, reference in pairs:
                    scorer.sentence_score(hypothesis, [reference])

            yield name, "sacreBLEU", 1e6 * seconds(one_by_one) / len(pairs)


def decoding(texts: list[str]) -> Iterator[tuple[str, float]]:
    """Yield a metric of mbrs, and how many seconds the decoder takes with it."""
    from mbrs.decoders.mbr import DecoderMBR  # pyright: ignore[reportMissingImports]
    from mbrs.metrics.chrf import MetricChrF  # pyright: ignore[reportMissingImports]
    from mteval_mbr.mbrs import MetricMteval

    chosen = set()
    for name, metric in {
        "fastchrf": MetricChrF(MetricChrF.Config(fastchrf=True)),
        "mteval": MetricMteval(MetricMteval.Config("chrf")),
    }.items():
        decoder = DecoderMBR(DecoderMBR.Config(), metric)
        decoder.decode(texts[:3], texts[:3])  # imports what is needed
        yield name, seconds(lambda decoder=decoder: chosen.update(decoder.decode(texts, texts).idx))
    assert len(chosen) == 1  # both choose the same


def print_matrices(sizes: list[int], n_pairs: int) -> None:
    """Measure all sizes and print a table."""
    print(
        "| matrix | metric | mteval, µs per pair | peers, µs per pair |\n| --- | --- | --- | --- |"
    )
    for n in sizes:
        texts = variants(n)
        others: dict[str, list[str]] = {}
        measured = dict.fromkeys(METRICS, 0.0)
        for name in METRICS:
            scorer = mt.metric(name)
            matrix(scorer, texts[:2])  # imports what is needed
            measured[name] = 1e6 * seconds(partial(matrix, scorer, texts)) / n**2
        for name, peer, taken in peers(texts, n_pairs):
            times = taken / measured[name]
            others.setdefault(name, []).append(f"{peer} {taken:.1f} ({times:.0f}x)")
        for name in METRICS:
            cells = [f"{n} x {n}", name, f"{measured[name]:.2f}", ", ".join(others.get(name, []))]
            print(f"| {' | '.join(cells)} |", flush=True)
        if find_spec("mbrs"):
            taken = ", ".join(f"{name} {each:.2f} s" for name, each in decoding(texts))
            print(f"| {n} x {n} | mbrs with chrf | | {taken} |", flush=True)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 256, 1024], metavar="N")
    parser.add_argument("--pairs", type=int, default=2000, metavar="N")
    arguments = parser.parse_args()
    print_matrices(arguments.sizes, arguments.pairs)


if __name__ == "__main__":
    main()
