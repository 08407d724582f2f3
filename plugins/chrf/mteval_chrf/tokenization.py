"""What chrF counts: words with their punctuation cut off, and characters with white space."""

from __future__ import annotations

from functools import partial
from string import punctuation
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.kernels import scan_characters, scan_whitespace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.kernels import Vocabulary

__all__ = ["characters", "scan_characters_and_space", "scan_words", "words"]


def words(text: str) -> list[str]:
    """Split at white space, and cut one ASCII mark off each word, at its end or else its beginning.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The words and the marks.

    Notes
    -----
    As chrF++.py and sacreBLEU: of several marks only one is cut off.

    Examples
    --------
    >>> words('Say (hi) "quietly"... -or not at all!')
    ['Say', '(hi', ')', '"quietly"..', '.', '-', 'or', 'not', 'at', 'all', '!']
    """
    tokens: list[str] = []
    for word in text.split():
        if len(word) == 1:
            tokens.append(word)
        elif word[-1] in punctuation:
            tokens += word[:-1], word[-1]
        elif word[0] in punctuation:
            tokens += word[0], word[1:]
        else:
            tokens.append(word)
    return tokens


def scan_words(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Cut many texts into `words`, each type between white space once.

    See `mteval_core.kernels.scan_whitespace`.
    """
    ids, offsets = scan_whitespace(buffer, starts, ends, vocabulary)
    types = np.flatnonzero(np.bincount(ids)).astype(np.int32)
    cuts = [words(token) for token in vocabulary.tokens(types)]
    parts = np.full((types.max(initial=-1) + 1, 2), -1, np.int32)
    parts[types, 0] = vocabulary.intern([cut[0] for cut in cuts])
    in_two = types[[len(cut) == 2 for cut in cuts]]
    parts[in_two, 1] = vocabulary.intern([cut[1] for cut in cuts if len(cut) == 2])
    found = parts[ids]
    is_word = found >= 0
    places = np.concatenate([[0], np.cumsum(is_word.sum(axis=1))])
    return found[is_word], places[offsets]


def characters(text: str) -> list[str]:
    """Cut into code points, white space included.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        Its characters.
    """
    return list(text)


scan_characters_and_space = partial(scan_characters, white_space=True)
"""`characters` of many texts, as ids."""
