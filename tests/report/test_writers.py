"""The same report in every format for readers: groups of columns, marks, width, escapes."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

import pytest
from wcwidth import wcswidth, wcwidth

from mteval_core.report import Cell, Column, Layout, Meaning, Report, Table
from mteval_core.report.writers.markdown import markdown
from mteval_core.report.writers.text import ONE_WIDE, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mteval_core.report import CellMark


def column(group: str, title: str, *numbers: str, marks: tuple[CellMark, ...] = ()) -> Column:
    cells = [Cell((number,), mark) for number, mark in zip_longest(numbers, marks)]
    return Column((title,), tuple(cells), group)


TABLE = Table(
    "Adequacy",
    ("metric",),
    (("BLEU",), ("a_b:c=1",)),
    (
        column("Case", "P", "0.81", "-0.05", marks=("best", "worse")),
        column("Case", "L", "0.77", "-0.10"),
        column("NoCase", "P", "0.84", "0.83", marks=("best", "equal")),
        column("NoCase", "L", "0.80", "0.79"),
    ),
)

REPORT = Report(
    "What & why",
    make_parts=lambda _: [TABLE],
    make_records=list,
    make_data=lambda _: {},
    summary="2 systems",
    legend=[
        (
            Meaning("best of the column", "best"),
            Meaning("not significantly different from the best", "equal"),
        )
    ],
    notes=["a <note>"],
    signatures=["BLEU|nrefs:1"],
)


def test_columns_line_up() -> None:
    lines = text(REPORT, Layout(columns=80)).split("\n")
    at = lines.index("Adequacy")
    top, titles, rule, *rows = lines[at + 1 : at + 6]
    spans = [(m.start(), m.end()) for m in re.finditer("-+", rule)]
    assert len(spans) == 3
    for start, stop in spans[1:]:
        assert titles[start:stop].split() == ["P", "L"]
        assert len(rows[0][start:stop].split()) == 2
    assert "Case" in top[spans[1][0] : spans[1][1]]
    assert rows[0].split() == ["BLEU", "0.81*", "0.77", "0.84*", "0.80"]
    assert rows[1].split() == ["a_b:c=1", "-0.05", "-0.10", "0.83~", "0.79"]


@pytest.mark.parametrize("width", [20, 30, 40, 80])
def test_wide_tables_are_cut_between_groups(width: int) -> None:
    report = text(REPORT, Layout(columns=width))
    blocks = report.count("Adequacy")
    assert blocks == {20: 3, 30: 2, 40: 1, 80: 1}[width]
    for line in report.split("\n"):
        assert len(line) <= width or "|" in line
    assert report.count("0.84*") == 1


def test_markdown() -> None:
    report = re.sub(" +", " ", markdown(REPORT, Layout()))
    assert report.startswith("## What & why\n\n2 systems\n\n**Adequacy**\n\n| metric | Case P |")
    assert "| BLEU | **0.81** | 0.77 | **0.84** | 0.80 |\n" in report
    assert r"| a\_b:c=1 | -0.05 | -0.10 | *0.83* | 0.79 |" in report
    assert "bold: best of the column, italics: not significantly" in report


def compared(name: str = "B") -> Report:
    """Report one significant and one other difference, each with its interval and p."""
    cells = (
        Cell(("-1.02", "[-1.94,", "-0.03]", "0.0440"), "significant"),
        Cell(("+0.50", "[-0.20,", "+1.10]", "0.2000"), "insignificant"),
    )
    table = Table(
        f"Difference to {name}",
        ("system",),
        (("A",), ("C",)),
        (Column(("BLEU ↑", "difference [interval] p"), cells),),
    )
    legend = [(Meaning("↑ higher is better"),), (Meaning("p < 0.05", "significant"),)]
    return Report("Scores", lambda _: [table], list, lambda _: {}, legend=legend)


def test_significance_in_text() -> None:
    assert text(compared(), Layout()).split("\n") == [
        "Difference to B",
        "system                        BLEU ↑",
        "             difference [interval] p",
        "------  ----------------------------",
        "A       -1.02† [-1.94, -0.03] 0.0440",
        "C       +0.50  [-0.20, +1.10] 0.2000",
        "",
        "↑ higher is better",
        "† p < 0.05",
        "",
    ]


@pytest.mark.parametrize(
    ("write", "significant", "insignificant", "meaning"),
    [
        (
            markdown,
            "-1.02† [-1.94, -0.03] 0.0440",
            "+0.50 [-0.20, +1.10] 0.2000",
            "- † p < 0.05",
        ),
    ],
)
def test_significance_in_other_formats(
    write: Callable[[Report, Layout], str], significant: str, insignificant: str, meaning: str
) -> None:
    report = write(compared(), Layout())
    assert significant in report
    assert insignificant in report
    assert meaning in report


def test_a_report_without_a_summary_has_no_title() -> None:
    assert all("Scores" not in write(compared(), Layout()) for write in (text, markdown))


def test_numbers_among_the_names_are_aligned_to_the_right() -> None:
    numbers = Column(("mean",), (Cell(("0.5",)), Cell(("0.7",))))
    table = Table("", ("segments", "x"), ((5, "007"), (10, "10")), (numbers,))
    report = Report("Curve", lambda _: [table], list, lambda _: {})
    assert text(report, Layout()).split("\n")[2:4] == [
        "       5  007   0.5",
        "      10  10    0.7",
    ]


def test_what_no_format_asks_for_is_not_made() -> None:
    made: list[str] = []

    def records() -> list[Mapping[str, object]]:
        made.append("records")
        return [{"score": 1.5}]

    def data(report: Report) -> Mapping[str, object]:
        made.append("data")
        return {"records": report.records}

    report = Report("Scores", lambda _: [TABLE], records, data)
    text(report, Layout())
    assert made == []
    assert report.data == report.data == {"records": [{"score": 1.5}]}
    assert made == ["data", "records"]


def test_signs_that_are_taken_for_one_column_take_one() -> None:
    one_wide = [sign for sign in map(chr, range(0x3000)) if ONE_WIDE.fullmatch(sign)]
    assert {*"Aß±·†–ρ↑"} < {*one_wide}
    assert {wcwidth(sign) for sign in one_wide} == {1}


@pytest.mark.parametrize("name", ["汉字", "ﾊﾝ", "🇩🇪", "👩‍🔬", "e\u0301", "\u200b", "ก็"])
def test_names_of_any_width_leave_numbers_aligned(name: str) -> None:
    cells = (Cell(("1.5",)), Cell(("20.5",)))
    table = Table(None, ("system",), ((name,), ("b",)), (Column(("x",), cells),))
    report = Report("", lambda _: [table], list, lambda _: {})
    _, _, one, other = text(report, Layout()).splitlines()
    assert (one.split(), other.split()) == ([name, "1.5"], ["b", "20.5"])
    assert wcswidth(one) == wcswidth(other) == len("system  20.5")
