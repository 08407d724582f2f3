"""Reports of ``mteval influence``: units, ranks, and references down; their effects across."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_core.report import Column, Table
from mteval_decide.reports.numbers import DASH, FEW, UNITS, count, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core import Evaluation
    from mteval_decide.influence import Choice, Influence, Ranks
    from mteval_decide.power import By

__all__ = ["of_influence"]

FEW_REFERENCES = 5
"""The jackknife of fewer references is not reliable."""


def of_influence(
    evaluation: Evaluation,
    influences: Sequence[Influence],
    ranks: Sequence[Ranks],
    choices: Sequence[Choice],
    *,
    by: By,
    settings: Mapping[str, object],
    decimals: int = 2,
) -> Report:
    """Report what differences, or scores, depend on.

    Parameters
    ----------
    evaluation : Evaluation
    influences, ranks, choices : sequence
        The findings. There are no ranks of one system, and no choices of one reference.
    by : {"segment", "doc"}
        The unit.
    settings : mapping
        How it was done: ``top``, the number of units that are shown, ``resamples``, ``seed`` and
        ``level``.
    decimals : int
        Digits of scores after the decimal point.
    """
    ids, sizes = evaluation.scores.groups(by)
    shown = {id(one): one.largest(int(str(settings["top"]))) for one in influences}
    tables = [
        _units_table(evaluation, one, [(k, str(ids[k])) for k in shown[id(one)]], (by, decimals))
        for one in influences
    ]
    tables += [_reversals(evaluation, influences, len(ids), (by, decimals))]
    tables += [_ranks_table(evaluation, one) for one in ranks]
    tables += list(_choice_tables(evaluation, choices, by, decimals))
    records: list[dict[str, object]] = []
    for one in influences:
        records += [_unit_record(one, k, ids[k], len(ids)) for k in shown[id(one)]]
    records += [record for one in ranks for record in _rank_records(one)]
    records += [{"kind": "references", **one._asdict()} for one in choices]
    of_units = [count(len(evaluation.scores.test_set), "segment")]
    of_units += [count(len(ids), "document")] if by == "doc" else []
    of_units.append(count(len(evaluation.scores.test_set.references), "reference"))
    first = evaluation.systems[0]
    return Report.of(
        experiment="influence",
        title="What the result depends on",
        summary=", ".join(of_units),
        parts=[table for table in tables if table.rows],
        records=records,
        inputs=evaluation.to_dict()["inputs"],
        legend=_legend(influences, ranks, choices, by=by, settings=settings),
        notes=_notes(evaluation, choices, len(sizes), by),
        settings={**settings, "by": by},
        signatures=[str(evaluation.score(first, spec).signature) for spec in evaluation.scorers],
    )


def _name(one: Influence | Choice) -> str:
    return one.system if one.baseline is None else f"{one.system} − {one.baseline}"


def _units_table(
    evaluation: Evaluation,
    one: Influence,
    shown: Sequence[tuple[int, str]],
    form: tuple[By, int],
) -> Table:
    by, decimals = form
    digits = decimals + 1
    effects = one.effects
    columns = (
        Column.of("effect", (_signed(effects[k], digits) for k, _ in shown)),
        Column.of("without it", (_value(one, one.without[k], digits) for k, _ in shown)),
    )
    caption = f"{_head(evaluation, one.metric)}: {_name(one)} = {_value(one, one.value, digits)}"
    return Table(caption, (UNITS[by],), tuple((name,) for _, name in shown), columns)


def _head(evaluation: Evaluation, spec: str) -> str:
    return " ".join(Column.heads_of(evaluation.scorers[spec]))


def _value(one: Influence | Choice, value: float, decimals: int) -> str:
    return number(value, decimals) if one.baseline is None else _signed(value, decimals)


def _signed(value: float, decimals: int) -> str:
    return DASH if math.isnan(value) else f"{round(value, decimals) + 0.0:+.{decimals}f}"


def _reversals(
    evaluation: Evaluation, found: Sequence[Influence], n: int, form: tuple[By, int]
) -> Table:
    """How many units carry each difference."""
    by, decimals = form
    pairs = [one for one in found if one.baseline is not None]
    columns = (
        Column.of("metric", (_head(evaluation, one.metric) for one in pairs)),
        Column.of("difference", (_value(one, one.value, decimals) for one in pairs)),
        Column.of(
            f"{UNITS[by]}s that carry it",
            (DASH if one.reversal is None else f"{one.reversal} of {n}" for one in pairs),
        ),
    )
    names = tuple((one.system, str(one.baseline)) for one in pairs)
    return Table("What carries the differences", ("system", "baseline"), names, columns)


def _ranks_table(evaluation: Evaluation, one: Ranks) -> Table:
    columns = tuple(
        Column.of(str(rank + 1), (f"{100 * share:.0f}%" if share else "·" for share in shares))
        for rank, shares in enumerate(one.shares.T)
    )
    names = tuple((system,) for system in one.systems)
    return Table(f"{_head(evaluation, one.metric)}: ranks", ("system",), names, columns)


def _choice_tables(
    evaluation: Evaluation, choices: Sequence[Choice], by: By, decimals: int
) -> Iterator[Table]:
    n_references = len(evaluation.scores.test_set.references)
    for spec in dict.fromkeys(one.metric for one in choices):
        of_one = [one for one in choices if one.metric == spec]

        def column(head: str, values: Sequence[float], of: Sequence[Choice] = of_one) -> Column:
            pairs = zip(of, values, strict=True)
            return Column.of(head, (_value(one, value, decimals) for one, value in pairs))

        errors = {
            f"{UNITS[by]}s": [one.of_units for one in of_one],
            "references": [one.of_references for one in of_one],
        }
        columns = [column("all", [one.value for one in of_one])]
        columns += [
            column(f"without {k}", [one.without[k] for one in of_one]) for k in range(n_references)
        ]
        columns += [
            Column.of(head, (number(value, decimals) for value in values), "error from")
            for head, values in errors.items()
        ]
        columns += [column("L", [o.low for o in of_one]), column("U", [o.high for o in of_one])]
        caption = f"{_head(evaluation, spec)}: references"
        yield Table(caption, ("",), tuple((_name(one),) for one in of_one), tuple(columns))


def _unit_record(one: Influence, k: int, place: object, n: int) -> dict[str, object]:
    return {
        "kind": "unit",
        "system": one.system,
        "baseline": one.baseline,
        "metric": one.metric,
        "value": one.value,
        "id": place,
        "effect": float(one.effects[k]),
        "without": float(one.without[k]),
        "reversal": one.reversal,
        "n_units": n,
    }


def _rank_records(one: Ranks) -> Iterator[dict[str, object]]:
    for system, shares in zip(one.systems, one.shares.tolist(), strict=True):
        yield {"kind": "ranks", "system": system, "metric": one.metric, "shares": shares}


def _legend(
    influences: Sequence[Influence],
    ranks: Sequence[Ranks],
    choices: Sequence[Choice],
    *,
    by: By,
    settings: Mapping[str, object],
) -> list[str]:
    unit = UNITS[by]
    resamples = count(int(str(settings["resamples"])), "bootstrap resample")
    drawn = f"{resamples} of {unit}s, seed {settings['seed']}"
    lines = [f"effect: the value minus the value without the {unit}; the largest effects are shown"]
    if any(one.baseline for one in influences):
        lines.append(
            f"{unit}s that carry it: how many must be left out, the largest contributions first, "
            f"until the difference is gone or reversed"
        )
    if ranks:
        lines.append(f"ranks: how often a system has each rank in {drawn}")
    if choices:
        lines.append(
            f"error from: standard error from the draw of {unit}s ({drawn}) and from the choice of "
            f"references (jackknife); L, U: {settings['level']:g}% interval over both"
        )
    return lines


def _notes(evaluation: Evaluation, choices: Sequence[Choice], n: int, by: By) -> list[str]:
    notes, units = [], f"{UNITS[by]}s"
    if n < FEW:
        notes.append(f"Only {n} {units}: ranks and errors from so few {units} are not reliable.")
    n_references = len(evaluation.scores.test_set.references)
    if choices and n_references < FEW_REFERENCES:
        notes.append(
            f"Only {n_references} references: the error from so few references is not reliable."
        )
    if not choices and n_references > 1:
        notes.append(
            "The choice of references was not examined: it takes two references of every segment, "
            "or three with --jackknife."
        )
    return notes
