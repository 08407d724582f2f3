"""``mteval power``: which differences a test set can show, and how large it has to be."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_data,
    add_destination,
    add_documents,
    add_metrics,
    add_pipeline,
    add_references,
    add_references_mode,
    add_scores,
    add_systems,
    between,
    points,
    refuse,
    whole,
)
from mteval_core.commands.data import checked_registry, read_data
from mteval_core.commands.formats import formatted, refuse_without_tables, requested_format
from mteval_core.commands.inputs import (
    need_texts,
    options_of_data,
    requested_metrics,
)
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.commands.outside import read_scores

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Conflict
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.registry import Registry

__all__ = ["add_arguments", "run"]

CONFLICTS: tuple[Conflict, ...] = (
    (
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda a: a.by == "doc" and not (a.docs or a.data),
    ),
    (
        "--looks applies to sequential tests: add --sequential pocock or obrien-fleming",
        lambda a: "looks" in a.given and not a.sequential,
    ),
    ("--docs applies to documents: add --by doc", lambda a: a.docs and a.by != "doc"),
)
"""Message and condition of every combination of arguments that is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Show how small a difference between systems a test set can show, and how many segments or "
        "documents a test needs to find it. The systems are a pilot: yours, or similar ones."
    )
    add_references(parser)
    add_systems(
        parser,
        "system outputs, each PATH, PATH::FIELD, NAME=PATH, or NAME=PATH,PATH,... for several "
        "runs of one system; the first system is the baseline",
    )
    add_metrics(parser)
    test = parser.add_argument_group("the test")
    test.add_argument(
        "--effect",
        type=points,
        metavar="D",
        help="the true difference to find, in points of every metric (default: the difference "
        "between the systems)",
    )
    test.add_argument(
        "--power",
        type=between(50, 100, "a number of percent between 50 and 100"),
        default=80.0,
        metavar="PERCENT",
        help="the probability of finding it (default: %(default)g)",
    )
    test.add_argument(
        "--alpha",
        type=between(1e-9, 1, "a p-value from 1e-9 to 1"),
        default=0.05,
        metavar="P",
        help="p-values below P are significant; for m comparisons, divide it by m (default: "
        "%(default)g)",
    )
    test.add_argument(
        "--by",
        choices=("segment", "doc"),
        default="segment",
        help="the test draws segments or whole documents (default: %(default)s)",
    )
    test.add_argument(
        "--all-pairs", action="store_true", help="compare every system with every other"
    )
    looks = parser.add_argument_group("looking early")
    looks.add_argument(
        "--sequential",
        choices=("pocock", "obrien-fleming"),
        help="plan a test that may stop early, with bounds of this kind, while segments come in",
    )
    looks.add_argument(
        "--looks",
        type=numbers_of_units,
        default=5,
        metavar="K|N,N,...",
        help="K looks, up to the size that finds the effect; or looks at these numbers of segments "
        "or documents, which are taken as far as there are data (default: %(default)s)",
    )
    data = parser.add_argument_group("data")
    add_data(data)
    add_documents(data)
    add_scores(data)
    add_references_mode(data)
    text = "Defaults for all metrics; an option in a metric's spec takes precedence."
    add_pipeline(parser.add_argument_group("text processing", text))
    add_destination(parser.add_argument_group("output"))


def numbers_of_units(text: str) -> int | list[int]:
    """Read the value of ``--looks``."""
    from mteval_core.evaluation.sequential import MOST_LOOKS

    if "," not in text:
        return whole(text, "number of looks", 1, MOST_LOOKS)
    sizes = [whole(part, "number of segments or documents", 2, 10**9) for part in text.split(",")]
    if sizes != sorted(set(sizes)) or len(sizes) > MOST_LOOKS:
        message = f"expected at most {MOST_LOOKS} numbers that increase, got {text!r}"
        raise argparse.ArgumentTypeError(message)
    return sizes


def run(arguments: argparse.Namespace) -> int:
    """Score the pilot, compute the power and write the report."""
    from mteval_core.evaluation.power import Plan, powers
    from mteval_core.evaluation.sequential import monitor
    from mteval_core.report import Layout
    from mteval_core.report.power import of_power
    from mteval_core.report.sequential import of_looks

    refuse(CONFLICTS, arguments)
    registry = checked_registry(arguments)
    form = requested_format(arguments, "correlate", registry)
    refuse_without_tables({"width"}, arguments, form)
    evaluation = pilot(arguments, registry)
    plan = Plan(arguments.effect, arguments.power / 100, arguments.alpha, arguments.by)
    kind, all_pairs = arguments.sequential, arguments.all_pairs
    if kind:
        looks = monitor(evaluation, plan, kind, arguments.looks, all_pairs=all_pairs)
        report = of_looks(evaluation, plan, kind, looks, decimals=arguments.width)
    else:
        found = powers(evaluation, plan, all_pairs=all_pairs)
        report = of_power(evaluation, plan, found, arguments.width)
    layout = Layout(decimals=arguments.width, columns=terminal_width())
    write_report(formatted(report, layout, form, arguments), arguments)
    return 0


def pilot(arguments: argparse.Namespace, registry: Registry) -> Evaluation:
    """Score the systems of the pilot."""
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.evaluate import evaluate

    files = Files(registry)
    dataset = read_data(arguments, files)
    defaults = options_of_data(arguments, registry, dataset.language)
    scorers = requested_metrics(arguments, registry, defaults)
    need_texts(arguments, scorers)
    scorers += read_scores(arguments, files)
    return evaluate(dataset, scorers, registry=registry, threads=arguments.threads)
