"""Quality of an output beside other candidates for the same source, which are a column."""

import mteval_core as mt
from mteval_core.formulas import ratio, split, stack


class Candidates:
    def segment_statistics(self, hypothesis, _references, candidates):
        known = {word for text in candidates for word in text.split()}
        return [sum(word in known for word in hypothesis), len(hypothesis)]

    def score(self, totals):
        return stack([ratio(*split(totals))])


def sample():
    return mt.Sample(
        hypotheses=("a b", "c c", "", "d"),
        references=(("a b", "c", "d", "d"),),
        columns={"candidates": [["a c"], ["c", "d"], ["e"], []]},
    )


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec(
            "candidates",
            factory=Candidates,
            help="Share of words that other candidates also have.",
            values={"candidates": 100},
            bounds=(0, 100),
            references="none",
            counts=True,
            views={
                "words": mt.View(tok="none"),
                "candidates": mt.View(of="column:candidates", type="json"),
            },
            sample=sample,
        )
    ]
