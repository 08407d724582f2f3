"""Studies shown in Python sessions and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import FormatSpec, write_report
from mteval_core.report import Layout
from mteval_metaeval.experiments import system_level
from mteval_metaeval.reports.correlation import of_systems
from mteval_metaeval.resampling import Resampling

if TYPE_CHECKING:
    from mteval_metaeval.study import Study

__all__ = ["show_study"]


def show_study(study: Study, form: str) -> str | None:
    """Write the correlations over systems, without intervals; None if the format is missing."""
    registry = study.measures[0].scorer.setup.registry
    if not registry.of_name(FormatSpec, form):
        return None
    resampling = Resampling(n=0)
    report = of_systems(study, system_level(study, resampling), resampling)
    layout = Layout(is_fragment=True, signatures="full")
    return str(write_report(report, form, layout, registry))
