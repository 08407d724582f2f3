"""``mteval matching``: how often GTM's greedy search finds the largest matching.

References
----------
Turian, Shen and Melamed 2003, "Evaluation of machine translation and its evaluation", section 2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mteval_core import InputError, Report, evaluate
from mteval_core.report import Cell, Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mteval_core import Arguments, Evaluation, Session

__all__ = ["Search", "add_arguments", "run", "searches"]

DASH = "–"

ROUNDING = 1e-12
"""Sizes of which the smaller is at least 1 minus this of the larger are equal up to rounding."""


class Search(NamedTuple):
    """How near the greedy matchings of a system's segments are to the largest ones.

    Parameters
    ----------
    system : str
        The system.
    n : int
        Number of segments with a word that matches.
    n_optimal : int
        Number of segments with a greedy matching as large as the largest.
    ratios : tuple of float
        Size of the greedy matching over that of the largest, segment by segment; NaN in a segment
        without a match.
    """

    system: str
    n: int
    n_optimal: int
    ratios: tuple[float, ...]

    @property
    def worst(self) -> tuple[float, int]:
        """The smallest ratio, and the number of its segment; 1 and -1 without a match."""
        found = [(ratio, k) for k, ratio in enumerate(self.ratios) if ratio == ratio]
        return min(found, default=(1.0, -1))


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("references -i -e --lang -f -o -w -q")
    arguments.describe(
        "Compare the greedy search of GTM with the largest matching: in how many segments does it "
        "find one, and how much smaller is its matching at worst?"
    )
    arguments.share("references")
    arguments.share("systems", help="system outputs, each PATH, a folder, PATH::FIELD or NAME=PATH")
    arguments.add(
        "-e",
        "--exponent",
        type=float,
        default=2.0,
        metavar="E",
        help="exponent of the lengths of runs (default: %(default)g)",
    )
    arguments.share("text")
    arguments.group("data").share("data")
    arguments.group("output").share("output", decimals=3)


def run(session: Session) -> None:
    """Score with both searches, and write the report."""
    options, dataset = session.options, session.dataset()
    greedy = f"gtm:e={options.exponent:g}"
    evaluation = evaluate(
        dataset.systems,
        dataset.texts,
        [greedy, f"{greedy},matching=exact"],
        registry=session.registry,
        defaults=session.defaults,
        threads=options.threads,
    )
    session.texts.refuse_unused_source(list(evaluation.scorers.values()))
    session.write(report_of(evaluation, list(searches(evaluation)), options.width))


def searches(evaluation: Evaluation) -> Iterator[Search]:
    """Compare both searches, system by system.

    Parameters
    ----------
    evaluation : Evaluation
        With ``gtm`` twice, first with the greedy and then with the exact matching.

    Raises
    ------
    InputError
        If no word of any segment matches.
    """
    greedy, exact = evaluation.scorers
    sizes: dict[tuple[str, str], list[float]] = {}
    for record in evaluation.to_records("segment"):
        sizes.setdefault((record["system"], record["metric"]), []).append(record["values"]["MMS"])
    if not any(map(any, sizes.values())):
        raise InputError(
            "no word of the outputs matches one of the references, so there are no matchings"
        )
    for system in evaluation.systems:
        pairs = zip(sizes[system, greedy], sizes[system, exact], strict=True)
        ratios = tuple(a / b if b else float("nan") for a, b in pairs)
        matched = [ratio for ratio in ratios if ratio == ratio]
        n_optimal = sum(ratio >= 1 - ROUNDING for ratio in matched)
        yield Search(system, len(matched), n_optimal, ratios)


def report_of(evaluation: Evaluation, found: Sequence[Search], decimals: int) -> Report:
    """Report the share of segments with the largest matching, and the smallest ratio."""
    whole = Search(
        "all systems",
        sum(one.n for one in found),
        sum(one.n_optimal for one in found),
        tuple(ratio for one in found for ratio in one.ratios),
    )
    rows = [*found, whole] if len(found) > 1 else list(found)
    greedy, exact = evaluation.scorers
    differences = {
        one.system: evaluation.score(one.system, exact).score
        - evaluation.score(one.system, greedy).score
        for one in found
    }
    written: dict[str, Callable[[Search], str]] = {
        "segments": lambda one: str(one.n),
        "% optimal": percent,
        "worst ratio": lambda one: f"{one.worst[0]:.{decimals}f}",
        "in segment": lambda one: place(one, whole),
        "F exact - F": lambda one: gain(differences.get(one.system), decimals),
    }
    columns = tuple(
        Column((head,), tuple(Cell((write(one),)) for one in rows))
        for head, write in written.items()
    )
    test_set = evaluation.scores.test_set
    return Report.of(
        experiment="matching",
        title="Greedy matching against the largest matching",
        summary=f"Segments: {len(test_set)}; references: {len(test_set.references)}; {greedy}.",
        parts=[
            Table("Matchings", ("system",), tuple((one.system,) for one in rows), columns),
        ],
        records=[
            {
                "system": one.system,
                "n": one.n,
                "n_optimal": one.n_optimal,
                "worst_ratio": one.worst[0],
                "worst_segment": None if one is whole else one.worst[1],
                "difference": differences.get(one.system),
            }
            for one in rows
        ],
        inputs=evaluation.to_dict()["inputs"],
        legend=[
            "Segments with a match. Optimal: the greedy matching is as large as the largest one. "
            "Worst ratio: its size over that of the largest.",
        ],
        signatures=[
            str(evaluation.score(found[0].system, spec).signature) for spec in (greedy, exact)
        ],
    )


def percent(search: Search) -> str:
    """Share of segments with the largest matching."""
    return f"{100 * search.n_optimal / search.n:.2f}" if search.n else DASH


def place(search: Search, whole: Search) -> str:
    """Write the number of the segment with the smallest ratio, if it is below 1."""
    ratio, segment = search.worst
    return DASH if search is whole or ratio >= 1 - ROUNDING else str(segment)


def gain(difference: float | None, decimals: int) -> str:
    """Write the difference of the scores of the whole text."""
    return "" if difference is None else f"{difference:+.{decimals}f}"
