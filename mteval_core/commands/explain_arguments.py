"""Arguments of ``mteval explain``: their declarations, and which of them go together."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_data,
    add_destination,
    add_documents,
    add_empty_references,
    add_metrics,
    add_pipeline,
    add_references,
    add_systems,
    whole,
)
from mteval_core.commands.formats import ending_of
from mteval_core.commands.parser import Extend

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Conflict

__all__ = ["CONFLICTS", "PICTURES", "add_arguments"]

PICTURES = ("spans", "lines", "grid")

MACHINE = ("json", "jsonl")
"""Formats that hold the explanations as data."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_references(parser)
    add_systems(
        parser,
        "system outputs, each PATH, PATH::FIELD or NAME=PATH; two of them are compared "
        "(default: standard input)",
        default=["-"],
    )
    add_metrics(parser, default="none; name at least one that explains its scores")
    _add_segments(parser.add_argument_group("segments", "Default: --worst 5."))
    data = parser.add_argument_group("data")
    add_data(data)
    add_documents(data)
    add_empty_references(data)
    text = "Defaults for all metrics; an option in a metric's spec takes precedence."
    add_pipeline(parser.add_argument_group("text processing", text))
    output = parser.add_argument_group("output")
    output.add_argument(
        "--pictures",
        nargs="+",
        action=Extend,
        choices=PICTURES,
        default=["spans", "lines"],
        help="spans: what matched; lines: hypothesis above reference; grid: hits and runs, the "
        "hypothesis across (default: spans lines)",
    )
    output.add_argument(
        "--bidi",
        choices=("yes", "no"),
        help="whether the terminal orders the letters of right-to-left text; its words then run "
        "from right to left, too (default: as the terminal says; no in a pipe or file)",
    )
    add_destination(output)
    parser.set_defaults(scores=[], jackknife=False)


def _add_segments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--segment",
        nargs="+",
        action=Extend,
        type=segment,
        default=[],
        metavar="N",
        help="these segments, counted from 0",
    )
    group.add_argument(
        "--worst",
        type=some,
        metavar="N",
        help="the N segments with the worst scores of the first system under the first metric",
    )
    group.add_argument(
        "--worse",
        nargs=2,
        metavar=("A", "B"),
        help="the segments in which system A is worse than B by the most, under the first metric",
    )
    group.add_argument(
        "-n", dest="n", type=some, default=5, metavar="N", help="how many (default: %(default)s)"
    )
    group.add_argument(
        "--contains", type=pattern, metavar="REGEX", help="only segments with a text that matches"
    )
    group.add_argument("--doc", metavar="D", help="only segments of this document")


def segment(text: str) -> int:
    """Read the number of a segment."""
    return whole(text, "number of a segment", 0)


def some(text: str) -> int:
    """Read how many segments to explain."""
    return whole(text, "number of segments", 1)


def pattern(text: str) -> re.Pattern[str]:
    """Read a regular expression."""
    try:
        return re.compile(text)
    except re.error as error:
        message = f"{text!r} is not a regular expression: {error}"
        raise argparse.ArgumentTypeError(message) from None


def ranks(arguments: argparse.Namespace) -> bool:
    """Whether segments are chosen by their scores or by what they are."""
    chosen = (arguments.worst, arguments.worse, arguments.contains, arguments.doc)
    return any(value is not None for value in chosen)


CONFLICTS: tuple[Conflict, ...] = (
    ("no metric to explain: add -m SPEC", lambda a: not a.metrics),
    (
        "--segment names the segments: leave it out, or --worst, --worse, --contains and --doc",
        lambda a: a.segment and ranks(a),
    ),
    (
        "--worst and --worse both rank the segments: leave out one of the two",
        lambda a: a.worst is not None and a.worse,
    ),
    (
        "-n applies to --worse A B: add it, or leave out -n",
        lambda a: "n" in a.given and not a.worse,
    ),
    (
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda a: a.doc is not None and not (a.docs or a.data),
    ),
    ("--docs applies to documents: add --doc D", lambda a: a.docs and a.doc is None),
    (
        "--pictures applies to pictures, and {format} has none: leave out one of the two",
        lambda a: (
            "pictures" in a.given
            and (a.format in MACHINE or (a.format is None and ending_of(a) in MACHINE))
        ),
    ),
)
"""Message and condition of every combination of arguments that is refused."""
