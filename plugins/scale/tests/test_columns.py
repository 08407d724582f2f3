"""Columns of segments: the texts are those that Arrow holds, whatever they contain."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mteval_scale.columns import column_names, part_of, text_of

import mteval_core as mt
from mteval_core import InMemory, InputError, Kept, Partial

pa = pytest.importorskip("pyarrow")
pytest.importorskip("mteval_error_rates")

COLUMNS = column_names(["A"], ["x"])

ANY = st.text(max_size=5)
ODD = st.sampled_from(
    ["", "\r", "\u2028", "\x85", "a\nb", "\0", "\x0c", " ", "e\u0301", "👩‍👩‍👧", "\ufeff"]
)


def without_end(segment: str | None) -> str | None:
    """Drop one line end, of Unix or of Windows."""
    if segment is None or not segment.endswith("\n"):
        return segment
    return segment[:-2] if segment.endswith("\r\n") else segment[:-1]


def batch(**columns: Any) -> Any:
    """Segments with ids; `hyp__A` is the column ``hyp:A``."""
    named = {name.replace("__", ":"): column for name, column in columns.items()}
    size = len(next(iter(named.values())))
    return pa.RecordBatch.from_pydict({"id": pa.array(range(size), pa.int64()), **named})


@pytest.mark.slow
@settings(max_examples=8)
@given(
    st.lists(ANY | ODD | st.none() | ANY.map("{}\n".format), min_size=1, max_size=4),
    st.sampled_from([pa.string(), pa.large_string()]),
    st.integers(0, 5),
    st.integers(1, 6),
)
@example(["a", None, "b"], pa.string(), 1, 1)
@example(["a\n", "b\r\n", "c\n\n", "\n"], pa.string(), 0, 4)
def test_texts_are_those_of_the_column(
    segments: list[str | None], kind: Any, start: int, length: int
) -> None:
    whole = pa.RecordBatch.from_pydict({"text": pa.array(segments, kind)})
    text = text_of(whole, "text", missing=True)
    expected = [*map(without_end, segments)]
    assert list(text) == expected
    assert text.digest == mt.Text.of(segments).digest
    assert text.missing.tolist() == [segment is None for segment in expected]
    part = text_of(whole.slice(start, length), "text", missing=True)
    assert list(part) == expected[start : start + length]


@given(st.permutations(["id", "hyp:A", "ref:x", "ref:y", "src", "doc"]))
def test_the_order_of_columns_does_not_matter(order: list[str]) -> None:
    found = batch(hyp__A=["a", "b"], ref__x=["c", None], ref__y=["d", "e"], doc=["1", "2"])
    found = found.select([name for name in order if name != "src"])
    systems, test_set, ids, _ = part_of(found, column_names(["A"], ["x", "y"], documents=True))
    assert ids is not None
    assert (ids.tolist(), list(systems["A"])) == ([0, 1], ["a", "b"])
    assert [list(each) for each in test_set.references] == [["c", None], ["d", "e"]]
    assert (test_set.documents, test_set.source, len(test_set)) == (("1", "2"), None, 2)


@pytest.mark.parametrize("name", ["id", "hyp:A", "ref:x", "doc"])
def test_doubled_columns_are_refused(name: str) -> None:
    once = batch(hyp__A=["a"], ref__x=["b"], doc=["d"])
    arrays = [*once.columns, once.column(name)]
    twice = pa.RecordBatch.from_arrays(arrays, names=[*once.schema.names, name])
    message = f"^columns of segments: {name} doubled; expected id, hyp:A, ref:x$"
    with pytest.raises(InputError, match=message):
        part_of(twice, COLUMNS)


NO_STRINGS = [
    (lambda texts: texts.cast(pa.binary()), "binary"),
    (lambda texts: texts.dictionary_encode(), "dictionary<values=string"),
]
if hasattr(pa, "string_view"):  # from pyarrow 16 on
    NO_STRINGS.append((lambda texts: texts.cast(pa.string_view()), "string_view"))


@pytest.mark.parametrize(("change", "named"), NO_STRINGS)
@pytest.mark.parametrize("column", ["hyp:A", "ref:x", "doc"])
def test_only_strings_are_texts(change: Any, named: str, column: str) -> None:
    found = batch(hyp__A=["a"], ref__x=["b"], doc=["d"])
    arrays = {name: found.column(name) for name in found.schema.names}
    changed = pa.RecordBatch.from_pydict(arrays | {column: change(found.column(column))})
    with pytest.raises(InputError, match=f"column '{column}': {named}.*; expected string"):
        part_of(changed, COLUMNS)


def test_a_missing_text_is_named_by_the_id_of_its_segment() -> None:
    columns = {"id": [7, 711, 3], "hyp:A": ["a", None, None], "ref:x": ["a", "b", "c"]}
    found = pa.RecordBatch.from_pydict(columns)
    for part, segment in ((found, 711), (found.slice(2), 3)):
        with pytest.raises(InputError, match=f"'hyp:A': the text of segment {segment} is missing"):
            part_of(part, COLUMNS)
    ids = part_of(found.slice(0, 1), COLUMNS).ids
    assert ids is not None
    assert ids.tolist() == [7]


def test_columns_are_named_after_what_they_hold() -> None:
    names = column_names(["Ä:b (run 1)", "Ä:b (run 2)", "名"], ["x", "ref:y"])
    assert names[1:4] == ["hyp:Ä:b (run 1)", "hyp:Ä:b (run 2)", "hyp:名"]
    assert names == ["id", *names[1:4], "ref:x", "ref:ref:y"]


def counted(batch: Any) -> Partial:
    part = part_of(batch, COLUMNS)
    return Kept().count_source(InMemory({"A": ["A"]}, part), [mt.metric("wer")])


@settings(max_examples=5)
@given(
    st.lists(st.tuples(ANY, ANY), min_size=1, max_size=5),
    st.lists(st.integers(0, 5), max_size=4),
)
def test_a_partition_may_be_cut_anywhere(pairs: list[tuple[str, str]], cuts: list[int]) -> None:
    hypotheses, references = ([*map(without_end, column)] for column in zip(*pairs, strict=True))
    whole = batch(hyp__A=hypotheses, ref__x=references)
    bounds = [0, *sorted(min(cut, len(pairs)) for cut in cuts), len(pairs)]
    parts = [whole.slice(start, stop - start) for start, stop in pairwise(bounds)]
    found = Partial()
    for each in parts:
        if each.num_rows:
            found.merge(counted(each))
    expected = counted(whole)
    assert found.digests == expected.digests
    totals, expected_totals = found.counted["A", "wer"].total, expected.counted["A", "wer"].total
    assert totals.units == expected_totals.units
    assert found.id_sum == expected.id_sum
    assert (found.n_segments, found.last) == (len(pairs), len(pairs) - 1)
    assert found.digests["ref", "0"] == mt.Text.of(references).digest
