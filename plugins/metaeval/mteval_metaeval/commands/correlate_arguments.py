"""Arguments of ``mteval correlate``, and which of them go together."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from mteval_core import Arguments
from mteval_metaeval.commands.human import HumanInput

if TYPE_CHECKING:
    from mteval_metaeval.segments import Grouping

__all__ = ["GROUPINGS", "MOST_NUMBERS", "OF_COMPARISONS", "add_arguments"]

MOST_NUMBERS = 1_000_000
"""Largest number in a list: of documents, judgments, lengths or references."""

LEVELS = ("system", "domain", "doc", "segment")
GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")
COEFFICIENTS = ("pearson", "spearman", "kendall")
OF_COMPARISONS = {
    "accuracy": "pairwise accuracy",
    "soft": "soft pairwise accuracy",
    "calibrated": "calibrated accuracy",
}
"""Further coefficients of ``--compare``, by the value of ``--coefficient``."""

INTERVALS = ("ci_level", "resample", "interval")
"""Arguments that apply to intervals only."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic(
        "references -i --human -m --level --compare --coefficient --lang --data --plot -f -o -w -q"
    )
    arguments.describe(
        "Compare metrics with human judgments: how well do their scores correlate over systems "
        "(the default), documents or segments, and which metric is better?"
    )
    arguments.share("references")
    arguments.share(
        "systems", help="system outputs, each PATH, a folder, PATH::FIELD or NAME=PATH"
    ).refuse(
        "expected systems: mteval correlate REF... -i SYS... --human FILE",
        lambda o: not (o.agreement or o.data or o.input),
    )
    arguments.add(
        "--human",
        nargs="+",
        file="input",
        folders=HumanInput.parse,
        required=True,
        metavar="FILE",
        help="tables of human scores with the columns system, segment (from 0) or doc, rater "
        "(optional), and a score or several criteria; NAME=FILE names the score; NAME is one of "
        "the human scores of --data",
    )
    arguments.share("metrics", "rename")
    _add_experiments(arguments.group("experiment"))
    _add_judgments(arguments.group("judgments"))
    title = "Defaults for all metrics; an option in a metric's spec takes precedence."
    texts = arguments.group("text processing and references", title)
    texts.share("pipeline", "text sets", "several references")
    texts.share("documents", "domains")
    data = arguments.group("data")
    data.share("data", "scores")
    _add_choices(data)
    _add_coefficients(arguments.group("coefficients"))
    _add_statistics(arguments.group("intervals and tests"))
    _add_curve(arguments.group("curve and calibration"))
    output = arguments.group("output")
    output.share("output", kinds=("table", "record", "chart"))
    _add_plots(output)


def _add_experiments(group: Arguments) -> None:
    experiments = group.alternatives()
    experiments.add(
        "--level",
        choices=LEVELS,
        default="system",
        help="correlate the scores of systems, domains, documents or segments "
        "(default: %(default)s)",
    )
    experiments.add(
        "--lin-och",
        action="store_true",
        help="print the table of Lin and Och (2004): metrics in rows; Case, NoCase and Stem in "
        "columns (see --sets)",
    ).refuse(
        "--lin-och chooses case and stemmer: leave out --case and --stem",
        lambda o: o.lin_och and (o.case or o.stem),
    )
    group.add(
        "--human-performance",
        action="store_true",
        help="with --lin-och, add rows for human performance, the scores of each reference against "
        "the others, and show the scores of the systems",
    ).refuse(
        "--human-performance adds rows to --lin-och: add --lin-och",
        lambda o: o.human_performance and not o.lin_och,
    )
    experiments.add(
        "--curve",
        action="store_true",
        help="correlate over systems on pseudo-documents of increasing length, for the metrics and "
        "for one judge against another (inter-judge correlation)",
    ).refuse(
        "--curve draws documents, and no resamples: leave out -n, --resample, --by and --interval",
        lambda o: o.curve and o.given("resamples", "resample", "by", "interval"),
    )
    experiments.add(
        "--calibrate",
        action="store_true",
        help="measure how often people agree with a difference between two systems, by its size, "
        "on pseudo test sets (half of the test set, or --lengths N); save it with -o FILE.json for "
        "mteval points FILE.json",
    ).refuse(
        "--calibrate takes one length of pseudo test sets: --lengths N",
        lambda o: o.calibrate and o.lengths and (len(o.lengths) > 1),
    ).refuse(
        "--calibrate is an experiment of its own: leave out --compare, --choose-refs, --plot and "
        "--plot-pairs",
        lambda o: o.calibrate and (o.compare or o.choose_refs or o.plot or o.plot_pairs),
    ).refuse(
        "--calibrate draws pseudo test sets, and no resamples: leave out -n, --resample and "
        "--interval",
        lambda o: o.calibrate and o.given("resamples", "resample", "interval"),
    )
    experiments.add(
        "--agreement", action="store_true", help="measure the agreement between raters"
    ).refuse(
        "--agreement compares raters: leave out references, -i, -m and --rename",
        lambda o: o.agreement and (o.references or o.input or o.given("metrics", "rename")),
    ).refuse(
        "--agreement uses all judgments, both raw and standardised: leave out --z, --draw and "
        "--min-judgments",
        lambda o: o.agreement and (o.z or o.draw or o.min_judgments > 1),
    ).refuse(
        "--agreement uses judgments alone: leave out --judged-only and --write-ratings",
        lambda o: o.agreement and (o.judged_only or o.write_ratings),
    ).refuse(
        "--agreement takes one thread: leave out --threads",
        lambda o: o.agreement and o.given("threads"),
    ).refuse(
        "--agreement uses judgments alone: leave out --domain, --domains, --leave-out, "
        "--no-outliers and --refs-as-systems",
        lambda o: (
            o.agreement
            and (o.domain or o.domains or o.leave_out or o.no_outliers or o.refs_as_systems)
        ),
    ).refuse(
        "--agreement draws nothing: leave out -n, --resample, --by, --ci-level, --interval and "
        "--seed",
        lambda o: o.agreement and o.given(*INTERVALS, "resamples", "by", "seed"),
    )
    group.add(
        "--compare",
        action="store_true",
        help="test which metric correlates better at the chosen level, and rank the metrics",
    ).refuse(
        "--compare takes --level, but not --lin-och, --curve or --agreement",
        lambda o: o.compare and (o.lin_och or o.curve or o.agreement),
    )


def _add_choices(group: Arguments) -> None:
    group.add(
        "--domain", metavar="NAME", help="use only the segments (or documents) of this domain"
    ).refuse(
        "--level domain compares the domains: leave out --domain",
        lambda o: o.domain and o.level == "domain",
    ).refuse(
        "domains need --domains FILE, with the domain of each segment, or --data",
        lambda o: (o.domain or o.level == "domain") and (not (o.domains or o.data)),
    ).refuse(
        "--domains says where domains are: add --domain NAME or --level domain",
        lambda o: o.domains and (not (o.domain or o.level == "domain")),
    )
    group.add(
        "--refs-as-systems",
        nargs="+",
        metavar="NAME",
        help="score reference streams of --data as systems; choose the references with -r",
    ).refuse(
        "--refs-as-systems takes streams of a data set: add --data, or pass the files to -i",
        lambda o: o.refs_as_systems and (not o.data),
    )
    group.add(
        "--leave-out",
        nargs="+",
        metavar="NAME",
        help="leave out systems",
    )
    group.add(
        "--no-outliers",
        action="store_true",
        help="leave out systems that are outliers by a human score (Mathur et al. 2020)",
    )


def _add_judgments(group: Arguments) -> None:
    group.add(
        "--criteria",
        nargs="+",
        metavar="C",
        help="criteria to use; NAME=C+C makes a new one, the sum of two, and NAME=-C negates one "
        "(default: all)",
    )
    group.add(
        "--z",
        action="store_true",
        help="standardise the scores of each rater (mean 0, deviation 1)",
    )
    group.add(
        "--judged-only",
        action="store_true",
        help="leave out segments (or documents) of which no output was judged, also for metrics",
    )
    group.add(
        "--draw",
        nargs="?",
        const="output",
        choices=("output", "document"),
        help="use one random judgment of each output, drawn once (output; also without a value), "
        "or again for each document of --curve",
    ).refuse(
        "--draw document applies to the curve: add --curve",
        lambda o: o.draw == "document" and (not o.curve),
    )
    group.add(
        "--min-judgments",
        type=Arguments.whole_number(1, MOST_NUMBERS),
        default=1,
        metavar="N",
        help="ignore outputs judged by fewer than N raters (default: %(default)s)",
    )
    group.add(
        "--write-ratings",
        file="output",
        metavar="FILE",
        help="write the judgments as they are used, standardised and averaged: a table like those "
        "of --human",
    )


def _add_coefficients(group: Arguments) -> None:
    group.add(
        "--coefficient",
        choices=(*COEFFICIENTS, *OF_COMPARISONS),
        help="coefficient for --compare and --choose-refs (default: pearson), --curve (default: "
        "spearman) and --lin-och (default: pearson and spearman); the first two also take pairwise "
        "accuracy, soft accuracy of systems, and accuracy of segments with calibrated ties",
    ).refuse(
        "--coefficient applies to --compare, --choose-refs, --curve and --lin-och",
        lambda o: o.coefficient and (not (o.compare or o.curve or o.lin_och or o.choose_refs)),
    ).refuse(
        f"--coefficient {{coefficient}} applies to --compare; expected {', '.join(COEFFICIENTS)}",
        lambda o: o.coefficient in OF_COMPARISONS and (o.curve or o.lin_och),
    ).refuse(
        "--coefficient soft compares systems: leave out --level {level}",
        lambda o: o.coefficient == "soft" and o.level != "system",
    ).refuse(
        "--coefficient calibrated compares segments: add --level segment, doc or domain",
        lambda o: o.coefficient == "calibrated" and o.level == "system",
    )
    group.add(
        "--group",
        choices=GROUPINGS,
        help="at segment and document level, correlate all outputs together (none), the outputs "
        "for one item (item) or the outputs of one system (system); default: all three, or item "
        "with --compare",
    ).refuse(
        "--group applies to segments and documents: add --level segment or --level doc",
        lambda o: o.group and o.level == "system",
    )


def _add_statistics(group: Arguments) -> None:
    group.share(
        "resamples",
        help="resamples, and trials of a test; 0 for no intervals (default: %(default)s)",
        or_none=True,
    ).refuse(
        "-n 0 means no intervals: leave out --ci-level, --resample and --interval",
        lambda o: o.resamples == 0 and o.given(*INTERVALS),
    ).refuse(
        "-n 0 means that nothing is drawn for --lin-och and --compare: leave out --seed",
        lambda o: (
            o.resamples == 0 and (o.lin_och or o.compare) and (not o.draw) and (o.given("seed"))
        ),
    )
    group.add(
        "--resample",
        choices=("segments", "systems", "both"),
        default="segments",
        help="what to resample (default: %(default)s); at segment and document level, 'segments' "
        "gives intervals for the grouping 'item', 'systems' for the grouping 'system'",
    )
    group.add(
        "--by",
        choices=("segment", "doc"),
        help="resample segments or whole documents (default: doc if documents were judged, "
        "otherwise segment)",
    ).refuse(
        "--level {level} resamples items of that level: leave out --by",
        lambda o: o.by and o.level != "system",
    ).refuse(
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda o: "doc" in (o.level, o.by) and (not (o.docs or o.data)),
    )
    group.add(
        "--test",
        choices=("williams", "perm-systems", "perm-both", "bootstrap"),
        help="test for --compare (default: williams where it applies, otherwise perm-systems on "
        "systems and perm-both on segments)",
    ).refuse(
        "--test and --two-sided apply to significance tests: add --compare",
        lambda o: not o.compare and (o.test or o.two_sided),
    ).refuse(
        "--correct applies to significance tests: add --compare",
        lambda o: not o.compare and o.given("correct"),
    )
    group.add("--two-sided", action="store_true", help="test for a difference in either direction")
    group.share("confidence level", "correction", "seed")
    group.share(
        "interval",
        default=None,
        help="kind of intervals (default: symmetric over systems, basic over segments, bca with "
        "--resample systems and both, percentile with --lin-och as in the paper)",
    )


def _add_curve(group: Arguments) -> None:
    group.add(
        "--lengths",
        type=whole_numbers,
        metavar="N,N,...",
        help="document lengths in segments (default: 1,2,3,5,7,10,15,25,50), or the length of the "
        "pseudo test sets of --calibrate",
    ).refuse(
        "--lengths and --samples apply to --curve and --calibrate: add one of them",
        lambda o: not (o.curve or o.calibrate) and (o.lengths or o.given("samples")),
    )
    group.add(
        "--samples",
        type=Arguments.whole_number(1, MOST_NUMBERS),
        default=1000,
        metavar="N",
        help="pseudo-documents per length, or pseudo test sets (default: %(default)s)",
    )
    group.add(
        "--choose-refs",
        type=whole_numbers,
        metavar="N,N,...",
        help="numbers of references; every choice of that many is used (default for --curve: "
        "1,2,3); without --curve, correlate with each number of references",
    ).refuse(
        "--choose-refs takes --level or --curve, but not --lin-och, --compare or --agreement",
        lambda o: o.choose_refs and (o.lin_och or o.compare or o.agreement),
    ).refuse(
        "--choose-refs and --jackknife both choose references: leave one out",
        lambda o: o.choose_refs and o.jackknife,
    )
    group.add(
        "--pool-refs",
        action="store_true",
        help="correlate over systems and choices of references together (Melamed et al. 2003)",
    ).refuse(
        "--pool-refs applies to the curve: add --curve",
        lambda o: not o.curve and o.pool_refs,
    )


def _add_plots(group: Arguments) -> None:
    group.add(
        "--plot",
        file="output",
        kinds=("chart",),
        parts=("systems", "outputs", "judges", "p-values", "curve"),
        metavar="FILE",
        help="plot the curve; or metric against human scores of the systems or outputs; or with "
        "--agreement the scores of two judges; or with --compare the p-values: .png, .svg or .pdf",
    ).refuse(
        "--plot takes --level, --curve, --compare or --agreement: leave out --lin-och and "
        "--choose-refs",
        lambda o: o.plot and (o.lin_och or (o.choose_refs and (not o.curve))),
    )
    group.add(
        "--plot-lines",
        nargs="+",
        choices=("metrics", "references", "coefficients"),
        default=["metrics"],
        metavar="WHAT",
        help="lines of a plotted curve: metrics, references (their numbers), coefficients, or "
        "several of these on the same axes; what is no line has panels of its own (default: "
        "metrics)",
    ).refuse(
        "--plot-lines applies to the plot of a curve: add --curve and --plot FILE",
        lambda o: o.given("plot_lines") and (not (o.curve and o.plot)),
    )
    group.add(
        "--plot-coefficients",
        nargs="+",
        choices=COEFFICIENTS,
        default=list(COEFFICIENTS),
        metavar="C",
        help="coefficients that --plot-lines coefficients draws, beside that of the table "
        "(default: all three)",
    ).refuse(
        "--plot-coefficients applies to --plot-lines coefficients",
        lambda o: o.given("plot_coefficients") and "coefficients" not in o.plot_lines,
    )
    group.add(
        "--plot-pairs",
        file="output",
        kinds=("chart",),
        parts=("pairs",),
        metavar="FILE",
        help="plot the score differences of all pairs of systems",
    ).refuse(
        "--plot-pairs compares systems: leave out --level, --lin-och, --curve, --compare, "
        "--choose-refs and --agreement",
        lambda o: (
            o.plot_pairs
            and (
                o.level != "system"
                or o.lin_och
                or o.curve
                or o.compare
                or o.choose_refs
                or o.agreement
            )
        ),
    )


def whole_numbers(text: str) -> list[int]:
    """Read whole numbers from 1, separated by commas, as a sorted list without repetitions."""
    try:
        return sorted({Arguments.whole_number(1, MOST_NUMBERS)(part) for part in text.split(",")})
    except ArgumentTypeError:
        raise ArgumentTypeError(
            f"expected whole numbers from 1, separated by commas, got {text!r}"
        ) from None
