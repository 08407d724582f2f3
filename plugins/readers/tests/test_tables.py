"""TSV and CSV: headers, numbers, quotes, and what is refused."""

from __future__ import annotations

import csv
import gzip
import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_readers import tables

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, "utf-8", newline="")
        return str(path)

    return write


def test_a_name_makes_the_first_line_a_header(write: Callable[[str, str], str]) -> None:
    path = write("x.tsv", "src\thyp\nein\ta\nzwei\tb\n")
    assert tables.read(path, "hyp") == ["a", "b"]
    assert tables.fields(path) == ["src", "hyp"]


def test_a_number_includes_the_first_line(write: Callable[[str, str], str]) -> None:
    path = write("x.tsv", "Ein Haus\tA house\nZwei\tTwo\n")
    assert tables.read(path, "2") == ["A house", "Two"]
    assert tables.fields(path) == ["1", "2"]


def test_a_number_warns_of_a_header(write: Callable[[str, str], str]) -> None:
    path = write("x.tsv", "source\thypothesis\nein\ta\n")
    with pytest.warns(mt.MtevalWarning, match=r"x.tsv:1: .*write .*::hypothesis \[header-line\]"):
        assert tables.read(path, "2") == ["hypothesis", "a"]


@pytest.mark.parametrize("first", ["Yes\tYeah", "a\ta", "\t", "The score was 3\tTwo"])
def test_ordinary_segments_are_not_taken_for_a_header(
    write: Callable[[str, str], str], first: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tables.read(write("x.tsv", f"{first}\nb\tc\n"), "1")[1] == "b"


@pytest.mark.parametrize(
    "cell", ['"', 'he said "no"', '"yes" he said', '"all of it"', '""', '"a""b" c']
)
def test_a_quotation_mark_in_tsv_is_a_character(
    write: Callable[[str, str], str], cell: str
) -> None:
    path = write("x.tsv", f"id\thyp\n1\t{cell}\n2\tplain\n")
    assert tables.read(path, "hyp") == [cell, "plain"]


CELLS = st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), max_size=8)


@given(
    st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=5),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_what_the_csv_module_writes_is_read(rows: list[list[str]], quoting: int) -> None:
    for delimiter in (",", "\t"):
        stream = io.StringIO(newline="")
        writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n", quoting=quoting)
        writer.writerows(rows)
        path = "x.csv" if delimiter == "," else "x.tsv"
        read = [cells for _, cells in tables.rows(stream.getvalue(), path)]
        ambiguous = delimiter == "\t" and any("\n" in cell for row in rows for cell in row)
        assert read == rows or ambiguous


@given(st.lists(st.lists(st.sampled_from(['"', "a", '""', "b c", '"a"']), min_size=2, max_size=2)))
def test_a_tsv_file_without_a_quoted_line_feed_keeps_its_lines(rows: list[list[str]]) -> None:
    text = "".join("\t".join(row) + "\n" for row in rows)
    assert len(tables.rows(text, "x.tsv")) == len(rows)


def test_cells_of_csv_may_contain_commas_quotes_and_line_feeds(
    write: Callable[[str, str], str],
) -> None:
    path = write("x.csv", 'id,hyp\r\n1,"a, ""b""\nc"\r\n2,d\r\n')
    assert tables.read(path, "hyp") == ['a, "b"\nc', "d"]
    assert [line for line, _ in tables.even(path)] == [1, 2, 4]


def test_a_long_cell_is_read_and_the_limit_of_csv_is_as_before(
    write: Callable[[str, str], str],
) -> None:
    limit = csv.field_size_limit()
    long = "x" * (limit + 1)
    assert tables.read(write("x.csv", f"a,b\n1,{long}\n"), "b") == [long]
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.tsv", "a\tb\n1\t2\n3\n", r"x.tsv:3: 1 cells, but line 1 has 2"),
        ("x.tsv", "\n\n", r"x.tsv: all lines are empty"),
        ("x.tsv", "a\tc\n1\t2\n", r"x.tsv:1: no field 'b'. .*a, c"),
        ("x.tsv", "b\tb\n1\t2\n", r"x.tsv:1: 2 columns are called 'b'; choose one by its number"),
        ("x.csv", 'a,b\n1,"2\n', r"x.csv:2: unexpected end of data"),
        ("x.csv", 'a,b\n1,"2"x\n', r"x.csv:2: ',' expected after '\"'"),
        ("x.csv", "a,b\n1,2,3\n", r"x.csv:2: 3 cells, but line 1 has 2"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    write: Callable[[str, str], str], name: str, text: str, message: str
) -> None:
    path = write(name, text)
    with pytest.raises(mt.InputError, match=message):
        tables.read(path, "b")


def test_records_need_their_columns(write: Callable[[str, str], str]) -> None:
    path = write("x.tsv", "system\tscore\nA\t1\n")
    assert list(tables.records(path, ["score"])) == [(2, {"system": "A", "score": "1"})]
    with pytest.raises(mt.InputError, match=r"x.tsv:1: no field 'rater'"):
        list(tables.records(path, ["rater"]))


@pytest.mark.parametrize("name", ["x.tsv", "x.csv"])
def test_an_empty_line_of_a_single_column_is_an_empty_segment(
    write: Callable[[str, str], str], name: str
) -> None:
    assert tables.read(write(name, "hyp\na\n\nb\n"), "hyp") == ["a", "", "b"]
    mark = "," if name == "x.csv" else "\t"
    assert tables.read(write(name, f"hyp{mark}x\na{mark}y\n\n"), "hyp") == ["a"]


def test_only_the_last_ending_of_a_name_tells_the_format(
    write: Callable[[str, str], str], tmp_path: Path
) -> None:
    assert tables.read(write("x.csv.tsv", "a,b\tc\n1,2\t3\n"), "a,b") == ["1,2"]
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n"))
    assert tables.read(str(path), "b") == ["2"]
