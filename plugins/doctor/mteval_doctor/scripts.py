"""Script and normal form of texts, from counts that add up over their blocks."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["form_counts", "form_of_counts", "main_script", "script_counts"]

SCRIPTS = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana", "KATAKANA-HIRAGANA": "Kana"}
"""Names of scripts that the names of their characters do not begin with."""


def script_counts(characters: Mapping[str, int]) -> Counter[str]:
    """Count the letters of each script, by the names that Unicode gives them.

    Kana stands for Japanese, which also has Han characters.

    Parameters
    ----------
    characters : mapping of str to int
        How often each character occurs.
    """
    scripts: Counter[str] = Counter()
    for letter, n in characters.items():
        if letter.isalpha():
            scripts[script_of(letter)] += n
    if scripts["Kana"] > scripts["Han"] / 10:
        scripts["Kana"] += scripts.pop("Han", 0)
    return +scripts


@lru_cache(1 << 16)
def script_of(letter: str) -> str:
    """Name the script of a letter."""
    name = unicodedata.name(letter, "unnamed").split()[0].removesuffix("-")
    return SCRIPTS.get(name, name.capitalize())


def main_script(characters: Mapping[str, int]) -> str | None:
    """Name the script that most letters are of; None without letters."""
    scripts = script_counts(characters)
    return max(scripts, key=lambda script: scripts[script]) if scripts else None


def form_counts(text: str) -> tuple[int, int]:
    """Number of marks that NFD has and NFC has not, and how many of these the text has.

    The counts of the lines of a text add up.
    """
    composed = unicodedata.normalize("NFC", text)
    return len(unicodedata.normalize("NFD", text)) - len(composed), len(text) - len(composed)


def form_of_counts(n_different: int, n_marks: int) -> str | None:
    """Return the normal form of most characters; None if both forms are the same."""
    if not n_different:
        return None
    return "NFD" if 2 * n_marks > n_different else "NFC"
