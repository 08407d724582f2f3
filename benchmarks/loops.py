"""Metrics inside other people's loops: microseconds per segment, and what the adapters add.

    python benchmarks/loops.py [--repeat N] [--calls N]

Prints five tables: the loop of `sentence_score` against sacreBLEU's, both in turns, on segments of
25 tokens that are new each time, and once more on the same ones, whose tokens sacreBLEU then finds
in its cache; the loops of other metrics against other programs; states, torchmetrics and the
metrics of a trainer, in batches of 16, against one call; matrices and mbrs (see `matrix.py`). Peers
that are not installed are left out: ``pip install sacrebleu jiwer rouge-score nltk torchmetrics
fastchrf mbrs``. It also checks that eight processes that score an eighth
each get the score of one call, and that memory does not grow.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import sacrebleu
from matrix import print_matrices, seconds

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

MINI = Path(__file__).parents[1] / "examples" / "mini"
HYPOTHESES = (MINI / "systems" / "neural.txt").read_text(encoding="utf-8").splitlines()
REFERENCES = (MINI / "ref0.txt").read_text(encoding="utf-8").splitlines()
WORDS = " ".join([*HYPOTHESES, *REFERENCES]).split()
BATCH = 16
PEERS = {
    "bleu:eff=yes": sacrebleu.BLEU(effective_order=True),
    "chrf": sacrebleu.CHRF(),
    "chrf:nw=2": sacrebleu.CHRF(word_order=2),
    "ter": sacrebleu.TER(),
}


def new_segments(n: int, draw: random.Random) -> list[tuple[str, str]]:
    """Draw references of 25 tokens, and hypotheses with two to eight of them replaced."""
    pairs = []
    for _ in range(n):
        start = draw.randrange(len(WORDS) - 25)
        reference = [*WORDS[start : start + 24], str(draw.randrange(10**9))]
        hypothesis = list(reference)
        for _ in range(draw.randint(2, 8)):
            hypothesis[draw.randrange(25)] = draw.choice(WORDS)
        pairs.append((" ".join(hypothesis), " ".join(reference)))
    return pairs


def loop(scorer: Any, pairs: list[tuple[str, str]]) -> float:
    """Score segments one by one; return the CPU time of a segment in microseconds."""
    start = time.process_time()
    for hypothesis, reference in pairs:
        scorer.sentence_score(hypothesis, [reference]).score  # noqa: B018
    return (time.process_time() - start) / len(pairs) * 1e6


def print_sentences(repeat: int) -> None:
    """Print the loops, each at its fastest of `repeat` turns of 30 segments."""
    print(
        "| metric | sentence_score | sacreBLEU, new segments | the same again | sentence_scores |"
    )
    print("| --- | ---: | ---: | ---: | ---: |")
    draw = random.Random(1)
    for spec, peer in PEERS.items():
        scorer = mt.metric(spec)
        turns = []
        for _ in range(repeat if spec != "ter" else repeat // 10):
            pairs = new_segments(30, draw)
            hypotheses, references = map(list, zip(*pairs, strict=True))
            start = time.process_time()
            scorer.sentence_scores(hypotheses, [references])
            several = (time.process_time() - start) / len(pairs) * 1e6
            turns.append((loop(scorer, pairs), loop(peer, pairs), loop(peer, pairs), several))
        own, new, again, several = map(min, zip(*turns, strict=True))
        cells = f"{own:.1f} | {new:.1f} ({new / own:.1f}x) | {again:.1f} ({again / own:.1f}x)"
        print(f"| {spec} | {cells} | {several:.1f} |", flush=True)


def other_programs() -> dict[str, tuple[str, Callable[[str, str], object]]]:
    """Return a program that scores a hypothesis and a reference for each of some metrics."""
    programs: dict[str, tuple[str, Callable[[str, str], object]]] = {}
    if find_spec("jiwer"):
        import jiwer

        programs["wer"] = "jiwer", lambda h, r: jiwer.wer(r, h)
        programs["cer"] = "jiwer", lambda h, r: jiwer.cer(r, h)
    if find_spec("rouge_score"):
        from rouge_score.rouge_scorer import RougeScorer

        rouge = RougeScorer(["rougeL"])
        programs["rouge-l"] = "rouge-score", lambda h, r: rouge.score(r, h)
    if find_spec("nltk"):
        from nltk.translate.meteor_score import single_meteor_score
        from nltk.translate.nist_score import sentence_nist

        programs["nist"] = "nltk", lambda h, r: sentence_nist([r.split()], h.split())
        without_synonyms = SimpleNamespace(synsets=lambda _: [])
        programs["meteor"] = (
            "nltk",
            lambda h, r: single_meteor_score(r.split(), h.split(), wordnet=without_synonyms),
        )
    return programs


def print_others(repeat: int) -> None:
    """Print the loops of other metrics, each at its fastest of `repeat` turns of 30 segments."""
    print("\n| metric | sentence_score | program | its call |")
    print("| --- | ---: | --- | ---: |")
    draw = random.Random(2)
    for spec, (name, call) in other_programs().items():
        scorer = mt.metric(spec)
        turns = []
        for _ in range(repeat):
            pairs = new_segments(30, draw)
            own = loop(scorer, pairs)
            start = time.process_time()
            for hypothesis, reference in pairs:
                call(hypothesis, reference)
            turns.append((own, (time.process_time() - start) / len(pairs) * 1e6))
        own, theirs = map(min, zip(*turns, strict=True))
        print(f"| {spec} | {own:.1f} | {name} | {theirs:.1f} ({theirs / own:.1f}x) |", flush=True)


def in_state(spec: str) -> float:
    state = mt.State(mt.metric(spec))
    for i in range(0, len(HYPOTHESES), BATCH):
        state.update(HYPOTHESES[i : i + BATCH], [REFERENCES[i : i + BATCH]])
    return state.compute().score


def in_torchmetrics(spec: str) -> float:
    from mteval_adapters.torchmetrics import Metric

    metric = Metric(spec)
    for i in range(0, len(HYPOTHESES), BATCH):
        metric.update(HYPOTHESES[i : i + BATCH], REFERENCES[i : i + BATCH])
    return float(metric.compute())


class Lines:
    """A tokenizer whose only token is the number of a line."""

    pad_token_id = 0

    def batch_decode(self, ids: Any, **_: Any) -> list[str]:
        return [(HYPOTHESES + REFERENCES)[row[0]] for row in ids.tolist()]


class Batch:
    def __init__(self, numbers: range) -> None:
        self.predictions = [[i] for i in numbers]
        self.label_ids = [[i + len(HYPOTHESES)] for i in numbers]


def in_trainer(spec: str) -> float:
    from mteval_adapters.transformers import ComputeMetrics

    metrics, n = ComputeMetrics(Lines(), spec), len(HYPOTHESES)
    for i in range(0, n, BATCH):
        last = i + BATCH >= n
        scores = metrics(Batch(range(i, min(i + BATCH, n))), compute_result=last)
    return scores[spec]


def part(spec: str, k: int) -> mt.State:
    """Score every eighth segment, in a process of its own."""
    state = mt.State(mt.metric(spec), [REFERENCES])
    state.update(HYPOTHESES[k::8], [REFERENCES[k::8]])
    return state


def check_processes(spec: str) -> None:
    """Merge the states of eight processes, which come as pickles."""
    whole = mt.State(mt.metric(spec), [REFERENCES])
    with ProcessPoolExecutor(8) as pool:
        for state in pool.map(part, [spec] * 8, range(8)):
            whole.merge(state)
    assert whole.compute() == mt.metric(spec).corpus_score(HYPOTHESES, [REFERENCES])


def growth(spec: str, n: int) -> str:
    """Say how much memory n calls leave behind, and by how much the process grows meanwhile."""
    scorer = mt.metric(spec)

    def call(i: int) -> None:
        scorer.sentence_score(f"{i} {HYPOTHESES[i % 100]}", [f"{i} {REFERENCES[i % 100]}"])

    for i in range(n // 10):
        call(i)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for i in range(n):
        call(i)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    tracemalloc.start()
    for i in range(n // 10):
        call(i)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return f"{n} calls with {spec}: the process grows by {grown} kB, {kept} bytes stay allocated."


def print_adapters(repeat: int) -> None:
    """Print what states and adapters take, at their fastest of `repeat` turns."""
    adapters = {"state": in_state, "trainer": in_trainer}
    adapters |= {"torchmetrics": in_torchmetrics} if find_spec("torchmetrics") else {}
    print(f"\n| metric | one call | {' | '.join(adapters)} |")
    print("| --- | ---: |" + " ---: |" * len(adapters))
    for spec in PEERS:
        scorer = mt.metric(spec)
        expected = scorer.corpus_score(HYPOTHESES, [REFERENCES]).score
        assert all(adapter(spec) == expected for adapter in adapters.values())
        calls = [
            lambda scorer=scorer: scorer.corpus_score(HYPOTHESES, [REFERENCES]),
            *(partial(adapter, spec) for adapter in adapters.values()),
        ]
        turns = [[seconds(call) for call in calls] for _ in range(repeat)]
        times = [min(own) / len(HYPOTHESES) * 1e6 for own in zip(*turns, strict=True)]
        print(f"| {spec} | {' | '.join(f'{each:.1f}' for each in times)} |", flush=True)


def main() -> None:
    """Print all tables, and check what they rest on."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=100)
    parser.add_argument("--calls", type=int, default=100_000, help="calls of the test of memory")
    arguments = parser.parse_args()
    print_sentences(arguments.repeat)
    print_others(arguments.repeat)
    print_adapters(arguments.repeat // 5)
    print()
    print_matrices([64, 256, 1024], n_pairs=1000)
    for spec in (*PEERS, "nist", "meteor"):
        check_processes(spec)
    print("\nThe merged states of 8 processes equal one call.")
    for spec in PEERS:
        print(growth(spec, arguments.calls), flush=True)


if __name__ == "__main__":
    main()
