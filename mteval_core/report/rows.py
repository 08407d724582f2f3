"""Records and comparisons of a report as the rows of one table without nested values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mteval_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Row = Mapping[str, object]

WHOSE = ("system", "level", "id", "baseline")
"""Columns that say whose numbers a row of a wide table has."""

HOW = (
    "n_segments",
    "ci_level",
    "ci_n",
    "ci_kind",
    "test",
    "trials",
    "exact",
    "correction",
    "margin",
)
"""Columns that metrics have in common, unless their values differ."""


def rows_of(
    records: Sequence[Row], comparisons: Sequence[Row], *, signatures: bool = True
) -> list[dict[str, object]]:
    """Write the records, then the comparisons, all with the same columns.

    What is nested has a column for each part, such as ``ci_low``; the values of a metric have their
    own names, such as ``BP``. A signature is in the first of its rows only. A column in which
    nothing is known is left out.

    Parameters
    ----------
    records, comparisons : sequence of mapping
        Those of a report.
    signatures : bool
        Whether there is a column with the signatures.
    """
    rows = [dict(_flat(one)) for one in (*map(_record, records), *map(_comparison, comparisons))]
    seen = set() if signatures else {row.get("signature") for row in rows}
    for row in rows:
        if row.get("signature") in seen:
            row["signature"] = None
        seen.add(row.get("signature"))
    known = {key for row in rows for key, value in row.items() if value is not None}
    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if key in known]
    return [{key: row.get(key) for key in keys} for row in rows]


def widened(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Put the metrics of a system next to each other.

    The score of a metric is in the column of its name, and what else it has in columns such as
    ``bleu_ci_low``.

    Raises
    ------
    UsageError
        If the rows are not one for each system and metric.
    """
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(map(row.get, WHOSE)), []).append(row)
    if not all(
        "score" in group[0] and len({row.get("metric") for row in group}) == len(group)
        for group in groups.values()
    ):
        raise UsageError("--wide needs one score per system and metric; these records are others")
    varying = {
        key for group in groups.values() for key in HOW if len({row.get(key) for row in group}) > 1
    }
    common = {*WHOSE, *HOW} - varying

    def name(row: Row, key: str) -> str:
        own = f"{row['metric']}" if key == "score" else f"{row['metric']}_{key}"
        return key if key in common else own

    wide = [
        {name(row, key): row[key] for row in group for key in row if key != "metric"}
        for group in groups.values()
    ]
    return rows_of(wide, ())


def _record(record: Row) -> Row:
    """Write the difference of a record as a number: the rest is in the row of the comparison."""
    match record:
        case {"difference": {"value": value}}:
            return {**record, "difference": value}
    return record


def _comparison(comparison: Row) -> Row:
    """Write a comparison with the columns of records, where they mean the same."""
    interval = ("low", "high", "level", "kind")
    rest = {key: value for key, value in comparison.items() if key not in interval}
    return {**rest, "level": "comparison", "ci": {key: comparison[key] for key in interval}}


def _flat(record: Row) -> Iterator[tuple[str, object]]:
    """Yield the columns of a record, the values of its metric last."""
    values = record.get("values")
    own = values if isinstance(values, Mapping) else {}
    yield from _columns((key, value) for key, value in record.items() if value is not own)
    yield from _columns((key if key not in record else f"values_{key}", own[key]) for key in own)


def _columns(items: Iterable[tuple[str, object]]) -> Iterator[tuple[str, object]]:
    for key, value in items:
        if isinstance(value, Mapping):
            yield from _columns((f"{key}_{part}", one) for part, one in value.items())
        elif isinstance(value, (list, tuple)):
            yield key, json.dumps(value, ensure_ascii=False, allow_nan=False)
        else:
            yield key, value
