"""Metrics that see the references in pieces, against information counted over all of them here."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import dataclass, field
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.evaluation import counting
from mteval_core.evaluation.counting import Collected, is_piecewise, is_prepared, with_counts
from mteval_core.evaluation.sources import Part
from mteval_core.metrics.scorer import rows_of_text
from mteval_core.text.text import TestSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.metrics.scorer import Scorer


@dataclass
class Words:
    """How often each word occurs."""

    counts: Counter[str] = field(default_factory=Counter)

    def merge(self, other: Words) -> None:
        self.counts += other.counts


@dataclass(frozen=True)
class Information:
    """The mean information of the words of a hypothesis, 0 without the word in its reference."""

    bits: dict[str, float] = field(default_factory=dict)

    def prepare(self, words: Any, vocabulary: Any) -> Information:
        return self.finish(self.collect(words, vocabulary), words, vocabulary)

    def collect(self, words: Any, vocabulary: Any) -> Words:
        return Words(Counter(vocabulary.tokens(words.ids)))

    def finish(self, counts: Words, words: Any, vocabulary: Any) -> Information:
        known, n = vocabulary.tokens(words.ids), counts.counts.total()
        return Information({word: log2(n / counts.counts[word]) for word in known})

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return [sum(self.bits[w] for w in hypothesis if w in references[0]), len(hypothesis)]

    def score(self, totals: Any) -> Any:
        return totals[..., :1] / np.maximum(totals[..., 1:], 1)


@pytest.fixture(scope="module")
def information(plugin: Callable[..., Any]) -> Scorer:
    declared = mt.MetricSpec("information", factory=Information, help="bits", values={"bits": 1})
    registry = mt.load_registry([plugin(metrics=[declared])])
    return mt.metric("information:tok=none", registry=registry)


def collect(scorer: Scorer, test_set: TestSet) -> Any:
    (counts,) = counting.collect(Part({}, test_set), [scorer]).values()
    return pickle.loads(pickle.dumps(counts))


def bits(segments: list[tuple[str, str]]) -> float:
    """The definition."""
    counts = Counter(word for _, reference in segments for word in reference.split())
    each = [
        log2(counts.total() / counts[word]) if word in reference.split() else 0
        for hypothesis, reference in segments
        for word in hypothesis.split()
    ]
    return sum(each) / max(len(each), 1)


lines = st.lists(st.sampled_from(["a", "b", "c", "\u6771"]), max_size=5).map(" ".join)


@settings(max_examples=8)
@given(segments=st.lists(st.tuples(lines, lines), min_size=1, max_size=6), data=st.data())
def test_pieces_are_prepared_on_all_references(
    information: Scorer, segments: list[tuple[str, str]], data: st.DataObject
) -> None:
    hypotheses, references = ([*side] for side in zip(*segments, strict=True))
    cut = data.draw(st.integers(1, len(segments)))
    pieces = [part for part in (slice(cut), slice(cut, None)) if segments[part]]
    counts = Words()
    for part in reversed(pieces):
        counts.merge(collect(information, TestSet.of([references[part]])))
    collected = bound = with_counts(information, counts)
    total = np.zeros(2)
    for part in pieces:
        text, test_set = mt.Text.of(hypotheses[part]), TestSet.of([references[part]])
        bound, rows = rows_of_text(collected, text, test_set)
        total += rows.sum(axis=0)
    expected = pytest.approx(bits(segments))
    assert bound.scores(total) == expected
    assert information.corpus_score(hypotheses, [references]).score == expected


def test_a_collected_metric_needs_no_more_references(information: Scorer) -> None:
    counts = collect(information, TestSet.of([["a a a b"]]))
    collected = with_counts(information, counts)
    assert (is_piecewise(information), is_prepared(information)) == (True, True)
    assert (is_piecewise(collected), is_prepared(collected)) == (False, False)
    assert collected.signature() == information.signature()
    # The piece knows only "b", which is one of four words in all references.
    bound, rows = rows_of_text(collected, mt.Text.of(["b a"]), TestSet.of([["b"]]))
    assert rows.tolist() == [[2, 2]]
    assert bound.scores(rows[0]) == 1
    alone = information.sentence_score("b a", ["b"])
    assert alone.score == 0
    with pytest.raises(mt.PluginError, match=r"preparation of metric .*: ZeroDivisionError"):
        rows_of_text(with_counts(information, Words()), mt.Text.of(["a"]), TestSet.of([["a"]]))


def test_a_collected_metric_passes_on_what_it_gets() -> None:
    seen: dict[str, Any] = {}

    @dataclass(frozen=True)
    class Recorder:
        def finish(self, counts: Any, **given: Any) -> str:
            seen.update(given, counts=counts)
            return "prepared"

        def score(self, totals: Any) -> Any:
            return totals * 2

    recorder = Collected(Recorder(), Words())
    vocabulary: Any = object()
    views: dict[str, Any] = {"words": 1, "chars": 2}
    prepared: Any = recorder.prepare(vocabulary, **views)
    assert prepared == "prepared"
    assert seen == {**views, "vocabulary": vocabulary, "counts": Words()}
    assert seen["counts"] is recorder.counts
    assert recorder.score(np.array([[1.0, 2.5]])).tolist() == [[2.0, 5.0]]
    assert recorder != Collected(recorder.metric, recorder.counts)
