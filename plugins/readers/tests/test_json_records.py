"""JSON lines and JSON lists: the texts, and what is refused, with file and line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mteval_readers import json_records

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDS = [
    {"id": 1, "hyp": 'a "b"\tc', "refs": {"A": "eins"}, "answers": ["x", "y"]},
    {"id": 2, "hyp": "", "refs": {"A": None}, "answers": ["z"]},
    {"id": 3, "hyp": "d\u2028e 😀", "refs": {"A": "drei"}, "answers": []},
]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return str(path)

    return write


def lines(records: list[dict[str, object]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize("ascii_only", [1, 0])
@pytest.mark.parametrize("layout", ["lines", "list", "indented"])
def test_a_field_of_every_record_is_read(
    write: Callable[[str, str], str], layout: str, ascii_only: int
) -> None:
    def dump(value: object, indent: int | None = None) -> str:
        return json.dumps(value, ensure_ascii=bool(ascii_only), indent=indent)

    text = {
        "lines": "\n".join(map(dump, RECORDS)),
        "list": dump(RECORDS),
        "indented": dump(RECORDS, 2),
    }[layout]
    path = write("x.jsonl", text)
    assert list(json_records.read(path, "hyp")) == [record["hyp"] for record in RECORDS]
    assert json_records.read(path, "refs.A") == ["eins", None, "drei"]
    assert list(json_records.read(path, "id")) == ["1", "2", "3"]
    assert json_records.read(path, "answers[*]") == [["x", "y"], ["z"], []]
    assert json_records.read(path, "answers[2]") == ["y", None, None]


def test_fields_are_listed_as_they_are_typed(write: Callable[[str, str], str]) -> None:
    record = {"id": 1, "refs": {"A": {"ref": "x"}}, "many": ["a"], "all": [{"text": "b"}], "no": []}
    path = write("x.jsonl", lines([record]))
    fields = json_records.fields(path)
    assert fields == ["id", "refs.A.ref", "many[*]", "all[*].text", "no[*]"]
    for field in fields:
        assert len(json_records.read(path, field)) == 1


def test_every_record_of_many_blocks_is_read_in_order(write: Callable[[str, str], str]) -> None:
    count = json_records.BLOCK // 8
    path = write("x.jsonl", lines([{"n": i, "text": f"line {i}"} for i in range(count)]))
    assert list(json_records.read(path, "text")) == [f"line {i}" for i in range(count)]
    assert [line for line, _ in json_records.rows(path)] == list(range(1, count + 1))


def test_a_segment_may_contain_line_feeds(write: Callable[[str, str], str]) -> None:
    path = write("x.jsonl", lines([{"t": "one\n\ntwo"}, {"t": "three"}]))
    assert json_records.read(path, "t") == ["one\n\ntwo", "three"]


@pytest.mark.parametrize("segments", [["one", ""], [""], ["", "", ""], ["one\ntwo", ""]])
def test_empty_segments_at_the_end_are_segments(
    write: Callable[[str, str], str], segments: list[str]
) -> None:
    path = write("x.jsonl", lines([{"t": segment} for segment in segments]))
    assert list(json_records.read(path, "t")) == segments


@pytest.mark.parametrize("text", ["\n\n", "[]", "3\n"])
def test_a_file_without_a_record_has_no_fields(write: Callable[[str, str], str], text: str) -> None:
    with pytest.raises(mt.InputError, match=r"x.jsonl"):
        json_records.fields(write("x.jsonl", text))


def test_many_empty_lines_come_before_a_record(write: Callable[[str, str], str]) -> None:
    path = write("x.jsonl", "\n" * 100_000 + '{"t": "a"}')
    assert json_records.fields(path) == ["t"]
    assert list(json_records.rows(path)) == [(100_001, {"t": "a"})]


def test_empty_lines_are_passed_over_but_counted(write: Callable[[str, str], str]) -> None:
    path = write("x.jsonl", '{"t": "a"}\n\n  \n{"t": "b"}\n\n')
    assert list(json_records.rows(path)) == [(1, {"t": "a"}), (4, {"t": "b"})]


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_plain_lines_and_a_field_are_the_same_text(tmp_path: Path, ending: str) -> None:
    segments = ["a b", "", "  c ", "d\re", "\u00e9 \x85 e"]
    plain = tmp_path / "x.txt"
    plain.write_bytes("".join(segment + "\n" for segment in segments).encode())
    data = lines([{"t": segment} for segment in segments]).encode()
    path = tmp_path / f"x.jsonl{ending}"
    path.write_bytes(gzip.compress(data) if ending else data)
    text = json_records.read(str(path), "t")
    assert isinstance(text, mt.Text)
    assert text.buffer == mt.read_text(plain).buffer


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"t": "a"}\n{"t": \n', r"x.jsonl:2: not a JSON object: Expecting value"),
        ('{"t": "a"}\n"b"\n', r"x.jsonl:2: a JSON str; expected one object per line"),
        ('{"t": "a"}\n{"t": "b", "t": "c"}\n', r"x.jsonl:2: .*key 't' occurs twice"),
        ('{"t": "a"}\n{"u": {"k": 1, "k": 1}, "t": "b"}\n', r":2: .*key 'k' occurs twice"),
        ('{"t": "a"}\n{"u": "b"}\n', r"x.jsonl:2: no field 't'"),
        ('{"t": "a"}\n{"t": 1.5}\n', "x.jsonl:2: 't': expected"),
        ('{"t": "a"}\n{"t": ["b"]}\n', r"x.jsonl:2: .*write t\[1\] or t\[\*\]"),
        ('{"t": "a"},{"t": "b"}\n{}\n', r"x.jsonl:1: not a JSON object: Extra data"),
        ('{"t": "a"\n}\n', r"x.jsonl:1: not a JSON object"),
        ("[1, 2]", r"x.jsonl: expected a list of JSON objects"),
        ('[{"t": "a"},\n {"t": }]', r"x.jsonl:2: not a JSON object"),
        ('{"t": ' + "[" * 200_000 + "\n", r"x.jsonl:1: .*nested too deeply"),
        ('{"t": "a", "n": ' + "1" * 5000 + "}\n", r"x.jsonl:1: not a JSON object: Exceeds"),
        ("", r"x.jsonl: the file is empty"),
        ("\n \n", r"x.jsonl: every line is empty"),
        ("[]", r"x.jsonl: expected a list of JSON objects"),
        ('{"t": "a"}\n\udc80\n', r"x.jsonl:2: byte 1 of the line, 0xED, is not valid UTF-8"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    write: Callable[[str, str], str], text: str, message: str
) -> None:
    path = write("x.jsonl", text)
    with pytest.raises(mt.InputError, match=message):
        json_records.read(path, "t")


def test_a_lone_surrogate_is_left_to_the_host_to_refuse(write: Callable[[str, str], str]) -> None:
    column = json_records.read(write("x.jsonl", '{"t": "\\ud800"}\n'), "t")
    assert column == ["\ud800"]
    with pytest.raises(mt.InputError, match="lone surrogate"):
        mt.Text.of(column, "x")  # type: ignore[arg-type]


def test_a_truncated_file_is_an_input_error(tmp_path: Path) -> None:
    data = gzip.compress(lines([{"t": f"text {i}"} for i in range(1000)]).encode())
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(mt.InputError, match=r"x\.jsonl\.gz: "):
        json_records.read(str(path), "t")


@pytest.mark.parametrize(
    "text",
    [
        '{"hyp": "a"},{"hyp": "b"}\n{"id": 1\n"hyp": "c"}\n',
        '{"hyp": "a"},{"hyp": "b"}\n{"hyp": [{"x": 1}\n{"x": 2}]}\n',
    ],
)
def test_as_many_objects_as_lines_are_not_enough(
    write: Callable[[str, str], str], text: str
) -> None:
    with pytest.raises(mt.InputError, match=r"x.jsonl:1: not a JSON object: Extra data"):
        json_records.read(write("x.jsonl", text), "hyp")
