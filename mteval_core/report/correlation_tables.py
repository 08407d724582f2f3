"""Tables with groups of columns; findings as text, Markdown, LaTeX, HTML and JSON."""

from __future__ import annotations

import html as html_module
import json as json_module
import textwrap
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from mteval_core._version import __version__
from mteval_core.report import table as score_table
from mteval_core.report.latex import escape, tabular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mteval_core.metaeval.experiments import Mark
    from mteval_core.report.findings import Findings

__all__ = ["FORMATS", "Column", "Table", "html", "json", "latex", "markdown", "text"]

MANY = 40
"""More signatures than these are left to the format for machines."""

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
    columns : sequence of Column
        The rest.
    """

    caption: str
    heads: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    columns: Sequence[Column]

    @property
    def groups(self) -> list[tuple[str, list[Column]]]:
        """Neighbouring columns of the same group, in order."""
        return [(name, list(some)) for name, some in groupby(self.columns, lambda c: c.group)]


def text(findings: Findings, width: int) -> str:
    """Write plain text; a table wider than the page is cut between groups of columns."""
    parts = [findings.title, _fill(findings.summary, width)]
    for table in findings.tables:
        caption = [table.caption] if table.caption else []
        parts += ["\n".join([*caption, block]) for block in _blocks(table, width)]
    if findings.legend:
        parts.append("\n".join(_fill(line, width) for line in findings.legend))
    if findings.notes:
        parts.append("\n".join(_fill(f"! {note}", width, "  ") for note in findings.notes))
    parts.append("\n".join(_signatures(findings)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _signatures(findings: Findings) -> tuple[str, ...]:
    """Signatures for people, unless they are too many."""
    n = len(findings.signatures)
    return findings.signatures if n <= MANY else (f"{n} signatures: -f json lists them all.",)


def _fill(line: str, width: int, indent: str = "") -> str:
    return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)


def _blocks(table: Table, width: int) -> list[str]:
    """Parts of a table that fit the page, cut between groups, or in a group that is too wide."""
    left = [list(cells) for cells in zip(table.heads, *table.names, strict=True)]
    widths = [max(map(len, cells)) for cells in left]
    names = [
        [name.rjust(size) if name.isdecimal() else name for name in cells[1:]]
        for size, cells in zip(widths, left, strict=True)
    ]
    room = width - sum(widths) - 2 * len(widths)
    pieces: list[list[Column]] = []
    for group, some in table.groups:
        fits = max(len(group), len(_joined(some)[0])) <= room
        pieces += [some] if fits else [[column] for column in some]
    columns = []
    for piece in pieces:
        title, *cells = _joined(piece)
        heads = (piece[0].group.center(len(title)), title)
        columns.append(score_table.Column(heads, [(cell,) for cell in cells]))
    rows = list(zip(*names, strict=True))
    return score_table.blocks(score_table.Table("", table.heads, rows, columns), width)


def _joined(columns: list[Column]) -> list[str]:
    """Titles and rows of columns as one column of text."""
    return score_table.padded(list(zip(*map(_marked, columns), strict=True)))


def _marked(column: Column) -> list[str]:
    """Title and cells; where something competes, with room for the mark behind each number."""
    if not column.marks:
        return [column.title, *column.cells]
    pairs = zip(column.cells, column.marks, strict=True)
    return [f"{column.title} ", *(cell + STARS[mark] for cell, mark in pairs)]


def markdown(findings: Findings, _width: int = 0) -> str:
    """Write Markdown: the best in bold, what is not significantly different in italics."""
    parts = [f"## {findings.title}", findings.summary]
    for table in findings.tables:
        heads = [*table.heads, *(f"{c.group} {c.title}".strip() for c in table.columns)]
        ruler = [":--"] * len(table.heads) + ["--:"] * len(table.columns)
        rows = [heads, ruler, *_rows(table, _markdown_cell)]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        parts += [f"**{table.caption}**"] if table.caption else []
        parts.append("\n".join(lines))
    parts += [
        "\n".join(f"{line}  " for line in _worded(findings.legend, "bold", "italics")).rstrip()
    ]
    parts.append("\n".join(f"- {note}" for note in findings.notes))
    parts.append("\n".join(f"- `{signature}`" for signature in _signatures(findings)))
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


def latex(findings: Findings, _width: int = 0) -> str:
    r"""Write a ``tabular`` for each table, with the rules of the package booktabs."""
    parts = [
        "\n".join(
            f"% {line}"
            for line in (findings.title, findings.summary, *findings.notes, *_signatures(findings))
        ),
        r"% needs \usepackage{booktabs}",
    ]
    for table in findings.tables:
        n = len(table.heads)
        titles = [*table.heads, *(column.title for column in table.columns)]
        heads = [" & ".join(map(escape, titles)) + r" \\"]
        if any(name for name, _ in table.groups):
            spans, rules, at = [""] * n, [], n + 1
            for name, some in table.groups:
                spans.append(rf"\multicolumn{{{len(some)}}}{{c}}{{{escape(name)}}}")
                rules.append(rf"\cmidrule(lr){{{at}-{at + len(some) - 1}}}")
                at += len(some)
            heads = [" & ".join(spans) + r" \\", " ".join(rules), *heads]
        parts.append(tabular(table.caption, n, heads, _rows(table, _latex_cell)))
    legend = _worded(findings.legend, "bold", "italics")
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
colgroup + colgroup { border-left: 1px solid var(--line); }
tbody tr:hover { background: #8881; }
.best { font-weight: 700; background: var(--best); }
.equal { font-style: italic; background: var(--equal); }
code { font-size: .8rem; overflow-wrap: anywhere; }
""".strip()


def html(findings: Findings, _width: int = 0) -> str:
    """Write a page of its own."""
    quote = html_module.escape
    title = quote(findings.title)
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
        f"<p>{quote(findings.summary)}</p>",
    ]
    for table in findings.tables:
        parts += ['<div class="scroll"><table>', *_html_table(table), "</table></div>"]
    legend = _worded(findings.legend, "bold", "italics")
    parts += [f"<p>{'<br>'.join(map(quote, legend))}</p>"] if legend else []
    if findings.notes:
        notes = "".join(f"<li>{quote(note)}</li>" for note in findings.notes)
        parts.append(f"<ul>{notes}</ul>")
    if findings.signatures:
        listed = "".join(f"<li><code>{quote(s)}</code></li>" for s in _signatures(findings))
        parts.append(f"<details><summary>Signatures</summary><ul>{listed}</ul></details>")
    return "\n".join([*parts, "</body>", "</html>", ""])


def _html_table(table: Table) -> list[str]:
    quote = html_module.escape
    lines = [f"<caption>{quote(table.caption)}</caption>"] if table.caption else []
    lines.append(f'<colgroup span="{len(table.heads)}">')
    lines += [f'<colgroup span="{len(some)}">' for _, some in table.groups]
    lines.append("<thead>")
    if any(name for name, _ in table.groups):
        cells = [f'<td colspan="{len(table.heads)}"></td>']
        cells += [
            f'<th class="group" scope="colgroup" colspan="{len(some)}">{quote(name)}</th>'
            for name, some in table.groups
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    cells = [f'<th class="name" scope="col">{quote(head)}</th>' for head in table.heads]
    cells += [f'<th scope="col">{quote(column.title)}</th>' for column in table.columns]
    lines += [f"<tr>{''.join(cells)}</tr>", "</thead>", "<tbody>"]
    for row, name in enumerate(table.names):
        cells = [f'<th class="name" scope="row">{quote(part)}</th>' for part in name]
        for column in table.columns:
            mark = f' class="{column.mark(row)}"' if column.mark(row) else ""
            cells.append(f"<td{mark}>{quote(column.cells[row])}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return [*lines, "</tbody>"]


def json(findings: Findings, _width: int = 0) -> str:
    """Write everything as one object."""
    report = {
        "mteval": __version__,
        "experiment": findings.experiment,
        "inputs": findings.inputs,
        "settings": findings.settings,
        "records": findings.records,
        "notes": findings.notes,
        "signatures": findings.signatures,
    }
    return json_module.dumps(report, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


FORMATS: dict[str, Callable[[Findings, int], str]] = {
    "text": text,
    "markdown": markdown,
    "latex": latex,
    "html": html,
    "json": json,
}
"""How findings are written: function of the findings and the width of the page in characters."""
