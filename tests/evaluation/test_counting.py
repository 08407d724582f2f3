"""What is counted in a part, against plain sums."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.evaluation.counting import (
    Collection,
    Kept,
    check_alone,
    check_ids,
    collect,
    count_segments,
    empty_test_set,
    is_prepared,
    needs_whole,
    with_counts,
)
from mteval_core.evaluation.partial import Partial
from mteval_core.evaluation.poisson import poisson_weights
from mteval_core.evaluation.sources import Part

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.evaluation.scores import Level

HYPOTHESES = ["a", "a b c", "", "ü ü", "x"]
REFERENCES = ["a", "a b d", "e f", "ü", "y z"]
ROWS = [[0, 1], [1, 3], [2, 2], [1, 1], [2, 2]]
"""Edits and reference words of each segment, counted by hand."""

WER = [mt.metric("wer")]


def part(ids: Any, places: Any = range(5), **texts: Any) -> Part:
    hypotheses, references = ([text[k] for k in places] for text in (HYPOTHESES, REFERENCES))
    test_set = mt.TestSet((mt.Text.of(references),), **texts)
    return Part({"A": mt.Text.of(hypotheses)}, test_set, np.array(ids, np.int64))


@pytest.mark.parametrize("threads", [1, 3])
def test_sums_are_those_of_the_rows(threads: int) -> None:
    found = count_segments(part([9, 4, 7, 0, 2]), WER, Kept(), threads)
    assert found.counted["A", "wer"].total.total().tolist() == [6, 9]
    assert found.counted["A", "wer"].row is None
    assert (found.n_segments, found.last, found.id_sum) == (5, 9, 22)
    assert (found.ids, found.rows, found.documents, found.scorers) == ([], {}, {}, {})


def test_rows_are_kept_in_the_order_of_the_part() -> None:
    found = count_segments(part([9, 4, 7, 0, 2]), WER, Kept("segment"))
    assert found.all_ids.tolist() == [9, 4, 7, 0, 2]
    assert found.all_rows(("A", "wer")).tolist() == ROWS


@pytest.mark.parametrize("level", ["corpus", "segment"])
def test_a_whole_is_kept_and_not_described(level: Level) -> None:
    whole = part(range(5))._replace(ids=None)
    found = count_segments(whole, WER, Kept(level))
    assert found.whole is whole
    assert found.scorers == {("A", "wer"): WER[0]}
    assert (found.n_segments, found.digests, found.last) == (5, {}, -1)
    assert found.counted["A", "wer"].total.total().tolist() == [6, 9]
    assert bool(found.rows) == (level == "segment")


@given(
    ids=st.lists(st.integers(0, 3000), min_size=5, max_size=5, unique=True), cut=st.integers(1, 4)
)
def test_resamples_are_weighted_sums(ids: list[int], cut: int) -> None:
    """In fractions: segment by segment, with the weight of its id."""
    whole = Partial()
    for places in (range(cut), range(cut, 5)):
        own = part([ids[k] for k in places], places)
        whole.merge(count_segments(own, WER, Kept(resamples=4, seed=11)))
    weights = np.concatenate([*poisson_weights(np.array(ids), 4, 11)])
    expected = [
        [sum(Fraction(int(w)) * row[k] for w, row in zip(drawn, ROWS, strict=True)) for k in (0, 1)]
        for drawn in weights
    ]
    resampled = whole.counted["A", "wer"].resampled
    assert resampled is not None
    assert resampled.total().tolist() == expected


def test_documents_are_sums_of_their_segments() -> None:
    one = part([9, 4, 7, 0, 2], documents=("y", "x", "y", "z", "x"))
    assert one.test_set.places == {"y": [0, 2], "x": [1, 4], "z": [3]}
    found = count_segments(one, WER, Kept("doc")).documents
    totals = {name: each.totals["A", "wer"].total().tolist() for name, each in found.items()}
    assert totals == {"y": [2, 3], "x": [3, 5], "z": [1, 1]}
    sizes = {name: (each.first, each.n_segments) for name, each in found.items()}
    assert sizes == {"y": (7, 2), "x": (2, 2), "z": (0, 1)}
    with pytest.raises(mt.InputError, match="documents are not known"):
        count_segments(part(range(5)), WER, Kept("doc"))


def test_digests_of_parts_do_not_depend_on_their_order() -> None:
    parts = [count_segments(part([k], [k]), WER, Kept()) for k in range(5)]
    digests = []
    for order in ([0, 1, 2, 3, 4], [3, 0, 4, 2, 1]):
        whole = Partial()
        for k in order:
            whole.merge(count_segments(part([k], [k]), WER, Kept()))
        digests.append(whole.digests)
    assert digests[0] == digests[1]
    assert digests[0] != parts[0].digests
    swapped = count_segments(part([1, 0, 2, 3, 4]), WER, Kept())
    assert swapped.digests["hyp", "A"] != digests[0]["hyp", "A"]


@pytest.mark.parametrize("ids", [[], [0], [5, 3, 4], range(100)])
def test_different_ids_are_accepted(ids: Any) -> None:
    check_ids(np.array(ids, np.int64))
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([3, 1, 3, 0, 2], "two segments have the id 3"),
        ([0, 1, 2, 3, -3], "segment id -3: expected"),
    ],
)
def test_odd_ids_are_refused(ids: list[int], message: str) -> None:
    with pytest.raises(mt.InputError, match=message):
        count_segments(part(ids), WER, Kept())


def test_a_long_segment_is_named_by_its_id() -> None:
    long = part([4, 711], range(2))._replace(systems={"A": mt.Text.of(["a", "a " * 70_000])})
    with pytest.raises(mt.InputError, match="A: segment 711: TER cannot score it"):
        count_segments(long, [mt.metric("ter")], Kept())


def test_a_row_may_differ_alone_by_the_tolerance_of_the_metric() -> None:
    class Tolerant:
        class declaration:
            tolerance = 0.01

        class setup:
            name = "metric mine"

    alone: Any = np.array([[1.0, 100.0]])
    scorer: Any = Tolerant()
    check_alone(scorer, np.array([1.009, 99.1]), alone, 711)
    with pytest.raises(mt.PluginError, match=r"metric mine: the row of segment 711 is .* alone"):
        check_alone(scorer, np.array([1.011, 100.0]), alone, 711)
    with pytest.raises(mt.PluginError, match="the row of segment 711"):
        check_alone(scorer, np.array([np.nan, 100.0]), alone, 711)


def test_references_are_collected_by_metric() -> None:
    scorers = [mt.metric(spec) for spec in ("nist", "nist:order=1")]
    seen = Collection()
    for places in (range(2), range(2, 5)):
        seen.merge(pickle.loads(pickle.dumps(collect(part(places, places), scorers))))
    ready = [with_counts(scorer, seen[str(scorer.spec)]) for scorer in scorers]
    assert not any(is_prepared(scorer) for scorer in ready)
    found = count_segments(part(range(5)), ready, Kept())
    whole = mt.evaluate({"A": HYPOTHESES}, [REFERENCES], scorers)
    for key, total in whole.scores.totals.items():
        assert found.counted[key].total.total().tolist() == total.tolist()
    with pytest.raises(mt.UsageError, match=r"nist .*: collect them first, or leave"):
        count_segments(part(range(5)), scorers, Kept())


@pytest.mark.parametrize(
    ("spec", "at_once"),
    [("bleu", False), ("nist", False), ("nist:loo=yes", True), ("word-recall", True)],
)
def test_metrics_that_need_all_segments(spec: str, at_once: bool) -> None:  # noqa: FBT001
    if spec == "word-recall":
        pytest.importorskip("mteval_profile")
    assert needs_whole(mt.metric(spec)) == at_once


def test_metrics_of_all_rows_need_the_rows(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    class Median:
        def statistics(self, words: mt.TokenizedCorpus) -> Any:
            return words.hypotheses.lengths[:, None]

        def score_rows(self, rows: Any, weights: Any) -> Any:
            return (weights * np.median(rows)).max(axis=-1, keepdims=True)

    mine = replace(matches, factory=Median, options=(), values={"n": 1.0}, bounds=(0, np.inf))
    scorer = mt.metric("matches", registry=mt.load_registry([plugin(metrics=[mine])]))
    assert needs_whole(scorer)
    with pytest.raises(mt.UsageError, match="computed from all rows and not from their sum"):
        count_segments(part(range(5)), [scorer], Kept())
    found = count_segments(part(range(5)), [scorer], Kept("segment"))
    assert found.rows["A", "matches"][0].tolist() == [[1], [3], [0], [2], [1]]
    assert found.counted == {}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"level": "word"}, "unknown level 'word': expected corpus, doc or segment"),
        ({"resamples": -1}, "-1 resamples: expected"),
        ({"seed": -1}, "seed -1: expected"),
    ],
)
def test_what_is_kept_is_checked(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(mt.UsageError, match=message):
        Kept(**changed).check()


class DependsOnOthers:
    """Rows that are not additive: each has the number of segments around it."""

    def statistics(self, words: mt.TokenizedCorpus) -> Any:
        return np.full((len(words), 1), float(len(words)))

    def score(self, totals: Any) -> Any:
        return totals


def test_rows_that_depend_on_other_segments_are_refused(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    values = {"n": 1.0}
    mine = replace(matches, factory=DependsOnOthers, options=(), values=values, bounds=(0, np.inf))
    registry = mt.load_registry([plugin(metrics=[mine])])
    scorer = mt.metric("matches", registry=registry)
    message = r"the row of segment 7 is \[5\.\] among other segments and \[1\.\] alone"
    with pytest.raises(mt.PluginError, match=message):
        count_segments(part(range(7, 12)), [scorer], Kept())
    whole = count_segments(part(range(5))._replace(ids=None), [scorer], Kept())
    assert whole.counted["A", "matches"].total.total().tolist() == [25]


def test_the_empty_test_set_has_the_texts_that_are_asked_for() -> None:
    empty = empty_test_set(2, source=True)
    assert (len(empty), len(empty.references), empty.source is not None) == (1, 2, True)
    assert len(empty_test_set(0, source=False)) == 1
