"""The shifts that tercom makes, one by one, for explanations.

The kernel `mteval_kernels.shift_edit_distance` counts the same shifts, and its documentation
describes the search.
"""

from __future__ import annotations

from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from mteval_error_rates.explain import Shifted

if TYPE_CHECKING:
    from collections.abc import Iterator

    Words = tuple[str, ...]

__all__ = ["Limits", "search"]


class Limits(NamedTuple):
    """Words in a shift, distance of a shift, and edits beyond those of the best cell."""

    size: int
    distance: int
    beam: int


class Alignment(NamedTuple):
    """The best alignment within the beam.

    Parameters
    ----------
    edits : int
        Number of edits.
    pairs : list of (int, int)
        Positions of aligned words.
    wrong, wrong_copies : list of bool
        Whether each word of the hypothesis, and of the reference, is an error.
    places : list of int
        For each word of the reference, the word of the hypothesis that it is aligned with; for a
        deleted word the last one before it, or -1 at the front.
    """

    edits: int
    pairs: list[tuple[int, int]]
    wrong: list[bool]
    wrong_copies: list[bool]
    places: list[int]


class Move(NamedTuple):
    """A shift: the words ``start:end`` go before the word that is at `target`."""

    start: int
    end: int
    target: int

    def applied(self, order: list[int]) -> list[int]:
        """Return the positions in their order after the shift."""
        start, end, target = self
        rest = order[:start] + order[end:]
        place = target if target <= start else target - (end - start)
        return rest[:place] + order[start:end] + rest[place:]


def search(hypothesis: Words, reference: Words, limits: Limits) -> Shifted:
    """Make the best shift until no shift reduces the number of edits."""
    order = list(range(len(hypothesis)))
    least = _fewest_edits(hypothesis, reference)
    alignment = _align(hypothesis, reference, limits.beam)
    shifts = []
    while alignment.edits > least:
        words = tuple(hypothesis[i] for i in order)
        best, move = alignment, None
        for candidate in _candidates(words, reference, alignment, limits):
            size = candidate.end - candidate.start
            if best.edits == least or alignment.edits - best.edits > 2 * size:
                break
            moved = tuple(hypothesis[i] for i in candidate.applied(order))
            aligned = _align(moved, reference, limits.beam)
            if aligned.edits < best.edits:
                best, move = aligned, candidate
        if move is None:
            break
        words_moved = order[move.start : move.end]
        order, alignment = move.applied(order), best
        first = order.index(words_moved[0])
        shifts.append((words_moved, order[first - 1] if first else -1))
    return Shifted(shifts, order, alignment.pairs)


def _fewest_edits(hypothesis: Words, reference: Words) -> int:
    """Count the edits that the words need in any order."""
    left, common = list(reference), 0
    for word in hypothesis:
        if word in left:
            left.remove(word)
            common += 1
    return max(len(hypothesis), len(reference)) - common


def _align(words: Words, reference: Words, beam: int) -> Alignment:
    """Fill the table of edits column by column, and follow the steps back."""
    edits: list[float] = [0, *[inf] * len(reference)]
    steps = [[""] * len(edits)]
    reached = inf
    for word in words:
        limit, reached = reached + beam, inf
        following, step = [inf] * len(edits), [""] * len(edits)
        for i, here in enumerate(edits):
            if here > limit or here == inf:
                continue
            if i < len(reference):
                following[i + 1] = here + (word != reference[i])
                step[i + 1] = "pair"
                reached = min(reached, following[i + 1])
                if here + 1 < edits[i + 1]:
                    edits[i + 1], steps[-1][i + 1] = here + 1, "deletion"
            if here + 1 < following[i]:
                following[i], step[i] = here + 1, "insertion"
        edits = following
        steps.append(step)
    for i in range(len(reference)):
        if edits[i] + 1 < edits[i + 1]:
            edits[i + 1], steps[-1][i + 1] = edits[i] + 1, "deletion"
    return _follow(words, reference, steps, int(edits[-1]))


def _follow(words: Words, reference: Words, steps: list[list[str]], edits: int) -> Alignment:
    i, j = len(reference), len(words)
    wrong, wrong_copies, places = [True] * j, [True] * i, [-1] * i
    pairs = []
    while i or j:
        step = steps[j][i]
        if step == "insertion":
            j -= 1
            continue
        i -= 1
        places[i] = j - 1
        if step == "pair":
            j -= 1
            pairs.append((j, i))
            wrong[j] = wrong_copies[i] = words[j] != reference[i]
    return Alignment(edits, pairs[::-1], wrong=wrong, wrong_copies=wrong_copies, places=places)


def _candidates(
    words: Words, reference: Words, alignment: Alignment, limits: Limits
) -> Iterator[Move]:
    """Shifts to try: the longest first, then from the left."""
    errors = list(accumulate(alignment.wrong, initial=0))
    copy_errors = list(accumulate(alignment.wrong_copies, initial=0))
    places = alignment.places
    copies = [
        (start, copy, _length(words[start : start + limits.size], reference[copy:]))
        for start, word in enumerate(words)
        for copy, other in enumerate(reference)
        if word == other and abs(places[copy] - start) <= limits.distance
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
                for place in dict.fromkeys([before, *places[copy : copy + size]]):
                    yield from _move(start, end, place, len(words))


def _length(words: Words, copy: Words) -> int:
    """Count the first words that are equal."""
    n = 0
    while n < min(len(words), len(copy)) and words[n] == copy[n]:
        n += 1
    return n


def _move(start: int, end: int, place: int, length: int) -> Iterator[Move]:
    """Move words behind a place; if that is one of their own, by its distance to the right."""
    if place < start - 1 or place >= end:
        yield Move(start, end, place + 1)
    elif place > start:
        yield Move(start, end, min(end + place - start, length))
