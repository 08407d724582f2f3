"""Texts and test sets made from Python's strings: what they contain, and what is refused."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core import InputError, TestSet, Text
from mteval_core.text.pipeline import has_one_line_each

if TYPE_CHECKING:
    from pathlib import Path

segments = st.lists(
    st.none() | st.text(st.characters(exclude_categories=["Cs"])).filter(lambda s: s[-1:] != "\n"),
    max_size=6,
)


@given(segments)
def test_a_text_gives_back_its_segments(lines: list[str | None]) -> None:
    text = Text.of(lines)
    assert list(text) == lines
    assert [text[i] for i in range(len(text))] == lines
    assert text.missing.tolist() == [line is None for line in lines]
    assert has_one_line_each(text) == all("\n" not in line for line in lines if line is not None)


def test_one_line_end_behind_a_segment_is_dropped() -> None:
    assert list(Text.of(["a\n", "b\r\n", "c\n\n", "\n", "d\r"])) == ["a", "b", "c\n", "", "d\r"]


def test_segments_may_come_from_any_iterable() -> None:
    assert list(Text.of(iter(("a", "b")))) == ["a", "b"]  # type: ignore[arg-type]
    assert list(Text.of(np.array(["a", "b"]))) == ["a", "b"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ("text", "it: expected one string per segment, got a string"),
        (b"text", "it: expected one string per segment, got bytes"),
        (None, "it: expected one string per segment, got NoneType"),
        (3, "it: expected one string per segment, got int"),
        (["a", 3], "it: expected a string for segment 1, got int"),
        ([b"a"], "it: expected a string for segment 0, got bytes"),
        ([["a", "b"]], "it: expected a string for segment 0, got list"),
        ([1.5], "it: expected a string for segment 0, got float"),
        ([np.array(["a", "b"])], "it: expected a string for segment 0, got ndarray"),
        (iter(["a", 3]), "it: expected a string for segment 1, got int"),
        (["\ud800"], r"it: '\ud800' contains a lone surrogate, which is not valid Unicode text"),
    ],
)
def test_what_is_no_text_is_refused(segments: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Text.of(segments, "it")
    assert str(caught.value) == message


TRANSPOSED = "are they transposed? Expected one list per reference stream, references[k][segment]"


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (
            "one string",
            [["a"]],
            "the hypotheses: expected one string per segment, got a string",
        ),
        (
            ["a"],
            "one string",
            "the references: expected a list of streams, got a string",
        ),
        (["a"], None, "the references: expected a list of streams, got NoneType"),
        # The most common mistake: one reference per segment, without the list of streams.
        (
            ["a", "b"],
            ["a", "b"],
            "reference stream 0: expected one string per segment, got a string",
        ),
        (
            ["a", "b", "c"],
            [["a", "x"], ["b", "y"], ["c", "z"]],
            f"there are 3 hypotheses and 3 reference streams of 2 segments: {TRANSPOSED}",
        ),
        (
            ["a", "b"],
            [["a"], ["b", "y", "z"]],
            f"there are 2 hypotheses and 2 reference streams of 1 or 3 segments: {TRANSPOSED}",
        ),
        (
            ["a", "b"],
            [["a", "b"], ["c"]],
            "the references are of uneven length: stream 0 has 2, stream 1 has 1 segments; "
            "expected the same number in each",
        ),
        (
            ["a", "b"],
            [["a"]],
            "the hypotheses: 2 segments, but the reference has 1; expected one hypothesis per "
            "segment",
        ),
        (
            [],
            [["a"]],
            "the hypotheses: 0 segments, but the reference has 1; expected one hypothesis per "
            "segment",
        ),
        (["a"], [], "no references for the metric matches: add REF..."),
        ([], [[]], "the test set is empty: expected at least one segment"),
        (["a"], [[None]], "segment 0 has no reference: expected at least one"),
        (
            ["a", "b"],
            [["a", None], [None, None]],
            "segment 1 has no reference: expected at least one",
        ),
        (
            ["a", None],
            [["a", "b"]],
            "the hypotheses: segment 1 is missing; expected a string, even ''",
        ),
    ],
)
def test_what_cannot_be_scored_is_refused(
    registry: mt.Registry, hypotheses: Any, references: Any, message: str
) -> None:
    scorer = mt.metric("matches", registry=registry)
    with pytest.raises(InputError) as caught:
        scorer.corpus_score(hypotheses, references)
    assert str(caught.value) == message


def test_the_file_is_named_where_there_is_one() -> None:
    long, short = Text.from_lines(b"a\nb\n", "long.txt"), Text.from_lines(b"a\n", "short.txt")
    with pytest.raises(InputError, match=r"long\.txt has 2, short.txt has 1 segments"):
        TestSet((long, short))
    with pytest.raises(InputError, match=r"^short\.txt: 1 segments, but long\.txt has 2; expected"):
        TestSet((long,)).check(short, "system")


def test_empty_segments_are_legal(registry: mt.Registry) -> None:
    scorer = mt.metric("matches", registry=registry)
    assert scorer.corpus_score(["", "a"], [["a", ""]]).score == 0.0
    assert scorer.corpus_score([""], [[""]]).score == 0.0


def test_documents_are_one_per_segment() -> None:
    text = Text.of(["a", "b"])
    with pytest.raises(InputError, match=r"^1 document ids for 2 segments; expected one each"):
        TestSet((text,), ("d",))
    test_set = TestSet((text,))
    assert TestSet.of(test_set) is test_set
    assert TestSet.of(test_set, ["d", "e"]).documents == ("d", "e")
    assert TestSet.of([["a", "b"]], ["d", "e"]).documents == ("d", "e")


def test_the_number_of_references_may_vary() -> None:
    assert TestSet((Text.of(["a", "b"]), Text.of(["c", "d"]))).n_references == 2
    assert TestSet((Text.of(["a", None]), Text.of(["c", "d"]))).n_references is None


# Slices and sums

PARTS = st.lists(st.one_of(st.none(), st.text("a é\n", max_size=3)), max_size=6)


@given(PARTS, st.slices(6))
def test_a_slice_has_the_segments_that_a_slice_of_a_list_has(
    segments: list[str | None], part: slice
) -> None:
    text = Text.of(segments)
    found = text[part]
    assert isinstance(found, Text)
    assert [*found] == [*text][part]


@given(PARTS, PARTS)
def test_a_sum_has_the_segments_of_both(one: list[str | None], other: list[str | None]) -> None:
    both = Text.of(one) + Text.of(other)
    assert [*both] == [*Text.of(one), *Text.of(other)]
    assert both.buffer == Text.of([*one, *other]).buffer
    assert [*(Text.of(one) + other)] == [*both]


def test_a_slice_is_not_the_text_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("a\nb\n", "utf-8")
    assert mt.read_text(path)[:1].path is None


# Data frames


class Frame(dict[str, list[Any]]):
    """Columns by name, as data frames have them; iterating over it gives no segments."""

    @property
    def columns(self) -> list[str]:
        return [*self]


def test_a_data_frame_has_a_column_per_system_and_per_reference(registry: mt.Registry) -> None:
    systems = Frame(A=["a b", "c"], B=["a x", "x"])
    references = Frame(one=["a b", "c"], two=["x y", math.nan])
    evaluation = mt.evaluate(systems, references, ["matches"], registry=registry)
    expected = mt.evaluate(
        dict(systems), [["a b", "c"], ["x y", None]], ["matches"], registry=registry
    )
    assert evaluation.to_records() == expected.to_records()
    assert evaluation.systems == ["A", "B"]


def test_an_empty_cell_of_a_system_is_refused(registry: mt.Registry) -> None:
    with pytest.raises(mt.InputError, match="A: segment 1 is missing"):
        mt.evaluate(Frame(A=["a", math.nan]), [["a", "b"]], ["matches"], registry=registry)


def test_a_number_is_not_an_empty_cell() -> None:
    with pytest.raises(InputError, match="expected a string for segment 1, got float"):
        Text.of(["nan", 1.5, math.nan])  # type: ignore[list-item]


def test_frames_of_pandas_and_polars(registry: mt.Registry) -> None:
    cells = {"A": ["a b", "c"], "one": ["a b", "c"], "two": ["x y", None]}
    for package in ("pandas", "polars"):
        frame = pytest.importorskip(package).DataFrame(cells)
        found = mt.evaluate(frame[["A"]], frame[["one", "two"]], ["matches"], registry=registry)
        assert found.score("A", "matches").signature.get("nrefs") == "var"
