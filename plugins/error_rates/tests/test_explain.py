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
    "wer:kinds=yes",
    "wer:over=hypothesis,empty=insertions",
    "cer",
    "ter:limits=sacrebleu",
    "ter:norm=yes,punct=no,limits=sacrebleu",
    "ter:tok=char",
]
"""Metrics with other options than their defaults, which the contract kit tries."""


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=8, deadline=None, derandomize=True, database=None)
@given(sample=samples())
def test_rows_of_random_texts(spec: str, sample: Sample) -> None:
    check_explanations(spec, sample.hypotheses, sample.references)


def edits(spec: str, hypothesis: str, *references: str) -> list[tuple[object, ...]]:
    (explanation,) = check_explanations(spec, [hypothesis], [[one] for one in references])
    return [(edit.kind, edit.hypothesis, edit.reference) for edit in explanation.edits]


def test_edits_are_listed_in_the_order_of_the_texts() -> None:
    assert edits("wer", "the cat sat there now", "a cat there now then") == [
        ("substitution", (0,), (0,)),
        ("insertion", (2,), ()),
        ("deletion", (), (4,)),
    ]


@pytest.mark.parametrize("limits", ["tercom", "sacrebleu"])
def test_a_shift_moves_words_together(limits: str) -> None:
    hypothesis, reference = (
        "on Monday the old mill burned down",
        "the old mill burned down on Monday",
    )
    (explanation,) = check_explanations(f"ter:limits={limits}", [hypothesis], [[reference]])
    (shift,) = explanation.edits
    assert (shift.kind, shift.hypothesis, shift.after) == ("shift", (0, 1), 6)
    assert explanation.order == (2, 3, 4, 5, 6, 0, 1)
    assert len(explanation.links) == 7


def test_the_reference_with_the_fewest_errors_is_named() -> None:
    (explanation,) = mt.explanations("wer", ["a b"], [["x y"], ["a b c"]])
    assert (explanation.best, explanation.why) == (
        1,
        "reference 1 has the lowest rate of 100.00, 33.33",
    )
    (explanation,) = mt.explanations("ter", ["a b"], [["x y"], ["a b c"]])
    assert explanation.why == "reference 1 needs the fewest edits of 2, 1"


def test_words_match_in_any_order() -> None:
    (explanation,) = check_explanations("per", ["b a a"], [["a b"]])
    assert [(link.hypothesis, link.reference) for link in explanation.links] == [
        ((0,), (1,)),
        ((1,), (0,)),
    ]


def test_a_segment_is_wrong_if_no_reference_is_equal() -> None:
    right, wrong = check_explanations("ser", ["a b", "a b"], [["x", "x"], ["a b", "b"]])
    assert (right.row, right.best, right.edits) == ((0, 1), 1, ())
    assert (wrong.row, wrong.best) == ((1, 1), 1)
