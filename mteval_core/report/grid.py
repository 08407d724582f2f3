"""The tables of a report: named rows, and columns of cells with marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

__all__ = ["Cell", "Column", "Mark", "Table", "cells"]

Mark = Literal["best", "equal", "worse", "significant", "insignificant"]
"""What a mark says about a number.

In a column where rows compete: ``best``; ``equal``, not significantly different from the best;
``worse``, neither. In a column of tested differences or p-values: ``significant`` or
``insignificant``.
"""

COMPETING = ("best", "equal", "worse")


class Cell(NamedTuple):
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

    def written(self, escape: Callable[[str], str], styles: Mapping[Mark, str]) -> str:
        """Write the parts next to one another, the number in the style of its mark.

        Parameters
        ----------
        escape : callable
            Escapes a string for the format.
        styles : mapping of str to str
            A template for the numbers with each mark, such as ``"**{}**"``.
        """
        number, *rest = (escape(part.strip()) for part in self.parts)
        if self.mark is not None:
            number = styles.get(self.mark, "{}").format(number)
        return " ".join(part for part in (number, *rest) if part)


def cells(texts: Iterable[str]) -> tuple[Cell, ...]:
    """Make cells without marks."""
    return tuple(Cell((text,)) for text in texts)


class Column(NamedTuple):
    """One column of a table.

    Parameters
    ----------
    heads : tuple of str
        Lines of the head.
    cells : tuple of Cell
        One cell per row.
    group : str or None
        Title above adjacent columns that belong together; may be empty. None for a column that
        stands alone.
    """

    heads: tuple[str, ...]
    cells: tuple[Cell, ...]
    group: str | None = None

    @property
    def competing(self) -> bool:
        """Whether the rows compete for the best number of this column."""
        return any(cell.mark in COMPETING for cell in self.cells)


@dataclass(frozen=True, eq=False)
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
    def groups(self) -> list[tuple[str | None, tuple[Column, ...]]]:
        """Titles and columns of the groups, in order; a column that stands alone is a group."""
        groups: list[tuple[str | None, tuple[Column, ...]]] = []
        for title, columns in groupby(self.columns, lambda column: column.group):
            if title is None:
                groups += [(None, (column,)) for column in columns]
            else:
                groups.append((title, tuple(columns)))
        return groups

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The cells of each row, without its names."""
        return [tuple(column.cells[k] for column in self.columns) for k in range(len(self.names))]
