"""All pairs of systems under a metric, and groups of systems that cannot be told apart."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def clusters(systems: Sequence[str], different: set[tuple[str, str]]) -> list[list[str]]:
    """Group systems so that two of them share a group exactly if they do not differ.

    The groups are the largest sets of which no two systems differ, a "compact letter display"
    (Piepho 2004). They are found system by system.

    Parameters
    ----------
    systems : sequence of str
        The systems, the best first.
    different : set of (str, str)
        Pairs that differ, each in the order of `systems`.

    Returns
    -------
    list of list of str
        The groups in the order of their best systems, each in the order of `systems`.

    Examples
    --------
    >>> clusters("ABC", {("A", "C")})
    [['A', 'B'], ['B', 'C']]
    """
    groups: set[frozenset[str]] = set()
    for one in systems:
        alike = {other for other in systems if not {(one, other), (other, one)} & different}
        grown = {(group & alike) | {one} for group in groups} or {frozenset({one})}
        largest = {group for group in grown if not any(group < other for other in grown)}
        groups = {group for group in groups if not group <= alike} | largest
    places = sorted([systems.index(one) for one in systems if one in group] for group in groups)
    return [[systems[place] for place in group] for group in places]
