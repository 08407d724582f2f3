"""Tables with groups of columns, and how text, Markdown, LaTeX and HTML write them."""

from __future__ import annotations

import html as html_module
import textwrap
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from mteval_core.report.latex import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mteval_core.metaeval.experiments import Mark

__all__ = ["Column", "Document", "Table", "html", "latex", "markdown", "text"]

STARS: dict[Mark, str] = {"best": "*", "equal": "~", "": " "}


@dataclass(frozen=True)
class Column:
    """One column of numbers.

    Parameters
    ----------
    group : str
        What it and its neighbours of the same group have in common; may be empty.
    title : str
        What is in it.
    cells : tuple of str
        One for each row.
    marks : tuple of {"best", "equal", ""}
        Which of them are the best, and which not significantly different; empty if nothing
        competes.
    """

    group: str
    title: str
    cells: tuple[str, ...]
    marks: tuple[Mark, ...] = ()

    def mark(self, row: int) -> Mark:
        """Mark of a row."""
        return self.marks[row] if self.marks else ""


@dataclass(frozen=True)
class Table:
    """Rows with names, columns in groups.

    Parameters
    ----------
    caption : str
        What it shows.
    heads : tuple of str
        Titles of the columns that name the rows.
    names : tuple of tuple of str
        Names of the rows.
    columns : tuple of Column
        The rest.
    """

    caption: str
    heads: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    columns: tuple[Column, ...]

    @property
    def groups(self) -> list[tuple[str, list[Column]]]:
        """Neighbouring columns of the same group, in order."""
        return [(name, list(some)) for name, some in groupby(self.columns, lambda c: c.group)]


@dataclass(frozen=True)
class Document:
    """What a report shows.

    Parameters
    ----------
    title : str
        What was done.
    summary : str
        On what, in one line.
    tables : tuple of Table
        The numbers.
    legend : tuple of str
        What the symbols mean, a sentence each.
    notes : tuple of str
        What the reader must know, a sentence or two each.
    signatures : tuple of str
        What it takes to compute the scores again.
    """

    title: str
    summary: str
    tables: tuple[Table, ...]
    legend: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = field(default=())


def text(document: Document, width: int) -> str:
    """Write plain text; a table wider than the page is cut between groups of columns."""
    parts = [document.title, _fill(document.summary, width)]
    for table in document.tables:
        caption = [table.caption] if table.caption else []
        parts += ["\n".join([*caption, *block]) for block in _cut(table, width)]
    if document.legend:
        parts.append("\n".join(_fill(line, width) for line in document.legend))
    if document.notes:
        parts.append("\n".join(_fill(f"! {note}", width, "  ") for note in document.notes))
    if document.signatures:
        parts.append("\n".join(document.signatures))
    return "\n\n".join(part for part in parts if part) + "\n"


def _fill(line: str, width: int, indent: str = "") -> str:
    return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)


def _cut(table: Table, width: int) -> list[list[str]]:
    """Blocks of lines no wider than the page: as many groups, or at least columns, as fit."""
    pieces = [columns for _, columns in table.groups]
    if any(_width(table, piece) > width for piece in pieces):
        pieces = [[column] for column in table.columns]
    blocks: list[list[Column]] = []
    for piece in pieces:
        if blocks and _width(table, [*blocks[-1], *piece]) <= width:
            blocks[-1] += piece
        else:
            blocks.append(list(piece))
    return [_lines(table, block) for block in blocks or [[]]]


def _width(table: Table, columns: list[Column]) -> int:
    return max(map(len, _lines(table, columns)))


def _lines(table: Table, columns: list[Column]) -> list[str]:
    """One block of a table: a line of groups if there are any, titles, rule, rows."""
    rows = range(len(table.names))
    left = [[head, *(name[k] for name in table.names)] for k, head in enumerate(table.heads)]
    shown = [cells for cells in left if any(cells)]
    widths = [max(map(len, cells)) for cells in shown]

    def names(row: int) -> str:
        parts = [
            cells[row].rjust(w) if all(map(str.isdecimal, cells[1:])) else cells[row].ljust(w)
            for cells, w in zip(shown, widths, strict=True)
        ]
        return "  ".join(parts)

    begin = sum(widths) + 2 * (len(widths) - 1)
    top, titles, rule = " " * begin, names(0), "  ".join("-" * w for w in widths)
    body = [names(row + 1) for row in rows]
    for group, some in groupby(columns, lambda column: column.group):
        cells = [_marked(column) for column in some]
        sizes = [max(map(len, column)) for column in cells]
        # A group name that is wider than its columns widens the first.
        sizes[0] += max(0, len(group) - sum(sizes) - len(sizes) + 1)
        size = sum(sizes) + len(sizes) - 1
        top += "   " + group.center(size)
        titles += "   " + " ".join(c[0].rjust(w) for c, w in zip(cells, sizes, strict=True))
        rule += "   " + "-" * size
        for row in rows:
            body[row] += "   " + " ".join(
                c[row + 1].rjust(w) for c, w in zip(cells, sizes, strict=True)
            )
    heads = [top, titles] if top.strip() else [titles]
    return [line.rstrip() for line in (*heads, rule, *body)]


def _marked(column: Column) -> list[str]:
    """Title and cells; where something competes, with room for the mark behind each number."""
    if not column.marks:
        return [column.title, *column.cells]
    pairs = zip(column.cells, column.marks, strict=True)
    return [f"{column.title} ", *(cell + STARS[mark] for cell, mark in pairs)]


def markdown(document: Document, _width: int = 0) -> str:
    """Write Markdown: the best in bold, what is not significantly different in italics."""
    parts = [f"## {document.title}", document.summary]
    for table in document.tables:
        heads = [*table.heads, *(f"{c.group} {c.title}".strip() for c in table.columns)]
        ruler = [":--"] * len(table.heads) + ["--:"] * len(table.columns)
        rows = [heads, ruler, *_rows(table, _markdown_cell)]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        parts += [f"**{table.caption}**"] if table.caption else []
        parts.append("\n".join(lines))
    parts += [
        "\n".join(f"{line}  " for line in _worded(document.legend, "bold", "italics")).rstrip()
    ]
    parts.append("\n".join(f"- {note}" for note in document.notes))
    parts.append("\n".join(f"- `{signature}`" for signature in document.signatures))
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown_cell(cell: str, mark: Mark) -> str:
    cell = cell.replace("|", "\\|")
    return {"best": f"**{cell}**", "equal": f"*{cell}*", "": cell}[mark]


def _rows(table: Table, write: Callable[[str, Mark], str]) -> list[list[str]]:
    return [
        [
            *(write(part, "") for part in name),
            *(write(column.cells[row], column.mark(row)) for column in table.columns),
        ]
        for row, name in enumerate(table.names)
    ]


def _worded(legend: Iterable[str], best: str, equal: str) -> list[str]:
    """Legend of a format that shows marks by type."""
    return [
        line.replace("* best", f"{best}: best").replace("~ not", f"{equal}: not") for line in legend
    ]


def latex(document: Document, _width: int = 0) -> str:
    r"""Write a ``tabular`` for each table, with the rules of the package booktabs."""
    parts = [
        "\n".join(
            f"% {line}"
            for line in (document.title, document.summary, *document.notes, *document.signatures)
        ),
        r"% needs \usepackage{booktabs}",
    ]
    for table in document.tables:
        n = len(table.heads)
        lines = [f"% {table.caption}"] if table.caption else []
        lines += [rf"\begin{{tabular}}{{{'l' * n}{'r' * len(table.columns)}}}", r"\toprule"]
        if any(name for name, _ in table.groups):
            spans, rules, at = [""] * n, [], n + 1
            for name, some in table.groups:
                spans.append(rf"\multicolumn{{{len(some)}}}{{c}}{{{escape(name)}}}")
                rules.append(rf"\cmidrule(lr){{{at}-{at + len(some) - 1}}}")
                at += len(some)
            lines += [" & ".join(spans) + r" \\", " ".join(rules)]
        titles = [*table.heads, *(column.title for column in table.columns)]
        lines += [" & ".join(map(escape, titles)) + r" \\", r"\midrule"]
        lines += [" & ".join(row) + r" \\" for row in _rows(table, _latex_cell)]
        lines += [r"\bottomrule", r"\end{tabular}"]
        parts.append("\n".join(lines))
    legend = _worded(document.legend, "bold", "italics")
    parts.append("\n".join(f"% {line}" for line in legend))
    return "\n\n".join(part for part in parts if part) + "\n"


def _latex_cell(cell: str, mark: Mark) -> str:
    cell = escape(cell)
    # A hyphen is no minus sign.
    cell = "$-$" + cell[1:] if cell.startswith("-") else cell
    return {"best": rf"\textbf{{{cell}}}", "equal": rf"\textit{{{cell}}}", "": cell}[mark]


STYLE = """
:root { color-scheme: light dark; --line: #8886; --best: #1b7f4433; --equal: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
.scroll { overflow-x: auto; margin: 1.5rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { padding: .2rem .55rem; white-space: nowrap; }
thead th { font-weight: 600; text-align: right; }
thead tr:last-child th { border-bottom: 1px solid var(--line); }
th.group { text-align: center; border-bottom: 1px solid var(--line); }
th.name { text-align: left; font-weight: 400; }
td { text-align: right; }
.start { padding-left: 1.4rem; }
tbody tr:hover { background: #8881; }
.best { font-weight: 700; background: var(--best); }
.equal { font-style: italic; background: var(--equal); }
code { font-size: .8rem; overflow-wrap: anywhere; }
""".strip()


def html(document: Document, _width: int = 0) -> str:
    """Write a page of its own."""
    quote = html_module.escape
    title = quote(document.title)
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>\n{STYLE}\n</style>",
        "</head>",
        "<body>",
        f"<h1>{title}</h1>",
        f"<p>{quote(document.summary)}</p>",
    ]
    for table in document.tables:
        parts += ['<div class="scroll"><table>', *_html_table(table), "</table></div>"]
    legend = _worded(document.legend, "bold", "italics")
    parts += [f"<p>{'<br>'.join(map(quote, legend))}</p>"] if legend else []
    if document.notes:
        notes = "".join(f"<li>{quote(note)}</li>" for note in document.notes)
        parts.append(f"<ul>{notes}</ul>")
    if document.signatures:
        listed = "".join(f"<li><code>{quote(s)}</code></li>" for s in document.signatures)
        parts.append(f"<details><summary>Signatures</summary><ul>{listed}</ul></details>")
    return "\n".join([*parts, "</body>", "</html>", ""])


def _html_table(table: Table) -> list[str]:
    quote = html_module.escape
    lines = [f"<caption>{quote(table.caption)}</caption>"] if table.caption else []
    lines.append("<thead>")
    starts = _starts(table)
    if any(name for name, _ in table.groups):
        cells = [f'<td colspan="{len(table.heads)}"></td>']
        cells += [
            f'<th class="group" scope="colgroup" colspan="{len(some)}">{quote(name)}</th>'
            for name, some in table.groups
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    cells = [f'<th class="name" scope="col">{quote(head)}</th>' for head in table.heads]
    cells += [
        f'<th scope="col"{_classes("start" if k in starts else "")}>{quote(column.title)}</th>'
        for k, column in enumerate(table.columns)
    ]
    lines += [f"<tr>{''.join(cells)}</tr>", "</thead>", "<tbody>"]
    for row, name in enumerate(table.names):
        cells = [f'<th class="name" scope="row">{quote(part)}</th>' for part in name]
        cells += [
            f"<td{_classes('start' if k in starts else '', column.mark(row))}>"
            f"{quote(column.cells[row])}</td>"
            for k, column in enumerate(table.columns)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return [*lines, "</tbody>"]


def _starts(table: Table) -> set[int]:
    """Columns that begin a group."""
    found, at = set(), 0
    for _, some in table.groups:
        found.add(at)
        at += len(some)
    return found


def _classes(*names: str) -> str:
    given: Sequence[str] = [name for name in names if name]
    return f' class="{" ".join(given)}"' if given else ""
