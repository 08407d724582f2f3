"""Edit distance with shifts: moving a stretch of tokens counts as one edit."""

from __future__ import annotations

from functools import partial
from itertools import accumulate, takewhile
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_kernels.twins.arguments import (
    SEARCH,
    check_count,
    check_lengths,
    for_each_pair,
    segments,
    whole_number,
)
from mteval_kernels.twins.edit_distance import distance
from mteval_kernels.twins.masks import matches, positions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import ReferenceTexts, Texts

__all__ = ["shift_edit_distance"]

MAX_ALIGNED = 1 << 23
"""Most tokens of the hypothesis in all alignments after shifts that the search tries."""

MAX_EQUAL_PAIRS = 1 << 22
"""Most pairs of a hypothesis token and an equal reference token."""


def shift_edit_distance(
    hypotheses: Texts, references: ReferenceTexts, *, max_size: int, max_distance: int, beam: int
) -> NDArray[np.float64]:
    """Count the edits between a hypothesis and each of its references, including shifts.

    A greedy search: it makes the best shift until no shift reduces the number of edits.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    max_size : int
        Largest number of tokens that one shift moves.
    max_distance : int
        Largest distance, in tokens, between a stretch and the place where its copy in the
        reference is aligned.
    beam : int
        Largest number of edits that a partial alignment may have more than the best.

    Returns
    -------
    ndarray of float64, shape (n_references, 5)
        For every reference text: the insertions, deletions and substitutions that turn the
        reference into the hypothesis after all shifts; the shifts; and the tokens that they moved.
        The number of edits is the sum of the first four.

    Raises
    ------
    ValueError
        If a limit is below 0, a text lies outside its ids, a segment has no reference, or the
        numbers of segments differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    See Also
    --------
    edit_distance : counts the edits without shifts.

    Notes
    -----
    *Alignment.* The search fills the table of edit distances column by column, one column for
    each token of the hypothesis. It does not continue from a cell that exceeds the best cell
    reached by a diagonal step in the same column by more than `beam`, except in the last column.
    If several steps reach a cell with equally many edits, a diagonal step is preferred to an
    insertion, and an insertion to a deletion. A deleted token counts as aligned with the last
    token of the hypothesis before it.

    *Candidates.* A stretch of up to `max_size` tokens of the hypothesis may be shifted if the
    reference contains a copy of it; if the stretch contains an error, and the copy too; and if the
    first token of the copy is aligned outside the stretch, but at most `max_distance` from the
    first token of the stretch. The possible places are after the tokens with which the copy, and
    the token before it, are aligned; the front if there is no such token. If that token is in the
    stretch itself, the stretch moves to the right by the token's distance from the first token of
    the stretch.

    *Choice.* Candidates are tried by size, the largest first; then by stretch, copy and place,
    from the left. The search makes the first shift that leaves the fewest edits, if they are fewer
    than before. It stops trying as soon as a shift has saved more than twice the size of the next
    candidate.

    The search ends when it reaches the number of edits that the tokens need in any order. Values
    depend on their own pair of texts only.

    References
    ----------
    Snover, Dorr, Schwartz, Micciulla and Makhoul (2006), ACL Anthology 2006.amta-papers.25,
    section 3. The details are those of the authors' program.
    """
    limits = _Limits(
        whole_number("max_size", max_size, 0),
        whole_number("max_distance", max_distance, 0),
        whole_number("beam", beam, 0),
    )
    texts = segments(hypotheses, references)
    check_lengths(hypotheses, references, SEARCH)
    counts = for_each_pair(texts, partial(_edits, limits=limits))
    return np.array(counts, dtype=np.float64).reshape(-1, 5)


class _Limits(NamedTuple):
    max_size: int
    max_distance: int
    beam: int


class _Alignment(NamedTuple):
    """The best alignment within the beam.

    For every reference token, `places` has the position of the hypothesis token with which it is
    aligned, or -1 for the front.
    """

    edits: int
    insertions: int
    deletions: int
    hypothesis_errors: list[bool]
    reference_errors: list[bool]
    places: list[int]


def _edits(
    hypothesis: list[int], reference: list[int], limits: _Limits
) -> tuple[int, int, int, int, int]:
    words = matches(hypothesis, reference)
    n_tokens = len(hypothesis), len(reference)
    n_pairs = sum(word.bit_count() for word in words)
    check_count(n_tokens, n_pairs, MAX_EQUAL_PAIRS, "pairs of equal tokens")
    return _count(words, len(reference), limits)


def _count(words: list[int], length: int, limits: _Limits) -> tuple[int, int, int, int, int]:
    """Count insertions, deletions, substitutions, shifts, and tokens shifted.

    `words` are the masks of the reference positions of every hypothesis token, `length` is the
    length of the reference.
    """
    least = _fewest_edits(words, length)
    alignment = _align(words, length, limits.beam)
    shifts = shifted = n_aligned = 0
    while alignment.edits > least:
        best, best_words, size_of_best = alignment, words, 0
        for size, (first, middle, last) in _candidates(words, alignment, limits):
            if best.edits == least or alignment.edits - best.edits > 2 * size:
                break
            moved = words[:first] + words[middle:last] + words[first:middle] + words[last:]
            if distance(moved, length) < best.edits:
                n_aligned += len(words)
                n_tokens = len(words), length
                check_count(n_tokens, n_aligned, MAX_ALIGNED, "tokens in alignments to try")
                aligned = _align(moved, length, limits.beam)
                if aligned.edits < best.edits:
                    best, best_words, size_of_best = aligned, moved, size
        if not size_of_best:
            break
        words, alignment = best_words, best
        shifts += 1
        shifted += size_of_best
    substitutions = alignment.edits - alignment.insertions - alignment.deletions
    return alignment.insertions, alignment.deletions, substitutions, shifts, shifted


def _fewest_edits(words: list[int], length: int) -> int:
    """Count the edits that the tokens need in any order."""
    free = -1
    matches = 0
    for places in words:
        available = places & free
        free ^= available & -available
        matches += available > 0
    return max(len(words), length) - matches


def _align(words: list[int], length: int, beam: int) -> _Alignment:
    n_rows = length + 1
    column: list[float] = [0, *[inf] * length]
    step = [""] * n_rows  # with which each row is reached
    steps = [step]
    reached: float = inf
    for places in words:
        limit = reached + beam
        reached = inf
        following: list[float] = [inf] * n_rows
        following_step = [""] * n_rows
        for row, edits in enumerate(column):
            if edits > limit or edits == inf:
                continue
            below = row + 1
            if below < n_rows:
                match = places >> row & 1
                following[below] = edits + 1 - match
                following_step[below] = "match" if match else "substitution"
                reached = min(reached, following[below])
                if edits + 1 < column[below]:
                    column[below] = edits + 1
                    step[below] = "deletion"
            if edits + 1 < following[row]:
                following[row] = edits + 1
                following_step[row] = "insertion"
        column, step = following, following_step
        steps.append(step)
    for row in range(length):
        if column[row] + 1 < column[row + 1]:
            column[row + 1] = column[row] + 1
            step[row + 1] = "deletion"
    return _follow(steps, int(column[-1]))


def _follow(steps: list[list[str]], edits: int) -> _Alignment:
    """Follow the steps back from the last cell; `steps` has one list for each column."""
    i, j = len(steps[0]) - 1, len(steps) - 1
    hypothesis_errors, reference_errors, places = [True] * j, [True] * i, [-1] * i
    insertions = deletions = 0
    while i or j:
        taken = steps[j][i]
        if taken == "insertion":
            j -= 1
            insertions += 1
            continue
        i -= 1
        places[i] = j - 1
        if taken == "deletion":
            deletions += 1
        else:
            j -= 1
            hypothesis_errors[j] = reference_errors[i] = taken == "substitution"
    return _Alignment(
        edits=edits,
        insertions=insertions,
        deletions=deletions,
        hypothesis_errors=hypothesis_errors,
        reference_errors=reference_errors,
        places=places,
    )


def _candidates(
    words: list[int], alignment: _Alignment, limits: _Limits
) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Size of every shift to try, in order, with its first, middle and last position.

    A shift exchanges the tokens ``first:middle`` with the tokens ``middle:last``.
    """
    errors = list(accumulate(alignment.hypothesis_errors, initial=0))
    copy_errors = list(accumulate(alignment.reference_errors, initial=0))
    places = alignment.places
    copies = [
        (start, copy, _run(words[start : start + limits.max_size], copy))
        for start, here in enumerate(words)
        for copy in positions(here)
        if abs(places[copy] - start) <= limits.max_distance
    ]
    for size in range(max((length for *_, length in copies), default=0), 0, -1):
        for start, copy, length in copies:
            end = start + size
            if (
                size <= length
                and not start <= places[copy] < end
                and errors[start] < errors[end]
                and copy_errors[copy] < copy_errors[copy + size]
            ):
                before = places[copy - 1] if copy else -1
                aligned = dict.fromkeys([before, *places[copy : copy + size]])
                for rotation in _rotations(aligned, start, end, len(words)):
                    yield size, rotation


def _rotations(
    places: Iterable[int], start: int, end: int, length: int
) -> Iterator[tuple[int, int, int]]:
    """Ways to move the tokens ``start:end`` of a text after each of several places."""
    for place in places:
        if place < start - 1:
            yield place + 1, start, end
        elif place >= end:
            yield start, end, place + 1
        elif place > start:
            yield start, end, min(end + place - start, length)


def _run(words: list[int], copy: int) -> int:
    """Count the first words that equal the reference from `copy` on."""
    return sum(1 for _ in takewhile(bool, (word >> copy + k & 1 for k, word in enumerate(words))))
