"""A model whose answer has a score and spans; the metric keeps answers, and asks once for each."""

import mteval_core as mt

ASKED = []
"""What the model has been asked, segment by segment."""


def model(segments):
    """Return a score and spans for each pair of hypothesis and source."""
    ASKED.extend(segments)
    for hypothesis, source in segments:
        longer = len(hypothesis) - len(source)
        added = [mt.Mark("hypothesis", len(source), len(hypothesis), "major", "addition")]
        yield 1 / (1 + abs(longer)), added if longer > 0 else []


class Spans:
    def __init__(self):
        self.answers = {}

    def answered(self, texts):
        segments = list(zip(texts.hypotheses, texts.sources, strict=True))
        new = [each for each in dict.fromkeys(segments) if each not in self.answers]
        self.answers.update(zip(new, model(new), strict=True))
        return [self.answers[each] for each in segments]

    def statistics(self, texts):
        return [[score] for score, _ in self.answered(texts)]

    def marks(self, texts):
        return [spans for _, spans in self.answered(texts)]


@mt.hookimpl
def mteval_register_metrics():
    return [
        mt.MetricSpec(
            "spans",
            factory=Spans,
            help="score and spans of a model",
            values={"score": 100},
            bounds=(0, 100),
            references="none",
            source="required",
            views={"texts": mt.View(raw=True)},
            pooled=True,
        )
    ]
