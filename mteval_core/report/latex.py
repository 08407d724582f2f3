"""The tables for LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core.report.table import ARROWS, DAGGER, notes, signatures, tables

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report import Layout
    from mteval_core.report.table import Column, Table

__all__ = ["escape", "latex", "tabular"]

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    ARROWS["higher"]: r"$\uparrow$",
    ARROWS["lower"]: r"$\downarrow$",
    DAGGER: r"$^\dagger$",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def escape(string: str) -> str:
    """Write a string so that LaTeX prints it."""
    return "".join(SPECIAL.get(character, character) for character in string)


def latex(evaluation: Evaluation, layout: Layout) -> str:
    r"""Write ``tabular`` environments, the best in bold, notes and signatures as comments."""
    comments = [*signatures(evaluation), *notes(evaluation, layout)]
    parts = [_tabular(table) for table in tables(evaluation, layout)]
    head = "".join(f"% {comment}\n" for comment in comments)
    return head + "% needs \\usepackage{booktabs}\n" + "\n".join(parts)


def tabular(caption: str, n_names: int, heads: list[str], rows: list[list[str]]) -> str:
    """Write a ``tabular`` of rows whose first cells are names, the lines of its head ready."""
    n_numbers = len(rows[0]) - n_names
    return "\n".join(
        [
            *([f"% {caption}"] if caption else []),
            rf"\begin{{tabular}}{{{'l' * n_names}{'r' * n_numbers}}}",
            r"\toprule",
            *heads,
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _tabular(table: Table) -> str:
    cells = [
        [" ".join(part.strip() for part in parts if part) for parts in column.marked(_bold)]
        for column in map(_escaped, table.columns)
    ]
    heads = [*table.titles, *(" ".join(column.heads) for column in table.columns)]
    rows = [[*map(escape, name), *row] for name, *row in zip(table.names, *cells, strict=True)]
    head = " & ".join(map(escape, heads)) + r" \\"
    return tabular(table.caption, len(table.titles), [head], rows) + "\n"


def _escaped(column: Column) -> Column:
    return replace(column, cells=[tuple(map(escape, parts)) for parts in column.cells])


def _bold(number: str) -> str:
    return rf"\textbf{{{number}}}"
