"""Marks of other tools: what they look like, and that nothing is lost on the way and back.

XCOMET: ``decode`` of ``comet/models/multitask/unified_metric.py`` (unbabel-comet 2.2) returns
``text``, ``confidence``, ``severity``, ``start`` and ``end``, from the offsets of its tokenizer.
Pearmut: ``examples/esaai.json`` of zouharvi/pearmut; ``contentToCharSpans`` of its page splits
texts into units of UTF-16, and ``[missing]`` follows the last one. MQM: the repository
google/wmt-mqm-human-evaluation.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_explain.marks import (
    from_mqm,
    from_pearmut,
    from_quote,
    from_xcomet,
    to_mqm,
    to_pearmut,
    to_xcomet,
)

from mteval_core import InputError, Mark

SEVERITIES = ("neutral", "minor", "major")

FOX = "Rychlá hnědá liška skáče přes líného psa."
"""A text of Pearmut's ``examples/esaai.json``, with two spans."""


@st.composite
def marked(draw: Any) -> tuple[str, Mark]:
    """Draw a text and a mark of it."""
    text = draw(st.text("a ü🙂漢", max_size=12))
    start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    return text, Mark("hypothesis", start, end, draw(st.sampled_from(SEVERITIES)), "style")


def test_the_last_character_of_pearmut_is_inside() -> None:
    spans = [
        {"start_i": 0, "end_i": 5, "severity": "minor", "category": None},
        {"start_i": 27, "end_i": 32, "severity": "major", "category": None},
    ]
    marks = [from_pearmut(span, FOX) for span in spans]
    assert [FOX[mark.start : mark.end] for mark in marks] == ["Rychlá", "es lín"]
    assert [to_pearmut(mark, FOX) for mark in marks] == spans


def test_pearmut_counts_as_browsers_do_and_ends_with_what_is_missing() -> None:
    bad = {"start_i": 3, "end_i": 5, "severity": "major", "category": "Omission"}
    missing = {**bad, "start_i": 6, "end_i": 6}
    text = "🙂 bad"  # six units of UTF-16, five code points
    assert from_pearmut(bad, text) == Mark("hypothesis", 2, 5, "major", "Omission")
    assert from_pearmut(missing, text) == Mark("hypothesis", 5, 5, "major", "Omission")
    for span, fault in (
        ({**bad, "start_i": 1}, "within a character"),
        ({**bad, "end_i": 6}, "not within"),
    ):
        with pytest.raises(InputError, match=fault):
            from_pearmut(span, text)
    with pytest.raises(InputError, match="no severity"):
        from_pearmut({**bad, "severity": None}, text)


@given(marked())
def test_pearmut_returns_every_mark(case: tuple[str, Mark]) -> None:
    text, mark = case
    if mark.start < mark.end or mark.end == len(text):
        assert from_pearmut(to_pearmut(mark, text), text) == mark
    else:
        with pytest.raises(InputError, match="at the end"):
            to_pearmut(mark, text)


def test_xcomet_may_include_the_space_before() -> None:
    text = "Boris ist völlig in der Gunst"
    with_space = {"text": "völlig", "confidence": 0.42, "severity": "minor", "start": 9, "end": 16}
    mark = from_xcomet(with_space, text)
    assert mark == Mark("hypothesis", 10, 16, "minor", confidence=0.42)
    assert from_xcomet({**with_space, "start": 10}, text) == mark
    assert to_xcomet(mark, text) == with_space


@given(marked())
def test_xcomet_returns_every_mark_that_it_can_have(case: tuple[str, Mark]) -> None:
    text, mark = case[0], case[1]._replace(category="", confidence=0.5)
    if (
        text[mark.start : mark.end].strip()
        and text[mark.start] != " "
        and mark.severity != "neutral"
    ):
        assert from_xcomet(to_xcomet(mark, text), text) == mark
    else:
        with pytest.raises(InputError, match="no omissions, no white space and no neutral"):
            to_xcomet(mark, text)


def test_mqm_encloses_errors() -> None:
    written = "Die <v>Katze</v> sitzt<v></v>."
    text, marks = from_mqm(written, "Major", "Accuracy/Mistranslation")
    assert text == "Die Katze sitzt."
    category = "Accuracy/Mistranslation"
    assert marks == [
        Mark("hypothesis", 4, 9, "major", category),
        Mark("hypothesis", 15, 15, "major", category),
    ]
    assert to_mqm(text, marks) == written


@given(marked())
def test_mqm_returns_every_mark(case: tuple[str, Mark]) -> None:
    text, mark = case
    assert from_mqm(to_mqm(text, [mark]), mark.severity.title(), "style") == (text, [mark])


@pytest.mark.parametrize("written", ["a <v>b", "a</v> b", "<v>a <v>b</v></v>", "</v>a<v>"])
def test_a_tag_without_its_partner_is_an_error(written: str) -> None:
    with pytest.raises(InputError, match="expected each <v> to be followed by its </v>"):
        from_mqm(written, "Minor")


def test_mqm_has_no_overlaps_and_its_other_severities_are_no_marks() -> None:
    marks = [Mark("hypothesis", 0, 2, "minor"), Mark("hypothesis", 1, 3, "minor")]
    with pytest.raises(InputError, match="overlaps"):
        to_mqm("abc", marks)
    with pytest.raises(InputError, match="tag <v> of its own"):
        to_mqm("a <v> b", [])
    with pytest.raises(InputError, match="expected one of neutral, minor, major, critical"):
        from_mqm("<v>a</v>", "No-error")


def test_a_quote_is_found_where_it_is_alone() -> None:
    assert from_quote("bad", "not bad", "minor") == Mark("hypothesis", 4, 7, "minor")
    with pytest.raises(InputError, match="not in the text"):
        from_quote("Bad", "not bad", "minor")
    with pytest.raises(InputError, match="in 2 places"):
        from_quote("aa", "aaa", "minor")


def test_a_choice_between_quotes_is_recorded() -> None:
    first, last = (
        from_quote("the", "the cat and the dog", "major", choose=c) for c in ("first", "last")
    )
    assert (first.start, first.note) == (0, "first of 2 places of the quote")
    assert (last.start, last.note) == (12, "last of 2 places of the quote")


@given(marked())
def test_the_quote_of_a_mark_is_its_text(case: tuple[str, Mark]) -> None:
    text, mark = case
    quote = text[mark.start : mark.end]
    if quote and text.count(quote) == 1 and text.find(quote) == text.rfind(quote):
        assert from_quote(quote, text, mark.severity) == mark._replace(category="")
