"""``mteval correlate``: metrics against human judgments."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core.cli.registry import requested_registry
from mteval_core.cli.score import (
    ONE_WAY,
    add_pipeline,
    decimals,
    named_inputs,
    once,
    read,
    read_test_set,
    text_options,
    threads,
    write,
)
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    from mteval_core.metaeval import Judgments, Resampling, Study
    from mteval_core.metaeval.experiments import Bar
    from mteval_core.metaeval.segments import Grouping
    from mteval_core.metaeval.study import Unit
    from mteval_core.plugin.registry import Registry
    from mteval_core.report.findings import Findings
    from mteval_core.text.text import TestSet, Text

LEVELS = ("system", "doc", "segment")
GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")
COEFFICIENTS = ("pearson", "spearman", "kendall")
FORMATS = ("text", "markdown", "latex", "html", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.description = (
        "Measure metrics against human judgments: how well do they correlate over systems "
        "(default), documents or segments, and which of them is better?"
    )
    parser.add_argument(
        "references", nargs="*", metavar="REF", help="reference files, one segment per line"
    )
    parser.add_argument(
        "-i",
        "--input",
        nargs="+",
        default=[],
        metavar="SYS",
        help="system outputs, PATH or NAME=PATH",
    )
    parser.add_argument(
        "--human",
        nargs="+",
        required=True,
        metavar="FILE",
        help="human scores, tables with the columns system, segment (from 0) or doc, rater (if "
        "known) and a score or criteria; NAME=FILE names the score of a file",
    )
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        metavar="SPEC",
        help="metrics, NAME or NAME:KEY=VALUE,... (default: those of the default set)",
    )
    what = parser.add_argument_group("what to do").add_mutually_exclusive_group()
    what.add_argument(
        "--level",
        choices=LEVELS,
        default="system",
        help="correlate the scores of systems, documents or segments (default: %(default)s)",
    )
    what.add_argument(
        "--table",
        action="store_true",
        help="the table of Lin and Och: metrics down; Case, NoCase, Stem across",
    )
    what.add_argument(
        "--curve",
        action="store_true",
        help="correlation on documents of growing length, beside that of one judge with another",
    )
    what.add_argument("--agreement", action="store_true", help="agreement of the raters")
    parser.add_argument(
        "--compare",
        action="store_true",
        help="test which metric is better, at the level given, and rank the metrics",
    )
    _add_judgments(parser.add_argument_group("judgments"))
    _add_texts(parser.add_argument_group("texts, for all metrics"))
    _add_statistics(parser.add_argument_group("statistics"))
    curve = parser.add_argument_group("curve")
    curve.add_argument(
        "--lengths",
        type=whole_numbers,
        metavar="N,N,...",
        help="numbers of segments (default: 1,2,3,5,7,10,15,25,50)",
    )
    curve.add_argument(
        "--documents",
        type=int,
        default=1000,
        metavar="N",
        help="pseudo-documents of each length (default: %(default)s)",
    )
    curve.add_argument(
        "--choose-refs",
        type=whole_numbers,
        metavar="N,N,...",
        help="all choices of so many references (default: 1,2,3)",
    )
    curve.add_argument("--plot", metavar="FILE", help="draw the curve: .png, .svg or .pdf")
    output = parser.add_argument_group("output")
    output.add_argument(
        "-f", "--format", choices=FORMATS, default="text", help="default: %(default)s"
    )
    output.add_argument("-o", "--output", metavar="FILE", help="write there, not to the terminal")
    output.add_argument(
        "-w",
        "--width",
        type=decimals,
        default=2,
        metavar="N",
        help="decimals (default: %(default)s)",
    )
    output.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def _add_judgments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--criteria",
        nargs="+",
        metavar="C",
        help="criteria to use, or to make: NAME=C+C is the sum of two (default: all)",
    )
    group.add_argument(
        "--z", action="store_true", help="give each rater's scores mean 0 and deviation 1"
    )
    group.add_argument(
        "--draw", action="store_true", help="use one judgment of each output, drawn at random"
    )
    group.add_argument(
        "--min-judgments",
        type=int,
        default=1,
        metavar="N",
        help="leave out outputs that fewer raters judged (default: %(default)s)",
    )


def _add_texts(group: argparse._ArgumentGroup) -> None:
    add_pipeline(group)
    group.add_argument(
        "--sets",
        metavar="SET,...",
        help="several ways at once: case, nocase, stem (default with --table: all three); what a "
        "spec says itself stays in every set",
    )
    group.add_argument(
        "--refs",
        choices=("all", "jackknife"),
        default="all",
        help="score against all, or as the mean over all sets that leave one out",
    )
    group.add_argument("--docs", metavar="FILE", help="document id of each segment, one per line")


def _add_statistics(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-n",
        "--resamples",
        type=int,
        default=1000,
        metavar="N",
        help="resamples or trials; 0 for no intervals (default: %(default)s)",
    )
    group.add_argument(
        "--resample",
        choices=("segments", "systems", "both"),
        default="segments",
        help="what is drawn for the intervals (default: %(default)s); of segments and documents "
        "those grouped by item have intervals, or with 'systems' those by system",
    )
    group.add_argument(
        "--by",
        choices=("segment", "doc"),
        help="what a resample is made of (default: segments, unless documents were judged)",
    )
    group.add_argument(
        "--ci-level", type=float, default=95.0, metavar="PERCENT", help="default: %(default)g"
    )
    group.add_argument("--seed", type=int, default=12345, help="default: %(default)s")
    group.add_argument(
        "--coefficient",
        choices=(*COEFFICIENTS, "accuracy"),
        help="of --compare (default: pearson), --curve (default: spearman) and --table (default: "
        "pearson and spearman)",
    )
    group.add_argument(
        "--group",
        choices=GROUPINGS,
        help="what is compared on the level of segments (default: all three; for --compare item)",
    )
    group.add_argument(
        "--test",
        choices=("williams", "perm-both", "bootstrap"),
        help="of --compare (default: williams where it applies, else perm-both)",
    )
    group.add_argument("--two-sided", action="store_true", help="test for any difference")
    group.add_argument(
        "--correct",
        choices=("holm", "bh", "none"),
        default="holm",
        help="correction of p for many comparisons (default: %(default)s)",
    )


def whole_numbers(given: str) -> list[int]:
    """Read the argument of ``--lengths`` and ``--choose-refs``."""
    parts = given.split(",")
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        message = f"expected whole numbers from 1, separated by commas, found {given!r}"
        raise argparse.ArgumentTypeError(message)
    return sorted({int(part) for part in parts})


def run(arguments: argparse.Namespace) -> int:
    """Do the experiment, and print or write the report."""
    from shutil import get_terminal_size

    from mteval_core.report.correlation_tables import FORMATS as WRITERS

    check(arguments)
    once(
        *arguments.references,
        *(path for _, paths in named_inputs(arguments.input) for path in paths),
        *(path for _, path in named_files(arguments.human)),
        arguments.docs,
    )
    findings = agreement(arguments) if arguments.agreement else experiment(arguments)
    treated = {key: getattr(arguments, key) for key in ("criteria", "z", "draw", "min_judgments")}
    findings = replace(findings, settings={**findings.settings, "judgments": treated})
    columns = get_terminal_size((100, 24)).columns
    report = WRITERS[arguments.format](findings, columns)
    data = report.encode(errors="backslashreplace")
    if arguments.output:
        write(arguments.output, data)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    return 0


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UsageError` for arguments that do not go together, or that nothing looks at."""
    a = arguments
    problems = {
        f"--documents {a.documents}: expected one or more": a.documents < 1,
        f"--min-judgments {a.min_judgments}: expected one or more": a.min_judgments < 1,
        "expected references and systems: mteval correlate REF... -i SYS... --human FILE": (
            not a.agreement and not (a.references and a.input)
        ),
        "--agreement is of all judgments, as they are and normalised: leave out --z, --draw and "
        "--min-judgments": a.agreement and (a.z or a.draw or a.min_judgments > 1),
        "--plot, --lengths and --choose-refs are of the curve: add --curve": (
            not a.curve and (a.plot or a.lengths or a.choose_refs)
        ),
        "--compare goes with --level, not with --table, --curve or --agreement": (
            a.compare and (a.table or a.curve or a.agreement)
        ),
        "--test and --two-sided are of tests: add --compare": (
            not a.compare and (a.test or a.two_sided)
        ),
        "--coefficient is of --compare, --curve and --table": (
            a.coefficient and not (a.compare or a.curve or a.table)
        ),
        f"expected a coefficient of {', '.join(COEFFICIENTS)}": (
            a.coefficient == "accuracy" and not a.compare
        ),
        "--group is of segments and documents: add --level segment or --level doc": (
            a.group and a.level == "system"
        ),
        f"--level {a.level} says what an item is: leave out --by": a.by and a.level != "system",
        "documents need --docs FILE, with the document id of each segment": (
            "doc" in (a.level, a.by) and not a.docs
        ),
        ONE_WAY: (a.sets or a.table) and (a.case or a.stem),
    }
    for message, wrong in problems.items():
        if wrong:
            raise UsageError(message)


def agreement(arguments: argparse.Namespace) -> Findings:
    """Agreement of the raters, which needs no texts."""
    from mteval_core.metaeval import rater_agreement, read_judgments
    from mteval_core.report.agreement import of_agreement

    judgments = read_judgments(named_files(arguments.human))
    if arguments.criteria:
        judgments = judgments.choose(arguments.criteria)
    return of_agreement(rater_agreement(judgments), judgments, arguments.width)


def experiment(arguments: argparse.Namespace) -> Findings:
    """Everything that compares metrics with people."""
    from mteval_core.metaeval import Resampling

    found = requested_registry(arguments)
    systems: dict[str, Text] = {}
    for name, paths in named_inputs(arguments.input):
        if len(paths) > 1:
            message = f"{name}: {len(paths)} runs; expected one, the output that was judged"
            raise UsageError(message)
        systems[name] = read(paths[0], found)
    test_set = read_test_set(arguments, found)
    judgments = prepared(arguments)
    resampling = Resampling(
        arguments.resamples, arguments.ci_level, arguments.seed, arguments.resample
    )
    if arguments.curve:
        return curve(arguments, found, systems, test_set, judgments, resampling)
    study = measured(arguments, found, systems, test_set, judgments)
    return findings_of(arguments, study, resampling)


def prepared(arguments: argparse.Namespace) -> Judgments:
    """Judgments as the arguments want them."""
    from mteval_core.metaeval import read_judgments

    judgments = read_judgments(named_files(arguments.human))
    if arguments.z:
        judgments = judgments.normalized()
    if arguments.criteria:
        judgments = judgments.choose(arguments.criteria)
    return judgments.drawn(arguments.seed) if arguments.draw else judgments


def measured(
    arguments: argparse.Namespace,
    found: Registry,
    systems: dict[str, Text],
    test_set: TestSet,
    judgments: Judgments,
) -> Study:
    """Score the systems that were judged."""
    from mteval_core.metaeval import study_metrics

    sets = arguments.sets or ("case,nocase,stem" if arguments.table else None)
    unit: Unit | None = arguments.by if arguments.level == "system" else arguments.level
    return study_metrics(
        systems,
        test_set,
        judgments,
        arguments.metrics,
        unit=unit,
        minimum=arguments.min_judgments,
        sets=sets.split(",") if sets else None,
        registry=found,
        defaults=text_options(arguments),
        threads=threads(),
        progress=progress_shown(arguments),
    )


def findings_of(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Findings:
    """Correlations or ranks over systems, documents or segments."""
    from mteval_core import metaeval
    from mteval_core.report import correlation

    decimals, show = arguments.width, bar(arguments)
    on_items = arguments.level != "system"
    if arguments.compare:
        rankings = metaeval.rank_metrics(
            study,
            {None: "pearson", "accuracy": "pairwise accuracy"}.get(
                arguments.coefficient, arguments.coefficient
            ),
            (arguments.group or "item") if on_items else None,
            arguments.test,
            resampling,
            arguments.correct,
            "two-sided" if arguments.two_sided else "greater",
            bar=show,
        )
        return correlation.of_rankings(study, rankings, resampling, decimals)
    if arguments.table:
        coefficients = [arguments.coefficient] if arguments.coefficient else ["pearson", "spearman"]
        table = metaeval.lin_och_table(study, resampling, coefficients, show)
        return correlation.of_table(study, table, resampling, decimals)
    if on_items:
        groupings: tuple[Grouping, ...] = (arguments.group,) if arguments.group else GROUPINGS
        segments = metaeval.segment_level(study, resampling, groupings, show)
        return correlation.of_segments(study, segments, resampling, decimals)
    systems = metaeval.system_level(study, resampling, show)
    return correlation.of_systems(study, systems, resampling, decimals)


def curve(
    arguments: argparse.Namespace,
    found: Registry,
    systems: dict[str, Text],
    test_set: TestSet,
    judgments: Judgments,
    resampling: Resampling,
) -> Findings:
    """Correlation on documents of growing length, for all choices of references."""
    from mteval_core.metaeval import choices_of_references, inter_judge, length_curve
    from mteval_core.metaeval.curves import LENGTHS
    from mteval_core.report.curve import check_plot, of_curve, plot_curve

    if arguments.plot:
        check_plot(Path(arguments.plot).suffix)  # before the long work
    n = len(test_set.references)
    sizes = arguments.choose_refs or range(1, min(n, 3) + 1)
    if max(sizes) > n:
        message = f"--choose-refs: there are {n} references; expected numbers up to that"
        raise UsageError(message)
    studies = []
    for choice in choices_of_references(n, sizes):
        some = replace(test_set, references=tuple(test_set.references[k] for k in choice))
        studies.append((len(choice), measured(arguments, found, systems, some, judgments)))
    options: dict[str, Any] = {
        "lengths": arguments.lengths or LENGTHS,
        "documents": arguments.documents,
        "coefficient": arguments.coefficient or "spearman",
        "seed": arguments.seed,
        "bar": bar(arguments),
    }
    points, notes = length_curve(studies, **options)
    of_judges, more_notes = inter_judge(studies[0][1], **options)
    points += of_judges
    if arguments.plot:
        ending, unit = Path(arguments.plot).suffix, studies[0][1].unit
        write(arguments.plot, plot_curve(points, options["coefficient"], ending, unit))
    return of_curve(
        [study for _, study in studies],
        (points, [*notes, *more_notes]),
        resampling,
        options["coefficient"],
        arguments.documents,
        arguments.width,
    )


def named_files(given: list[str]) -> list[tuple[str, str]]:
    """Names and paths of the tables; the name is empty unless it was given."""
    named = []
    for argument in given:
        name, equals, path = argument.partition("=")
        if not equals or not name or Path(argument).exists():
            name, path = "", argument
        named.append((name, path))
    return named


def progress_shown(arguments: argparse.Namespace) -> bool:
    """Whether there is anybody to look at a progress bar."""
    return not arguments.quiet and sys.stderr.isatty()


def bar(arguments: argparse.Namespace) -> Bar:
    """Return a function that shows progress, if anybody looks."""
    if not progress_shown(arguments):
        return lambda steps, _total: steps
    from tqdm import tqdm

    return lambda steps, total: tqdm(steps, total=total, delay=1, leave=False)
