"""``mteval diff``: compare two saved reports."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mteval_core.cli.registry import requested_registry
from mteval_core.cli.streams import show

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

    from mteval_core.evaluation.diff import Change

COLUMNS = {
    "system": "left",
    "metric": "left",
    "part": "left",
    "before": "right",
    "after": "right",
    "change": "right",
    "verdict": "left",
    "why": "left",
}
"""Columns of the table of changes, with their alignment."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("before", metavar="A.json", help="report written by 'score -f json'")
    parser.add_argument("after", metavar="B.json", help="report to compare it with")
    parser.add_argument(
        "--tolerance",
        type=float,
        metavar="T",
        help="ignore relative differences up to T (default: what the metric declares, and at least "
        "1e-9)",
    )
    parser.add_argument("--all", action="store_true", help="also show records that agree")


def run(arguments: argparse.Namespace) -> int:
    """Print the records that differ; return 1 if there are any."""
    from mteval_core.evaluation.diff import diff
    from mteval_core.evaluation.saved import read_report

    before, after = read_report(arguments.before), read_report(arguments.after)
    registry = requested_registry(arguments)
    changes = diff(before, after, arguments.tolerance, registry=registry)
    print_changes(
        [change for change in changes if arguments.all or not change.same],
        lambda change: change.verdict or "-",
    )
    verdicts = Counter(change.verdict for change in changes if change.verdict)
    what = ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items()))
    show(f"{counts(changes, lambda change: not change.same)} differ{what and ': '}{what}")
    return 0 if all(change.same for change in changes) else 1


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


def print_changes(changes: Sequence[Change], verdict: Callable[[Change], str]) -> None:
    """Print changes as a table with numbered reasons, then the reasons."""
    if not changes:
        return
    from tabulate import tabulate

    reasons = dict.fromkeys(reason for change in changes for reason in change.reasons)
    numbers = {reason: f"({k})" for k, reason in enumerate(reasons, start=1)}
    titles = [title for title in COLUMNS if title != "part" or any(c.where for c in changes)]
    rows = [{**_cells(change, numbers), "verdict": verdict(change)} for change in changes]
    table = tabulate(
        [[row[title] for title in titles] for row in rows],
        headers=titles,
        tablefmt="simple",
        disable_numparse=True,
        colalign=[COLUMNS[title] for title in titles],
    )
    show(f"{table}\n")
    if numbers:
        show("\n".join(f"{number} {reason}" for reason, number in numbers.items()), end="\n\n")


def _cells(change: Change, numbers: Mapping[str, str]) -> dict[str, str]:
    """Cells of a change by column; reasons are written as their numbers."""
    difference = "-"
    if change.before is not None and change.after is not None:
        difference = f"{change.after - change.before:+.4f}"
    return {
        "system": change.system,
        "metric": change.metric,
        "part": change.where,
        "before": _number(change.before),
        "after": _number(change.after),
        "change": difference,
        "why": " ".join(numbers[reason] for reason in change.reasons),
    }


def _number(number: float | None) -> str:
    return "-" if number is None else f"{number:.4f}"
