"""Reports for LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mteval_core.names import printable
from mteval_core.report.symbols import ARROWS, DAGGER, TYPE_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mteval_core.report.grid import Mark, Table
    from mteval_core.report.report import Layout, Report

__all__ = ["escape", "latex"]

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"{\char34}",
    ARROWS["higher"]: r"$\uparrow$",
    ARROWS["lower"]: r"$\downarrow$",
    DAGGER: r"$^\dagger$",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}

STYLES: Mapping[Mark, str] = {
    "best": r"\textbf{{{}}}",
    "equal": r"\textit{{{}}}",
    "significant": f"{{}}{SPECIAL[DAGGER]}",
}

RAISED = r"\textsuperscript{{{}}}"


def latex(report: Report, _layout: Layout) -> str:
    r"""Write a ``tabular`` environment for each table, and everything else as comments above."""
    comments = [
        *report.heading,
        *report.signatures,
        *report.legend_lines(TYPE_PREFIXES),
        *report.notes,
        r"needs \usepackage{booktabs}",
    ]
    return "\n".join([*map(_comment, comments), "\n\n".join(map(_tabular, report.tables)), ""])


def escape(string: str) -> str:
    """Write a string in one line, so that LaTeX prints it."""
    written = "".join(SPECIAL.get(character, character) for character in _one_line(string))
    # LaTeX joins hyphens into dashes.
    return re.sub("-(?=-)", "-{}", written)


def _one_line(string: str) -> str:
    return printable(" ".join(string.split()))


def _comment(line: str) -> str:
    return f"% {_one_line(line)}"


def _number(string: str) -> str:
    """Escape a part of a cell. A hyphen before a digit becomes a minus sign."""
    return re.sub(r"^((?:\\\{|\[)?)-(?=\d)", r"\1$-$", escape(string))


def _tabular(table: Table) -> str:
    titles = [*table.titles, *(" ".join(column.heads) for column in table.columns)]
    rows = [
        [
            *(escape(str(part)) for part in name),
            *(cell.written(_number, STYLES, RAISED) for cell in row),
        ]
        for name, row in zip(table.names, table.rows, strict=True)
    ]
    return "\n".join(
        [
            *([_comment(table.caption)] if table.caption else []),
            rf"\begin{{tabular}}{{{'l' * len(table.titles)}{'r' * len(table.columns)}}}",
            r"\toprule",
            *_group_titles(table),
            _row(map(escape, titles)),
            r"\midrule",
            *map(_row, rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells) + r" \\"
    # The end of the row before takes a star or a bracket as its argument.
    return "{}" + row if row.startswith(("*", "[")) else row


def _group_titles(table: Table) -> list[str]:
    """Write the titles of the groups and the rules below them, if any group has a title."""
    if not any(title for title, _ in table.groups):
        return []
    spans, rules = [""] * len(table.titles), []
    first = len(table.titles) + 1
    for title, columns in table.groups:
        last = first + len(columns) - 1
        spans.append(rf"\multicolumn{{{len(columns)}}}{{c}}{{{escape(title or '')}}}")
        rules.append(rf"\cmidrule(lr){{{first}-{last}}}")
        first = last + 1
    return [_row(spans), " ".join(rules)]
