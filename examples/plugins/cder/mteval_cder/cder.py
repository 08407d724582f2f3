"""CDER: Leusch, Ueffing and Ney, "CDER: Efficient MT evaluation using block movements", EACL 2006.

The distance is that of a walk through the reference, word by word. Each word of the reference is
matched by a word of the hypothesis, substituted by one (cost 1), or deleted (cost 1). A word of the
hypothesis is skipped at cost 1, or by a *long jump* to any position in the hypothesis, which costs
``jump`` whatever its length. The reference is covered once and in order. The hypothesis may be
covered in any order, repeatedly, or not at all; therefore the distance takes no more time than an
edit distance:

    D(i, l) = min( D(i-1, l-1) + (h_i != r_l),  D(i-1, l) + 1,  D(i, l-1) + 1,
                   min over i' of D(i', l) + jump )

The distance of two texts is D(I, L): the walk starts before the first word and ends after the last
word of both. CDER is the sum of distances over the sum of reference lengths. Case and punctuation
are left to the tokenizer.

With jumps of cost 1, the distances equal those of ``CderScorer`` in Moses, which has the same
recurrence (see the tests). The following choices are not verified against the paper or a program of
its authors:

- Of several references the one with the lowest rate counts, with its own length.
- An empty reference counts as one word, so that a hypothesis scored against it has a rate.
- The costs are fixed; the paper's word-dependent substitution costs are not implemented.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.formulas import ratio, split, stack

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
        """Distance, jumps, and length in tokens of the reference with the lowest rate."""
        rows = [(*self.distance(hypothesis, r), max(len(r), 1)) for r in references]
        return min(rows, key=lambda row: (row[0] / row[2], row[1], row[2]))

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """CDER, distance, jumps and reference length; shape (..., 3) -> (..., 4)."""
        edits, jumps, length = split(totals)
        return stack([ratio(edits, length), edits, jumps, length])

    def distance(self, hypothesis: list[str], reference: list[str]) -> tuple[float, int]:
        """Cost of the cheapest path, and the smallest number of long jumps at that cost."""
        places = range(len(hypothesis) + 1)
        # Costs are pairs (cost, jumps), compared in this order.
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
