"""Panels of scores: intervals, all pairs, and differences of segments or documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation import SIGNIFICANT
from mteval_core.report.charts import Bars, Dots, HeatMap
from mteval_core.report.comparisons import are_all_pairs, difference, mark_of
from mteval_core.report.grid import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.report.score_table import MetricScores

P = TypeVar("P", Dots, HeatMap)

DARKEST = 1.4
"""How much darker than the largest difference the darkest shade is: numbers stay readable."""


def _title(scores: MetricScores) -> str:
    return "\n".join(scores.heads)


def score_panels(evaluation: Evaluation, scores: Sequence[MetricScores]) -> list[Sequence[Dots]]:
    """Show scores and intervals: a panel per metric, the systems in the order of the first metric.

    Systems that are not significantly different from the baseline, a diamond, are hollow.
    """
    systems = scores[0].best_first(evaluation.systems)
    baseline = evaluation.systems[0]
    against_baseline = bool(evaluation.comparisons) and not are_all_pairs(evaluation)

    def is_same(system: str, spec: str) -> bool:
        comparison = evaluation.comparisons.get((system, baseline, spec))
        return comparison is not None and comparison.p_value >= SIGNIFICANT

    def ends(system: str, spec: str) -> tuple[float, float] | None:
        interval = evaluation.intervals.get((system, spec))
        return None if interval is None else (interval.low, interval.high)

    def panel(one: MetricScores) -> Dots:
        return Dots(
            _title(one),
            systems,
            [float(one.of(system)[0]) for system in systems],
            [ends(system, one.spec) for system in systems],
            hollow=[s for s in systems if against_baseline and is_same(s, one.spec)],
            diamonds=[baseline] if against_baseline else [],
        )

    return in_rows([*map(panel, scores)])


def pair_panels(
    evaluation: Evaluation, scores: Sequence[MetricScores], decimals: int
) -> list[Sequence[HeatMap]]:
    """Show row minus column: a panel per metric, blue where the row is better."""
    return in_rows([_matrix(evaluation, one, decimals) for one in scores])


def _matrix(evaluation: Evaluation, scores: MetricScores, decimals: int) -> HeatMap:
    systems, spec = scores.best_first(evaluation.scores.competing), scores.spec
    found = [[difference(evaluation, row, other, spec) for other in systems] for row in systems]
    differences = [[np.nan if one is None else one[0] for one in row] for row in found]
    limit = np.nanmax(np.abs(differences), initial=0.0) or 1.0
    shades = scores.sign * np.array(differences) / (DARKEST * limit)

    def cell(one: tuple[float, float] | None) -> Cell:
        if one is None:
            return Cell(("",))
        value, p = one
        return Cell((f"{value:+.{min(decimals, 2)}f}",), mark_of(p))

    cells = [list(map(cell, row)) for row in found]
    return HeatMap(_title(scores), systems, systems, cells=cells, shades=shades.tolist())


def difference_panels(scores: Sequence[MetricScores], level: Level) -> list[Sequence[Bars]]:
    """Show differences to the first system: systems down, metrics across.

    Raises
    ------
    UsageError
        If there is only one system.
    """
    first, *others = scores[0].values
    if not others:
        raise UsageError(f"a picture of {level}s shows differences of systems: add a second one")

    def panel(system: str, one: MetricScores) -> Bars:
        differences = np.sort(one.of(system) - one.of(first))[::-1]
        better, worse = (int(np.sum(side * one.sign * differences > 0)) for side in (1, -1))
        counts = f"{better} better, {len(differences) - better - worse} equal, {worse} worse"
        title = f"{_title(one)}\n{counts}" if system == others[0] else counts
        return Bars(title, differences.tolist(), one.scorer.declaration.better, up=system)

    return [[panel(system, one) for one in scores] for system in others]


def in_rows(panels: Sequence[P], across: int = 3) -> list[Sequence[P]]:
    """Put panels in rows."""
    return [panels[start : start + across] for start in range(0, len(panels), across)]
