"""Reports on the agreement of raters."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mteval_core.report.correlation_tables import Column, Table
from mteval_core.report.findings import Findings, human, number, plain
from mteval_core.report.notes import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.metaeval.agreement import Agreement
    from mteval_core.metaeval.judgments import Judgments

__all__ = ["of_agreement"]

MOST = 40
"""More raters, or pairs of raters, than these are left to the formats for machines."""

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
AGAIN = (
    ("same rater again", "n", "n_repeated"),
    ("same rater again", "P", "intra_pearson"),
    ("same rater again", "S", "intra_spearman"),
)
"""Groups, titles and attributes of the columns."""


def of_agreement(found: list[Agreement], judgments: Judgments, decimals: int = 2) -> Findings:
    """Agreement of raters: a summary, then raters and pairs of raters per criterion."""
    shown = SHOWN + AGAIN if any(one.n_repeated for one in found) else SHOWN
    tables = [_table("Agreement", ["criterion"], found, shown, decimals)]
    notes = []
    for one in found:
        n, n_pairs = len(one.raters), len(one.pairs)
        notes += [sentence(note) for note in one.notes]
        if n <= MOST:
            keys = (("", "n", "n"), ("", "mean", "mean"), ("", "sd", "deviation"))
            caption = f"{one.criterion}: raters"
            tables.append(_table(caption, ["rater"], one.raters, keys, decimals))
        if 0 < n_pairs <= MOST:
            keys = (("", "shared", "n"), ("", "P", "pearson"), ("", "S", "spearman"))
            caption = f"{one.criterion}: pairs of raters"
            tables.append(_table(caption, ["first", "second"], one.pairs, keys, decimals))
        if max(n, n_pairs) > MOST:
            notes.append(
                f"{one.criterion}: {n} raters and {n_pairs} pairs of raters; -f json lists them "
                f"all."
            )
    return Findings(
        "agreement",
        "Agreement of raters",
        "P Pearson, S Spearman. All pairs of judgments of an output are taken together, in both "
        "orders; of z: after each rater's scores were given the mean 0 and the standard deviation "
        "1. The coefficients of pairs of raters do not change by that.",
        tables,
        [],
        notes,
        [plain(asdict(one)) for one in found],
        {},
        human(judgments),
    )


def _table(
    caption: str,
    heads: Sequence[str],
    things: Sequence[object],
    keys: Sequence[tuple[str, str, str]],
    decimals: int,
) -> Table:
    """Attributes of things across, named by the attributes that are the heads."""

    def cell(value: float) -> str:
        return str(value) if isinstance(value, int) else number(value, decimals)

    columns = [
        Column(group, title, tuple(cell(getattr(thing, key)) for thing in things))
        for group, title, key in keys
    ]
    names = tuple(tuple(getattr(thing, head) for head in heads) for thing in things)
    return Table(caption, tuple(heads), names, columns)
