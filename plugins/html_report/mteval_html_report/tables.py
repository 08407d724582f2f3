"""The tables of a report with what a browser needs: numbers to sort by, and bars for intervals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from mteval_core import Cell, Column, Table

    Ends: TypeAlias = tuple[float | None, float | None]

__all__ = ["Bar", "Grid", "Shown", "grid"]

WIDE = 100
"""Width of a bar in pixels."""

NUMBER = re.compile(r"[<≤]?\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
MARKS = {"significant": "†"}
ARROWS = {*"↑↓"}
"""In the heads of metrics."""


class Bar(NamedTuple):
    """An interval, from the left of its column in pixels; `zero` is None if 0 is outside."""

    low: float
    value: float
    high: float
    zero: float | None


class Shown(NamedTuple):
    """A cell: its number, signs and the rest, the number to sort by, its mark and its bar."""

    text: str
    signs: str
    rest: str
    number: float | None
    mark: str
    bar: Bar | None


class Grid(NamedTuple):
    """A table: titles of the names, heads of the columns, groups above them, and rows."""

    caption: str
    titles: tuple[str, ...]
    groups: list[tuple[str, int]]
    heads: list[tuple[str, ...]]
    rows: list[tuple[tuple[str | int, ...], list[Shown]]]


def grid(table: Table) -> Grid:
    """Prepare a table for the page."""
    ends = [ends_of(table.columns, k) for k in range(len(table.columns))]
    known = [
        [*map(number, column.cells), *(end for both in some for end in both)]
        for column, some in zip(table.columns, ends, strict=True)
        if any(low is not None for low, _ in some)
    ]
    every = [x for some in known for x in some] if are_alike(table.columns) else None
    columns = [
        list(of_column(column, some, every))
        for column, some in zip(table.columns, ends, strict=True)
    ]
    groups = [(title or "", len(some)) for title, some in table.groups]
    return Grid(
        table.caption,
        table.titles,
        groups=groups if any(title for title, _ in groups) else [],
        heads=[column.heads for column in table.columns],
        rows=[(name, [cells[k] for cells in columns]) for k, name in enumerate(table.names)],
    )


def are_alike(columns: Sequence[Column]) -> bool:
    """Tell whether columns have the same unit: they are no metrics, and no groups."""
    return not any(column.group or ARROWS & {*"".join(column.heads)} for column in columns)


def ends_of(columns: Sequence[Column], k: int) -> list[Ends]:
    """Find the intervals of a column, in its cells or in the columns L and U after it."""
    if [column.heads[-1] for column in columns[k + 1 : k + 3]] == ["L", "U"]:
        low, high = columns[k + 1].cells, columns[k + 2].cells
        return [(number(a), number(b)) for a, b in zip(low, high, strict=True)]
    return list(map(interval, columns[k].cells))


def of_column(
    column: Column, ends: Sequence[Ends], scale: Sequence[float | None] | None
) -> Iterator[Shown]:
    """Prepare the cells of a column, with bars on a scale (default: that of the column)."""
    values = list(map(number, column.cells))
    numbers = [
        x for x in scale or [*values, *(end for both in ends for end in both)] if x is not None
    ]
    for cell, value, (low, high) in zip(column.cells, values, ends, strict=True):
        bar = None
        if value is not None and low is not None and high is not None:
            bar = scaled(numbers, (low, value, high))
        first, *rest = (part.strip() for part in cell.parts)
        yield Shown(
            first + MARKS.get(cell.mark or "", ""),
            cell.signs,
            rest=" ".join(filter(None, rest)),
            number=value,
            mark=cell.mark or "",
            bar=bar,
        )


def number(cell: Cell) -> float | None:
    """Read the number that a cell begins with; None if it begins with something else."""
    found = NUMBER.match(cell.parts[0].strip())
    return float(found[1]) if found else None


def interval(cell: Cell) -> Ends:
    """Read the ends of an interval in brackets."""
    found = re.search(rf"\[{NUMBER.pattern},\s*{NUMBER.pattern}\]", " ".join(cell.parts[1:]))
    return (float(found[1]), float(found[2])) if found else (None, None)


def scaled(numbers: Sequence[float], marks: tuple[float, float, float]) -> Bar:
    """Place the ends of an interval and its value between the extremes of the scale."""
    least, most = min(numbers), max(numbers)
    room = (most - least) or 1.0

    def at(number: float) -> float:
        return round(4 + (WIDE - 8) * (number - least) / room, 1)

    low, value, high = map(at, marks)
    return Bar(low, value, high, at(0) if least < 0 < most else None)
