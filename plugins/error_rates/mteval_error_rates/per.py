"""PER, the position-independent word error rate: WER for texts as bags of words.

    PER = 1 - (c - max(0, h - r)) / r

with c words in common, h of the hypothesis and r of the reference. Tillmann, Vogel, Ney, Zubiaga
and Sawaf, "Accelerated DP based search for statistical translation", Eurospeech 1997; the formula
is that of PER.pl 1.0. A corpus is scored by the formula on the sums, as there, which is not the
mean of the segments: words too many in one segment make up for words missing in another.

Several references: the one with the lowest rate, the first of several. Where the reference has no
words, any word of the hypothesis makes the rate 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import ratio
from mteval_core.kernels import clipped_matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

__all__ = ["Per"]


@dataclass(frozen=True)
class Per:
    """PER; it has no options of its own."""

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Count matches, words of the hypothesis and of the reference, shape (n_segments, 3)."""
        pairs = words.pairs()
        matches = clipped_matches(pairs.hypotheses, pairs.references, 1)
        rows = np.column_stack([matches, pairs.hypotheses.lengths, pairs.references.lengths])
        return rows[words.references.highest(-self.score(rows)[:, 0])]

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rate, matches, both lengths; shape (..., 4)."""
        c, h, r = np.moveaxis(totals, -1, 0)
        errors = r - (c - np.maximum(0, h - r))
        return np.stack([ratio(errors, r, errors > 0), c, h, r], axis=-1)
