"""What every choice from n-best lists has to satisfy, whatever the metric."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_mbr import mbr, oracle
from mteval_mbr.decoding import best, counted, resolved

import mteval_core as mt

texts = st.lists(st.sampled_from(["a", "b", "é", "東"]), max_size=4).map(" ".join)
n_best = st.lists(texts, min_size=1, max_size=6)


def choose(registry: mt.Registry, *lists: list[str], **more: Any) -> Any:
    return mbr(lists, "matches", 99, registry=registry, **more)


@settings(max_examples=8)
@given(own=n_best, data=st.data())
def test_the_order_of_a_list_decides_only_between_equals(
    registry: mt.Registry, own: list[str], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(own))
    one, other = choose(registry, own, shuffled)
    utilities = {each.hypothesis: each.utility for each in other}
    for rank, each in enumerate(one):
        assert each.utility == pytest.approx(utilities[each.hypothesis], rel=1e-12)
        assert each.utility == pytest.approx(other[rank].utility, rel=1e-12)
    for first, second in pairwise(one):
        if first.utility == second.utility:
            assert own.index(first.hypothesis) < own.index(second.hypothesis)


@settings(max_examples=8)
@given(own=n_best, times=st.integers(2, 4), aggregate=st.booleans())
def test_a_list_several_times_over_has_the_same_utilities(
    registry: mt.Registry, own: list[str], times: int, aggregate: object
) -> None:
    once, more = choose(registry, own, own * times, aggregate=aggregate)
    assert [each.copies * times for each in once] == [each.copies for each in more]
    assert sum(each.copies for each in once) == len(own)
    a, b = ({e.hypothesis: e.utility for e in some} for some in (once, more))
    assert a == pytest.approx(b, rel=1e-12)


@settings(max_examples=8)
@given(lists=st.lists(n_best, min_size=1, max_size=3), n=st.integers(1, 7), data=st.data())
def test_nothing_beats_the_oracle(
    registry: mt.Registry, lists: list[list[str]], n: int, data: st.DataObject
) -> None:
    references = [data.draw(texts) for _ in lists]
    scorer = mt.metric("matches", registry=registry)
    found = oracle(lists, [references], scorer, n)
    for own, reference, ranked in zip(lists, references, found, strict=True):
        scores = [scorer.sentence_score(each, [reference]).score for each in own]
        assert ranked[0].utility == max(scores)
        assert len(ranked) == min(n, len(set(own)))
        # A second reference can only help a metric that takes the best one.
    for more, ranked in zip(oracle(lists, [references] * 2, scorer), found, strict=True):
        assert more[0] == ranked[0]


def test_one_hypothesis_is_chosen_with_its_score_against_itself(registry: mt.Registry) -> None:
    assert choose(registry, ["é"], [""], ["x", "x"]) == [
        [("é", 100.0, 1)],
        [("", 0.0, 1)],
        [("x", 100.0, 2)],
    ]


def test_composed_and_decomposed_letters_are_different_hypotheses(registry: mt.Registry) -> None:
    (ranked,) = choose(registry, ["é", "e\u0301", "é"])
    copies = {each.hypothesis: each.copies for each in ranked}
    assert copies == {"é": 2, "e\u0301": 1}


@pytest.mark.parametrize(
    "thing", [("a", "b"), np.array(["a", "b"]), iter("ab"), {"a": 1, "b": 2}.keys()]
)
def test_any_sequence_of_strings_is_a_list(thing: Any) -> None:
    assert dict(counted(thing, 0)) == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("thing", "seen"),
    [
        (None, "NoneType"),
        ({"a", "b"}, "set"),
        (b"ab", "bytes"),
        ([b"a"], "bytes"),
        ([["a"]], "list"),
        (7, "int"),
    ],
)
def test_what_else_is_no_list(thing: Any, seen: str) -> None:
    message = f"segment 12: expected .* got {seen}$"
    with pytest.raises(mt.InputError, match=message):
        counted(thing, 12)


def test_a_metric_is_looked_up_once(registry: mt.Registry) -> None:
    scorer = mt.metric("matches", registry=registry)
    assert resolved(scorer, 1, None, None) is scorer
    assert resolved("matches:bonus=0.5", 1, registry, None).spec != scorer.spec
    for n in (0, -3):
        with pytest.raises(mt.UsageError, match=f"n is {n}; expected 1 or more"):
            resolved(scorer, n, None, None)


def test_an_error_in_any_thread_names_its_segment(plugin: Any) -> None:
    class Short:
        def statistics(self, words: mt.TokenizedCorpus) -> Any:
            lengths = words.hypotheses.lengths
            if lengths.max() > 1:
                raise mt.SegmentError(int(np.argmax(lengths)), "more than 1 token")
            return lengths[:, None]

    short = mt.MetricSpec("short", factory=Short, values={"x": 1})
    registry = mt.load_registry([plugin(metrics=[short])])
    message = r"segment 2: hypothesis 1 with reference \d: short cannot score them: more than 1"
    for threads in (1, 3):
        with pytest.raises(mt.InputError, match=message):
            mbr([["a"], ["b"], ["a", "b c"]], "short", registry=registry, threads=threads)


@given(st.lists(st.sampled_from([0.0, 1.5, -2.0, 1e-300]), min_size=1, max_size=6))
def test_ranks_are_stable(registry: mt.Registry, utilities: list[float]) -> None:
    names = counted([f"h{k}" for k in range(len(utilities))], 0)
    ranked = best(names, np.array(utilities), mt.metric("matches", registry=registry))
    keys = [(-each.utility, int(each.hypothesis[1:])) for each in ranked]
    assert keys == sorted(keys)
    assert {each.hypothesis: each.utility for each in ranked} == dict(
        zip(names, utilities, strict=True)
    )
