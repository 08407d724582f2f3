"""The grammar of fields, in records and in tables."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mteval_readers.fields import Field

import mteval_core as mt

RECORD = {
    "id": 7,
    "hyp": "ein Haus",
    "none": None,
    "a.b": "whole name",
    "refs": {"refA": {"ref": "das Haus"}, "refB": {"ref": ["x", "y", None]}},
    "answers": [{"t": "one"}, {"t": "two"}],
    "score": 0.5,
    "ok": True,
}


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("hyp", "ein Haus"),
        ("id", "7"),
        ("none", None),
        ("a.b", "whole name"),
        ("refs.refA.ref", "das Haus"),
        ("refs.refB.ref[2]", "y"),
        ("refs.refB.ref[4]", None),
        ("refs.refB.ref[*]", ["x", "y", None]),
        ("answers[2].t", "two"),
        ("answers[*].t", ["one", "two"]),
    ],
)
def test_a_field_finds_a_text(field: str, text: Any) -> None:
    assert Field.parse(field).text(RECORD) == text
    assert str(Field.parse(field)) == field


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("hypo", "x.jsonl:3: no field 'hypo'. Did you mean 'hyp'?"),
        ("refs.refC", "x.jsonl:3: no field 'refs.refC'. Known: refA, refB."),
        ("hyp.x", "x.jsonl:3: no field 'hyp.x'."),
        ("hyp[*]", "x.jsonl:3: 'hyp[*]': expected a list, got 'ein Haus'"),
        ("refs.refA", "x.jsonl:3: 'refs.refA': expected a string, got an object"),
        ("score", "x.jsonl:3: 'score': expected a string, got '0.5'"),
        ("ok", "x.jsonl:3: 'ok': expected a string, got true or false"),
        (
            "refs.refB.ref",
            "x.jsonl:3: 'refs.refB.ref': expected a string, got a list: write refs.refB.ref[1] or "
            "refs.refB.ref[*]",
        ),
    ],
)
def test_what_is_not_a_text_is_an_error_with_its_place(field: str, message: str) -> None:
    with pytest.raises(mt.InputError) as caught:
        Field.parse(field).text(RECORD, "x.jsonl:3")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text", ["", ".", "a..b", "[1]", "a[0]", "a[]", "a[x]", "a[1", "a[*][*]"])
def test_what_is_no_field_is_a_usage_error(text: str) -> None:
    with pytest.raises(mt.UsageError):
        Field.parse(text)


def test_columns_go_by_name_and_then_by_number() -> None:
    names = ["id", "2", "text", "x", "x"]
    columns = {name: Field.parse(name).column(names, "t.tsv") for name in ("id", "2", "3")}
    assert columns == {"id": 0, "2": 1, "3": 2}
    for wrong in ("0", "6", "txt", "²", "x"):
        with pytest.raises(mt.InputError, match=r"^t\.tsv: (no field|2 columns)"):
            Field.parse(wrong).column(names, "t.tsv")


VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=8,
)


# For the first text, hypothesis makes a table of all characters, which takes a second.
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    record=st.dictionaries(st.sampled_from("ab"), VALUES),
    field=st.text(st.sampled_from("ab.[]*12"), max_size=8),
)
def test_any_field_of_any_record_is_a_text_or_an_error(record: Any, field: str) -> None:
    try:
        text = Field.parse(field).text(record)
    except (mt.UsageError, mt.InputError):
        return
    texts = text if isinstance(text, list) else [text]
    assert all(each is None or isinstance(each, str) for each in texts)
