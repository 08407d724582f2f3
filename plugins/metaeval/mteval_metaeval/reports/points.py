"""Reports on points: pairs of systems and metrics down, how often people agree across."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Report
from mteval_core.report import Column, Table
from mteval_metaeval.reports.findings import metric_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core import Evaluation
    from mteval_metaeval.saved_curves import Quote

__all__ = ["of_quotes"]


def of_quotes(
    evaluation: Evaluation, quotes: Sequence[Quote], study: Mapping[str, str], decimals: int = 2
) -> Report:
    """Report how often people agree with the differences between systems.

    Parameters
    ----------
    evaluation : Evaluation
        The systems and metrics.
    quotes : sequence of Quote
        What a study says of their differences.
    study : mapping of str to str
        Path and hash of the study.
    decimals : int
        Digits of differences after the decimal point.
    """
    data = evaluation.to_dict()
    beyond = "> larger than all differences of the study, at whose largest one agreement is given"
    return Report.of(
        experiment="points",
        title="Agreement of people with differences",
        parts=[
            _table(criterion, [one for one in quotes if one.curve.criterion == criterion], decimals)
            for criterion in dict.fromkeys(one.curve.criterion for one in quotes)
        ],
        records=map(_record, quotes),
        inputs={**data["inputs"], "study": study},
        legend=[
            "agreement: percent of pairs of systems of the study with this difference in which "
            f"people prefer the same one, with a {quotes[0].curve.level:g}% interval (L, U)",
            *([beyond] if any(one.is_beyond for one in quotes) else []),
        ],
        signatures=[record["signature"] for record in data["records"]],
    )


def _record(one: Quote) -> dict[str, object]:
    agreement, low, high = one.agreement
    return {
        "system": one.system,
        "baseline": one.baseline,
        "metric": one.spec,
        "criterion": one.curve.criterion,
        "difference": one.difference,
        "agreement": agreement,
        "low": low,
        "high": high,
        "level": one.curve.level,
        "largest": float(one.curve.differences[-1]),
    }


def _table(criterion: str, quotes: Sequence[Quote], decimals: int) -> Table:
    heads, metrics = metric_rows([(one.curve.metric, one.curve.set) for one in quotes])
    names = tuple(
        (one.system, one.baseline, *metric) for one, metric in zip(quotes, metrics, strict=True)
    )
    sizes = (f"{one.difference:+.{decimals}f}{'>' if one.is_beyond else ''}" for one in quotes)
    percent = 100 * np.array([one.agreement for one in quotes])
    columns = [
        Column.of("difference", sizes),
        *(
            Column.of(head, (f"{value:.0f}" for value in values))
            for head, values in zip(("agreement", "L", "U"), percent.T, strict=True)
        ),
    ]
    caption = f"Agreement of people with differences ({criterion})"
    return Table(caption, ("system", "baseline", *heads), names, tuple(columns))
