"""Reports of ``mteval diff`` and ``mteval replay``: records before and after, and reasons."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_core.report import Column, Table
from mteval_decide.reports.numbers import DASH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mteval_decide.diff import Change

__all__ = ["counts", "of_changes", "of_diff"]


def of_diff(
    changes: Sequence[Change],
    inputs: Mapping[str, object],
    settings: Mapping[str, object],
    *,
    all_records: bool = False,
) -> Report:
    """Report the differences between two reports, and what they mean for the systems.

    Parameters
    ----------
    changes : sequence of Change
        All records.
    inputs : mapping
        The reports.
    settings : mapping
        How they were compared.
    all_records : bool
        Whether to show the records that agree, too.
    """
    verdicts = Counter(change.verdict for change in changes if change.verdict)
    what = ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items()))
    differ = counts(changes, lambda change: not change.same)
    return of_changes(
        [change for change in changes if all_records or not change.same],
        lambda change: change.verdict or DASH,
        experiment="diff",
        summary=f"{differ} differ{what and ': '}{what}",
        inputs=inputs,
        settings=settings,
    )


def of_changes(
    changes: Sequence[Change],
    verdict: Callable[[Change], str],
    *,
    experiment: str = "replay",
    summary: str = "",
    inputs: Mapping[str, object] | None = None,
    settings: Mapping[str, object] | None = None,
) -> Report:
    """Report records before and after, with numbered reasons.

    Parameters
    ----------
    changes : sequence of Change
        The records to show.
    verdict : callable
        What to write in the column of verdicts.
    experiment, summary, inputs, settings
        As `Report.of` takes them.
    """
    reasons = dict.fromkeys(reason for change in changes for reason in change.reasons)
    numbers = {reason: f"({k})" for k, reason in enumerate(reasons, start=1)}
    return Report.of(
        experiment=experiment,
        title="Differences",
        summary=summary,
        parts=[_change_table(changes, verdict, numbers)] if changes else [],
        records=[{**vars(change), "change": _change(change)} for change in changes],
        inputs=inputs or {},
        legend=[f"{number} {reason}" for reason, number in numbers.items()],
        settings=settings,
    )


def counts(changes: Sequence[Change], is_counted: Callable[[Change], bool]) -> str:
    """Count changes with a property, ``2 of 3 records and 0 of 3 comparisons``."""
    scores = [change for change in changes if not change.is_comparison]
    comparisons = [change for change in changes if change.is_comparison]
    kinds = {"records": scores, "comparisons": comparisons}
    return " and ".join(
        f"{sum(map(is_counted, some))} of {len(some)} {kind}"
        for kind, some in kinds.items()
        if some or kind == "records"
    )


def _change_table(
    changes: Sequence[Change], verdict: Callable[[Change], str], numbers: Mapping[str, str]
) -> Table:
    columns = {
        "before": [_format_number(change.before) for change in changes],
        "after": [_format_number(change.after) for change in changes],
        "change": [_format_number(_change(change), "+") for change in changes],
        "verdict": [verdict(change) for change in changes],
        "why": [" ".join(numbers[reason] for reason in change.reasons) for change in changes],
    }
    parts = any(change.where for change in changes)
    names = [(one.system, one.metric, *([one.where] if parts else [])) for one in changes]
    return Table(
        "",
        ("system", "metric", *(["part"] if parts else [])),
        tuple(names),
        tuple(Column.of(head, texts) for head, texts in columns.items()),
    )


def _change(change: Change) -> float | None:
    if change.before is None or change.after is None:
        return None
    return change.after - change.before


def _format_number(number: float | None, sign: str = "") -> str:
    return DASH if number is None else f"{number:{sign}.4f}"
