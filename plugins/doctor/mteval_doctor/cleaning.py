"""Normalizers that remove what language models write around a translation."""

from __future__ import annotations

import re
from functools import cache

from mteval_doctor.residue import BEFORE_TRANSLATION, NUMBERING, QUOTED

__all__ = [
    "without_fences",
    "without_numbering",
    "without_preamble",
    "without_quotes",
    "without_residue",
    "without_think",
]


def without_think(line: str) -> str:
    """Remove the thoughts of a model, and its tags.

    Thoughts end with the last closing tag. A line that only opens them has no translation.

    Examples
    --------
    >>> without_think("<think>A pun?</think> So it is.")
    'So it is.'
    >>> without_think("<think>A pun?")
    ''
    """
    *_, line = _pattern(r"(?is)</think(?:ing)?>|\u25c1/think\u25b7").split(line)
    return _pattern(r"(?is)(?:<think(?:ing)?>|\u25c1think\u25b7).*").sub("", line).strip()


def without_fences(line: str) -> str:
    r"""Remove fences of code, with the language that they name.

    Examples
    --------
    >>> without_fences("```text So it is. ```")
    'So it is.'
    """
    if "```" not in line:
        return line
    return _pattern(r"```(?:(?:text|txt|plaintext|markdown|md)\b)?").sub("", line).strip()


def without_preamble(line: str) -> str:
    """Remove what a model says before a translation.

    Examples
    --------
    >>> without_preamble("Sure! Here is the German translation: So ist es.")
    'So ist es.'
    """
    match = _pattern(BEFORE_TRANSLATION).match(line)
    return line[match.end() :] if match else line


def without_numbering(line: str) -> str:
    """Remove the number of a line.

    Examples
    --------
    >>> without_numbering("12. So it is.")
    'So it is.'
    """
    match = _pattern(NUMBERING.pattern).match(line)
    return line[match.end() :].lstrip() if match else line


def without_quotes(line: str) -> str:
    """Remove quotation marks around a line.

    Examples
    --------
    >>> without_quotes("“So it is.”")
    'So it is.'
    >>> without_quotes('"So" it "is"')
    '"So" it "is"'
    """
    return line.strip()[1:-1] if _pattern(QUOTED).match(line) else line


def without_residue(line: str) -> str:
    """Remove all of these, in this order.

    Examples
    --------
    >>> without_residue('<think>Hm.</think> Here is the translation: "So it is."')
    'So it is.'
    """
    for remove in (
        without_think,
        without_fences,
        without_preamble,
        without_numbering,
        without_quotes,
    ):
        line = remove(line)
    return line


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
