"""All pairs of systems as a heat map, one panel for each metric; needs matplotlib."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import SIGNIFICANT
from mteval_core.report.comparisons import difference, meaning_of_significance, metric_heads
from mteval_core.report.plots import as_label, new_figure, picture

if TYPE_CHECKING:
    from typing import Any

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report.report import Layout, Report

__all__ = ["png", "svg"]

PANELS_ACROSS = 3


def png(report: Report, layout: Layout) -> bytes:
    """Draw the heat map as PNG."""
    return _draw(report, layout, "png")


def svg(report: Report, layout: Layout) -> bytes:
    """Draw the heat map as SVG."""
    return _draw(report, layout, "svg")


def _draw(report: Report, layout: Layout, kind: str) -> bytes:
    """Draw row minus column: blue where the row is better, bold where it is significant.

    Raises
    ------
    UsageError
        If no systems were compared, or matplotlib is not installed.
    """
    evaluation = report.evaluation
    if evaluation is None or not evaluation.comparisons:
        message = "a heat map shows comparisons of systems: mteval score --all-pairs"
        raise UsageError(message)
    across = min(PANELS_ACROSS, len(evaluation.scorers))
    down = ceil(len(evaluation.scorers) / across)
    size = 1.3 + 0.62 * len(_systems(evaluation))
    figure = new_figure(figsize=(across * size + 0.4, down * size + 0.9))
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for panel, spec in zip(panels, evaluation.scorers, strict=False):
        _draw_panel(panel, evaluation, layout, spec)
    for panel in panels[len(evaluation.scorers) :]:
        panel.set_axis_off()
    bold = meaning_of_significance(evaluation).text
    caption = f"Row minus column. Blue: the row is better; bold: {bold}"
    figure.text(0.01, -0.02, caption, fontsize=7, va="top", wrap=True)
    return picture(figure, kind)


def _draw_panel(panel: Any, evaluation: Evaluation, layout: Layout, spec: str) -> None:
    systems = _systems(evaluation)
    n = len(systems)
    differences, significant = np.full((n, n), np.nan), np.zeros((n, n), bool)
    for i, row in enumerate(systems):
        for j, column in enumerate(systems):
            compared = difference(evaluation, row, column, spec)
            if compared is not None:
                differences[i, j], p = compared
                significant[i, j] = p < SIGNIFICANT
    sign = 1 if evaluation.scorers[spec].declaration.better == "higher" else -1
    limit = np.nanmax(np.abs(differences), initial=0.0) or 1.0
    panel.imshow(sign * differences, cmap="RdBu", vmin=-1.4 * limit, vmax=1.4 * limit)
    for i, j in np.argwhere(~np.isnan(differences)).tolist():
        weight = "bold" if significant[i, j] else "normal"
        label = f"{differences[i, j]:+.{min(layout.decimals, 2)}f}"
        panel.text(j, i, label, ha="center", va="center", fontsize=7, fontweight=weight)
    labels = [as_label(system) for system in systems]
    panel.set_xticks(range(n), labels, rotation=45, ha="right", fontsize=8)
    panel.set_yticks(range(n), labels, fontsize=8)
    panel.set_title(as_label(" ".join(metric_heads(evaluation, spec))), fontsize=9)


def _systems(evaluation: Evaluation) -> list[str]:
    return [system for system in evaluation.systems if system not in evaluation.humans]
