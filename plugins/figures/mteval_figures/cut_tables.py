"""Tables that are too wide for a page, cut into parts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mteval_core.report import Column, Table

__all__ = ["cut", "with_columns"]


def cut(table: Table, width: Callable[[Table], float], most: float) -> Iterator[Table]:
    """Cut a table that is too wide between its groups of columns, or within one that is too wide.

    Each part repeats the names of the rows.

    Parameters
    ----------
    table : Table
        The table.
    width : callable
        Returns the width of a table.
    most : float
        How wide a part may be. A single column may be wider.
    """
    pieces = [
        piece
        for _, columns in table.groups
        for piece in (
            [columns]
            if width(with_columns(table, columns)) <= most
            else [(one,) for one in columns]
        )
    ]
    part: tuple[Column, ...] = ()
    for piece in pieces:
        if part and width(with_columns(table, part + piece)) > most:
            yield with_columns(table, part)
            part = ()
        part += piece
    yield with_columns(table, part)


def with_columns(table: Table, columns: tuple[Column, ...]) -> Table:
    """Return the table with other columns for the same rows."""
    return replace(table, columns=columns)
