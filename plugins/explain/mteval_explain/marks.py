"""Marks of other tools: XCOMET, Pearmut, MQM ratings, and quotes of language models.

Each form has a function that reads it, and one that writes it. What one writes, the other reads,
without a loss. What a form cannot say is an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from mteval_core import InputError, Mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "from_mqm",
    "from_pearmut",
    "from_quote",
    "from_xcomet",
    "to_mqm",
    "to_pearmut",
    "to_xcomet",
]


# XCOMET


def from_xcomet(span: Mapping[str, Any], hypothesis: str) -> Mark:
    """Read a span of XCOMET, whose first token may include the space before it.

    Parameters
    ----------
    span : mapping
        An element of ``error_spans`` in the metadata of a prediction, with ``start``, ``end``,
        ``severity`` and ``confidence``.
    hypothesis : str
        The text.

    Returns
    -------
    Mark
        Without the space.

    Examples
    --------
    >>> span = {"text": "bad", "start": 3, "end": 7, "severity": "major", "confidence": 0.5}
    >>> from_xcomet(span, "not bad")[:4]
    ('hypothesis', 4, 7, 'major')
    """
    start, end = span["start"], span["end"]
    while start < end and hypothesis[start : start + 1].isspace():
        start += 1
    mark = Mark("hypothesis", start, end, span["severity"], confidence=span.get("confidence"))
    return _within(mark, hypothesis)


def to_xcomet(mark: Mark, hypothesis: str) -> dict[str, Any]:
    """Write a mark as XCOMET does: with the space before it, if there is one.

    Raises
    ------
    InputError
        If the mark is not of the hypothesis, is an omission, begins with white space, or has what
        XCOMET does not have: a category, a note, or the severity ``neutral``.
    """
    _within(mark, hypothesis, "hypothesis")
    text = hypothesis[mark.start : mark.end]
    if not text.strip() or text[0].isspace() or mark.severity == "neutral":
        raise InputError(f"{mark}: XCOMET has no omissions, no white space and no neutral marks")
    if mark.category or mark.note:
        raise InputError(f"{mark}: XCOMET has neither categories nor notes")
    start = mark.start - (hypothesis[mark.start - 1 : mark.start] == " ")
    known = {} if mark.confidence is None else {"confidence": mark.confidence}
    return {"text": text, **known, "severity": mark.severity, "start": start, "end": mark.end}


# Pearmut


def from_pearmut(span: Mapping[str, Any], hypothesis: str) -> Mark:
    """Read a span of Pearmut, whose last character is inside.

    Pearmut counts in units of UTF-16, as browsers do. The place behind the last one stands for
    something that is missing.

    Parameters
    ----------
    span : mapping
        An element of ``error_spans``, with ``start_i``, ``end_i``, ``severity`` and ``category``.
    hypothesis : str
        The text.

    Raises
    ------
    InputError
        If the span has no severity, which annotators choose later, or is not within the text.

    Examples
    --------
    >>> span = {"start_i": 0, "end_i": 5, "severity": "minor", "category": None}
    >>> from_pearmut(span, "Rychlá liška")[:4]
    ('hypothesis', 0, 6, 'minor')
    """
    if span["severity"] is None:
        raise InputError(f"{dict(span)}: no severity; expected minor, major or neutral")
    places = _utf16(hypothesis)
    first, last = span["start_i"], span["end_i"]
    is_missing = first == last == places[-1]
    try:
        start = places.index(first)
        end = start if is_missing else places.index(last + 1)
    except ValueError:
        raise InputError(
            f"{dict(span)}: not within the text of {places[-1]} units of UTF-16, or within a "
            "character"
        ) from None
    category = span.get("category") or ""
    return _within(Mark("hypothesis", start, end, span["severity"], category=category), hypothesis)


def to_pearmut(mark: Mark, hypothesis: str) -> dict[str, Any]:
    """Write a mark as Pearmut does.

    Raises
    ------
    InputError
        If the mark is not of the hypothesis, is an omission before the end, or has what Pearmut
        does not have: a confidence, a note, or the severity ``critical``.
    """
    _within(mark, hypothesis, "hypothesis")
    places = _utf16(hypothesis)
    is_missing = mark.start == mark.end
    if is_missing and mark.end != len(hypothesis):
        raise InputError(f"{mark}: Pearmut has omissions at the end of a text only")
    if mark.confidence is not None or mark.note or mark.severity == "critical":
        raise InputError(f"{mark}: Pearmut has no confidence, no notes and no critical errors")
    return {
        "start_i": places[mark.start],
        "end_i": places[mark.end] - (not is_missing),
        "severity": mark.severity,
        "category": mark.category or None,
    }


def _utf16(text: str) -> list[int]:
    """Place of each character in units of UTF-16, and the number of units."""
    places = [0]
    for character in text:
        places.append(places[-1] + (2 if ord(character) > 0xFFFF else 1))
    return places


# MQM ratings

TAG = re.compile("</?v>")


def from_mqm(
    written: str, severity: str, category: str = "", side: str = "hypothesis"
) -> tuple[str, list[Mark]]:
    """Read a text of an MQM rating, in which ``<v>`` and ``</v>`` enclose an error.

    Parameters
    ----------
    written : str
        The column ``target`` or ``source``.
    severity : str
        The column ``severity``, such as ``Major``.
    category : str
        The column ``category``.
    side : {"hypothesis", "source", "reference"}
        Which text it is.

    Returns
    -------
    (str, list of Mark)
        The text without tags, and its marks.

    Raises
    ------
    InputError
        If a tag has no partner, or the severity is none, such as ``No-error``.

    Examples
    --------
    >>> text, (mark,) = from_mqm("not <v>bad</v>", "Minor", "Style/Awkward")
    >>> text, mark[:5]
    ('not bad', ('hypothesis', 4, 7, 'minor', 'Style/Awkward'))
    """
    if not re.fullmatch("(?:(?!</?v>).|<v>(?:(?!</?v>).)*</v>)*", written, re.DOTALL):
        raise InputError(f"{written!r}: expected each <v> to be followed by its </v>")
    pieces = TAG.split(written)
    text = "".join(pieces)
    marks, place = [], 0
    for n, piece in enumerate(pieces):
        if n % 2:
            mark = Mark(side, place, place + len(piece), severity.lower(), category=category)
            marks.append(_within(mark, text))
        place += len(piece)
    return text, marks


def to_mqm(text: str, marks: Sequence[Mark]) -> str:
    """Write a text with its marks between ``<v>`` and ``</v>``.

    Severity and category are columns of their own.

    Raises
    ------
    InputError
        If marks overlap, or the text has tags of its own.
    """
    if TAG.search(text):
        raise InputError(f"{text!r}: the text has a tag <v> of its own")
    written, end = "", 0
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        _within(mark, text)
        if mark.start < end:
            raise InputError(f"{mark}: it overlaps with the mark before it")
        written += f"{text[end : mark.start]}<v>{text[mark.start : mark.end]}</v>"
        end = mark.end
    return written + text[end:]


# Quotes


def from_quote(
    quote: str,
    text: str,
    severity: str,
    *,
    choose: Literal["only", "first", "last"] = "only",
    side: str = "hypothesis",
) -> Mark:
    """Find what a language model quotes as an error.

    Parameters
    ----------
    quote : str
        The quoted part, exactly as it is in the text.
    text : str
        The text.
    severity : str
        The severity of the mark.
    choose : {"only", "first", "last"}
        What to take if the text has the quote in several places: by default, that is an error.
    side : {"hypothesis", "source", "reference"}
        Which text it is.

    Returns
    -------
    Mark
        Its note records a choice.

    Raises
    ------
    InputError
        If the text does not have the quote, or has it in several places.

    Examples
    --------
    >>> from_quote("bad", "bad, very bad", "major", choose="last").note
    'last of 2 places of the quote'
    """
    places = [m.start() for m in re.finditer(f"(?={re.escape(quote)})", text)] if quote else []
    if not places:
        raise InputError(f"{quote!r}: not in the text {text!r}")
    if len(places) > 1 and choose == "only":
        raise InputError(
            f"{quote!r}: in {len(places)} places of the text {text!r}; choose the first or the last"
        )
    start = places[-1 if choose == "last" else 0]
    note = f"{choose} of {len(places)} places of the quote" if len(places) > 1 else ""
    return _within(Mark(side, start, start + len(quote), severity, note=note), text)


def _within(mark: Mark, text: str, side: str = "") -> Mark:
    """Return a mark of a text, of this side if it matters.

    Raises
    ------
    InputError
        If it is not one.
    """
    if fault := mark.fault({side or mark.side: [text]}):
        raise InputError(f"{mark}: {fault}")
    return mark
