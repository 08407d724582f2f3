"""Columns of records: one field of every record as the segments of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mteval_core
from mteval_readers.fields import Field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Block = tuple[Sequence[int], Sequence[Mapping[str, Any]]]
    """The numbers of some lines, and their records."""

    Column = mteval_core.Text | list[str | list[str | None] | None]
    """The segments of a text; None is a missing one, a list has several texts."""


def column(blocks: Iterable[Block], name: str, path: str) -> Column:
    """Read a field of all records.

    Parameters
    ----------
    blocks : iterable of (sequence of int, sequence of mapping)
        Numbers of lines, and records.
    name : str
        The field, such as ``hyp`` or ``refs[*]``.
    path : str
        The file, for messages.

    Returns
    -------
    Text or list of str, None or list

    Raises
    ------
    mteval_core.InputError
        If a record lacks the field, or its value is not a text.
    """
    field = Field.parse(name)
    column: list[str | list[str | None] | None] = []
    for lines, records in blocks:
        values: list[Any] = [record.get(name) for record in records]
        if {*map(type, values)} != {str}:
            pairs = zip(lines, records, strict=True)
            values = [field.text(record, f"{path}:{line}") for line, record in pairs]
        column += values
    return packed(column)


def packed(column: list[Any]) -> Column:
    """Make a text of strings without line feeds, which is faster than segment by segment."""
    try:
        lines = "\n".join([*column, ""])  # a last segment that is empty has its line end, too
        data = lines.encode()
    except (TypeError, UnicodeEncodeError):
        return column  # of which the host says what is wrong
    has_more_lines = lines.count("\n") > len(column) or not column
    return column if has_more_lines else mteval_core.Text.from_lines(data)


def names(blocks: Iterable[Block]) -> list[str]:
    """Name the fields of the first record, as a user can write them."""
    first = next((records[0] for _, records in blocks if records), {})
    return list(paths(first))


def paths(record: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """Yield the fields of a record and of the records in it."""
    for key, value in record.items():
        if isinstance(value, dict):
            yield from paths(value, f"{before}{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield from paths(value[0], f"{before}{key}[*].")
        else:
            yield f"{before}{key}[*]" if isinstance(value, list) else f"{before}{key}"
