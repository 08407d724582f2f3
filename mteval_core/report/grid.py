"""The tables of a report: named rows, and columns of cells with marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

__all__ = ["Cell", "Column", "Mark", "Table"]

Mark = Literal["best", "equal", "worse", "significant", "insignificant"]
"""What a mark says about a number.

In a column where rows compete: ``best``; ``equal``, not significantly different from the best;
``worse``, neither. In a column of tested differences or p-values: ``significant`` or
``insignificant``.
"""

COMPETING = ("best", "equal", "worse")


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Parameters
    ----------
    parts : tuple of str
        The number, followed by whatever belongs to it: the ends of its interval, its p-value.
        Plain text aligns each part with the same part of the cells above and below.
    mark : {"best", "equal", "worse", "significant", "insignificant"} or None
        Mark of the number; None in columns that have no marks.
    """

    parts: tuple[str, ...]
    mark: Mark | None = None

    @property
    def joined(self) -> str:
        """The parts on one line, without padding."""
        return " ".join(part.strip() for part in self.parts if part)


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    heads : tuple of str
        Lines of the head.
    cells : tuple of Cell
        One cell per row.
    group : str
        Title above adjacent columns that belong together; may be empty.
    """

    heads: tuple[str, ...]
    cells: tuple[Cell, ...]
    group: str = ""

    @property
    def competing(self) -> bool:
        """Whether the rows compete for the best number of this column."""
        return any(cell.mark in COMPETING for cell in self.cells)


@dataclass(frozen=True)
class Table:
    """Named rows and columns in groups.

    Parameters
    ----------
    caption : str
        What the table shows; may be empty.
    titles : tuple of str
        Heads of the columns that name the rows.
    names : tuple of tuple of (str or int)
        Names of each row, one per title. Plain text aligns integers to the right.
    columns : tuple of Column
        The other columns.
    """

    caption: str
    titles: tuple[str, ...]
    names: tuple[tuple[str | int, ...], ...]
    columns: tuple[Column, ...]

    @property
    def groups(self) -> list[tuple[str, Sequence[Column]]]:
        """Adjacent columns with the same group, in order."""
        by_group = groupby(self.columns, lambda column: column.group)
        return [(name, tuple(members)) for name, members in by_group]

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The cells of each row, without its names."""
        return [tuple(column.cells[k] for column in self.columns) for k in range(len(self.names))]
