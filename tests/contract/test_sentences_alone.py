"""A segment alone, in a list, and as a corpus of one segment: the same numbers and errors."""

from __future__ import annotations

import gc
import pickle
import sys
from copy import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from mteval_testing.strategies import samples

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Sample
    from mteval_core.metrics.scorer import Scorer

HOUSE = ("bleu_nist", "chrf", "error_rates", "gtm", "rouge")
for name in HOUSE:
    pytest.importorskip(f"mteval_{name}", reason="the metrics of the house are not installed")

NAMES = [entry.declaration.name for entry in mt.default_registry().of_kind(mt.MetricSpec)]
VARIANTS = [
    "bleu:eff=yes,smooth=floor[0.1],bp=average",
    "bleu:order=9,stem=porter,mean=arithmetic",
    "bleu:tok=zh,smooth=mteval",
    "bleu:loo=yes",
    "nist:loo=yes",
    "chrf:nw=2,eff=no,space=yes,case=lc",
    "ter:limits=sacrebleu,norm=yes",
]


def scorer_of(spec: str) -> Scorer:
    try:
        return mt.metric(spec)
    except mt.PluginError as error:  # what it reads is not installed
        pytest.skip(str(error))


def outcome(function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    """What a call returns, or the error that it raises."""
    try:
        return function(*arguments, **more)
    except mt.MtevalError as error:
        return type(error), str(error)


@pytest.mark.parametrize("spec", [*NAMES, *VARIANTS])
def test_a_segment_alone_is_a_corpus_of_one_segment(spec: str) -> None:
    scorer = scorer_of(spec)
    if scorer.declaration.pooled:
        pytest.skip("each call runs a model")

    @settings(deadline=None, max_examples=4)
    @given(samples(max_segments=3))
    def check(sample: Sample) -> None:
        sources = [*sample.hypotheses] if scorer.setup.uses_source else None
        alone = []
        for i, hypothesis in enumerate(sample.hypotheses):
            references = [stream[i] for stream in sample.references if stream[i] is not None]
            source = None if sources is None else sources[i]
            alone.append(outcome(scorer.sentence_score, hypothesis, references, source=source))
            streams = [[reference] for reference in references]
            given_source = None if source is None else [source]
            whole = outcome(scorer.corpus_score, [hypothesis], streams, source=given_source)
            assert alone[-1] == whole
        scores = outcome(
            scorer.sentence_scores, sample.hypotheses, sample.references, source=sources
        )
        if any(isinstance(score, tuple) for score in (*alone, scores)):
            assert "loo=yes" in spec  # which refuses segments with one reference
        else:
            assert scores == alone

    check()


@pytest.mark.parametrize(
    ("hypothesis", "references"),
    [
        (None, ["a"]),
        (1, ["a"]),
        (["a"], ["a"]),
        ("\ud800", ["a"]),
        ("a", ["b", "\ud800"]),
        ("a", [None]),
        ("a", [2]),
        ("a", [["a"]]),
        ("a", []),
        ("w " * 70_000, ["w " * 70_000]),
    ],
)
def test_what_cannot_be_scored_is_the_same_error(hypothesis: Any, references: Any) -> None:
    wer = mt.metric("wer")
    streams = [[reference] for reference in references]
    expected = outcome(wer.corpus_score, [hypothesis], streams)
    assert outcome(wer.sentence_score, hypothesis, references) == expected
    assert issubclass(expected[0], mt.InputError)


@pytest.mark.parametrize("references", ["ab", {"a"}, 7])
def test_references_that_are_no_list_are_refused_or_one_reference(references: Any) -> None:
    expected = "expected a list of strings"
    result = outcome(mt.metric("wer").sentence_score, "ab", references)
    assert result.score == 0 if references == "ab" else expected in result[1]


def test_a_line_end_is_not_part_of_a_segment() -> None:
    chrf = mt.metric("chrf:space=yes")
    assert chrf.sentence_score("a b\r\n", ["a b\n"]).score == 100


def test_missing_references_of_a_list_are_left_out() -> None:
    scorer = mt.metric("bleu")
    several = scorer.sentence_scores(["a b", "c"], [["a b", "c"], [None, "c d"]])
    assert [score.signature.get("nrefs") for score in several] == ["1", "2"]
    assert several == [
        scorer.sentence_score("a b", ["a b"]),
        scorer.sentence_score("c", ["c", "c d"]),
    ]
    with pytest.raises(mt.InputError, match="2 segments, but the reference has 1"):
        scorer.sentence_scores(["a", "b"], [["a"]])


def test_a_prepared_metric_sees_only_the_references_of_the_segment() -> None:
    nist = mt.metric("nist")
    both = nist.sentence_scores(["a b", "a"], [["a b", "a a"]])
    assert both == [nist.sentence_score("a b", ["a b"]), nist.sentence_score("a", ["a a"])]
    assert both[1].score == 0  # a word that is every word of the references says nothing
    with pytest.raises(mt.InputError, match="3 segments, but the reference has 2"):
        nist.sentence_scores(["a", "b", "c"], [["a", "b"]])


def test_a_score_is_a_value_whose_signature_can_wait() -> None:
    bleu = mt.metric("bleu")
    score, other = bleu.sentence_score("a b", ["a c"]), bleu.sentence_score("a b", ["a d"])
    assert score.values == other.values
    assert score != other  # the references differ
    assert score != 0
    assert pickle.loads(pickle.dumps(score)) == copy(score) == score
    assert "signature=Signature(name='BLEU'" in repr(score)


def test_the_memory_of_a_loop_does_not_grow() -> None:
    chrf = mt.metric("chrf")
    blocks = []
    for i in range(2001):
        chrf.sentence_score(f"word{i} is new", [f"and so is {i}"])
        if i % 1000 == 0:
            gc.collect()
            blocks.append(sys.getallocatedblocks())
    assert blocks[2] - blocks[1] < 500  # less than one object for two calls
