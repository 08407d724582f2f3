"""Records and comparisons of a report as CSV and TSV, unrounded, in one table.

A comparison has a row with ``comparison`` as its level and its difference in the column of that
name.
"""

from __future__ import annotations

import csv as csv_module
import io
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mteval_core.report.layout import Layout
    from mteval_core.report.report import Report

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet computes. An apostrophe before it makes it text."""


def csv(report: Report, _layout: Layout) -> str:
    """Write a row per record and comparison, separated by commas, nested values as JSON."""
    return _separated(report, ",")


def tsv(report: Report, _layout: Layout) -> str:
    """Write a row per record and comparison, separated by tabs, nested values as JSON."""
    return _separated(report, "\t")


def _separated(report: Report, delimiter: str) -> str:
    out = io.StringIO()
    rows = report.rows
    keys = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv_module.DictWriter(out, keys, delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _flat(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _flat(value: object) -> object:
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return repr(value) if isinstance(value, float) else value
