"""Tokenizers: functions from a text to its tokens, in order.

The rules of 13a and of the international tokenization never look across white space, which itself
is neither a digit nor a mark. So each distinct piece of text between white space is split once and
kept in a cache of `CACHE_SIZE` pieces per set of rules; all other work is done on whole texts.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.kernels import Vocabulary

CACHE_SIZE = 2**15
"""Number of pieces of text that each set of rules remembers: about 10 MB when full."""

Rules: TypeAlias = "tuple[tuple[re.Pattern[str], str], ...]"

_WESTERN_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_INTERNATIONAL_ENTITIES = (*_WESTERN_ENTITIES, ("&apos;", "'"))

# The inner ranges of sacreBLEU's `zh` that look like supplementary planes, U+20000-2A6D6 and
# U+2F800-2FA1D, are strings of two characters there ("\u2000" and "0", ...). As bounds of one
# character such strings mean U+2001-2A6D and U+2F81-2FA1.
_CHINESE = (
    "\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb"
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef"
)


def whitespace(text: str) -> list[str]:
    """Split at white space only.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        What stands between white space, as `str.split` defines it.

    Notes
    -----
    sacreBLEU's ``none``, and the tokens of multi-bleu.

    Examples
    --------
    >>> whitespace("It's  1,200 USD.")
    ["It's", '1,200', 'USD.']
    """
    return text.split()


def tokenize_13a(text: str) -> list[str]:
    """Tokenize as sacreBLEU's ``13a`` does, the form of mteval-v13a's rules that WMT uses.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The tokens.

    Notes
    -----
    In this order: ``<skipped>`` is deleted; a hyphen and the newline after it are deleted;
    ``&quot;``, ``&amp;``, ``&lt;``, ``&gt;`` become characters, one after another, so that
    ``&amp;lt;`` ends as ``<``. Every ASCII punctuation mark but ``' , - .`` becomes a token. Then
    one pass from left to right splits off each full stop or comma that follows a non-digit, the
    next each that precedes one, the last each hyphen after a digit. Both ends of the text count
    as non-digits. Matches of a pass do not overlap, so ``1.,,2`` gives ``1 . , ,2``.

    White space is what `str.split` takes for it. Equal to sacreBLEU 2.6 on every text.

    References
    ----------
    Post (2018), A Call for Clarity in Reporting BLEU Scores.

    Examples
    --------
    >>> tokenize_13a("Don't pay $1,200.50, pay 3-2 &quot;now&quot;.")
    ["Don't", 'pay', '$', '1,200.50', ',', 'pay', '3', '-', '2', '"', 'now', '"', '.']
    """
    text = _clean_western(text)
    return _split_pieces(_split_western, f" {text} ", text.split())


def mteval_v13a(text: str) -> list[str]:
    r"""Tokenize as mteval-v13a does by default; its ASCII case folding is left to the caller.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The tokens.

    Notes
    -----
    The rules of `tokenize_13a`. The only difference is Perl's ``\s`` (Perl 5.18 or later): unlike
    Python it does not take the four separators U+001C to U+001F for white space, so they stay
    inside tokens. On a text without these, both functions give the same tokens.

    Deviations: the program folds case after it has decoded entities, so with folding it keeps
    ``&AMP;`` as ``& amp ;``; folded beforehand, it is decoded. From SGML the program first turns
    every run of white space into one space, so it joins words at a hyphen and newline only when
    it reads XML; here they are always joined.

    References
    ----------
    NIST, mteval-v13a.pl (2009), default tokenization.

    Examples
    --------
    >>> mteval_v13a("1990-2003, i.e. then.")
    ['1990', '-', '2003', ',', 'i', '.', 'e', '.', 'then', '.']
    """
    text = _clean_western(text)
    return _split_pieces(_split_western, f" {text} ", _perl_split(text))


def mteval_v13a_batch(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Tokenize a whole text as `mteval_v13a` does each segment.

    The compiled scanner of 13a serves, unless the text holds one of the four control characters
    that the two take differently.

    Parameters
    ----------
    buffer : bytes
        UTF-8 of the text.
    starts, ends : ndarray of int64, shape (n_segments,)
        Segment ``i`` is ``buffer[starts[i]:ends[i]]``.
    vocabulary : Vocabulary
        Where the tokens get their ids.

    Returns
    -------
    ids : ndarray of int32, shape (n_tokens,)
    offsets : ndarray of int64, shape (n_segments + 1,)
        The tokens of segment ``i`` are ``ids[offsets[i]:offsets[i + 1]]``.
    """
    import numpy as np

    from mteval_core.kernels import scan_13a

    if not any(control in buffer for control in b"\x1c\x1d\x1e\x1f"):
        return scan_13a(buffer, starts, ends, vocabulary)
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    segments = [mteval_v13a(buffer[start:end].decode()) for start, end in spans]
    offsets = np.cumsum([0, *map(len, segments)], dtype=np.int64)
    return vocabulary.intern(list(chain.from_iterable(segments))), offsets


def mteval_international(text: str) -> list[str]:
    r"""Tokenize as ``mteval-v13a --international-tokenization``; case is left to the caller.

    Parameters
    ----------
    text : str
        One segment. White space at its ends counts: see Notes.

    Returns
    -------
    list of str
        The tokens.

    Notes
    -----
    In this order: ``<skipped>`` is deleted; a hyphen and the line separator (U+2028) after it are
    deleted; the entities of `tokenize_13a` and ``&apos;`` become characters. One pass splits off
    each punctuation character (``\p{P}``) that follows a non-number (``\P{N}``), a second each
    that precedes one, a third makes every symbol (``\p{S}``) a token. The ends of the text are
    *not* non-numbers, so ``2003.`` at the end of a text is one token, but two if a space follows,
    and ``"5`` at its beginning is one.

    Tokens end at Perl's ``\s``, as in `mteval_v13a`. Unicode properties are those of `regex`.

    Deviations: case (see `mteval_v13a`; also, the program's lower-casing knows no final sigma). A
    tab or newline at the beginning, possible from XML only, gives the program an empty first word;
    here it gives none. The hyphen is U+002D as in current copies of the program; older ones join
    at eleven hyphens. From SGML the program never joins.

    References
    ----------
    NIST, mteval-v13a.pl (2009), international tokenization.

    Examples
    --------
    >>> mteval_international("„Ja“, sagte er&apos;s: 5 €/kg in 2003.")
    ['„', 'Ja', '“', ',', 'sagte', 'er', "'", 's', ':', '5', '€', '/', 'kg', 'in', '2003.']
    """
    text = _clean_international(text)
    return _split_pieces(_split_international, text, _perl_split(text))


def mteval_international_e(text: str) -> list[str]:
    r"""Tokenize as ``mteval-v13a --international-tokenization -e``; case is left to the caller.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The tokens.

    Notes
    -----
    As `mteval_international`, with a space on both sides of every non-ASCII character before
    punctuation is looked at. Each becomes a token: Chinese and Japanese fall into characters, but
    so do ``é``, combining marks and the parts of a joined emoji, and words are cut around them.

    References
    ----------
    NIST, mteval-v13a.pl (2009), option ``-e``.

    Examples
    --------
    >>> mteval_international_e("Café 東京2024.")
    ['Caf', 'é', '東', '京', '2024.']
    """
    text = _non_ascii().sub(r" \g<0> ", _clean_international(text))
    return _split_pieces(_split_international, text, _perl_split(text))


def intl(text: str) -> list[str]:
    r"""Tokenize as sacreBLEU does with ``intl``, its form of mteval's international tokenization.

    Parameters
    ----------
    text : str
        One segment. White space at its end is ignored, at its beginning it counts.

    Returns
    -------
    list of str
        The tokens.

    Notes
    -----
    The three passes of `mteval_international`. Unlike there, white space at the end of the text
    is first removed, as sacreBLEU's BLEU does for every tokenizer, so a final ``2003.`` is always
    one token; entities and ``<skipped>`` are ordinary text; white space is that of `str.split`.

    References
    ----------
    Post (2018), A Call for Clarity in Reporting BLEU Scores.

    Examples
    --------
    >>> intl("3,5 km² – und &amp; in 2003. ")
    ['3,5', 'km²', '–', 'und', '&', 'amp', ';', 'in', '2003.']
    """
    text = text.rstrip()
    return _split_pieces(_split_international, text, text.split())


def char(text: str) -> list[str]:
    """Take every character for a token, white space apart.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The code points that are not white space. White space leaves no trace: ``a b`` and ``ab``
        give the same tokens.

    Notes
    -----
    Equal to sacreBLEU 2.6 ``char``. Code points, not what a reader sees: combining marks and the
    parts of a joined emoji are tokens of their own.

    Examples
    --------
    >>> char("Ja, 東京")
    ['J', 'a', ',', '東', '京']
    """
    return list("".join(text.split()))


def zh(text: str) -> list[str]:
    r"""Tokenize as sacreBLEU's ``zh``: Chinese characters singly, the rest by the rules of 13a.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The tokens.

    Notes
    -----
    The passes of `tokenize_13a` without entities and ``<skipped>``, and without the space on both
    sides of the text: ``2003.`` at its end and ``.5`` at its beginning are one token.

    The real behaviour of sacreBLEU 2.6 is kept, accidents included. Two of its ranges are written
    as ``u'\u20000'`` to ``u'\u2a6d6'`` and ``u'\u2f800'`` to ``u'\u2fa1d'``, which in Python are
    strings of two characters, and so cover U+2001 to U+2A6D and U+2F81 to U+2FA1. Therefore
    ``’ “ ” — … • €``, arrows and mathematical signs are tokens of their own, while the rare
    ideographs meant, U+20000 and above, stay together. Full-width letters and digits are tokens
    each; kana and hangul stay together.

    References
    ----------
    Post (2018), A Call for Clarity in Reporting BLEU Scores.

    Examples
    --------
    >>> zh("他在2024年说:“OK”.")
    ['他', '在', '2024', '年', '说', ':', '“', 'OK', '”', '.']
    """
    text = _chinese().sub(r" \g<0> ", text.strip())
    return _split_pieces(_split_western, text, text.split())


def _clean_western(text: str) -> str:
    return _decode(text.replace("<skipped>", "").replace("-\n", ""), _WESTERN_ENTITIES)


def _clean_international(text: str) -> str:
    return _decode(text.replace("<skipped>", "").replace("-\u2028", ""), _INTERNATIONAL_ENTITIES)


def _decode(text: str, entities: Iterable[tuple[str, str]]) -> str:
    """Put characters in the place of entities, one entity after another."""
    if "&" in text:
        for entity, character in entities:
            text = text.replace(entity, character)
    return text


def _perl_split(text: str) -> list[str]:
    r"""Split at Perl's ``\s``: Python's white space without U+001C to U+001F."""
    if "\x1c" in text or "\x1d" in text or "\x1e" in text or "\x1f" in text:
        return _perl_pieces().findall(text)
    return text.split()


def _split_pieces(
    split: Callable[[str], tuple[str, ...]], text: str, pieces: list[str]
) -> list[str]:
    """Tokens of a text that consists of `pieces` with white space between them.

    Every piece is split together with the white space around it, which the first and the last may
    lack.
    """
    if not pieces:
        return []
    padded = [f" {piece} " for piece in pieces]
    if text.startswith(pieces[0]):
        padded[0] = padded[0][1:]
    if text.endswith(pieces[-1]):
        padded[-1] = padded[-1][:-1]
    return list(chain.from_iterable(map(split, padded)))


@lru_cache(CACHE_SIZE)
def _split_western(padded: str) -> tuple[str, ...]:
    piece = padded.strip(" ")
    return (piece,) if piece.isalnum() else _separate(_western_rules(), padded)


@lru_cache(CACHE_SIZE)
def _split_international(padded: str) -> tuple[str, ...]:
    return _separate(_international_rules(), padded)


def _separate(rules: Rules, text: str) -> tuple[str, ...]:
    """Let every rule put spaces into the text, then split at these and no other white space."""
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return tuple(filter(None, text.split(" ")))


@cache
def _western_rules() -> Rules:
    return (
        (re.compile(r"[!-&(-+/:-@\[-`{-~]"), r" \g<0> "),
        (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
        (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
        (re.compile(r"([0-9])-"), r"\1 - "),
    )


@cache
def _international_rules() -> Rules:
    import regex  # costs 17 ms, so only who needs Unicode properties pays

    return (
        (regex.compile(r"(\P{N})(\p{P})"), r"\1 \2 "),
        (regex.compile(r"(\p{P})(\P{N})"), r" \1 \2"),
        (regex.compile(r"\p{S}"), r" \g<0> "),
    )


@cache
def _perl_pieces() -> re.Pattern[str]:
    return re.compile(r"[\S\x1c-\x1f]+")


@cache
def _non_ascii() -> re.Pattern[str]:
    return re.compile(r"[^\x00-\x7f]")


@cache
def _chinese() -> re.Pattern[str]:
    return re.compile(f"[{_CHINESE}]")
