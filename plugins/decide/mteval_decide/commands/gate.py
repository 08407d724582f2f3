"""``mteval gate``: test new outputs against those of a saved report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core import Arguments, InputError
from mteval_decide.commands.base import add_base, add_moved, read_base
from mteval_decide.commands.units import add_units
from mteval_decide.commands.values import p_value_below, points

if TYPE_CHECKING:
    from mteval_core import Session

__all__ = ["add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("base references -i --fail-if --alpha --top --junit --summary -f -o -w -q")
    arguments.describe(
        "Compare new outputs with a saved report. Exit with 1 if one of them has a significant "
        "loss that is larger than allowed, otherwise with 0."
    )
    add_base(
        arguments,
        systems="new outputs, each PATH, NAME=PATH, or NAME=PATH,PATH,... for several runs; each "
        "is compared with the system of its name in the report, or with the only one",
    )
    rules = arguments.group("what fails")
    rules.add(
        "--fail-if",
        nargs="+",
        metavar="CONDITION",
        help="which losses fail if they are significant, as in 'METRIC < -0.5', or 'METRIC > 0.5' "
        "where lower is better; other metrics are only reported (default: any loss of any metric)",
    )
    rules.add(
        "--alpha",
        type=p_value_below(0.5),
        default=0.05,
        metavar="P",
        help="p-values below P are significant, one-sided (default: %(default)g)",
    )
    rules.add(
        "--margin",
        type=points,
        metavar="D",
        help="fail if the data do not show that the output is worse by less than D points; without "
        "--fail-if, smaller losses pass",
    )
    add_units(rules, help="draw segments or whole documents", recorded=True)
    rules.share(
        "resamples",
        default=None,
        help="number of resamples (default: 1000, or more for small p-values)",
    )
    rules.share("seed")
    rules.decide("fail_if", "alpha", "margin")
    rules.decide("by", "resamples", "seed")
    add_moved(arguments)
    output = arguments.group("output")
    output.share("output", changes=("table",))
    output.add(
        "--top",
        type=Arguments.whole_number(0, 1000, "number of segments"),
        default=5,
        metavar="N",
        help="show the N segments that lost most where an output fails (default: %(default)s)",
    )
    output.add(
        "--junit", file="output", metavar="FILE", help="also write the verdicts as JUnit XML"
    ).refuse("--junit -: expected the name of a file", lambda o: o.junit == "-")
    output.add(
        "--summary",
        file="output",
        metavar="FILE",
        help="also append the report as Markdown, as to the file $GITHUB_STEP_SUMMARY",
    ).refuse("--summary -: expected the name of a file", lambda o: o.summary == "-")


def run(session: Session) -> int:
    """Decide, write the reports, and return 1 if an output fails."""
    from mteval_core import write_report
    from mteval_core.report import Layout
    from mteval_decide.gate import Rules, decide
    from mteval_decide.reports.gate import lost_segments, of_gate
    from mteval_decide.reports.junit import junit

    options = session.options
    base = read_base(options)
    rules = Rules(
        options.fail_if,
        options.alpha,
        options.margin,
        by=options.by,
        resamples=options.resamples,
        seed=options.seed,
    )
    decision = decide(
        base, session.texts.systems, rules, files=session.files, threads=options.threads
    )
    session.texts.refuse_unused_source(list(decision.evaluation.scorers.values()))
    lost = lost_segments(decision, options.top)
    result = of_gate(decision, lost, base.report["inputs"], options.width)
    if options.junit:
        session.write_file(options.junit, junit(decision, lost))
    if options.summary:
        layout = Layout(decimals=options.width)
        text = write_report(result, "markdown", layout, session.registry)
        append(options.summary, str(text))
    session.write(result)
    return 0 if decision.passed else 1


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
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
