"""Studies shown in Python sessions and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report.output import fragment
from mteval_metaeval.experiments import system_level
from mteval_metaeval.reports.correlation import of_systems
from mteval_metaeval.resampling import Resampling

if TYPE_CHECKING:
    from mteval_metaeval.study import Study

__all__ = ["show_study"]


def show_study(study: Study, form: str) -> str | None:
    """Write the correlations over systems, without intervals; None if the format is missing."""
    resampling = Resampling(n=0)
    report = of_systems(study, system_level(study, resampling), resampling)
    return fragment(report, form, study.measures[0].scorer.setup.registry)
