"""The interfaces of other packages, on fakes of the few names that they use."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import mteval_adapters
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_adapters.evaluate import load
from mteval_adapters.references import streams
from mteval_adapters.transformers import IGNORED, ComputeMetrics
from mteval_testing.strategies import samples

import mteval_core as mt
from mteval_core import ExactSum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core import Sample

for plugin in ("bleu_nist", "chrf", "error_rates"):
    pytest.importorskip(f"mteval_{plugin}")

HYPOTHESES = ["the cat sat .", "\u6771\u4eac a dog", ""]
REFERENCES = [["the cat sits .", "a cat sat ."], "a dog", ["x", "", "y z"]]
STREAMS: list[list[str | None]] = [
    ["the cat sits .", "a dog", "x"],
    ["a cat sat .", None, ""],
    [None, None, "y z"],
]
SPECS = ["bleu", "chrf", "ter"]


def expected(spec: str) -> float:
    return mt.metric(spec).corpus_score(HYPOTHESES, STREAMS).score


def imported(name: str, fakes: dict[str, Any]) -> Iterator[ModuleType]:
    """Import a module of the adapters next to fakes of what it imports; then forget it."""
    path = f"mteval_adapters.{name}"
    with pytest.MonkeyPatch.context() as patch:
        for module, content in fakes.items():
            fake = ModuleType(module)  # Hypothesis wants modules that can be hashed
            vars(fake).update(vars(content))
            patch.setitem(sys.modules, module, fake)
        patch.setitem(sys.modules, path, ModuleType(path))
        patch.setattr(mteval_adapters, name, None, raising=False)
        del sys.modules[path]
        yield import_module(path)


# References, and the package evaluate


def of_segments(sample: Sample) -> list[list[str]]:
    """The references of each segment, without those that it lacks."""
    lists = zip(*sample.references, strict=True)
    return [[text for text in own if text is not None] for own in lists]


@given(st.lists(st.lists(st.sampled_from(["", "a", "\u6771 b"]), min_size=1), max_size=5))
def test_streams_hold_the_references_of_each_segment(references: list[list[str]]) -> None:
    made = streams(references)
    assert len(made) == max(map(len, references), default=0)
    assert {len(stream) for stream in made} <= {len(references)}
    back = [[text for text in own if text is not None] for own in zip(*made, strict=True)]
    assert back == references


@settings(max_examples=5)
@given(samples(max_segments=3, max_tokens=5), st.data())
def test_batches_of_any_size_are_one_call(sample: Sample, data: st.DataObject) -> None:
    module, references = load("chrf"), of_segments(sample)
    cut = data.draw(st.integers(0, len(references)))
    for part in (slice(cut), slice(cut, None)):
        module.add_batch(predictions=sample.hypotheses[part], references=references[part])
    score = mt.metric("chrf").corpus_score(sample.hypotheses, streams(references))
    assert module.compute() == {
        "score": score.score,
        **score.values,
        "signature": str(score.signature),
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predictions": ["a"]}, "1 predictions, but 0 references; expected"),
        ({"references": ["a"]}, "0 predictions, but 1 references; expected"),
        ({"predictions": "ab", "references": "ab"}, "predictions: expected a list.* got a string"),
        ({"predictions": ["a"], "references": "a"}, "references: expected a list.* got a string"),
        ({"predictions": {"a": 1}, "references": ["a"]}, "predictions: .* got dict"),
        ({"predictions": ["a"], "references": {"a"}}, "references: .* got set"),
        ({"predictions": 3, "references": ["a"]}, "predictions: .* got int"),
        ({"predictions": ["a"], "references": ["a"], "sources": "s"}, "sources: .* got a string"),
        (
            {"predictions": ["a"], "references": ["a"], "sources": ["s", "t"]},
            "1 predictions, but 2 sources; expected",
        ),
        ({"predictions": [None], "references": ["a"]}, "hypotheses: segment 0 is missing"),
        ({"predictions": ["\ud800"], "references": ["a"]}, "hypotheses: .*surrogate"),
        ({"sources": ["s"]}, "0 predictions, but 1 sources; expected"),
    ],
)
def test_what_pairs_no_segments_is_refused_and_forgotten(arguments: Any, message: str) -> None:
    module = load("wer")
    with pytest.raises(mt.InputError, match=message):
        module.compute(**arguments)
    assert module.compute(predictions=iter(["a b"]), references=iter(["a c"]))["score"] == 50  # type: ignore[arg-type]


# The package transformers


class Letters:
    """A tokenizer whose ids are code points."""

    pad_token_id = 0

    def batch_decode(self, ids: Any, *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return ["".join(map(chr, row)).rstrip("\0") for row in ids.tolist()]


def encoded(texts: list[str], fill: int) -> np.ndarray:
    width = max(map(len, texts))
    return np.array([[*map(ord, text), *[fill] * (width - len(text))] for text in texts], np.int64)


@settings(max_examples=5)
@given(samples(max_segments=3, max_references=1, max_tokens=5))
def test_a_trainer_decodes_what_it_has_filled(sample: Sample) -> None:
    sides = sample.hypotheses, sample.references[0]
    hypotheses, references = ([(text or "").rstrip("\0") for text in side] for side in sides)
    ids = encoded(hypotheses, IGNORED), encoded(references, IGNORED)
    for wrap in (lambda a: a, lambda a: SimpleNamespace(cpu=lambda: a), lambda a: (a, None)):
        prediction = SimpleNamespace(predictions=wrap(ids[0]), label_ids=wrap(ids[1]))
        scores = ComputeMetrics(Letters(), "wer", "chrf")(prediction)
        for spec, score in scores.items():
            assert score == mt.metric(spec).corpus_score(hypotheses, [references]).score


@pytest.mark.parametrize(
    "ids", [None, [1, 2], [[True]], [[0.5]], [["a"]], np.zeros((1, 2, 3), int)]
)
@pytest.mark.parametrize("what", ["predictions", "labels"])
def test_what_are_no_ids_is_refused_on_either_side(ids: Any, what: str) -> None:
    good = np.array([[97]])
    sides = (ids, good) if what == "predictions" else (good, ids)
    seen = f"{np.asarray(ids).dtype}, shape {np.shape(ids)}".replace("(", r"\(").replace(")", r"\)")
    with pytest.raises(mt.InputError, match=f"the {what} are of type {seen}; expected ids"):
        ComputeMetrics(Letters(), "wer")(SimpleNamespace(predictions=sides[0], label_ids=sides[1]))


# The package torchmetrics


class Tensor(np.ndarray):
    """The few methods of a tensor that the metric calls."""

    @property
    def device(self) -> Any:
        return "cpu"

    def to(self, device: str) -> Tensor:
        assert device == "cpu"
        return self


def tensor(values: Any, dtype: Any = None) -> Tensor:
    return np.array(values, dtype).view(Tensor)


TORCH = SimpleNamespace(
    int64=np.int64,
    float64=np.float64,
    tensor=tensor,
    from_numpy=tensor,
    zeros=lambda shape, dtype: tensor(np.zeros(shape, dtype)),
    Tensor=Tensor,
)


class States:
    """The states of a metric: ``sync`` adds up those of several processes."""

    def __init__(self, **more: Any) -> None:
        self.more, self.states = more, {}  # type: ignore[var-annotated]

    def add_state(self, name: str, default: Tensor, dist_reduce_fx: str) -> None:
        self.states[name] = dist_reduce_fx
        setattr(self, name, default)

    def sync(self, others: list[Any]) -> None:
        for name, reduction in self.states.items():
            assert reduction == "sum"
            setattr(self, name, sum(getattr(each, name) for each in (self, *others)))


@pytest.fixture(scope="module")
def torchmetrics() -> Iterator[Any]:
    yield from imported(
        "torchmetrics", {"torch": TORCH, "torchmetrics": SimpleNamespace(Metric=States)}
    )


@settings(max_examples=5)
@given(sample=samples(max_segments=3, max_tokens=5), data=st.data())
@pytest.mark.parametrize("spec", SPECS)
def test_sums_of_processes_have_the_score_of_one(
    torchmetrics: Any, spec: str, sample: Sample, data: st.DataObject
) -> None:
    processes = [torchmetrics.Metric(spec) for _ in range(3)]
    for hypothesis, references in zip(sample.hypotheses, of_segments(sample), strict=True):
        data.draw(st.sampled_from(processes)).update([hypothesis], [references])
    processes[0].sync(processes[1:])
    whole = mt.metric(spec).corpus_score(sample.hypotheses, streams(of_segments(sample)))
    assert processes[0].compute() == whole.score
    assert processes[0].n_segments == len(sample.hypotheses)


@given(st.lists(st.floats(-(2.0**53), 2.0**53), min_size=1, max_size=6))
def test_limbs_of_many_processes_add_up(torchmetrics: Any, numbers: list[float]) -> None:
    parts = [ExactSum.of(np.array([[number, 1.0]])) for number in numbers]
    limbs = [torchmetrics.limbs_of(part) for part in parts]
    assert all((each[:, :-1] >= 0).all() and (each[:, :-1] < 2**32).all() for each in limbs)
    total = ExactSum.of(np.array([[number, 1.0] for number in numbers]))
    units = [
        sum(limb << 32 * i for i, limb in enumerate(own)) for own in np.sum(limbs, axis=0).tolist()
    ]
    assert tuple(units) == total.units
    with pytest.raises(mt.PluginError, match="a sum of rows is -1e\\+99: above 2\\^53"):
        torchmetrics.limbs_of(ExactSum.of(np.array([[1.0, -1e99]])))


def test_metrics_of_torchmetrics_say_what_they_need(torchmetrics: Any) -> None:
    made = torchmetrics.Metric("ter", dist_sync_on_step=True)
    assert (made.more, made.higher_is_better) == ({"dist_sync_on_step": True}, False)
    with pytest.raises(mt.InputError, match=r"no segments yet: call update\(preds, target\) first"):
        made.compute()
    for preds, target, message in (
        (["a", "b"], ["a"], "2 segments, but the reference has 1"),
        ("a", ["a"], "the hypotheses: expected"),
        (["a"], "a", "the references: expected"),
        ([], [], "test set is empty"),
    ):
        with pytest.raises(mt.InputError, match=message):
            made.update(preds, target)
    assert (made.n_segments, made.sums.any()) == (0, False)
    with pytest.raises(mt.UsageError, match="prepared on the references of all segments"):
        torchmetrics.Metric("nist")
    nist = torchmetrics.Metric("nist", REFERENCES)
    nist.update(HYPOTHESES, REFERENCES)
    assert nist.compute() == expected("nist")


def test_a_metric_of_all_rows_is_no_metric_of_torchmetrics(
    torchmetrics: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = SimpleNamespace(setup=SimpleNamespace(keeps_rows=True))
    monkeypatch.setattr(torchmetrics, "metric", lambda _: rows)
    with pytest.raises(mt.UsageError, match="metric median needs the rows of all segments"):
        torchmetrics.Metric("median")


# The packages lm_eval and lighteval


@pytest.fixture(scope="module")
def harness() -> Iterator[Any]:
    metrics: dict[str, Any] = {}
    aggregations: dict[str, Any] = {}
    registry = SimpleNamespace(
        register_metric=lambda **given: lambda f: metrics.update({given["metric"]: (given, f)}),
        register_aggregation=lambda name: lambda f: aggregations.update({name: f}),
    )
    for module in imported("lm_eval", {"lm_eval.api.registry": registry}):
        yield SimpleNamespace(module=module, metrics=metrics, aggregations=aggregations)


@pytest.mark.parametrize("spec", SPECS)
def test_a_harness_aggregates_pairs(harness: Any, spec: str) -> None:
    (name,) = harness.module.register(spec)
    declared, pairs = harness.metrics[name]
    assert declared == {
        "metric": f"mteval {spec}",
        "aggregation": f"mteval {spec}",
        "output_type": "generate_until",
        "higher_is_better": spec != "ter",
    }
    items = [pairs([own], [text]) for own, text in zip(REFERENCES, HYPOTHESES, strict=True)]
    assert harness.aggregations[name](items) == expected(spec)
    assert harness.aggregations[name].__name__ == name


@pytest.mark.parametrize("wrong", [1.0, "ab", ("a",), ("a", "b", "c"), None, {"a": 1, "b": 2}])
def test_an_item_that_is_no_pair_is_shown(harness: Any, wrong: Any) -> None:
    with pytest.raises(mt.InputError) as caught:
        harness.module.Aggregation("wer")([("a", "a"), wrong])
    assert f"got {wrong!r}: give the task a process_results function" in str(caught.value)


def test_lighteval_scores_the_documents_of_a_task() -> None:
    fakes = {
        "lighteval.metrics.metrics_corpus": SimpleNamespace(CorpusLevelComputation=object),
        "lighteval.metrics.sample_preparator": SimpleNamespace(GenerativePreparator=object),
        "lighteval.metrics.utils.metric_utils": SimpleNamespace(CorpusLevelMetric=SimpleNamespace),
        "lighteval.tasks.requests": SimpleNamespace(SamplingMethod=SimpleNamespace(GENERATIVE=7)),
    }
    for module in imported("lighteval", fakes):
        made = {spec: module.metric(spec) for spec in SPECS}
        for preds in (HYPOTHESES, [[text] for text in HYPOTHESES], [(h,) for h in HYPOTHESES]):
            items = [
                SimpleNamespace(golds=own, preds=text)
                for own, text in zip(REFERENCES, preds, strict=True)
            ]
            for spec, each in made.items():
                assert each.corpus_level_fn.compute_corpus(items) == expected(spec)
        assert [each.higher_is_better for each in made.values()] == [True, True, False]
        assert {each.category for each in made.values()} == {7}
        assert [each.metric_name for each in made.values()] == SPECS
        for preds in ([], ["a", "b"]):
            items[1].preds = preds
            with pytest.raises(mt.InputError, match=f"document 1 has {len(preds)} predictions"):
                made["ter"].corpus_level_fn.compute_corpus(items)
