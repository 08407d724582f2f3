"""Records and comparisons of a report as Parquet, unrounded, in one table.

The rows and columns are those of CSV, and columns have types: numbers are numbers. A column whose
values have no type in common is JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mteval_scale.arrow import pyarrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.report import Layout, Report


def parquet(report: Report, layout: Layout) -> bytes:
    """Write a row per record and comparison.

    Raises
    ------
    UsageError
        If pyarrow is not installed.
    """
    pa = pyarrow()
    import pyarrow.parquet as pq  # pyright: ignore[reportMissingImports] - optional

    rows = report.rows(layout)
    head = rows[0] if rows else ()
    table = pa.table({key: _column([row[key] for row in rows]) for key in head})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _column(values: Sequence[object]) -> Any:
    """Return values as a ``pyarrow.Array`` of the type that they have in common."""
    pa = pyarrow()
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if value is None else json.dumps(value) for value in values])
