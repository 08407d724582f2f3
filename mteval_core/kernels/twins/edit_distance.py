"""Edit distance: how many tokens differ between two texts, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.kernels._reference import _segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mteval_core.kernels._reference import ReferenceTexts, Texts

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
        For every reference text, the fewest tokens that have to be inserted, deleted or replaced
        by another to turn the one text into the other.

    Raises
    ------
    ValueError
        For texts outside their ids, a segment without reference, or uneven numbers of segments.

    See Also
    --------
    shift_edit_distance : where moving several tokens at once is an edit too.

    Notes
    -----
    O(h * ceil(r / 64)) for a hypothesis of h and a reference of r tokens. Values depend on their
    own pair only.

    References
    ----------
    Myers (1999), A fast bit-vector algorithm for approximate string matching based on dynamic
    programming; Hyyrö (2003), A bit-vector algorithm for computing Levenshtein and Damerau edit
    distances.
    """
    distances = [
        distance(positions(hypothesis, reference), len(reference))
        for hypothesis, texts in _segments(hypotheses, references)
        for reference in texts
    ]
    return np.array(distances, dtype=np.float64)


def positions(hypothesis: Iterable[int], reference: Sequence[int]) -> list[int]:
    """Mask of the reference positions that hold it, for every token of the hypothesis."""
    masks: dict[int, int] = {}
    for position, token in enumerate(reference):
        masks[token] = masks.get(token, 0) | 1 << position
    return [masks.get(token, 0) if token >= 0 else 0 for token in hypothesis]


def distance(hypothesis: Iterable[int], length: int) -> int:
    """Edit distance to a reference of some length, from the masks of the hypothesis' tokens.

    One column of the table of distances per token, as two masks: the rows that are one more, and
    those that are one less, than the row above.
    """
    if not length:
        return sum(1 for _ in hypothesis)
    everywhere = (1 << length) - 1
    last = length - 1
    more, less, edits = everywhere, 0, length
    for matches in hypothesis:
        # Where the cell is no more than the one diagonally before it.
        diagonal = (((matches & more) + more) ^ more) | matches | less
        # Against the column before: the rows that are one more, and those that are one less.
        right_more = less | everywhere & ~(diagonal | more)
        right_less = more & diagonal
        edits += (right_more >> last & 1) - (right_less >> last & 1)
        right_more = right_more << 1 | 1
        right_less <<= 1
        more = (right_less | ~(diagonal | right_more)) & everywhere
        less = right_more & diagonal & everywhere
    return edits
