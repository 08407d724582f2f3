"""Merging partial results: in any order, and only what belongs together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.evaluation.counting import Kept, count_segments
from mteval_core.evaluation.evaluate import check_complete, to_evaluation
from mteval_core.evaluation.partial import Counted, Document, Partial
from mteval_core.evaluation.sources import Part
from mteval_core.metrics.exact import ExactSum

SCORERS = [mt.metric("wer"), mt.metric("chrf")]
DOCUMENTS = Kept("doc")

WORDS = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map(" ".join)
SEGMENTS = st.lists(st.tuples(WORDS, WORDS, st.sampled_from(["x", "y"])), min_size=2, max_size=6)


def part(segments: Any, ids: Any) -> Partial:
    hypotheses, references, documents = zip(*segments, strict=True)
    test_set = mt.TestSet((mt.Text.of(references),), documents=documents)
    own = Part({"A": mt.Text.of(hypotheses)}, test_set, np.array(ids, np.int64))
    return count_segments(own, SCORERS, DOCUMENTS)


def merged(parts: Any) -> mt.Evaluation:
    whole = Partial()
    for each in parts:
        whole.merge(each)
    return to_evaluation(whole, {"A": ("A",)}, SCORERS, DOCUMENTS)


@given(segments=SEGMENTS, data=st.data())
def test_the_order_of_parts_does_not_matter(segments: Any, data: st.DataObject) -> None:
    ids = range(len(segments))
    order = data.draw(st.permutations(ids))
    forth = merged(part([segments[i]], [i]) for i in ids)
    back = merged(part([segments[i]], [i]) for i in order)
    assert forth.to_records() == back.to_records()
    assert forth.to_records("doc") == back.to_records("doc")
    assert forth.to_dict()["inputs"] == back.to_dict()["inputs"]


@given(segments=SEGMENTS)
def test_documents_come_in_the_order_of_their_first_segments(segments: Any) -> None:
    found = merged(part([segment], [i]) for i, segment in enumerate(segments))
    names = [name for _, _, name in segments]
    assert found.scores.groups("doc")[0] == list(dict.fromkeys(names))
    assert found.scores.groups("doc")[1].tolist() == [names.count(n) for n in dict.fromkeys(names)]


@given(st.lists(st.integers(0, 2**60), min_size=1, unique=True))
def test_different_ids_are_never_called_repeated(ids: list[int]) -> None:
    part = Partial(len(ids), last=max(ids), id_sum=sum(ids))
    check_complete(part)
    assert part.n_segments == len(ids)


@given(n=st.integers(2, 50), data=st.data())
def test_a_repeated_id_is_found_if_ids_have_no_gaps(n: int, data: st.DataObject) -> None:
    ids = [*range(n)]
    place, other = data.draw(st.lists(st.sampled_from(ids), min_size=2, max_size=2, unique=True))
    ids[place] = other
    with pytest.raises(mt.InputError, match=f"{n} segments with ids up to {max(ids)}: some ids"):
        check_complete(Partial(n, last=max(ids), id_sum=sum(ids)))


def test_only_some_parts_with_documents_are_refused() -> None:
    text, ids = mt.Text.of(["a"]), np.array([7])
    without = count_segments(Part({"A": text}, mt.TestSet((text,)), ids), SCORERS, Kept())
    with pytest.raises(mt.InputError, match="some parts have document ids, others do not"):
        part([("a", "a", "x")], [0]).merge(without)


def test_segments_with_one_row_are_known_to_be_alike() -> None:
    row = np.array([1.0, 2.0])
    one, same = (Counted(ExactSum.of(row[None]), row) for _ in range(2))
    other = Counted(ExactSum.of(2 * row[None]), 2 * row)
    both = one.plus(same)
    assert both.row is row
    assert both.total.total().tolist() == [2.0, 4.0]
    assert both.plus(other).row is None


def test_documents_add_up() -> None:
    halves = [Document(i, 2, {("A", "m"): ExactSum.of(np.array([[float(i)]]))}) for i in (7, 3)]
    whole = halves[0].plus(halves[1])
    assert (whole.first, whole.n_segments) == (3, 4)
    assert whole.totals["A", "m"].total().tolist() == [10.0]


def test_nothing_can_be_merged_into_nothing() -> None:
    nothing = Partial()
    nothing.merge(Partial())
    assert (nothing.n_segments, nothing.digests) == (0, {})
    segment = [("a", "a", "x")]
    nothing.merge(part(segment, [0]))
    nothing.merge(Partial())
    assert nothing.n_segments == 1


def test_an_evaluation_of_parts_says_what_it_has() -> None:
    found = merged([part([("a b", "a c", "x"), ("a", "a", "y")], [0, 1])])
    assert len(found.scores.test_set) == 2
    assert found.scores.test_set.n_references == 1
    assert found.to_dict()["inputs"]["docs"]["hash"] == mt.Text.of(["x", "y"]).digest.hex
    assert found.to_dict()["inputs"]["references"][0]["path"] is None
    assert repr(found) == "<Evaluation: 1 systems, 2 metrics, 2 segments>"
    assert "nrefs:1" in str(found.score("A", "wer").signature)
