"""The tables of a report with what a browser needs: numbers to sort by, and bars for intervals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from mteval_core.report import Cell, Column, Table

    Number: TypeAlias = float | None
    Triple: TypeAlias = tuple[Number, Number, Number]

__all__ = ["Bar", "Grid", "Shown", "grid"]

WIDE = 100
"""Width of a bar in pixels."""

NUMBER = re.compile(r"[<≤]?\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
MARKS = {"significant": "†"}
BRACKETS = ("[", "{")
ARROWS = {*"↑↓"}
"""In the names of metrics."""


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
    triples = [triples_of(table.columns, k) for k in range(len(table.columns))]
    scale = scales(table, triples)
    cells = [
        [shown(cell, triples[k][r], scale(k, r)) for r, cell in enumerate(column.cells)]
        for k, column in enumerate(table.columns)
    ]
    groups = [(title or "", len(some)) for title, some in table.groups]
    return Grid(
        table.caption,
        table.titles,
        groups=groups if any(title for title, _ in groups) else [],
        heads=[column.heads for column in table.columns],
        rows=[(name, [column[r] for column in cells]) for r, name in enumerate(table.names)],
    )


def triples_of(columns: Sequence[Column], k: int) -> list[Triple]:
    """Read numbers with their intervals, which are in the cells or in columns L and U after it."""
    ends = list(map(interval, columns[k].cells))
    if [column.heads[-1] for column in columns[k + 1 : k + 3]] == ["L", "U"]:
        low, high = columns[k + 1].cells, columns[k + 2].cells
        ends = [(number(x), number(y)) for x, y in zip(low, high, strict=True)]
    return [
        (low, number(cell), high) for cell, (low, high) in zip(columns[k].cells, ends, strict=True)
    ]


def scales(
    table: Table, triples: Sequence[Sequence[Triple]]
) -> Callable[[int, int], Sequence[float]]:
    """Return a function from column and row to the numbers among which a bar is placed.

    Bars have the scale of their metric: it is the row or the column whose name has an arrow. A
    column of a group has a scale of its own, too. Other tables have one scale.
    """
    if any(ARROWS & {*str(part)} for name in table.names for part in name):
        rows = list(map(known, zip(*triples, strict=True)))
        return lambda _, r: rows[r]
    if any(column.group or ARROWS & {*"".join(column.heads)} for column in table.columns):
        columns = list(map(known, triples))
        return lambda k, _: columns[k]
    every = known([triple for column in triples for triple in column])
    return lambda _k, _r: every


def known(triples: Iterable[Triple]) -> list[float]:
    """Return the numbers that have intervals, and the ends of these."""
    whole = (triple for triple in triples if None not in triple)
    return [number for triple in whole for number in triple if number is not None]


def shown(cell: Cell, triple: Triple, scale: Sequence[float]) -> Shown:
    """Prepare a cell, with a bar on a scale if it has an interval."""
    low, value, high = triple
    bar = None
    if low is not None and value is not None and high is not None:
        bar = scaled(scale, (low, value, high))
    first, *rest = (part.strip() for part in cell.parts)
    if first.startswith(BRACKETS):  # an interval without its number
        first, rest = " ".join(filter(None, (first, *rest))), []
    return Shown(
        first + MARKS.get(cell.mark or "", ""),
        cell.signs,
        rest=" ".join(filter(None, rest)),
        number=value,
        mark=cell.mark or "",
        bar=bar,
    )


def number(cell: Cell) -> Number:
    """Read the number that a cell begins with; None if it begins with something else."""
    found = NUMBER.match(cell.parts[0].strip())
    return float(found[1]) if found else None


def interval(cell: Cell) -> tuple[Number, Number]:
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
