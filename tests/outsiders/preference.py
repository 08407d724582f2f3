"""Preference: which of two outputs has more words of the reference; half of them where equal."""

import numpy as np

import mteval_core as mt


class Preference:
    def pair_statistics(self, a, b):
        pairs = zip(self.hits(a["words"]), self.hits(b["words"]), strict=True)
        return np.array([[0.5 + np.sign(own - other) / 2] for own, other in pairs])

    def hits(self, words):
        texts = map(words.segment, range(len(words)))
        return [max(len({*own} & {*reference}) for reference in others) for own, others in texts]


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec(
            "preference",
            factory=Preference,
            help="Preference for the output with more words of the reference.",
            values={"preference": 100},
            bounds=(0, 100),
            compares=True,
        )
    ]
