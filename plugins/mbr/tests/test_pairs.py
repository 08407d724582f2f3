"""Pairs of texts: distinct ones are kept once, and every pair has the score it has alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_mbr.pairs import Pairs, Side, alone, checked, shared

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

texts = st.lists(
    st.sampled_from(["", "a", "a b", "b a", "é", "e\u0301", "東 京", "a a b"]), min_size=1
)
tokens = st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=5)


@pytest.fixture(scope="module")
def scorer(registry: mt.Registry) -> mt.Scorer:
    return mt.metric("matches", registry=registry)


@settings(max_examples=8)
@given(one=texts, other=st.none() | texts, data=st.data())
def test_distinct_texts_stand_for_all(
    scorer: mt.Scorer, one: list[str], other: list[str] | None, data: st.DataObject
) -> None:
    pairs = Pairs(scorer, one, other, None)
    places: dict[int, str] = {}
    for own, side in ((one, pairs.hypotheses), (other or one, pairs.references)):
        assert len(side.places) == len(set(own))
        assert len(side.distinct) == len(own)
        for text, place in zip(own, side.places[side.distinct].tolist(), strict=True):
            assert places.setdefault(place, text) == text  # the same place on both sides
        for k in range(len(side.places)):
            assert own.index(places[int(side.places[k])]) == side.first(k)
    assert len(set(places.values())) == len(places)
    h, r = pairs.hypotheses.places, pairs.references.places
    some = st.lists(st.tuples(st.integers(0, len(h) - 1), st.integers(0, len(r) - 1)), min_size=1)
    chosen = np.array(data.draw(some))
    found = pairs.scores(*chosen.T)
    alone = [scorer.sentence_score(places[int(h[i])], [places[int(r[j])]]) for i, j in chosen]
    assert found.tolist() == [each.score for each in alone]


def test_every_distinct_text_is_tokenized_once(plugin: Callable[..., Any]) -> None:
    seen: list[str] = []

    def counting(line: str) -> list[str]:
        seen.append(line)
        return line.split()

    class Length:
        def segment_statistics(self, hypothesis: list[str], references: Any) -> list[float]:
            return [len(hypothesis), len(references[0])]

    declared: Any = {
        "tokenizers": [mt.TokenizerSpec("counting", function=counting)],
        "metrics": [mt.MetricSpec("length", factory=Length, values={"x": 1})],
    }
    made = mt.metric("length:tok=counting", registry=mt.load_registry([plugin(**declared)]))
    pairs = Pairs(made, ["a b", "c", "a b"], ["c", "d", "c"], None)
    tokenized = sorted(filter(None, seen))
    assert tokenized == ["a b", "c", "d"]
    pairs.rows(pairs.bound(np.zeros(1, np.int64)), np.array([0, 1]), np.array([1, 0]))
    assert sorted(filter(None, seen)) == tokenized
    assert not pairs.is_prepared


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "there are none; expected one string or more, even if empty"),
        (["a", None], "text 1 is missing; expected one string or more"),
        ([None, None], "text 0 is missing"),
        ("ab", "expected .* got a string"),
        ([3], "segment 0, got int"),
        (["a", "\ud800"], "lone surrogate"),
    ],
)
def test_what_is_no_side_is_named(scorer: mt.Scorer, wrong: Any, message: str) -> None:
    for sides, name in (([wrong, ["a"]], "the hypotheses"), ([["a"], wrong], "the references")):
        with pytest.raises(mt.MtevalError, match=f"(?s){name}.*{message}"):
            Pairs(scorer, sides[0], sides[1], None)
    with pytest.raises(mt.MtevalError, match=r"the source.*segment 0"):
        Pairs(scorer, ["a"], None, 3)  # type: ignore[arg-type]


def test_a_checked_text_keeps_empty_segments() -> None:
    text = checked(["", "é"], "the hypotheses")
    assert list(text) == ["", "é"]


@given(lists=tokens, data=st.data())
def test_tokens_at_places_are_shared_or_copied(lists: list[list[int]], data: st.DataObject) -> None:
    lengths = np.array([len(each) for each in lists])
    ends = np.cumsum(lengths)
    ids = np.array([i for each in lists for i in each], np.int32)
    whole = mt.Tokens(ids, ends - lengths, ends)
    places = np.array(data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=6)), np.int64)
    for taken in (shared(whole, places), alone(whole, places)):
        spans = zip(taken.starts.tolist(), taken.ends.tolist(), strict=True)
        assert [taken.ids[i:j].tolist() for i, j in spans] == [lists[k] for k in places]
    assert shared(whole, places).ids is ids
    assert len(alone(whole, places).ids) == lengths[places].sum()


def test_the_first_of_equal_texts() -> None:
    side = Side(np.array([4, 7]), np.array([1, 0, 1, 0]))
    assert [side.first(0), side.first(1)] == [1, 0]
