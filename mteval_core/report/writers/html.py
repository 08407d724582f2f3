"""Reports as HTML: one page that needs no other file and no script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mteval_core.report.symbols import DAGGER, TYPE_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mteval_core.report.grid import Cell, Mark, Table
    from mteval_core.report.report import Layout, Report

__all__ = ["fragment", "html"]

CLASSES: tuple[Mark, ...] = ("best", "equal")
"""Marks that are shown by the style of their cells."""

STYLES: Mapping[Mark, str] = {"significant": f"{{}}{DAGGER}"}

STYLE_SHEET = """
:root { color-scheme: light dark; --line: #8886; --best: #1b7f4433; --equal: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
.scroll { overflow-x: auto; margin: 1.5rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { padding: .2rem .55rem; white-space: nowrap; }
thead th { font-weight: 600; text-align: right; vertical-align: top; }
thead tr:last-child th { border-bottom: 1px solid var(--line); }
thead th.group { text-align: center; border-bottom: 1px solid var(--line); }
th.name { text-align: left; font-weight: 400; }
thead th.name { text-align: left; font-weight: 600; }
td { text-align: right; }
colgroup + colgroup { border-left: 1px solid var(--line); }
tbody tr:hover { background: #8881; }
.best { font-weight: 700; background: var(--best); }
.equal { font-style: italic; background: var(--equal); }
code { font-size: .8rem; overflow-wrap: anywhere; }
""".strip()


def html(report: Report, _layout: Layout) -> str:
    """Write a page with the tables, and the legend, the notes and the signatures below them."""
    title = escape(report.title)
    summary = [f"<p>{escape(report.summary)}</p>"] if report.summary else []
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>\n{STYLE_SHEET}\n</style>",
        "</head>",
        "<body>",
        f"<h1>{title}</h1>",
        *summary,
        *_body(report),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


def fragment(report: Report) -> str:
    """Write the report as a part of another page, such as the output of a notebook cell."""
    style = (
        "<style>.mteval .best { font-weight: 700 } .mteval .equal { font-style: italic }</style>"
    )
    return "\n".join([f'<div class="mteval">{style}', *_body(report), "</div>"])


def _body(report: Report) -> list[str]:
    parts: list[str] = []
    for table in report.tables:
        parts += ['<div class="scroll"><table>', *_table(table), "</table></div>"]
    if report.explanations:
        from mteval_core.explain.html import fragment as pictures_of

        parts.append(pictures_of(report.explanations, report.pictures))
    if report.legend:
        parts.append(f"<p>{'<br>'.join(map(escape, report.legend_lines(TYPE_PREFIXES)))}</p>")
    if report.notes:
        parts.append(_list(map(escape, report.notes)))
    if report.signatures:
        listed = _list(f"<code>{escape(signature)}</code>" for signature in report.signatures)
        parts.append(f"<details><summary>Signatures</summary>{listed}</details>")
    return parts


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
    return f"<td{mark}>{cell.written(escape, STYLES)}</td>"
