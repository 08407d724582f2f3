"""Subsets of a test set: which segments they have, and what is computed from their rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.evaluation.subsets import (
    LENGTHS,
    Subset,
    by_document,
    by_domain,
    by_length,
    reference_words,
)
from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from collections.abc import Callable

REFERENCES = [
    ["a b c d", "e f", "g h i j k", "l", "m n", "o p q"],
    ["a b", "e f g h", None, "l", "m", "o"],
]
SYSTEMS = {
    "one": ["a b c", "e x", "g h i", "l", "m n o", "p q"],
    "two": [["a", "f", "g", "l", "m", "o"], ["b c", "e", "h i j", "x", "n", "q"]],
}
DOCUMENTS = ["x", "y", "x", "y", "x", "z"]
SEGMENTS = {"x": [0, 2, 4], "y": [1, 3], "z": [5]}


class Middle:
    """The upper median of the numbers of words: no function of sums."""

    def segment_statistics(self, hypothesis: list[str], _references: Any) -> list[float]:
        return [len(hypothesis)]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        order = np.argsort(rows[:, 0], kind="stable")
        upto = weights[..., order].cumsum(axis=-1)
        return rows[order][(upto > upto[..., -1:] / 2).argmax(-1)]


@pytest.fixture(scope="module")
def evaluation(plugin: Callable[..., Any], matches: mt.MetricSpec) -> mt.Evaluation:
    """Two systems, one of them with two runs, under a metric of sums and one of rows."""
    middle = mt.MetricSpec("middle", factory=Middle, help="median", values={"M": 1})
    registry = mt.load_registry([plugin(metrics=[matches, middle])])
    return mt.evaluate(
        SYSTEMS,
        REFERENCES,
        ["matches", "middle"],
        documents=DOCUMENTS,
        source=[f"source {i}" for i in range(6)],
        registry=registry,
    )


def test_documents_are_parts_in_the_order_of_their_first_segments(
    evaluation: mt.Evaluation,
) -> None:
    parts = by_document(evaluation.scores.test_set)
    assert {part.name: part.segments.tolist() for part in parts} == SEGMENTS
    assert {part.by for part in parts} == {"doc"}
    with pytest.raises(mt.InputError, match="documents are not known"):
        by_document(TestSet.of(REFERENCES))
    with pytest.raises(mt.InputError, match="domains are not known"):
        by_domain(evaluation.scores.test_set)


def test_domains_are_parts(evaluation: mt.Evaluation) -> None:
    domains = ("news", "chat", "chat", "news", "chat", "chat")
    test_set = replace(evaluation.scores.test_set, domains=domains)
    whole = replace(evaluation, scores=replace(evaluation.scores, test_set=test_set))
    parts = by_domain(test_set)
    assert {p.name: p.segments.tolist() for p in parts} == {"news": [0, 3], "chat": [1, 2, 4, 5]}
    part = parts[0].evaluation(whole, ["matches"])
    assert part.scores.test_set.domains == ("news", "news")
    assert part.scores.test_set.documents == ("x", "y")


@pytest.mark.parametrize("name", SEGMENTS)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("spec", ["matches", "middle"])
def test_a_part_is_scored_as_its_texts_alone(
    evaluation: mt.Evaluation, name: str, system: str, spec: str
) -> None:
    segments = SEGMENTS[name]
    part = Subset("doc", name, np.array(segments)).evaluation(evaluation, [spec])
    runs = SYSTEMS[system]
    texts = [runs] if isinstance(runs[0], str) else runs
    scores = [
        evaluation.scorers[spec]
        .corpus_score(
            [str(text[i]) for i in segments],
            [[stream[i] for i in segments] for stream in REFERENCES],
        )
        .score
        for text in texts
    ]
    assert part.score(system, spec).score == pytest.approx(np.mean(scores))
    assert part.score(system, spec).n_segments == len(segments)
    by_level = evaluation.scores.values(system, spec, "doc")[list(SEGMENTS).index(name), 0]
    assert part.score(system, spec).score == pytest.approx(by_level)


@pytest.mark.parametrize("spec", ["matches", "middle"])
def test_a_part_has_intervals_and_tests_of_its_own(evaluation: mt.Evaluation, spec: str) -> None:
    whole = evaluation.confidence(50).compare("bs", 50)
    part = Subset("doc", "x", np.array(SEGMENTS["x"])).evaluation(whole, [spec])
    assert part.intervals == part.comparisons == part.drawn == {}
    tested = part.confidence(50).compare("bs", 50)
    assert set(tested.intervals) == {("one", spec), ("two", spec)}
    low, high = (getattr(tested.intervals["one", spec], end) for end in ("low", "high"))
    each = evaluation.scores.values("one", spec, "segment")[SEGMENTS["x"], 0]
    assert each.min() <= low <= part.score("one", spec).score <= high <= each.max()
    assert [key[:2] for key in tested.comparisons] == [("two", "one")]


def test_a_part_has_the_texts_of_its_segments(evaluation: mt.Evaluation) -> None:
    part = Subset("doc", "x", np.array(SEGMENTS["x"])).evaluation(evaluation, ["matches"])
    test_set = part.scores.test_set
    assert [list(stream) for stream in test_set.references] == [
        ["a b c d", "g h i j k", "m n"],
        ["a b", None, "m"],
    ]
    assert test_set.documents == ("x", "x", "x")
    assert list(test_set.source or ()) == ["source 0", "source 2", "source 4"]
    assert list(part.scores.texts["one"]) == ["a b c", "g h i", "m n o"]
    assert list(part.scores.texts["two (run 2)"]) == ["b c", "h i j", "n"]
    assert list(evaluation.scores.texts["one"]) == SYSTEMS["one"]
    assert len(evaluation.scores.test_set) == 6


def test_ids_go_with_their_segments(evaluation: mt.Evaluation) -> None:
    ids = ("i", "j")
    test_set = TestSet((Text.of(["a b", "c"]),), ids=ids)
    scored = mt.evaluate({"one": ["a", "c"]}, test_set, [evaluation.scorers["matches"]])
    part = Subset("length", "1-", np.array([1])).evaluation(scored, ["matches"])
    assert part.scores.test_set.ids == ("j",)
    assert part.scores.test_set.source is None
    assert part.scores.test_set.documents is None


@pytest.mark.parametrize(
    ("lengths", "bounds", "expected"),
    [
        ([1, 2, 3], [2], {"0-1": [0], "2-": [1, 2]}),
        ([1, 2, 3], [1, 2, 3], {"1-1": [0], "2-2": [1], "3-": [2]}),
        (
            [0, 9.99, 10, 59, 60, 1000],
            LENGTHS,
            {"0-9": [0, 1], "10-19": [2], "50-59": [3], "60-": [4, 5]},
        ),
        ([5.5, 5, 6], [6], {"0-5": [0, 1], "6-": [2]}),
        ([7], [100], {"0-99": [0]}),
    ],
)
def test_bands(lengths: list[float], bounds: list[int], expected: dict[str, list[int]]) -> None:
    parts = by_length(np.array(lengths, float), bounds)
    assert {part.name: part.segments.tolist() for part in parts} == expected
    assert sum(len(part.segments) for part in parts) == len(lengths)


def test_bands_of_length() -> None:
    lengths = np.array([0.0, 9.0, 9.5, 10.0, 20.0, 99.0])
    assert {part.name: part.segments.tolist() for part in by_length(lengths, [10, 20, 50])} == {
        "0-9": [0, 1, 2],
        "10-19": [3],
        "20-49": [4],
        "50-": [5],
    }


def test_words_of_missing_references_do_not_count() -> None:
    tokenizer = mt.default_registry().find(mt.TokenizerSpec, "13a").declaration
    test_set = TestSet.of([["a b c.", "a"], ["a b", None]])
    assert reference_words(test_set, tokenizer).tolist() == [3, 1]
    with pytest.raises(mt.InputError, match="no references"):
        reference_words(TestSet.of([], source=["a"], n_hypotheses=1), tokenizer)


def test_words_of_references() -> None:
    registry = mt.default_registry()
    test_set = TestSet.of(REFERENCES)
    for name, expected in {
        "13a": [3, 3, 5, 1, 1.5, 2],
        "char": [3, 3, 5, 1, 1.5, 2],
    }.items():
        tokenizer = registry.find(mt.TokenizerSpec, name).declaration
        assert reference_words(test_set, tokenizer).tolist() == expected
    tokenizer = registry.find(mt.TokenizerSpec, "char").declaration
    assert reference_words(TestSet.of([["ab c", "", "日本"]]), tokenizer).tolist() == [3, 0, 2]


def test_figures_are_named_with_their_distribution_where_names_clash(
    plugin: Callable[..., Any],
) -> None:
    def metric(name: str, *figures: str) -> mt.MetricSpec:
        return mt.MetricSpec(name, factory=Middle, values={"M": 1}, figures=figures)

    registry = mt.load_registry(
        [
            plugin("red", metrics=[metric("same", "same", "same.M"), metric("other")]),
            plugin("blue", metrics=[metric("same", "same"), metric("own", "own:case=lc")]),
        ]
    )
    figures = pytest.importorskip("mteval_profile.command").every_figure(registry)
    assert figures == [
        "own:case=lc",
        "mteval-blue/same",
        "mteval-red/same",
        "mteval-red/same.M",
    ]
    assert mt.metric("mteval-red/same.M", registry=registry).main == "M"
