"""Parts of a test set give what the whole gives, to the last bit."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.distributed.merging import to_evaluation
from mteval_core.distributed.partial import Partial
from mteval_core.distributed.plan import Plan, plan_of
from mteval_core.distributed.worker import Batch, Worker
from mteval_core.errors import InputError, PluginError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mteval_core.evaluation.scores import Level

ADDITIVE = [
    scorer
    for entry in mt.default_registry().of_kind(mt.MetricSpec)
    if not entry.declaration.pooled
    and ((scorer := mt.metric(entry.declaration.name)).is_piecewise or not scorer.is_prepared)
]

MINI = Path(__file__).parents[2] / "examples" / "mini"
SYSTEMS = ("best", "rule", "short")
METRICS = [
    *(str(one.spec) for one in ADDITIVE),
    "bleu:loo=yes",
    "chrf:nw=2",
    "gtm:e=2",
]


def lines(name: str) -> list[str]:
    return (MINI / name).read_text().split("\n")[:-1]


TEXTS = {name: lines(f"systems/{name}.txt") for name in SYSTEMS}
REFERENCES = [lines(f"ref{k}.txt") for k in range(2)]
SOURCE = lines("src.de.txt")
DOCUMENTS = lines("docs.txt")
N = len(DOCUMENTS)


def some(segments: Sequence[str], ids: Iterable[int]) -> mt.Text:
    return mt.Text.of([segments[i] for i in ids])


def batch(ids: Any, systems: dict[str, list[str]] = TEXTS) -> Batch:
    return Batch(
        np.asarray(ids, np.int64),
        {name: some(text, ids) for name, text in systems.items()},
        mt.TestSet(
            tuple(some(reference, ids) for reference in REFERENCES),
            source=some(SOURCE, ids),
            documents=tuple(DOCUMENTS[i] for i in ids),
        ),
    )


def planned(level: Level = "corpus", resamples: int = 200, metrics: Any = METRICS) -> Plan:
    kept: dict[str, Any] = {"level": level, "resamples": resamples}
    return plan_of(metrics, SYSTEMS, ("ref0", "ref1"), source=True, seed=7, **kept)


def counted(plan: Plan, n_parts: int) -> mt.Evaluation:
    """Divide shuffled segments among workers, one of which gets none."""
    rng = np.random.default_rng(n_parts)
    return merged(plan, np.array_split(rng.permutation(N), n_parts))


def merged(plan: Plan, parts: Sequence[Any], registry: mt.Registry | None = None) -> mt.Evaluation:
    worker, whole = Worker(pickle.loads(pickle.dumps(plan)), registry), Partial(plan.id)
    if worker.collects:
        pieces = [worker.collect(batch(ids).test_set) for ids in parts]
        worker = worker.collected(pickle.loads(pickle.dumps(pieces)))
    for ids in parts:
        whole.merge(worker.count(batch(ids)))
        whole.merge(Partial(plan.id))
    return to_evaluation(Worker(Plan.from_json(plan.to_json()), registry), whole)


def with_statistics(evaluation: mt.Evaluation) -> mt.Evaluation:
    drawn = {"seed": 7, "resampler": "poisson"}
    return evaluation.confidence(200, **drawn).compare("bs", **drawn)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole() -> mt.Evaluation:
    return mt.evaluate(TEXTS, REFERENCES, METRICS, documents=DOCUMENTS, source=SOURCE)


@pytest.mark.parametrize("n_parts", [1, 2, 7])
def test_parts_equal_the_whole(whole: mt.Evaluation, n_parts: int) -> None:
    expected, found = with_statistics(whole), with_statistics(counted(planned(), n_parts))
    assert found.to_records() == expected.to_records()
    assert found.comparison_records() == expected.comparison_records()
    assert found.signature("best", "bleu") == expected.signature("best", "bleu")


def test_many_parts_equal_the_whole() -> None:
    specs = ["bleu", "rouge-w", "meteor", "nist"]
    whole = mt.evaluate(TEXTS, REFERENCES, specs, source=SOURCE)
    parts = counted(planned(metrics=specs), 64)
    assert with_statistics(parts).to_records() == with_statistics(whole).to_records()


def test_documents_of_parts_equal_those_of_the_whole(whole: mt.Evaluation) -> None:
    found = counted(planned("doc", resamples=0), 7)
    assert found.to_records("doc") == whole.to_records("doc")
    by_document = [each.confidence(100, by="doc").to_records() for each in (found, whole)]
    assert by_document[0] == by_document[1]


def test_rows_of_parts_equal_those_of_the_whole(whole: mt.Evaluation) -> None:
    found = counted(planned("segment", resamples=0), 3)
    assert found.to_records("segment") == whole.to_records("segment")
    assert found.compare().comparison_records() == whole.compare().comparison_records()
    inputs = [each.inputs()["systems"]["rule"][0]["hash"] for each in (found, whole)]
    assert inputs[0] == inputs[1]


def test_the_hypotheses_of_a_system_can_have_runs() -> None:
    texts = {"best": [TEXTS["best"], TEXTS["rule"]], "short": TEXTS["short"]}
    expected = mt.evaluate(texts, REFERENCES, ["chrf"])
    plan = plan_of(["chrf"], expected.runs, ("a", "b"), source=True)
    outputs = [text for texts in expected.runs.values() for text in texts]
    named = dict(zip(outputs, TEXTS.values(), strict=True))
    worker = Worker(plan)
    part = worker.count(batch(range(N), named))
    assert to_evaluation(worker, part).to_records() == expected.to_records()


class DependsOnOthers:
    """Rows that are not additive: each has the number of segments around it."""

    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        return np.full((len(words), 1), float(len(words)))

    def score(self, totals: Any) -> Any:
        return totals


class Huge(DependsOnOthers):
    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        return np.full((len(words), 1), 2.0**50)


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        (DependsOnOthers, r"the row of segment 5 is \[3\.\] among other segments and \[1\.\]"),
        (Huge, r"a sum of rows is 1\.01\d*e\+16: above 2\^53"),
    ],
)
def test_rows_that_cannot_be_added_are_refused(
    plugin: Callable[..., Any], matches: mt.MetricSpec, factory: type, message: str
) -> None:
    mine = replace(matches, factory=factory, options=(), bounds=(0, np.inf))
    registry = mt.load_registry([plugin(metrics=[mine])])
    plan = plan_of(["matches"], SYSTEMS, ("a", "b"), source=True, registry=registry)
    with pytest.raises(PluginError, match=message):
        merged(plan, [range(5, 8), range(8, 11), range(11, 14)], registry)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([[0, 1], [1]], "3 segments with ids up to 1: some ids come twice"),
        ([[0, 1], [0, 3]], "4 segments with ids up to 3: some ids come twice"),
        ([[2, 2]], "two segments have the id 2"),
        ([[-1]], "segment id -1: expected a whole number"),
        ([], "the test set is empty"),
    ],
)
def test_repeated_ids_are_refused(ids: list[list[int]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        merged(planned(metrics=["wer"]), ids)


def test_parts_of_another_plan_are_refused() -> None:
    plan, other = planned(metrics=["wer"]), planned(metrics=["per"])
    with pytest.raises(InputError, match=f"plan {other.id} among those of the plan {plan.id}"):
        Partial(plan.id).merge(Worker(other).count(batch([1, 2])))
    with pytest.raises(InputError, match="a batch with the systems best, 2 references"):
        Worker(plan).count(batch([1], {"best": TEXTS["best"]}))
    elsewhere = replace(plan, signatures=("WER|version:0.0.1",))
    with pytest.raises(PluginError, match="install the same versions on all machines"):
        Worker(elsewhere)


def test_what_cannot_be_counted_in_parts_is_refused() -> None:
    with pytest.raises(UsageError, match="nist:loo=yes must see all references before it counts"):
        planned(metrics=["nist:loo=yes"])
    with pytest.raises(UsageError, match="collect them first"):
        Worker(planned(metrics=["nist"])).count(batch([1]))
    with pytest.raises(InputError, match="no source for the metric untranslated"):
        plan_of(["untranslated"], SYSTEMS, ("a",))
    with pytest.raises(InputError, match="not a plan of mteval"):
        Plan.from_json('{"metrics": 3}')


def test_only_what_was_counted_can_be_asked_for() -> None:
    found = counted(planned(metrics=["wer"]), 2)
    for ask, message in (
        (lambda: found.confidence(200), "only 200 resamples of a Poisson bootstrap"),
        (lambda: found.confidence(100, seed=7, resampler="poisson"), "expected intervals and"),
        (lambda: found.compare("ar"), "only 200 resamples"),
        (lambda: found.to_records("doc"), "the texts were counted in parts and dropped"),
        (lambda: found.corpus, "the texts were counted in parts and dropped"),
    ):
        with pytest.raises(UsageError, match=message):
            ask()
