"""Partial results as Arrow: nothing is lost, and nothing that is damaged is believed."""

from __future__ import annotations

import json
import random
import struct
import sys
from contextlib import suppress
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_scale.arrow import Row, schema, signed_bytes, to_arrow, to_bytes
from mteval_scale.columns import column_names, part_of
from mteval_scale.plan import Plan, plan_of
from mteval_scale.received import from_arrow, from_bytes

import mteval_core as mt
from mteval_core import (
    ExactSum,
    InMemory,
    InputError,
    MtevalError,
    Partial,
    UsageError,
    to_evaluation,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_scale.plan import Level

pytest.importorskip("mteval_rouge")
pa = pytest.importorskip("pyarrow")

N = 40
WORDS = ["ein", "Häuschen", "steht", "am", "Fluss", "und", "brennt"]
LEVELS: list[Level] = ["corpus", "doc", "segment"]
SPECS = ["wer", "rouge-w:beta=1.2"]
"""Rows of whole numbers, and of fractions."""


def texts(seed: int) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(1, 6))) for _ in range(N)]


def segments(**changed: Any) -> Any:
    """All segments as a record batch; None removes a column."""
    columns = {
        "id": pa.array(range(N), pa.int64()),
        "hyp:A": texts(1),
        "hyp:B": texts(2),
        "ref:x": [None, *texts(3)[1:]],
        "ref:y": texts(4),
        "doc": [f"d{k // 9}" for k in range(N)],
        **{name.replace("__", ":"): column for name, column in changed.items()},
    }
    return pa.RecordBatch.from_pydict({k: v for k, v in columns.items() if v is not None})


@cache
def plan(level: Level = "corpus") -> Plan:
    return plan_of(SPECS, ["A", "B"], ["x", "y"], level=level, resamples=30, seed=5)


def columns_of(planned: Plan) -> list[str]:
    by_document = planned.level == "doc"
    return column_names(planned.runs, planned.references, documents=by_document)


def partials(planned: Plan, batches: list[Any]) -> list[Any]:
    """Count record batches; return one partial result of all."""
    whole, names = Partial(), columns_of(planned)
    for batch in batches:
        if batch.num_rows:
            texts = InMemory(planned.systems, part_of(batch, names))
            whole.merge(planned.kept.count_source(texts, planned.scorers()))
    return [to_arrow(whole, planned.id)]


@cache
def counted(level: Level = "corpus") -> Any:
    (batch,) = partials(plan(level), [segments()])
    return batch


def merged(level: Level, batches: list[Any]) -> mt.Evaluation:
    whole = Partial()
    for batch in batches:
        sent = to_bytes(from_arrow(batch, plan(level))[1], plan(level).id)
        whole.merge(from_bytes(sent, plan(level))[1])
    return evaluated(whole, level)


def evaluated(whole: Partial, level: Level) -> mt.Evaluation:
    planned = plan(level)
    return to_evaluation(whole, planned.systems, planned.scorers(), planned.kept)


@pytest.mark.parametrize("level", LEVELS)
def test_parts_that_were_written_and_read_equal_the_whole(level: Level) -> None:
    order = np.random.default_rng(1).permutation(N)
    shuffled = segments().take(pa.array(order))
    parts = [shuffled.slice(0, 0), shuffled.slice(0, 17), shuffled.slice(17, 1), shuffled.slice(18)]
    found = merged(level, [batch for part in parts for batch in partials(plan(level), [part])])
    references = [[None, *texts(3)[1:]], texts(4)]
    documents = segments().column("doc").to_pylist()
    whole = mt.evaluate({"A": texts(1), "B": texts(2)}, references, SPECS, documents=documents)
    assert found.to_records(level) == whole.to_records(level)
    drawn: dict[str, Any] = {"seed": 5, "resampler": "poisson"}
    intervals = [each.confidence(30, **drawn).to_records() for each in (found, whole)]
    assert intervals[0] == intervals[1]
    tests = [each.compare("bs", 30, **drawn).to_dict()["comparisons"] for each in (found, whole)]
    assert tests[0] == tests[1]


def test_several_batches_give_one_partial_result() -> None:
    (found,) = partials(plan("segment"), [segments().slice(0, 11), segments().slice(11)])
    assert found.equals(counted("segment"))
    (nothing,) = partials(plan(), [])
    assert (nothing.num_rows - 1, from_arrow(nothing, plan())[1].n_segments) == (1, 0)


def test_the_schema_is_that_of_the_documentation() -> None:
    batch = to_arrow(from_arrow(counted("doc"), plan("doc"))[1], plan("doc").id, "3/8")
    assert batch.schema == schema()
    rows = batch.to_pylist()
    assert {(row["plan"], row["shard"]) for row in rows} == {(plan("doc").id, "3/8")}
    assert rows[0]["numbers"] == [N, N - 1, 1, 2]
    assert rows[0]["sums"] == [(N * (N - 1) // 2).to_bytes(2, "little")]
    by_name = {(row["what"], *row["key"]): row for row in rows}
    total = by_name["total", "A", "wer"]
    unit = int.from_bytes(total["sums"][0], "little", signed=True) / 2**1074
    scored = mt.evaluate({"A": texts(1)}, [[None, *texts(3)[1:]], texts(4)], ["wer"])
    assert unit == scored.scores.totals["A", "wer"][0]
    resamples = by_name["resamples", "A", "wer"]
    n, k, *cut = resamples["numbers"]
    assert (n, len(resamples["values"])) == (30, 8 * 30 * (k + len(cut)))
    names, numbers = (
        by_name["documents", "d0", "d1", "d2", "d3", "d4"][x] for x in ("key", "numbers")
    )
    assert dict(zip(names, zip(numbers[:5], numbers[5:], strict=True), strict=True))["d4"] == (
        36,
        4,
    )


@pytest.mark.parametrize("number", [0, 1, -1, 127, 128, -128, -129, 2**1100, -(2**1100)])
def test_sums_of_any_size_are_written(number: int) -> None:
    assert int.from_bytes(signed_bytes(number), "little", signed=True) == number


def changed(kind: str, columns: dict[str, Any], level: Level = "doc") -> Any:
    """A partial result with changes in the first row of a kind."""
    rows = counted(level).to_pylist()
    row = next(row for row in rows if row["what"] == kind)
    for name, change in columns.items():
        row[name] = change(row[name]) if callable(change) else change
    return pa.RecordBatch.from_pylist(rows, schema=schema())


def swap(k: int, value: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda old: [*old[:k], value, *old[k + 1 :]]


NAN = struct.pack("<d", float("nan"))


@pytest.mark.parametrize(
    ("what", "columns", "message"),
    [
        ("segments", {"plan": "other"}, "expected the same plan in every row"),
        ("segments", {"shard": "other"}, "expected the same shard in every row"),
        ("segments", {"what": "segment"}, "segments: missing"),
        ("segments", {"what": None}, "a null; expected none"),
        ("segments", {"numbers": swap(1, None)}, "a null; expected none"),
        ("segments", {"numbers": []}, "segments: 0 numbers and 1 sums; expected 4 and 1"),
        ("segments", {"numbers": swap(0, -1)}, "segments: the counts -1, 39, 1 and 2"),
        (
            "segments",
            {"numbers": swap(0, 41)},
            "segments: 41 different ids up to 39 cannot have this sum",
        ),
        ("segments", {"numbers": swap(1, 10**9)}, "40 different ids up to 1000000000 cannot have"),
        ("segments", {"numbers": swap(0, 39)}, r"text hyp A: of \[40\] segments"),
        ("segments", {"numbers": swap(3, 3)}, "the counts 40, 39, 1 and 3"),
        ("segments", {"sums": [b"\1" * 151]}, "a sum of more than 150 bytes"),
        ("segments", {"values": b"\0" * 8}, "segments: 1 ids"),
        ("segments", {"values": b"\0" * 9}, "segments: 9 bytes; expected values of eight"),
        ("text", {"values": b"x"}, r"text hyp A: of \[40\] segments, with 1 bytes"),
        ("text", {"key": ["hyp", "C"]}, "text hyp A: missing"),
        ("text", {"key": ["hyp", "B"]}, "text hyp B: twice"),
        ("text", {"what": "note"}, "text hyp A: missing"),
        ("total", {"numbers": [39]}, r"total A wer: of \[39\] segments; expected 40"),
        ("total", {"values": NAN}, "total A wer: 1 values; expected"),
        ("total", {"sums": [b"\1"]}, r"resamples A wer: the numbers \[30, .*1 columns"),
        ("resamples", {"numbers": swap(0, 10**15)}, "expected 30 resamples"),
        ("resamples", {"numbers": lambda old: [*old, 10**15]}, "expected 30 resamples"),
        ("resamples", {"values": lambda old: old[8:] + NAN}, "resamples A wer: .* finite ones"),
        ("resamples", {"key": []}, "resamples A wer: missing"),
        ("documents", {"key": swap(0, "d1")}, "documents d1 d1: 40 segments"),
        ("documents", {"key": swap(0, "a\nb")}, "a name cannot contain"),
        ("documents", {"numbers": swap(0, -1)}, "documents d0 d1"),
        ("documents", {"numbers": [1]}, "1 numbers and 0 sums; expected 10 and 0"),
        ("document totals", {"sums": []}, "document totals A wer: 0 numbers and 0 sums"),
    ],
)
def test_changes_are_found(what: str, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_arrow(changed(what, columns), plan("doc"))


def test_rows_are_checked() -> None:
    for columns, message in (
        ({"numbers": swap(1, -1)}, "rows A wer: .* values; expected -40 finite ones"),
        ({"numbers": swap(0, 39)}, r"rows A wer: of \[39, 2\]"),
        ({"what": "row"}, "rows A wer: missing"),
    ):
        with pytest.raises(InputError, match=message):
            from_arrow(changed("rows", columns, "segment"), plan("segment"))
    with pytest.raises(InputError, match=f"one of the plan {plan().id}"):
        from_arrow(counted("doc"), plan())
    more = [Row("extra", ("x",))._asdict() | {"plan": plan().id, "shard": ""}]
    batch = pa.RecordBatch.from_pylist(counted().to_pylist() + more, schema())
    with pytest.raises(InputError, match="extra x: not expected here"):
        from_arrow(batch, plan())


def stream(batch: Any, times: int = 1, **options: Any) -> bytes:
    sink = pa.BufferOutputStream()
    settings = pa.ipc.IpcWriteOptions(**options)
    with pa.ipc.new_stream(sink, batch.schema, options=settings) as writer:
        for _ in range(times):
            writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def test_files_are_one_batch_without_compression() -> None:
    data = to_bytes(from_arrow(counted(), plan())[1], plan().id)
    assert data == stream(counted())
    for other, message in (
        (b"", "nothing; expected one schema"),
        (data[:100], "not a partial result"),
        (data[: len(data) // 2], "not a partial result"),
        (stream(counted(), 2), "schema, record batch, record batch; expected one"),
        (stream(counted(), compression="zstd"), "compressed"),
        (stream(counted(), compression="lz4"), "compressed"),
        (stream(segments()), "the columns id, hyp:A.*; expected those of a partial result"),
    ):
        with pytest.raises(InputError, match=message):
            from_bytes(other, plan())


@pytest.mark.parametrize("level", LEVELS)
def test_damaged_bytes_are_refused_or_change_nothing(level: Level) -> None:
    rng, data = random.Random(level), stream(counted(level))
    genuine = evaluated(from_bytes(data, plan(level))[1], level).to_records(level)
    n_refused = 0
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(rng.choice([1, 1, 4])):
            place = rng.choice([rng.randrange(2000), rng.randrange(len(data))])
            damaged[place] = rng.randrange(256)
        try:
            found = evaluated(from_bytes(bytes(damaged), plan(level))[1], level)
            assert found.to_records(level) == genuine
        except MtevalError:
            n_refused += 1
    assert 50 < n_refused <= 150


def test_sums_that_are_exchanged_are_refused() -> None:
    rows = counted().to_pylist()
    totals = [row for row in rows if row["what"] == "total" and row["key"][1] == "wer"]
    totals[0]["sums"], totals[1]["sums"] = totals[1]["sums"], totals[0]["sums"]
    assert totals[0]["sums"] != totals[1]["sums"]
    with pytest.raises(InputError, match="sha256: another one than that of the other rows"):
        from_arrow(pa.RecordBatch.from_pylist(rows, schema()), plan())


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("doc", "document totals A wer: they do not add up to the total"),
        ("segment", "rows A wer: the rows of the segments do not add up to the total"),
    ],
)
def test_sums_add_up(level: Level, message: str) -> None:
    """Also where the digest is written anew."""
    whole = from_arrow(counted(level), plan(level))[1]
    (key, one), *_ = whole.counted.items()
    units = [one.total.units[0] + 2**1074, *one.total.units[1:]]
    whole.counted[key] = one._replace(total=ExactSum(units, N))
    with pytest.raises(InputError, match=message):
        from_arrow(to_arrow(whole, plan(level).id), plan(level))


def test_damaged_messages_are_refused_or_harmless() -> None:
    data, sizes = stream(counted()), set()
    batch = data.index(b"\xff" * 4, 4)
    # Among them are the kinds of the messages and the positions of their fields.
    for place, value in product((*range(80), *range(batch, batch + 60)), (0, 8, 255)):
        damaged = data[:place] + bytes([value]) + data[place + 1 :]
        with suppress(InputError):
            sizes.add(from_bytes(damaged, plan())[1].n_segments)
    assert sizes <= {N}


def test_without_pyarrow_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'mteval-scale\[arrow\]'"):
        from_bytes(b"", plan())


def test_columns_of_segments() -> None:
    assert columns_of(plan("doc")) == ["id", "hyp:A", "hyp:B", "ref:x", "ref:y", "doc"]
    lines = ["a\n", "b\r\n", "c", *texts(1)[3:]]
    found = part_of(segments(hyp__A=lines).slice(1, 3), columns_of(plan()))
    assert list(found.systems["A"]) == ["b", "c", texts(1)[3]]
    assert list(found.systems["B"]) == texts(2)[1:4]
    whole = part_of(segments(), columns_of(plan()))
    assert list(whole.test_set.references[0])[:2] == [None, texts(3)[1]]
    large = pa.array(texts(1), pa.large_string())
    found = part_of(segments(hyp__A=large, doc=None), columns_of(plan()))
    assert list(found.systems["A"]) == texts(1)


NOTHING = pa.array([None] * N, pa.string())

NOT_UTF8 = pa.Array.from_buffers(pa.string(), N, pa.array([b"\xff"] * N).buffers())


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"hyp__A": None}, "hyp:A missing; expected id, hyp:A, hyp:B"),
        ({"ref__z": texts(1)}, "ref:z unknown"),
        ({"doc": None}, "doc missing"),
        ({"src": texts(1)}, "src unknown"),
        ({"id": pa.array(range(N), pa.int32())}, "column 'id': int32 with 0 nulls"),
        ({"id": [None, *range(1, N)]}, "column 'id': int64 with 1 nulls"),
        ({"hyp__A": list(range(N))}, "column 'hyp:A': int64; expected string"),
        ({"hyp__A": [*texts(1)[1:], None]}, "'hyp:A': the text of segment 39 is missing"),
        ({"doc": [None, *texts(1)[1:]]}, "'doc': the text of segment 0 is missing"),
        ({"hyp__B": NOT_UTF8}, "column 'hyp:B': .*[Uu][Tt][Ff]"),
        ({"ref__x": NOTHING, "ref__y": NOTHING}, "segment 0 has no reference"),
    ],
)
def test_wrong_columns_are_refused(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        partials(plan("doc"), [segments(**columns)])


def test_document_ids_are_in_all_parts_or_in_none() -> None:
    parts = [segments().slice(0, 9), segments(doc=None).slice(9)]
    with pytest.raises(InputError, match="some parts have document ids"):
        partials(plan(), parts)


@pytest.mark.parametrize(
    "change",
    [
        {"metrics": "wer"},
        {"metrics": []},
        {"systems": {"A": "A"}},
        {"systems": {"A": ["x"], "B": ["x"]}},
        {"systems": {"A\n": ["A\n"]}},
        {"references": [1]},
        {"level": ["doc"]},
        {"source": 1},
        {"resamples": -1},
        {"resamples": 1e3},
        {"seed": None},
        {"defaults": {"case": 1}},
        {"unknown": 1},
    ],
)
def test_plans_are_checked(change: dict[str, Any]) -> None:
    assert Plan.from_json(plan().to_json()) == plan()
    fields = json.loads(plan().to_json())
    for text in (json.dumps({**fields, **change}), "[" * 100_000):
        with pytest.raises(InputError, match="not a plan of mteval"):
            Plan.from_json(text)
