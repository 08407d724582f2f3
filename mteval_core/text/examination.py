"""An examination of texts: what is in each of them, and what is wrong with one or between two."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import InputError
from mteval_core.text.file_types import refuse_binary, refuse_markup, tabs
from mteval_core.text.files import BOM, check_utf8
from mteval_core.text.findings import TOKENIZED, main_script, normal_form, tokenized_share
from mteval_core.text.shift import find_shift

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.text.text import Text

__all__ = ["Examined", "Problem", "compare", "examine", "examine_file"]

MANY_EMPTY = 0.1
"""Share of empty lines from which they are a problem."""

CHARACTERS = (
    ("carriage-return", "\r", "carriage returns inside lines, which end a line in some programs"),
    ("line-separator", "\x0b\x0c\x1c-\x1e\x85\u2028\u2029", "characters that end a line in Python"),
    ("control", "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f", "control characters"),
    ("bidi", "\u202a-\u202e\u2066-\u2069", "marks that reverse the direction of text"),
    ("zero-width", "\u200b\u2060\ufeff\u00ad", "characters without width, which split no words"),
    ("odd-space", "\xa0\u1680\u2000-\u200a\u202f\u205f", "spaces other than the ordinary one"),
    ("replacement", "\ufffd", "replacement characters, where text was lost"),
)
"""Codes, ranges and descriptions of characters that translations rarely have on purpose."""

PATTERNS = (
    (
        "markup",
        r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>|&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[\da-f]+);",
        "tags or entities of markup",
    ),
    (
        "encoded-twice",
        "[\u00c2\u00c3][\x80-\xbf]|\u00e2\u20ac[\u2018-\u203a\u0153\u2122\u00a6]",
        "letters as of UTF-8 that was read as Latin-1",
    ),
)
"""Codes, patterns and descriptions of text that should not be there."""

UNREADABLE = {"encoding", "format"}
"""Codes of what keeps a file from being read as lines."""

HARMLESS = {"bom", "crlf", "odd-space", "script", "tokenized", "zero-width"}
"""Codes of what may be intended, or does not change scores: it is said, but nothing is wrong."""


@dataclass(frozen=True)
class Problem:
    """Something that is wrong, or odd, about a text.

    Parameters
    ----------
    text : str
        Name of the text.
    code : str
        Stable name of the kind of problem.
    message : str
        What was seen.
    line : int or None
        The first line that shows it, from 1.
    """

    text: str
    code: str
    message: str
    line: int | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether it is wrong, and not only odd."""
        return self.code not in HARMLESS

    def __str__(self) -> str:
        place = f"{self.text}:{self.line}" if self.line else self.text
        return f"{place}: {self.message} [{self.code}]"


@dataclass(frozen=True, eq=False)
class Examined:
    """What is in a text.

    Parameters
    ----------
    name : str
        Where the text comes from.
    lines : tuple of str
        Its segments.
    problems : tuple of Problem
        What is wrong with it, or odd.
    """

    name: str
    lines: tuple[str, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Length of each line in characters, shape (n,)."""
        return np.array([len(line) for line in self.lines], np.int64)

    @cached_property
    def n_empty(self) -> int:
        """Number of empty lines."""
        return sum(not line.strip() for line in self.lines)

    @cached_property
    def n_duplicate(self) -> int:
        """Number of lines that repeat an earlier one, apart from empty lines."""
        counts = Counter(line for line in self.lines if line.strip())
        return counts.total() - len(counts)

    @cached_property
    def script(self) -> str:
        """The script of most letters; empty without letters."""
        return main_script(self.lines) or ""

    @cached_property
    def tokenized(self) -> float:
        """Share of the lines that end in a space and a full stop."""
        return tokenized_share([line for line in self.lines if line.strip()])

    @cached_property
    def form(self) -> str:
        """Normal form of Unicode; empty if all characters are the same in both."""
        return normal_form(self.lines) or ""


def examine_file(name: str, data: bytes) -> Examined:
    """Examine a file of plain text.

    Parameters
    ----------
    name : str
        The file.
    data : bytes
        Its content, decompressed.
    """
    problems = list(_problems_of_file(name, data))
    data = data.removeprefix(BOM).replace(b"\r\n", b"\n")
    lines = tuple(data.decode(errors="replace").removesuffix("\n").split("\n")) if data else ()
    if any(problem.code in UNREADABLE for problem in problems):
        return Examined(name, (), tuple(problems))
    return Examined(name, lines, (*problems, *_problems_of_lines(name, lines)))


def examine(name: str, text: Text) -> Examined:
    """Examine a text that has been read; a missing segment counts as an empty line.

    Parameters
    ----------
    name : str
        Where it comes from.
    text : Text
        The text.
    """
    lines = tuple(segment or "" for segment in text)
    return Examined(name, lines, tuple(_problems_of_lines(name, lines)))


def _problems_of_file(name: str, data: bytes) -> Iterator[Problem]:
    """Find the problems that are seen before there are lines."""
    refused = [*_refused("format", refuse_binary, data), *_refused("encoding", check_utf8, data)]
    refused = refused or [*_refused("format", refuse_markup, data)]
    for code, line, message in refused[:1]:
        yield Problem(name, code, message, line)
        return
    if not data:
        yield Problem(name, "empty", "the file is empty")
    if tabs(data):
        yield Problem(name, "tabs", "every line has the same number of tabs, as in a table")
    if data.startswith(BOM):
        yield Problem(name, "bom", "a byte-order mark at the beginning, which mteval drops", 1)
    if b"\r\n" in data:
        n = _count(data.count(b"\r\n"), "line")
        line = data.count(b"\n", 0, data.index(b"\r\n")) + 1
        yield Problem(name, "crlf", f"{n} with the end of Windows, which mteval drops", line)


def _refused(
    code: str, refuse: Callable[[bytes, str], None], data: bytes
) -> Iterator[tuple[str, int | None, str]]:
    """Yield the code, the line and the message, if a reader would refuse a file."""
    try:
        refuse(data, "")
    except InputError as error:
        place, _, message = str(error).partition(": ")
        yield code, int(place[1:]) if place else None, message


def _problems_of_lines(name: str, lines: Sequence[str]) -> Iterator[Problem]:
    """Find the problems of decoded lines."""
    everything = "\n".join(lines)
    alphabet = "".join(set(everything))
    patterns = [(code, f"[{range_}]", what) for code, range_, what in CHARACTERS]
    seen_in = [(*each, alphabet) for each in patterns] + [(*each, everything) for each in PATTERNS]
    for code, pattern, what, haystack in seen_in:
        compiled = re.compile(pattern)
        if compiled.search(haystack):
            numbers = [i for i, line in enumerate(lines, 1) if compiled.search(line)]
            seen = compiled.search(lines[numbers[0] - 1])
            assert seen is not None
            message = f"{what}, {seen[0]!a} for example, in {_count(len(numbers), 'line')}"
            yield Problem(name, code, message, numbers[0])
    empty = [i for i, line in enumerate(lines, 1) if not line.strip()]
    if len(empty) >= max(1, MANY_EMPTY * len(lines)):
        message = f"{len(empty)} of {_count(len(lines), 'line')} are empty"
        yield Problem(name, "empty-lines", message, empty[0])
    share = tokenized_share([line for line in lines if line.strip()])
    if share >= TOKENIZED:
        message = f"{share:.0%} of the lines end in ' .', as in tokenized text"
        yield Problem(name, "tokenized", message)


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def compare(first: Examined, other: Examined) -> Iterator[Problem]:
    """Find what does not fit between two texts of the same segments.

    Parameters
    ----------
    first, other : Examined
        The texts; the problems are those of the second one.
    """
    name, than = other.name, first.name
    if not (first.lines and other.lines):
        return
    if len(first.lines) != len(other.lines):
        counts = f"{len(other.lines)} lines, but {than} has {len(first.lines)}"
        yield Problem(name, "line-count", counts)
    if first.lines == other.lines:
        yield Problem(name, "identical", f"identical to {than}")
        return
    shift = find_shift(
        *(np.array([len(line) for line in t.lines], np.int64) for t in (first, other))
    )
    if shift:
        direction = "late" if shift.lines > 0 else "early"
        until = "" if shift.stop == len(first.lines) else f" to {shift.stop}"
        message = (
            f"by their lengths, the lines from here{until} are {_count(abs(shift.lines), 'line')} "
            f"{direction}, compared with {than}"
        )
        yield Problem(name, "shifted", message, shift.start + 1)
    if first.script and other.script and first.script != other.script:
        yield Problem(name, "script", f"in {other.script} script, but {than} is in {first.script}")
    if first.form and other.form and first.form != other.form:
        yield Problem(name, "normal-form", f"in {other.form}, but {than} is in {first.form}")
    if first.tokenized >= TOKENIZED > 2 * other.tokenized:
        yield Problem(name, "tokenization", f"not tokenized, but {than} looks tokenized")
    if other.tokenized >= TOKENIZED > 2 * first.tokenized:
        yield Problem(name, "tokenization", f"looks tokenized, but {than} does not")
