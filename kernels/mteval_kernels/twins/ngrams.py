"""N-grams of hypotheses, counted at most as often as references contain them."""

from __future__ import annotations

from collections import Counter
from itertools import repeat, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import (
    LINEAR,
    check_lengths,
    number_of_columns,
    segments,
)
from mteval_kernels.twins.masks import matches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import ReferenceTexts, Texts

__all__ = ["clipped_matches", "matched_ngrams"]

LONGEST_IN_MASKS = 1024
"""Longest reference, in tokens, for which masks are faster than counts."""


def clipped_matches(
    hypotheses: Texts, references: ReferenceTexts, order: int
) -> NDArray[np.float64]:
    """Count the clipped matches of n-grams, for n = 1 to ``order``.

    An n-gram counts as often as the hypothesis contains it, but at most as often as the one
    reference of the segment that contains it most often.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    order : int
        Longest n-gram, at least 1.

    Returns
    -------
    ndarray of float64, shape (n_segments, order)
        Clipped matches, whole numbers; column ``n - 1`` counts n-grams.

    Raises
    ------
    ValueError
        If a text lies outside its ids, a segment has no reference, or the numbers of segments
        differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    Notes
    -----
    The time is linear in the number of tokens, times `order`; orders without any match take no
    time. A row depends on its own segment only, so that any split into ranges of segments gives the
    same rows.
    """
    order = number_of_columns("order", order)
    checked = segments(hypotheses, references)
    check_lengths(hypotheses, references, LINEAR)
    rows: list[int] = []
    for hypothesis, texts in checked:
        ends_by_text = [matched_ends(hypothesis, text, order) for text in texts]
        if len(ends_by_text) == 1:
            row = list(map(len, ends_by_text[0]))
        else:
            row = [len(set().union(*ends)) for ends in zip_longest(*ends_by_text, fillvalue=())]
        rows += row
        rows += repeat(0, order - len(row))
    return np.array(rows, dtype=np.float64).reshape(-1, order)


def matched_ngrams(hypotheses: Texts, references: ReferenceTexts, order: int) -> NDArray[np.bool_]:
    """Mark the n-grams that `clipped_matches` counts, for n = 1 to ``order``.

    If the hypothesis contains an n-gram more often than any reference, its first occurrences are
    marked.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    order : int
        Longest n-gram, at least 1.

    Returns
    -------
    ndarray of bool, shape (order, total length of the hypotheses)
        Marks of the tokens of the first hypothesis, the second, and so on. Row ``n - 1`` marks the
        last tokens of n-grams.

    Raises
    ------
    ValueError
        If a text lies outside its ids, a segment has no reference, or the numbers of segments
        differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    Notes
    -----
    The time is linear in the number of tokens, times `order`.
    """
    order = number_of_columns("order", order)
    checked = [*segments(hypotheses, references)]
    check_lengths(hypotheses, references, LINEAR)
    marks = np.zeros((order, sum(len(hypothesis) for hypothesis, _ in checked)), np.bool_)
    start = 0
    for hypothesis, texts in checked:
        for text in texts:
            for n, ends in enumerate(matched_ends(hypothesis, text, order)):
                marks[n, [start + end for end in ends]] = True
        start += len(hypothesis)
    return marks


def matched_ends(
    hypothesis: list[int], reference: list[int], order: int
) -> Iterator[Collection[int]]:
    """For n = 1, 2, ... the last positions of the n-grams that match one of a reference each.

    Of equal n-grams the first ones match. The iterator ends after `order`, or before the first n
    without a match.
    """
    if len(reference) > LONGEST_IN_MASKS:
        yield from _counted_ends(hypothesis, reference, order)
        return
    tokens = matches(hypothesis, reference)
    ngrams = {end: mask for end, mask in enumerate(tokens) if mask}
    tokens.append(0)
    for n in range(order):
        if n:
            ngrams = {
                end + 1: longer
                for end, mask in ngrams.items()
                if (longer := mask << 1 & tokens[end + 1])
            }
            if not ngrams:
                return
        if len(set(ngrams.values())) == len(ngrams):  # no two are equal
            yield ngrams
        else:
            yield _one_to_one(ngrams)


def _counted_ends(hypothesis: list[int], reference: list[int], order: int) -> Iterator[list[int]]:
    """Match each n-gram as long as the reference has one left."""
    ids, reference_ids = [0] * len(hypothesis), [0] * len(reference)
    for n in range(order):
        numbers: dict[tuple[int, int], int] = {}
        pairs = zip(reference_ids, reference[n:], strict=False)
        reference_ids = [_number(pair, numbers) for pair in pairs]
        pairs = zip(ids, hypothesis[n:], strict=False)
        ids = [numbers.get(pair, -1) for pair in pairs]
        free = Counter(reference_ids)
        ends = []
        for end, ngram in enumerate(ids, n):
            if ngram >= 0 and free[ngram]:
                free[ngram] -= 1
                ends.append(end)
        if n and not ends:
            return
        yield ends


def _number(pair: tuple[int, int], numbers: dict[tuple[int, int], int]) -> int:
    """Number a pair; one with a negative number has no number."""
    return numbers.setdefault(pair, len(numbers)) if min(pair) >= 0 else -1


def _one_to_one(ngrams: dict[int, int]) -> list[int]:
    """Give every n-gram one of its places in the reference, as long as one is free."""
    free = -1
    matched = []
    for end, mask in ngrams.items():
        if available := mask & free:
            free ^= available & -available
            matched.append(end)
    return matched
