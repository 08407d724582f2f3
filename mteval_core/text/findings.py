"""Script, tokenization and normal form of texts."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "TOKENIZED",
    "has_marks",
    "n_tokenized",
    "normal_form",
    "tokenized_share",
    "unspaced_script",
    "whole_share",
]

UNSPACED_SCRIPTS = {
    "Han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "Kana": "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Lao": "\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf",
    "Khmer": "\u1780-\u17d3",
    "Myanmar": "\u1000-\u103f\u1050-\u109f",
}
"""Letters of the scripts that are written without spaces between words."""

LONG_RUN = 5
"""Length from which a run of such letters hardly is one word."""

COMBINING_MARKS = "[\u0300-\u036f\u3099\u309a\u1100-\u11ff]"
"""Combining marks, those of Kana, and the parts of Hangul."""

TOKENIZED = 0.1
"""Share of lines from which full stops after a space show that a text is tokenized."""


def n_tokenized(lines: Iterable[str]) -> int:
    """Number of lines that end in a space and a full stop, which sacreBLEU also looks for."""
    return sum(line.endswith(" .") for line in lines)


def tokenized_share(lines: Sequence[str]) -> float:
    """Share of such lines."""
    return n_tokenized(lines) / max(len(lines), 1)


def unspaced_script(lines: Iterable[str]) -> str | None:
    """Name the script without spaces that has more than half of the characters; None without one.

    Kana stands for Japanese, which also has Han characters.
    """
    text = "".join("".join(lines).split())
    # These letters take three bytes or more, so this is a quick answer for most languages.
    if len(text.encode()) < 2 * len(text) or 2 * len(_letters_pattern().findall(text)) <= len(text):
        return None
    counts = {
        name: len(re.findall(f"[{range_}]", text)) for name, range_ in UNSPACED_SCRIPTS.items()
    }
    if counts["Kana"] > counts["Han"] / 10:
        return "Kana"
    return max(counts, key=lambda name: counts[name])


def whole_share(lines: Sequence[str], tokens: Iterable[str]) -> float:
    """Share of the letters in long runs of scripts without spaces that a tokenizer leaves whole.

    Parameters
    ----------
    lines : sequence of str
        The text.
    tokens : iterable of str
        Its tokens.
    """
    before, after = (
        sum(len(run) for run in _long_runs().findall(text))
        for text in ("\n".join(lines), _whole(lines, tokens))
    )
    return after / max(before, 1)


def _whole(lines: Sequence[str], tokens: Iterable[str]) -> str:
    """Join the long runs of the tokens that are also runs of the text."""
    runs = set(_long_runs().findall("\n".join(lines)))
    return "\n".join(run for token in tokens for run in _long_runs().findall(token) if run in runs)


def normal_form(lines: Sequence[str]) -> str | None:
    """Return the normal form of Unicode that most characters are in, NFC or NFD.

    None if the text has no characters that differ between the two.
    """
    text = "\n".join(lines)
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    n_different, n_marks = len(decomposed) - len(composed), len(text) - len(composed)
    if not n_different:
        return None
    return "NFD" if 2 * n_marks > n_different else "NFC"


def has_marks(lines: Iterable[str]) -> bool:
    """Whether there are combining marks or parts of Hangul, as NFD has them."""
    search = re.compile(COMBINING_MARKS).search
    return any(not line.isascii() and search(line) for line in lines)


@cache
def _letters_pattern() -> re.Pattern[str]:
    return re.compile(f"[{''.join(UNSPACED_SCRIPTS.values())}]")


@cache
def _long_runs() -> re.Pattern[str]:
    return re.compile(f"[{''.join(UNSPACED_SCRIPTS.values())}]{{{LONG_RUN},}}")
