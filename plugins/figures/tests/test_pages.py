"""Reports as PDF: which pages they have, and what stands where on them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from mteval_figures import pages
from mteval_figures.typeset import PlacedTable, lines_of

import mteval_core as mt
from mteval_core.report import Cell, Chart, Column, Layout, Passage, Table
from mteval_core.report.charts import Dots

if TYPE_CHECKING:
    from collections.abc import Sequence

pytest.importorskip("matplotlib", reason="PDF needs matplotlib")

CHART = Chart("dots", lambda: [[Dots("BLEU", ["A", "B"], [1.0, 2.0])]])


def table_of(rows: int, columns: int = 1) -> Table:
    """Make a table whose rows and columns have numbers as names."""
    names = [f"row {k}" for k in range(rows)]
    return Table.of(
        ["system", *(f"column {k}" for k in range(columns))],
        [[name, *("12.34" for _ in range(columns))] for name in names],
        caption="What it shows",
    )


def report_of(parts: Sequence[Any]) -> mt.Report:
    return mt.Report.of("x", "A title", parts, [], inputs={}, notes=["Few."], signatures=["m|v:1"])


def texts_of(report: mt.Report) -> list[list[str]]:
    """Return the texts of each page, in order."""
    made = pages._pages(report, report.parts())
    return [[text.get_text() for text in page.texts if text.get_text()] for page in made]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [([CHART], 1), ([table_of(2)], 1), ([CHART, table_of(2)], 2), ([CHART, CHART], 1), ([], 1)],
)
def test_charts_are_one_page_and_tables_follow(parts: list[Any], expected: int) -> None:
    report = report_of(parts)
    written = pages.pdf(report, Layout())
    assert written.count(b"/Type /Page ") == expected
    assert written == pages.pdf(report, Layout()), "the same report gives the same bytes"


def test_a_report_is_written_from_its_title_to_its_signatures() -> None:
    (page,) = texts_of(report_of([Passage("p", "A passage."), table_of(1)]))
    head = ["system", "column 0", "row 0", "12.34"]
    assert page == ["A title", "A passage.", "What it shows", *head, "Few.", "m|v:1"]


def test_a_long_table_is_continued_below_its_head() -> None:
    made = texts_of(report_of([table_of(150)]))
    assert len(made) == 3
    assert [page.count("system") for page in made] == [1, 1, 1]
    rows = [text for page in made for text in page if text.startswith("row ")]
    assert rows == [f"row {k}" for k in range(150)]


def test_a_wide_table_is_cut_between_columns_and_stays_on_the_page() -> None:
    report = report_of([table_of(2, columns=40)])
    (page,) = pages._pages(report, report.parts())
    shown = [text.get_text() for text in page.texts]
    assert shown.count("row 0") > 1
    assert [one for one in shown if one.startswith("column")] == [f"column {k}" for k in range(40)]
    width, height = page.get_size_inches() * page.dpi
    assert width > height
    boxes = [text.get_window_extent() for text in page.texts]
    assert 0 < min(box.x0 for box in boxes) < max(box.x1 for box in boxes) < width


def test_numbers_end_below_each_other_and_marks_show() -> None:
    cells = (
        Cell(("65.17", "[1,", "2]"), "best"),
        Cell(("7.80", "[10,", "20]"), "significant"),
        Cell(("8.00", "[3,", "4]"), None, "ab"),
    )
    table = PlacedTable(Table("", ("s",), (("A",), ("B",), ("C",)), (Column(("BLEU",), cells),)))
    best, worse, raised = ([one for one in row if one.align == "right"] for row in table.rows)
    assert [one.x for one in best] == [one.x for one in worse] == [one.x for one in raised]
    assert best[0].style == {"weight": "bold"}
    assert (worse[0].signs, raised[0].signs) == ("†", "ab")


def test_a_line_is_broken_between_words_and_within_a_word_that_is_too_long() -> None:
    text = "a short line and " + "x" * 50
    lines = list(lines_of(text, 100, 8.0))
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert lines[0] == "a short line and"
    assert len(lines) > 3


def test_a_long_text_of_a_table_is_broken_into_lines_below_each_other() -> None:
    command = " ".join(f"word{k}" for k in range(40))
    rows = (("matches", command), ("more", "ls"))
    table = PlacedTable(Table("", ("to see", "type"), rows, ()))
    names = [[text.text for text in row if text.x == 0] for row in table.rows]
    assert names[0] == ["matches"]
    assert names[-1] == ["more"]
    assert names.count([]) == len(table.rows) - 2 > 0
    lines = [text for row in table.rows for text in row if text.x > 0]
    assert " ".join(line.text for line in lines) == f"{command} ls"
    assert len({line.x for line in lines}) == 1


def test_a_missing_library_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(mt.UsageError, match=r"PDF need matplotlib: pip install 'mteval-figures"):
        pages.pdf(report_of([table_of(1)]), Layout())
