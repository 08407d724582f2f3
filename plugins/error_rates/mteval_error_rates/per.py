"""PER, the position-independent word error rate: WER for texts as bags of words.

::

    PER = 1 - (c - max(0, h - r)) / r

with c words in common, h words in the hypothesis and r in the reference. Tillmann, Vogel, Ney,
Zubiaga and Sawaf, "Accelerated DP based search for statistical translation", Eurospeech 1997. The
formula is that of PER.pl 1.0. As there, the corpus score applies the formula to the sums; it is not
the mean of the segments, because surplus words in one segment offset missing words in another.

Of several references the one with the lowest rate counts, the first one on ties. If the reference
has no words, any word of the hypothesis makes the rate 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.formulas import ratio, split, stack
from mteval_kernels import clipped_matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus

__all__ = ["Per"]


@dataclass(frozen=True)
class Per:
    """PER; it has no options of its own."""

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Matches, hypothesis length and reference length in words; shape (n_segments, 3)."""
        pairs = words.pairs()
        c = clipped_matches(pairs.hypotheses, pairs.references, 1)[:, 0]
        h, r = pairs.hypotheses.lengths, pairs.references.lengths
        rows = stack([c, h, r])
        return words.references.best(rows, lambda each: -self.score(each)[:, 0])

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by the words in common."""
        from mteval_error_rates.explain import explain_per

        return explain_per(words.segment(), lambda row: float(self.score(np.array(row))[0]))

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rate, matches, and both lengths; shape (..., 4)."""
        c, h, r = split(totals)
        errors = r - (c - np.maximum(0, h - r))
        return stack([ratio(errors, r, errors > 0), c, h, r])
