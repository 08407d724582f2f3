"""Significance marks in a column of scores."""

from __future__ import annotations

from itertools import combinations
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.errors import UsageError
from mteval_core.evaluation.p_values import SIGNIFICANT
from mteval_core.report.comparisons import difference
from mteval_core.report.report import Meaning
from mteval_core.report.symbols import DAGGER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report.layout import Layout, Marking

__all__ = ["Marks", "clusters", "marking", "marks_of", "meaning_of_marking"]


class Marks(NamedTuple):
    """The marks of the systems under one metric.

    Parameters
    ----------
    equal : frozenset of str
        Systems that are not significantly worse than the best.
    signs : mapping of str to str
        What follows the scores of some systems.
    """

    equal: frozenset[str] = frozenset()
    signs: Mapping[str, str] = {}


def marking(evaluation: Evaluation, layout: Layout) -> Marking | None:
    """Choose what to mark: what the reader asked for, or what the comparisons allow.

    The best systems can be told from the others only if every pair was compared.
    """
    if layout.level != "corpus" or not evaluation.comparisons:
        return None
    n = len(evaluation.systems) - len(evaluation.scores.humans)
    every_pair = len(evaluation.comparisons) == len(evaluation.scorers) * n * (n - 1) // 2
    return layout.marks or ("best" if every_pair else "baseline")


def marks_of(
    evaluation: Evaluation, spec: str, ranked: Sequence[str], marking: Marking | None
) -> Marks:
    """Mark systems under one metric.

    Parameters
    ----------
    evaluation : Evaluation
        The comparisons.
    spec : str
        The metric.
    ranked : sequence of str
        The systems that compete, the best first.
    marking : {"best", "baseline", "letters"} or None
        What to mark.
    """

    def differ(one: str, other: str) -> bool:
        compared = difference(evaluation, one, other, spec)
        return compared is not None and compared[1] < SIGNIFICANT

    match marking:
        case "best":
            return Marks(equal=frozenset(one for one in ranked if not differ(one, ranked[0])))
        case "baseline":
            baseline = evaluation.systems[0]
            return Marks(signs={one: DAGGER for one in ranked if differ(one, baseline)})
        case "letters":
            pairs = {pair for pair in combinations(ranked, 2) if differ(*pair)}
            return Marks(signs=_letters(ranked, clusters(ranked, pairs)))
        case None:
            return Marks()


def clusters(ranked: Sequence[str], different: AbstractSet[tuple[str, str]]) -> list[list[str]]:
    """Group systems so that two of them share a group exactly if they do not differ.

    The groups are the largest sets of which no two systems differ, a "compact letter display"
    (Piepho 2004). They are found system by system.

    Parameters
    ----------
    ranked : sequence of str
        The systems, the best first.
    different : set of (str, str)
        Pairs that differ, each in the order of `ranked`.

    Returns
    -------
    list of list of str
        The groups in the order of their best systems, each in the order of `ranked`.

    Examples
    --------
    >>> clusters("ABC", {("A", "C")})
    [['A', 'B'], ['B', 'C']]
    """
    groups: set[frozenset[str]] = set()
    for one in ranked:
        alike = {other for other in ranked if not {(one, other), (other, one)} & different}
        grown = {(group & alike) | {one} for group in groups} or {frozenset({one})}
        largest = {group for group in grown if not any(group < other for other in grown)}
        groups = {group for group in groups if not group <= alike} | largest
    places = sorted([ranked.index(one) for one in ranked if one in group] for group in groups)
    return [[ranked[place] for place in group] for group in places]


def _letters(ranked: Sequence[str], groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """Name each group by a letter, and list the letters of each system.

    Raises
    ------
    UsageError
        If there are more groups than letters.
    """
    if len(groups) > len(ascii_letters):
        message = f"{len(groups)} groups of systems, but {len(ascii_letters)} letters: leave out "
        message += "--marks letters"
        raise UsageError(message)
    named = list(zip(ascii_letters, groups, strict=False))
    return {one: "".join(name for name, group in named if one in group) for one in ranked}


def meaning_of_marking(evaluation: Evaluation, marking: Marking | None) -> list[Meaning]:
    """Explain the marks of the scores."""
    meanings: dict[Marking | None, list[Meaning]] = {
        "best": [Meaning("not significantly worse than the best", "equal")],
        "baseline": [
            Meaning(f"significantly different from {evaluation.systems[0]}", "significant")
        ],
        "letters": [Meaning("systems that share a letter do not differ significantly")],
    }
    return meanings.get(marking, [])
