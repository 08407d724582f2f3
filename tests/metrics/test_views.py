"""Metrics of the source, of raw text, without references and without a formula."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_testing import METRIC_KIT

import mteval_core as mt
from mteval_core.errors import InputError, PluginError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.text.tokens import TextCorpus, TokenizedCorpus, Tokens


class LengthRatio:
    """Tokens of the hypotheses per token of the source."""

    def statistics(self, words: TokenizedCorpus, source: Tokens) -> Any:
        return np.stack([words.hypotheses.lengths, source.lengths], axis=1)

    def score(self, totals: Any) -> Any:
        return totals[..., :1] / np.maximum(totals[..., 1:], 1)


class Distinct:
    """Share of different words in each segment; the score is the mean."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert references == []
        return [len(set(hypothesis)) / max(1, len(hypothesis))]


class Copied:
    """Whether the hypothesis is the source, as strings; the second value is its length."""

    def statistics(self, texts: TextCorpus) -> Any:
        assert texts.sources is not None
        copied = [h == s for h, s in zip(texts.hypotheses, texts.sources, strict=True)]
        return np.stack([np.array(copied, float), list(map(len, texts.hypotheses))], axis=1)


class SpacesKept:
    """Share of references that the hypothesis equals, white space included."""

    def segment_statistics(self, hypothesis: str, references: list[str]) -> list[float]:
        return [float(np.mean([hypothesis == reference for reference in references]))]


class Kept:
    """Share of the words of the source that the hypothesis has, prepared on the source."""

    def __init__(self, n_prepared: int | None = None) -> None:
        self.n_prepared = n_prepared

    def prepare(self, words: Any, source: Tokens, vocabulary: Any) -> Kept:  # noqa: ARG002
        return Kept(len(source.ids))

    def segment_statistics(
        self, hypothesis: list[str], references: list[list[str]], source: list[str]
    ) -> list[float]:
        assert references
        assert self.n_prepared is not None
        assert self.n_prepared >= len(source)
        return [len({*hypothesis} & {*source}) / max(1, len({*source}))]


METRICS = [
    mt.MetricSpec(
        "length-ratio",
        factory=LengthRatio,
        help="length of the hypothesis over that of the source",
        values={"ratio": 100},
        views={"words": mt.View(), "source": mt.View(of="source")},
        references="none",
        source="required",
    ),
    mt.MetricSpec(
        "distinct",
        factory=Distinct,
        help="different words",
        values={"share": 100},
        references="none",
        bounds=(0, 100),
    ),
    mt.MetricSpec(
        "copied",
        factory=Copied,
        help="segments that are not translated",
        values={"copied": 100, "characters": 1},
        views={"texts": mt.View(raw=True)},
        references="none",
        source="required",
        better="lower",
    ),
    mt.MetricSpec(
        "spaces-kept",
        factory=SpacesKept,
        help="equal references",
        values={"share": 100},
        views={"texts": mt.View(raw=True)},
    ),
    mt.MetricSpec(
        "kept",
        factory=Kept,
        help="words of the source",
        values={"share": 100},
        views={"words": mt.View(), "source": mt.View(of="source")},
        source="required",
        exceptions={
            "identity_is_best": "words of the source score, not those of the reference",
            "references_have_an_effect": "it asks for references in vain",
        },
    ),
]

HYPOTHESES = ["a b b", "c  d", "e"]
REFERENCES = [["a b", "c  d", "e"], ["a b b", "c d", None]]
SOURCE = ["a b b", "x", "e f g h"]


@pytest.fixture(scope="module")
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    return mt.load_registry([plugin(metrics=METRICS)])


def test_scores_worked_by_hand(registry: mt.Registry) -> None:
    def score(spec: str) -> float:
        scorer = mt.metric(spec, registry=registry)
        return scorer.corpus_score(HYPOTHESES, REFERENCES, source=SOURCE).score

    assert score("length-ratio") == pytest.approx(100 * 6 / 8)
    assert score("distinct") == pytest.approx(100 * (2 / 3 + 1 + 1) / 3)
    assert score("copied") == pytest.approx(100 / 3)
    assert score("spaces-kept") == pytest.approx(100 * (0.5 + 0.5 + 1) / 3)
    assert score("kept") == pytest.approx(100 * (1 + 0 + 1 / 4) / 3)


@pytest.mark.parametrize("name", [metric.name for metric in METRICS])
def test_they_keep_the_contract(registry: mt.Registry, name: str) -> None:
    findings = METRIC_KIT.run(registry.find(mt.MetricSpec, name), registry)
    assert [finding for finding in findings if not finding.ok] == []
    assert len(findings) > 10


def test_signatures_say_what_was_used(registry: mt.Registry) -> None:
    def fields(spec: str) -> dict[str, Any]:
        scorer = mt.metric(spec, registry=registry)
        return dict(scorer.corpus_score(HYPOTHESES, REFERENCES, source=SOURCE).signature.fields)

    assert fields("distinct")["nrefs"] == ("0",)
    assert not {"refs", "src"} & fields("distinct").keys()
    assert fields("length-ratio").keys() >= {"src", "tok"}
    assert "refs" not in fields("length-ratio")
    assert not {"tok", "stem"} & fields("copied").keys()
    assert fields("kept")["nrefs"] == ("var",)
    other = mt.metric("kept", registry=registry).corpus_score(
        HYPOTHESES, REFERENCES, source=["x"] * 3
    )
    assert other.signature.fields["src"] != fields("kept")["src"]
    assert other.signature.fields["refs"] == fields("kept")["refs"]


def test_texts_that_are_not_needed_may_be_missing(registry: mt.Registry) -> None:
    distinct = mt.metric("distinct", registry=registry)
    assert distinct.corpus_score(HYPOTHESES).score == pytest.approx(100 * 8 / 9)
    assert distinct.sentence_score("a a").score == 50
    ratio = mt.metric("length-ratio", registry=registry)
    assert ratio.sentence_score("a a", source="b c d e").score == 50


def test_texts_that_are_needed_are_asked_for(registry: mt.Registry) -> None:
    with pytest.raises(InputError, match=r"^no source for the metric copied: add --source FILE"):
        mt.metric("copied", registry=registry).corpus_score(HYPOTHESES)
    with pytest.raises(InputError, match=r"^no references for the metric kept: add REF\.\.\.$"):
        mt.metric("kept", registry=registry).corpus_score(HYPOTHESES, source=SOURCE)
    with pytest.raises(InputError, match="2 source segments for 3 segments"):
        mt.metric("copied", registry=registry).corpus_score(
            HYPOTHESES, REFERENCES, source=["a"] * 2
        )


def test_intervals_tests_documents_and_jackknife(registry: mt.Registry) -> None:
    test_set = mt.TestSet(
        tuple(mt.Text.of(stream) for stream in (REFERENCES[0], ["a", "c", "e f"])),
        documents=("x", "x", "y"),
        source=mt.Text.of(SOURCE),
    )
    systems = {"A": HYPOTHESES, "B": ["a", "x", "e f g h"]}
    specs = [metric.name for metric in METRICS] + ["kept:loo=yes", "spaces-kept:loo=yes"]
    evaluation = mt.evaluate(systems, test_set, specs, registry=registry)
    with pytest.warns(mt.MtevalWarning, match="4 exchanges"):
        done = evaluation.confidence(100, by="doc").compare(by="doc", n=10)
    assert {spec for _, spec in done.intervals} == {*specs}
    for spec in specs:
        assert 0 <= done.comparisons["B", "A", spec].p_value <= 1
        documents = [one for one in done.to_records("doc") if one["metric"] == spec]
        assert [record["n_segments"] for record in documents] == [2, 1, 2, 1]
    # Leaving out a reference does not change how many words of the source are kept.
    assert done.score("B", "kept").score == done.score("B", "kept:loo=yes").score
    assert done.score("A", "spaces-kept:loo=yes").score == pytest.approx(100 * (0 + 1 + 1) / 3 / 2)


def test_ranges_of_segments(registry: mt.Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    from mteval_core.metrics import rows

    def scores() -> list[float]:
        evaluation = mt.evaluate(
            {"A": HYPOTHESES},
            mt.TestSet(tuple(map(mt.Text.of, REFERENCES)), source=mt.Text.of(SOURCE)),
            [metric.name for metric in METRICS],
            registry=registry,
        )
        return [record["score"] for record in evaluation.to_records("segment")]

    whole = scores()
    monkeypatch.setattr(rows, "SEGMENTS_AT_ONCE", 1)
    assert scores() == whole


def test_a_metric_without_a_formula_can_be_pickled(registry: mt.Registry) -> None:
    scorer = mt.metric("distinct", registry=registry)
    again = pickle.loads(pickle.dumps(scorer.setup.implementation))
    assert again.score(np.array([3.0, 4.0])) == [0.75]


@pytest.mark.parametrize(
    "fault",
    [
        {"views": {"words": mt.View(of="source", raw=True)}},
        {"views": {"words": mt.View(of="target")}},  # type: ignore[arg-type]
        {"references": "some"},
        {"source": True},
    ],
)
def test_what_is_not_valid_is_refused(plugin: Callable[..., Any], fault: dict[str, Any]) -> None:
    spec = mt.MetricSpec("wrong", factory=Distinct, values={"v": 1}, help="wrong", **fault)
    (loaded,) = mt.load_registry([plugin(metrics=[spec])]).plugins[1:]
    assert loaded.status == "broken"
    assert next(iter(fault)) in loaded.error


def test_segment_statistics_takes_one_view_of_the_texts(plugin: Callable[..., Any]) -> None:
    views = {"words": mt.View(), "characters": mt.View(tok="char")}
    spec = mt.MetricSpec("two", factory=Distinct, values={"v": 1}, help="two", views=views)
    registry = mt.load_registry([plugin(metrics=[spec])])
    with pytest.raises(PluginError, match="takes one view of hypotheses and references"):
        mt.metric("two", registry=registry).corpus_score(["a"], [["a"]])


def test_a_segment_that_is_too_long_is_named(plugin: Callable[..., Any]) -> None:
    class Short:
        def statistics(self, texts: TextCorpus) -> Any:
            if any(len(hypothesis) > 2 for hypothesis in texts.hypotheses):
                raise mt.SegmentError(0, "a text is longer than 2 characters")
            return np.ones((len(texts), 1))

    views = {"texts": mt.View(raw=True)}
    spec = mt.MetricSpec("short", factory=Short, values={"v": 1}, help="short", views=views)
    registry = mt.load_registry([plugin(metrics=[spec])])
    hypotheses, references = ["a", "b", "c" * 3, "d"], [["x" * 9, "y", "z", ""]]
    with pytest.raises(InputError, match=r"segment 2.*longer than 2 characters"):
        mt.metric("short", registry=registry).corpus_score(hypotheses, references)


def test_raw_views_of_a_script_without_spaces(plugin: Callable[..., Any]) -> None:
    class Lengths:
        def statistics(self, words: TokenizedCorpus, texts: TextCorpus) -> Any:
            return np.stack([words.hypotheses.lengths, list(map(len, texts.hypotheses))], axis=1)

    views = {"words": mt.View(), "texts": mt.View(raw=True)}
    values = {"words": 1, "characters": 1}
    spec = mt.MetricSpec("lengths", factory=Lengths, values=values, help="lengths", views=views)
    registry = mt.load_registry([plugin(metrics=[spec])])
    text = ["東京都は日本の首都である"] * 10
    evaluation = mt.evaluate({"A": text}, [text], ["lengths"], registry=registry)
    assert evaluation.score("A", "lengths").values == {"words": 1, "characters": 12}
