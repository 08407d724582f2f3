"""Clipped word precision of documents: the words may be in other segments than in the reference."""

from collections import Counter

import mteval_core as mt
from mteval_core.formulas import ratio, split, stack


class DocumentPrecision:
    def segment_statistics(self, hypothesis, references):
        best = max((Counter(hypothesis) & Counter(own)).total() for own in references)
        return [best, len(hypothesis)]

    def score(self, totals):
        matches, words = split(totals)
        return stack([ratio(matches, words)])


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec(
            "doc-precision",
            factory=DocumentPrecision,
            help="Clipped word precision of documents.",
            values={"P": 100},
            bounds=(0, 100),
            counts=True,
            unit="document",
            views={"words": mt.View(sent="tab")},
        )
    ]
