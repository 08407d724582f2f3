"""Normalization and tokenization of tercom.

`normalize` and `remove_punctuation` are the options ``-N`` and ``-P`` of tercom 0.8.0. tercom
0.10.0 added the same for Chinese and Japanese (``-A``, which 0.8.0 ignores). `separate_asian` and
`remove_asian_punctuation` follow sacreBLEU 2.6 instead: they leave kana together, which tercom
0.10.0 separates.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels import scan_whitespace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_kernels import Vocabulary

__all__ = [
    "normalize",
    "normalize_as_sacrebleu",
    "remove_asian_punctuation",
    "remove_punctuation",
    "scan",
    "separate_asian",
    "squeeze",
    "tokenize",
]

_WHITE_SPACE = re.compile(r"[ \t\n\x0b\f\r]+")

_OTHER_WHITE_SPACE = [
    character.encode()
    for character in map(chr, range(0x3001))
    if character.isspace() and not _WHITE_SPACE.match(character)
]

_N_ASCII = sum(map(bytes.isascii, _OTHER_WHITE_SPACE))

_ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}

_WESTERN = [
    (re.compile(r"[!-&(-+/:-@\[-`{-~]"), r" \g<0> "),
    (re.compile("'s "), " 's "),
    (re.compile("([^0-9])([.,])"), r"\1 \2 "),
    (re.compile("([.,])([^0-9])"), r" \1 \2"),
    (re.compile("([0-9])-"), r"\1 - "),
]

_PUNCTUATION = re.compile('[.,?:;!"()]')

_ASIAN_PUNCTUATION = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b"
    "\uff1f\uff61-\uff65"
)
_ASIAN_PUNCTUATION_MARK = re.compile(f"[{_ASIAN_PUNCTUATION}]")

_ASIAN = re.compile(
    "[\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    f"{_ASIAN_PUNCTUATION}]"
)


def tokenize(text: str) -> list[str]:
    r"""Split at ASCII white space only; other white space is part of a word.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The words between spaces and ``\t\n\v\f\r``, which are white space to Java and to Perl
        on bytes.

    Notes
    -----
    If ``-P`` removes a separate mark at the beginning of a text, tercom keeps an empty first word.
    Here, as in sacreBLEU, there is no empty word.

    Examples
    --------
    >>> tokenize(" two  words\tand\u00a0more ")
    ['two', 'words', 'and\xa0more']
    """
    return [word for word in _WHITE_SPACE.split(text) if word]


def scan(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Tokenize many texts as `tokenize` does; see `mteval_kernels.scan_whitespace`."""
    others = _OTHER_WHITE_SPACE[:_N_ASCII] if buffer.isascii() else _OTHER_WHITE_SPACE
    # A byte is found sooner than a character.
    if not any(space[0] in buffer and space in buffer for space in others):
        return scan_whitespace(buffer, starts, ends, vocabulary)
    bounds = zip(starts.tolist(), ends.tolist(), strict=True)
    texts = [tokenize(buffer[start:end].decode()) for start, end in bounds]
    ids = vocabulary.intern([word for words in texts for word in words])
    return ids, np.cumsum([0, *map(len, texts)], dtype=np.int64)


def normalize(text: str) -> str:
    """Put spaces around punctuation, as ``tercom -N``.

    Parameters
    ----------
    text : str
        One segment, already lower-cased if case is to be ignored.

    Returns
    -------
    str
        The text with white space between words.

    Notes
    -----
    The rules are those of mteval-v11 (and 13a), with one more: ``'s`` before a space is a word.
    They treat both ends of the text as spaces, and do not recognize other white space.

    Examples
    --------
    >>> normalize("it's $1,200.50 &amp; it's.").split()
    ['it', "'s", '$', '1,200.50', '&', "it's", '.']
    """
    return _separate(text.replace("<skipped>", "").replace("-\n", ""))


def normalize_as_sacrebleu(text: str) -> str:
    r"""Put spaces around punctuation, as sacreBLEU's option ``normalized``.

    Parameters
    ----------
    text : str
        One segment, already lower-cased if case is to be ignored.

    Returns
    -------
    str
        The text with white space between words.

    Notes
    -----
    The rules are those of `normalize`, with three differences: white space at the end of the text
    is removed first, ``<skipped>`` is ordinary text, and words are joined at a line feed before a
    hyphen, not after it.

    Examples
    --------
    >>> normalize_as_sacrebleu("<skipped> a cat's\t").split()
    ['<', 'skipped', '>', 'a', 'cat', "'s"]
    """
    return _separate(text.rstrip().replace("\n-", ""))


def _separate(text: str) -> str:
    text = text.replace("\n", " ")
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    text = f" {text} "
    for pattern, replacement in _WESTERN:
        text = pattern.sub(replacement, text)
    return text


def separate_asian(text: str) -> str:
    """Put spaces around every Chinese character and every Asian punctuation mark.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    str
        The text with these spaces; kana and hangul stay together.

    Examples
    --------
    >>> separate_asian("東京タワーは、高い。").split()
    ['東', '京', 'タワーは', '、', '高', 'い', '。']
    """
    return _ASIAN.sub(r" \g<0> ", text)


def squeeze(text: str) -> str:
    r"""Put single spaces between words, as sacreBLEU does after each normalization.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    str
        The words, without other white space.

    Examples
    --------
    >>> squeeze("\tone  word\u3000more ")
    'one word more'
    """
    return " ".join(text.split())


def remove_punctuation(text: str) -> str:
    """Remove ``. , ? : ; ! " ( )``, as ``tercom -P``.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    str
        The text without these marks.

    Examples
    --------
    >>> remove_punctuation('Yes (3.5 "or" more) - no!')
    'Yes 35 or more - no'
    """
    return _PUNCTUATION.sub("", text)


def remove_asian_punctuation(text: str) -> str:
    """Remove Asian and full-width punctuation marks.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    str
        The text without these marks.

    Examples
    --------
    >>> remove_asian_punctuation("「はい」、そうです。")
    'はいそうです'
    """
    return _ASIAN_PUNCTUATION_MARK.sub("", text)
