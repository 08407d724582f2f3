"""``mteval diff``: compare two saved reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.arguments import add_format, between
from mteval_core.commands.files import check_output
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.commands.registry import requested_registry

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("before", metavar="A.json", help="report written by 'score -f json'")
    parser.add_argument("after", metavar="B.json", help="report to compare it with")
    parser.add_argument(
        "--tolerance",
        type=between(-1e-99, 1e9, "a number of at least 0"),
        metavar="T",
        help="ignore relative differences up to T (default: what the metric declares, and at least "
        "1e-9)",
    )
    parser.add_argument("--all", action="store_true", help="also show records that agree")
    add_format(parser.add_argument_group("output"))


def run(arguments: argparse.Namespace) -> int:
    """Write the records that differ; return 1 if there are any."""
    from mteval_core.evaluation.diff import diff
    from mteval_core.evaluation.saved import read_report
    from mteval_core.report import Layout
    from mteval_core.report.changes import of_diff

    paths = {"before": arguments.before, "after": arguments.after}
    check_output(arguments.output, paths.values())
    registry = requested_registry(arguments)
    form = requested_format(arguments, "correlate", registry)
    before, after = (read_report(path) for path in paths.values())
    changes = diff(before, after, arguments.tolerance, registry=registry)
    settings = {"tolerance": arguments.tolerance}
    report = of_diff(changes, paths, settings, all_records=arguments.all)
    write_report(formatted(report, Layout(columns=terminal_width()), form, arguments), arguments)
    return 0 if all(change.same for change in changes) else 1
