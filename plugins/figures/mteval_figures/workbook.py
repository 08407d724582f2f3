"""Records of a report as a workbook for Excel and LibreOffice, by XlsxWriter."""

from __future__ import annotations

import io
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mteval_core import UsageError

if TYPE_CHECKING:
    from mteval_core.report import Layout, Report

__all__ = ["xlsx"]

WIDEST = 14
"""Largest width of a column in characters, unless its head is longer."""

MOST_ROWS = 1_048_575
"""Rows that a sheet holds below its head."""

UNDATED = datetime(2000, 1, 1)
"""Date of every workbook, so that the same report gives the same bytes."""


def xlsx(report: Report, layout: Layout) -> bytes:
    """Write a sheet with a row per record and comparison, and one with notes and signatures.

    Numbers are numbers, unrounded. Texts are never formulas or links.

    Raises
    ------
    UsageError
        If XlsxWriter is not installed, or a sheet cannot hold the rows.
    """
    try:
        from xlsxwriter import Workbook
    except ImportError:
        raise UsageError("workbooks need XlsxWriter: pip install 'mteval-figures[xlsx]'") from None
    rows = [*report.rows(layout)]
    if len(rows) > MOST_ROWS:
        raise UsageError(
            f"a sheet of a workbook holds {MOST_ROWS} rows, not {len(rows)}: write a CSV file"
        )
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with Workbook(out, options) as book:
        book.set_properties({"title": report.title, "created": UNDATED})
        _write_rows(book.add_worksheet("records"), rows, book.add_format({"bold": True}))
        notes = book.add_worksheet("notes")
        for n, line in enumerate([*report.heading, *report.notes, *report.signatures]):
            notes.write_string(n, 0, line)
    return out.getvalue()


def _write_rows(sheet: Any, rows: list[dict[str, object]], bold: Any) -> None:
    """Write a table whose head stays on the screen, and whose rows can be filtered."""
    if not rows:
        return
    head = list(rows[0])
    sheet.write_row(0, 0, head, bold)
    for n, row in enumerate(rows, 1):
        sheet.write_row(n, 0, row.values())
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, len(rows), len(head) - 1)
    for k, key in enumerate(head):
        longest = max(len(str(row[key])) for row in rows)
        sheet.set_column(k, k, max(len(key) + 3, min(longest, WIDEST)))
