"""Consistency: of the words that the reference repeats from its context, how many are repeated."""

import numpy as np

import mteval_core as mt
from mteval_core.formulas import ratio, split, stack


class Consistency:
    def statistics(self, words, before):
        rows = np.zeros((len(words), 2))
        for i in range(len(words)):
            hypothesis, (reference, *_) = words.segment(i)
            own_context, (context, *_) = before.segment(i)
            wanted = {*reference} & {*context}
            kept = {*hypothesis} & {*own_context} & wanted
            rows[i] = len(kept), len(wanted)
        return rows

    def score(self, totals):
        kept, wanted = split(totals)
        return stack([ratio(kept, wanted)])


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec(
            "consistency",
            factory=Consistency,
            help="Words that the reference repeats from the two segments before it.",
            values={"consistency": 100},
            bounds=(0, 100),
            counts=True,
            views={"words": mt.View(), "before": mt.View(of="document", before=2)},
        )
    ]
