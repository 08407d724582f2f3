"""Normalizers: case folding and stemming.

Case folding is a text normalizer: it maps text to text before tokenization. Stemming is a token
normalizer: it maps types to types, so it is called once per entry of a vocabulary.
"""

from __future__ import annotations

import re
from threading import local

import numpy as np

_ASCII = bytes(range(128))
_CAPITAL_SIGMA = "Σ".encode()

_KEPT = local()
"""The stemmer of a thread."""

_SHORT = 1 << 11
"""Bytes up to which each line is lower-cased alone: that takes less time than to look at all."""

_PAST_AND_GERUND = ("ed", "ing", "eds", "ings")

_DOUBLE_CONSONANT = re.compile(
    r"""(?:
        ([^aeioulszbdfgmnprty]) \1
      | [^aeiouy] (?: yy )+                # Of a row of y, every second one is a consonant.
      | (?: \A | [aeiou] ) y (?: yy )+
    ) (?P<suffix> (?: ed | ing ) s? ) \Z""",
    re.VERBOSE | re.DOTALL,
)

_VOWEL = re.compile("[aeiou]|[^aeiou]y", re.DOTALL)


def ascii_lower(text: str) -> str:
    """Lower-case A to Z and nothing else, as mteval-v13a and ROUGE do.

    Parameters
    ----------
    text : str
        Text in any script.

    Returns
    -------
    str
        The text in lower case, of the same length.

    Examples
    --------
    >>> ascii_lower("ÄRGER in Köln")
    'Ärger in köln'
    """
    return ascii_lower_lines(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")


def ascii_lower_lines(data: bytes) -> bytes:
    """Do as `ascii_lower`, in UTF-8."""
    # In UTF-8 the bytes of A to Z occur only as these letters, and bytes.lower changes only them.
    return data.lower()


def unicode_lower(text: str) -> str:
    """Lower-case every letter that has a lower case in Unicode, as sacreBLEU does.

    Parameters
    ----------
    text : str
        Text in any script.

    Returns
    -------
    str
        The text in lower case. It may be longer: ``İ`` becomes two characters.

    Notes
    -----
    This is `str.lower`. A capital sigma at the end of a word becomes ``ς``. The international
    tokenization of mteval-v13a folds with Perl's ``lc``, which always writes ``σ``; this is the
    only difference.

    Examples
    --------
    >>> unicode_lower("ÄRGER in Köln")
    'ärger in köln'
    """
    return text.lower()


def unicode_lower_lines(data: bytes) -> bytes:
    """Do as `unicode_lower`, line by line in UTF-8."""
    lowered = data.lower()
    if lowered.isascii():
        return lowered
    # The lower case of no other letter than the capital sigma depends on its neighbours.
    wide = lowered.translate(None, _ASCII)
    lowered_wide = _lower(wide)
    if lowered_wide == wide:
        return lowered
    if len(lowered) > _SHORT:
        inside = [np.frombuffer(each, np.uint8) & 0xC0 == 0x80 for each in (wide, lowered_wide)]
        if np.array_equal(*inside) and _CAPITAL_SIGMA not in wide:  # as long, letter by letter
            result = np.frombuffer(lowered, np.uint8).copy()
            result[result > 0x7F] = np.frombuffer(lowered_wide, np.uint8)
            return result.tobytes()
    return b"\n".join([line if line.isascii() else _lower(line) for line in lowered.split(b"\n")])


def _lower(text: bytes) -> bytes:
    # The byte that marks a missing segment is not UTF-8.
    return text.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")


def porter_stems(tokens: list[str]) -> list[str]:
    """Stem English words with Porter's algorithm of 1980, as it is in the paper.

    Parameters
    ----------
    tokens : list of str
        Tokens of lower-cased text, in practice the types of a vocabulary.

    Returns
    -------
    list of str
        The stem of each token, in the same order.

    Raises
    ------
    UnicodeEncodeError
        If a token contains a lone surrogate, which is not valid Unicode text.

    Notes
    -----
    The rules assume lower case. An upper-case letter counts as a consonant and is not part of any
    suffix: ``Running`` becomes ``Run``, ``RUNNING`` is unchanged. The same holds for letters
    outside a-z: an accented letter is not a vowel (``naïves`` becomes ``naïv``, ``cafés`` becomes
    ``café``, ``Straßen`` is unchanged), and a word in another script is unchanged unless it ends in
    an English suffix.

    As in the paper, the rules apply to words of any length: ``is`` becomes ``i`` and ``s`` becomes
    the empty string, which is a type like any other. Porter's later programs leave words of one or
    two letters unchanged and have other rules (``-bli``, ``-logi``). For every token the stem
    equals that of nltk's ``ORIGINAL_ALGORITHM``.

    The stems are computed with Snowball's ``porter`` (PyStemmer), which differs from the paper in
    step 1b: after it removes ``-ed`` or ``-ing``, it makes one letter of bb, dd, ff, gg, mm, nn,
    pp, rr and tt, but not of kk, vv, cc and all others (``trekked`` becomes ``trekk``). Step 1b
    changes such a word to a word without suffix, on which steps 1a and 1b do nothing. So Snowball
    receives that word instead.

    Two threads must not share a stemmer of the library, so every thread has its own.

    References
    ----------
    Porter (1980), An algorithm for suffix stripping.

    Examples
    --------
    >>> porter_stems(["caresses", "ponies", "relational", "running", "trekked", "sky"])
    ['caress', 'poni', 'relat', 'run', 'trek', 'sky']
    """
    if not hasattr(_KEPT, "stemmer"):
        import Stemmer  # a compiled library that only stemmed metrics need

        # Types do not repeat, so the library's cache of words would only cost time.
        _KEPT.stemmer = Stemmer.Stemmer("porter", 0)
    words = [_undoubled(token) if token.endswith(_PAST_AND_GERUND) else token for token in tokens]
    capital = [i for i, word in enumerate(words) if "Y" in word]
    # Snowball writes Y for a y that is a consonant, and so mistakes a capital Y for one.
    for i in capital:
        words[i] = words[i].replace("Y", "X")
    stems: list[str] = _KEPT.stemmer.stemWords(words)
    for i in capital:
        letters = zip(stems[i], tokens[i], strict=False)
        stems[i] = "".join(before if after == "X" else after for after, before in letters)
    return stems


def _undoubled(word: str) -> str:
    """Apply steps 1a and 1b to a word with a double consonant that Snowball leaves double."""
    match = _DOUBLE_CONSONANT.search(word)
    if match and _VOWEL.search(word, 0, match.start("suffix")):
        return word[: match.start("suffix") - 1]
    return word
