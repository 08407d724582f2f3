"""Quotes from a calibration study below a table of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report.comparisons import metric_heads
from mteval_core.report.grid import Cell, Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core.evaluation.calibration import Agreement
    from mteval_core.evaluation.evaluation import Evaluation

__all__ = ["meanings_of_agreement", "of_agreements"]


def of_agreements(
    evaluation: Evaluation, agreements: Sequence[Agreement], decimals: int = 2
) -> Iterator[Table]:
    """Show how often people agree with differences: pairs down, metrics across."""
    for criterion in dict.fromkeys(one.criterion for one in agreements):
        found = {
            (a.system, a.baseline, a.metric): a for a in agreements if a.criterion == criterion
        }
        pairs = tuple(dict.fromkeys(key[:2] for key in found))
        columns = tuple(
            Column(
                (*metric_heads(evaluation, spec), "difference agreement [interval]"),
                tuple(_cell(found[(*pair, spec)], decimals) for pair in pairs),
            )
            for spec in evaluation.scorers
        )
        caption = f"Agreement of people with differences ({criterion})"
        yield Table(caption, ("system", "baseline"), pairs, columns, name="agreement")


def _cell(one: Agreement, decimals: int) -> Cell:
    agreement, low, high = (f"{100 * value:.0f}" for value in (one.agreement, one.low, one.high))
    size = f"{one.difference:+.{decimals}f}" + (">" if one.is_beyond else "")
    return Cell((size, f"{agreement}%", f"[{low},", f"{high}]"))


def meanings_of_agreement(agreements: Sequence[Agreement]) -> list[str]:
    """Explain the table of agreement, if there is one."""
    if not agreements:
        return []
    text = (
        "agreement: percent of pairs of systems of the study with this difference in which people "
        f"prefer the same one, with a {agreements[0].level:g}% interval"
    )
    beyond = "> larger than all differences of the study, at whose largest one agreement is given"
    return [text, *([beyond] if any(one.is_beyond for one in agreements) else [])]
