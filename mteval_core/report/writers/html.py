"""Reports as a part of a page of HTML, such as the output of a notebook cell."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mteval_core.report.symbols import DAGGER, TYPE_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mteval_core.report.grid import Cell, Mark, Table
    from mteval_core.report.report import Report

__all__ = ["fragment"]

CLASSES: tuple[Mark, ...] = ("best", "equal")
"""Marks that are shown by the style of their cells."""

STYLE = ".mteval .best { font-weight: 700 } .mteval .equal { font-style: italic }"

STYLES: Mapping[Mark, str] = {"significant": f"{{}}{DAGGER}"}

RAISED = "<sup>{}</sup>"


def fragment(report: Report) -> str:
    """Write the tables, and the legend, the notes and the signatures below them."""
    parts = ['<div class="mteval">', f"<style>{STYLE}</style>"]
    for table in report.tables:
        parts += ['<div class="scroll"><table>', *_table(table), "</table></div>"]
    if report.legend:
        parts.append(f"<p>{'<br>'.join(map(escape, report.legend_lines(TYPE_PREFIXES)))}</p>")
    if report.notes:
        parts.append(_list(map(escape, report.notes)))
    if report.signatures:
        listed = _list(f"<code>{escape(signature)}</code>" for signature in report.signatures)
        parts.append(f"<details><summary>Signatures</summary>{listed}</details>")
    return "\n".join([*parts, "</div>"])


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def _table(table: Table) -> list[str]:
    lines = [f"<caption>{escape(table.caption)}</caption>"] if table.caption else []
    lines.append(f'<colgroup span="{len(table.titles)}">')
    lines += [f'<colgroup span="{len(columns)}">' for _, columns in table.groups]
    lines += ["<thead>", *_heads(table), "</thead>", "<tbody>"]
    for name, row in zip(table.names, table.rows, strict=True):
        names = [f'<th class="name" scope="row">{escape(str(part))}</th>' for part in name]
        lines.append(_row([*names, *map(_cell, row)]))
    return [*lines, "</tbody>"]


def _heads(table: Table) -> list[str]:
    """Rows of the head: titles of the groups, if any has one, and heads of the columns."""
    rows = []
    if any(title for title, _ in table.groups):
        groups = [
            f'<th class="group" scope="colgroup" colspan="{len(columns)}">{title}</th>'
            for title, columns in ((escape(name or ""), some) for name, some in table.groups)
        ]
        rows.append(_row([f'<td colspan="{len(table.titles)}"></td>', *groups]))
    names = [f'<th class="name" scope="col">{escape(title)}</th>' for title in table.titles]
    heads = ["<br>".join(map(escape, column.heads)) for column in table.columns]
    return [*rows, _row([*names, *(f'<th scope="col">{head}</th>' for head in heads)])]


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _cell(cell: Cell) -> str:
    mark = f' class="{cell.mark}"' if cell.mark in CLASSES else ""
    return f"<td{mark}>{cell.written(escape, STYLES, RAISED)}</td>"
