"""Records and comparisons of a report as the rows of one table without nested values."""

from __future__ import annotations

import json
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from mteval_core.errors import UsageError
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Row = Mapping[str, object]

WHOSE = ("system", "level", "id", "baseline")
"""Columns that say whose numbers a row of a wide table has."""

CI = ("ci_level", "ci_n", "ci_kind")
HOW = ("n_segments", *CI, "test", "trials", "exact", "correction", "margin")
"""Columns that metrics have in common, unless their values differ."""


class Rows(Frozen, eq=False):
    """The records, then the comparisons, all with the same columns, made while they are read.

    What is nested has a column for each part, such as ``ci_low``; the values of a metric have their
    own names, such as ``BP``. A signature is in the first of its rows only. A column in which
    nothing is known is left out.

    Parameters
    ----------
    make_records : callable
        Returns the records of a report.
    comparisons : sequence of mapping
        Those of a report.
    signatures : bool
        Whether there is a column with the signatures.
    """

    make_records: Callable[[], Iterable[Row]]
    comparisons: Sequence[Row] = ()
    signatures: bool = True

    @cached_property
    def columns(self) -> dict[str, set[type]]:
        """The types of what is known in each column."""
        found: dict[str, set[type]] = {}
        kinds = ((tuple(row), tuple(map(type, row.values()))) for row in self._flat())
        for keys, types in dict.fromkeys(kinds):  # few: almost all rows are alike
            for key, kind in zip(keys, types, strict=True):
                found.setdefault(key, set()).add(kind)
        return {key: known for key, types in found.items() if (known := types - {type(None)})}

    def __iter__(self) -> Iterator[dict[str, object]]:
        columns = self.columns
        for row in self._flat():
            yield {key: row.get(key) for key in columns}

    def _flat(self) -> Iterator[dict[str, object]]:
        seen: set[object] = set()
        for one in chain(map(_record, self.make_records()), map(_comparison, self.comparisons)):
            row = _flat(one)
            signature = row.get("signature")
            row |= {} if self.signatures and signature not in seen else {"signature": None}
            seen.add(signature)
            yield row


def wide_rows(rows: Iterable[Row]) -> Rows:
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

    def is_common(key: str) -> bool:
        return all(len({row.get(key) for row in group}) == 1 for group in groups.values())

    common = {*WHOSE, *filter(is_common, HOW)}

    def name(row: Row, key: str) -> str:
        own = f"{row['metric']}" if key == "score" else f"{row['metric']}_{key}"
        return key if key in common else own

    wide = [
        {name(row, key): row[key] for row in group for key in row if key != "metric"}
        for group in groups.values()
    ]
    return Rows(lambda: wide)


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


def _flat(record: Row) -> dict[str, object]:
    """Return the columns of a record, the values of its metric last."""
    values = record.get("values")
    own = values if isinstance(values, dict) else {}
    row: dict[str, object] = {}
    _put((item for item in record.items() if item[1] is not own), row)
    _put(((key if key not in record else f"values_{key}", own[key]) for key in own), row)
    return row


def _put(items: Iterable[tuple[str, object]], row: dict[str, object]) -> None:
    for key, value in items:
        if isinstance(value, dict):
            _put(((f"{key}_{part}", one) for part, one in value.items()), row)
        elif isinstance(value, (list, tuple)):
            row[key] = json.dumps(value, ensure_ascii=False, allow_nan=False)
        else:
            row[key] = value
