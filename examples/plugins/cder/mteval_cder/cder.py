"""CDER: Leusch, Ueffing and Ney, "CDER: Efficient MT evaluation using block movements", EACL 2006.

The reference is walked through word by word. Each of its words is matched by a word of the
hypothesis, replaced by one (cost 1) or not produced (cost 1); a word of the hypothesis is passed
over at cost 1, or by a *long jump* to any place in the hypothesis, which costs ``jump`` however far
it goes. The reference is covered once and in order, the hypothesis in any order, as often as need
be, or not at all; that is what makes the distance computable in the time of an edit distance:

    D(i, l) = min( D(i-1, l-1) + (h_i != r_l),  D(i-1, l) + 1,  D(i, l-1) + 1,
                   min over i' of D(i', l) + jump )

The distance of the whole is D(I, L): it starts before the first word and ends behind the last one
of both texts. CDER is the sum of distances over the sum of reference lengths, case and punctuation
being the tokenizer's.

With jumps of cost 1 the distances are those of ``CderScorer`` in Moses, word for word the same
recurrence (see the tests). Ours, and not checked against the paper or a program of its authors:

- of several references the one with the lowest rate counts, with its own length;
- an empty reference counts as one word of length, so that what stands against it has a rate;
- the costs are fixed: the paper's word-dependent substitution costs are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Cder"]


@dataclass(frozen=True)
class Cder:
    """CDER with the options of its declaration.

    Parameters
    ----------
    jump : float
        Cost of a long jump.
    """

    jump: float = 1.0

    def segment_statistics(
        self, hypothesis: list[str], references: list[list[str]]
    ) -> tuple[float, float, float]:
        """Give distance, jumps and length in tokens of the reference with the lowest rate."""
        rows = [(*self.distance(hypothesis, r), max(len(r), 1)) for r in references]
        return min(rows, key=lambda row: (row[0] / row[2], row[1], row[2]))

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """CDER, distance, jumps and reference length; shape (..., 3) -> (..., 4)."""
        edits, length = totals[..., 0], totals[..., 2]
        return np.concatenate([ratio(edits, length)[..., None], totals], axis=-1)

    def distance(self, hypothesis: list[str], reference: list[str]) -> tuple[float, int]:
        """Give the cost of the cheapest path, and its long jumps, as few as that cost allows."""
        places = range(len(hypothesis) + 1)
        # A cost is (cost, jumps), compared in this order.
        column = self._jumped([(float(i), 0) for i in places])
        for word in reference:
            last, column = column, [(column[0][0] + 1, column[0][1])]
            for i in places[1:]:
                replaced = _plus(last[i - 1], float(hypothesis[i - 1] != word))
                column.append(min(replaced, _plus(last[i], 1), _plus(column[-1], 1)))
            column = self._jumped(column)
        return column[-1]

    def _jumped(self, column: list[tuple[float, int]]) -> list[tuple[float, int]]:
        cost, jumps = min(column)
        jump = (cost + self.jump, jumps + 1)
        return [min(place, jump) for place in column]


def _plus(cost: tuple[float, int], more: float) -> tuple[float, int]:
    return cost[0] + more, cost[1]
