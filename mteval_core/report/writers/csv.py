"""Records of a report as CSV and TSV, unrounded."""

from __future__ import annotations

import csv as csv_module
import io
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mteval_core.report.report import Layout, Report

__all__ = ["csv", "tsv"]


def csv(report: Report, _layout: Layout) -> str:
    """Write the records separated by commas, nested values as JSON."""
    return _separated(report, ",")


def tsv(report: Report, _layout: Layout) -> str:
    """Write the records separated by tabs, nested values as JSON."""
    return _separated(report, "\t")


def _separated(report: Report, delimiter: str) -> str:
    out = io.StringIO()
    keys = list(dict.fromkeys(key for record in report.records for key in record))
    writer = csv_module.DictWriter(out, keys, delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    for record in report.records:
        writer.writerow({key: _flat(value) for key, value in record.items()})
    return out.getvalue()


def _flat(value: object) -> object:
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    return repr(value) if isinstance(value, float) else value
