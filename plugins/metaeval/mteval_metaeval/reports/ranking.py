"""Reports on ranks of metrics."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING

from mteval_core.report import Cell, Chart, Column, Meaning, Table
from mteval_metaeval.reports.findings import COEFFICIENTS, study_report
from mteval_metaeval.reports.numbers import DASH, UNITS, count, number
from mteval_metaeval.reports.p_value_charts import p_value_panels
from mteval_metaeval.significance import SIGNIFICANT
from mteval_metaeval.soft_accuracy import SOFT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mteval_core import Report
    from mteval_metaeval.notes import Note
    from mteval_metaeval.ranking import Ranking
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.study import Study

__all__ = [
    "CORRECTIONS",
    "RANKS",
    "TESTS",
    "coefficient_of",
    "named_coefficient",
    "of_rankings",
    "ranking_record",
    "ranking_table",
]

ACCURACIES = {
    "pairwise accuracy": "accuracy",
    "soft pairwise accuracy": "soft acc.",
    "calibrated accuracy": "calibrated",
}
TESTS = {
    "williams": "Williams' test",
    "perm-systems": "PERM-SYS permutation test",
    "perm-both": "PERM-BOTH permutation test",
    "bootstrap": "paired bootstrap",
}
CORRECTIONS = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "none": "no correction",
}
RANKS = "A rank ends at the first metric that is significantly worse than one of its members."
"""The line of the legend that explains ranks."""


def of_rankings(
    study: Study,
    results: tuple[list[Ranking], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
    *,
    alpha: float = SIGNIFICANT,
) -> Report:
    """Ranks of metrics and p-values of all pairs, a table per criterion."""
    rankings, notes = results
    coefficient = coefficient_of(rankings[0])
    lead = "p: probability that chance alone gives a lead this large over the metric of that line"
    return study_report(
        study,
        resampling,
        experiment="ranking",
        title="Which metric is better?",
        summary=_summary(study, rankings[0], resampling),
        parts=[
            *(ranking_table(ranking, coefficient, decimals, alpha) for ranking in rankings),
            _chart(rankings, coefficient, alpha, decimals),
        ],
        legend=[
            RANKS,
            (Meaning(lead), Meaning(f"p < {alpha:g}", "significant")),
        ],
        notes=notes,
        records=map(ranking_record, rankings),
        settings={"alpha": alpha, "interval": resampling.kind("")},
    )


def ranking_record(ranking: Ranking, *, soft: bool = False) -> dict[str, object]:
    """Fields of a ranking for the formats for machines.

    The values of soft accuracy come from permutations, and the differences that are tested from
    p-values of the normal distribution.
    """
    is_approximate = soft or (ranking.coefficient == SOFT and ranking.test != "bootstrap")
    return {
        **asdict(ranking),
        "differences": "with normal p-values" if is_approximate else "of the values",
    }


def _chart(rankings: Sequence[Ranking], coefficient: str, alpha: float, decimals: int) -> Chart:
    titles = [f"{ranking.criterion}, {coefficient}" for ranking in rankings]
    lead = "p: chance gives the metric of the row this lead over that of the column"
    return Chart(
        "p-values",
        lambda: p_value_panels(rankings, titles, alpha, decimals),
        f"{lead}; bold: p < {alpha:g}",
    )


def coefficient_of(ranking: Ranking) -> str:
    """Name the coefficient of a ranking."""
    return named_coefficient(ranking.coefficient)


def named_coefficient(name: str) -> str:
    """Name a coefficient."""
    return COEFFICIENTS.get(name) or ACCURACIES.get(name) or name.capitalize()


def _summary(study: Study, ranking: Ranking, resampling: Resampling) -> str:
    items = f"{UNITS[study.unit]}s, grouping {ranking.grouping}" if ranking.grouping else "systems"
    drawn = ""
    if ranking.test != "williams":
        trials = "resamples" if ranking.test == "bootstrap" else "trials"
        drawn = f", {resampling.n} {trials}, seed {resampling.seed}"
    sides = "one" if ranking.alternative == "greater" else "two"
    pairs = count(math.comb(len(ranking.metrics), 2), "pair")
    return (
        f". {coefficient_of(ranking)} on {items}; {TESTS[ranking.test]}, {sides}-sided{drawn}, "
        f"{CORRECTIONS[ranking.correction]} for {pairs}."
    )


def ranking_table(ranking: Ranking, coefficient: str, decimals: int, alpha: float) -> Table:
    """One line per metric: rank, coefficient, and p against every metric further down."""
    p = {(pair.better, pair.worse): pair.p_value for pair in ranking.comparisons}

    def p_values(other: str) -> Iterable[Cell]:
        for metric in ranking.metrics:
            value = p.get((metric, other))
            if value is None:
                yield Cell(("",))
            else:
                text = DASH if math.isnan(value) else f"{value:.3f}"
                yield Cell((text,), "significant" if value < alpha else "insignificant")

    ranks = (DASH if rank is None else str(rank) for rank in ranking.ranks)
    values = (number(value, decimals) for value in ranking.values)
    columns = (
        Column.of("rank", ranks, ""),
        Column.of(coefficient, values, ""),
        *(
            Column((str(line),), tuple(p_values(other)), "p against the metric of line")
            for line, other in enumerate(ranking.metrics, 1)
            if line > 1
        ),
    )
    names = tuple(enumerate(ranking.metrics, 1))
    return Table(ranking.criterion, ("line", "metric"), names, columns)
