"""Words kept by a shortest alignment, aligned as jiwer (rapidfuzz) does.

Several alignments can have the fewest edits, and not all of them have equally many hits. This one
removes the common beginning and the common end of both texts, and then goes from the end to the
front: it deletes a word of the reference if that is free of extra edits, otherwise it inserts a
word if a diagonal step would cost more, otherwise it makes a diagonal step. jiwer does the same for
texts of up to 2000 words, and divides longer ones, which can change the kinds of the edits but not
their number.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_error_rates.pairs import pairs_of_ids

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

__all__ = ["hits"]


def hits(words: TokenizedCorpus) -> NDArray[np.float64]:
    """Count the hits of each reference and its hypothesis; shape (n_references,)."""
    counts = [_hits(one.tolist(), other.tolist()) for one, other in pairs_of_ids(words)]
    return np.array(counts, np.float64)


class _Column(NamedTuple):
    """Differences between neighbouring cells of a column of the table of edit distances.

    The column belongs to a number of words of the hypothesis, bit i to word i of the reference. The
    bit is set in `up` if the distance grows by 1 with that word, and in `down` if it falls by 1.
    """

    up: int
    down: int


def _hits(hypothesis: list[int], reference: list[int]) -> int:
    start = _n_equal(hypothesis, reference)
    hypothesis, reference = hypothesis[start:], reference[start:]
    end = _n_equal(hypothesis[::-1], reference[::-1])
    i, j = len(reference) - end, len(hypothesis) - end
    table = _Table(hypothesis[:j], reference[:i])
    found = start + end
    while i and j:
        if table.column(j).up >> (i - 1) & 1:
            i -= 1
            continue
        j -= 1
        if not (j and table.column(j).down >> (i - 1) & 1):
            i -= 1
            found += hypothesis[j] == reference[i]
    return found


def _n_equal(one: list[int], other: list[int]) -> int:
    """Count the words with which both texts begin."""
    n = 0
    for word, same in zip(one, other, strict=False):
        if word != same:
            break
        n += 1
    return n


class _Table:
    """Columns of the table of edit distances (Hyyrö 2003), read from the last to the first.

    Of n columns about the square root is kept; the others are computed again, block by block.
    """

    def __init__(self, hypothesis: list[int], reference: list[int]) -> None:
        self.words = hypothesis
        self.full = (1 << len(reference)) - 1
        self.places: dict[int, int] = {}
        for i, word in enumerate(reference):
            self.places[word] = self.places.get(word, 0) | 1 << i
        self.size = isqrt(len(hypothesis)) + 1
        self.kept = [column := _Column(self.full, 0)]
        for j, word in enumerate(hypothesis, 1):
            column = self._next(column, word)
            if j % self.size == 0:
                self.kept.append(column)
        self.first, self.block = -1, self.kept[:1]

    def column(self, j: int) -> _Column:
        """Column after `j` words of the hypothesis."""
        first = j // self.size
        if first != self.first:
            self.first, self.block = first, [self.kept[first]]
            for word in self.words[first * self.size : (first + 1) * self.size - 1]:
                self.block.append(self._next(self.block[-1], word))
        return self.block[j - first * self.size]

    def _next(self, column: _Column, word: int) -> _Column:
        up, down = column
        places = self.places.get(word, 0)
        same = ((((places & up) + up) ^ up) | places | down) & self.full
        right = down | (self.full & ~(same | up))
        left = same & up
        right = (right << 1 | 1) & self.full
        left = left << 1 & self.full
        return _Column(left | (self.full & ~(same | right)), right & same)
