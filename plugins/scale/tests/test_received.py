"""What other machines have counted: everything that was written is read, and nothing else."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mteval_scale.arrow import Row, array_bytes, rows_of, schema, to_arrow, to_bytes
from mteval_scale.plan import plan_of
from mteval_scale.received import MOST_BYTES, Rows, from_arrow, from_bytes, is_compressed

import mteval_core as mt
from mteval_core import Counted, Document, ExactSum, InputError, Partial, WeightedSum

pa = pytest.importorskip("pyarrow")
pytest.importorskip("mteval_error_rates")

PLAN = plan_of(["wer"], ["A"], ["x"], level="doc", resamples=3)
WITH_ROWS = plan_of(["wer"], ["A"], ["x"], level="segment")
KEY = ("A", "wer")

LARGEST_INTEGER = 2.0**53
"""Up to here, every whole number is a float64."""

NUMBERS = st.floats(-LARGEST_INTEGER, LARGEST_INTEGER) | st.sampled_from(
    [0.0, 5e-324, -5e-324, 0.1, LARGEST_INTEGER]
)
TABLES = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(NUMBERS, min_size=width, max_size=width), min_size=1, max_size=4
    )
)


def partial_of(rows: Any, names: list[str], ids: list[int]) -> Partial:
    """Make what the plan keeps of one row per segment."""
    n, width = rows.shape
    texts = {("hyp", "A"): "h", ("ref", "0"): "r", ("doc", ""): "d"}
    coarse = np.zeros((3, width))
    return Partial(
        n, max(ids), sum(ids), 1, 1,
        {key: mt.Text.of([text] * n).digest for key, text in texts.items()},
        {KEY: Counted(ExactSum.of(rows), rows[0], WeightedSum(coarse, coarse, np.arange(width)))},
        {
            name: Document(
                min(i for i, other in zip(ids, names, strict=True) if other == name),
                names.count(name),
                {KEY: ExactSum.of(rows[[other == name for other in names]])},
            )
            for name in dict.fromkeys(names)
        },
    )  # fmt: skip


@settings(max_examples=8)
@given(TABLES, st.data())
@example([[LARGEST_INTEGER, -LARGEST_INTEGER], [LARGEST_INTEGER, 5e-324]], None)
def test_every_partial_result_is_read_as_it_was_written(table: Any, data: Any) -> None:
    rows = np.array(table)
    n = len(rows)
    ids, names = [2**62 - k for k in range(n)], ["Ä 1"] * n
    if data:
        ids = data.draw(st.lists(st.integers(0, 2**62), min_size=n, max_size=n, unique=True))
        names = data.draw(st.lists(st.sampled_from(["Ä 1", "b", "名"]), min_size=n, max_size=n))
    whole = partial_of(rows, names, ids)
    shard, found = from_bytes(to_bytes(whole, PLAN.id, "1/1"), PLAN)
    assert shard == "1/1"
    assert [*rows_of(found)] == [*rows_of(whole)]
    assert (found.last, found.id_sum) == (max(ids), sum(ids))
    assert {name: each.n_segments for name, each in found.documents.items()} == {
        name: names.count(name) for name in names
    }


def test_the_longest_sum_that_can_be_counted_is_accepted() -> None:
    """It is 2^53 rows of 2^53, in units of 2^-1074, with a sign."""
    longest = 2 ** (53 + 53 + 1074)
    whole = partial_of(np.ones((1, 1)), ["d"], [0])
    for sum_, is_accepted in ((longest, True), (-longest, True), (2 ** (8 * MOST_BYTES), False)):
        (key, counted), *_ = whole.counted.items()
        total = ExactSum([sum_ for _ in counted.total.units], 1)
        other = {**whole.counted, key: counted._replace(total=total)}
        documents = {
            name: each._replace(totals={key: total}) for name, each in whole.documents.items()
        }
        changed = Partial(**{**vars(whole), "counted": other, "documents": documents})
        if is_accepted:
            found = from_arrow(to_arrow(changed, PLAN.id), PLAN)[1]
            assert found.counted[key].total.units == total.units
        else:
            with pytest.raises(InputError, match=f"a sum of more than {MOST_BYTES} bytes"):
                from_arrow(to_arrow(changed, PLAN.id), PLAN)


@pytest.mark.parametrize(
    ("what", "name", "value", "message"),
    [
        ("segments", "numbers", [2, -1, 1, 1], "the counts 2, -1, 1 and 1"),
        ("segments", "numbers", [2, 1, -1, 1], "the counts 2, 1, -1 and 1"),
        ("segments", "numbers", [2, 1, 1, 0], "the counts 2, 1, 1 and 0"),
        ("segments", "numbers", [2, 1, 0, 2], "the counts 2, 1, 0 and 2"),
        ("segments", "numbers", [0, -1, 0, 0], "text hyp A: not expected here"),
        ("text", "numbers", [2, 2], r"text hyp A: of \[2, 2\] segments, with 16 bytes"),
        ("total", "numbers", [], r"total A wer: of \[\] segments; expected 2"),
        ("total", "values", b"\0" * 8, "total A wer: 1 values; expected 2 finite ones"),
        ("resamples", "numbers", [3, 2, 1, 0], r"\[3, 2, 1, 0\]; expected 3 resamples and 2 col"),
        ("resamples", "numbers", [3, 2, 0, 0], r"\[3, 2, 0, 0\]; expected"),
        ("resamples", "numbers", [3, 2, -1, 0], r"\[3, 2, -1, 0\]; expected"),
        ("resamples", "numbers", [3, 2, 1, 2], r"\[3, 2, 1, 2\]; expected"),
        ("resamples", "numbers", [2, 3, 0, 1], r"\[2, 3, 0, 1\]; expected"),
        ("resamples", "numbers", [3, 2, 0], "12 values; expected 9 finite ones"),
        ("documents", "numbers", [0, 1, 2, 0], "documents d e: 2 segments; expected 2"),
        ("documents", "numbers", [0, 1, 3, -1], "documents d e: 2 segments; expected 2"),
        ("documents", "numbers", [0, 1, 1, 2], "documents d e: 3 segments; expected 2"),
        ("documents", "numbers", [0, 1], "documents d e: 2 numbers and 0 sums; expected 4 and 0"),
        ("documents", "key", [], "documents: 4 numbers and 0 sums; expected 0 and 0"),
        ("documents", "what", "document totals", "documents: missing"),
        ("document totals", "key", ["A", "ter"], "document totals A wer: missing"),
        ("document totals", "sums", [b""] * 3, "0 numbers and 3 sums; expected 0 and 4"),
        ("document totals", "numbers", [1], "1 numbers and 4 sums; expected 0 and 4"),
    ],
)  # fmt: skip
def test_counts_that_cannot_be_are_refused(what: str, name: str, value: Any, message: str) -> None:
    whole = partial_of(np.eye(2), ["d", "e"], [0, 1])
    rows = to_arrow(whole, PLAN.id).to_pylist()
    assert from_arrow(pa.RecordBatch.from_pylist(rows, schema()), PLAN)[1].n_segments == 2
    next(row for row in rows if row["what"] == what)[name] = value
    with pytest.raises(InputError, match=message):
        from_arrow(pa.RecordBatch.from_pylist(rows, schema()), PLAN)


def test_every_segment_has_a_row_and_an_id_if_the_plan_keeps_them() -> None:
    digests = {key: mt.Text.of(["a", "b"]).digest for key in (("hyp", "A"), ("ref", "0"))}
    ids, rows = np.array([7, 3]), np.array([[1.0, 0.5], [-0.0, 5e-324]])
    whole = Partial(2, 7, 10, 1, 1, digests, ids=[ids], rows={KEY: [rows]})
    _, found = from_arrow(to_arrow(whole, WITH_ROWS.id), WITH_ROWS)
    assert (found.all_ids.tolist(), found.counted) == ([7, 3], {})
    assert found.all_rows(KEY).tobytes() == rows.tobytes()
    for changed, message in (
        ({"ids": [ids[:1]]}, "segments: 1 ids$"),
        ({"rows": {KEY: [rows[:1]]}}, r"rows A wer: of \[1, 2\] segments and columns$"),
        ({"rows": {KEY: [rows + np.inf]}}, "rows A wer: 4 values; expected 4 finite ones$"),
        ({"rows": {}}, "rows A wer: missing$"),
        ({"digests": {}}, "text hyp A: missing$"),
        ({"rows": {KEY: [rows], ("B", "wer"): [rows]}}, "rows B wer: not expected here$"),
    ):
        with pytest.raises(InputError, match=message):
            from_arrow(to_arrow(Partial(**{**vars(whole), **changed}), WITH_ROWS.id), WITH_ROWS)


@given(st.lists(st.floats(), max_size=6), st.lists(st.integers(0, 6), min_size=1, max_size=2))
def test_arrays_have_the_shape_asked_for_and_are_finite(numbers: Any, shape: list[int]) -> None:
    row = Row("rows", ("A", "wer"), values=array_bytes("<f8", np.array(numbers, np.float64)))
    size = shape[0] if len(shape) == 1 else shape[0] * shape[1]
    if size == len(numbers) and np.isfinite(numbers).all():
        assert (row.array(*shape).ravel() == numbers).all()
        assert row.array(*shape).shape == tuple(shape)
    else:
        message = f"rows A wer: {len(numbers)} values; expected {size} finite ones$"
        with pytest.raises(InputError, match=message):
            row.array(*shape)


def test_each_row_is_taken_once() -> None:
    rows = Rows([Row("total", ("A", "m")), Row("documents", ("d",)), Row("total", ("B", "m"))])
    assert rows.take("documents").key == ("d",)
    assert rows.get("total", ("B", "m")) == Row("total", ("B", "m"))
    assert rows.get("total", ("B", "m")) is None
    with pytest.raises(InputError, match="total B m: missing"):
        rows.take("total", ("B", "m"))
    with pytest.raises(InputError, match="total A m: not expected here"):
        rows.refuse_rest()
    for twice in ([Row("x")] * 2, [Row("documents", ("a",)), Row("documents", ("b",))]):
        with pytest.raises(InputError, match="twice; expected once"):
            Rows([Row("y"), *twice[:1], Row(*twice[1])])


def test_a_long_name_is_shortened_in_messages() -> None:
    with pytest.raises(InputError) as refused:
        Row("x" * 1000, ("y" * 1000,)).refuse("seen")
    assert str(refused.value) == f"not a partial result, or a damaged one: {'x' * 200}: seen"


@pytest.mark.parametrize("n_rows", [0, 1, 100])
def test_compression_is_seen_in_any_record_batch(n_rows: int) -> None:
    batch = pa.RecordBatch.from_pydict({"a": list(range(n_rows)), "b": ["x"] * n_rows})
    for compression in (None, "zstd", "lz4"):
        options = pa.ipc.IpcWriteOptions(compression=compression)
        stream = pa.BufferOutputStream()
        with pa.ipc.new_stream(stream, batch.schema, options=options) as writer:
            writer.write_batch(batch)
        _, message = pa.ipc.MessageReader.open_stream(stream.getvalue())
        assert is_compressed(message.metadata.to_pybytes()) == (compression is not None)


@given(st.binary(max_size=60))
@example(b"")
@example(b"\x04\0\0\0\xff\xff\xff\x7f")
@example(struct.pack("<IiHHHHH", 4, -4, 10, 4, 4, 4, 4))
def test_positions_outside_of_a_message_are_errors(data: bytes) -> None:
    try:
        assert isinstance(is_compressed(data), bool)
    except struct.error as error:
        assert "requires a buffer" in str(error)  # noqa: PT017
