"""Slips: numbers of the source that the hypothesis lacks, and words that it says twice."""

import re

from mteval_core import Mark, MetricSpec, Sample, View, hookimpl

mteval_api = 1

NUMBER, TWICE = re.compile(r"\d+"), re.compile(r"(?<!\S)(\S+) \1(?!\S)", re.IGNORECASE)

WEIGHTS = {"major": 5.0, "minor": 1.0}


class Slips:
    """The penalty of a segment is the sum of the weights of its marks."""

    def statistics(self, texts):
        return [[sum(WEIGHTS[mark.severity] for mark in own)] for own in self.marks(texts)]

    def marks(self, texts):
        pairs = zip(texts.hypotheses, texts.sources, strict=True)
        return [[*self.missing(*pair), *self.repeated(pair[0])] for pair in pairs]

    def missing(self, hypothesis, source):
        there = set(NUMBER.findall(hypothesis))
        for match in NUMBER.finditer(source):
            if match[0] not in there:
                note = f"{match[0]} is not in the hypothesis"
                yield Mark("source", *match.span(), "major", "accuracy/number", note=note)

    def repeated(self, hypothesis):
        for match in TWICE.finditer(hypothesis):
            yield Mark("hypothesis", *match.span(), "minor", "fluency/repetition")


def sample():
    return Sample(
        hypotheses=("on 12 March the the people came", "it is is 5", "300 people", "all well"),
        references=(),
        source=("am 12. März kamen 300 Leute", "es ist 7", "300 Leute", "alles gut"),
    )


@hookimpl
def mteval_register_metrics():
    return MetricSpec(
        "slips",
        factory=Slips,
        help="missing numbers and repeated words",
        label="Slips",
        views={"texts": View(raw=True)},
        references="none",
        source="required",
        values={"penalty": 1},
        better="lower",
        bounds=(0, float("inf")),
        sample=sample,
    )
