"""``mteval gate``: whether new outputs may replace those of a saved report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_destination,
    add_documents,
    add_references,
    add_source,
    add_systems,
    between,
    count,
    points,
    random_seed,
    refuse,
    whole,
)
from mteval_core.commands.files import check_output, write_file
from mteval_core.commands.formats import formatted, refuse_without_tables, requested_format
from mteval_core.commands.inputs import (
    check_stdin,
    named_inputs,
    refuse_unused_source,
)
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.commands.parser import Extend
from mteval_core.commands.registry import requested_registry
from mteval_core.data.addresses import Address
from mteval_core.errors import InputError

if TYPE_CHECKING:
    import argparse

    from mteval_core.commands.arguments import Conflict

__all__ = ["add_arguments", "run"]

CONFLICTS: tuple[Conflict, ...] = (
    ("no new output: add -i SYS", lambda a: not a.input),
    ("--docs applies to documents: add --by doc", lambda a: a.docs and a.by != "doc"),
    ("--summary -: expected the name of a file", lambda a: a.summary == "-"),
    ("--junit -: expected the name of a file", lambda a: a.junit == "-"),
)
"""Message and condition of every combination of arguments that is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Compare new outputs with a saved report. Exit with 1 if one of them has a significant "
        "loss that is larger than allowed, otherwise with 0."
    )
    parser.add_argument("base", metavar="BASE.json", help="report written by 'score -f json'")
    add_references(parser, "reference files (default: those that the report names)")
    add_systems(
        parser,
        "new outputs, each PATH, NAME=PATH, or NAME=PATH,PATH,... for several runs; each is "
        "compared with the system of its name in the report, or with the only one",
    )
    rules = parser.add_argument_group("what fails")
    rules.add_argument(
        "--fail-if",
        nargs="+",
        action=Extend,
        default=[],
        metavar="CONDITION",
        help="which losses fail if they are significant, as in 'METRIC < -0.5', or 'METRIC > 0.5' "
        "where lower is better; other metrics are only reported (default: any loss of any metric)",
    )
    rules.add_argument(
        "--p",
        type=between(1e-9, 0.5, "a p-value from 1e-9 to 0.5"),
        default=0.05,
        metavar="P",
        help="losses with p-values below P are significant, one-sided (default: %(default)g)",
    )
    rules.add_argument(
        "--equivalent",
        type=points,
        metavar="D",
        help="fail if the data do not show that the output is worse by less than D points; without "
        "--fail-if, smaller losses pass",
    )
    rules.add_argument(
        "--by",
        choices=("segment", "doc"),
        default="segment",
        help="draw segments or whole documents (default: %(default)s)",
    )
    rules.add_argument(
        "--trials",
        type=count,
        metavar="N",
        help="number of resamples (default: 1000, or more for small p-values)",
    )
    rules.add_argument(
        "--seed",
        type=random_seed,
        default=12345,
        metavar="N",
        help="random seed (default: %(default)s)",
    )
    base = parser.add_argument_group("texts of the base that have moved")
    base.add_argument(
        "--base",
        dest="moved",
        nargs="+",
        action=Extend,
        default=[],
        metavar="NAME=PATH",
        help="where the output of a system of the report is now",
    )
    add_source(base)
    add_documents(base)
    _add_output(parser)


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    add_destination(group)
    group.add_argument(
        "--worst",
        type=lambda text: whole(text, "number of segments", 0, 1000),
        default=5,
        metavar="N",
        help="show the N segments that lost most where an output fails (default: %(default)s)",
    )
    group.add_argument("--junit", metavar="FILE", help="also write the verdicts as JUnit XML")
    group.add_argument(
        "--summary",
        metavar="FILE",
        help="also append the report as Markdown, as to the file $GITHUB_STEP_SUMMARY",
    )


def run(arguments: argparse.Namespace) -> int:
    """Decide, write the reports, and return 1 if an output fails."""
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.base import Base
    from mteval_core.evaluation.gate import Rules, decide
    from mteval_core.evaluation.saved import read_report
    from mteval_core.report import Layout
    from mteval_core.report.gate import lost_segments, of_gate
    from mteval_core.report.junit import junit
    from mteval_core.report.writers.markdown import markdown

    check(arguments)
    registry = requested_registry(arguments)
    form = requested_format(arguments, "correlate", registry)
    refuse_without_tables({"width"}, arguments, form)
    report = read_report(arguments.base)
    base = Base(
        report,
        references=arguments.references,
        systems=named_inputs(arguments.moved),
        source=arguments.source,
        documents=arguments.docs,
    )
    rules = Rules(
        arguments.fail_if,
        arguments.p,
        arguments.equivalent,
        by=arguments.by,
        trials=arguments.trials,
        seed=arguments.seed,
    )
    outputs = named_inputs(arguments.input)
    files = Files(registry)
    decision = decide(base, outputs, rules, files=files, threads=arguments.threads)
    refuse_unused_source(arguments, list(decision.evaluation.scorers.values()))
    lost = lost_segments(decision, arguments.worst)
    result = of_gate(decision, lost, report["inputs"], arguments.width)
    layout = Layout(decimals=arguments.width, columns=terminal_width())
    if arguments.junit:
        write_file(arguments.junit, junit(decision, lost))
    if arguments.summary:
        append(arguments.summary, markdown(result, layout))
    write_report(formatted(result, layout, form, arguments), arguments)
    return 0 if decision.passed else 1


def check(arguments: argparse.Namespace) -> None:
    """Check the arguments, and the files that are read and written."""
    refuse(CONFLICTS, arguments)
    named = [path for runs in named_inputs(arguments.input).values() for path in runs]
    named += [path for runs in named_inputs(arguments.moved).values() for path in runs]
    named += [*arguments.references, arguments.source, arguments.docs]
    inputs = [arguments.base, *(address and Address.parse(address).path for address in named)]
    check_stdin(inputs, quiet=arguments.quiet)
    taken = [*inputs, *arguments.plugin_requests]
    for flag, path in (
        ("-o", arguments.output),
        ("--junit", arguments.junit),
        ("--summary", arguments.summary),
    ):
        check_output(path, taken, flag)
        taken.append(path)


def append(path: str, text: str) -> None:
    """Add a text to the end of a file.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    try:
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        message = f"{path}: {getattr(error, 'strerror', None) or error}"
        raise InputError(message) from None
