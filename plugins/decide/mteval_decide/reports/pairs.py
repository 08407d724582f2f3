"""Reports of ``mteval pairwise``: a ranking of the systems, and each against each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_core.report import Cell, Column, Meaning, Table
from mteval_decide.power import SIGNIFICANT
from mteval_decide.reports.numbers import FEW, UNITS, count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core import TestSet, Text
    from mteval_decide.pairs import Match, Tournament

__all__ = ["of_pairs"]

NOT_PLAYED = Cell(("·",))
TESTS = {"ar": "approximate randomisation", "bs": "paired bootstrap"}


def of_pairs(
    found: Sequence[Tournament],
    systems: Mapping[str, Text],
    test_set: TestSet,
    settings: Mapping[str, object],
    *,
    decimals: int = 2,
) -> Report:
    """Report tournaments.

    Parameters
    ----------
    found : sequence of Tournament
        One of each metric.
    systems : mapping of str to Text
        The outputs.
    test_set : TestSet
        The other texts.
    settings : mapping
        How it was done: the arguments of `mteval_decide.pairs.tournament`.
    decimals : int
        Digits of scores after the decimal point.
    """
    by, n = UNITS[str(settings["by"])], found[0].n_units
    parts = [table for one in found for table in (ranking(one), matrix(one, decimals))]
    records: list[dict[str, object]] = []
    for one in found:
        spec, signature = str(one.scorer.spec), str(one.signature)
        shared = {"metric": spec, "better": one.scorer.declaration.better, "signature": signature}
        for place, each in enumerate(one.ranking, 1):
            records.append({"kind": "rank", "rank": place, **each._asdict(), **shared})
        for match in one.matches:
            own = match._asdict()
            interval = own.pop("interval")
            records.append(
                {"kind": "pair", **own, "low": interval.low, "high": interval.high, **shared}
            )
    drawn = f"{settings['resamples']} bootstrap resamples of {by}s, seed {settings['seed']}"
    test = f"{TESTS[str(settings['test'])]} of {by}s, Holm's correction"
    return Report.of(
        experiment="pairs",
        title="Systems in pairs",
        summary=f"{count(len(systems), 'system')}, {count(n, by)}",
        parts=parts,
        records=records,
        inputs={
            "references": [source_of(text) for text in test_set.references],
            "systems": {name: [source_of(text)] for name, text in systems.items()},
            "source": test_set.source and source_of(test_set.source),
        },
        legend=[
            f"strength: log-odds against an average system (Bradley and Terry 1952), from who wins "
            f"each {by}; {settings['level']:g}% interval from {drawn}",
            f"wins: mean share of {by}s won against each other system; ties count half",
            "row against column: the score of the row where it is compared with the column",
            [Meaning(f"p < {SIGNIFICANT} ({test})", "significant")],
        ],
        notes=[f"Only {n} {by}s were drawn: intervals and p-values are not reliable."]
        if n < FEW
        else [],
        settings=settings,
        signatures=[str(one.signature) for one in found],
    )


def ranking(one: Tournament) -> Table:
    """Systems down; strength with its interval, and wins."""
    strengths = tuple(
        Cell((f"{each.strength:+.2f}", f"[{each.low:+.2f},", f"{each.high:+.2f}]"))
        for each in one.ranking
    )
    wins = (f"{100 * each.wins:.1f}" for each in one.ranking)
    columns = (Column(("strength",), strengths), Column.of("wins %", wins))
    names = tuple((each.system,) for each in one.ranking)
    caption = f"{' '.join(Column.heads_of(one.scorer))}: ranking"
    return replace(Table(caption, ("system",), names, columns), name="ranking")


def matrix(one: Tournament, decimals: int) -> Table:
    """The score of each system (row) against each other (column), the best first."""
    scores: dict[tuple[str, str], tuple[float, Match]] = {}
    for match in one.matches:
        scores[match.system, match.other] = match.score, match
        scores[match.other, match.system] = match.against, match
    order = [each.system for each in one.ranking]

    def cell(row: str, column: str) -> Cell:
        if row == column:
            return NOT_PLAYED
        score, match = scores[row, column]
        mark = "significant" if match.p_value < SIGNIFICANT else "worse"
        return Cell((f"{score:.{decimals}f}",), mark)  # type: ignore[arg-type]

    columns = tuple(Column((name,), tuple(cell(row, name) for row in order)) for name in order)
    caption = f"{' '.join(Column.heads_of(one.scorer))}: row against column"
    names = tuple((row,) for row in order)
    return replace(Table(caption, ("system",), names, columns), name="matrix")


def source_of(text: Text) -> dict[str, str | None]:
    """Say where a text is from, with its digest."""
    return {"path": text.path, "hash": text.digest.hex}
