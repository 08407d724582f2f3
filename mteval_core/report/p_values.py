"""P-values of all pairs of metrics as a matrix; needs matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.evaluation.resampling import SIGNIFICANT
from mteval_core.report.findings import number
from mteval_core.report.plots import as_label, new_figure, picture
from mteval_core.report.ranking import coefficient_of
from mteval_core.report.symbols import DASH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.metaeval.ranking import Ranking

__all__ = ["plot_p_values"]


def plot_p_values(
    rankings: Sequence[Ranking], ending: str, *, alpha: float = SIGNIFICANT, decimals: int = 2
) -> bytes:
    """Draw which metrics are better than which.

    Parameters
    ----------
    rankings : sequence of Ranking
        One panel each.
    ending : {".png", ".svg", ".pdf"}
        The format.
    alpha : float
        P-values up to this one are bold, and shaded.
    decimals : int
        Digits of the coefficients.

    Returns
    -------
    bytes
        The picture: metrics down and across, the best first. A cell has the probability that
        chance alone gives the metric of its row such a lead over that of its column.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    size = 1.9 + 0.52 * max(len(ranking.metrics) for ranking in rankings)
    figure = new_figure(figsize=(size * len(rankings), size))
    panels = figure.subplots(1, len(rankings), squeeze=False)[0]
    for panel, ranking in zip(panels, rankings, strict=True):
        _draw(panel, ranking, alpha, decimals)
    lead = "p: chance gives the metric of the row this lead over that of the column"
    figure.supxlabel(f"{lead}; bold: at most {alpha:g}", fontsize=7, x=0.01, ha="left", wrap=True)
    return picture(figure, ending[1:])


def _draw(panel: Any, ranking: Ranking, alpha: float, decimals: int) -> None:
    n = len(ranking.metrics)
    place = {metric: k for k, metric in enumerate(ranking.metrics)}
    p = np.full((n, n), np.nan)
    for pair in ranking.comparisons:
        p[place[pair.better], place[pair.worse]] = pair.p_value
    panel.imshow(np.where(p <= alpha, 0.4, np.nan), cmap="Blues", vmin=0, vmax=1)
    for pair in ranking.comparisons:
        row, column, value = place[pair.better], place[pair.worse], pair.p_value
        text = DASH if math.isnan(value) else f"{value:.3f}"
        weight = "bold" if value <= alpha else "normal"
        panel.text(column, row, text, ha="center", va="center", fontsize=7, fontweight=weight)
    values = [number(value, decimals) for value in ranking.values]
    labels = [as_label(metric) for metric in ranking.metrics]
    both = [f"{label}  {value}" for label, value in zip(labels, values, strict=True)]
    panel.set_xticks(range(n), labels, rotation=45, ha="right", fontsize=8)
    panel.set_yticks(range(n), both, fontsize=8)
    panel.tick_params(length=0)
    panel.set_title(as_label(f"{ranking.criterion}, {coefficient_of(ranking)}"), fontsize=9)
