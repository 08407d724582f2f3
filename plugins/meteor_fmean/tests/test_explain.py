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
    "meteor:align=chunks,modules=exact",
    "meteor:case=mixed,weights=1+0.5",
    "meteor:variant=1.5,modules=exact,alpha=0.9,beta=3,gamma=0.5,delta=0.5,weights=1,tok=none",
    "precision",
    "recall:case=lc",
    "fmean:weight=1",
]
"""Metrics with other options than their defaults, which the contract kit tries."""


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(sample=samples())
def test_rows_of_random_texts(spec: str, sample: Sample) -> None:
    check_explanations(spec, sample.hypotheses, sample.references)


def test_the_chunks_of_the_president() -> None:
    """Banerjee and Lavie 2005, section 2.2: two chunks, six matches."""
    texts = ["the president spoke to the audience"], [["the president then spoke to the audience"]]
    (explanation,) = check_explanations("meteor", *texts)
    assert [(link.hypothesis, link.reference) for link in explanation.links] == [
        ((0,), (0,)),
        ((1,), (1,)),
        ((2,), (3,)),
        ((3,), (4,)),
        ((4,), (5,)),
        ((5,), (6,)),
    ]
    assert dict(zip(explanation.columns, explanation.row, strict=True))["chunks"] == 2


def test_links_name_their_module() -> None:
    (explanation,) = check_explanations("meteor", ["dogs run home"], [["a dog runs home"]])
    kinds = {explanation.hypothesis[link.hypothesis[0]]: link.kind for link in explanation.links}
    assert kinds == {"dogs": "stem", "run": "stem", "home": "exact"}


def test_the_best_reference_is_named_with_all_scores() -> None:
    (explanation,) = mt.explanations("fmean", ["a b"], [["x y"], ["a b"]])
    assert explanation.why == "reference 1 has the highest score of 0.00, 100.00"
