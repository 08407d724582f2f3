"""Arguments of ``mteval score``: their declarations, and which of them go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_data,
    add_destination,
    add_documents,
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
    points,
    refuse,
)
from mteval_core.commands.formats import ENDINGS, ending_of

if TYPE_CHECKING:
    import argparse

    from mteval_core.commands.arguments import Conflict

__all__ = [
    "CONFLICTS",
    "TABLE_FLAGS",
    "add_arguments",
    "add_level",
    "add_output",
    "add_statistics",
    "draws",
    "refuse",
]

NOT_ON_ENGINES = {"input", "source", "docs", "scores", "humans", "sets", "empty_refs"}
"""Arguments that say where texts come from, or need all of them at once."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_references(parser)
    add_systems(
        parser,
        "system outputs, each PATH, a folder, PATH::FIELD, NAME=PATH, or NAME=PATH,PATH,... for "
        "several runs of one system; the first system is the baseline (default: standard input)",
        default=["-"],
    )
    add_metrics(parser)
    add_level(parser, "score the corpus, each document or each segment (default: %(default)s)")
    parser.add_argument(
        "-sl", dest="level", action="store_const", const="segment", help="same as --level segment"
    )
    add_documents(parser)
    data = parser.add_argument_group("data")
    add_data(data)
    data.add_argument(
        "--engine",
        metavar="E",
        help="score Parquet files, --data 'PARTS/*.parquet' with --fields, on the machines of an "
        "engine (see 'mteval list engines')",
    )
    add_scores(data)
    text = "Defaults for all metrics; an option in a metric's spec takes precedence."
    add_text_options(parser.add_argument_group("text processing", text))
    add_statistics(parser)
    parser.add_argument_group("agreement with people").add_argument(
        "--calibrate",
        metavar="STUDY.json",
        help="say how often people agree with the differences from the first system, as measured "
        "by mteval correlate --calibrate -o STUDY.json",
    )
    references = parser.add_argument_group("several references")
    add_references_mode(references)
    references.add_argument(
        "--humans", action="store_true", help="also score each reference against the others"
    )
    add_output(parser)


def add_statistics(parser: argparse.ArgumentParser) -> None:
    """Declare the confidence intervals and significance tests."""
    _add_intervals(parser.add_argument_group("confidence intervals"))
    _add_tests(parser.add_argument_group("significance tests"))
    both = parser.add_argument_group("intervals and tests")
    both.add_argument(
        "--by",
        choices=("segment", "doc"),
        default="segment",
        help="resample segments or whole documents (default: %(default)s)",
    )
    add_inference(both, ("holm", "bh", "maxt", "none"))
    help_ = "kind of intervals (default: %(default)s, as sacreBLEU's)"
    add_interval(both, "percentile", help_)


def _add_intervals(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-ci", "--confidence", action="store_true", help="add confidence intervals to the scores"
    )
    group.add_argument(
        "-cin",
        "--confidence-n",
        type=count,
        metavar="N",
        help="the same from N resamples (default: 1000, or more if -pbs makes many comparisons)",
    )
    group.add_argument(
        "--resampler",
        default="bootstrap",
        metavar="R",
        help="how to resample (see 'mteval list resamplers'; default: %(default)s)",
    )


def _add_tests(group: argparse._ArgumentGroup) -> None:
    tests = group.add_mutually_exclusive_group()
    tests.add_argument(
        "-par",
        "--paired-ar",
        dest="test",
        action="store_const",
        const="ar",
        help="compare each system with the first by paired approximate randomisation",
    )
    tests.add_argument(
        "-pbs",
        "--paired-bs",
        dest="test",
        action="store_const",
        const="bs",
        help="compare each system with the first by paired bootstrap",
    )
    group.add_argument(
        "--trials",
        type=count,
        metavar="N",
        help="trials of -par (default: 10000) or resamples of -pbs (default: 1000); the default "
        "grows with the number of comparisons",
    )
    group.add_argument(
        "--all-pairs",
        action="store_true",
        help="compare every system with every other (default test: -par)",
    )
    group.add_argument(
        "--margin",
        type=points,
        metavar="D",
        help="with -pbs, also test whether systems differ by less than D points of every metric, "
        "and whether a system is worse by less than D",
    )


def add_level(parser: argparse._ActionsContainer, help_: str) -> None:
    """Declare ``--level``."""
    parser.add_argument(
        "--level", choices=("corpus", "doc", "segment"), default="corpus", help=help_
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare how scores are written."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-b",
        "--score-only",
        action="store_true",
        help="print only the scores, and intervals if there are any; more than one have labels",
    )
    add_destination(group)
    group.add_argument(
        "--bib",
        metavar="FILE",
        help="also write the literature of the metrics and tests to FILE, as BibTeX",
    )
    tables = parser.add_argument_group("tables")
    tables.add_argument(
        "--sort", metavar="METRIC", help="sort the rows by a metric, the best first"
    )
    add_rename(tables)
    tables.add_argument(
        "--parts",
        action="store_true",
        help="show all values of each metric: brevity penalty and precisions, edits, P and R, ...",
    )
    tables.add_argument(
        "--marks",
        choices=("best", "baseline", "letters"),
        help="with a test, mark the systems that are not significantly worse than the best (the "
        "default with --all-pairs), those that differ from the first system (otherwise), or give "
        "a letter to those that do not differ from each other",
    )
    tables.add_argument(
        "--transpose", action="store_true", help="a row for each metric, a column for each system"
    )
    tables.add_argument(
        "--signatures",
        choices=("none", "short", "full"),
        help="leave out the signatures, write what they share only once, or write each in full "
        "(default: short on a terminal and for LaTeX, otherwise full)",
    )


def has_tests(arguments: argparse.Namespace) -> bool:
    """Whether systems are compared."""
    return bool(arguments.test or arguments.all_pairs)


def draws(arguments: argparse.Namespace) -> bool:
    """Whether anything is drawn at random."""
    return bool(has_tests(arguments) or arguments.confidence or arguments.confidence_n)


TABLE_FLAGS = frozenset({"sort", "rename", "parts", "marks", "transpose", "signatures"})
"""Arguments that change only the tables."""

CONFLICTS: tuple[Conflict, ...] = (
    (
        "--engine {engine} reads all texts from the fields of --data: leave out REF, -i, --source, "
        "--docs, --scores, --humans, --sets and --empty-refs",
        lambda a: a.engine and bool(NOT_ON_ENGINES & (a.given | a.from_file) or a.references),
    ),
    (
        "only scores of the corpus have intervals and tests: leave them out, or --level {level}",
        lambda a: a.level != "corpus" and draws(a),
    ),
    (
        "--trials applies to tests: add -par or -pbs",
        lambda a: "trials" in a.given and not has_tests(a),
    ),
    (
        "--correct applies to tests: add -par, -pbs or --all-pairs",
        lambda a: "correct" in a.given and not has_tests(a),
    ),
    (
        "--correct maxt needs resamples that all pairs of systems share: test with -pbs",
        lambda a: a.correct == "maxt" and has_tests(a) and a.test != "bs",
    ),
    (
        "--margin needs resamples of the difference: test with -pbs",
        lambda a: a.margin is not None and a.test != "bs",
    ),
    (
        "--margin makes one-sided tests, which --correct maxt does not correct: choose holm, bh or "
        "none",
        lambda a: a.margin is not None and a.correct == "maxt",
    ),
    (
        "-b prints only scores and their intervals, and no p-values: leave out -b or the test",
        lambda a: a.score_only and has_tests(a),
    ),
    (
        "only scores of the corpus have differences that people judged: leave out --calibrate or "
        "--level {level}",
        lambda a: a.calibrate and a.level != "corpus",
    ),
    (
        "-b prints only scores: leave out -b or --calibrate",
        lambda a: a.score_only and a.calibrate,
    ),
    (
        "-b prints only scores, without a format: leave out -b or -f",
        lambda a: a.score_only and a.format not in (None, "text"),
    ),
    (
        "-b prints only scores, and {output} has the ending of a format: leave out -b, or change "
        "the ending",
        lambda a: a.score_only and ending_of(a) in ENDINGS,
    ),
    (
        "-b prints no tables: leave out -b, or --sort, --rename, --parts, --marks, --transpose and "
        "--signatures",
        lambda a: a.score_only and a.given & TABLE_FLAGS,
    ),
    (
        "--marks applies to tests: add -par, -pbs or --all-pairs",
        lambda a: "marks" in a.given and not has_tests(a),
    ),
    (
        "--marks {marks} needs a test of every pair of systems: add --all-pairs",
        lambda a: a.marks in ("best", "letters") and has_tests(a) and not a.all_pairs,
    ),
    (
        "--transpose applies to scores of the corpus: leave it out, or --level {level}",
        lambda a: a.transpose and a.level != "corpus",
    ),
    (
        "--resampler applies to intervals and tests: add -ci, -par or -pbs",
        lambda a: "resampler" in a.given and not draws(a),
    ),
    (
        "--by applies to intervals and tests: add -ci, -par or -pbs",
        lambda a: "by" in a.given and not draws(a),
    ),
    (
        "--seed applies to intervals and tests: add -ci, -par or -pbs",
        lambda a: "seed" in a.given and not draws(a),
    ),
    (
        "--ci-level applies to intervals and tests: add -ci, -par or -pbs",
        lambda a: "ci_level" in a.given and not draws(a),
    ),
    (
        "--interval applies to intervals and tests: add -ci, -par or -pbs",
        lambda a: "interval" in a.given and not draws(a),
    ),
    (
        "-cin {confidence_n} and --trials {trials}: intervals and a paired bootstrap use the same "
        "resamples; leave out one of the two",
        lambda a: a.test == "bs" and a.confidence_n and a.trials not in (None, a.confidence_n),
    ),
    (
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda a: "doc" in (a.level, a.by) and not (a.docs or a.data),
    ),
    (
        "--docs applies to documents: add --level doc, or --by doc with -ci, -par or -pbs",
        lambda a: a.docs and "doc" not in (a.level, a.by),
    ),
)
"""Message and condition of every combination of arguments that is refused."""
