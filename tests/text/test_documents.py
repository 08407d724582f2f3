from __future__ import annotations

import pytest

import mteval_core as mt
from mteval_core.text.documents import join_segments

TEXT = mt.Text.of(["a", "b c", "", "d", "e"])
DOCUMENTS = ("x", "y", "x", "x", "y")


def in_documents(references: list[list[str | None]] | None = None) -> mt.TestSet:
    return mt.TestSet.of(references or [["r"] * 5], DOCUMENTS)


def test_documents_stand_in_the_order_of_their_first_segments() -> None:
    assert in_documents().places == {"x": [0, 2, 3], "y": [1, 4]}
    assert [*join_segments(TEXT, in_documents(), ())] == ["a\t\td", "b c\te"]


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ((1, 0), ["", "", "a", "", "b c"]),
        ((0, 1), ["", "e", "d", "", ""]),
        ((2, 1), ["", "e", "a\td", "a\t", "b c"]),
        ((9, 9), ["\td", "e", "a\td", "a\t", "b c"]),
    ],
)
def test_what_is_around_never_leaves_the_document(
    around: tuple[int, int], expected: list[str]
) -> None:
    assert [*join_segments(TEXT, in_documents(), around)] == expected


def test_a_reference_of_a_document_is_missing_if_one_of_its_segments_is() -> None:
    stream = mt.Text.of(["a", None, "b", "c", "d"])
    assert [*join_segments(stream, in_documents(), ())] == ["a\tb\tc", None]
    assert [*join_segments(stream, in_documents(), (9, 9))] == ["b\tc", None, "a\tc", "a\tb", ""]


def test_a_single_segment_is_a_document_and_several_are_not_known() -> None:
    assert mt.TestSet.of([["a"]]).places == {"0": [0]}
    with pytest.raises(mt.InputError, match="documents are not known"):
        _ = mt.TestSet.of([["a", "b"]]).places
