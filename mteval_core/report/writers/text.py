"""Reports in plain text. A table wider than the page is cut between its columns."""

from __future__ import annotations

import re
import textwrap
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.names import printable
from mteval_core.report.grid import Table
from mteval_core.report.layout import MARKS, WITHOUT_SYMBOL
from mteval_core.report.parts import Passage, Picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.report.grid import Column
    from mteval_core.report.layout import CellMark, Layout
    from mteval_core.report.parts import ReportPart
    from mteval_core.report.report import Report

PREFIXES: Mapping[CellMark, str] = {mark: f"{symbol} " for mark, symbol in MARKS.items()}

BOLD, FAINT = "1", "2"
"""Codes of the terminal: for the best numbers, and for rules and signatures."""

GAP = "  "
"""Between columns that have rules of their own."""

CODES = re.compile("\x1b\\[[0-9]*m")
ONE_WIDE = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u21ff]*"
)
"""Letters and signs of one column, of which nearly all tables consist: to look up the width of
others takes a library that is slow to import."""


def text(report: Report, layout: Layout) -> str:
    """Write the parts, with the legend, the notes and the signatures below them."""
    width = layout.columns
    parts = [_filled(line, width) for line in report.heading]
    for part in report.parts(layout):
        parts += _part(part, layout)
    parts.append("\n".join(_filled(line, width) for line in report.legend_lines(PREFIXES)))
    parts.append("\n".join(_filled(f"! {note}", width, "  ") for note in report.notes))
    faint = [_painted(line, FAINT) if layout.colour else line for line in report.signatures]
    parts.append("\n".join(faint))  # each on one line, to be copied
    return "\n\n".join(part for part in parts if part) + "\n"


def _part(part: ReportPart, layout: Layout) -> list[str]:
    """Write a table, a picture or a passage."""
    match part:
        case Table():
            caption = [part.caption] if part.caption else []
            made = blocks(part, layout.columns, colour=layout.colour)
            return ["\n".join([*caption, block]) for block in made]
        case Picture():
            title = _filled(printable(part.title), layout.columns, "  ")
            return [f"{title}\n{part.text(layout)}"]
        case Passage():
            return [_filled(printable(part.text), layout.columns)]
    return []


def _filled(line: str, width: int, indent: str = "") -> str:
    return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)


def _painted(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


# Tables


def blocks(table: Table, width: int, *, colour: bool = False) -> list[str]:
    """Cut a table into blocks that fit the page.

    Each block repeats the names of the rows. It holds as many groups of columns as fit, but at
    least one; a group that is too wide for a block of its own is cut between its columns.
    """
    names = _names(table)
    strips: list[Strip] = []
    for title, columns in table.groups:
        strip = _strip(title, columns, colour=colour)
        fits = _width([names, strip]) <= width
        strips += [strip] if fits else [_strip(title, [one], colour=colour) for one in columns]
    result: list[str] = []
    while strips:
        stop = len(strips)
        while _width([names, *strips[:stop]]) > width and stop > 1:
            stop -= 1
        result.append("\n".join(_joined([names, *strips[:stop]], width, colour=colour)))
        strips = strips[stop:]
    return result


class Strip(NamedTuple):
    """Columns that are printed as one: the lines of their heads, a rule, and a line for each row.

    All lines take as much room.
    """

    heads: list[str]
    rule: str
    body: list[str]


def _width(strips: Sequence[Strip]) -> int:
    return sum(len(strip.rule) + len(GAP) for strip in strips) - len(GAP)


def _joined(strips: Sequence[Strip], width: int, *, colour: bool) -> list[str]:
    """Put strips next to each other, all rules in one line that fits the page."""
    depth = max(len(strip.heads) for strip in strips)
    columns = [
        [*heads, *[" " * len(rule)] * (depth - len(heads)), rule, *body]
        for heads, rule, body in strips
    ]
    lines = [GAP.join(row).rstrip() for row in zip(*columns, strict=True)]
    lines[depth] = lines[depth][:width].rstrip()
    if colour:
        lines[depth] = _painted(lines[depth], FAINT)
    return [line for line in lines if line]


def _aligned(
    heads: Sequence[Sequence[str]],
    body: Sequence[Sequence[str]],
    alignments: Sequence[str],
    gap: str = " ",
) -> Strip:
    """Align columns, with a rule between their heads and their body."""
    widths = [max(map(_shown_width, column)) for column in zip(*heads, *body, strict=True)]

    def line(row: Sequence[str]) -> str:
        room = [" " * (n - _shown_width(cell)) for cell, n in zip(row, widths, strict=True)]
        cells = zip(row, room, alignments, strict=True)
        return gap.join(f"{r}{one}" if side == "right" else f"{one}{r}" for one, r, side in cells)

    rule = (gap if gap == GAP else "-").join("-" * n for n in widths)
    return Strip(list(map(line, heads)), rule, list(map(line, body)))


def _shown_width(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    text = CODES.sub("", text)
    if ONE_WIDE.fullmatch(text):
        return len(text)
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def _names(table: Table) -> Strip:
    """Align the names of the rows, integers on the right."""
    columns = zip(*table.names, strict=True)
    are_numbers = (all(isinstance(name, int) for name in column) for column in columns)
    alignments = ["right" if each else "left" for each in are_numbers]
    names = [[str(name) for name in row] for row in table.names]
    return _aligned([table.titles], names, alignments, GAP)


def _strip(title: str | None, columns: Sequence[Column], *, colour: bool) -> Strip:
    """Align the columns of a group, their title centred above them."""
    heads = zip_longest(*(_heads(column) for column in columns), fillvalue="")
    bodies = [_body(column, colour=colour) for column in columns]
    right = ["right"] * len(columns)
    strip = _aligned(list(heads), list(zip(*bodies, strict=True)), right)
    if title is None:
        return strip
    above = [title.center(len(strip.rule)), *strip.heads]
    return _aligned([[head] for head in above], [[line] for line in strip.body], ["right"])


def _heads(column: Column) -> list[str]:
    """Lines of the head, above the numbers and not above their marks and signs."""
    room = " " * (column.competing + column.room)
    return [f"{head}{room}" for head in column.heads]


def _body(column: Column, *, colour: bool) -> list[str]:
    """Align the parts of the cells, each number followed by its mark and signs, or by spaces."""
    rows, room = [], column.room
    for (number, *rest), mark, signs in column.cells:
        shown = _painted(number, BOLD) if colour and mark == "best" else number
        symbol = "" if mark is None or mark in WITHOUT_SYMBOL else MARKS.get(mark, " ")
        rows.append([f"{shown}{symbol}{signs:<{room}}", *rest])
    if all(len(row) == 1 for row in rows):
        return [number for (number,) in rows]
    return _aligned([], rows, ["right"] * max(map(len, rows))).body
