"""Reports on the agreement of raters."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_core.report import Chart, Column, Table
from mteval_metaeval.reports.findings import human_inputs
from mteval_metaeval.reports.notes import sentence
from mteval_metaeval.reports.numbers import number
from mteval_metaeval.reports.scatter_charts import judge_panels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Judgments
    from mteval_metaeval.agreement import Agreement

__all__ = ["of_agreement"]

MOST = 40
"""If there are more raters, or pairs of raters, only the formats for machines list them."""

SHOWN = (
    ("outputs", "judged twice", "n_shared"),
    ("all pairs of judgments", "n", "n_pooled"),
    ("all pairs of judgments", "P", "pearson"),
    ("all pairs of judgments", "S", "spearman"),
    ("all pairs of judgments", "P of z", "pearson_z"),
    ("all pairs of judgments", "S of z", "spearman_z"),
    ("pairs of raters", "n", "n_pairs"),
    ("pairs of raters", "P", "mean_pearson"),
    ("pairs of raters", "S", "mean_spearman"),
    ("Krippendorff", "alpha", "alpha"),
    ("Krippendorff", "of z", "alpha_z"),
)
CONSISTENCY = (
    ("two judgments of an output", "n", "n_pooled"),
    ("two judgments of an output", "equal", "equal"),
    ("two judgments of an output", "within 1", "within_one"),
)
CONSISTENCY_AGAIN = (
    ("same rater again", "n", "n_repeated"),
    ("same rater again", "equal", "intra_equal"),
    ("same rater again", "within 1", "intra_within_one"),
)
AGAIN = (
    ("same rater again", "n", "n_repeated"),
    ("same rater again", "P", "intra_pearson"),
    ("same rater again", "S", "intra_spearman"),
)
"""Groups, titles and attributes of the columns."""


RATER = (("", "n", "n"), ("", "mean", "mean"), ("", "sd", "deviation"))
PAIR = (("", "shared", "n"), ("", "P", "pearson"), ("", "S", "spearman"))


def of_agreement(agreements: list[Agreement], judgments: Judgments, decimals: int = 2) -> Report:
    """Agreement of raters: a summary, then raters and pairs of raters per criterion."""
    again = any(one.n_repeated for one in agreements)
    shown = SHOWN + AGAIN if again else SHOWN
    consistency = CONSISTENCY + CONSISTENCY_AGAIN if again else CONSISTENCY
    tables = [
        _table(("Agreement", "criterion"), agreements, shown, decimals),
        _table(("Consistency", "criterion"), agreements, consistency, decimals),
    ]
    for one in agreements:
        tables += _raters(one, decimals)
    return Report.of(
        experiment="agreement",
        title="Agreement of raters",
        summary="P Pearson, S Spearman. All pairs of judgments of an output are taken together, in "
        "both orders; of z: after each rater's scores were scaled to mean 0 and standard deviation "
        "1. This scaling does not change the coefficients of pairs of raters. Consistency: share "
        "of pairs of scores that are equal, and that differ by at most 1.",
        parts=[*tables, Chart("judges", lambda: judge_panels(judgments))],
        records=[asdict(one) for one in agreements],
        inputs=human_inputs(judgments),
        notes=[note for one in agreements for note in _notes(one)],
    )


def _raters(agreement: Agreement, decimals: int) -> list[Table]:
    """Tables of the raters and of the pairs of raters, unless they are too long."""
    raters, pairs = (f"{agreement.criterion}: {what}" for what in ("raters", "pairs of raters"))
    tables = []
    if len(agreement.raters) <= MOST:
        tables.append(_table((raters, "rater"), agreement.raters, RATER, decimals))
    if 0 < len(agreement.pairs) <= MOST:
        tables.append(_table((pairs, "first", "second"), agreement.pairs, PAIR, decimals))
    return tables


def _notes(agreement: Agreement) -> list[str]:
    notes = [sentence(note) for note in agreement.notes]
    n, n_pairs = len(agreement.raters), len(agreement.pairs)
    if max(n, n_pairs) > MOST:
        notes.append(
            f"{agreement.criterion}: {n} raters and {n_pairs} pairs of raters; -f json lists them "
            f"all."
        )
    return notes


def _table(
    heads: tuple[str, ...],
    things: Sequence[object],
    keys: Sequence[tuple[str, str, str]],
    decimals: int,
) -> Table:
    """Attributes of things across; the heads are the caption and the attributes that name them."""

    def written(value: float) -> str:
        return str(value) if isinstance(value, int) else number(value, decimals)

    caption, *titles = heads
    columns = tuple(
        Column.of(title, (written(getattr(thing, key)) for thing in things), group)
        for group, title, key in keys
    )
    names = tuple(tuple(getattr(thing, title) for title in titles) for thing in things)
    return Table(caption, tuple(titles), names, columns)
