"""Longest common subsequences, plain and weighted by runs, and which positions lie on them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.kernels._reference import _check_lengths, _segments, _texts, _vector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mteval_core.kernels._reference import ReferenceTexts, Texts

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
        For texts outside their ids, a segment without reference, or uneven numbers of segments.

    Notes
    -----
    Bit-parallel (Hyyrö 2004): O(h * ceil(r / 64)) for lengths h and r, the longer one as h. The
    lengths of a segment depend on that segment only.
    """
    lengths = np.zeros(len(references.starts))
    for i, hypothesis, reference in _pairs(hypotheses, references):
        even = -1
        for places in _places(hypothesis, reference):
            even = _step(even, places)
        lengths[i] = (~even & ((1 << len(reference)) - 1)).bit_count()
    return lengths


def lcs_marks(hypotheses: ReferenceTexts, references: ReferenceTexts) -> NDArray[np.bool_]:
    """Mark the tokens of references that lie on an LCS with any hypothesis text of their group.

    Parameters
    ----------
    hypotheses : ReferenceTexts
        Texts in groups, for instance the sentences of a segment's hypothesis.
    references : ReferenceTexts
        Texts in as many groups, for instance the sentences of a reference.

    Returns
    -------
    ndarray of bool, shape (total length of the references,)
        Marks of the tokens of the first reference text, the second, and so on: the union, over
        the hypothesis texts of the group, of the positions on one LCS with each.

    Raises
    ------
    ValueError
        For texts outside their ids or of more than 65,535 tokens, groups that are not all the
        texts in order, or uneven numbers of groups.

    Notes
    -----
    Two texts can have many LCS. Taken is the one met going back from the last tokens of both:
    equal tokens are matched; else the last token of the reference is dropped, unless the LCS would
    be shorter without it; else the last one of the hypothesis. This is the way back through the
    table of Cormen, Leiserson and Rivest (1989, sec. 16.3), which ROUGE-1.5.5 goes.

    O(h * ceil(r / 64)) for a group with h hypothesis tokens and a reference of r.
    """

    def mark(hypothesis: list[int], reference: list[int]) -> Iterator[int]:
        matches = _places(hypothesis, reference)
        even = -1
        stops = []
        for places in matches:
            even = _step(even, places)
            stops.append(places | ~even)
        reach = (1 << len(reference)) - 1
        for places, stop in zip(reversed(matches), reversed(stops), strict=True):
            position = (stop & reach).bit_length() - 1
            if position < 0:
                return
            reach = (1 << position) - 1
            if places >> position & 1:
                yield position
            else:
                reach |= 1 << position

    return _marks(hypotheses, references, mark)


def weighted_lcs(
    hypotheses: Texts, references: ReferenceTexts, values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Score common subsequences of a hypothesis and each of its references by their runs.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    values : ndarray of float64, shape (n,)
        What a run of 0, 1, 2, ... tokens that follow each other in both texts is worth; at least
        as many as the longest run could need.

    Returns
    -------
    ndarray of float64, shape (n_references,)
        The scores, one for every reference text.

    Raises
    ------
    ValueError
        For too few values, texts outside their ids, a segment without reference, or uneven
        numbers of segments.

    Notes
    -----
    The dynamic program of Lin (2004, sec. 4): equal tokens are always matched and lengthen the
    run that ends before both, by ``values[k + 1] - values[k]``; other cells take the larger
    neighbour and end the run. It is no maximum over all common subsequences. Exchanging the two
    texts gives the same score. O(h * r) time and O(h) memory.
    """
    value_of = _run_values(values, hypotheses, references)
    scores = np.zeros(len(references.starts))
    for i, hypothesis, reference in _pairs(hypotheses, references):
        scores[i] = _table(hypothesis, reference, value_of)[-1][-1]
    return scores


def weighted_lcs_marks(
    hypotheses: ReferenceTexts, references: ReferenceTexts, values: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Mark the tokens of references on a weighted LCS with any hypothesis text of their group.

    As `lcs_marks`, in the table of `weighted_lcs`: equal tokens are matched; else the way is that
    of the larger score, along the reference if both are equal.

    Parameters
    ----------
    hypotheses, references : ReferenceTexts
        Texts in groups, as many on both sides.
    values : ndarray of float64, shape (n,)
        What a run of 0, 1, 2, ... tokens is worth.

    Returns
    -------
    ndarray of bool, shape (total length of the references,)
        Marks of the tokens of the first reference text, the second, and so on.

    Raises
    ------
    ValueError
        For too few values, texts outside their ids or of more than 65,535 tokens, groups that are
        not all the texts in order, or uneven numbers of groups.

    Notes
    -----
    For a pair of texts O(h * r) time, and h * r bits of memory.
    """
    value_of = _run_values(values, hypotheses, references)

    def mark(hypothesis: list[int], reference: list[int]) -> Iterator[int]:
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

    return _marks(hypotheses, references, mark)


def _table(hypothesis: list[int], reference: list[int], values: list[float]) -> list[list[float]]:
    """Scores of all beginnings: a row for each token of the reference, and one before them."""
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
    """Check that there are values for the longest run that two of the texts could have."""
    values = _vector("values", values, np.float64)
    longest = [
        int(np.max(np.asarray(texts.ends) - np.asarray(texts.starts), initial=0))
        for texts in (hypotheses, references)
    ]
    if len(values) <= min(longest):
        message = (
            f"values: {len(values)} values of runs; expected those of 0 to {min(longest)} tokens"
        )
        raise ValueError(message)
    found: list[float] = values.tolist()
    return found


def _step(even: int, places: int) -> int:
    """One row: bit i is 0 where the LCS grows from i to i + 1 tokens of the reference."""
    kept = even & places
    return (even + kept) | (even & ~kept)


def _places(hypothesis: list[int], reference: list[int]) -> list[int]:
    """For each token of the hypothesis the mask of the reference positions that hold it."""
    masks: dict[int, int] = {}
    for position, token in enumerate(reference):
        masks[token] = masks.get(token, 0) | 1 << position
    return [masks.get(token, 0) if token >= 0 else 0 for token in hypothesis]


def _pairs(
    hypotheses: Texts, references: ReferenceTexts
) -> Iterator[tuple[int, list[int], list[int]]]:
    """Check everything, then give each reference text with its number and its hypothesis."""
    segments = _segments(hypotheses, references)
    first = references.index[:-1].tolist()
    return (
        (i, hypothesis, reference)
        for start, (hypothesis, texts) in zip(first, segments, strict=True)
        for i, reference in enumerate(texts, start)
    )


def _marks(
    hypotheses: ReferenceTexts,
    references: ReferenceTexts,
    mark: Callable[[list[int], list[int]], Iterator[int]],
) -> NDArray[np.bool_]:
    """Put the marks of each reference text with each hypothesis text of its group together."""
    hypothesis_groups = _groups("hypotheses", hypotheses)
    reference_groups = _groups("references", references)
    if len(hypothesis_groups) != len(reference_groups):
        message = (
            f"{len(hypothesis_groups)} groups of hypotheses, "
            f"but {len(reference_groups)} of references"
        )
        raise ValueError(message)
    _check_lengths(hypotheses, references)
    lengths = np.asarray(references.ends) - np.asarray(references.starts)
    marks = np.zeros(int(lengths.sum()), bool)
    start = 0
    for group, texts in zip(hypothesis_groups, reference_groups, strict=True):
        for reference in texts:
            for hypothesis in group:
                for position in mark(hypothesis, reference):
                    marks[start + position] = True
            start += len(reference)
    return marks


def _groups(name: str, texts: ReferenceTexts) -> list[list[list[int]]]:
    text = _texts(name, texts)
    index = _vector("index", texts.index, np.int64)
    n_texts = len(texts.starts)
    if not len(index) or index[0] != 0 or index[-1] != n_texts or (np.diff(index) < 0).any():
        message = (
            f"{name}: index does not divide the {n_texts} texts into groups; "
            f"expected to ascend from 0 to {n_texts}"
        )
        raise ValueError(message)
    return [[text(i) for i in range(start, stop)] for start, stop in pairwise(index.tolist())]
