"""Explanations: their rows are those of the metric."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_testing.explanation_checks import explanations_are_the_rows

import mteval_core as mt
from mteval_core.formulas import ratio

if TYPE_CHECKING:
    from collections.abc import Callable


def explained(hypothesis: tuple[str, ...], references: tuple[tuple[str, ...], ...]) -> Any:
    found = [mt.Link.clipped(hypothesis, [reference]) for reference in references]
    best = max(range(len(found)), key=lambda k: len(found[k]))
    return mt.Explanation(
        hypothesis,
        references,
        links=tuple(link._replace(to=best) for link in found[best]),
        terms=(mt.Term("m", len(found[best]), kind="word"), mt.Term("c", len(hypothesis))),
        columns=("m", "c"),
        best=best,
    )


@dataclass(frozen=True)
class Matches:
    """Clipped unigram matches per hypothesis token, which explain themselves."""

    change: Any = replace

    def statistics(self, words: Any) -> Any:
        return np.array(
            [[*explained(*words.segment(i)).row] for i in range(len(words))], np.float64
        )

    def score(self, totals: Any) -> Any:
        return ratio(totals[..., :1], totals[..., 1:])

    def explain(self, words: Any) -> Any:
        return self.change(explained(*words.segment()))


class Lengths:
    """The mean length of the hypotheses: a metric without a formula."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return [len(hypothesis) + 0 * len(references)]

    def explain(self, words: mt.TokenizedCorpus) -> mt.Explanation:
        hypothesis, references = words.segment()
        length = mt.Term("length", len(hypothesis))
        return mt.Explanation(hypothesis, references, (), (length,), ("length",))


class MedianLength(Lengths):
    """The median length of the hypotheses, which is no function of a sum."""

    def score_rows(self, rows: Any, weights: Any) -> Any:
        chosen = [np.repeat(rows[:, 0], each.astype(int)) for each in np.atleast_2d(weights)]
        medians = [[np.median(some) if len(some) else 0.0] for some in chosen]
        return np.reshape(medians, (*np.shape(weights)[:-1], 1))


@pytest.fixture
def scorer(plugin: Callable[..., Any]) -> Callable[..., mt.Scorer]:
    def make(factory: Any = Matches, **change: Any) -> mt.Scorer:
        made = (lambda: Matches(**change)) if change else factory
        spec = mt.MetricSpec("m", factory=made, help="m", label="M", values={"P": 100})
        return mt.metric("m", registry=mt.load_registry([plugin(metrics=[spec])]))

    return make


HYPOTHESES = ["Say &quot;No&quot;, please.", "b a a"]
REFERENCES: list[list[str | None]] = [["Say no", "a b c"], [None, "a a d"]]


def test_an_explanation_says_what_was_scored(scorer: Callable[..., mt.Scorer]) -> None:
    first, second = mt.explanations(scorer(), HYPOTHESES, REFERENCES)
    assert first.hypothesis == ("Say", '"', "No", '"', ",", "please", ".")
    assert (first.spec, first.segment, first.values) == ("m", 0, {"P": pytest.approx(100 / 7)})
    assert (second.best, second.row) == (0, (2.0, 3.0))
    assert [link.reference for link in second.links] == [(1,), (0,)]


def test_an_explanation_is_shown_by_its_title(scorer: Callable[..., mt.Scorer]) -> None:
    (explanation, _) = mt.explanations(scorer(), HYPOTHESES, REFERENCES)
    assert repr([explanation]) == "[<Explanation: segment 0, m>]"


def test_segments_are_chosen_by_number(scorer: Callable[..., mt.Scorer]) -> None:
    (second,) = mt.explanations(scorer(), HYPOTHESES, REFERENCES, segments=[1])
    assert second.segment == 1
    with pytest.raises(mt.UsageError, match="no segment 2: the segments are 0 to 1"):
        mt.explanations(scorer(), HYPOTHESES, REFERENCES, segments=[2])


@pytest.mark.parametrize("factory", [Lengths, MedianLength])
def test_metrics_of_every_form_are_explained(
    scorer: Callable[..., mt.Scorer], factory: type[Lengths]
) -> None:
    _, explanation = mt.explanations(scorer(factory), ["b", "b a"], [["a b", "c"]])
    assert (explanation.row, explanation.values) == ((2.0,), {"P": 200.0})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x: replace(x, terms=(x.terms[0]._replace(value=9.0), x.terms[1])), "has the row"),
        (lambda x: replace(x, columns=("m",)), "has the row"),
        (lambda x: replace(x, links=()), "the term m is 2, but .* of the kind word weigh 0"),
        (lambda _: None, "expected an Explanation, got NoneType"),
    ],
)
def test_a_wrong_explanation_is_an_error(
    scorer: Callable[..., mt.Scorer], change: Any, message: str
) -> None:
    wrong = scorer(change=change)
    with pytest.raises(mt.PluginError, match=message):
        mt.explanations(wrong, ["b a"], [["a b"]])
    with pytest.raises(mt.PluginError):
        explanations_are_the_rows(wrong)


@pytest.mark.parametrize("places", [((1, 0), (0,)), ((5,), (0,)), ((0,), (7,))])
def test_a_link_outside_its_texts_fails_the_check(
    scorer: Callable[..., mt.Scorer], places: Any
) -> None:
    def change(explanation: mt.Explanation) -> mt.Explanation:
        return replace(explanation, links=(*explanation.links, mt.Link(*places, kind="other")))

    with pytest.raises(AssertionError, match="is not within its texts"):
        explanations_are_the_rows(scorer(change=change))


def test_what_cannot_be_explained(registry: mt.Registry) -> None:
    plain = mt.metric("matches", registry=registry)
    with pytest.raises(mt.UsageError, match="the metric matches does not explain its scores"):
        mt.explanations(plain, ["a"], [["a"]])
    jackknifed = mt.metric("matches", registry=registry, defaults={"loo": "yes"})
    with pytest.raises(mt.UsageError, match="explain the metric without jackknifing"):
        mt.explanations(jackknifed, ["a"], [["a"], ["b"]])


def test_long_segments_are_refused(scorer: Callable[..., mt.Scorer]) -> None:
    long = "a " * 3000
    message = "segment 1 is too long to be explained: 3000 tokens, and 3000 in a reference"
    with pytest.raises(mt.InputError, match=message):
        mt.explanations(scorer(), ["a", long], [["a", long]])


# N-grams


def test_an_ngram_is_linked_with_the_reference_that_has_it_most_often() -> None:
    links = mt.Link.clipped(["a", "a", "a", "b"], [["a", "b"], ["a", "c", "a"]])
    assert [(link.hypothesis, link.to, link.reference) for link in links] == [
        ((0,), 1, (0,)),
        ((1,), 1, (2,)),
        ((3,), 0, (1,)),
    ]
    assert mt.Link.clipped(["a", "b"], []) == []
