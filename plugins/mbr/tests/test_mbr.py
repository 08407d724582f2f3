"""Minimum Bayes risk decoding and the oracle, against the same choice by all scores one by one."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_mbr import mbr, oracle

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

texts = st.lists(st.sampled_from("abc"), max_size=4).map(" ".join)
n_best_lists = st.lists(st.lists(texts, min_size=1, max_size=5), min_size=1, max_size=4)

LISTS = [["a b c", "a b", "a b c", "x"], ["d", "e"], ["f"]]


@pytest.fixture(scope="module", params=["higher", "lower"])
def toys(request: Any, plugin: Callable[..., Any], matches: mt.MetricSpec) -> mt.Registry:
    """The metric `matches`, of which higher or lower scores are better."""
    return mt.load_registry([plugin(metrics=[replace(matches, better=request.param)])])


def ranked(own: list[str], utilities: list[float], better: str) -> list[Any]:
    """Sort the different hypotheses of a list; the first ones come first if they are equal."""
    found = dict(zip(own[::-1], utilities[::-1], strict=True))
    sign = -1 if better == "higher" else 1
    order = sorted(dict.fromkeys(own), key=lambda h: (sign * round(found[h], 9), own.index(h)))
    return [(h, pytest.approx(found[h]), own.count(h)) for h in order]


@settings(max_examples=5)
@given(lists=n_best_lists, n=st.integers(1, 3))
def test_the_best_have_the_highest_mean_of_all_scores(
    toys: mt.Registry, lists: list[list[str]], n: int
) -> None:
    scorer = mt.metric("matches", registry=toys)
    found = mbr(lists, scorer, 99)
    for own, best in zip(lists, found, strict=True):
        scores = [fmean([scorer.sentence_score(h, [r]).score for r in own]) for h in own]
        utilities = [each.utility for each in best]
        assert sorted(best) == sorted(ranked(own, scores, scorer.declaration.better))
        assert utilities == sorted(utilities, reverse=scorer.declaration.better == "higher")
    assert mbr(lists, "matches", n, registry=toys) == [best[:n] for best in found]
    assert mbr(lists, scorer, n, threads=2) == [best[:n] for best in found]


@settings(max_examples=5)
@given(lists=n_best_lists, data=st.data())
def test_the_oracle_has_the_best_scores_against_the_references(
    toys: mt.Registry, lists: list[list[str]], data: st.DataObject
) -> None:
    streams = [data.draw(st.lists(texts, min_size=len(lists), max_size=len(lists))) for _ in "12"]
    scorer = mt.metric("matches", registry=toys)
    found = oracle(lists, streams, scorer, 99)
    for own, references, best in zip(lists, zip(*streams, strict=True), found, strict=True):
        scores = [scorer.sentence_score(h, references).score for h in own]
        assert best == ranked(own, scores, scorer.declaration.better)
    assert oracle(lists, streams, scorer) == [best[:1] for best in found]


def test_equal_hypotheses_count_as_often_as_they_are_there(toys: mt.Registry) -> None:
    (best,) = mbr([["a b", "a", "a b", "c"]], "matches", 3, registry=toys)
    assert {each.hypothesis: each.copies for each in best} == {"a b": 2, "a": 1, "c": 1}
    # P of "a b" against itself twice, "a" and "c": 1, 1, 1/2, 0; of "a": 1, 1, 1, 0.
    found = {each.hypothesis: each.utility for each in best}
    assert found == {"a b": 62.5, "a": 75.0, "c": 25.0}


def test_the_aggregate_is_computed_from_sums(toys: mt.Registry) -> None:
    (best,) = mbr([["a b", "a b", "a", "c"]], "matches", 3, aggregate=True, registry=toys)
    assert {each.hypothesis: each.utility for each in best} == {"a b": 62.5, "a": 75.0, "c": 25.0}
    pytest.importorskip("mteval_error_rates", reason="the error rates are not installed")
    both = (
        mbr([["a b c d", "a"]], "wer", aggregate=True),
        mbr([["a b c d", "a"]], "wer"),
    )
    # 3 + 0 edits of 4 + 1 words, against 3 + 0 of 1 + 4; means of 0 and 3, and of 0.75 and 0.
    assert [ranked[0][0].hypothesis for ranked in both] == ["a b c d", "a"]
    assert [ranked[0][0].utility for ranked in both] == [60.0, 37.5]


def test_sources_go_to_the_metric(plugin: Callable[..., Any]) -> None:
    class Copied:
        def statistics(self, texts: mt.TextCorpus) -> Any:
            own = zip(texts.hypotheses, texts.sources or [], strict=True)
            return [[float(h == s)] for h, s in own]

    declaration = mt.MetricSpec(
        "copied",
        factory=Copied,
        values={"x": 1},
        views={"texts": mt.View(raw=True)},
        source="required",
    )
    registry = mt.load_registry([plugin(metrics=[declaration])])
    found = mbr([["a", "b"], ["a", "b"]], "copied", sources=["b", "a"], registry=registry)
    assert [best.hypothesis for (best,) in found] == ["b", "a"]
    by_references = oracle(
        [["a", "b"], ["a", "b"]], [["", ""]], "copied", sources=["b", "a"], registry=registry
    )
    assert by_references == found
    with pytest.raises(mt.InputError, match="1 sources for 2 n-best lists; expected one each"):
        mbr([["a"], ["b"]], "copied", sources=["a"], registry=registry)
    with pytest.raises(mt.InputError, match="segment 0: no source"):
        mbr([["a"], ["b"]], "copied", registry=registry)


@pytest.mark.parametrize(
    ("lists", "n", "message"),
    [
        (LISTS, 0, "n is 0; expected 1 or more hypotheses of each list"),
        ([["a"], []], 1, "segment 1: expected a list of strings, one or more, got none"),
        ([["a"], "b c"], 1, "segment 1: expected a list of strings, one or more, got a string"),
        ([["a", None]], 1, "segment 0: expected a list of strings, one or more, got NoneType"),
        ([[3]], 1, "segment 0: expected a list of strings, one or more, got int"),
        ([["\ud800"]], 1, "contains a lone surrogate"),
    ],
)
def test_what_is_no_list_is_refused(toys: mt.Registry, lists: Any, n: int, message: str) -> None:
    scorer = mt.metric("matches", registry=toys)
    with pytest.raises(mt.MtevalError, match=message):
        mbr(lists, scorer, n)
    with pytest.raises(mt.MtevalError, match=message):
        oracle(lists, [["a"] * len(lists)], scorer, n)


def test_the_oracle_needs_a_reference_of_each_segment(toys: mt.Registry) -> None:
    with pytest.raises(mt.InputError, match="place 0 of the n-best lists: 3 segments, but the ref"):
        oracle(LISTS, [["a"]], "matches", registry=toys)
    with pytest.raises(mt.InputError, match="no references for"):
        oracle(LISTS, [], "matches", registry=toys)
    found = oracle(LISTS, [["a", None, "f"], [None, "e", "f"]], "matches", registry=toys)
    assert [len(best) for best in found] == [1, 1, 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_segments_are_counted_on_a_bar(
    toys: mt.Registry, capsys: pytest.CaptureFixture[str], threads: int
) -> None:
    assert mbr(LISTS, "matches", registry=toys, threads=threads)
    assert capsys.readouterr().err == ""
    seen = []

    def bar(steps: Any, total: int, unit: str) -> Any:
        seen.append((total, unit))
        return steps

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mteval_mbr.decoding.progress", bar)
        mbr(LISTS, "matches", registry=toys, threads=threads)
    assert seen == [(3, "segment")]


def test_an_empty_n_best_list_of_segments_has_no_choices(toys: mt.Registry) -> None:
    assert mbr([], "matches", registry=toys) == []
