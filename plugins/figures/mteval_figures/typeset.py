"""Tables and paragraphs with the places of their texts, measured by matplotlib."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.report import Cell
from mteval_figures.charts import BETTER, WORSE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core.report import CellMark, Column, Table

__all__ = ["PREFIXES", "SIZE", "SMALL", "Placed", "PlacedTable", "lines_of"]

SIZE, SMALL = 8.0, 6.0
"""Sizes of type in points: of most texts; of raised letters and of signatures."""

GAP, NARROW = 12.0, 3.0
"""Points between columns, and between a number and what belongs to it."""

LONGEST = 380.0
"""Points after which a text of a table is broken into lines."""

DAGGER = "†"
STYLES: Mapping[CellMark, Mapping[str, str]] = {
    "best": {"weight": "bold"},
    "equal": {"style": "italic"},
    "passed": {"color": BETTER},
    "failed": {"color": WORSE},
}
PREFIXES: Mapping[CellMark, str] = {
    "best": "bold: ",
    "equal": "italics: ",
    "significant": f"{DAGGER} ",
}
"""How numbers with a mark look, and what the legend says of it."""


@cache
def _width(text: str, size: float = SIZE, **style: str) -> float:
    """Measure a text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size, **style)  # type: ignore[arg-type]
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width)


def lines_of(text: str, width: float, size: float, **style: str) -> Iterator[str]:
    """Break a text between its words, and a word that is longer than a line anywhere."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if _width(longer, size, **style) <= width:
            line = longer
            continue
        if line:
            yield line
        line = word
        while _width(line, size, **style) > width:
            ends = range(len(line) - 1, 0, -1)
            end = next(n for n in ends if n == 1 or _width(line[:n], size, **style) <= width)
            yield line[:end]
            line = line[end:]
    if line:
        yield line


class Placed(NamedTuple):
    """A text of a table, where it stands, and the signs that follow it."""

    x: float
    text: str
    align: str = "right"
    style: Mapping[str, str] = {}
    signs: str = ""


class PlacedTable:
    """A table whose texts have places.

    Parameters
    ----------
    table : Table
        The table.
    """

    def __init__(self, table: Table) -> None:
        table = _broken(table)
        names = zip(table.titles, zip(*table.names, strict=True), strict=True)
        boxes = [_Box.of_names(title, column) for title, column in names]
        boxes += map(_Box.of_numbers, table.columns)
        groups = _groups(table)
        for title, chosen in groups:
            inner = sum(boxes[k].width + GAP for k in chosen) - GAP
            more = max(_width(title) - inner, 0.0) / len(chosen)
            for k in chosen:
                boxes[k] = boxes[k].wider(more)
        starts = list(accumulate((box.width + GAP for box in boxes), initial=0.0))
        self.width: float = starts[-1] - GAP
        placed = list(zip(starts, boxes, strict=False))
        self.rows: list[list[Placed]] = [
            [text for x, box in placed for text in box.row(x, k)] for k in range(len(table.names))
        ]
        depth = max(len(box.heads) for box in boxes)
        self.heads: list[list[Placed]] = [
            [box.head(x, line) for x, box in placed] for line in range(depth)
        ]
        self.groups: list[tuple[str, float, float]] = [
            (title, starts[chosen[0]], starts[chosen[-1] + 1] - GAP) for title, chosen in groups
        ]


def _broken(table: Table) -> Table:
    """Break texts that are too long; their further lines are rows of their own."""
    named = [list(map(_pieces, row)) for row in table.names]
    rows = [[_lines(cell) for cell in row] for row in table.rows]
    lengths = [[*map(len, a), *map(len, b)] for a, b in zip(named, rows, strict=True)]
    heights = list(map(max, lengths))
    if sum(heights) == len(rows):
        return table
    lines = [(row, k) for row, height in enumerate(heights) for k in range(height)]
    names = (tuple(part[k] if k < len(part) else "" for part in named[row]) for row, k in lines)
    columns = (
        column._replace(
            cells=tuple(
                rows[row][n][k] if k < len(rows[row][n]) else Cell(("",)) for row, k in lines
            )
        )
        for n, column in enumerate(table.columns)
    )
    return replace(table, names=tuple(names), columns=tuple(columns))


def _lines(cell: Cell) -> list[Cell]:
    pieces = _pieces(cell.parts[0]) if len(cell.parts) == 1 else []
    return [Cell((str(piece),)) for piece in pieces] if len(pieces) > 1 else [cell]


def _pieces(name: str | int) -> list[str | int]:
    if isinstance(name, int) or _width(name) <= LONGEST:
        return [name]
    return [*lines_of(name, LONGEST, SIZE)]


def _groups(table: Table) -> list[tuple[str, range]]:
    """Return the titles of groups, each with the numbers of its columns."""
    groups, start = [], len(table.titles)
    for title, columns in table.groups:
        if title:
            groups.append((title, range(start, start + len(columns))))
        start += len(columns)
    return groups


class _Box(NamedTuple):
    """A column: its head, and texts in strips, each of one alignment, from its left edge."""

    heads: tuple[str, ...]
    strips: list[list[Placed]]
    width: float
    align: str = "center"

    @classmethod
    def of_names(cls, title: str, names: Sequence[str | int]) -> _Box:
        """Make the column that names the rows: texts to the left, integers to the right."""
        width = max(_width(str(name)) for name in (title, *names))
        is_number = all(isinstance(name, int) for name in names if name != "")
        x, align = (width, "right") if is_number else (0.0, "left")
        return cls((title,), [[Placed(x, str(name), align) for name in names]], width, align)

    @classmethod
    def of_numbers(cls, column: Column) -> _Box:
        """Make a column of numbers, right-aligned as each of their further parts.

        A column with a long text is one of texts, to the left.
        """
        texts = [str(cell.parts[0]) for cell in column.cells if len(cell.parts) == 1]
        if max(map(_width, texts), default=0.0) > LONGEST / 2:
            return cls.of_names(" ".join(column.heads), texts)
        after = max((_width(_signs(cell)) for cell in column.cells), default=0.0)
        strips: list[list[Placed]] = []
        x = 0.0
        for k in range(max((len(cell.parts) for cell in column.cells), default=0)):
            texts = [cell.parts[k].strip() if k < len(cell.parts) else "" for cell in column.cells]
            styles = [_style(cell) if k == 0 else {} for cell in column.cells]
            signs = ["" if k else _signs(cell) for cell in column.cells]
            wide = max(map(_width_of, texts, styles))
            x += wide + (NARROW if k and wide else 0.0)
            rows = zip(texts, styles, signs, strict=True)
            strips.append([Placed(x, text, style=style, signs=sign) for text, style, sign in rows])
            x += 0.0 if k else after
        return cls(column.heads, strips, x).wider(max(map(_width, column.heads)) - x)

    def wider(self, points: float) -> _Box:
        """Return a wider column, with its texts in the middle."""
        if points <= 0:
            return self
        shift = 0.0 if self.align == "left" else points / (2 if self.align == "center" else 1)
        strips = [[one._replace(x=one.x + shift) for one in strip] for strip in self.strips]
        return self._replace(strips=strips, width=self.width + points)

    def row(self, x: float, k: int) -> list[Placed]:
        """Return the texts of a row, where the column begins at ``x``."""
        return [strip[k]._replace(x=x + strip[k].x) for strip in self.strips if strip[k].text]

    def head(self, x: float, line: int) -> Placed:
        """Return a line of the head."""
        text = self.heads[line] if line < len(self.heads) else ""
        share = {"left": 0.0, "center": 0.5, "right": 1.0}[self.align]
        return Placed(x + share * self.width, text, self.align)


def _width_of(text: str, style: Mapping[str, str]) -> float:
    return _width(text, **{key: value for key, value in style.items() if key != "color"})


def _style(cell: Cell) -> Mapping[str, str]:
    return STYLES.get(cell.mark, {}) if cell.mark else {}


def _signs(cell: Cell) -> str:
    return cell.signs + (DAGGER if cell.mark == "significant" else "")
