"""Examination of texts: contents of each, and faults in one text or between two."""

from __future__ import annotations

import re
import warnings
from array import array
from collections import Counter
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import Cleaner, InputError, MtevalWarning, TextSummary
from mteval_doctor.alignment import describe
from mteval_doctor.residue import ENCODED_TWICE, MARKUP
from mteval_doctor.scripts import form_counts, form_of_counts, main_script
from mteval_doctor.shift import find_shift

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from mteval_core import Text

__all__ = ["EXAMINED", "Examined", "Problem", "compare", "count", "examine", "examine_file"]

N_LINES = 8192
"""Number of lines that are examined at once."""

TOKENIZED = 0.1
"""Share of lines from which full stops after a space show that a text is tokenized."""

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

PATTERNS = tuple((each.code, each.pattern, each.what) for each in (MARKUP, ENCODED_TWICE))
"""Codes, patterns and descriptions of text that should not be there."""

HARMLESS = {
    *("bom", "crlf", "odd-space", "tokenized", "zero-width"),
    *("letter-case", "other-language", "other-script"),
}
"""Codes of what may be intended, or does not change scores: it is said, but nothing is wrong."""


EXAMINED = {
    *("control-characters", "replacement-characters"),
    *("empty-references", "many-empty-references"),
    *("identical-reference", "identical-systems", "repeated-reference"),
}
"""Codes of checks of systems and references that find what an examination says of any texts."""


class Problem(NamedTuple):
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


class Seen(NamedTuple):
    """How many lines show something, the first of these from 1, and an example."""

    n: int
    line: int
    example: str


class Examined:
    """What is in a text, block by block: of a line, only its length and a hash are kept.

    Parameters
    ----------
    name : str
        Where the text comes from.

    Attributes
    ----------
    n_lines, n_characters : int
        Size of the text.
    n_empty, n_tokenized : int
        Number of lines that are empty, and of those that end in a space and a full stop.
    summary : TextSummary
        What checks of texts look at.
    problems_of_file : list of Problem
        What was wrong, or odd, about the file before there were lines.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.n_lines: int = 0
        self.n_characters: int = 0
        self.n_empty: int = 0
        self.n_tokenized: int = 0
        self.summary: TextSummary = TextSummary(name)
        self.problems_of_file: list[Problem] = []
        self._seen: dict[str, Seen] = {}
        self._characters: Counter[str] = Counter()
        self._first_empty: int | None = None
        self._n_marks = np.zeros(2, np.int64)
        self._hashes = array("q")

    def add(self, block: Text) -> None:
        """Examine the next segments; a missing one counts as an empty line."""
        lines = [segment or "" for segment in block]
        full = [line for line in lines if line.strip()]
        whole = "\n".join(lines)
        characters = Counter(whole)
        alphabet = "".join(characters)
        for code, range_, _ in CHARACTERS:
            self._look(code, f"[{range_}]", lines, alphabet)
        for code, pattern, _ in PATTERNS:
            self._look(code, pattern, lines, whole)
        if len(full) < len(lines) and not self._first_empty:
            empty = (i for i, line in enumerate(lines, self.n_lines + 1) if not line.strip())
            self._first_empty = next(empty)
        self.summary.add(block)
        self._characters += characters
        self._n_marks += form_counts(whole)
        self._hashes.extend(map(hash, full))
        self.n_lines += len(lines)
        self.n_empty += len(lines) - len(full)
        self.n_characters += sum(map(len, lines))
        self.n_tokenized += sum(line.endswith(" .") for line in full)

    def _look(self, code: str, pattern: str, lines: Sequence[str], within: str) -> None:
        """Look for a pattern in lines, if it is within something that is faster to search."""
        search = re.compile(pattern).search
        if not search(within):
            return
        found = [(i, match[0]) for i, line in enumerate(lines, 1) if (match := search(line))]
        if found:
            n, line, example = self._seen.get(code, (0, self.n_lines + found[0][0], found[0][1]))
            self._seen[code] = Seen(n + len(found), line, example)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the text, or odd."""
        return [*self.problems_of_file, *self._problems_of_lines()]

    def _problems_of_lines(self) -> Iterator[Problem]:
        """Find the problems of the lines."""
        for code, _, what in (*CHARACTERS, *PATTERNS):
            if code in self._seen:
                n, line, example = self._seen[code]
                message = f"{what}, {example!a} for example, in {count(n, 'line')}"
                yield Problem(self.name, code, message, line)
        if self.n_empty >= max(1, MANY_EMPTY * self.n_lines):
            message = f"{self.n_empty} of {count(self.n_lines, 'line')} are empty"
            yield Problem(self.name, "empty-lines", message, self._first_empty)
        if self.tokenized >= TOKENIZED:
            message = f"{self.tokenized:.0%} of the lines end in ' .', as in tokenized text"
            yield Problem(self.name, "tokenized", message)

    @property
    def n_duplicate(self) -> int:
        """Number of lines that repeat an earlier one, apart from empty lines."""
        return len(self._hashes) - len(np.unique(np.array(self._hashes, np.int64)))

    @property
    def script(self) -> str:
        """The script of most letters; empty without letters."""
        return main_script(self._characters) or ""

    @property
    def tokenized(self) -> float:
        """Share of the lines that end in a space and a full stop, without the empty ones."""
        return self.n_tokenized / max(self.n_lines - self.n_empty, 1)

    @property
    def form(self) -> str:
        """Normal form of Unicode; empty if all characters are the same in both."""
        return form_of_counts(*self._n_marks.tolist()) or ""


def examine_file(path: str, opened: IO[bytes] | None = None) -> Examined:
    """Examine a file of plain text.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard input.
    opened : file object, optional
        The file, if it is open.

    Returns
    -------
    Examined
        A file that cannot be read as lines has no lines and one problem.
    """
    name = "standard input" if path == "-" else path
    examined, cleaner = Examined(name), Cleaner(name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MtevalWarning)
        try:
            for block in cleaner.blocks(path, N_LINES, opened=opened):
                examined.add(block)
        except InputError as error:
            if not error.code:
                raise
            examined = Examined(name)
            examined.problems_of_file.append(Problem(name, error.code, error.reason, error.line))
            return examined
    codes = [getattr(each.message, "code", "") for each in caught]
    examined.problems_of_file += _problems_of_file(cleaner, codes)
    return examined


def examine(name: str, text: Text) -> Examined:
    """Examine a text that has been read.

    Parameters
    ----------
    name : str
        Where it comes from.
    text : Text
        The text.
    """
    examined = Examined(name)
    for start in range(0, len(text), N_LINES):
        examined.add(text[start : start + N_LINES])
    return examined


def _problems_of_file(cleaner: Cleaner, codes: Collection[str]) -> Iterator[Problem]:
    """Find what is odd about a file, from what was dropped and warned of."""
    name = cleaner.name
    if "tabs" in codes:
        yield Problem(name, "tabs", "every line has the same number of tabs, as in a table")
    if cleaner.has_mark:
        yield Problem(name, "bom", "a byte-order mark at the beginning, which mteval drops", 1)
    if cleaner.n_windows:
        n = count(cleaner.n_windows, "line")
        message = f"{n} with the end of Windows, which mteval drops"
        yield Problem(name, "crlf", message, cleaner.first_windows)


def count(n: int, what: str) -> str:
    """Write a number of things."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def compare(first: Examined, other: Examined) -> Iterator[Problem]:
    """Find what does not fit between two texts of the same segments.

    Parameters
    ----------
    first, other : Examined
        The texts; the problems are those of the second one.
    """
    name, than = other.name, first.name
    if not (first.n_lines and other.n_lines):
        return
    if first.n_lines != other.n_lines:
        counts = f"{other.n_lines} lines, but {than} has {first.n_lines}"
        yield Problem(name, "line-count", counts)
        shift = find_shift(first.summary.lengths, other.summary.lengths)
        if shift:
            yield Problem(name, "shifted", describe(shift, first.summary), shift.start + 1)
    if first.summary.digest == other.summary.digest:
        yield Problem(name, "identical", f"identical to {than}")
