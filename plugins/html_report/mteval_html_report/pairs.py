"""All pairs of systems under a metric, and groups of systems that cannot be told apart."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import clusters

if TYPE_CHECKING:
    from mteval_core import Evaluation

__all__ = ["Matrix", "Pair", "matrices"]


class Pair(NamedTuple):
    """Score of a row minus that of a column: as text, p, and ``better``, ``worse`` or nothing."""

    text: str
    p: str
    kind: str


class Matrix(NamedTuple):
    """A metric, its systems from best to worst, the groups of each, and the pairs by row."""

    metric: str
    systems: list[str]
    scores: list[str]
    groups: list[list[int]]
    rows: list[list[Pair | None]]


def matrices(evaluation: Evaluation, decimals: int) -> list[Matrix]:
    """Return a matrix for each metric; nothing if not all pairs were compared."""
    if len({baseline for _, baseline, _ in evaluation.comparisons}) < 2:
        return []
    return [matrix(evaluation, spec, decimals) for spec in evaluation.scorers]


def matrix(evaluation: Evaluation, spec: str, decimals: int) -> Matrix:
    """Compare all pairs of systems under a metric, the best first."""
    sign = 1 if evaluation.scorers[spec].declaration.better == "higher" else -1
    scores = {
        system: evaluation.score(system, spec).score
        for system in evaluation.systems
        if system not in evaluation.scores.humans
    }
    systems = sorted(scores, key=lambda system: -sign * scores[system])

    def found(row: str, column: str) -> tuple[float, float, bool] | None:
        for key, direction in (((row, column, spec), 1), ((column, row, spec), -1)):
            if key in evaluation.comparisons:
                one = evaluation.comparisons[key]
                return direction * one.difference, one.p_value, one.significant
        return None

    def pair(row: str, column: str) -> Pair | None:
        compared = found(row, column)
        if compared is None:
            return None
        difference, p, significant = compared
        kind = ("better" if sign * difference > 0 else "worse") if significant else ""
        return Pair(f"{difference:+.{decimals}f}{'†' * significant}", f"{p:.4f}", kind)

    tested = ((one, other, found(one, other)) for one, other in combinations(systems, 2))
    different = {(one, other) for one, other, compared in tested if compared and compared[2]}
    shared = clusters(systems, different)
    return Matrix(
        spec,
        systems,
        scores=[f"{scores[system]:.{decimals}f}" for system in systems],
        groups=[[n for n, some in enumerate(shared, 1) if one in some] for one in systems],
        rows=[[pair(row, column) for column in systems] for row in systems],
    )
