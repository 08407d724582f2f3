"""Metrics that may miss segments: scores over the others, coverage, comparisons, options."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class Judge:
    """A judge whose answer is in the text; it has none to a question mark."""

    def segment_statistics(self, hypothesis: str, references: list[str]) -> list[float]:  # noqa: ARG002
        return [math.nan if hypothesis == "?" else float(hypothesis)]

    def explain(self, texts: mt.TextCorpus) -> mt.Explanation:
        (answer,) = self.segment_statistics(texts.hypotheses[0], [])
        words = tuple(texts.hypotheses)
        return mt.Explanation(words, ((),), (), (mt.Term("answer", answer),), ("answer",))


class Precision:
    """A formula of sums: matches of the reference in the tokens of the hypothesis."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        if "?" in hypothesis:
            return [math.nan, math.nan]
        return [sum(token in references[0] for token in hypothesis), len(hypothesis)]

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        return totals[..., :1] / np.maximum(totals[..., 1:], 1)


@dataclass(frozen=True)
class Prepared(Judge):
    """A judge that sees all references first."""

    seen: int = 0

    def prepare(self, texts: Any, vocabulary: Any) -> Prepared:  # noqa: ARG002
        return replace(self, seen=len(texts))


JUDGE = mt.MetricSpec(
    "judge",
    factory=Judge,
    help="answers of a judge",
    values={"judge": 100},
    views={"texts": mt.View(raw=True)},
    bounds=(0, 100),
    may_miss=True,
)
PRECISION = mt.MetricSpec(
    "precision", factory=Precision, help="precision", values={"P": 100}, may_miss=True
)

KNOWN = [f"{k / 20}" for k in range(20)]
"""Answers to 20 segments: their mean is 9.5 / 20."""


def but(places: dict[int, str]) -> list[str]:
    """Replace some of the answers."""
    return [places.get(k, answer) for k, answer in enumerate(KNOWN)]


REFERENCES = [["a"] * 20]


@pytest.fixture
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    prepared = replace(JUDGE, name="prepared", factory=Prepared)
    penalty = replace(JUDGE, name="penalty", better="lower", bounds=(0, math.inf))
    return mt.load_registry([plugin(metrics=[JUDGE, PRECISION, prepared, penalty])])


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
@pytest.mark.parametrize("name", ["judge", "prepared"])
def test_the_score_is_the_mean_of_the_segments_that_have_one(
    registry: mt.Registry, name: str
) -> None:
    judge = mt.metric(name, registry=registry)
    score = judge.corpus_score(but({19: "?"}), REFERENCES)
    assert score.values == pytest.approx({"judge": 100 * 8.55 / 19, "coverage": 95})
    assert score.signature.fields["cover"] == ("95",)


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_a_state_says_which_share_has_a_score(registry: mt.Registry) -> None:
    state = mt.State(mt.metric("judge", registry=registry))
    state.update(but({19: "?"}), REFERENCES)
    assert state.compute().signature.get("cover") == "95"
    state.update(["?"] * 20, REFERENCES)
    with pytest.raises(mt.InputError, match=r"only 47\.5% of the segments"):
        state.compute()


def test_without_missing_scores_the_signature_has_no_coverage(registry: mt.Registry) -> None:
    score = mt.metric("judge", registry=registry).corpus_score(KNOWN, REFERENCES)
    assert score.values == pytest.approx({"judge": 47.5, "coverage": 100})
    assert "cover" not in score.signature.fields
    assert score.signature.fields["missing"] == ("leave-out",)


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_a_formula_is_applied_to_the_sums_of_the_other_segments(registry: mt.Registry) -> None:
    precision = mt.metric("precision", registry=registry)
    hypotheses = ["a b"] * 10 + ["?"] + ["a a a"] * 9
    score = precision.corpus_score(hypotheses, REFERENCES)
    assert score.score == pytest.approx(100 * (10 + 27) / (20 + 27))


def test_a_warning_says_which_share_has_a_score(registry: mt.Registry) -> None:
    systems = {"A": KNOWN, "B": but({3: "?"})}
    with pytest.warns(mt.MtevalWarning, match=r"only 95% of the segments of B \(missing=leave-out"):
        mt.evaluate(systems, REFERENCES, ["judge"], registry=registry)


@pytest.mark.parametrize(
    ("spec", "places", "least"),
    [("judge", {0: "?", 1: "?", 2: "?"}, "90%"), ("judge:missing=error", {0: "?"}, "100%")],
)
def test_too_low_a_coverage_is_an_error(
    registry: mt.Registry, spec: str, places: dict[int, str], least: str
) -> None:
    judge = mt.metric(spec, registry=registry)
    with pytest.raises(mt.InputError, match=f"the hypotheses; expected at least {least}"):
        judge.corpus_score(but(places), REFERENCES)


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_a_missing_score_can_count_as_the_worst_one(registry: mt.Registry) -> None:
    judge = mt.metric("judge:missing=worst", registry=registry)
    score = judge.corpus_score(but({17: "?", 18: "?", 19: "?"}), REFERENCES)
    assert score.values == pytest.approx({"judge": 100 * 6.8 / 20, "coverage": 85})
    assert score.signature.fields["missing"] == ("worst",)


@pytest.mark.parametrize("name", ["penalty", "precision"])
def test_there_is_no_worst_score_without_a_bound_or_with_a_formula(
    registry: mt.Registry, name: str
) -> None:
    with pytest.raises(mt.OptionError, match="the mean of one value with a worst"):
        mt.metric(f"{name}:missing=worst", registry=registry)


def test_a_metric_that_misses_no_segment_has_no_such_option() -> None:
    with pytest.raises(mt.OptionError, match="no option 'missing'"):
        mt.metric("bleu:missing=worst")
    with pytest.raises(mt.OptionError, match="no metric takes missing=worst: bleu"):
        mt.evaluate({"A": KNOWN}, REFERENCES, ["bleu"], defaults={"missing": "worst"})


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_systems_are_compared_on_the_segments_that_have_a_score_of_both(
    registry: mt.Registry,
) -> None:
    # Without segments 0 and 19, A is 0.05 better in segment 18, and equal elsewhere.
    systems = {"A": but({0: "?", 18: "0.95"}), "B": but({19: "?"})}
    evaluation = mt.evaluate(systems, REFERENCES, ["judge"], registry=registry).compare("ar", 100)
    comparison = evaluation.comparisons["B", "A", "judge"]
    assert comparison.difference == pytest.approx(-100 * 0.05 / 18)
    assert comparison.p_value > 0.9


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_systems_are_compared_on_all_segments_if_missing_scores_count_as_the_worst(
    registry: mt.Registry,
) -> None:
    systems = {"A": KNOWN, "B": but({19: "?"})}
    spec = "judge:missing=worst"
    evaluation = mt.evaluate(systems, REFERENCES, [spec], registry=registry).compare("ar", 100)
    assert evaluation.comparisons["B", "A", spec].difference == pytest.approx(-100 * 0.95 / 20)


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_an_interval_is_that_of_the_scores_that_are_there(registry: mt.Registry) -> None:
    # With the same answer everywhere, no resample can have another score.
    answers = ["0.5"] * 19 + ["?"]
    evaluation = mt.evaluate({"A": answers}, REFERENCES, ["judge"], registry=registry)
    interval = evaluation.confidence(200).intervals["A", "judge"]
    assert (interval.low, interval.high) == pytest.approx((50, 50))


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_a_segment_without_a_score_has_none_in_records_and_tables(registry: mt.Registry) -> None:
    evaluation = mt.evaluate({"A": but({3: "?"})}, REFERENCES, ["judge"], registry=registry)
    records = evaluation.to_records("segment")
    assert [record["score"] for record in records][2:5] == pytest.approx([10, None, 20])
    assert json.dumps(records[3]["values"], allow_nan=False) == '{"judge": null, "coverage": 0.0}'
    layout = mt.Layout(level="segment")
    rows = str(mt.write_report(evaluation, "text", layout, registry)).splitlines()
    assert rows[5].split() == ["3", "A", "–"]


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_one_segment_without_a_score_scores_nan(registry: mt.Registry) -> None:
    judge = mt.metric("judge", registry=registry)
    scores = judge.sentence_scores(but({1: "?"}), REFERENCES)
    assert [score.score for score in scores[:3]] == pytest.approx([0, math.nan, 10], nan_ok=True)


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
def test_the_jackknife_leaves_missing_segments_out(registry: mt.Registry) -> None:
    judge = mt.metric("judge:loo=yes", registry=registry)
    score = judge.corpus_score(but({19: "?"}), REFERENCES * 2)
    assert score.values == pytest.approx({"judge": 100 * 8.55 / 19, "coverage": 95})


def test_the_explanation_of_a_judge_has_its_values(registry: mt.Registry) -> None:
    (explanation,) = mt.explanations(mt.metric("judge", registry=registry), ["0.25"], [["a"]])
    assert explanation.values == {"judge": 25.0, "coverage": 100.0}
    with pytest.raises(mt.InputError, match="has no score of the segment"):
        mt.explanations(mt.metric("judge", registry=registry), ["?"], [["a"]])


def test_a_row_of_which_only_a_part_is_missing_is_refused(plugin: Callable[..., Any]) -> None:
    class Half(Judge):
        def segment_statistics(self, *_: Any) -> list[float]:
            return [math.nan, 1.0]

    half = replace(JUDGE, name="half", factory=Half, values={"a": 1, "b": 1})
    registry = mt.load_registry([plugin(metrics=[half])])
    with pytest.raises(mt.PluginError, match="not finite"):
        mt.metric("half", registry=registry).corpus_score(["x"], [["a"]])


def test_a_metric_cannot_declare_the_coverage_itself(plugin: Callable[..., Any]) -> None:
    twice = replace(JUDGE, values={"judge": 100, "coverage": 100})
    registry = mt.load_registry([plugin(metrics=[twice])])
    with pytest.raises(mt.PluginError, match="the value 'coverage', which the host adds"):
        mt.metric("judge", registry=registry)
