"""Explanations have the rows of the metrics, and show the examples of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

import mteval_core as mt
from mteval_core.testing.explanation_checks import check_explanations
from mteval_core.testing.strategies import samples

if TYPE_CHECKING:
    from mteval_core.testing import Sample

SPECS = [
    "gtm:e=2",
    "gtm:e=1.5,tok=gtm",
    "gtm:e=40",
]
"""Metrics with other options than their defaults, which the contract kit tries."""


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(sample=samples())
def test_rows_of_random_texts(spec: str, sample: Sample) -> None:
    check_explanations(spec, sample.hypotheses, sample.references)


def test_runs_of_4_2_and_1() -> None:
    """The texts of `test_papers`, with the runs of the first figure of Melamed et al."""
    texts = ["a drawer the clerk in kept the old maps"], [["she kept the old maps and in a drawer"]]
    (explanation,) = check_explanations("gtm:e=2", *texts)
    runs = [(link.hypothesis, link.reference, link.weight) for link in explanation.links]
    assert runs == [
        ((5, 6, 7, 8), (1, 2, 3, 4), 16),
        ((0, 1), (7, 8), 4),
        ((4,), (6,), 1),
    ]


def test_runs_beyond_the_cap_are_found_but_do_not_count() -> None:
    """The second figure: six words match, but the mean reference length is 5."""
    references = [["we met on a Monday"], ["on Monday we two met"], ["Monday was when we met"]]
    (explanation,) = check_explanations("gtm", ["on Monday when we two met"], references)
    assert [(link.to, link.kind, link.weight) for link in explanation.links] == [
        (1, "run", 3),
        (1, "run", 2),
        (2, "beyond the cap", 0),
    ]


def test_the_last_run_may_be_cut() -> None:
    references = [["a b"], ["c d e"], ["f g h"]]  # 2, 3 and 3 words: 2.67 on average
    (explanation,) = check_explanations("gtm", ["a b c d"], references)
    assert [link.weight for link in explanation.links] == pytest.approx([2, 2 / 3])


def test_the_exact_matching_has_no_explanation() -> None:
    with pytest.raises(mt.UsageError, match="use matching=greedy"):
        mt.explanations("gtm:matching=exact", ["a"], [["a"]])
