"""Skip-bigrams: pairs of tokens in their order, with other tokens between them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import TABLE, check_lengths, pairs, whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import ReferenceTexts, Texts

__all__ = ["skip_bigrams"]


def skip_bigrams(
    hypotheses: Texts, references: ReferenceTexts, skip: int | None = None
) -> NDArray[np.float64]:
    """Count the skip-bigrams that a hypothesis and each of its references share.

    A skip-bigram is any pair of tokens of a text, in their order. It counts as often as the
    hypothesis contains it, but at most as often as the reference does.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    skip : int or None
        Largest number of tokens between the two; 0 counts bigrams, None sets no limit.

    Returns
    -------
    ndarray of float64, shape (n_references,)
        Clipped counts, whole numbers, one for every reference text.

    Raises
    ------
    ValueError
        If `skip` is negative, a text lies outside its ids, a segment has no reference, or the
        numbers of segments differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    Notes
    -----
    Pairs are not stored: each type that both texts contain is in turn the first of the pair. For
    texts of n tokens with s shared types, the time is O(n * min(s, skip) + s * s), the memory
    O(n).
    """
    if skip is not None:
        skip = whole_number("skip", skip, 0)
    texts = pairs(hypotheses, references)
    check_lengths(hypotheses, references, TABLE)
    counts = [_matches(hypothesis, reference, skip) for hypothesis, reference in texts]
    return np.array(counts, dtype=np.float64)


def _matches(hypothesis: list[int], reference: list[int], skip: int | None) -> int:
    shared = {token for token in hypothesis if token >= 0} & set(reference)
    if skip is None:
        hypothesis = [token for token in hypothesis if token in shared]
        reference = [token for token in reference if token in shared]
    matches = 0
    for token in shared:
        clipped = _followers(token, hypothesis, skip) & _followers(token, reference, skip)
        matches += sum(count for follower, count in clipped.items() if follower >= 0)
    return matches


def _followers(token: int, text: list[int], skip: int | None) -> Counter[int]:
    """Count the tokens after each occurrence of a token, as far as the skip allows."""
    counts: Counter[int] = Counter()
    for position, candidate in enumerate(text, 1):
        if candidate == token:
            counts.update(text[position : None if skip is None else position + skip + 1])
    return counts
