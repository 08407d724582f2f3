"""Skip-bigrams: ordered pairs of tokens with others between them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.kernels._reference import _segments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.kernels._reference import ReferenceTexts, Texts

__all__ = ["skip_bigrams"]


def skip_bigrams(
    hypotheses: Texts, references: ReferenceTexts, skip: int | None = None
) -> NDArray[np.float64]:
    """Count the skip-bigrams that a hypothesis and each of its references share.

    A skip-bigram is any pair of tokens of a text in their order. One counts as often as it is in
    the hypothesis, at most as often as in the reference.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    skip : int or None
        How many tokens may stand between the two: 0 makes them bigrams, None allows any number.

    Returns
    -------
    ndarray of float64, shape (n_references,)
        Clipped counts, whole numbers, one for every reference text.

    Raises
    ------
    ValueError
        For a negative `skip`, texts outside their ids, a segment without reference, or uneven
        numbers of segments.

    Notes
    -----
    The pairs are never laid out: of the types that both texts have, one after the other is taken
    as the first of the pair. For texts of n tokens with s shared types, O(n * min(s, skip)) time
    plus O(s * s), and O(n) memory.
    """
    if skip is not None and skip < 0:
        message = f"skip is {skip}; expected at least 0 or None"
        raise ValueError(message)
    matches = np.zeros(len(references.starts))
    segments = _segments(hypotheses, references)
    first = references.index[:-1].tolist()
    for start, (hypothesis, texts) in zip(first, segments, strict=True):
        for i, reference in enumerate(texts, start):
            matches[i] = _matches(hypothesis, reference, skip)
    return matches


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
    """Count what follows a token, once for each of its occurrences within reach."""
    counts: Counter[int] = Counter()
    for position, candidate in enumerate(text, 1):
        if candidate == token:
            counts.update(text[position : None if skip is None else position + skip + 1])
    return counts
