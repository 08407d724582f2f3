"""Tokens of hypotheses that references match, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.kernels.twins.arguments import LINEAR, check_lengths, segments
from mteval_core.kernels.twins.ngrams import matched_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.kernels.twins.texts import ReferenceTexts, Texts

__all__ = ["matched_tokens"]


def matched_tokens(hypotheses: Texts, references: ReferenceTexts) -> NDArray[np.bool_]:
    """Mark the tokens that `clipped_matches` counts for order 1.

    If the hypothesis contains a token more often than any reference, its first occurrences are
    marked.

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
        If a text lies outside its ids, a segment has no reference, or the numbers of segments
        differ.
    SegmentError
        If a segment is too long, see the page on long segments.

    Notes
    -----
    For a hypothesis of h tokens and references of r tokens in total, the time is
    O(h * ceil(r / 64)).
    """
    checked = segments(hypotheses, references)
    check_lengths(hypotheses, references, LINEAR)
    marks: list[bool] = []
    for hypothesis, texts in checked:
        matched = matched_positions(hypothesis, texts)
        marks += (position in matched for position in range(len(hypothesis)))
    return np.array(marks, bool)
