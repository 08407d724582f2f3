"""Reports in Markdown: the best in bold, what is not significantly different in italics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report.symbols import DAGGER, TYPE_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mteval_core.report.grid import Mark, Table
    from mteval_core.report.report import Layout, Report

__all__ = ["markdown"]

STYLES: Mapping[Mark, str] = {"best": "**{}**", "equal": "*{}*", "significant": f"{{}}{DAGGER}"}


def markdown(report: Report, _layout: Layout) -> str:
    """Write the tables, with the legend, the notes and the signatures as lists below them."""
    parts = [f"{mark}{line}" for mark, line in zip(("## ", ""), report.heading, strict=False)]
    for table in report.tables:
        parts += [f"**{table.caption}**"] if table.caption else []
        parts.append(_table(table))
    parts.append(_list(report.legend_lines(TYPE_PREFIXES)))
    parts.append(_list(report.notes))
    parts.append(_list(f"`{signature}`" for signature in report.signatures))
    return "\n\n".join(part for part in parts if part) + "\n"


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _table(table: Table) -> str:
    from tabulate import tabulate

    heads = [" ".join([column.group or "", *column.heads]).strip() for column in table.columns]
    rows = [
        [*(_escaped(str(part)) for part in name), *(cell.written(_escaped, STYLES) for cell in row)]
        for name, row in zip(table.names, table.rows, strict=True)
    ]
    grid: str = tabulate(
        rows,
        headers=[_escaped(head) for head in (*table.titles, *heads)],
        tablefmt="pipe",
        disable_numparse=True,
        colalign=["left"] * len(table.titles) + ["right"] * len(heads),
    )
    return grid


def _escaped(string: str) -> str:
    """Escape the bar, which would end the cell."""
    return string.replace("|", "\\|")
