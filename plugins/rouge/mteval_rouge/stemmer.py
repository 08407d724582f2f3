"""The stemmer of ROUGE-1.5.5: WordNet's exceptions, then Porter's rules with a modified step 4.

Step 4 of Porter (1980) removes the longest matching suffix once. The program removes suffixes up to
three times, each time from the result so far: first any suffix except ``-ment``, ``-ent`` and
``-ion``; then ``-ment``; then ``-ent`` or, if the word does not end in ``-ent``, the ``-ion`` of
``-sion`` and ``-tion``. The stem of ``document`` is ``docum``, of ``element`` ``elem``, and of
``commissioner`` ``commiss``.

Like Porter's own later programs, it has the rules ``-bli`` to ``-ble`` and ``-logi`` to ``-log``.
"""

from __future__ import annotations

from mteval_rouge.word_lists import exceptions

__all__ = ["porter", "stem", "stems"]

# fmt: off
STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}
STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}
STEP_4: dict[str, str] = dict.fromkeys((
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
), "")
# fmt: on


def stems(tokens: list[str]) -> list[str]:
    """Stem tokens independently of each other.

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
        If the exceptions are not installed; see `mteval_rouge.word_lists`.
    """
    bases = exceptions()
    return [(bases.get(token) or porter(token)) if len(token) > 3 else token for token in tokens]


def stem(token: str) -> str:
    """Stem one token. Tokens of up to three characters stay as they are.

    Examples
    --------
    >>> [stem(word) for word in ("mice", "better", "documents", "men", "ran")]
    ['mouse', 'well', 'docum', 'men', 'ran']
    """
    return stems([token])[0]


def porter(word: str) -> str:
    """Apply the rules, but not the exceptions.

    Parameters
    ----------
    word : str
        A lower-case word of at least three characters. Every character that is not a vowel counts
        as a consonant, digits included.

    Examples
    --------
    >>> [porter(word) for word in ("relational", "element", "commissioner", "agreed")]
    ['relat', 'elem', 'commiss', 'agre']
    """
    word = _plurals_and_participles(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(_replace(word, STEP_2, 0), STEP_3, 0)
    word = _replace(_replace(word, STEP_4, 1), {"ment": ""}, 1)
    if word.endswith("ent"):
        word = _replace(word, {"ent": ""}, 1)
    elif word.endswith(("sion", "tion")):
        word = _replace(word, {"ion": ""}, 1)
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _plurals_and_participles(word: str) -> str:
    """Steps 1a and 1b."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    stem = word.removesuffix("ed" if word.endswith("ed") else "ing")
    if stem == word or "v" not in _shape(stem):
        return word
    if stem[-2:-1] == stem[-1] and stem[-1] not in "aeiouylsz":
        return stem[:-1]
    return stem + "e" if stem.endswith(("at", "bl", "iz")) or _is_short(stem) else stem


def _replace(word: str, endings: dict[str, str], measure: int) -> str:
    """Replace the longest matching ending, if the stem before it exceeds a measure."""
    if not word.endswith(tuple(endings)):
        return word
    ending = max(filter(word.endswith, endings), key=len)
    stem = word.removesuffix(ending)
    return stem + endings[ending] if _measure(stem) > measure else word


def _is_short(word: str) -> bool:
    """Whether the word consists of consonants, a vowel, and a consonant other than w, x and y."""
    shape = _shape(word)
    return shape.endswith("cvc") and shape.count("v") == 1 and word[-1] not in "wxy"


def _measure(word: str) -> int:
    """Porter's m: the number of times a consonant follows a vowel."""
    return _shape(word).count("vc")


class _Letters(dict[int, str]):
    """Translation table: vowels to v, y to itself, all other characters to c."""

    def __missing__(self, letter: int) -> str:
        return "c"


_LETTERS = _Letters({**{ord(letter): "v" for letter in "aeiou"}, ord("y"): "y"})


def _shape(word: str) -> str:
    """Word with v or c for every letter; y is a vowel after a consonant."""
    shape = word.translate(_LETTERS)
    while "y" in shape:
        before, _, after = shape.partition("y")
        shape = before + ("v" if before.endswith("c") else "c") + after
    return shape
