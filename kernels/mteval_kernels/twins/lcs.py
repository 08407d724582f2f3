"""Longest common subsequences (LCS), plain and weighted by runs, and the positions on them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import (
    BITS,
    TABLE,
    check_length,
    check_lengths,
    longest,
    pairs,
    text_of,
    vector,
)
from mteval_kernels.twins.masks import matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import ReferenceTexts, Texts

__all__ = ["lcs", "lcs_marks", "weighted_lcs", "weighted_lcs_marks"]


def lcs(hypotheses: Texts, references: ReferenceTexts) -> NDArray[np.float64]:
    """Length of the longest common subsequence of a hypothesis and each of its references.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.

    Returns
    -------
    ndarray of float64, shape (n_references,)
        Lengths in tokens, whole numbers, one for every reference text.

    Raises
    ------
    ValueError
        If a text lies outside its ids, a segment has no reference, or the numbers of segments
        differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    Notes
    -----
    Bit-parallel (Hyyrö 2004): for texts of h and r tokens, h the larger, the time is
    O(h * ceil(r / 64)). A length depends on its own pair of texts only.
    """
    texts = pairs(hypotheses, references)
    check_lengths(hypotheses, references, BITS)
    lengths = []
    for hypothesis, reference in texts:
        even = -1
        for mask in matches(hypothesis, reference):
            even = _step(even, mask)
        lengths.append((~even & ((1 << len(reference)) - 1)).bit_count())
    return np.array(lengths, dtype=np.float64)


def lcs_marks(hypotheses: ReferenceTexts, references: ReferenceTexts) -> NDArray[np.bool_]:
    """Mark the tokens of references that are on an LCS with any hypothesis text of their group.

    Parameters
    ----------
    hypotheses : ReferenceTexts
        Texts in groups, for example the sentences of a segment's hypothesis.
    references : ReferenceTexts
        Texts in as many groups, for example the sentences of a reference.

    Returns
    -------
    ndarray of bool, shape (total length of the references,)
        Marks of the tokens of the first reference text, the second, and so on: the union, over
        the hypothesis texts of the group, of the positions on one LCS with each.

    Raises
    ------
    ValueError
        If a text lies outside its ids, if groups are not all the texts in order, or if the numbers
        of groups differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    Notes
    -----
    Two texts can have many LCS. The kernel takes the one on the way back through the table of
    Cormen, Leiserson and Rivest (1989, sec. 16.3), from the last tokens of both texts. Equal tokens
    are matched. Otherwise it drops the last token of the reference, if the LCS without that token
    is as long, or else the last token of the hypothesis.

    For a group with h hypothesis tokens and a reference of r, the time is O(h * ceil(r / 64)).
    """
    groups = _groups("hypotheses", hypotheses), _groups("references", references)
    return _marks(*groups, _lcs_positions)


def weighted_lcs(
    hypotheses: Texts, references: ReferenceTexts, values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weigh common subsequences of a hypothesis and each of its references by their runs.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    values : ndarray of float64, shape (n,)
        Value of a run of 0, 1, 2, ... tokens that are adjacent in both texts, up to the longest
        run that two of the texts can have.

    Returns
    -------
    ndarray of float64, shape (n_references,)
        The weights, one for every reference text.

    Raises
    ------
    ValueError
        If there are too few values, a text lies outside its ids, a segment has no reference, or the
        numbers of segments differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    Notes
    -----
    The dynamic program of Lin (2004, ACL Anthology W04-1013, sec. 4). Equal tokens are always
    matched and lengthen the run that ends before both, by ``values[k + 1] - values[k]``; other
    cells take the larger neighbour and end the run. The weight is not the maximum over all common
    subsequences. Exchanging the two texts gives the same weight. O(h * r) time and O(h) memory.
    """
    values = vector("values", values, np.float64)
    texts = pairs(hypotheses, references)
    check_lengths(hypotheses, references, TABLE)
    value_of = _run_values(values, hypotheses, references)
    weights = [_table(hypothesis, reference, value_of)[-1][-1] for hypothesis, reference in texts]
    return np.array(weights, dtype=np.float64)


def weighted_lcs_marks(
    hypotheses: ReferenceTexts, references: ReferenceTexts, values: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Mark the tokens of references on a weighted LCS with any hypothesis text of their group.

    As `lcs_marks`, but in the table of `weighted_lcs`: equal tokens are matched; otherwise the way
    back goes to the larger weight, along the reference if both are equal.

    Parameters
    ----------
    hypotheses, references : ReferenceTexts
        Texts in groups, as many on both sides.
    values : ndarray of float64, shape (n,)
        Value of a run of 0, 1, 2, ... tokens, as for `weighted_lcs`.

    Returns
    -------
    ndarray of bool, shape (total length of the references,)
        Marks of the tokens of the first reference text, the second, and so on.

    Raises
    ------
    ValueError
        If there are too few values, a text lies outside its ids, groups are not all the texts in
        order, or the numbers of groups differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    Notes
    -----
    For a pair of texts, O(h * r) time and h * r bits of memory.
    """
    values = vector("values", values, np.float64)
    groups = _groups("hypotheses", hypotheses), _groups("references", references)
    value_of = _run_values(values, hypotheses, references)

    def positions(hypothesis: list[int], reference: list[int]) -> Iterator[int]:
        table = _table(hypothesis, reference, value_of)
        i, j = len(reference), len(hypothesis)
        while i and j:
            if hypothesis[j - 1] == reference[i - 1] >= 0:
                i, j = i - 1, j - 1
                yield i
            elif table[i - 1][j] >= table[i][j - 1]:
                i -= 1
            else:
                j -= 1

    return _marks(*groups, positions)


def _step(even: int, mask: int) -> int:
    """Next row of the table: bit i is 0 where the LCS grows from i to i + 1 reference tokens."""
    kept = even & mask
    return (even + kept) | (even & ~kept)


def _lcs_positions(hypothesis: list[int], reference: list[int]) -> Iterator[int]:
    """Reference positions on the LCS, from the last."""
    masks = matches(hypothesis, reference)
    even = -1
    stops = []
    for mask in masks:
        even = _step(even, mask)
        stops.append(mask | ~even)
    reach = (1 << len(reference)) - 1
    for mask, stop in zip(reversed(masks), reversed(stops), strict=True):
        position = (stop & reach).bit_length() - 1
        if position < 0:
            return
        reach = (1 << position) - 1
        if mask >> position & 1:
            yield position
        else:
            reach |= 1 << position


def _table(hypothesis: list[int], reference: list[int], values: list[float]) -> list[list[float]]:
    """Weights of all prefixes: a row before the reference, and one after each of its tokens."""
    table = [[0.0] * (len(hypothesis) + 1)]
    runs = [0] * len(hypothesis)
    for word in reference:
        above = table[-1]
        row = [0.0]
        runs_above = [0, *runs]
        for j, token in enumerate(hypothesis):
            if token == word >= 0:
                run = runs_above[j]
                row.append(above[j] + values[run + 1] - values[run])
                runs[j] = run + 1
            else:
                row.append(max(above[j + 1], row[j]))
                runs[j] = 0
        table.append(row)
    return table


def _run_values(values: NDArray[np.float64], hypotheses: Texts, references: Texts) -> list[float]:
    """Check that there is a value for the longest run that two of the texts can have."""
    longest_run = min(longest(hypotheses), longest(references))
    if len(values) <= longest_run:
        raise ValueError(
            f"values has {len(values)} values; expected {longest_run + 1}, "
            f"for runs of 0 to {longest_run} tokens"
        )
    value_of: list[float] = values.tolist()
    return value_of


def _marks(
    hypothesis_groups: list[list[list[int]]],
    reference_groups: list[list[list[int]]],
    positions: Callable[[list[int], list[int]], Iterator[int]],
) -> NDArray[np.bool_]:
    """Mark the positions of each reference text for each hypothesis text of its group."""
    if len(hypothesis_groups) != len(reference_groups):
        raise ValueError(
            f"{len(hypothesis_groups)} groups of hypotheses, "
            f"but {len(reference_groups)} of references"
        )
    for g, sides in enumerate(zip(hypothesis_groups, reference_groups, strict=True)):
        n_tokens, n_reference_tokens = (sum(map(len, texts)) for texts in sides)
        check_length(g, n_tokens, n_reference_tokens, TABLE)
    marks: list[bool] = []
    for group, texts in zip(hypothesis_groups, reference_groups, strict=True):
        for reference in texts:
            marked = {p for hypothesis in group for p in positions(hypothesis, reference)}
            marks += (position in marked for position in range(len(reference)))
    return np.array(marks, bool)


def _groups(name: str, texts: ReferenceTexts) -> list[list[list[int]]]:
    text = text_of(name, texts)
    index = vector("index", texts.index, np.int64)
    n_texts = len(texts.starts)
    if not len(index) or index[0] != 0 or index[-1] != n_texts or (np.diff(index) < 0).any():
        raise ValueError(
            f"{name}: index does not divide the {n_texts} texts into groups; "
            f"expected it to ascend from 0 to {n_texts}"
        )
    return [[text(i) for i in range(start, stop)] for start, stop in pairwise(index.tolist())]
