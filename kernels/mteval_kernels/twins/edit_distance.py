"""Edit distance: the fewest edits that turn one text into another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import BITS, check_lengths, pairs
from mteval_kernels.twins.masks import matches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import ReferenceTexts, Texts

__all__ = ["edit_distance"]


def edit_distance(hypotheses: Texts, references: ReferenceTexts) -> NDArray[np.float64]:
    """Count the edits between a hypothesis and each of its references.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.

    Returns
    -------
    ndarray of float64, shape (n_references,)
        For every reference text, the fewest insertions, deletions and substitutions of a token
        that turn one text into the other.

    Raises
    ------
    ValueError
        If a text lies outside its ids, a segment has no reference, or the numbers of segments
        differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    See Also
    --------
    shift_edit_distance : also counts moving several tokens at once as an edit.

    Notes
    -----
    For a hypothesis of h and a reference of r tokens, the time is O(h * ceil(r / 64)), and less for
    long texts that have much in common. A value depends on its own pair of texts only.

    References
    ----------
    Myers (1999), A fast bit-vector algorithm for approximate string matching based on dynamic
    programming; Hyyrö (2003), A bit-vector algorithm for computing Levenshtein and Damerau edit
    distances; Ukkonen (1985), Algorithms for approximate string matching.
    """
    texts = pairs(hypotheses, references)
    check_lengths(hypotheses, references, BITS)
    distances = [
        distance(matches(hypothesis, reference), len(reference)) for hypothesis, reference in texts
    ]
    return np.array(distances, dtype=np.float64)


def distance(masks: Iterable[int], length: int) -> int:
    """Edit distance to a reference of some length, from the masks of the hypothesis tokens.

    The table of distances has a column for each hypothesis token. A column is two masks: the rows
    that are one more, and the rows that are one less, than the row above.
    """
    if not length:
        return sum(1 for _ in masks)
    everywhere = (1 << length) - 1
    last = length - 1
    more, less, edits = everywhere, 0, length
    for mask in masks:
        # Rows that are not more than the row above in the column before.
        diagonal = (((mask & more) + more) ^ more) | mask | less
        # Rows that are one more, and one less, than the same row in the column before.
        right_more = less | everywhere & ~(diagonal | more)
        right_less = more & diagonal
        edits += (right_more >> last & 1) - (right_less >> last & 1)
        right_more = right_more << 1 | 1
        right_less <<= 1
        more = (right_less | ~(diagonal | right_more)) & everywhere
        less = right_more & diagonal & everywhere
    return edits
