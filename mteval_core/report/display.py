"""How an evaluation shows itself in a Python session, in a notebook and in LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report.report import Layout
from mteval_core.report.scores import of_evaluation
from mteval_core.report.writers import html as html_writer
from mteval_core.report.writers import latex as latex_writer
from mteval_core.report.writers import text as text_writer

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation

__all__ = ["html", "latex", "text"]

LAYOUT = Layout()


def text(evaluation: Evaluation) -> str:
    """Write the table that the command line prints."""
    return text_writer.text(of_evaluation(evaluation, LAYOUT), LAYOUT)


def html(evaluation: Evaluation) -> str:
    """Write the tables for a notebook."""
    return html_writer.fragment(of_evaluation(evaluation, LAYOUT))


def latex(evaluation: Evaluation) -> str:
    """Write the tables for LaTeX, with booktabs."""
    return latex_writer.latex(of_evaluation(evaluation, LAYOUT), LAYOUT)
