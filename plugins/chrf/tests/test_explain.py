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
    "chrf:nw=2",
    "chrf:space=yes,nw=1,nc=3",
    "chrf:nc=2,eff=no,beta=1",
]
"""Metrics with other options than their defaults, which the contract kit tries."""


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(sample=samples())
def test_rows_of_random_texts(spec: str, sample: Sample) -> None:
    check_explanations(spec, sample.hypotheses, sample.references)


def test_words_are_linked_by_their_characters() -> None:
    (explanation,) = check_explanations("chrf:nc=2,nw=1", ["ab c"], [["c ab!"]])
    assert explanation.hypothesis == tuple("abc")
    links = [(link.kind, link.hypothesis, link.reference) for link in explanation.links]
    assert links == [
        ("character 1-gram", (0,), (1,)),
        ("character 1-gram", (1,), (2,)),
        ("character 1-gram", (2,), (0,)),
        ("character 2-gram", (0, 1), (1, 2)),
        ("word 1-gram", (0, 1), (1, 2)),
        ("word 1-gram", (2,), (0,)),
    ]


def test_the_best_reference_is_named() -> None:
    (explanation,) = mt.explanations("chrf", ["a b c"], [["x"], ["a b c d"]])
    assert explanation.best == 1
    assert explanation.why == "reference 1 has the highest F-score of 2 references"
