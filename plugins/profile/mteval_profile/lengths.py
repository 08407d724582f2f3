"""Lengths of hypotheses and references, in words.

With h the length of a hypothesis and r the mean length of its references::

    length-ratio             sum of h / sum of r
    length-outliers.short    share of segments with h < low * r
    length-outliers.long     share of segments with h > high * r
    length-outliers.empty    share of segments with h = 0 < r; they are short, too
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.formulas import ratio, split, stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

__all__ = ["LengthOutliers", "LengthRatio"]


class LengthRatio:
    """Length of the hypotheses over length of the references."""

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Return both lengths of every segment in words, shape (n_segments, 2)."""
        lengths = words.hypotheses.lengths, words.references.mean_lengths
        return np.column_stack(lengths).astype(np.float64, copy=False)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide them, 1 if the references are empty; shape (..., 3) with both lengths."""
        h, r = split(totals)
        return stack([ratio(h, r, 1.0), h, r])


@dataclass(frozen=True)
class LengthOutliers:
    """Shares of segments that are short, long and empty.

    Parameters
    ----------
    low, high : float
        Multiples of the length of the references below which a segment is short, and above which
        it is long.
    """

    low: float = 0.5
    high: float = 2.0

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Mark the segments that are short, long and empty, and count each, (n_segments, 4)."""
        h, r = words.hypotheses.lengths, words.references.mean_lengths
        marks = [h < self.low * r, h > self.high * r, (h == 0) & (r > 0), np.ones(len(h), bool)]
        return np.column_stack(marks).astype(np.float64)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide by the number of segments, shape (..., 3)."""
        return ratio(totals[..., :3], totals[..., 3:])
