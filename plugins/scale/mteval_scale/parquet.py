"""Records and comparisons of a report as Parquet, unrounded, in one table.

The rows and columns are those of CSV, and columns have types: numbers are numbers. A column whose
values have no type in common is JSON.
"""

from __future__ import annotations

import io
import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from mteval_scale.arrow import pyarrow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core.report import Layout, Report


ROWS_OF_BATCH = 1 << 12
"""Rows whose values are in memory as Python objects at the same time."""

BATCHES_OF_GROUP = 16
"""Batches of a row group, which are in memory as columns: 65,536 rows."""


def parquet(report: Report, layout: Layout) -> Iterator[bytes]:
    """Write a row per record and comparison, row group by row group.

    Raises
    ------
    UsageError
        If pyarrow is not installed.
    """
    pa = pyarrow()
    import pyarrow.parquet as pq  # pyright: ignore[reportMissingImports] - optional

    rows = report.rows(layout)
    types = {name: _type(known) for name, known in rows.columns.items()}
    schema = pa.schema([(name, known or pa.string()) for name, known in types.items()])
    sink, batches = io.BytesIO(), _batches(iter(rows), types)
    with pq.ParquetWriter(sink, schema) as writer:
        while group := [*islice(batches, BATCHES_OF_GROUP)]:
            writer.write_table(pa.Table.from_batches(group))
            yield sink.getvalue()
            sink.seek(0)
            sink.truncate()
    yield sink.getvalue()


def _type(known: set[type]) -> Any:
    """Return the type that the values of a column have in common; None if there is none."""
    pa = pyarrow()
    if known == {int, float}:
        return pa.float64()
    (one, *others) = known
    types = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}
    return None if others else types.get(one)


def _batches(rows: Iterator[Mapping[str, object]], types: Mapping[str, Any]) -> Iterator[Any]:
    """Yield rows as record batches."""
    while some := [*islice(rows, ROWS_OF_BATCH)]:
        arrays = [_array([row[name] for row in some], known) for name, known in types.items()]
        yield pyarrow().record_batch(arrays, [*types])


def _array(values: Sequence[object], known: Any) -> Any:
    """Return values as a ``pyarrow.Array``; as JSON if they have no type in common."""
    pa = pyarrow()
    if known is None:
        values = [None if value is None else json.dumps(value) for value in values]
    return pa.array(values, known or pa.string())
