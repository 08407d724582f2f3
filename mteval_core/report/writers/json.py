"""Reports as JSON: the records and all that belongs to them, unrounded."""

from __future__ import annotations

import json as json_module
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.report.layout import Layout
    from mteval_core.report.report import Report


def json(report: Report, _layout: Layout) -> str:
    """Write the version, the inputs, all records and all comparisons as one object."""
    return json_module.dumps(report.data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def jsonl(report: Report, _layout: Layout) -> Iterator[str]:
    """Write one record per line, then one comparison per line."""
    for record in chain(report.records, report.comparisons):
        yield f"{json_module.dumps(record, ensure_ascii=False, allow_nan=False)}\n"
