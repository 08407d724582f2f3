"""Workbooks, read back by another library."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest
from mteval_figures import workbook

import mteval_core as mt
from mteval_core.report import Layout

RECORDS = [
    {"system": "A", "metric": "m", "score": 1 / 3, "ci": {"low": 0.25, "high": None}},
    {"system": "=1+1", "metric": "m", "score": 2, "ci": None},
]


def read(report: mt.Report, layout: Layout | None = None) -> Any:
    """Write a report, and read its sheets."""
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("xlsxwriter")
    written = workbook.xlsx(report, layout or Layout())
    return openpyxl.load_workbook(io.BytesIO(written))


def report_of(records: list[dict[str, Any]]) -> mt.Report:
    """Report records."""
    return mt.Report.of("x", "X", [], records, inputs={}, notes=["Few."], signatures=["m|v:1"])


def test_numbers_are_numbers_and_texts_are_no_formulas() -> None:
    book = read(report_of(RECORDS))
    assert list(book["records"].values) == [
        ("system", "metric", "score", "ci_low"),
        ("A", "m", pytest.approx(1 / 3, abs=0), 0.25),
        ("=1+1", "m", 2, None),
    ]
    assert book["records"]["A3"].data_type == "s"
    assert [row[0] for row in book["notes"].values] == ["Few.", "m|v:1"]


def test_wide_workbooks_have_a_column_for_each_metric() -> None:
    records = [{"system": "A", "metric": name, "score": k} for k, name in enumerate("xyz")]
    assert list(read(report_of(records), Layout(wide=True))["records"].values) == [
        ("system", "x", "y", "z"),
        ("A", 0, 1, 2),
    ]


def test_a_report_without_records_is_an_empty_sheet() -> None:
    assert list(read(report_of([]))["records"].values) == []


def test_the_same_report_gives_the_same_bytes() -> None:
    pytest.importorskip("xlsxwriter")
    report = report_of(RECORDS)
    assert workbook.xlsx(report, Layout()) == workbook.xlsx(report, Layout())


def test_more_rows_than_a_sheet_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xlsxwriter")
    monkeypatch.setattr(workbook, "MOST_ROWS", 1)
    with pytest.raises(mt.UsageError, match="holds 1 rows, not 2: write a CSV file"):
        workbook.xlsx(report_of(RECORDS), Layout())


def test_a_missing_library_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(mt.UsageError, match=r"pip install 'mteval-figures\[xlsx\]'"):
        workbook.xlsx(report_of(RECORDS), Layout())
