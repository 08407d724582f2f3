"""Normalizers: case folding and stemming.

Case folding is a text normalizer: it maps text to text before tokenization. Stemming is a token
normalizer: it maps types to types, so it is called once per entry of a vocabulary.
"""

from __future__ import annotations


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
    # In UTF-8 the bytes of A to Z occur only as these letters, and bytes.lower changes only them.
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


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


def porter_stems(tokens: list[str]) -> list[str]:
    """Stem English words with Porter's algorithm of 1980.

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
    two letters unchanged.

    Two threads must not share a stemmer of the library, so every call creates its own.

    References
    ----------
    Porter (1980), An algorithm for suffix stripping. Computed with Snowball's ``porter``
    (PyStemmer).

    Examples
    --------
    >>> porter_stems(["caresses", "ponies", "relational", "running", "sky"])
    ['caress', 'poni', 'relat', 'run', 'sky']
    """
    import Stemmer  # a compiled library that only stemmed metrics need

    # Types do not repeat, so the library's cache of words would only cost time.
    stems: list[str] = Stemmer.Stemmer("porter", 0).stemWords(tokens)
    return stems
