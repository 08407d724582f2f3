"""How evaluations and studies show themselves in a Python session, in a notebook and in LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report.layout import Layout
from mteval_core.report.output import fragment
from mteval_core.report.scores import of_evaluation

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.metaeval.study import Study

__all__ = ["show_evaluation", "show_study"]


def show_evaluation(evaluation: Evaluation, form: str) -> str | None:
    """Write the tables of an evaluation in a format; None if it is not installed."""
    registry = next(iter(evaluation.scorers.values())).setup.registry
    return fragment(of_evaluation(evaluation, Layout()), form, registry)


def show_study(study: Study, form: str) -> str | None:
    """Write the correlations over systems, without intervals, as `show_evaluation` does."""
    from mteval_core.metaeval import Resampling, system_level
    from mteval_core.report.correlation import of_systems

    resampling = Resampling(n=0)
    report = of_systems(study, system_level(study, resampling), resampling)
    return fragment(report, form, study.measures[0].scorer.setup.registry)
