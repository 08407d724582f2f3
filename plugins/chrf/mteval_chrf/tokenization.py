"""Tokenizers of chrF: words with punctuation cut off, and characters with white space."""

from __future__ import annotations

from string import punctuation
from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels import scan_characters, scan_whitespace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_kernels import Vocabulary

__all__ = ["characters", "scan_characters_and_space", "scan_words", "words"]


def words(text: str) -> list[str]:
    """Split at white space and cut one ASCII punctuation mark off each word.

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
    As in chrF++.py and sacreBLEU, only one mark is cut off: at the end of the word if there is one,
    otherwise at its beginning.

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
    """Tokenize many texts as `words` does, cutting each distinct word once.

    For the arguments see `mteval_kernels.scan_whitespace`.
    """
    ids, offsets = scan_whitespace(buffer, starts, ends, vocabulary)
    types = np.flatnonzero(np.bincount(ids)).astype(np.int32)
    cuts = [words(token) for token in vocabulary.tokens(types)]
    parts = np.full((types.max(initial=-1) + 1, 2), -1, np.int32)
    parts[types, 0] = vocabulary.intern([cut[0] for cut in cuts])
    in_two = types[[len(cut) == 2 for cut in cuts]]
    parts[in_two, 1] = vocabulary.intern([cut[1] for cut in cuts if len(cut) == 2])
    cut_ids = parts[ids]
    is_token = cut_ids >= 0
    places = np.concatenate([[0], np.cumsum(is_token.sum(axis=1))])
    return cut_ids[is_token], places[offsets]


def characters(text: str) -> list[str]:
    """Split into code points, white space included.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The characters.

    Examples
    --------
    >>> characters("a b")
    ['a', ' ', 'b']
    """
    return list(text)


def scan_characters_and_space(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Tokenize many texts as `characters` does; see `mteval_kernels.scan_characters`."""
    return scan_characters(buffer, starts, ends, vocabulary=vocabulary, white_space=True)
