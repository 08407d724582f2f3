"""Tokens of hypotheses that references match, one by one."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.kernels._reference import _matched_ends, _segments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.kernels._reference import ReferenceTexts, Texts

__all__ = ["matched_tokens"]


def matched_tokens(hypotheses: Texts, references: ReferenceTexts) -> NDArray[np.bool_]:
    """Mark the tokens that `clipped_matches` of order 1 counts.

    Of a token that the hypothesis has more often than any one of its references, the first
    occurrences are marked.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.

    Returns
    -------
    ndarray of bool, shape (total length of the hypotheses,)
        Marks of the tokens of the first hypothesis, the second, and so on.

    Raises
    ------
    ValueError
        For texts outside their ids, a segment without reference, or uneven numbers of segments.

    Notes
    -----
    With a hypothesis of h and references of r tokens in all, O(h * ceil(r / 64)).
    """
    marks = []
    for hypothesis, texts in _segments(hypotheses, references):
        matched = set().union(*(next(_matched_ends(hypothesis, text, 1)) for text in texts))
        marks.append([position in matched for position in range(len(hypothesis))])
    return np.fromiter(chain.from_iterable(marks), bool)
