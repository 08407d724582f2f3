"""Records and comparisons of a report as CSV and TSV, unrounded, in one table.

A comparison has a row with ``comparison`` as its level and its difference in the column of that
name.
"""

from __future__ import annotations

import csv as csv_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.report.layout import Layout
    from mteval_core.report.report import Report
    from mteval_core.report.rows import Rows

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet computes. An apostrophe before it makes it text."""


def csv(report: Report, layout: Layout) -> Iterator[str]:
    """Write a row per record and comparison, separated by commas."""
    return _separated(report.rows(layout), ",")


def tsv(report: Report, layout: Layout) -> Iterator[str]:
    """Write a row per record and comparison, separated by tabs."""
    return _separated(report.rows(layout), "\t")


def _separated(rows: Rows, delimiter: str) -> Iterator[str]:
    file: Any = SimpleNamespace(write=str)  # a writer returns what its file returns: the line
    writer = csv_module.writer(file, delimiter=delimiter, lineterminator="\n")
    yield writer.writerow(map(_cell, rows.columns))
    for row in rows:
        yield writer.writerow(map(_cell, row.values()))


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return repr(value) if isinstance(value, float) else value
