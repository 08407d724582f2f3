"""Snowball's stemmers, as in the program METEOR 1.5.

The program contains Snowball of 2013. PyStemmer 2 produces the same stems with two exceptions:
German words in ``-nisse``, ``-nissen`` and ``-nisses``, which are corrected here; and Danish and
Finnish tokens that end in two equal digits or punctuation marks (``50,000``). PyStemmer 3 has newer
rules for English and German and is refused.
"""

from __future__ import annotations

import re

from mteval_core import PluginError
from mteval_meteor_fmean.languages import LANGUAGES

__all__ = ["stem"]

_PLURAL_OF_NIS = re.compile("ni(?:ss|ß)e").search


def stem(language: str, tokens: list[str]) -> list[str]:
    """Stem tokens of a language.

    Parameters
    ----------
    language : str
        One of `mteval_meteor_fmean.languages.STEMMED`.
    tokens : list of str
        Tokens in lower case.

    Returns
    -------
    list of str
        The stem of each token, in the same order.

    Raises
    ------
    PluginError
        If the installed PyStemmer is not version 2.

    Examples
    --------
    >>> stem("en", ["added", "evening", "organization"])
    ['ad', 'even', 'organ']
    """
    import Stemmer  # a compiled library, needed only here

    if not Stemmer.version().startswith("2."):
        raise PluginError(
            f"the stemmers of METEOR 1.5 need PyStemmer 2; found {Stemmer.version()}, "
            f"which has newer rules. Install 'PyStemmer<3'"
        )
    stems: list[str] = Stemmer.Stemmer(LANGUAGES[language], 0).stemWords(tokens)
    if language == "de":
        stems = [
            stem + "s" if stem.endswith("nis") and _PLURAL_OF_NIS(token) else stem
            for token, stem in zip(tokens, stems, strict=True)
        ]
    return stems
