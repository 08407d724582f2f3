"""Arguments of ``mteval correlate``: their declarations, and which of them go together."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_data,
    add_destination,
    add_documents,
    add_domains,
    add_inference,
    add_interval,
    add_metrics,
    add_references,
    add_references_mode,
    add_rename,
    add_scores,
    add_systems,
    add_text_options,
    count,
    whole,
)
from mteval_core.commands.parser import Extend

if TYPE_CHECKING:
    from mteval_core.metaeval.segments import Grouping

LEVELS = ("system", "domain", "doc", "segment")
GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")
MOST = 1_000_000
"""Largest number of documents, judgments and lengths."""

COEFFICIENTS = ("pearson", "spearman", "kendall")
OF_COMPARISONS = {
    "accuracy": "pairwise accuracy",
    "soft": "soft pairwise accuracy",
    "calibrated": "calibrated accuracy",
}
"""Further coefficients of ``--compare``, by the value of ``--coefficient``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Compare metrics with human judgments: how well do their scores correlate over systems "
        "(the default), documents or segments, and which metric is better?"
    )
    add_references(parser)
    add_systems(parser, "system outputs, each PATH, a folder, PATH::FIELD or NAME=PATH")
    parser.add_argument(
        "--human",
        nargs="+",
        action=Extend,
        default=[],
        required=True,
        metavar="FILE",
        help="tables of human scores with the columns system, segment (from 0) or doc, rater "
        "(optional), and a score or several criteria; NAME=FILE names the score; NAME is one of "
        "the human scores of --data",
    )
    add_metrics(parser)
    add_rename(parser)
    _add_experiments(parser.add_argument_group("experiment"))
    _add_judgments(parser.add_argument_group("judgments"))
    title = "Defaults for all metrics; an option in a metric's spec takes precedence."
    texts = parser.add_argument_group("text processing and references", title)
    add_text_options(texts)
    add_references_mode(texts)
    add_documents(texts)
    add_domains(texts)
    data = parser.add_argument_group("data")
    add_data(data)
    add_scores(data)
    _add_choices(data)
    _add_coefficients(parser.add_argument_group("coefficients"))
    _add_statistics(parser.add_argument_group("intervals and tests"))
    _add_curve(parser.add_argument_group("curve and calibration"))
    output = parser.add_argument_group("output")
    add_destination(output)
    _add_plots(output)


def _add_experiments(group: argparse._ArgumentGroup) -> None:
    experiments = group.add_mutually_exclusive_group()
    experiments.add_argument(
        "--level",
        choices=LEVELS,
        default="system",
        help="correlate the scores of systems, domains, documents or segments "
        "(default: %(default)s)",
    )
    experiments.add_argument(
        "--table",
        action="store_true",
        help="print the table of Lin and Och (2004): metrics in rows; Case, NoCase and Stem in "
        "columns (see --sets)",
    )
    experiments.add_argument(
        "--curve",
        action="store_true",
        help="correlate over systems on pseudo-documents of increasing length, for the metrics and "
        "for one judge against another (inter-judge correlation)",
    )
    experiments.add_argument(
        "--calibrate",
        action="store_true",
        help="measure how often people agree with a difference between two systems, by its size, "
        "on pseudo test sets (half of the test set, or --lengths N); save it with -o FILE.json for "
        "mteval score --calibrate FILE.json",
    )
    experiments.add_argument(
        "--agreement", action="store_true", help="measure the agreement between raters"
    )
    group.add_argument(
        "--compare",
        action="store_true",
        help="test which metric correlates better at the chosen level, and rank the metrics",
    )


def _add_choices(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--domain", metavar="NAME", help="use only the segments (or documents) of this domain"
    )
    group.add_argument(
        "--refs-as-systems",
        nargs="+",
        action=Extend,
        default=[],
        metavar="NAME",
        help="score reference streams of --data as systems; choose the references with -r",
    )
    group.add_argument(
        "--leave-out",
        nargs="+",
        action=Extend,
        default=[],
        metavar="NAME",
        help="leave out systems",
    )
    group.add_argument(
        "--no-outliers",
        action="store_true",
        help="leave out systems that are outliers by a human score (Mathur et al. 2020)",
    )


def _add_judgments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--criteria",
        nargs="+",
        action=Extend,
        default=[],
        metavar="C",
        help="criteria to use; NAME=C+C makes a new one, the sum of two, and NAME=-C negates one "
        "(default: all)",
    )
    group.add_argument(
        "--z",
        action="store_true",
        help="standardise the scores of each rater (mean 0, deviation 1)",
    )
    group.add_argument(
        "--judged-only",
        action="store_true",
        help="leave out segments (or documents) of which no output was judged, also for metrics",
    )
    group.add_argument(
        "--draw",
        nargs="?",
        const="output",
        choices=("output", "document"),
        help="use one random judgment of each output, drawn once (output; also without a value), "
        "or again for each document of --curve",
    )
    group.add_argument(
        "--min-judgments",
        type=positive,
        default=1,
        metavar="N",
        help="ignore outputs judged by fewer than N raters (default: %(default)s)",
    )
    group.add_argument(
        "--write-ratings",
        metavar="FILE",
        help="write the judgments as they are used, standardised and averaged: a table like those "
        "of --human",
    )


def _add_coefficients(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--coefficient",
        choices=(*COEFFICIENTS, *OF_COMPARISONS),
        help="coefficient for --compare and --choose-refs (default: pearson), --curve (default: "
        "spearman) and --table (default: pearson and spearman); the first two also take pairwise "
        "accuracy, soft accuracy of systems, and accuracy of segments with calibrated ties",
    )
    group.add_argument(
        "--group",
        choices=GROUPINGS,
        help="at segment and document level, correlate all outputs together (none), the outputs "
        "for one item (item) or the outputs of one system (system); default: all three, or item "
        "with --compare",
    )


def _add_statistics(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-n",
        "--resamples",
        type=resamples,
        default=1000,
        metavar="N",
        help="resamples, and trials of a test; 0 for no intervals (default: %(default)s)",
    )
    group.add_argument(
        "--resample",
        choices=("segments", "systems", "both"),
        default="segments",
        help="what to resample (default: %(default)s); at segment and document level, 'segments' "
        "gives intervals for the grouping 'item', 'systems' for the grouping 'system'",
    )
    group.add_argument(
        "--by",
        choices=("segment", "doc"),
        help="resample segments or whole documents (default: doc if documents were judged, "
        "otherwise segment)",
    )
    group.add_argument(
        "--test",
        choices=("williams", "perm-both", "bootstrap"),
        help="test for --compare (default: williams where it applies, otherwise perm-both)",
    )
    group.add_argument(
        "--two-sided", action="store_true", help="test for a difference in either direction"
    )
    add_inference(group)
    help_ = "kind of intervals (default: basic, or with --table percentile as in the paper)"
    add_interval(group, None, help_)


def _add_curve(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--lengths",
        type=whole_numbers,
        metavar="N,N,...",
        help="document lengths in segments (default: 1,2,3,5,7,10,15,25,50), or the length of the "
        "pseudo test sets of --calibrate",
    )
    group.add_argument(
        "--documents",
        type=positive,
        default=1000,
        metavar="N",
        help="pseudo-documents per length, or pseudo test sets (default: %(default)s)",
    )
    group.add_argument(
        "--choose-refs",
        type=whole_numbers,
        metavar="N,N,...",
        help="numbers of references; every choice of that many is used (default for --curve: "
        "1,2,3); without --curve, correlate with each number of references",
    )
    group.add_argument(
        "--pool-refs",
        action="store_true",
        help="correlate over systems and choices of references together (Melamed et al. 2003)",
    )


def _add_plots(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--plot",
        metavar="FILE",
        help="plot the curve; or metric against human scores of the systems or outputs; or with "
        "--agreement the scores of two judges; or with --compare the p-values: .png, .svg or .pdf",
    )
    group.add_argument(
        "--plot-lines",
        choices=("metrics", "references", "coefficients"),
        default="metrics",
        help="lines of a plotted curve: metrics, numbers of references, or all coefficients; what "
        "is no line has panels of its own (default: %(default)s)",
    )
    group.add_argument(
        "--plot-pairs",
        metavar="FILE",
        help="plot the score differences of all pairs of systems",
    )


def whole_numbers(text: str) -> list[int]:
    """Read the value of ``--lengths`` and ``--choose-refs``."""
    try:
        return sorted({positive(part) for part in text.split(",")})
    except argparse.ArgumentTypeError:
        message = f"expected whole numbers from 1, separated by commas, got {text!r}"
        raise argparse.ArgumentTypeError(message) from None


def positive(text: str) -> int:
    """Read a number of judgments, documents, segments or references."""
    return whole(text, "whole number", 1, MOST)


def resamples(text: str) -> int:
    """Read the value of ``-n``; 0 means no intervals."""
    return 0 if text == "0" else count(text)
