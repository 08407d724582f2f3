"""Evaluations shown in Python sessions, notebooks and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report.layout import Layout
from mteval_core.report.output import fragment
from mteval_core.report.scores import of_evaluation

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation


def show_evaluation(evaluation: Evaluation, form: str) -> str | None:
    """Write the tables of an evaluation in a format; None if it is not installed."""
    registry = next(iter(evaluation.scorers.values())).setup.registry
    return fragment(of_evaluation(evaluation, Layout()), form, registry)
