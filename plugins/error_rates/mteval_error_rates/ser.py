"""SER, the segment error rate: the share of segments with any error.

Papers call it the sentence error rate. A segment is correct if it equals one of its references,
word for word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.formulas import ratio, split, stack
from mteval_kernels import edit_distance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus

__all__ = ["Ser"]


@dataclass(frozen=True)
class Ser:
    """SER; it has no options of its own."""

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Whether the segment is wrong, and 1; shape (n_segments, 2)."""
        edits = edit_distance(words.hypotheses, words.references)
        wrong = np.minimum.reduceat(edits, words.references.index[:-1]) > 0
        return stack([wrong, np.ones(len(words))])

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by its edits against the nearest reference."""
        from mteval_error_rates.explain import explain_ser

        return explain_ser(words.segment())

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rate and number of wrong segments; shape (..., 2)."""
        wrong, n_segments = split(totals)
        return stack([ratio(wrong, n_segments), wrong])
