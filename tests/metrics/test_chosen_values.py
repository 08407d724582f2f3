"""Values of a metric as its score: ``NAME.VALUE``."""

from __future__ import annotations

import pytest

import mteval_core as mt
from mteval_core.metrics.titles import name_of

HYPOTHESES, REFERENCES = ["a b c d e", "f g"], [["a b c x", "f h g"]]


@pytest.mark.parametrize("spec", ["bleu.BP", "bleu:value=BP", "mteval-bleu-nist/bleu.BP"])
def test_any_value_can_be_the_score(spec: str) -> None:
    chosen = mt.metric(spec)
    score = chosen.corpus_score(HYPOTHESES, REFERENCES)
    plain = mt.metric("bleu").corpus_score(HYPOTHESES, REFERENCES)
    assert score.score == plain.values["BP"] != plain.score
    assert score.values == plain.values
    assert "|value:BP|" in str(score.signature)
    again = mt.metric(str(score.signature))
    assert again.corpus_score(HYPOTHESES, REFERENCES) == score
    assert name_of(chosen) == "BLEU.BP"


def test_other_options_stay() -> None:
    assert name_of(mt.metric("bleu.BP:order=2,smooth=none")) == "BLEU.BP:order=2,smooth=none"
    assert mt.metric("bleu", value="BP").main == "BP"
    assert "value" not in mt.metric("bleu").setup.fields


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleu.bp", r"metric 'bleu': no value 'bp'\. .*BP"),
        ("bleu.BP:value=BP", "the value is given twice"),
        ("blue.BP", "unknown metric 'blue'"),
        ("bleu.", "unknown metric 'bleu.'"),
    ],
)
def test_refusals(spec: str, message: str) -> None:
    with pytest.raises(mt.UsageError, match=message):
        mt.metric(spec)
