"""Properties of any text: ranges, bounds by other counts, and specs with equal values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_rouge import word_lists
from mteval_testing import check_metric, parametrize_with_checks
from mteval_testing.strategies import samples
from mteval_testing.values import evaluate_sample

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Sample

# Texts drawn at random look damaged.
pytestmark = pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")

SPECS = [
    "rouge-n",
    "rouge-n:n=3,multi=best,beta=2",
    "rouge-l",
    "rouge-l:variant=1.5.5",
    "rouge-l:variant=1.5.5,sent=tab,multi=best",
    "rouge-lsum",
    "rouge-lsum:variant=1.5.5,mean=totals,limit=bytes[20]",
    "rouge-w",
    "rouge-w:multi=pooled,mean=totals",
    "rouge-w:weight=2,multi=best,tok=char",
    "rouge-s",
    "rouge-s:skip=4,limit=words[5]",
    "rouge-su",
    "rouge-su:skip=9,stem=porter",
]
ODD = {
    "rouge-w:variant=1.5.5": "the program weights the reference total twice",
    "rouge-w:variant=1.5.5,sent=tab,multi=best": "the program weights the reference total twice",
    "rouge-n:variant=1.5.5,multi=best": "the program takes the reference with the highest recall",
}
"""Specs that may not score identical texts highest, or depend on the order of references."""
HARMLESS = {"identity_is_best", "reference_order_is_irrelevant"}

WITH_ORIGINAL = ["rouge-su:variant=1.5.5,stop=yes"]

few = settings(max_examples=40, deadline=None)


def needs(word_list: Callable[[], object]) -> None:
    try:
        word_list()
    except mt.PluginError as error:
        pytest.skip(str(error))


@parametrize_with_checks(SPECS)
def test_contract(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


@pytest.mark.parametrize("spec", ODD)
def test_contract_of_the_programs_oddities(spec: str) -> None:
    findings = [finding for finding in check_metric(spec) if not finding.ok]
    assert [finding for finding in findings if finding.check not in HARMLESS] == []


@pytest.mark.parametrize("spec", WITH_ORIGINAL)
def test_contract_with_stop_words(spec: str) -> None:
    needs(word_lists.stop_words)
    assert [finding for finding in check_metric(spec) if not finding.ok] == []


def columns(evaluation: mt.Evaluation, spec: str) -> dict[str, np.ndarray]:
    """Values of all segments."""
    scorer = evaluation.scorers[spec]
    values = scorer.values(evaluation.scores.rows["", spec])
    return dict(zip(scorer.scales, values.T, strict=True))


def single(sample: Sample) -> Sample:
    """The sample with one reference for each segment."""
    segments = zip(*sample.references, strict=True)
    first = [next(reference for reference in given if reference is not None) for given in segments]
    return type(sample)(sample.hypotheses, (tuple(first),))


@few
@given(samples())
def test_range(sample: Sample) -> None:
    """Of segments and corpora: F between P and R, all in 0 to 100."""
    specs = [*SPECS, *ODD]
    evaluation = evaluate_sample(sample, specs)
    for spec in specs:
        segments = columns(evaluation, spec)
        low, high = np.sort([segments["P"], segments["R"]], axis=0)
        tolerance = 1e-3 if "1.5.5" in spec else 1e-9
        assert (segments["F"] >= low - tolerance).all(), spec
        assert (segments["F"] <= high + tolerance).all(), spec
        assert (low >= 0).all(), spec
        assert (high <= 100 + 1e-9).all(), spec


@few
@given(samples(), st.sampled_from(["paper", "1.5.5"]), st.sampled_from(["none", "tab"]))
def test_a_common_subsequence_has_no_more_words_than_match(
    sample: Sample, variant: str, sent: str
) -> None:
    options = f"variant={variant},sent={sent},mean=totals,multi=pooled"
    specs = [f"rouge-l:{options}", f"rouge-n:{options}"]
    evaluation = evaluate_sample(sample, specs)
    lcs, matches = (columns(evaluation, spec) for spec in specs)
    assert (lcs["hits"] <= matches["hits"]).all()
    assert (lcs["ref_total"] == matches["ref_total"]).all()
    assert (lcs["hyp_total"] == matches["hyp_total"]).all()


@few
@given(samples(), st.sampled_from([1, 1.2, 2, 3.5]))
def test_identical_texts_are_the_maximum_of_rouge_w(sample: Sample, weight: float) -> None:
    spec = f"rouge-w:weight={weight}"
    for reference in single(sample).references[0]:
        scorer = mt.metric(spec)
        words = mt.metric("rouge-n:mean=totals,multi=pooled").sentence_score(reference, [reference])
        best = scorer.sentence_score(reference, [reference]).score
        assert best == pytest.approx(100 if words.values["ref_total"] else 0, rel=1e-12)
        for hypothesis in sample.hypotheses:
            assert scorer.sentence_score(hypothesis, [reference]).score <= best + 1e-9


@few
@given(samples())
def test_what_equals_what(sample: Sample) -> None:
    same = {
        "rouge-s:skip=0": "rouge-n:n=2",
        "rouge-s:skip=0,variant=1.5.5,multi=best": "rouge-n:n=2,variant=1.5.5,multi=best",
        "rouge-w:weight=1": "rouge-l",
        "rouge-lsum:sent=none": "rouge-l",
        "rouge-s:skip=10000": "rouge-s",
        "rouge-n:limit=words[10000]": "rouge-n",
        "rouge-l:limit=bytes[100000],sent=tab": "rouge-lsum",
        "rouge-l:beta=2": "rouge-l:alpha=0.2",
    }
    evaluation = evaluate_sample(sample, [*same, *same.values()])
    for one, other in same.items():
        for name, values in columns(evaluation, one).items():
            np.testing.assert_allclose(
                values, columns(evaluation, other)[name], rtol=1e-12, atol=1e-12, err_msg=one
            )


@few
@given(samples())
def test_one_reference_is_no_choice(sample: Sample) -> None:
    sample = single(sample)
    for name in ("rouge-n", "rouge-l", "rouge-lsum", "rouge-w", "rouge-s", "rouge-su"):
        specs = [f"{name}:multi={multi}" for multi in ("maxima", "pooled", "best")]
        evaluation = evaluate_sample(sample, specs)
        first, *others = (evaluation.scores.rows["", spec] for spec in specs)
        for rows in others:
            np.testing.assert_array_equal(rows, first)


@few
@given(samples())
def test_more_references_raise_the_maxima(sample: Sample) -> None:
    for name in ("rouge-n", "rouge-l", "rouge-w", "rouge-s", "rouge-su"):
        all_of_them = columns(evaluate_sample(sample, [name]), name)
        one = columns(evaluate_sample(single(sample), [name]), name)
        assert (all_of_them["P"] >= one["P"]).all()
        assert (all_of_them["R"] >= one["R"]).all()


@pytest.mark.parametrize("name", ["rouge-n", "rouge-l", "rouge-lsum", "rouge-s", "rouge-su"])
@pytest.mark.parametrize("variant", ["paper", "1.5.5"])
def test_long_texts(name: str, variant: str) -> None:
    """Thousands of words take time, but pairs are not stored in memory."""
    words = [f"w{i * i % 997}" for i in range(2_000)]
    text = " ".join(words)
    score = mt.metric(f"{name}:variant={variant}").sentence_score(text, [text])
    assert score.score == pytest.approx(100)
    other = mt.metric(f"{name}:variant={variant}").sentence_score(text, [" ".join(words[::-1])])
    assert 0 < other.score <= 100


def test_conventions() -> None:
    """Texts without anything to count score 0."""
    for spec in [*SPECS, *ODD]:
        metric = mt.metric(spec)
        assert metric.sentence_score("", ["a b"]).score == 0
        assert metric.sentence_score("a b", [""]).score == 0
        assert metric.sentence_score("", [""]).score == 0
        assert metric.sentence_score("", ["", ""]).score == 0
    assert mt.metric("rouge-s").sentence_score("a", ["a"]).score == 0
    assert mt.metric("rouge-su").sentence_score("a", ["a"]).score == 100
    assert mt.metric("rouge-su:variant=1.5.5").sentence_score("a", ["a"]).score == 0
