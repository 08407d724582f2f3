"""Characters as tokens, for the character error rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels import scan_characters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_kernels import Vocabulary

__all__ = ["characters", "scan"]


def characters(text: str) -> list[str]:
    """Make every character a token, except white space at both ends of the text.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The code points, as jiwer 4 compares them.

    Examples
    --------
    >>> characters(" a bc ")
    ['a', ' ', 'b', 'c']
    """
    return list(text.strip())


def scan(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Tokenize many texts as `characters` does; see `mteval_kernels.scan_characters`."""
    ids, offsets = scan_characters(buffer, starts, ends, vocabulary, white_space=True)
    types = np.flatnonzero(np.bincount(ids)).astype(np.int32)
    is_space = np.zeros(len(vocabulary), np.bool_)
    is_space[types] = [character.isspace() for character in vocabulary.tokens(types)]
    visible = np.flatnonzero(~is_space[ids])
    first, stop = np.searchsorted(visible, [offsets[:-1], offsets[1:]])
    has_any = first < stop
    edges = np.zeros(len(ids) + 1, np.int8)  # of the texts without white space at their ends
    edges[visible[first[has_any]]] += 1
    edges[visible[stop[has_any] - 1] + 1] -= 1
    kept = np.cumsum(edges[:-1], dtype=np.int8) > 0
    return ids[kept], np.append(0, np.cumsum(kept, dtype=np.int64))[offsets]
