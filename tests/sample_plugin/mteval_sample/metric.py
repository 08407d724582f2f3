"""Clipped unigram precision: matches / hypothesis length."""

from collections import Counter
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class UnigramPrecision:
    def segment_statistics(self, hypothesis, references):
        best = max((Counter(hypothesis) & Counter(r)).total() for r in references)
        return best, len(hypothesis)

    def score(self, totals):
        matches, length = totals[..., 0], totals[..., 1]
        return np.divide(matches, length, out=np.zeros_like(matches), where=length > 0)[..., None]
