"""Normalizers that remove what language models write around a translation."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from mteval_doctor.residue import BEFORE_TRANSLATION, NUMBERING, QUOTED, TRANSLATION

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mteval_core import Scorer

__all__ = [
    "REMOVERS",
    "removed_by_all",
    "without_fences",
    "without_json",
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
    return _pattern(r"```(?:(?:text|txt|plaintext|markdown|md|json)\b)?").sub("", line).strip()


def without_json(line: str) -> str:
    """Take a translation out of JSON: the text whose key names a translation, or the only text.

    Other lines stay as they are.

    Examples
    --------
    >>> without_json('{"thought": "A pun?", "translation": "So it is."}')
    'So it is.'
    >>> without_json('{"de": "So ist es.", "en": "So it is."}')
    '{"de": "So ist es.", "en": "So it is."}'
    """
    if not line.lstrip().startswith(("{", "[")):
        return line
    import json

    try:
        found = json.loads(line)
        json.dumps(found, ensure_ascii=False).encode()  # a lone surrogate cannot be scored
    except (ValueError, RecursionError):
        return line
    items = found.items() if isinstance(found, dict) else enumerate(found)
    texts = {str(key): value for key, value in items if isinstance(value, str)}
    named = [text for key, text in texts.items() if _pattern(f"(?i){TRANSLATION}").search(key)]
    one = named or [*texts.values()]
    return one[0] if len(one) == 1 else line


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
    for remove in REMOVERS.values():
        line = remove(line)
    return line


REMOVERS = {
    "think": without_think,
    "fences": without_fences,
    "preamble": without_preamble,
    "json": without_json,
    "numbering": without_numbering,
    "quotes": without_quotes,
}
"""What removes each kind of residue, by the value of ``clean``."""


def removed_by_all(metrics: Iterable[Scorer]) -> tuple[str, ...]:
    """Return the values of ``clean`` that all metrics have, if only as parts of ``residue``."""
    cleaning = [scorer.setup.fields.get("clean", ()) for scorer in metrics]
    if not any(cleaning):
        return ()
    return tuple(name for name in REMOVERS if all({name, "residue"} & {*own} for own in cleaning))


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
