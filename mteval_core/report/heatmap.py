"""All pairs of systems as a heat map, one panel for each metric; needs matplotlib."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.report.plots import new_figure, picture
from mteval_core.report.table import DAGGER, SIGNIFICANT, difference, metric_heads, notes

if TYPE_CHECKING:
    from typing import Any

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report import Layout

__all__ = ["png", "svg"]

PANELS_ACROSS = 3


def png(evaluation: Evaluation, layout: Layout) -> bytes:
    """Draw the heat map as PNG."""
    return _draw(evaluation, layout, "png")


def svg(evaluation: Evaluation, layout: Layout) -> bytes:
    """Draw the heat map as SVG."""
    return _draw(evaluation, layout, "svg")


def _draw(evaluation: Evaluation, layout: Layout, kind: str) -> bytes:
    """Draw row less column: blue where the row is better, bold where it is significant.

    Raises
    ------
    UsageError
        If systems were not compared, or matplotlib is not installed.
    """
    if not evaluation.comparisons:
        message = "a heat map shows comparisons: ask for them with --all-pairs"
        raise UsageError(message)
    systems = [system for system in evaluation.systems if system not in evaluation.humans]
    across = min(PANELS_ACROSS, len(evaluation.scorers))
    down = ceil(len(evaluation.scorers) / across)
    size = 1.3 + 0.62 * len(systems)
    figure = new_figure(figsize=(across * size + 0.4, down * size + 0.9))
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for panel, spec in zip(panels, evaluation.scorers, strict=False):
        _panel(panel, evaluation, layout, spec, systems)
    for panel in panels[len(evaluation.scorers) :]:
        panel.set_axis_off()
    (significant,) = [note for note in notes(evaluation, layout) if note.startswith(DAGGER)]
    bold = significant.removeprefix(f"{DAGGER} ")
    caption = f"Row less column. Blue: the row is better; bold: {bold}"
    figure.text(0.01, -0.02, caption, fontsize=7, va="top", wrap=True)
    return picture(figure, kind)


def _panel(
    panel: Any, evaluation: Evaluation, layout: Layout, spec: str, systems: list[str]
) -> None:
    n = len(systems)
    differences, significant = np.full((n, n), np.nan), np.zeros((n, n), bool)
    for i, row in enumerate(systems):
        for j, column in enumerate(systems):
            found = difference(evaluation, row, column, spec)
            if found is not None:
                differences[i, j], p = found
                significant[i, j] = p < SIGNIFICANT
    scorer = evaluation.scorers[spec]
    sign = 1 if scorer.declaration.better == "higher" else -1
    limit = np.nanmax(np.abs(differences), initial=0.0) or 1.0
    panel.imshow(sign * differences, cmap="RdBu", vmin=-1.4 * limit, vmax=1.4 * limit)
    for i, j in np.argwhere(~np.isnan(differences)).tolist():
        weight = "bold" if significant[i, j] else "normal"
        label = f"{differences[i, j]:+.{min(layout.decimals, 2)}f}"
        panel.text(j, i, label, ha="center", va="center", fontsize=7, fontweight=weight)
    panel.set_xticks(range(n), systems, rotation=45, ha="right", fontsize=8)
    panel.set_yticks(range(n), systems, fontsize=8)
    panel.set_title(" ".join(metric_heads(evaluation, spec)), fontsize=9)
