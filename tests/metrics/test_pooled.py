"""Metrics whose cost is a model's: pooled calls, declared tolerances and signed libraries."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_testing import METRIC_KIT, check_metric

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS: list[mt.TextCorpus] = []
"""What the fake model was called with, in order."""


@pytest.fixture(autouse=True)
def _forget_calls() -> None:
    CALLS.clear()


@dataclass(frozen=True)
class Model:
    """A model that is not one: the share of the characters of the references that are copied."""

    def statistics(self, texts: mt.TextCorpus) -> Any:
        CALLS.append(texts)
        sources = texts.sources or [""] * len(texts)
        return [
            [max(len({*h} & {*r}) / max(len({*r}), 1) for r in own or [source])]
            for h, own, source in zip(texts.hypotheses, texts.references, sources, strict=True)
        ]


@dataclass(frozen=True)
class Bound(Model):
    """The same, prepared on the references."""

    seen: tuple[tuple[str, ...], ...] = field(default=(), repr=False)

    def prepare(self, texts: Any, vocabulary: Any) -> Bound:  # noqa: ARG002
        return replace(self, seen=tuple(map(tuple, texts)))


MODEL = mt.MetricSpec(
    "model",
    factory=Model,
    help="a fake model",
    values={"score": 100},
    views={"texts": mt.View(raw=True)},
    source="optional",
    pooled=True,
    bounds=(0, 100),
)

SYSTEMS = {"A": ["a b", "c", "a b", "e"], "B": ["a b", "x", "z", "e"]}
REFERENCES = [["a b c", "c d", "a b c", "e f"], ["a", "c", "a", "e"]]
SOURCE = ["u", "v", "u", "w"]


@pytest.fixture
def registry(plugin: Callable[..., Any], matches: mt.MetricSpec) -> mt.Registry:
    bound = replace(MODEL, name="bound", factory=Bound)
    apart = replace(MODEL, name="apart", pooled=False)
    return mt.load_registry([plugin(metrics=[matches, MODEL, bound, apart])])


def segments(call: mt.TextCorpus) -> list[tuple[str, tuple[str, ...], str]]:
    sources = call.sources or [""] * len(call)
    texts = zip(call.hypotheses, call.references, sources, strict=True)
    return [(h, tuple(own), source) for h, own, source in texts]


def test_one_call_gets_each_distinct_segment_once(registry: mt.Registry) -> None:
    mt.evaluate(SYSTEMS, REFERENCES, ["model"], source=SOURCE, registry=registry)
    (call,) = CALLS
    assert segments(call) == [
        ("a b", ("a b c", "a"), "u"),
        ("c", ("c d", "c"), "v"),
        ("e", ("e f", "e"), "w"),
        ("x", ("c d", "c"), "v"),
        ("z", ("a b c", "a"), "u"),
    ]


@pytest.mark.parametrize("specs", [["matches", "model"], ["model", "matches", "model:loo=yes"]])
@pytest.mark.parametrize("humans", [False, True])
def test_the_scores_are_those_of_separate_calls(
    registry: mt.Registry, specs: list[str], *, humans: bool
) -> None:
    systems = {**SYSTEMS, "runs": [SYSTEMS["B"], SYSTEMS["A"]]}
    given: dict[str, Any] = {"source": SOURCE, "registry": registry, "humans": humans}
    pooled = mt.evaluate(systems, REFERENCES, specs, **given)
    n_calls = len(CALLS)
    each = [spec.replace("model", "apart") for spec in specs]
    apart = mt.evaluate(systems, REFERENCES, each, **given)
    assert n_calls == sum("model" in spec for spec in specs)
    assert list(pooled.scorers) == specs
    assert pooled.systems == apart.systems
    for (run, spec), rows in pooled.scores.rows.items():
        np.testing.assert_array_equal(rows, apart.scores.rows[run, spec.replace("model", "apart")])


def test_leave_one_out_sets_and_humans_are_in_the_same_call(registry: mt.Registry) -> None:
    mt.evaluate(SYSTEMS, REFERENCES, ["model:loo=yes"], registry=registry, humans=True)
    (call,) = CALLS
    found = segments(call)
    assert len(found) == len(set(found))
    assert {("a b", ("a b c",), ""), ("a b", ("a",), "")} <= {*found}  # the leave-one-out sets
    assert {("a b c", ("a",), ""), ("a", ("a b c",), "")} <= {*found}  # the humans


def test_a_prepared_metric_is_called_once_for_each_set_of_references(registry: mt.Registry) -> None:
    mt.evaluate(SYSTEMS, REFERENCES, ["bound"], registry=registry)
    assert len(CALLS) == 1
    mt.evaluate(SYSTEMS, REFERENCES, ["bound:loo=yes"], registry=registry)
    assert len(CALLS) == 1 + 2


def test_the_order_of_systems_and_segments_changes_nothing(registry: mt.Registry) -> None:
    one = mt.evaluate(SYSTEMS, REFERENCES, ["model"], registry=registry)
    other = mt.evaluate(
        {name: SYSTEMS[name][::-1] for name in ("B", "A")},
        [stream[::-1] for stream in REFERENCES],
        ["model"],
        registry=registry,
    )
    assert segments(CALLS[0]) == segments(CALLS[1])
    for system in SYSTEMS:
        first, second = (each.scores.rows[system, "model"] for each in (one, other))
        np.testing.assert_array_equal(first, second[::-1])


def test_it_is_a_metric_like_any_other(registry: mt.Registry) -> None:
    documents = ["d1", "d1", "d2", "d2"]
    evaluation = mt.evaluate(SYSTEMS, REFERENCES, ["model"], documents=documents, registry=registry)
    with pytest.warns(mt.MtevalWarning, match="unreachable-p"):
        drawn = evaluation.confidence(50, registry=registry).compare("ar", 50, registry=registry)
    assert [record["ci"]["n"] for record in drawn.to_records()] == [50, 50]
    assert drawn.to_records()[1]["p_value"] is not None
    assert len(evaluation.to_records("doc")) == 2 * 2
    assert len(evaluation.to_records("segment")) == 2 * 4
    assert len(CALLS) == 1
    # By hand: A has all of (a), (c), (a), (e); B has (a), none of (c) or (a), and (e).
    assert [record["score"] for record in evaluation.to_records()] == [100, 50]
    # One of the three characters of "a b" is in "a".
    score = mt.metric("model", registry=registry).sentence_score("a", ["a b"]).score
    assert score == pytest.approx(100 / 3)


def test_it_keeps_the_contract(registry: mt.Registry) -> None:
    assert [f for f in check_metric("model", registry=registry) if not f.ok] == []


def test_a_segment_that_a_metric_refuses_is_named(plugin: Callable[..., Any]) -> None:
    class Silent(Model):
        def statistics(self, texts: mt.TextCorpus) -> Any:
            for i, hypothesis in enumerate(texts.hypotheses):
                if hypothesis == "?":
                    raise mt.SegmentError(i, "no answer of the model")
            return super().statistics(texts)

    registry = mt.load_registry([plugin(metrics=[replace(MODEL, factory=Silent)])])
    systems = {"A": ["a", "b", "c"], "B": ["a", "?", "b"]}
    with pytest.raises(mt.InputError, match=r"^B: segment 1: model cannot score it: no answer"):
        mt.evaluate(
            systems, [["a", "b", "c"], ["x", "y", "z"]], ["model:loo=yes"], registry=registry
        )


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([[1.0]], r"shape \(1, 1\); expected \(5, k\)"),
        ([[float("nan")]] * 5, "the statistics of segment 0 are not finite"),
    ],
)
def test_faulty_rows_are_refused(plugin: Callable[..., Any], rows: Any, fault: str) -> None:
    faulty = type("Faulty", (), {"statistics": lambda _, texts: rows, "score": lambda _, t: t})  # noqa: ARG005
    registry = mt.load_registry([plugin(metrics=[replace(MODEL, factory=faulty)])])
    with pytest.raises(mt.PluginError, match=fault):
        mt.evaluate(SYSTEMS, REFERENCES, ["model"], registry=registry)


def test_pooled_views_are_raw(plugin: Callable[..., Any]) -> None:
    tokenized = replace(MODEL, views={"texts": mt.View()})
    with pytest.raises(mt.PluginError, match="it is pooled, so all its views must be raw"):
        mt.metric("model", registry=mt.load_registry([plugin(metrics=[tokenized])]))


# Progress


def test_a_metric_shows_its_progress_where_the_evaluation_does(
    plugin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Model):
        def statistics(self, texts: mt.TextCorpus) -> Any:
            batches = mt.progress([texts], 1, "batch")
            return [row for batch in batches for row in super(Slow, self).statistics(batch)]

    shown: list[tuple[str, int]] = []

    def tqdm(steps: Any, *, unit: str, total: int, **_: Any) -> Any:
        shown.append((unit, total))
        return steps

    monkeypatch.setattr("tqdm.tqdm", tqdm)
    registry = mt.load_registry([plugin(metrics=[replace(MODEL, factory=Slow)])])
    for progress in (False, True, False):
        mt.evaluate(SYSTEMS, REFERENCES, ["model"], registry=registry, progress=progress)
    assert shown == [("score", 2), ("batch", 1)]


# Tolerances


NOISE = itertools.count()


class Noisy(Model):
    """Its scores differ by 0.001 from one call to the next."""

    def statistics(self, texts: mt.TextCorpus) -> Any:
        return np.asarray(super().statistics(texts)) * 0.5 + 1e-5 * (next(NOISE) % 2)


@pytest.fixture
def noisy(plugin: Callable[..., Any]) -> mt.Registry:
    """Load a metric whose scores differ from call to call, with and without a tolerance."""
    tolerant = replace(MODEL, factory=Noisy, tolerance=1e-3)
    exact = replace(MODEL, name="exact", factory=Noisy)
    return mt.load_registry([plugin(metrics=[tolerant, exact])])


def test_the_contract_kit_compares_within_the_tolerance(noisy: mt.Registry) -> None:
    names = (
        "is_deterministic",
        "metric_can_be_pickled",
        "rows_are_independent",
        "signature_replays",
    )
    checks = [check for check in METRIC_KIT.checks if check.__name__ in names]
    passed = {}
    for spec in ("model", "exact"):
        scorer = mt.metric(spec, registry=noisy)
        findings = [METRIC_KIT.find(check, scorer, scorer.declaration) for check in checks]
        passed[spec] = {finding.check for finding in findings if finding.ok}
    assert passed["model"] == {*names}
    assert "is_deterministic" not in passed["exact"]


# Libraries


def with_libraries(plugin: Callable[..., Any], *libraries: str) -> mt.Registry:
    return mt.load_registry([plugin(metrics=[replace(MODEL, libraries=libraries)])])


def test_versions_of_libraries_are_signed(plugin: Callable[..., Any]) -> None:
    registry = with_libraries(plugin, "pluggy", "numpy")
    signature = mt.metric("model", registry=registry).signature()
    versions = ",".join(f"{name}@{metadata.version(name)}" for name in ("numpy", "pluggy"))
    assert str(signature).startswith("model|case:mixed|libraries:" + versions + "|plugin:")
    assert mt.Signature.parse(str(signature)) == signature
    assert str(mt.metric(str(signature), registry=registry).signature()) == str(signature)


def test_a_missing_library_is_an_error_that_says_what_to_install(
    plugin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = with_libraries(plugin, "numpy", "no-such-library", "nor-this")
    with pytest.raises(mt.PluginError, match=r"install them in this environment$"):
        mt.metric("model", registry=registry)
    required = [
        "numpy",
        "No.Such_Library>=1; extra == 'model'",
        'nor-this[x]~=2 ; extra == "model"',
    ]
    monkeypatch.setattr(metadata, "requires", lambda _: required)
    with pytest.raises(mt.PluginError, match=r"pip install 'mteval-toy\[model\]'$") as caught:
        mt.metric("model", registry=registry)
    assert "no-such-library, nor-this are not installed" in str(caught.value)
    assert "mteval-toy" in str(caught.value)


@pytest.mark.parametrize(
    "fault", [{"pooled": 1}, {"tolerance": -1.0}, {"tolerance": "0"}, {"libraries": "torch"}]
)
def test_what_is_not_valid_is_refused(plugin: Callable[..., Any], fault: dict[str, Any]) -> None:
    with pytest.raises(mt.PluginError, match=f"its {next(iter(fault))} is"):
        mt.load_registry([plugin(metrics=[replace(MODEL, **fault)])], strict=True)
