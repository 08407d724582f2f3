"""The stemmer of ROUGE-1.5.5: WordNet's exceptions, then Porter's rules with an altered step 4.

Step 4 of Porter (1980) removes the longest of its suffixes. The program first tries all but
``-ment``, ``-ent`` and ``-ion``; then ``-ment``, on what that left; then ``-ent`` or, from a word
that does not end so, ``-sion`` and ``-tion`` as ``-s`` and ``-t``. So ``document`` gives ``docum``,
``element`` ``elem`` and ``commissioner`` ``commiss``.

Like Porter's own later programs it has the rules ``-bli`` to ``-ble`` and ``-logi`` to ``-log``.
"""

from __future__ import annotations

import re

from mteval_rouge.word_lists import exceptions

__all__ = ["porter", "stem", "stems"]

STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


def stems(tokens: list[str]) -> list[str]:
    """Stem tokens, each for itself.

    Parameters
    ----------
    tokens : list of str
        Tokens in lower case, in practice the types of a vocabulary.

    Returns
    -------
    list of str
        The stem of each token, in the same order.

    Raises
    ------
    PluginError
        If the exceptions are not installed, see `mteval_rouge.word_lists`.
    """
    bases = exceptions()
    return [(bases.get(token) or porter(token)) if len(token) > 3 else token for token in tokens]


def stem(token: str) -> str:
    """Stem one token: an exception gives its base form; up to three characters stay as they are.

    Examples
    --------
    >>> [stem(word) for word in ("mice", "better", "documents", "men", "ran")]
    ['mouse', 'well', 'docum', 'men', 'ran']
    """
    return stems([token])[0]


def porter(word: str) -> str:
    """Apply the rules without the exceptions.

    Parameters
    ----------
    word : str
        A word of at least three characters in lower case. What is not a vowel is a consonant,
        digits included.

    Examples
    --------
    >>> [porter(word) for word in ("relational", "element", "commissioner", "agreed")]
    ['relat', 'elem', 'commiss', 'agre']
    """
    word = _plurals_and_participles(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    for suffixes in (STEP_2, STEP_3):
        suffix = _longest_suffix(word, suffixes)
        if suffix and _measure(word.removesuffix(suffix)) > 0:
            word = word.removesuffix(suffix) + suffixes[suffix]
    word = _step_4(word)
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _plurals_and_participles(word: str) -> str:
    """Steps 1a and 1b."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif re.search("[^s]s$", word):
        word = word[:-1]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    suffix = _longest_suffix(word, ("ed", "ing"))
    if not suffix or "v" not in _shape(word.removesuffix(suffix)):
        return word
    word = word.removesuffix(suffix)
    if re.search(r"([^aeiouylsz])\1$", word):  # a consonant twice
        return word[:-1]
    return word + "e" if word.endswith(("at", "bl", "iz")) or _is_short(word) else word


def _step_4(word: str) -> str:
    def remove(suffix: str) -> str:
        left = word.removesuffix(suffix)
        return left if _measure(left) > 1 else word

    if suffix := _longest_suffix(word, STEP_4):
        word = remove(suffix)
    if word.endswith("ment"):
        word = remove("ment")
    if word.endswith("ent"):
        return remove("ent")
    return remove("ion") if word.endswith(("sion", "tion")) else word


def _longest_suffix(word: str, suffixes: dict[str, str] | tuple[str, ...]) -> str:
    return max((s for s in suffixes if word.endswith(s)), key=len, default="")


def _is_short(word: str) -> bool:
    """Whether the word is consonants, a vowel, and a consonant other than w, x and y."""
    return bool(re.fullmatch("c+vc", _shape(word))) and word[-1] not in "wxy"


def _measure(word: str) -> int:
    """How often consonants follow vowels, Porter's m."""
    return _shape(word).count("vc")


def _shape(word: str) -> str:
    """For every letter v or c; y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape
