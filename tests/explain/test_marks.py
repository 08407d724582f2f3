"""Marks: spans of the texts as they were written, by a metric's method or in its explanations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HYPOTHESES = ["a bad 🙂 bad", "fine"]
REFERENCES: list[list[str | None]] = [["good", None], ["good", "fine"]]
SOURCE = ["böse", "gut"]


class Bad:
    """Marks the word "bad" in hypotheses; the row is the number of marks."""

    def __init__(self, *more: mt.Mark) -> None:
        self.more = more
        self.calls: list[int] = []

    def statistics(self, texts: mt.TextCorpus) -> Any:
        return np.array([[float(text.split().count("bad"))] for text in texts.hypotheses])

    def marks(self, texts: mt.TextCorpus) -> Sequence[Sequence[mt.Mark]]:
        self.calls.append(len(texts))
        return [self.in_text(text) for text in texts.hypotheses]

    def in_text(self, text: str) -> list[mt.Mark]:
        places = (i for i in range(len(text)) if text.startswith("bad", i))
        return [*(mt.Mark("hypothesis", i, i + 3, "minor") for i in places), *self.more]


class Explained(Bad):
    """The same, as explanations of one segment."""

    marks = None  # type: ignore[assignment]

    def explain(self, texts: mt.TextCorpus) -> mt.Explanation:
        (text,) = texts.hypotheses
        found = self.in_text(text)
        errors = mt.Term("errors", text.split().count("bad"))
        return mt.Explanation((text,), (), (), (errors,), ("errors",), marks=tuple(found))


@pytest.fixture
def scorer(plugin: Callable[..., Any]) -> Callable[..., mt.Scorer]:
    def make(metric: Any, **fields: Any) -> mt.Scorer:
        spec = mt.MetricSpec(
            "bad",
            factory=lambda: metric,
            help="b",
            views={"texts": mt.View(raw=True)},
            values={"errors": 1},
            better="lower",
        )
        registry = mt.load_registry([plugin(metrics=[replace(spec, **fields)])])
        return mt.metric("bad", registry=registry)

    return make


def test_marks_are_refused_where_a_normalizer_has_moved_characters(
    plugin: Callable[..., Any],
) -> None:
    # In small letters, a capital I with a dot is two characters.
    for metric, method in ((Bad, mt.Mark.of), (Explained, mt.explanations)):
        spec = mt.MetricSpec(
            "bad", factory=metric, views={"texts": mt.View(raw=True)}, values={"errors": 1}
        )
        scorer = mt.metric("bad:case=lc", registry=mt.load_registry([plugin(metrics=[spec])]))
        assert method(scorer, ["I bad"], [["x"]])
        for texts in ((["\u0130 bad"], [["x"]]), (["bad"], [["\u0130"]])):
            with pytest.raises(mt.UsageError, match="of the text as it is, and case=lc changes"):
                method(scorer, *texts)


def test_marks_are_not_compared_with_the_segments_around(plugin: Callable[..., Any]) -> None:
    class InContext(Bad):
        def statistics(self, texts: mt.TextCorpus, **_: Any) -> Any:
            return super().statistics(texts)

        def marks(self, texts: mt.TextCorpus, **_: Any) -> Any:
            return super().marks(texts)

    views = {"texts": mt.View(raw=True), "around": mt.View(of="document", before=1, raw=True)}
    spec = mt.MetricSpec("bad", factory=InContext, views=views, values={"errors": 1})
    scorer = mt.metric("bad", registry=mt.load_registry([plugin(metrics=[spec])]))
    test_set = mt.TestSet.of([["x", "y"]], ["d", "d"])
    assert mt.Mark.of(scorer, ["bad", "a bad"], test_set) == [
        (mt.Mark("hypothesis", 0, 3, "minor"),),
        (mt.Mark("hypothesis", 2, 5, "minor"),),
    ]


def test_a_metric_marks_all_segments_in_one_call_and_chosen_ones_alone(
    scorer: Callable[..., mt.Scorer],
) -> None:
    metric = Bad()
    found = mt.Mark.of(scorer(metric), HYPOTHESES, REFERENCES)
    assert found == [
        (mt.Mark("hypothesis", 2, 5, "minor"), mt.Mark("hypothesis", 8, 11, "minor")),
        (),
    ]
    assert mt.Mark.of(scorer(metric), HYPOTHESES, REFERENCES, segments=[1, 0]) == found[::-1]
    assert metric.calls == [2, 1, 1]


@pytest.mark.parametrize("segments", [None, [0]])
@pytest.mark.parametrize(
    ("mark", "fault"),
    [
        (mt.Mark("hypothesis", 2, 12, "minor"), "expected 0 <= start <= end <= 11, in code"),
        (mt.Mark("hypothesis", 5, 2, "minor"), "expected 0 <= start <= end <= 11, in code"),
        (mt.Mark("hypothesis", -1, 2, "minor"), "expected 0 <= start <= end <= 11, in code"),
        (mt.Mark("target", 0, 1, "minor"), "no such text, but hypothesis, reference"),
        (mt.Mark("reference", 0, 1, "minor", to=2), "no such text, but hypothesis, reference"),
        (mt.Mark("source", 0, 1, "minor"), "no such text, but hypothesis, reference"),
        (mt.Mark("hypothesis", 0, 1, "Minor"), "expected one of neutral, minor, major, critical"),
        (mt.Mark("hypothesis", 0, 1, "minor", confidence=90.0), "a confidence from 0 to 1"),
        (("hypothesis", 0, 1, "minor"), "expected a Mark"),
    ],
)
def test_a_wrong_mark_is_an_error(
    scorer: Callable[..., mt.Scorer], mark: Any, fault: str, segments: Any
) -> None:
    texts: Any = (HYPOTHESES, REFERENCES)
    with pytest.raises(mt.PluginError, match=f"marks of metric 'bad'.*segment 0: .*{fault}"):
        mt.Mark.of(scorer(Bad(mark)), *texts, segments=segments, source=SOURCE)
    with pytest.raises(mt.PluginError, match=f"explanation of metric 'bad'.*{fault}"):
        mt.explanations(scorer(Explained(mark)), *texts, segments=[0], source=SOURCE)


def test_marks_lie_in_the_source_and_in_the_references_of_the_segment(
    scorer: Callable[..., mt.Scorer],
) -> None:
    omission = mt.Mark("source", 3, 3, "critical", "omission", 0.5, "nothing of it")
    second = mt.Mark("reference", 0, 4, "neutral", to=1)
    used = scorer(Bad(omission, second), source="optional")
    first, *_ = mt.Mark.of(used, HYPOTHESES, REFERENCES, segments=[0], source=SOURCE)
    assert first[-2:] == (omission, second)
    with pytest.raises(mt.PluginError, match=r"segment 1: .*to=1.*the metric gets no such text"):
        mt.Mark.of(used, HYPOTHESES, REFERENCES, source=SOURCE)


def test_marks_of_other_segments_are_missed(scorer: Callable[..., mt.Scorer]) -> None:
    class Short(Bad):
        def marks(self, texts: mt.TextCorpus) -> Sequence[Sequence[mt.Mark]]:
            return super().marks(texts)[1:]

    with pytest.raises(mt.PluginError, match="expected marks of 2 segments, got 1"):
        mt.Mark.of(scorer(Short()), HYPOTHESES, REFERENCES)


def test_who_has_no_method_is_an_error(registry: mt.Registry) -> None:
    plain = mt.metric("matches", registry=registry)
    with pytest.raises(mt.UsageError, match="no method marks"):
        mt.Mark.of(plain, ["a"], [["a"]])


def test_an_explanation_has_no_marks_unless_its_metric_has(
    scorer: Callable[..., mt.Scorer],
) -> None:
    first, second = mt.explanations(scorer(Explained()), HYPOTHESES, REFERENCES)
    assert (len(first.marks or ()), second.marks) == (2, ())
    assert mt.Explanation((), (), (), (), ()).marks is None
