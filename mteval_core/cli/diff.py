"""``mteval diff``: two saved results side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from mteval_core.evaluation.saved import Change


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("before", metavar="A.json", help="report, written by 'score -f json'")
    parser.add_argument("after", metavar="B.json", help="another")
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-9,
        metavar="T",
        help="relative difference that does not count (default: %(default)s)",
    )
    parser.add_argument("--all", action="store_true", help="show what is the same, too")


def run(arguments: argparse.Namespace) -> int:
    """Print what changed; 1 if anything did."""
    from mteval_core.evaluation.saved import diff, read_report

    before, after = read_report(arguments.before), read_report(arguments.after)
    changes = diff(before, after, arguments.tolerance)
    print_changes([change for change in changes if arguments.all or not change.same])
    n_changed = sum(not change.same for change in changes)
    print(f"{n_changed} of {len(changes)} records differ")
    return 1 if n_changed else 0


def print_changes(changes: Sequence[Change], *, verdict: bool = False) -> None:
    """Print changes as a table, each reason that several share once."""
    if not changes:
        return
    from tabulate import tabulate

    parts = any(change.where for change in changes)
    reasons = {reason: f"({k})" for k, reason in enumerate(_reasons(changes), start=1)}
    rows = [
        [
            change.system,
            change.metric,
            *([change.where] if parts else []),
            _number(change.before),
            _number(change.after),
            _number(_difference(change), sign="+"),
            *([("pass" if change.same else "FAIL")] if verdict else []),
            " ".join(reasons[reason] for reason in change.reasons),
        ]
        for change in changes
    ]
    titles = ["system", "metric", *(["part"] if parts else []), "before", "after", "change"]
    numbers = ["right"] * 3
    print(
        tabulate(
            rows,
            headers=[*titles, *(["verdict"] if verdict else []), "why"],
            tablefmt="simple",
            disable_numparse=True,
            colalign=["left"] * (len(titles) - 3) + numbers + ["left"] * (2 if verdict else 1),
        )
    )
    print()
    if reasons:
        print("\n".join(f"{number} {reason}" for reason, number in reasons.items()), end="\n\n")


def _reasons(changes: Sequence[Change]) -> list[str]:
    return list(dict.fromkeys(reason for change in changes for reason in change.reasons))


def _difference(change: Change) -> float | None:
    if change.before is None or change.after is None:
        return None
    return change.after - change.before


def _number(number: float | None, sign: str = "") -> str:
    return "-" if number is None else f"{number:{sign}.4f}"
