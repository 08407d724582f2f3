"""P-values of all pairs of metrics as heat maps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mteval_core.report import Cell
from mteval_core.report.charts import HeatMap
from mteval_metaeval.reports.numbers import DASH, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_metaeval.ranking import Ranking

__all__ = ["p_value_panels"]

SHADE = 0.4
"""Shade of a significant p-value."""


def p_value_panels(
    rankings: Sequence[Ranking], titles: Sequence[str], alpha: float, decimals: int
) -> list[list[HeatMap]]:
    """Show which metrics are better than which, a panel per ranking.

    A cell has the probability that chance alone gives the metric of its row such a lead over that
    of its column. Metrics are down and across, the best first.
    """
    pairs = zip(rankings, titles, strict=True)
    return [[_matrix(ranking, title, alpha, decimals) for ranking, title in pairs]]


def _matrix(ranking: Ranking, title: str, alpha: float, decimals: int) -> HeatMap:
    p = {(pair.better, pair.worse): pair.p_value for pair in ranking.comparisons}

    def cell(value: float | None) -> Cell:
        if value is None:
            return Cell(("",))
        text = DASH if math.isnan(value) else f"{value:.3f}"
        return Cell((text,), "significant" if value < alpha else "insignificant")

    def shade(value: float | None) -> float:
        return SHADE if value is not None and value < alpha else math.nan

    found = [[p.get((row, column)) for column in ranking.metrics] for row in ranking.metrics]
    values = [number(value, decimals) for value in ranking.values]
    return HeatMap(
        title,
        [f"{name}  {value}" for name, value in zip(ranking.metrics, values, strict=True)],
        ranking.metrics,
        cells=[list(map(cell, row)) for row in found],
        shades=[list(map(shade, row)) for row in found],
    )
