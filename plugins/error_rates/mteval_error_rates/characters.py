"""Characters as tokens, for the character error rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_kernels import scan_characters

if TYPE_CHECKING:
    import numpy as np
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
    return scan_characters(buffer, starts, ends, vocabulary, white_space=True, strip=True)
