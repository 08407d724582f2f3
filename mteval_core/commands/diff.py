"""``mteval diff``: compare two saved reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.values import number_between

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.session import Session


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.add(
        "before", file="input", metavar="A.json", help="report written by 'score -f json'"
    )
    arguments.add("after", file="input", metavar="B.json", help="report to compare it with")
    arguments.add(
        "--tolerance",
        type=number_between(-1e-99, 1e9, "a number of at least 0"),
        metavar="T",
        help="ignore relative differences up to T (default: what the metric declares, and at least "
        "1e-9)",
    )
    arguments.add("--all", action="store_true", help="also show records that agree")
    arguments.group("output").share("formats")


def run(session: Session) -> int:
    """Write the records that differ; return 1 if there are any."""
    from mteval_core.evaluation.diff import diff
    from mteval_core.evaluation.saved import read_report
    from mteval_core.report.changes import of_diff

    options = session.options
    paths = {"before": options.before, "after": options.after}
    before, after = (read_report(path) for path in paths.values())
    changes = diff(before, after, options.tolerance, registry=session.registry)
    settings = {"tolerance": options.tolerance}
    session.write(of_diff(changes, paths, settings, all_records=options.all))
    return 0 if all(change.same for change in changes) else 1
