"""Explanations have the rows of the metrics, and show the examples of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from mteval_rouge import word_lists
from mteval_testing.explanation_checks import check_explanations
from mteval_testing.strategies import samples

import mteval_core as mt

if TYPE_CHECKING:
    from mteval_core import Sample

SPECS = [
    "rouge-n:n=2,multi=pooled,mean=totals",
    "rouge-l:multi=best,beta=2",
    "rouge-l:variant=1.5.5,sent=tab",
    "rouge-l:variant=1.5.5,limit=bytes[20]",
    "rouge-lsum:multi=best",
    "rouge-w:variant=1.5.5,sent=tab",
    "rouge-w:weight=2",
    "rouge-s:skip=2",
    "rouge-su:variant=1.5.5,skip=1",
]
"""Metrics with other options than their defaults, which the contract kit tries."""


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(sample=samples())
def test_rows_of_random_texts(spec: str, sample: Sample) -> None:
    check_explanations(spec, sample.hypotheses, sample.references)


def test_rows_without_stop_words() -> None:
    try:
        word_lists.stop_words()
    except mt.PluginError as error:
        pytest.skip(str(error))
    hypotheses, references = ["a cat sat on the mat", "the"], [["the cat is on a mat", "a dog"]]
    check_explanations("rouge-lsum:multi=best,stop=yes", hypotheses, references)


REFERENCE = "police killed the gunman"


@pytest.mark.parametrize(
    ("hypothesis", "subsequence", "pairs"),
    [
        ("police kill the gunman", [0, 2, 3], {(0, 2), (0, 3), (2, 3)}),
        ("the gunman kill police", [0, 1], {(0, 1)}),
        ("the gunman police killed", [2, 3], {(0, 1), (2, 3)}),
    ],
)
def test_the_gunman(hypothesis: str, subsequence: list[int], pairs: set[tuple[int, int]]) -> None:
    """Lin and Och, sections 3 and 4."""
    (longest,) = check_explanations("rouge-l", [hypothesis], [[REFERENCE]])
    assert [i for link in longest.links for i in link.hypothesis] == subsequence
    (shared,) = check_explanations("rouge-s", [hypothesis], [[REFERENCE]])
    assert {link.hypothesis for link in shared.links} == pairs


def test_runs_have_weights() -> None:
    """Lin and Och, section 3.2, f(k) = k^2: one run of four words, or four of one."""
    reference = [["A B C D E F G"]]
    (whole,) = check_explanations("rouge-w:weight=2", ["A B C D H I K"], reference)
    assert [(link.hypothesis, link.weight) for link in whole.links] == [((0, 1, 2, 3), 16)]
    (scattered,) = check_explanations("rouge-w:weight=2", ["A H B K C I D"], reference)
    assert [link.weight for link in scattered.links] == [1, 1, 1, 1]


def test_sentences_are_united() -> None:
    """Lin 2004, section 3.2: w1 w2 and w1 w3 w5 cover 4 of the 5 words."""
    (explanation,) = check_explanations(
        "rouge-lsum", ["w1 w2 w6 w7 w8\tw1 w3 w8 w9 w5"], [["w1 w2 w3 w4 w5"]]
    )
    assert [link.reference for link in explanation.links] == [(0,), (1,), (2,), (4,)]


def test_several_references_are_combined_as_the_option_says() -> None:
    references = [["a b"], ["a b c x"]]
    reasons = {
        multi: mt.explanations(f"rouge-l:multi={multi}", ["a b c"], references)[0].why
        for multi in ("maxima", "pooled", "best")
    }
    assert reasons == {
        "maxima": "P and R are the largest of all references",
        "pooled": "hits and totals are added over all references",
        "best": "reference 1 is the best one",
    }
