"""Tokenizers: functions from a text to its tokens, in order.

The rules of 13a and of the international tokenization never look across white space, and white
space counts as neither a digit nor a mark. Each distinct piece of text between white space is
therefore split once and cached, up to `CACHE_SIZE` pieces per set of rules. All other steps work on
whole texts.
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

    from mteval_kernels import Vocabulary

CACHE_SIZE = 2**15
"""Number of pieces of text in the cache of each set of rules: about 10 MB when full."""

Rules: TypeAlias = "tuple[tuple[Callable[[str, str], str], str], ...]"
"""Pairs of a function ``substitute(replacement, text)`` and a replacement."""

_WESTERN_RULES: Rules = (
    (re.compile(r"[!-&(-+/:-@\[-`{-~]").sub, r" \g<0> "),
    (re.compile(r"([^0-9])([.,])").sub, r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])").sub, r" \1 \2"),
    (re.compile(r"([0-9])-").sub, r"\1 - "),
)

_WESTERN_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_INTERNATIONAL_ENTITIES = (*_WESTERN_ENTITIES, ("&apos;", "'"))

# Two ranges of sacreBLEU's `zh` are meant as U+20000-2A6D6 and U+2F800-2FA1D, but sacreBLEU writes
# their ends as strings of two characters ("\u2000" and "0", ...). Compared with one character, such
# ends cover U+2001-2A6D and U+2F81-2FA1.
_CHINESE = (
    "[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb"
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]"
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
        The pieces between white space, as `str.split` defines it.

    Notes
    -----
    Equal to sacreBLEU's ``none`` and to the tokens of multi-bleu.

    Examples
    --------
    >>> whitespace("It's  1,200 USD.")
    ["It's", '1,200', 'USD.']
    """
    return text.split()


def tokenize_13a(text: str) -> list[str]:
    """Tokenize as sacreBLEU's ``13a`` does, the variant of mteval-v13a's rules that WMT uses.

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
    The steps, in this order:

    1. ``<skipped>`` is deleted, and so is a hyphen together with the newline after it.
    2. ``&quot;``, ``&amp;``, ``&lt;`` and ``&gt;`` become characters, one entity after another, so
       that ``&amp;lt;`` becomes ``<``.
    3. Every ASCII punctuation mark except ``' , - .`` becomes a token.
    4. Three passes from left to right split off each full stop or comma that follows a non-digit,
       then each that precedes a non-digit, then each hyphen after a digit.

    Both ends of the text count as non-digits. Matches of a pass do not overlap, so ``1.,,2``
    becomes ``1 . , ,2``. White space is defined by `str.split`. Equal to sacreBLEU 2.6 on every
    text.

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
    r"""Tokenize as mteval-v13a does by default, without its ASCII case folding.

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
    The rules are those of `tokenize_13a`, with one difference: Perl's ``\s`` (Perl 5.18 or later)
    does not include the four separators U+001C to U+001F, which Python treats as white space, so
    they stay inside tokens. On a text without them, both functions return the same tokens.

    Deviations: the program folds case after it has decoded entities, so it keeps ``&AMP;`` as
    ``& amp ;``; here case is folded first, so ``&AMP;`` is decoded. When the program reads SGML, it
    first turns every run of white space into one space, so it joins words at a hyphen and newline
    only when it reads XML; here they are always joined.

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
    """Tokenize every segment of a text as `mteval_v13a` does.

    This calls the compiled scanner of 13a, unless the text contains one of the four control
    characters that the two tokenizers treat differently.

    Parameters
    ----------
    buffer : bytes
        The text in UTF-8.
    starts, ends : ndarray of int64, shape (n_segments,)
        Segment ``i`` is ``buffer[starts[i]:ends[i]]``.
    vocabulary : Vocabulary
        Assigns the ids of the tokens.

    Returns
    -------
    ids : ndarray of int32, shape (n_tokens,)
    offsets : ndarray of int64, shape (n_segments + 1,)
        The tokens of segment ``i`` are ``ids[offsets[i]:offsets[i + 1]]``.
    """
    import numpy as np

    from mteval_kernels import scan_13a

    if not any(control in buffer for control in b"\x1c\x1d\x1e\x1f"):
        return scan_13a(buffer, starts, ends, vocabulary)
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    segments = [mteval_v13a(buffer[start:end].decode()) for start, end in spans]
    offsets = np.cumsum([0, *map(len, segments)], dtype=np.int64)
    return vocabulary.intern(list(chain.from_iterable(segments))), offsets


def mteval_international(text: str) -> list[str]:
    r"""Tokenize as ``mteval-v13a --international-tokenization`` does, without its case folding.

    Parameters
    ----------
    text : str
        One segment. White space at its ends matters, see Notes.

    Returns
    -------
    list of str
        The tokens.

    Notes
    -----
    The steps, in this order:

    1. ``<skipped>`` is deleted, and so is a hyphen together with the line separator (U+2028) after
       it.
    2. The entities of `tokenize_13a` and ``&apos;`` become characters.
    3. One pass splits off each punctuation character (``\p{P}``) that follows a non-number
       (``\P{N}``), a second pass each that precedes a non-number.
    4. Every symbol (``\p{S}``) becomes a token.

    The ends of the text do *not* count as non-numbers: ``2003.`` at the end of a text is one token,
    but two if a space follows, and ``"5`` at the beginning is one token. Tokens end at Perl's
    ``\s``, as in `mteval_v13a`. Unicode properties are those of `regex`.

    Deviations: case (see `mteval_v13a`; also, the program's lower-casing has no final sigma). A tab
    or newline at the beginning, which only XML can contain, makes the program add an empty first
    word; here it adds none. The hyphen is U+002D, as in current copies of the program; older copies
    join at eleven hyphens. The program never joins words when it reads SGML.

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
    r"""Tokenize as ``mteval-v13a --international-tokenization -e``, without its case folding.

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
    Like `mteval_international`, but before punctuation is split off, every non-ASCII character
    gets a space on both sides and so becomes a token. This splits Chinese and Japanese into
    characters, but also splits words at ``é``, at combining marks and at the parts of a joined
    emoji.

    References
    ----------
    NIST, mteval-v13a.pl (2009), option ``-e``.

    Examples
    --------
    >>> mteval_international_e("Café 東京2024.")
    ['Caf', 'é', '東', '京', '2024.']
    """
    text = re.sub(r"[^\x00-\x7f]", r" \g<0> ", _clean_international(text))
    return _split_pieces(_split_international, text, _perl_split(text))


def intl(text: str) -> list[str]:
    r"""Tokenize as sacreBLEU's ``intl`` does, a variant of mteval's international tokenization.

    Parameters
    ----------
    text : str
        One segment. White space matters at its beginning and is ignored at its end.

    Returns
    -------
    list of str
        The tokens.

    Notes
    -----
    Steps 3 and 4 of `mteval_international`, with three differences. White space at the end of the
    text is removed first, as sacreBLEU's BLEU does for every tokenizer, so that a final ``2003.``
    is always one token. Entities and ``<skipped>`` are ordinary text. White space is defined by
    `str.split`.

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
    """Make every character a token, except white space.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The code points that are not white space. ``a b`` and ``ab`` have the same tokens.

    Notes
    -----
    Equal to ``char`` of sacreBLEU 2.6. Tokens are code points, not what a reader sees as one
    character: combining marks and the parts of a joined emoji are separate tokens.

    Examples
    --------
    >>> char("Ja, 東京")
    ['J', 'a', ',', '東', '京']
    """
    return list("".join(text.split()))


def zh(text: str) -> list[str]:
    r"""Tokenize as sacreBLEU's ``zh`` does: Chinese by character, the rest by the rules of 13a.

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
    Steps 3 and 4 of `tokenize_13a`, except that the ends of the text do not count as non-digits:
    ``2003.`` at the end and ``.5`` at the beginning are one token. Entities and ``<skipped>`` are
    ordinary text.

    This reproduces sacreBLEU 2.6 exactly, including its accidents. sacreBLEU writes two ranges as
    ``u'\u20000'`` to ``u'\u2a6d6'`` and ``u'\u2f800'`` to ``u'\u2fa1d'``. In Python these ends are
    strings of two characters, so the ranges cover U+2001 to U+2A6D and U+2F81 to U+2FA1. Therefore
    ``’ “ ” — … • €``, arrows and mathematical signs are separate tokens, while the rare ideographs
    that were meant, U+20000 and above, are not split. Each full-width letter or digit is a token;
    kana and hangul are not split.

    References
    ----------
    Post (2018), A Call for Clarity in Reporting BLEU Scores.

    Examples
    --------
    >>> zh("他在2024年说:“OK”.")
    ['他', '在', '2024', '年', '说', ':', '“', 'OK', '”', '.']
    """
    text = re.sub(_CHINESE, r" \g<0> ", text.strip())
    return _split_pieces(_split_western, text, text.split())


def _clean_western(text: str) -> str:
    return _decode(text.replace("<skipped>", "").replace("-\n", ""), _WESTERN_ENTITIES)


def _clean_international(text: str) -> str:
    return _decode(text.replace("<skipped>", "").replace("-\u2028", ""), _INTERNATIONAL_ENTITIES)


def _decode(text: str, entities: Iterable[tuple[str, str]]) -> str:
    """Replace entities by characters, one entity after another."""
    if "&" in text:
        for entity, character in entities:
            text = text.replace(entity, character)
    return text


def _perl_split(text: str) -> list[str]:
    r"""Split at Perl's ``\s``, which is Python's white space without U+001C to U+001F."""
    if "\x1c" in text or "\x1d" in text or "\x1e" in text or "\x1f" in text:
        return re.findall(r"[\S\x1c-\x1f]+", text)
    return text.split()


def _split_pieces(
    split: Callable[[str], tuple[str, ...]], text: str, pieces: list[str]
) -> list[str]:
    """Tokenize a text that consists of `pieces` with white space between them.

    Every piece is split together with the white space around it. The first and the last piece may
    lack it on the outside.
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
    return (piece,) if piece.isalnum() else _separate(_WESTERN_RULES, padded)


@lru_cache(CACHE_SIZE)
def _split_international(padded: str) -> tuple[str, ...]:
    return _separate(_international_rules(), padded)


def _separate(rules: Rules, text: str) -> tuple[str, ...]:
    """Insert spaces into the text by every rule, then split at spaces, not at other white space."""
    for substitute, replacement in rules:
        text = substitute(replacement, text)
    return tuple(filter(None, text.split(" ")))


@cache
def _international_rules() -> Rules:
    import regex  # takes 17 ms, which only metrics that need Unicode properties should pay

    return (
        (regex.compile(r"(\P{N})(\p{P})").sub, r"\1 \2 "),
        (regex.compile(r"(\p{P})(\P{N})").sub, r" \1 \2"),
        (regex.compile(r"\p{S}").sub, r" \g<0> "),
    )
