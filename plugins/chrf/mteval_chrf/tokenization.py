"""Tokenizers of chrF: words with punctuation cut off, and characters with white space."""

from __future__ import annotations

from string import punctuation
from typing import TYPE_CHECKING

from mteval_kernels import scan_characters, scan_whitespace

if TYPE_CHECKING:
    import numpy as np
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
    """Tokenize many texts as `words` does; see `mteval_kernels.scan_whitespace`."""
    return scan_whitespace(buffer, starts, ends, vocabulary, cut=True)


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
