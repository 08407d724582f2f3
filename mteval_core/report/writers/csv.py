"""Records and comparisons of a report as CSV and TSV, unrounded, in one table.

A comparison has a row with ``comparison`` as its level and its difference in the column of that
name.
"""

from __future__ import annotations

import csv as csv_module
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.report.layout import Layout
    from mteval_core.report.report import Report

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet computes. An apostrophe before it makes it text."""


def csv(report: Report, layout: Layout) -> str:
    """Write a row per record and comparison, separated by commas."""
    return _separated(report.rows(layout), ",")


def tsv(report: Report, layout: Layout) -> str:
    """Write a row per record and comparison, separated by tabs."""
    return _separated(report.rows(layout), "\t")


def _separated(rows: Sequence[Mapping[str, object]], delimiter: str) -> str:
    out = io.StringIO()
    head = rows[0] if rows else ()
    writer = csv_module.DictWriter(out, head, delimiter=delimiter, lineterminator="\n")
    writer.writerow({key: _cell(key) for key in head})
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return repr(value) if isinstance(value, float) else value
