"""Clipped unigram precision: matches / hypothesis length."""

from collections import Counter
from dataclasses import dataclass

from mteval_core.formulas import ratio, split, stack


@dataclass(frozen=True)
class UnigramPrecision:
    def segment_statistics(self, hypothesis, references):
        best = max((Counter(hypothesis) & Counter(r)).total() for r in references)
        return best, len(hypothesis)

    def score(self, totals):
        matches, length = split(totals)
        return stack([ratio(matches, length)])
