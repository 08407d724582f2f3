"""Shards that are counted apart, written, read and merged give what one machine gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mteval_scale.arrow import to_bytes
from mteval_scale.plan import Plan, plan_of
from mteval_scale.received import from_bytes
from mteval_scale.shards import Segments, Shard

import mteval_core as mt
from mteval_core import InMemory, Kept, LineFiles, Partial, to_evaluation

pytest.importorskip("pyarrow")

MINI = Path(__file__).parents[3] / "examples" / "mini"
SYSTEMS = {name: [str(MINI / "systems" / f"{name}.txt")] for name in ("deep", "rule")}
REFERENCES = [str(MINI / f"ref{k}.txt") for k in range(2)]
SOURCE = str(MINI / "src.de.txt")
N = 120


def is_planned(metric: str) -> bool:
    """Whether parts of texts can be counted under a metric."""
    try:
        plan_of([metric], ["A"], ["ref"], source=True)
    except mt.UsageError:
        return False
    return True


DECLARED = [entry.declaration for entry in mt.default_registry().of_kind(mt.MetricSpec)]
METRICS = [each.name for each in DECLARED if not each.pooled and is_planned(each.name)]


def in_memory() -> InMemory:
    texts = {name: mt.read_text(path) for name, (path,) in SYSTEMS.items()}
    references = mt.TestSet(tuple(map(mt.read_text, REFERENCES)), source=mt.read_text(SOURCE))
    return InMemory.of(texts, references)


def in_files() -> LineFiles:
    return LineFiles(REFERENCES, SYSTEMS, SOURCE, n_lines=50)


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of(METRICS, list(SYSTEMS), ["x", "y"], source=True, resamples=100, seed=3)


def with_statistics(evaluation: mt.Evaluation) -> mt.Evaluation:
    drawn: dict[str, Any] = {"resampler": "poisson", "seed": 3}
    return evaluation.confidence(100, **drawn).compare("bs", **drawn)


@pytest.fixture(scope="module")
def whole() -> mt.Evaluation:
    part = in_memory().whole
    return with_statistics(mt.evaluate(part.systems, part.test_set, METRICS))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("n_shards", "make"), [(1, in_files), (2, in_memory), (7, in_files), (64, in_memory)]
)
def test_shards_equal_the_whole(
    whole: mt.Evaluation, plan: Plan, n_shards: int, make: Any, threads: int
) -> None:
    assert len(METRICS) >= 14
    assert plan.kept == Kept(resamples=100, seed=3)
    scorers, parts = plan.scorers(), []
    seen = plan.kept.with_references(scorers, Segments(make()), threads)
    for k in range(1, n_shards + 1):
        shard = Shard(k, n_shards)
        counted = plan.kept.count_source(Segments(make(), shard.of(N)), seen, threads)
        name, partial = from_bytes(to_bytes(counted, plan.id, str(shard)), plan)
        assert name == str(shard)
        parts.append(partial)
    together = Partial()
    for partial in reversed(parts):
        together.merge(partial)
    found = with_statistics(to_evaluation(together, plan.systems, scorers, plan.kept))
    assert found.to_records() == whole.to_records()
    assert found.to_dict()["comparisons"] == whole.to_dict()["comparisons"]
