"""How evaluations and studies show themselves in a Python session, in a notebook and in LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report.report import Layout
from mteval_core.report.scores import of_evaluation
from mteval_core.report.writers import html as html_writer
from mteval_core.report.writers import latex as latex_writer
from mteval_core.report.writers import text as text_writer

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.metaeval.study import Study
    from mteval_core.report.report import Report

__all__ = ["html", "latex", "study_html", "study_text", "text"]

LAYOUT = Layout()


def text(evaluation: Evaluation) -> str:
    """Write the table that the command line prints."""
    return text_writer.text(of_evaluation(evaluation, LAYOUT), LAYOUT)


def html(evaluation: Evaluation) -> str:
    """Write the tables for a notebook."""
    return html_writer.fragment(of_evaluation(evaluation, LAYOUT))


def latex(evaluation: Evaluation) -> str:
    """Write the tables for LaTeX, with booktabs."""
    return latex_writer.fragment(of_evaluation(evaluation, LAYOUT))


def study_text(study: Study) -> str:
    """Write the correlations over systems that the command line prints, without intervals."""
    return text_writer.text(_of_study(study), LAYOUT)


def study_html(study: Study) -> str:
    """Write the correlations over systems for a notebook, without intervals."""
    return html_writer.fragment(_of_study(study))


def _of_study(study: Study) -> Report:
    from mteval_core.metaeval import Resampling, system_level
    from mteval_core.report.correlation import of_systems

    resampling = Resampling(n=0)
    return of_systems(study, system_level(study, resampling), resampling)
