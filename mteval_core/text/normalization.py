"""Normalizers: functions from text to text, applied before tokenizing, and from tokens to tokens.

Case folding is a text normalizer. Stemming is a token normalizer: it maps types, so it is called
once with every entry of a vocabulary.
"""

from __future__ import annotations


def ascii_lower(text: str) -> str:
    """Lower-case A to Z and nothing else, as mteval and ROUGE do.

    Parameters
    ----------
    text : str
        Text in any script.

    Returns
    -------
    str
        Text of the same length.

    Examples
    --------
    >>> ascii_lower("ÄRGER in Köln")
    'Ärger in köln'
    """
    # In UTF-8 the bytes of A to Z stand for nothing else, and bytes.lower knows no others.
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def unicode_lower(text: str) -> str:
    """Lower-case every letter that Unicode gives a lower case, as sacreBLEU does.

    Parameters
    ----------
    text : str
        Text in any script.

    Returns
    -------
    str
        Text in lower case. It may be longer: ``İ`` becomes two characters.

    Notes
    -----
    `str.lower`. A capital sigma at the end of a word becomes ``ς``. mteval's international
    tokenization folds with Perl's ``lc``, which always writes ``σ``; nothing else differs.

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
        Tokens, in practice the types of a vocabulary, lower-cased before they were tokenized.

    Returns
    -------
    list of str
        The stem of each token, in the same order.

    Raises
    ------
    UnicodeEncodeError
        A token holds a lone surrogate, which is no text.

    Notes
    -----
    The rules are for lower case only. An upper-case letter is taken for a consonant that ends no
    suffix: ``Running`` gives ``Run``, ``RUNNING`` stays. So do other characters: an accented
    letter is no vowel (``naïves`` gives ``naïv``, ``cafés`` ``café``, ``Straßen`` stays), and words
    of other scripts stay unless they end in an English suffix.

    The paper's rules apply to words of any length: ``is`` gives ``i`` and ``s`` the empty string,
    which is a type like any other. Porter's later programs leave words of one and two letters
    alone.

    A stemmer of the library must not be used by two threads at once, so every call makes its own.

    References
    ----------
    Porter (1980), An algorithm for suffix stripping. Computed by Snowball's ``porter``
    (PyStemmer).

    Examples
    --------
    >>> porter_stems(["caresses", "ponies", "relational", "running", "sky"])
    ['caress', 'poni', 'relat', 'run', 'sky']
    """
    import Stemmer  # a compiled library that only stemmed metrics need

    # Types do not repeat: the library's cache of words would only cost time.
    stems: list[str] = Stemmer.Stemmer("porter", 0).stemWords(tokens)
    return stems
