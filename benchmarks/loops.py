"""Metrics inside other people's loops: microseconds per segment, and what the adapters add.

    python benchmarks/loops.py [--repeat N]

Prints the loop of `sentence_score` against sacreBLEU's, on the segments of `examples/mini`, each
timed alone and the fastest of N calls taken, so that a busy machine disturbs little; then lists;
then states, torchmetrics and the metrics of a trainer, in batches of 16, against one call.
At the end, eight processes score an eighth each, and the merged state has to equal one call.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sacrebleu

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

MINI = Path(__file__).parents[1] / "examples" / "mini"
HYPOTHESES = (MINI / "systems" / "neural.txt").read_text(encoding="utf-8").splitlines()
REFERENCES = (MINI / "ref0.txt").read_text(encoding="utf-8").splitlines()
BATCH = 16
PEERS = {
    "bleu": sacrebleu.BLEU(effective_order=True),
    "chrf": sacrebleu.CHRF(),
    "ter": sacrebleu.TER(),
}


def fastest(calls: list[Callable[[], Any]], repeat: int) -> float:
    """Mean over the calls of the fastest time of each, in microseconds."""
    best = [float("inf")] * len(calls)
    for _ in range(repeat):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            best[i] = min(best[i], time.perf_counter() - start)
    return sum(best) / len(calls) * 1e6


def sentences(scorer: Any) -> list[Callable[[], Any]]:
    pairs = zip(HYPOTHESES, REFERENCES, strict=True)
    return [lambda h=h, r=r: scorer.sentence_score(h, [r]).score for h, r in pairs]


def in_state(spec: str) -> float:
    state = mt.metric(spec).start()
    for i in range(0, len(HYPOTHESES), BATCH):
        state.update(HYPOTHESES[i : i + BATCH], [REFERENCES[i : i + BATCH]])
    return state.compute().score


def in_torchmetrics(spec: str) -> float:
    from mteval_core.compat.torchmetrics import Metric

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
    from mteval_core.compat.transformers import ComputeMetrics

    metrics, n = ComputeMetrics(Lines(), spec), len(HYPOTHESES)
    for i in range(0, n, BATCH):
        last = i + BATCH >= n
        scores = metrics(Batch(range(i, min(i + BATCH, n))), compute_result=last)
    return scores[spec]


def part(spec: str, k: int) -> mt.State:
    """Score every eighth segment, in a process of its own."""
    state = mt.metric(spec).start([REFERENCES])
    state.update(HYPOTHESES[k::8], [REFERENCES[k::8]])
    return state


def check_processes(spec: str) -> None:
    """Merge the states of eight processes, which come as pickles."""
    whole = mt.metric(spec).start([REFERENCES])
    with ProcessPoolExecutor(8) as pool:
        for state in pool.map(part, [spec] * 8, range(8)):
            whole.merge(state)
    assert whole.compute() == mt.metric(spec).corpus_score(HYPOTHESES, [REFERENCES])


def growth(spec: str, n: int) -> int:
    """Memory that n calls leave behind, in bytes."""
    scorer = mt.metric(spec)
    scorer.sentence_score("a", ["a"])
    tracemalloc.start()
    for i in range(n):
        scorer.sentence_score(f"{i} {HYPOTHESES[i % 100]}", [f"{i} {REFERENCES[i % 100]}"])
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--calls", type=int, default=10_000, help="calls of the test of memory")
    arguments = parser.parse_args()
    n = len(HYPOTHESES)
    print("metric  sentence_score  sacreBLEU  times as fast  sentence_scores")
    for spec, peer in PEERS.items():
        scorer = mt.metric(spec)
        own = fastest(sentences(scorer), arguments.repeat)
        theirs = fastest(sentences(peer), 3 if spec == "ter" else arguments.repeat)
        listed = [lambda s=scorer: s.sentence_scores(HYPOTHESES, [REFERENCES])]
        several = fastest(listed, arguments.repeat) / n
        print(f"{spec:6}  {own:11.1f} us {theirs:7.1f} us {theirs / own:14.2f} {several:13.1f} us")
    loops = {"state": in_state, "trainer": in_trainer}
    loops |= {"torchmetrics": in_torchmetrics} if find_spec("torchmetrics") else {}
    print(f"\nmetric  one call{''.join(f'{name:>15}' for name in loops)}  (us per segment)")
    for spec in PEERS:
        scorer = mt.metric(spec)
        whole = fastest([lambda s=scorer: s.corpus_score(HYPOTHESES, [REFERENCES])], 20) / n
        times = [fastest([lambda f=f, s=spec: f(s)], arguments.repeat) / n for f in loops.values()]
        expected = scorer.corpus_score(HYPOTHESES, [REFERENCES]).score
        assert all(loop(spec) == expected for loop in loops.values())
        print(f"{spec:6} {whole:9.1f}{''.join(f'{each:15.1f}' for each in times)}")
    for spec in (*PEERS, "nist", "meteor"):
        check_processes(spec)
    print("\nThe merged states of 8 processes equal one call.")
    print(f"{arguments.calls} calls leave {growth('chrf', arguments.calls)} bytes behind.")


if __name__ == "__main__":
    main()
