"""Reports of ``mteval power``: pairs of systems down; errors, power and sizes across."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_core.report import Column, Table
from mteval_decide.reports.numbers import DASH, FEW, UNITS, count, number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mteval_core import Evaluation
    from mteval_decide.power import Plan, Power

__all__ = ["of_power"]

MOST = 1_000_000_000
"""Larger numbers of segments are not written out."""


def of_power(
    evaluation: Evaluation, plan: Plan, found: Sequence[Power], decimals: int = 2
) -> Report:
    """Report which differences a test finds.

    Parameters
    ----------
    evaluation : Evaluation
        The pilot.
    plan : Plan
        The test.
    found : sequence of Power
        The results, all pairs of one metric after those of another.
    decimals : int
        Digits of differences after the decimal point.
    """
    n = found[0].n
    sizes = [count(len(evaluation.scores.test_set), "segment")]
    sizes += [count(n, "document")] if plan.by == "doc" else []
    sizes.append(count(len(evaluation.scores.test_set.references), "reference"))
    first = evaluation.systems[0]
    return Report.of(
        experiment="power",
        title="Power of a paired test",
        summary=f"{', '.join(sizes)}; p < {plan.alpha:g}, two-sided; power {100 * plan.power:g}%",
        parts=[
            _table(evaluation, plan, [one for one in found if one.metric == spec], decimals)
            for spec in evaluation.scorers
        ],
        records=[one._asdict() for one in found],
        inputs=evaluation.to_dict()["inputs"],
        legend=_legend(plan),
        notes=_notes(plan, found),
        settings=plan._asdict(),
        signatures=[str(evaluation.score(first, spec).signature) for spec in evaluation.scorers],
    )


def _table(evaluation: Evaluation, plan: Plan, found: Sequence[Power], decimals: int) -> Table:
    def column(head: str, write: Callable[[Power], str]) -> Column:
        return Column.of(head, (write(one) for one in found))

    columns = [
        column("difference", lambda one: f"{one.difference:+.{decimals}f}"),
        column("error", lambda one: number(one.error, decimals)),
        column("detectable", lambda one: number(one.detectable, decimals)),
    ]
    if plan.effect is not None:
        columns.append(column("power", lambda one: _percent(one.power)))
    if plan.by == "doc":
        columns.append(column("design effect", lambda one: number(one.design_effect, decimals)))
        columns.append(column("documents", lambda one: _size(one.needed)))
    columns.append(column("segments", lambda one: _size(one.needed_segments)))
    names = tuple((one.system, one.baseline) for one in found)
    caption = " ".join(Column.heads_of(evaluation.scorers[found[0].metric]))
    return Table(caption, ("system", "baseline"), names, tuple(columns))


def _percent(power: float) -> str:
    return DASH if math.isnan(power) else f"{100 * power:.0f}%"


def _size(n: float) -> str:
    if math.isfinite(n):
        return f"{n:.0f}" if n < MOST else f">{MOST}"
    return DASH


def _legend(plan: Plan) -> list[str]:
    unit, power = UNITS[plan.by], f"a probability of {100 * plan.power:g}%"
    wanted = f"a true difference of {plan.effect:g}" if plan.effect else "the observed difference"
    sizes = "segments" if plan.by == "segment" else "documents, segments"
    lines = [
        f"error: standard error of the difference, from leaving out each {unit}",
        f"detectable: the true difference that is significant here with {power}",
        f"{sizes}: how many it takes to find {wanted} with {power}",
    ]
    if plan.effect:
        lines.append(f"power: probability that {wanted} is significant here")
    if plan.by == "doc":
        lines.append("design effect: squared error over that from independent segments")
    return lines


def _notes(plan: Plan, found: Sequence[Power]) -> list[str]:
    notes, units = [], f"{UNITS[plan.by]}s"
    if found[0].n < FEW:
        notes.append(f"Only {found[0].n} {units}: errors from so few {units} are not reliable.")
    if plan.effect is None:
        notes.append(
            "The true difference may be smaller than the observed one, and then a test takes more "
            f"{units}: --effect plans for a difference of your choice."
        )
    fixed = [one for one in found if math.isnan(one.error)]
    if fixed:
        pairs = ", ".join(f"{one.system} and {one.baseline} ({one.metric})" for one in fixed)
        notes.append(f"No error where none of the {units} changes the difference: {pairs}.")
    return notes
