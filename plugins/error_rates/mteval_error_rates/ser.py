"""SER, the segment error rate: the share of segments with any error.

In papers the sentence error rate. A segment is right if it has the words of one of its references.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import ratio
from mteval_core.kernels import edit_distance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

__all__ = ["Ser"]


@dataclass(frozen=True)
class Ser:
    """SER; it has no options of its own."""

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Count the segment, and whether it is wrong, shape (n_segments, 2)."""
        edits = edit_distance(words.hypotheses, words.references)
        wrong = np.minimum.reduceat(edits, words.references.index[:-1]) > 0
        return np.column_stack([wrong, np.ones(len(words))])

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rate, wrong segments; shape (..., 2)."""
        wrong, n_segments = totals[..., 0], totals[..., 1]
        return np.stack([ratio(wrong, n_segments), wrong], axis=-1)
