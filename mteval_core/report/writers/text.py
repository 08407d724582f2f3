"""Reports in plain text. A table wider than the page is cut between its columns."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from mteval_core.explain.width import width as cells
from mteval_core.names import printable
from mteval_core.report.symbols import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mteval_core.explain.explanation import Explanation
    from mteval_core.report.grid import Column, Mark, Table
    from mteval_core.report.report import Layout, Report

__all__ = ["text"]

PREFIXES: Mapping[Mark, str] = {mark: f"{symbol} " for mark, symbol in MARKS.items()}

BOLD, FAINT = "1", "2"
"""Codes of the terminal: for the best numbers, and for rules and signatures."""

ESCAPE = re.compile("\x1b\\[[0-9;]*m")

Strip = tuple[list[str], list[str]]
"""Lines of the head and of the body of columns that are printed as one."""


def text(report: Report, layout: Layout) -> str:
    """Write the tables, with the legend, the notes and the signatures below them."""
    width = layout.columns
    parts = [_filled(line, width) for line in report.heading]
    for table in report.tables:
        caption = [table.caption] if table.caption else []
        parts += [
            "\n".join([*caption, block]) for block in blocks(table, width, colour=layout.colour)
        ]
    parts += [_explained(explanation, report, layout) for explanation in report.explanations]
    parts.append("\n".join(_filled(line, width) for line in report.legend_lines(PREFIXES)))
    parts.append("\n".join(_filled(f"! {note}", width, "  ") for note in report.notes))
    parts.append("\n".join(_signature(line, layout) for line in report.signatures))
    return "\n\n".join(part for part in parts if part) + "\n"


def _explained(explanation: Explanation, report: Report, layout: Layout) -> str:
    """Write an explanation: its title, its facts, and its pictures."""
    from mteval_core.explain.terminal import drawn, facts

    lines = [printable(line) for line in (explanation.title, *facts(explanation, layout.decimals))]
    filled = "\n".join(_filled(line, layout.columns, "  ") for line in lines)
    pictures = drawn(
        explanation,
        report.pictures,
        layout.columns,
        colour=layout.colour,
        mirrored=layout.mirrored,
    )
    return f"{filled}\n\n{pictures}"


def _filled(line: str, width: int, indent: str = "") -> str:
    return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)


def _signature(line: str, layout: Layout) -> str:
    """Break a short signature between its fields; a whole one stays in one line, to be copied."""
    if layout.signatures == "short":
        fields = line.replace(" ", "\0").replace("|", "| ")
        filled = textwrap.wrap(
            fields, layout.columns, break_on_hyphens=False, subsequent_indent="  "
        )
        line = "\n".join(filled).replace("| ", "|").replace("\0", " ")
    return _painted(line, FAINT) if layout.colour else line


def _painted(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _cells(text: str) -> int:
    """Return the number of cells of a line, of which the codes of colours take none."""
    return cells(ESCAPE.sub("", text) if "\x1b" in text else text)


def _right(text: str, width: int) -> str:
    return " " * (width - _cells(text)) + text


def blocks(table: Table, width: int, *, colour: bool = False) -> list[str]:
    """Cut a table into blocks that fit the page.

    Each block repeats the names of the rows. It holds as many groups of columns as fit, but at
    least one; a group that is too wide for a block of its own is cut between its columns.
    """
    left = _names(table)
    room = width - sum(max(map(_cells, lines)) + 2 for lines in left)
    strips: list[Strip] = []
    for title, columns in table.groups:
        strip = _strip(title, columns, colour=colour)
        fits = _width(*strip) <= room
        strips += (
            [strip] if fits else [_strip(title, [column], colour=colour) for column in columns]
        )
    result: list[str] = []
    start = 0
    while start < len(strips):
        stop = len(strips)
        while _width(block := _grid(left, strips[start:stop])) > width and stop > start + 1:
            stop -= 1
        if colour:
            block = [_painted(line, FAINT) if set(line) <= {"-", " "} else line for line in block]
        result.append("\n".join(block))
        start = stop
    return result


def _names(table: Table) -> list[list[str]]:
    """Titles and names of the rows, as columns."""
    columns = []
    for column in zip(table.titles, *table.names, strict=True):
        wide = max(_cells(str(name)) for name in column)
        columns.append([str(name).rjust(wide * isinstance(name, int)) for name in column])
    return columns


def _strip(title: str | None, columns: Sequence[Column], *, colour: bool) -> Strip:
    """Join the columns of a group, their title centred above them."""
    depth = max(len(column.heads) for column in columns)
    lines = [(*_heads(column, depth), *_padded(_body(column, colour=colour))) for column in columns]
    joined = _padded(list(zip(*lines, strict=True)))
    if title is None:
        return joined[:depth], joined[depth:]
    return [title.center(_cells(joined[0])), *joined[:depth]], joined[depth:]


def _heads(column: Column, depth: int) -> list[str]:
    """Lines of the head, above the numbers and not above their marks and signs."""
    room = " " * (column.competing + column.room)
    return [f"{head}{room}" for head in column.heads] + [""] * (depth - len(column.heads))


def _body(column: Column, *, colour: bool) -> list[tuple[str, ...]]:
    """Parts of the cells, each number followed by its mark and signs, or by spaces as wide."""
    rows = []
    for (number, *rest), mark, signs in column.cells:
        shown = _painted(number, BOLD) if colour and mark == "best" else number
        symbol = "" if mark is None else MARKS.get(mark, " ")
        rows.append((f"{shown}{symbol}{signs:<{column.room}}", *rest))
    return rows


def _padded(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Join the parts of each row, aligned with the parts of the other rows."""
    widths = [max(map(_cells, parts)) for parts in zip(*rows, strict=True)]
    return [" ".join(map(_right, parts, widths)) for parts in rows]


def _width(*parts: Sequence[str]) -> int:
    return max(_cells(line) for lines in parts for line in lines)


def _grid(left: list[list[str]], strips: list[Strip]) -> list[str]:
    """Lines of a block: the names of the rows, some strips, and a rule below the heads."""
    depth = max(len(heads) for heads, _ in strips)
    columns = [_ruled([title], names, depth, str.ljust) for title, *names in left]
    columns += [_ruled(heads, body, depth, str.rjust) for heads, body in strips]
    lines = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    return [line for line in lines if line]


def _ruled(
    heads: list[str], body: list[str], depth: int, justify: Callable[[str, int], str]
) -> list[str]:
    """Fill the lines of a column to one width, with a rule between its heads and its body."""
    wide = max(map(_cells, (*heads, *body)))
    lines = [*heads, *[""] * (depth - len(heads)), "-" * wide, *body]
    # `justify` counts characters, of which some take two places, and some none.
    return [justify(line, wide - _cells(line) + len(line)) for line in lines]
