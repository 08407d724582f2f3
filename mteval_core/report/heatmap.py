"""All pairs of systems as a heat map, one panel for each metric; needs matplotlib."""

from __future__ import annotations

import io
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.report.table import ARROWS, SIGNIFICANT, notes

if TYPE_CHECKING:
    from typing import Any

    from mteval_core.evaluation import Evaluation
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
    try:
        from matplotlib.figure import Figure
    except ImportError:
        message = "a heat map needs matplotlib: pip install matplotlib"
        raise UsageError(message) from None
    systems = [system for system in evaluation.systems if system not in evaluation.humans]
    across = min(PANELS_ACROSS, len(evaluation.scorers))
    down = ceil(len(evaluation.scorers) / across)
    size = 1.3 + 0.62 * len(systems)
    figure = Figure(figsize=(across * size + 0.4, down * size + 0.9), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for panel, spec in zip(panels, evaluation.scorers, strict=False):
        _panel(panel, evaluation, layout, spec, systems)
    for panel in panels[len(evaluation.scorers) :]:
        panel.set_axis_off()
    explained = [note for note in notes(evaluation, layout) if note.startswith("†")]
    caption = f"Row less column; bold: {explained[0].removeprefix('† ')}"
    figure.text(0.01, -0.02, caption, fontsize=7, va="top", wrap=True)
    out = io.BytesIO()
    figure.savefig(out, format=kind, dpi=150, bbox_inches="tight", metadata={})
    return out.getvalue()


def _panel(
    panel: Any, evaluation: Evaluation, layout: Layout, spec: str, systems: list[str]
) -> None:
    n = len(systems)
    differences, significant = np.full((n, n), np.nan), np.zeros((n, n), bool)
    for i, row in enumerate(systems):
        for j, column in enumerate(systems):
            for key, sign in (((row, column, spec), 1), ((column, row, spec), -1)):
                found = evaluation.comparisons.get(key)
                if found is not None:
                    differences[i, j] = sign * found.difference
                    significant[i, j] = found.p_value < SIGNIFICANT
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
    options = [f"{key}={'+'.join(items)}" for key, items in scorer.spec.options.items()]
    title = " ".join([scorer.label, ARROWS[scorer.declaration.better], *options])
    panel.set_title(title, fontsize=9)
