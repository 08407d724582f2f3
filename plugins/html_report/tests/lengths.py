"""A plugin for these tests: metrics that need no other plugin."""

import mteval_core as mt
from mteval_core.formulas import ratio


class Shared:
    """Share of the words of the hypothesis that the references have."""

    def segment_statistics(self, hypothesis, references):
        known = {word for reference in references for word in reference}
        return sum(word in known for word in hypothesis), len(hypothesis)

    def score(self, totals):
        return ratio(totals[..., :1], totals[..., 1:])

    def explain(self, words):
        hypothesis, references = words.segment()
        links = [
            mt.Link((i,), (reference.index(word),), k)
            for i, word in enumerate(hypothesis)
            for k, reference in list(enumerate(references))[:1]
            if word in reference
        ]
        row = self.segment_statistics(hypothesis, references)
        terms = mt.Term("m", row[0]), mt.Term("h", row[1], "words <h>")
        return mt.Explanation(hypothesis, references, tuple(links), terms, columns=("m", "h"))


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec("shared", factory=Shared, help="shared words", values={"share": 100}),
        mt.MetricSpec(
            "lacking", factory=Shared, help="downwards", values={"share": 100}, better="lower"
        ),
    ]
