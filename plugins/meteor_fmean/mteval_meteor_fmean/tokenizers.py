r"""Tokenizers of the program METEOR 1.5: with its option ``-norm``, and without.

With ``-norm`` a text is tokenized much as by Moses' tokenizer, then lower-cased. These are the
steps, in order. Each looks at neighbouring characters only.

1. Every character that is not a letter or digit (of the Latin and Cyrillic scripts) becomes a
   token, except ``. , ' ` - ‘ ’``.
2. Two or more full stops in a row become a token.
3. A comma becomes a token, except between digits.
4. Quotation marks are unified (`````, ``‘``, ``’`` to ``'``; ``“``, ``”``, ``''`` to ``"``), and so
   are dashes (``–`` and ``--`` to ``-``).
5. A hyphen between letters or digits, or between a full stop and one of these, becomes a space.
6. Apostrophes are split off by the rules of the language.
7. A full stop at the end of a token becomes a token, except after a non-breaking prefix or before a
   token that begins in lower case. A token with another full stop and a letter before it loses all
   its full stops (``U.S.`` becomes ``us``).

Chinese and Japanese characters, and all letters of other scripts, become tokens of their own.

References
----------
Denkowski and Lavie (2014), Meteor Universal: Language Specific Translation Evaluation for Any
Target Language. Follows the program, version 1.5.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from mteval_meteor_fmean.program import prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["normalize", "plain"]

CACHE_SIZE = 2**15

_LETTERS = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527"
    "\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_CONTROLS = "".join(map(chr, range(33)))

Rule = tuple[re.Pattern[str], str]


def _rules(rules: Sequence[tuple[str, str]]) -> tuple[Rule, ...]:
    return tuple((re.compile(p.replace("LETTERS", _LETTERS), re.ASCII), r) for p, r in rules)


_COMMON = _rules(
    [
        (r"([^0-9LETTERS\s.'`,\-‘’])", r" \1 "),
        (r"\.{2,}", r" \g<0> "),
        (r"([^0-9]),([^0-9])", r"\1 , \2"),
        (r"([0-9]),([^0-9])", r"\1 , \2"),
        (r"([^0-9]),([0-9])", r"\1 , \2"),
        (r"[`‘’]", "'"),
        (r"[“”]|''", ' " '),
        ("–", "-"),
        ("--", "-"),
        (r"([0-9LETTERS.])-([0-9LETTERS])", r"\1 \2"),
    ]
)
_APOSTROPHES = {
    "en": _rules(
        [
            (r"([^LETTERS])'([^LETTERS])", r"\1 ' \2"),
            (r"([^LETTERS0-9])'([LETTERS])", r"\1 ' \2"),
            (r"([LETTERS])'([^LETTERS])", r"\1 ' \2"),
            (r"([LETTERS])'([LETTERS])", r"\1 '\2"),
            (r"([0-9])'(s)", r"\1 '\2"),
        ]
    ),
    "fr": _rules(
        [
            (r"([^LETTERS])'([^LETTERS])", r"\1 ' \2"),
            (r"([^LETTERS])'([LETTERS])", r"\1 ' \2"),
            (r"([LETTERS])'([^LETTERS])", r"\1 ' \2"),
            (r"([LETTERS])'([LETTERS])", r"\1' \2"),
        ]
    ),
}
_OTHER_APOSTROPHES = _rules([("'", " ' ")])

_WORD = re.compile("[^ \t\n\r\f]+").findall
_SPACE = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]").sub
_MARKS_SIDE_BY_SIDE = re.compile(r"[,'`‘’]\s[,'`‘’]", re.ASCII).search
_LETTER = re.compile(f"[{_LETTERS}]").search


def plain(text: str) -> list[str]:
    r"""Split at ASCII white space, as the program does without ``-norm``.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        Words between spaces, tabs, line feeds, carriage returns and form feeds. A no-break space is
        part of a word.

    Examples
    --------
    >>> plain("It's  1,200\tUSD.")
    ["It's", '1,200', 'USD.']
    """
    words: list[str] = _WORD(text)
    return words


def normalize(language: str, text: str) -> list[str]:
    """Tokenize a text as the program does with ``-norm -l LANGUAGE``.

    Parameters
    ----------
    language : str
        One of `mteval_meteor_fmean.languages.NORMALIZED`.
    text : str
        One segment in its original case. The case of the word after a full stop matters.

    Returns
    -------
    list of str
        The tokens, in lower case.

    Raises
    ------
    PluginError
        If the program, which contains the prefixes, is not installed.

    Examples
    --------
    >>> normalize("en", "The U.S. team’s well-known Mr. Smith paid $1,200...")
    ... # doctest: +SKIP
    ['the', 'us', 'team', "'s", 'well', 'known', 'mr.', 'smith', 'paid', '$', '1,200', '...']
    """
    split, keeps_stop = _splitter(language), prefixes(language)
    # Matches of a rule do not overlap, so two of these marks compete for the white space between
    # them, and the text is split as a whole. Otherwise its words can be split one by one.
    pieces = [text] if _MARKS_SIDE_BY_SIDE(text) else plain(text)
    words = [word for piece in pieces for word in split(piece)]
    tokens = [
        token
        for word, following in zip_longest(words, words[1:], fillvalue="")
        for token in _split_full_stop(word, following, keeps_stop)
    ]
    return plain(_SPACE(" ", " ".join(tokens)).strip(_CONTROLS).lower())


def _split_full_stop(word: str, following: str, keeps_stop: Mapping[str, bool]) -> tuple[str, ...]:
    """Apply step 7: a word without its last full stop, if it does not keep it, and the stop."""
    stem = word[:-1]
    if not stem or word[-1] != "." or not stem.strip("."):
        return (word,)
    if "." in stem and _LETTER(stem):
        return (word.replace(".", ""),)
    is_prefix = stem in keeps_stop and (not keeps_stop[stem] or "0" <= following[:1] <= "9")
    return (word,) if is_prefix or "a" <= following[:1] <= "z" else (stem, ".")


Normalizer: TypeAlias = "Callable[[str], list[str]]"

normalize_cz: Normalizer = partial(normalize, "cz")
normalize_de: Normalizer = partial(normalize, "de")
normalize_en: Normalizer = partial(normalize, "en")
normalize_es: Normalizer = partial(normalize, "es")
normalize_fr: Normalizer = partial(normalize, "fr")
normalize_ru: Normalizer = partial(normalize, "ru")


@cache
def _splitter(language: str) -> Callable[[str], tuple[str, ...]]:
    """Function that splits a text by all rules, and remembers recent results."""
    rules = _COMMON + _APOSTROPHES.get(language, _OTHER_APOSTROPHES)

    @lru_cache(CACHE_SIZE)
    def split(piece: str) -> tuple[str, ...]:
        if piece.isascii() and piece.isalnum():
            return (piece,)
        text = f" {piece} "
        for pattern, replacement in rules:
            text = pattern.sub(replacement, text)
        return tuple(plain(text))

    return split
