"""Reports of ``mteval why``: figures that changed, damage, and the segments that lost most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mteval_core import Report
from mteval_core.report import Column, Table
from mteval_decide.reports.losses import CHANGE_WITHOUT, table_of_losses
from mteval_decide.reports.numbers import DASH, count, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core import Evaluation
    from mteval_decide.why import Changes, Figure

__all__ = ["of_changes"]


def of_changes(
    found: Changes,
    evaluation: Evaluation,
    commands: Mapping[str, str],
    *,
    inputs: Mapping[str, Any],
    top: int,
    decimals: int = 2,
) -> Report:
    """Report what changed.

    Parameters
    ----------
    found : Changes
        What changed.
    evaluation : Evaluation
        The scores.
    commands : mapping of str to str
        Commands by what they show.
    inputs : mapping
        The inputs of the base and of the new output.
    top : int
        The largest number of segments in the table.
    decimals : int
        Digits of scores after the decimal point.
    """
    heads = {spec: " ".join(Column.heads_of(scorer)) for spec, scorer in evaluation.scorers.items()}
    mains = {spec: scorer.main for spec, scorer in evaluation.scorers.items()}
    figures = [
        one if one.name != mains.get(one.metric) else one._replace(name=heads[one.metric])
        for one in found.figures
        if one.name == mains.get(one.metric)
        or (one.metric in ("", found.metric) and one.before != one.after)
    ]
    name = heads[found.metric]
    ids = evaluation.scores.corpus.test_set.ids
    parts = [_table(figures, decimals)]
    lost = found.lost[:top]
    if lost:
        what = f"{found.system}, {name}"
        parts.append(table_of_losses(lost, decimals, what=what, ids=ids))
    if commands:
        rows = tuple(commands.items())
        empty = Column.of("", [""] * len(rows))
        parts.append(Table("", ("to see", "type"), rows, (empty,), name="commands"))
    n, unit = len(evaluation.scores.test_set), evaluation.scorers[found.metric].declaration.unit
    losses = f"{found.n_lost} lost under {name}"
    if unit == "document":
        losses = f"{name} has scores of documents only"
    return Report.of(
        experiment="why",
        title=f"What changed: {found.system}",
        summary=f"{found.n_changed} of {count(n, 'segment')} changed, {losses}",
        parts=parts,
        records=[*_records(found, ids)],
        inputs=inputs,
        legend=[*([CHANGE_WITHOUT] if lost else []), *_legend(figures)],
        notes=[*_notes(found, decimals)],
        settings={
            "system": found.system,
            "baseline": found.baseline,
            "metric": found.metric,
            "n_changed": found.n_changed,
            "n_lost": found.n_lost,
            "change_without_lost": None if math.isnan(found.without) else found.without,
            "commands": dict(commands),
        },
        signatures=(str(evaluation.score(found.system, spec).signature) for spec in heads),
    )


def _table(figures: Sequence[Figure], decimals: int) -> Table:
    columns = (
        Column.of("base", (_written(one.before, one, decimals) for one in figures)),
        Column.of("now", (_written(one.after, one, decimals) for one in figures)),
        Column.of("change", (_change(one, decimals) for one in figures)),
        Column.of("in %", map(_relative, figures)),
    )
    return Table("", ("figure",), tuple((one.name,) for one in figures), columns, name="figures")


def _places(one: Figure, decimals: int) -> int:
    """Digits after the decimal point; none for counts, such as lengths among the values."""
    if one.unit == "percent":
        return 1
    is_length = one.before == round(one.before) > 100 < one.after == round(one.after)
    return 0 if one.unit == "count" or is_length else decimals


def _written(value: float, one: Figure, decimals: int) -> str:
    return number(value, _places(one, decimals)) + "%" * (one.unit == "percent")


def _change(one: Figure, decimals: int) -> str:
    difference = one.after - one.before + 0.0
    return f"{difference:+.{_places(one, decimals)}f}"


def _relative(one: Figure) -> str:
    if one.unit == "percent" or not one.before or not math.isfinite(one.after / one.before):
        return DASH
    return f"{100 * (one.after / one.before - 1):+.1f}"


def _legend(figures: Sequence[Figure]) -> list[str]:
    if not any(one.unit == "percent" for one in figures):
        return []
    return [
        "of the references: what all references of a segment have, and the output, too; names are "
        "words with a capital inside a sentence"
    ]


def _notes(found: Changes, decimals: int) -> list[str]:
    notes = [
        f"{one.message} [{one.code}]"
        if one.where == "now"
        else f"In the base, and no longer: {one.message} [{one.code}]"
        for one in found.findings
    ]
    same = [one.name for one in found.figures if not one.metric and one.before == one.after]
    if same:
        notes.append(f"As before: {', '.join(same)}.")
    if found.lost and not math.isnan(found.without):
        n = len(found.lost)
        which = "the segment" if n == 1 else f"the {n} segments"
        change = f"{found.without + 0.0:+.{decimals}f}"
        notes.append(f"Without {which} that lost most, the change of the score is {change}.")
    return notes


def _records(found: Changes, ids: Sequence[str] | None) -> list[dict[str, Any]]:
    return [
        *({"kind": "figure", **one._asdict()} for one in found.figures),
        *({"kind": "finding", **one._asdict()} for one in found.findings),
        *(
            {"kind": "segment", **one._asdict(), "id": ids[one.segment] if ids else None}
            for one in found.lost
        ),
    ]
