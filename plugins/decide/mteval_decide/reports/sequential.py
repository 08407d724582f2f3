"""Reports of ``mteval power --sequential``: looks down; bounds and probabilities across."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_core.report import Column, Table
from mteval_decide.reports.numbers import DASH, UNITS, count, number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mteval_core import Evaluation
    from mteval_decide.power import Plan
    from mteval_decide.sequential import Bound, Look

__all__ = ["of_looks"]

EARLY = 100
"""Looks at fewer units are not reliable: their standard errors vary too much."""

TITLES = {"pocock": "Pocock", "obrien-fleming": "O'Brien and Fleming"}


def of_looks(
    evaluation: Evaluation, plan: Plan, kind: Bound, looks: Sequence[Look], *, decimals: int = 2
) -> Report:
    """Report when a test may stop.

    Parameters
    ----------
    evaluation : Evaluation
        The data so far, or the pilot.
    plan : Plan
        The test.
    kind : {"pocock", "obrien-fleming"}
        The kind of bounds.
    looks : sequence of Look
        The looks, all of one pair and metric after those of another.
    decimals : int
        Digits of differences after the decimal point.
    """
    n_looks = max(look.look for look in looks)
    pairs = [list(some) for _, some in groupby(looks, lambda one: (one.metric, *_pair(one)))]
    size = f"{count(n_looks, 'look')}, bounds of {TITLES[kind]}"
    first = evaluation.systems[0]
    return Report.of(
        experiment="sequential",
        title="Looks of a sequential test",
        summary=f"{size}; p < {plan.alpha:g} over all looks, two-sided",
        parts=[_table(evaluation, plan, pair, decimals) for pair in pairs],
        records=[look._asdict() for look in looks],
        inputs=evaluation.to_dict()["inputs"],
        legend=_legend(plan),
        notes=_notes(evaluation, plan, pairs),
        settings={**plan._asdict(), "bounds": kind},
        signatures=[str(evaluation.score(first, spec).signature) for spec in evaluation.scorers],
    )


def _pair(look: Look) -> tuple[str, str]:
    return look.system, look.baseline


def _table(evaluation: Evaluation, plan: Plan, looks: Sequence[Look], decimals: int) -> Table:
    def column(head: str, write: Callable[[Look], str]) -> Column:
        return Column.of(head, (write(look) for look in looks))

    columns = [
        column(f"{UNITS[plan.by]}s", lambda look: number(look.n, 0)),
        column("bound", lambda look: number(look.bound, 3)),
        column("p below", lambda look: f"{look.p_value:.3g}"),
        column("difference", lambda look: number(look.detectable, decimals)),
        column("false alarm", lambda look: _percent(look.spent)),
        column("found", lambda look: _percent(look.found)),
    ]
    if any(not math.isnan(look.z) for look in looks):
        columns += [
            column("observed", lambda look: number(look.difference, decimals)),
            column("z", lambda look: number(look.z, 2)),
            column("verdict", lambda look: look.verdict or DASH),
        ]
    system, baseline = _pair(looks[0])
    name = " ".join(Column.heads_of(evaluation.scorers[looks[0].metric]))
    caption = f"{name}: {system} against {baseline}"
    return Table(caption, ("look",), tuple((look.look,) for look in looks), tuple(columns))


def _percent(share: float) -> str:
    return DASH if math.isnan(share) else f"{100 * share:.1f}%"


def _legend(plan: Plan) -> list[str]:
    wanted = f"a true difference of {plan.effect:g}" if plan.effect else "the observed difference"
    return [
        "bound: stop if the difference is at least so many standard errors",
        "p below: the same as a p-value of an ordinary test, without correction",
        f"difference: the same in points, if {UNITS[plan.by]}s vary as here",
        "false alarm: probability of having stopped by this look without a true difference",
        f"found: probability of having stopped by this look with {wanted}",
    ]


def _notes(evaluation: Evaluation, plan: Plan, pairs: Sequence[Sequence[Look]]) -> list[str]:
    notes, units = [], f"{UNITS[plan.by]}s"
    for looks in pairs:
        (system, baseline), last = _pair(looks[0]), looks[-1]
        name = " ".join(Column.heads_of(evaluation.scorers[last.metric]))
        what = f"{name}, {system} against {baseline}"
        if math.isnan(last.expected):
            notes.append(f"{what}: no size finds this difference, or it does not vary.")
        else:
            notes.append(
                f"{what}: {last.expected:.0f} {units} on average, {last.n:.0f} at most, if the "
                f"difference is {'as observed' if plan.effect is None else f'{plan.effect:g}'}."
            )
    if any(look.n < EARLY for looks in pairs for look in looks):
        notes.append(
            f"Looks at fewer than {EARLY} {units} stop too often, most with Pocock's bounds: plan "
            f"later ones."
        )
    if plan.effect is None:
        notes.append("--effect plans for a difference of your choice.")
    return notes
