"""Segments that come in pieces, from several processes: the score of one call, to the last bit."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_testing.corpora import CORPUS, selected
from mteval_testing.strategies import samples

import mteval_core as mt
from mteval_core.metrics.resolve import configure_again

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Sample
    from mteval_core.metrics.scorer import Scorer

HOUSE = ("bleu_nist", "chrf", "error_rates", "gtm", "rouge")
for name in HOUSE:
    pytest.importorskip(f"mteval_{name}", reason="the metrics of the house are not installed")

NAMES = [entry.declaration.name for entry in mt.default_registry().of_kind(mt.MetricSpec)]
VARIANTS = ["bleu:tok=zh,smooth=mteval", "nist:stem=porter", "chrf:nw=2", "rouge-l:stem=porter"]


def scorer_of(spec: str) -> Scorer:
    try:
        scorer = mt.metric(spec)
    except mt.PluginError as error:  # what it reads is not installed
        pytest.skip(str(error))
    if scorer.declaration.pooled:
        pytest.skip("each call runs a model")
    return scorer


def of_pieces(scorer: Scorer, sample: Sample, order: Sequence[int]) -> mt.Score:
    """Score each segment in a process of its own, as it were, and merge them in some order."""
    source = sample.source if scorer.setup.uses_source else None
    start = pickle.dumps(mt.State(scorer, sample.references, source=source))
    merged = pickle.loads(start)
    for i in order:
        piece, state = selected(sample, [i]), pickle.loads(start)
        source = piece.source if scorer.setup.uses_source else None
        state.update(piece.hypotheses, piece.references, source=source)
        merged.merge(pickle.loads(pickle.dumps(state)))
    return merged.compute()


@pytest.mark.parametrize("spec", [*NAMES, *VARIANTS])
def test_pieces_have_the_score_of_the_whole(spec: str) -> None:
    scorer = scorer_of(spec)

    @settings(deadline=None, max_examples=4)
    @given(samples(), st.randoms())
    def check(sample: Sample, random: Any) -> None:
        sample = replace(sample, source=sample.hypotheses)
        order = [*range(len(sample.hypotheses))]
        if not scorer.setup.keeps_rows:  # which the metric gets in the order of the segments
            random.shuffle(order)
        source = sample.source if scorer.setup.uses_source else None
        whole = scorer.corpus_score(sample.hypotheses, sample.references, source=source)
        assert of_pieces(scorer, sample, order) == whole

    check()


def test_a_state_of_all_references_has_the_whole_signature() -> None:
    bleu, n = mt.metric("bleu"), len(CORPUS.hypotheses)
    assert of_pieces(bleu, CORPUS, range(n)) == bleu.corpus_score(
        CORPUS.hypotheses, CORPUS.references
    )
    # References that are not known, or not all there, are not signed.
    assert of_pieces(bleu, CORPUS, range(n - 1)).signature == bleu.signature()
    state = mt.State(bleu)
    state.update(CORPUS.hypotheses, CORPUS.references)
    assert (state.compute().signature, state.n_segments) == (bleu.signature(), n)


def test_a_prepared_metric_needs_the_references() -> None:
    with pytest.raises(mt.UsageError, match=r"^the metric nist is prepared .*State\(metric, ref"):
        mt.State(mt.metric("nist"))


@pytest.mark.parametrize("other", ["q r s t", "a b c e", ""])
def test_references_that_a_state_was_not_started_with_are_refused(other: str) -> None:
    state = mt.State(mt.metric("nist"), [["a b c d", "a b c e"], ["e f g", None]])
    with pytest.raises(mt.InputError, match=r"^segment 1 has the references .*State\(metric, ref"):
        state.update(["a b c e", "q r"], [["a b c e", "a b c d"], [None, other]])
    assert state.n_segments == 0
    state.update(["a b c e", "q r"], [["a b c e", "a b c d"], [None, "e f g"]])
    state.update(["q r"], [["a b c e"]])  # a stream that these segments lack is left out
    assert state.n_segments == 3


def test_only_states_of_one_metric_can_be_merged() -> None:
    nist = mt.State(mt.metric("nist"), [["a", "b"]])
    for other in (mt.State(mt.metric("nist"), [["a", "c"]]), mt.State(mt.metric("bleu"))):
        with pytest.raises(mt.UsageError, match="merged into one of NIST"):
            nist.merge(other)
    with pytest.raises(mt.UsageError, match="expected a state of the same metric, got a string"):
        nist.merge("bleu")  # type: ignore[arg-type]


def test_a_state_without_segments_has_no_score() -> None:
    with pytest.raises(mt.InputError, match=r"no segments yet: call update\(hypotheses, ref"):
        mt.State(mt.metric("bleu")).compute()


def test_wrong_pieces_are_refused_and_leave_no_trace() -> None:
    state = mt.State(mt.metric("bleu"))
    with pytest.raises(mt.InputError, match="2 segments, but the reference has 3"):
        state.update(["a", "b"], [["a", "b", "c"]])
    assert state.n_segments == 0


@pytest.mark.parametrize(
    "spec", ["bleu:tok=intl,case=lc", "rouge-l:stem=porter", "gtm:e=2,loo=yes"]
)
def test_a_pickled_metric_is_the_same(spec: str) -> None:
    scorer = mt.metric(spec, defaults={"case": "lc", "stem": "porter"})
    again = pickle.loads(pickle.dumps(scorer))
    assert again.signature() == scorer.signature()
    texts = ["The cats"], [["the cat"], ["a cat"]]
    assert again.corpus_score(*texts) == scorer.corpus_score(*texts)


def test_a_metric_that_is_another_one_here_is_refused() -> None:
    bleu = mt.metric("bleu")
    signature = str(bleu.signature())
    state = ({}, bleu.spec, bleu.setup.implementation, None)
    assert configure_again(signature, *state).spec == bleu.spec
    with pytest.raises(mt.PluginError, match="install the same versions on all machines"):
        configure_again(f"{signature}.1", *state)
