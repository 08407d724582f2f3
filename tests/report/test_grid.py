"""Tables and reports as data: cells, groups, marks, legends, and what is made when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mteval_core.report import Cell, Column, Layout, Meaning, Report, Table
from mteval_core.report.writers.text import blocks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mteval_core.report import CellMark


def column(head: str, *numbers: str, group: str | None = None) -> Column:
    return Column.of(head, numbers, group)


def table(*columns: Column) -> Table:
    return Table("", ("system",), (("a",), ("bb",)), columns)


# Cells


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (Cell(("1.5",)), "1.5"),
        (Cell(("1.5",), "best"), "**1.5**"),
        (Cell(("1.5",), "worse"), "1.5"),
        (Cell(("  1.5", "[1.0,", "2.0]"), "best"), "**1.5** [1.0, 2.0]"),
        (Cell(("1.5", "", "0.04")), "1.5 0.04"),
        (Cell(("<1",), "best"), "**&lt;1**"),
        (Cell(("",)), ""),
    ],
)
def test_a_cell_is_written_with_the_style_of_its_mark(cell: Cell, written: str) -> None:
    def escape(text: str) -> str:
        return text.replace("<", "&lt;")

    assert cell.written(escape, {"best": "**{}**"}) == written


def test_cells_of_texts_have_no_marks() -> None:
    assert Column.of("n", ["1", "2"]) == Column(("n",), (Cell(("1",)), Cell(("2",))))


@pytest.mark.parametrize(
    ("marks", "competing"),
    [
        ((None, None), False),
        (("worse", "worse"), True),
        (("best", None), True),
        (("significant", "insignificant"), False),
    ],
)
def test_rows_compete_in_a_column_with_marks_of_rank(
    marks: tuple[CellMark | None, ...],
    competing: bool,  # noqa: FBT001
) -> None:
    assert Column(("P",), tuple(Cell(("1",), mark) for mark in marks)).competing is competing


# Tables


def test_adjacent_columns_of_one_title_are_a_group() -> None:
    a, b, c, d, e = (
        column(head, "1", "2", group=group)
        for head, group in zip("abcde", ["x", "x", None, None, "x"], strict=True)
    )
    assert table(a, b, c, d, e).groups == [
        ("x", (a, b)),
        (None, (c,)),
        (None, (d,)),
        ("x", (e,)),
    ]


def test_rows_are_read_across_the_columns() -> None:
    rows = table(column("P", "1", "2"), column("R", "3", "4")).rows
    assert rows == [(Cell(("1",)), Cell(("3",))), (Cell(("2",)), Cell(("4",)))]


# Blocks of plain text


def test_a_table_that_fits_is_one_block() -> None:
    (block,) = blocks(table(column("P", "1.0", "20.0"), column("R", "3.0", "4.0")), 80)
    assert block.split("\n") == [
        "system     P    R",
        "------  ----  ---",
        "a        1.0  3.0",
        "bb      20.0  4.0",
    ]


def test_a_wide_table_is_cut_between_groups_and_repeats_the_names() -> None:
    grouped = [column(head, "1.0", "2.0", group=head[0]) for head in ("x1", "x2", "y1", "y2")]
    first, second = blocks(table(*grouped), 20)
    assert [line.split() for line in first.split("\n")[:2]] == [["system", "x"], ["x1", "x2"]]
    assert [line.split() for line in second.split("\n")[:2]] == [["system", "y"], ["y1", "y2"]]
    assert first.split("\n")[-1] == second.split("\n")[-1] == "bb      2.0 2.0"


def test_a_group_that_is_too_wide_is_cut_between_its_columns() -> None:
    grouped = [column(head, "1.0", "2.0", group="x") for head in ("a", "b", "c", "d")]
    heads = [block.split("\n")[1].split() for block in blocks(table(*grouped), 18)]
    assert heads == [["a", "b"], ["c", "d"]]


def test_one_column_is_printed_however_narrow_the_page() -> None:
    made = blocks(table(column("P", "1.0", "2.0"), column("R", "1.0", "2.0")), 1)
    assert len(made) == 2
    rules = [line for block in made for line in block.split("\n") if not line.strip("- ")]
    assert rules == ["-", "-"], "a rule is no wider than the page, whatever stands below it"


def test_a_mark_does_not_move_the_digits() -> None:
    marked = Column(("P",), (Cell(("1.0",), "best"), Cell(("2.0",), "worse")))
    (block,) = blocks(table(marked), 80)
    assert [line.rstrip() for line in block.split("\n")[2:]] == ["a       1.0*", "bb      2.0"]


def test_the_parts_of_cells_are_aligned() -> None:
    intervals = Column(("P",), (Cell(("10.0", "[9.0,", "11.0]")), Cell(("8.0", "[-10.0,", "9.0]"))))
    (block,) = blocks(table(intervals), 80)
    assert block.split("\n")[2:] == ["a       10.0   [9.0, 11.0]", "bb       8.0 [-10.0,  9.0]"]


# Reports


def report(**fields: object) -> Report:
    made: list[str] = []

    def parts(_: Layout) -> list[Table]:
        made.append("parts")
        return []

    def records() -> list[Mapping[str, object]]:
        made.append("records")
        return [{"score": 1.0}]

    def data(report: Report) -> dict[str, object]:
        return {"title": report.title, "records": report.records, "made": made}

    return Report("Scores", parts, records, data, **fields)  # type: ignore[arg-type]


def test_a_report_makes_only_what_is_used_and_once() -> None:
    scores = report()
    assert scores.data == {"title": "Scores", "records": [{"score": 1.0}], "made": ["records"]}
    assert scores.tables() == []
    assert scores.data["made"] == ["records", "parts"]


def test_a_report_without_a_summary_has_no_heading() -> None:
    assert report().heading == ()
    assert report(summary="2 systems").heading == ("Scores", "2 systems")


def test_a_format_shows_the_marks_of_the_legend_in_its_way() -> None:
    legend = [
        (Meaning("higher is better"), Meaning("best", "best")),
        (Meaning("p", "significant"),),
    ]
    lines = report(legend=legend).legend_lines({"best": "* "})
    assert lines == ["higher is better, * best", "p"]
