"""Reports in Markdown: the best in bold, what is not significantly different in italics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mteval_core.names import printable
from mteval_core.report.grid import Table
from mteval_core.report.layout import DAGGER, TYPE_PREFIXES
from mteval_core.report.parts import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mteval_core.report.layout import CellMark, Layout
    from mteval_core.report.report import Report

STYLES: Mapping[CellMark, str] = {"best": "**{}**", "equal": "*{}*", "significant": f"{{}}{DAGGER}"}

RAISED = "<sup>{}</sup>"


def markdown(report: Report, layout: Layout) -> str:
    """Write tables and passages, with the legend, the notes and the signatures as lists below."""
    heading = map(escape_markdown, report.heading)
    parts = [f"{mark}{line}" for mark, line in zip(("## ", ""), heading, strict=False)]
    for part in report.parts(layout):
        if isinstance(part, Passage):
            parts.append(escape_markdown(part.text))
        elif isinstance(part, Table):
            parts += [f"**{escape_markdown(part.caption)}**"] if part.caption else []
            parts.append(_table(part))
    parts.append(_list(map(escape_markdown, report.legend_lines(TYPE_PREFIXES))))
    parts.append(_list(map(escape_markdown, report.notes)))
    parts.append(_list(map(_code, report.signatures)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _table(table: Table) -> str:
    from tabulate import tabulate

    heads = [" ".join([column.group or "", *column.heads]).strip() for column in table.columns]
    names = [[escape_markdown(str(part)) for part in name] for name in table.names]
    cells = [[cell.written(_escape_number, STYLES, RAISED) for cell in row] for row in table.rows]
    grid: str = tabulate(
        [[*name, *row] for name, row in zip(names, cells, strict=True)],
        headers=[escape_markdown(head) for head in (*table.titles, *heads)],
        tablefmt="pipe",
        disable_numparse=True,
        colalign=["left"] * len(table.titles) + ["right"] * len(heads),
    )
    return grid


def escape_markdown(string: str) -> str:
    """Write a string in one line, so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_\[|~$]|<(?=\S)|&(?=[#\w]))", r"\\\1", _one_line(string))


def _one_line(string: str) -> str:
    return printable(" ".join(string.split()))


def _escape_number(string: str) -> str:
    """Write a part of a cell. The brackets of an interval need no escape."""
    return string if re.fullmatch(r"[\[{]?[-+]?[\d.]+[]},]?", string) else escape_markdown(string)


def _code(string: str) -> str:
    """Write a string as code, between more backticks than it contains in a row."""
    fence = "`" * (max(map(len, re.findall("`+", string)), default=0) + 1)
    space = " " * (len(fence) > 1)
    return f"{fence}{space}{_one_line(string)}{space}{fence}"
