"""Merging partial results: in any order, and only what belongs together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.distributed.merging import to_evaluation
from mteval_core.distributed.partial import Counted, Document, Partial
from mteval_core.distributed.plan import plan_of
from mteval_core.distributed.worker import Batch, Worker, check_ids
from mteval_core.metrics.exact import ExactSum

PLAN = plan_of(["wer", "chrf"], ["A"], ["r"], level="doc")
WORKER = Worker(PLAN)

WORDS = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map(" ".join)
SEGMENTS = st.lists(st.tuples(WORDS, WORDS, st.sampled_from(["x", "y"])), min_size=2, max_size=6)


def part(segments: Any, ids: Any) -> Partial:
    hypotheses, references, documents = zip(*segments, strict=True)
    test_set = mt.TestSet((mt.Text.of(references),), documents=documents)
    return WORKER.count(Batch(np.array(ids, np.int64), {"A": mt.Text.of(hypotheses)}, test_set))


def merged(parts: Any) -> mt.Evaluation:
    whole = Partial(PLAN.id)
    for each in parts:
        whole.merge(each)
    return to_evaluation(WORKER, whole)


@given(segments=SEGMENTS, data=st.data())
def test_the_order_of_parts_does_not_matter(segments: Any, data: st.DataObject) -> None:
    ids = range(len(segments))
    order = data.draw(st.permutations(ids))
    forth = merged(part([segments[i]], [i]) for i in ids)
    back = merged(part([segments[i]], [i]) for i in order)
    assert forth.to_records() == back.to_records()
    assert forth.to_records("doc") == back.to_records("doc")
    assert forth.inputs() == back.inputs()


@given(segments=SEGMENTS)
def test_documents_come_in_the_order_of_their_first_segments(segments: Any) -> None:
    found = merged(part([segment], [i]) for i, segment in enumerate(segments))
    names = [name for _, _, name in segments]
    assert found.groups("doc")[0] == list(dict.fromkeys(names))
    assert found.groups("doc")[1].tolist() == [names.count(n) for n in dict.fromkeys(names)]


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
    nothing = Partial(PLAN.id)
    nothing.merge(Partial(PLAN.id))
    assert (nothing.n_segments, nothing.digests) == (0, {})
    segment = [("a", "a", "x")]
    nothing.merge(part(segment, [0]))
    nothing.merge(Partial(PLAN.id))
    assert nothing.n_segments == 1


@pytest.mark.parametrize("ids", [[], [0], [5, 3, 4], range(100)])
def test_different_ids_are_accepted(ids: Any) -> None:
    check_ids(np.array(ids, np.int64))
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("ids", "message"),
    [([3, 1, 3], "two segments have the id 3"), ([0, -2], "segment id -2: expected")],
)
def test_odd_ids_are_refused(ids: list[int], message: str) -> None:
    with pytest.raises(mt.InputError, match=message):
        check_ids(np.array(ids, np.int64))


def test_a_batch_must_fit_the_plan() -> None:
    text = mt.Text.of(["a"])
    without_documents = mt.TestSet((text,))
    with pytest.raises(mt.InputError, match="the documents are not known"):
        WORKER.count(Batch(np.array([0]), {"A": text}, without_documents))
    whole = mt.TestSet((text,), documents=("x",))
    with pytest.raises(mt.InputError, match="2 ids for 1 segments; expected one each"):
        WORKER.count(Batch(np.array([0, 1]), {"A": text}, whole))


def test_a_long_segment_is_named_by_its_id() -> None:
    worker = Worker(plan_of(["ter"], ["A"], ["r"]))
    long = mt.Text.of(["a", "a " * 70_000])
    batch = Batch(np.array([4, 711]), {"A": long}, mt.TestSet((mt.Text.of(["a", "a"]),)))
    with pytest.raises(mt.InputError, match="A: segment 711: too long for TER"):
        worker.count(batch)


def test_an_evaluation_of_parts_says_what_it_has() -> None:
    found = merged([part([("a b", "a c", "x"), ("a", "a", "y")], [0, 1])])
    assert len(found.test_set) == 2
    assert found.test_set.n_references == 1
    assert found.inputs()["docs"]["hash"] == mt.Text.of(["x", "y"]).digest.hex
    assert found.inputs()["references"][0]["path"] is None
    assert repr(found) == "<Evaluation: 1 systems, 2 metrics, 2 segments>"
    assert "nrefs:1" in str(found.signature("A", "wer"))
