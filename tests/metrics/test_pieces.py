"""Scores of pieces and of single segments, against an edit distance written here."""

from __future__ import annotations

import pickle
from statistics import median_high
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core import InputError, PluginError, Text
from mteval_core.text.text import TestSet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mteval_core.metrics.state import State

WER = mt.metric("wer:tok=none")
words = st.lists(st.sampled_from(["a", "b", "A", "\u00e9", "\u6771\u4eac"]), min_size=1, max_size=4)
pairs = st.lists(st.tuples(words, words), min_size=1, max_size=4)
Pairs = list[tuple[list[str], list[str]]]


def edits(one: Sequence[str], other: Sequence[str]) -> int:
    """The definition: the fewest insertions, deletions and substitutions of words."""
    if not one or not other:
        return len(one) + len(other)
    keep = edits(one[1:], other[1:]) + (one[0] != other[0])
    return min(keep, edits(one[1:], other) + 1, edits(one, other[1:]) + 1)


def rate(given: Pairs) -> float:
    return 100 * sum(edits(*pair) for pair in given) / sum(len(pair[1]) for pair in given)


def sides(given: Pairs) -> tuple[list[str], list[list[str]]]:
    hypotheses, references = (
        [" ".join(text) for text in side] for side in zip(*given, strict=True)
    )
    return hypotheses, [references]


def state_of(given: Pairs) -> State:
    state = mt.State(WER)
    for pair in given:
        state.update(*sides([pair]))
    return state


@settings(max_examples=8)
@given(pairs)
def test_each_segment_has_its_own_edit_rate(given: Pairs) -> None:
    hypotheses, references = sides(given)
    texts = Text.of(hypotheses), TestSet((Text.of(references[0]),))
    scores = WER.sentence_scores(hypotheses, references)
    assert [score.score for score in scores] == pytest.approx([rate([pair]) for pair in given])
    assert WER.sentence_scores(*texts) == scores
    assert [score.n_segments for score in scores] == [1] * len(given)
    one_by_one = [TestSet((Text.of([own]),)).hash for own in references[0]]
    assert [score.signature.get("refs") for score in scores] == one_by_one


@settings(max_examples=8)
@given(pairs)
def test_the_score_so_far_is_that_of_the_segments_so_far(given: Pairs) -> None:
    state = mt.State(WER)
    for n, pair in enumerate(given, 1):
        state.update(*sides([pair]))
        assert state.compute().score == state.compute().score == pytest.approx(rate(given[:n]))
        assert (state.n_segments, state.compute().n_segments) == (n, n)


@settings(max_examples=8)
@given(pairs, pairs, pairs)
def test_merging_is_addition(one: Pairs, two: Pairs, three: Pairs) -> None:
    left, right, tail = state_of(one), state_of(two), state_of(three)
    tail.merge(left)
    right.merge(tail)
    left.merge(state_of(two))
    left.merge(state_of(three))
    assert left.compute() == right.compute()
    assert left.sums == right.sums
    assert left.compute().score == pytest.approx(rate([*one, *two, *three]))
    left.merge(mt.State(WER))
    empty = mt.State(WER)
    empty.merge(left)
    assert empty.compute() == left.compute() == right.compute()


@settings(max_examples=8)
@given(pairs)
def test_a_state_merged_with_itself_counts_every_segment_twice(given: Pairs) -> None:
    state = state_of(given)
    once = state.compute()
    state.merge(state)
    assert (state.n_segments, state.compute().score) == (2 * len(given), once.score)
    assert state.compute().values["edits"] == 2 * once.values["edits"]


WRONG: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    (("ab", ["ab"]), {}, "the hypotheses: expected"),
    ((["ab"], "ab"), {}, "the references: expected"),
    (([None], [["a"]]), {}, "the hypotheses: segment 0 is missing"),
    ((["a", "b"], [["a", None]]), {}, "segment 1 has no reference"),
    ((["a"],), {}, "no references for the metric wer:tok=none: add REF"),
    (([], [[]]), {}, "test set is empty"),
    ((["a", "b"], [["a", "b"], ["a"]]), {}, "uneven length: stream 0 has 2, stream 1 has 1"),
    ((["a"], [["a"]]), {"source": ["s", "t"]}, "2 source segments for 1 segments"),
    ((["a\udfff"], [["a"]]), {}, "the hypotheses: .*surrogate"),
    ((["a"], [["\ud800"]]), {}, "surrogate"),
    ((["a", 3], [["a", "b"]]), {}, "the hypotheses: .*int"),
    ((["a", "b"], [["a"], ["b"]]), {}, "2 reference streams of 1 segments"),
]


@pytest.mark.parametrize(("arguments", "more", "message"), WRONG)
def test_what_cannot_be_counted_is_refused_in_pieces_and_alone(
    arguments: Any, more: Any, message: str
) -> None:
    state = state_of([(["a"], ["b"])])
    before = state.compute()
    for function in (state.update, WER.sentence_scores, WER.corpus_score):
        with pytest.raises(InputError, match=message):
            function(*arguments, **more)
    assert state.compute() == before


odd_texts = st.sampled_from([None, 3, "\ud800", b"a", ["a"], "a\nb"])
texts = st.lists(st.text(max_size=3), min_size=2, max_size=2)
lists = texts | st.lists(st.text(max_size=3) | odd_texts, max_size=3) | odd_texts


def values_or_error(function: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
    try:
        return function(*arguments, **more)
    except InputError as error:
        return str(error)


@settings(max_examples=20)
@given(lists, st.lists(lists, max_size=3) | st.tuples(texts), st.none() | lists)
def test_anything_is_counted_or_refused(hypotheses: Any, references: Any, source: Any) -> None:
    state = mt.State(WER)
    refused = values_or_error(state.update, hypotheses, references, source=source)
    whole = values_or_error(WER.corpus_score, hypotheses, references, source=source)
    if refused:
        assert (refused, state.n_segments) == (whole, 0)
    else:
        assert state.compute().values == whole.values


# A metric of rows, and one of varying width


class Middle:
    """The upper median of the numbers of words: no function of sums."""

    def segment_statistics(self, hypothesis: list[str], _references: Any) -> list[float]:
        return [len(hypothesis)]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        order = np.argsort(rows[:, 0], kind="stable")
        upto = weights[..., order].cumsum(axis=-1)
        return rows[order][(upto > upto[..., -1:] / 2).argmax(-1)]


class Ragged:
    """Rows as wide as the first hypothesis of a call has words, and one column for the rest."""

    def statistics(self, words: Any) -> Any:
        return np.ones((len(words), 1 + int(words.hypotheses.lengths[0])))

    def score(self, totals: Any) -> Any:
        return totals[..., :1]


@pytest.fixture(scope="module")
def odd(plugin: Callable[..., Any]) -> mt.Registry:
    return mt.load_registry(
        [
            plugin(
                metrics=[
                    mt.MetricSpec("middle", factory=Middle, help="median", values={"M": 1}),
                    mt.MetricSpec("ragged", factory=Ragged, help="ragged", values={"R": 1}),
                ]
            )
        ]
    )


@settings(max_examples=8)
@given(pairs)
def test_a_metric_of_rows_keeps_them_and_can_score_each(odd: mt.Registry, given: Pairs) -> None:
    scorer = mt.metric("middle:tok=none", registry=odd)
    hypotheses, references = sides(given)
    lengths = [len(hypothesis) for hypothesis, _ in given]
    state, other = mt.State(scorer), mt.State(scorer)
    for n, hypothesis in enumerate(hypotheses):
        (state, other)[n % 2].update([hypothesis], [[references[0][n]]])
    state.merge(other)
    assert state.compute().score == median_high(lengths)
    assert len(state.kept) == len(given)
    assert not state.sums.n
    scores = scorer.sentence_scores(hypotheses, references)
    assert [score.score for score in scores] == lengths


def test_pieces_of_another_width_are_refused_and_leave_no_trace(odd: mt.Registry) -> None:
    state = mt.State(mt.metric("ragged:tok=none", registry=odd))
    state.update(["a b", "c"], [["x", "x"]])
    with pytest.raises(PluginError, match="rows of 2 columns"):
        state.update(["a"], [["x"]])
    assert (state.n_segments, state.sums.n, state.compute().score) == (2, 2, 2)


def test_states_that_differ_in_an_option_say_both_signatures() -> None:
    cased, lowered = mt.State(WER), mt.State(mt.metric("wer:tok=none,case=lc"))
    with pytest.raises(mt.UsageError) as caught:
        cased.merge(lowered)
    signed = [str(mt.metric(f"wer:tok=none{more}").signature()) for more in (",case=lc", "")]
    assert str(caught.value) == f"a state of {signed[0]} cannot be merged into one of {signed[1]}"
    for wrong in (None, WER, cased.sums, {"n_segments": 1}):
        with pytest.raises(mt.UsageError, match=f"same metric, got {type(wrong).__name__}$"):
            cased.merge(wrong)  # type: ignore[arg-type]


@settings(max_examples=8)
@given(pairs, pairs)
def test_a_pickled_state_goes_its_own_way(one: Pairs, more: Pairs) -> None:
    state = state_of(one)
    again = pickle.loads(pickle.dumps(state))
    again.update(*sides(more))
    assert (again.n_segments, state.n_segments) == (len(one) + len(more), len(one))
    assert again.compute() == state_of([*one, *more]).compute()
    assert state.compute() == state_of(one).compute()
