"""Edit distance with shifts as sacreBLEU 2.6 searches for them.

The search is that of tercom (see `mteval_kernels.shift_edit_distance`) with other limits:

- The alignment keeps to 25 cells on both sides of the diagonal from corner to corner, in place of
  tercom's limit of 20 edits.
- The start of a stretch and the start of its copy are at most 50 positions apart, where tercom
  measures the distance along the alignment.
- A pair of texts has at most 1000 candidates in all of its rounds. A round that reaches this number
  makes no shift and is the last one.
- Words that move behind one of their own go one position further than in tercom.

Of the shifts that leave the fewest edits, the longest counts, then the one whose words are first,
then the one whose new place is first.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_error_rates.pairs import pairs_of_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

    Ids = NDArray[np.int64]
    Shift = tuple[int, int, int]

__all__ = ["search", "shifted_edits"]

MAX_SIZE, MAX_DISTANCE, MAX_CANDIDATES, BEAM = 10, 50, 1000, 25
"""Words in a shift, distance of its copy, candidates of a pair, and cells beside the diagonal."""

FAR = 1 << 40
"""Edits of a cell that the alignment does not reach."""

AT_ONCE = 1 << 22
"""Number of words of the candidates that are compared at once, to bound memory."""


class Alignment(NamedTuple):
    """An alignment of a hypothesis with a reference.

    Attributes
    ----------
    edits, insertions, deletions : int
        All edits, and two kinds of them.
    errors, copy_errors : list of int
        Number of errors before each position of the hypothesis, and of the reference.
    pairs : list of (int, int)
        Positions in the hypothesis and in the reference of the words that are aligned.
    places : list of int
        For each word of the reference, the position in the hypothesis that it is aligned with; for
        a deleted word, that of the last word before it, or -1 at the front.
    """

    edits: int
    insertions: int
    deletions: int
    errors: list[int]
    copy_errors: list[int]
    pairs: list[tuple[int, int]]
    places: list[int]


def shifted_edits(words: TokenizedCorpus) -> NDArray[np.float64]:
    """Count the edits between a hypothesis and each of its references, including shifts.

    Parameters
    ----------
    words : TokenizedCorpus
        Hypotheses and references.

    Returns
    -------
    ndarray of float64, shape (n_references, 5)
        Insertions, deletions, substitutions, shifts, and shifted words.
    """
    counts = [_count(*pair) for pair in pairs_of_ids(words)]
    return np.array(counts, np.float64).reshape(-1, 5)


def _count(words: Ids, reference: Ids) -> tuple[int, int, int, int, int]:
    """Count insertions, deletions, substitutions, shifts, and words shifted."""
    alignment, shifts = search(words, reference)
    substitutions = alignment.edits - alignment.insertions - alignment.deletions
    shifted = sum(size for _, size, _ in shifts)
    return alignment.insertions, alignment.deletions, substitutions, len(shifts), shifted


def search(words: Ids, reference: Ids) -> tuple[Alignment, list[Shift]]:
    """Make the best shift until none leaves fewer edits; return the alignment and the shifts."""
    in_both = Counter(words.tolist()) & Counter(reference.tolist())
    least = max(len(words), len(reference)) - in_both.total()
    n_candidates = 0
    shifts: list[Shift] = []
    alignment = _align(words, reference)
    while alignment.edits > least:
        candidates = list(_candidates(words.tolist(), reference.tolist(), alignment, n_candidates))
        n_candidates += len(candidates)
        if not candidates or n_candidates >= MAX_CANDIDATES:
            break
        edits, negative_size, start, target = min(_ranked(words, reference, candidates))
        if edits >= alignment.edits:
            break
        shifts.append((start, -negative_size, target))
        words = shifted_words(words, shifts[-1])
        alignment = _align(words, reference)
    return alignment, shifts


def _candidates(
    words: list[int], reference: list[int], alignment: Alignment, n_before: int
) -> Iterator[Shift]:
    """Start, size and new place of every shift to try, until there are too many in all rounds."""
    errors, copy_errors, places = alignment.errors, alignment.copy_errors, alignment.places
    n = n_before
    for start, copy, size in _copies(words, reference):
        end = start + size
        if (
            errors[start] == errors[end]
            or copy_errors[copy] == copy_errors[copy + size]
            or start <= places[copy] < end
        ):
            continue
        before = places[copy - 1] if copy else -1
        for place in dict.fromkeys([before, *places[copy : copy + size]]):
            yield start, size, place + 1
            n += 1
        if n >= MAX_CANDIDATES:
            return


def _copies(words: list[int], reference: list[int]) -> Iterator[Shift]:
    """Start, start of the copy, and size of every stretch with a copy in the reference."""
    positions: dict[int, list[int]] = {}
    for place, word in enumerate(reference):
        positions.setdefault(word, []).append(place)
    for start, word in enumerate(words):
        for copy in positions.get(word, ()):
            if abs(copy - start) > MAX_DISTANCE:
                continue
            pairs = zip(words[start : start + MAX_SIZE], reference[copy:], strict=False)
            for size, (one, other) in enumerate(pairs, 1):
                if one != other:
                    break
                yield start, copy, size


def shifted_words(words: Ids, shift: Shift) -> Ids:
    """Move words; places count the words as they were."""
    start, size, target = shift
    end = start + size
    first, middle, last = start, end, target
    if target < start:
        first, middle, last = target, start, end
    elif target <= end:
        last = min(len(words), end + target - start)
    return np.concatenate([words[:first], words[middle:last], words[first:middle], words[last:]])


def _ranked(
    words: Ids, reference: Ids, candidates: list[Shift]
) -> Iterator[tuple[int, int, int, int]]:
    """Edits after every shift, and what decides between shifts with equally many."""
    step = max(1, AT_ONCE // len(words))
    for k in range(0, len(candidates), step):
        some = candidates[k : k + step]
        texts = np.stack([shifted_words(words, shift) for shift in some])
        *_, (_, edits) = _rows(texts, reference)
        for n, (start, size, target) in zip(edits[:, -1].tolist(), some, strict=True):
            yield n, -size, start, target


def _rows(texts: Ids, reference: Ids) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Compute the table of edits row by row, one row for each word of the texts and one before.

    Yields
    ------
    first : int
        First column of the beam.
    edits : ndarray of int64, shape (n_texts, n_columns)
        Edits in the columns of the beam. All of the last row belongs to it.
    """
    n_texts, n_rows = texts.shape
    n_columns = len(reference) + 1
    columns = np.arange(n_columns)
    row = np.tile(columns, (n_texts, 1))
    yield 0, row
    ratio = len(reference) / max(n_rows, 1)
    beam = BEAM if ratio / 2 <= BEAM else ceil(ratio / 2 + BEAM)
    start = 0
    for i in range(1, n_rows + 1):
        diagonal = int(i * ratio)
        low = max(0, diagonal - beam)
        high = n_columns if i == n_rows else min(n_columns, diagonal + beam)
        following = row[:, low:high] + 1
        skip = 0 if low else 1
        matched = texts[:, i - 1 : i] == reference[low + skip - 1 : high - 1]
        np.minimum(
            following[:, skip:],
            row[:, low + skip - 1 : high - 1] + 1 - matched,
            out=following[:, skip:],
        )
        following -= columns[low:high]
        np.minimum.accumulate(following, axis=1, out=following)
        following += columns[low:high]
        if i == 1:
            row[:, high:] = FAR
        row[:, start:low] = FAR
        row[:, low:high] = following
        start = low
        yield low, following


def _align(words: Ids, reference: Ids) -> Alignment:
    """Align by the fewest edits. A diagonal step is preferred, then an insertion."""
    rows = [(first, edits[0].tolist()) for first, edits in _rows(words[None], reference)]
    i, j = len(words), len(reference)
    total = rows[i][1][-1]
    insertions = deletions = 0
    wrong, wrong_copies, places = [1] * i, [1] * j, [-1] * j
    pairs = []
    while i or j:
        edits = _cell(rows, i, j)
        differs = int(not (i and j) or words[i - 1] != reference[j - 1])
        if i and j and _cell(rows, i - 1, j - 1) + differs == edits:
            i, j = i - 1, j - 1
            places[j] = i
            wrong[i] = wrong_copies[j] = differs
            pairs.append((i, j))
        elif i and _cell(rows, i - 1, j) + 1 == edits:
            i -= 1
            insertions += 1
        else:
            j -= 1
            places[j] = i - 1
            deletions += 1
    errors, copy_errors = accumulate(wrong, initial=0), accumulate(wrong_copies, initial=0)
    return Alignment(
        edits=total,
        insertions=insertions,
        deletions=deletions,
        errors=list(errors),
        copy_errors=list(copy_errors),
        pairs=pairs[::-1],
        places=places,
    )


def _cell(rows: list[tuple[int, list[int]]], i: int, j: int) -> int:
    """Edits in a cell of the table."""
    first, edits = rows[i]
    return edits[j - first] if 0 <= j - first < len(edits) else FAR
