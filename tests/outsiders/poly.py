"""Quality of an output, seen beside that of another system: words that both have are right."""

import numpy as np

import mteval_core as mt


class Poly:
    def pair_statistics(self, a, b):
        own, other = a["texts"], b["texts"]
        texts = zip(own.hypotheses, other.hypotheses, own.sources, strict=True)
        return np.array([self.quality(*each) for each in texts])

    def quality(self, own, other, source):
        words, others = own.split(), {*other.split()}
        agreed = sum(word in others for word in words) / max(1, len(words))
        length = min(1, len(own) / max(1, len(source)))
        return [agreed * length]


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec(
            "poly",
            factory=Poly,
            help="Share of words that another system also has, scaled by the length.",
            values={"poly": 100},
            bounds=(0, 100),
            references="none",
            source="required",
            views={"texts": mt.View(raw=True)},
            compares=True,
        )
    ]
