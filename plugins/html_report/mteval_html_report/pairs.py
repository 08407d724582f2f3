"""All pairs of systems under a metric, and groups of systems that cannot be told apart."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core import letter_groups
from mteval_core.report import Column

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from mteval_core import Evaluation

__all__ = ["Matrix", "Pair", "matrices"]


class Pair(NamedTuple):
    """Score of a row minus that of a column: as text, p, and ``better``, ``worse`` or nothing."""

    text: str
    p: str
    kind: str


class Matrix(NamedTuple):
    """A metric, its systems from best to worst, their ranks and groups, and the pairs by row."""

    metric: str
    systems: list[str]
    scores: list[str]
    ranks: list[str]
    bars: list[list[bool]]
    rows: list[list[Pair | None]]


MOST_BARS = 30
"""Largest number of bars beside a matrix, which would push it off the screen."""


def matrices(evaluation: Evaluation, decimals: int) -> list[Matrix]:
    """Return a matrix for each metric; nothing if not all pairs were compared."""
    if len({baseline for _, baseline, _ in evaluation.comparisons}) < 2:
        return []
    return [matrix(evaluation, spec, decimals) for spec in evaluation.scorers]


def matrix(evaluation: Evaluation, spec: str, decimals: int) -> Matrix:
    """Compare all pairs of systems under a metric, the best first."""
    scorer = evaluation.scorers[spec]
    sign = 1 if scorer.declaration.better == "higher" else -1
    scores = {
        system: evaluation.score(system, spec).score
        for system in evaluation.systems
        if system not in evaluation.scores.humans
    }
    systems = sorted(scores, key=lambda system: -sign * scores[system])

    def found(row: str, column: str) -> tuple[float, str, bool] | None:
        for key, direction in (((row, column, spec), 1), ((column, row, spec), -1)):
            if key in evaluation.comparisons:
                one = evaluation.comparisons[key]
                return direction * one.difference, written_p(one), one.significant
        return None

    def pair(row: str, column: str) -> Pair | None:
        compared = found(row, column)
        if compared is None:
            return None
        difference, p, significant = compared
        kind = ("better" if sign * difference > 0 else "worse") if significant else ""
        return Pair(f"{difference:+.{decimals}f}{'†' * significant}", p, kind)

    tested = ((one, other, found(one, other)) for one, other in combinations(systems, 2))
    different = {(one, other) for one, other, compared in tested if compared and compared[2]}
    return Matrix(
        " ".join(Column.heads_of(scorer)),
        systems,
        scores=[f"{scores[system]:.{decimals}f}" for system in systems],
        ranks=rank_ranges(systems, different),
        bars=bars(systems, letter_groups(systems, different)),
        rows=[[pair(row, column) for column in systems] for row in systems],
    )


def written_p(comparison: Any) -> str:
    """Write a p-value; the smallest one that the trials can give is an upper bound."""
    p, smallest = comparison.p_value, comparison.smallest_p
    if comparison.exact or p > smallest * (1 + 1e-9) or smallest >= 1:
        return f"{p:.4f}"
    return f"<{math.ceil(p * 1e4 * (1 - 1e-9)) / 1e4:.4f}"


def rank_ranges(ranked: Sequence[str], different: AbstractSet[tuple[str, str]]) -> list[str]:
    """Write the ranks that the tests leave open for each system, as WMT does.

    The best rank is one more than the number of systems that are significantly better, and the
    worst the number of systems that are not significantly worse.
    """
    ends = [
        (
            1 + sum((other, one) in different for other in ranked),
            len(ranked) - sum((one, other) in different for other in ranked),
        )
        for one in ranked
    ]
    return ["-".join(map(str, dict.fromkeys(pair))) for pair in ends]


def bars(ranked: Sequence[str], groups: Sequence[Sequence[str]]) -> list[list[bool]]:
    """Arrange groups as vertical bars next to the rows: for each row, which bars it has.

    Bars that do not overlap stand above each other. There are none if they take too much room.
    """
    lanes: list[list[Sequence[str]]] = []
    place = {one: n for n, one in enumerate(ranked)}
    for group in (each for each in groups if len(each) > 1):
        free = (lane for lane in lanes if place[lane[-1][-1]] < place[group[0]])
        lane = next(free, None)
        if lane is None:
            lanes.append(lane := [])
        lane.append(group)
    if len(lanes) > MOST_BARS:
        return [[] for _ in ranked]
    return [[any(one in group for group in lane) for lane in lanes] for one in ranked]
