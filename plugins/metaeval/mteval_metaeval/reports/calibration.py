"""Reports on calibration: metrics and differences down, agreement with human judgments across."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.report import Column, Table
from mteval_metaeval.reports.findings import metric_rows, study_report
from mteval_metaeval.reports.numbers import UNITS, count, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import Report
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.saved_curves import Curve
    from mteval_metaeval.study import Study

__all__ = ["of_calibration"]

SHOWN = (0.03, 0.1, 0.25, 0.5, 1.0)
"""Differences that a table shows, relative to the largest one."""

WANTED = (60, 70, 80, 90)
"""Percentages of agreement for which a table shows the difference that it takes."""


def of_calibration(
    study: Study,
    results: tuple[list[Curve], list[Note]],
    resampling: Resampling,
    *,
    size: int,
    sets: int,
    decimals: int = 2,
) -> Report:
    """Report how often people agree with differences of metrics.

    Parameters
    ----------
    study : Study
    results : tuple of list of Curve and list of Note
        The curves and their notes.
    resampling : Resampling
        The confidence level and the seed.
    size, sets : int
        Size and number of the pseudo test sets.
    decimals : int
        Digits of differences after the decimal point.
    """
    curves, notes = results
    drawn = f"{count(sets, 'pseudo test set')} of {count(size, UNITS[study.unit])}"
    return study_report(
        study,
        resampling,
        experiment="calibration",
        title="What differences of metrics mean",
        summary=f". {drawn}, seed {resampling.seed}; {resampling.level:g}% intervals (L, U)",
        parts=list(_tables(study, curves, decimals)),
        legend=["agreement: percent of pairs of systems in which people prefer the same one"],
        notes=notes,
        records=[record for curve in curves for record in _records(curve, len(study.systems))],
        settings={"calibrate": True, "size": size, "documents": sets},
    )


def _records(curve: Curve, n_systems: int) -> Iterator[dict[str, object]]:
    fields = curve._asdict()
    names = ("agreement", "low", "high")
    same = {key: fields[key] for key in ("metric", "set", "criterion", "signature", "level")}
    for k, difference in enumerate(curve.differences.tolist()):
        ends = {name: float(fields[name][k]) for name in names}
        yield {**same, "n_systems": n_systems, "difference": difference, **ends}


def _tables(study: Study, curves: Sequence[Curve], decimals: int) -> Iterator[Table]:
    for criterion in study.criteria:
        of_one = [curve for curve in curves if curve.criterion == criterion.name]
        yield _agreement_table(criterion.name, of_one, decimals)
        columns = tuple(
            Column.of(f"{wanted}%", (number(c.needed(wanted / 100), decimals) for c in of_one))
            for wanted in WANTED
        )
        caption = f"{criterion.name}: differences needed, by agreement"
        yield Table(caption, *metric_rows([(c.metric, c.set) for c in of_one]), columns)


def _agreement_table(caption: str, curves: Sequence[Curve], decimals: int) -> Table:
    """One row per metric and difference."""
    rows = [
        (curve, round(share * float(curve.differences[-1]), decimals))
        for curve in curves
        for share in SHOWN
    ]
    heads, names = metric_rows([(curve.metric, curve.set) for curve, _ in rows])
    found = 100 * np.array([curve.at(size) for curve, size in rows]).reshape(-1, 3)
    columns = [Column.of("difference", (number(size, decimals) for _, size in rows))]
    columns += [
        Column.of(head, (f"{value:.0f}" for value in values))
        for head, values in zip(("agreement", "L", "U"), found.T, strict=True)
    ]
    return Table(caption, heads, names, tuple(columns))
