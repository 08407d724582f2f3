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
    "gtm:e=2",
    "gtm:e=1.5,tok=gtm",
    "gtm:e=40",
    "gtm:e=2,matching=exact",
    "gtm:e=40,matching=exact",
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
    assert [link.weight for link in explanation.links] == pytest.approx([2, 2 / 3, 0])


def test_what_the_cap_cuts_from_a_run_is_a_link_of_its_own() -> None:
    """Six words match in two runs of three, and the mean reference length is 5."""
    references = [["a b c x y"], ["d e f z w"]]
    (explanation,) = check_explanations("gtm:e=2", ["a b c d e f"], references)
    found = [(x.to, x.kind, x.hypothesis, x.reference, x.weight) for x in explanation.links]
    assert found == [
        (1, "run", (3, 4, 5), (0, 1, 2), 9),
        (0, "run", (0, 1), (0, 1), 4),
        (0, "beyond the cap", (2,), (2,), 0),
    ]


def test_the_exact_matching_is_found() -> None:
    """The longest run, "c d e f g", leaves a run of two words and one word."""
    texts = ["a b c d e f g h"], [["a b c d y c d e f g y e f g h"]]
    (greedy,) = check_explanations("gtm:e=2", *texts)
    (exact,) = check_explanations("gtm:e=2,matching=exact", *texts)
    assert [link.weight for link in greedy.links] == [25, 4, 1]
    assert [(link.hypothesis, link.reference) for link in exact.links] == [
        ((4, 5, 6, 7), (11, 12, 13, 14)),
        ((0, 1, 2, 3), (0, 1, 2, 3)),
    ]


def test_a_search_that_takes_too_long_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mteval_gtm.explain.CASES", 5)
    texts = ["a b a b b a a b b a b a"], [["b a a b a b a a b b a b"]]
    with pytest.raises(mt.UsageError, match="more than 5 cases; use matching=greedy"):
        mt.explanations("gtm:e=2,matching=exact", *texts)
