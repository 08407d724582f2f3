"""Characters as tokens, for the character error rate."""

from __future__ import annotations

from functools import partial

from mteval_kernels import scan_characters

__all__ = ["characters", "scan"]


scan = partial(scan_characters, white_space=True, strip=True)
"""Tokenizes many texts as `characters` does; see `mteval_kernels.scan_characters`."""


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
