"""Reports as a part of a page, such as the output of a notebook cell."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mteval_core.report import Passage, Picture, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mteval_core.report import Cell, CellMark, Layout, Report

__all__ = ["PREFIXES", "fragment"]

STYLE = ".mteval .best { font-weight: 700 } .mteval .equal { font-style: italic }"

STYLES: Mapping[CellMark, str] = {"significant": "{}†"}

CLASSES: tuple[CellMark, ...] = ("best", "equal")
"""Marks that are shown by the style of their cells."""


PREFIXES: Mapping[CellMark, str] = {"best": "bold: ", "equal": "italics: ", "significant": "† "}
"""What a legend says of the marks."""


def fragment(report: Report, layout: Layout) -> str:
    """Write the parts, and the legend, the notes and the signatures below them."""
    parts = ['<div class="mteval">', f"<style>{STYLE}</style>"]
    for part in report.parts(layout):
        if isinstance(part, Table):
            parts += ['<div class="scroll"><table>', *_table(part), "</table></div>"]
        elif isinstance(part, Picture):
            parts += [f"<style>{part.style}</style>", f"<h4>{escape(part.title)}</h4>"]
            parts.append(part.html(layout))
        elif isinstance(part, Passage):
            parts.append(f"<p>{escape(part.text)}</p>")
    if report.legend:
        parts.append(f"<p>{'<br>'.join(map(escape, report.legend_lines(PREFIXES)))}</p>")
    if report.notes:
        parts.append(_list(map(escape, report.notes)))
    if report.signatures:
        listed = _list(f"<code>{escape(signature)}</code>" for signature in report.signatures)
        parts.append(f"<details><summary>Signatures</summary>{listed}</details>")
    return "\n".join([*parts, "</div>"])


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def _table(table: Table) -> Iterator[str]:
    if table.caption:
        yield f"<caption>{escape(table.caption)}</caption>"
    yield f'<colgroup span="{len(table.titles)}">'
    for _, columns in table.groups:
        yield f'<colgroup span="{len(columns)}">'
    yield from ("<thead>", *_heads(table), "</thead>", "<tbody>")
    for name, row in zip(table.names, table.rows, strict=True):
        names = [f'<th class="name" scope="row">{escape(str(part))}</th>' for part in name]
        yield _row([*names, *map(_cell, row)])
    yield "</tbody>"


def _heads(table: Table) -> Iterator[str]:
    """Rows of the head: titles of the groups, if any has one, and heads of the columns."""
    if any(title for title, _ in table.groups):
        groups = [
            f'<th class="group" scope="colgroup" colspan="{len(columns)}">{title}</th>'
            for title, columns in ((escape(name or ""), some) for name, some in table.groups)
        ]
        yield _row([f'<td colspan="{len(table.titles)}"></td>', *groups])
    names = [f'<th class="name" scope="col">{escape(title)}</th>' for title in table.titles]
    heads = ["<br>".join(map(escape, column.heads)) for column in table.columns]
    yield _row([*names, *(f'<th scope="col">{head}</th>' for head in heads)])


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cell(cell: Cell) -> str:
    mark = f' class="{cell.mark}"' if cell.mark in CLASSES else ""
    return f"<td{mark}>{cell.written(escape, STYLES, '<sup>{}</sup>')}</td>"
