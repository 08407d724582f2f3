"""The table for LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report.table import ARROWS, columns, row_names, signatures

if TYPE_CHECKING:
    from mteval_core.evaluation import Evaluation
    from mteval_core.report import Layout

__all__ = ["latex"]

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    ARROWS["higher"]: r"$\uparrow$",
    ARROWS["lower"]: r"$\downarrow$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def escape(string: str) -> str:
    """Write a string so that LaTeX prints it."""
    return "".join(SPECIAL.get(character, character) for character in string)


def latex(evaluation: Evaluation, layout: Layout) -> str:
    r"""Write a ``tabular`` with the best in bold, the signatures as comments above it."""
    titles, names = row_names(evaluation, layout)
    shown = columns(evaluation, layout)
    heads = [*titles, *(" ".join(column.title.split("\n")) for column in shown)]
    rows = [
        [
            *map(escape, name),
            *(rf"\textbf{{{c.cells[i]}}}" if c.best[i] else c.cells[i] for c in shown),
        ]
        for i, name in enumerate(names)
    ]
    return "\n".join(
        [
            *(f"% {signature}" for signature in signatures(evaluation)),
            r"% needs \usepackage{booktabs}",
            rf"\begin{{tabular}}{{{'l' * len(titles)}{'r' * len(shown)}}}",
            r"\toprule",
            " & ".join(map(escape, heads)) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )
