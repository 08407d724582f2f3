"""Arguments of ``mteval profile``: their declarations, and which of them go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_data,
    add_destination,
    add_documents,
    add_domains,
    add_empty_references,
    add_inference,
    add_interval,
    add_metrics,
    add_pipeline,
    add_references,
    add_scores,
    add_systems,
    count,
)
from mteval_core.commands.correlate_arguments import whole_numbers
from mteval_core.commands.parser import Extend

if TYPE_CHECKING:
    import argparse

    from mteval_core.commands.arguments import Conflict

__all__ = ["CONFLICTS", "add_arguments", "has_metrics"]


def has_metrics(arguments: argparse.Namespace) -> bool:
    """Whether there are metrics whose scores are shown by parts."""
    return bool(arguments.metrics or arguments.scores)


def leaves_out(arguments: argparse.Namespace, by: str) -> bool:
    """Whether ``--by`` names parts, but not these."""
    return bool(arguments.by_parts) and by not in arguments.by_parts


CONFLICTS: tuple[Conflict, ...] = (
    (
        "--by, --lengths, --docs and --domains divide the scores of metrics: add -m METRIC",
        lambda a: not has_metrics(a) and (a.by_parts or a.lengths or a.docs or a.domains),
    ),
    (
        "--by doc needs --docs FILE, with the document id of each segment, or --data",
        lambda a: "doc" in a.by_parts and not (a.docs or a.data),
    ),
    (
        "--by domain needs --domains FILE, with the domain of each segment, or --data",
        lambda a: "domain" in a.by_parts and not (a.domains or a.data),
    ),
    ("--docs applies to documents: add --by doc", lambda a: a.docs and leaves_out(a, "doc")),
    (
        "--domains applies to domains: add --by domain",
        lambda a: a.domains and leaves_out(a, "domain"),
    ),
    (
        "--lengths applies to lengths: add --by length",
        lambda a: a.lengths and leaves_out(a, "length"),
    ),
)
"""Message and condition of every combination of arguments that is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Show what systems do well and badly: figures of plugins, such as lost names and numbers, "
        "repetitions and lengths, and the scores of parts of the test set. Every number has an "
        "interval, and a mark if it differs from that of the first system."
    )
    add_references(parser)
    add_systems(
        parser,
        "system outputs, each PATH, PATH::FIELD or NAME=PATH; the first is the "
        "baseline (default: standard input)",
        default=["-"],
    )
    add_metrics(parser, default="none; with metrics, their scores by length and by document")
    parser.add_argument(
        "--figures",
        nargs="+",
        action=Extend,
        default=[],
        metavar="SPEC",
        help="figures, which are metrics, too: NAME or NAME:KEY=VALUE,... (default: those that "
        "plugins declare). Figures of function words need a list of them; no list is included: "
        "use one of your field, as a file with one word per line, in the option of the metric",
    )
    _add_parts(parser.add_argument_group("parts"))
    data = parser.add_argument_group("data")
    add_data(data)
    add_scores(data)
    add_empty_references(data)
    text = "Defaults for all metrics; an option in a metric's spec takes precedence."
    add_pipeline(parser.add_argument_group("text processing", text))
    _add_statistics(parser.add_argument_group("intervals and tests"))
    add_destination(parser.add_argument_group("output"))
    parser.set_defaults(
        width=1,
        jackknife=False,
        confidence=True,
        trials=None,
        by="segment",
        all_pairs=False,
        margin=None,
    )


def _add_parts(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--by",
        dest="by_parts",
        nargs="+",
        action=Extend,
        choices=("length", "doc", "domain"),
        default=[],
        help="which parts: length of the reference in words, document, domain (default: all that "
        "are known)",
    )
    group.add_argument(
        "--lengths",
        type=whole_numbers,
        metavar="N,N,...",
        help="lengths at which a new part begins (default: 10,20,30,40,50,60)",
    )
    add_documents(group)
    add_domains(group)


def _add_statistics(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-cin",
        "--confidence-n",
        type=count,
        metavar="N",
        help="number of resamples (default: 1000, or more if there are many systems)",
    )
    group.add_argument(
        "--resampler",
        default="bootstrap",
        metavar="R",
        help="how to resample (see 'mteval list resamplers'; default: %(default)s)",
    )
    add_inference(group)
    add_interval(group, "percentile", "kind of intervals (default: %(default)s)")
