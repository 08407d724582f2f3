"""The tokens of ROUGE-1.5.5: runs of ASCII letters and digits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mteval_kernels import scan_whitespace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mteval_kernels import Vocabulary

__all__ = ["scan", "tokenize"]

_BLANKS = bytes(
    byte if chr(byte).isascii() and chr(byte).isalnum() else ord(" ") for byte in range(256)
)
_TOKENS = re.compile(r"[A-Za-z0-9]+")


def tokenize(text: str) -> list[str]:
    """Split into runs of ASCII letters and digits.

    Parameters
    ----------
    text : str
        One segment.

    Returns
    -------
    list of str
        The tokens. All other characters are separators, such as hyphens, apostrophes and letters
        outside ASCII. Texts in other scripts have no tokens.

    Notes
    -----
    The program also makes every hyphen a token, but then drops tokens that do not begin with a
    letter or digit. It folds case (A to Z) first; here ``case=ascii`` does that.

    Examples
    --------
    >>> tokenize("A state-of-the-art café: don't!")
    ['A', 'state', 'of', 'the', 'art', 'caf', 'don', 't']
    """
    return _TOKENS.findall(text)


def scan(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Tokenize many texts as `tokenize` does; see `mteval_kernels.scan_whitespace`."""
    return scan_whitespace(buffer.translate(_BLANKS), starts, ends, vocabulary)
