"""Explanations have the rows of the metrics, and show the examples of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from mteval_testing.explanation_checks import check_explanations
from mteval_testing.strategies import samples

import mteval_core as mt

if TYPE_CHECKING:
    from mteval_core import Sample

SPECS = [
    "bleu:order=2,bp=shortest,case=lc",
    "bleu:bp=average,tok=intl",
    "bleu:tok=char",
    "nist:order=3",
    "nist:weights=no",
]
"""Metrics with other options than their defaults, which the contract kit tries."""


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(sample=samples())
def test_rows_of_random_texts(spec: str, sample: Sample) -> None:
    check_explanations(spec, sample.hypotheses, sample.references)


def test_the_seven_the() -> None:
    """BLEU, section 2.1: one reference has "the" twice, the other once."""
    references = [["the cat is on the mat"], ["there is a cat on the mat"]]
    (explanation,) = check_explanations(
        "bleu:tok=none", ["the the the the the the the"], references
    )
    counted = [(link.hypothesis, link.to, link.reference) for link in explanation.links]
    assert counted == [((0,), 0, (0,)), ((1,), 0, (4,))]
    assert explanation.columns == ("c", "r", *("m1", "m2", "m3", "m4"), *("t1", "t2", "t3", "t4"))
    assert explanation.row == (7, 7, 2, 0, 0, 0, 7, 6, 5, 4)


def test_the_length_is_the_closest_one() -> None:
    (explanation,) = mt.explanations("bleu", ["a b c"], [["a b c d e"], ["a b"]])
    r = explanation.terms[1]
    assert (r.value, r.formula) == (2, "closest of the reference lengths 5, 2")


def test_information_weighs_the_links() -> None:
    """NIST, equation 2: "a" is 3 of 6 words, "b" 2 of 6; "a b" follows 2 of 3 "a"."""
    hypotheses, references = ["a b", "c"], [["a b a c", "a b"]]
    first, _ = check_explanations("nist:tok=none", hypotheses, references)
    weights = {link.hypothesis: link.weight for link in first.links}
    assert weights == pytest.approx({(0,): 1, (1,): 1.5849625007, (0, 1): 0.5849625007})
