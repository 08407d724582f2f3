"""``mteval score``: score systems against references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.cli.arguments import (
    add_destination,
    add_documents,
    add_inference,
    add_metrics,
    add_references_mode,
    add_text_options,
)
from mteval_core.cli.formats import requested_format, write_formatted
from mteval_core.cli.inputs import (
    available_threads,
    check_stdin,
    check_text_sets,
    named_inputs,
    read,
    read_test_set,
    requested_metrics,
    text_options,
)
from mteval_core.cli.output import progress_shown, terminal_width, write_report
from mteval_core.cli.registry import requested_registry
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from mteval_core.evaluation.draw import Test
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.registry import Registry

RESAMPLES = 1000
"""Resamples of ``-ci`` without ``-cin``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "references", nargs="+", metavar="REF", help="reference files, one segment per line"
    )
    parser.add_argument(
        "-i",
        "--input",
        nargs="+",
        default=["-"],
        metavar="SYS",
        help="system outputs, each PATH, NAME=PATH, or NAME=PATH,PATH,... for several runs of one "
        "system; the first system is the baseline (default: standard input)",
    )
    add_metrics(parser)
    parser.add_argument(
        "--level",
        choices=("corpus", "doc", "segment"),
        default="corpus",
        help="score the corpus, each document or each segment (default: %(default)s)",
    )
    parser.add_argument(
        "-sl", dest="level", action="store_const", const="segment", help="same as --level segment"
    )
    add_documents(parser)
    text = "Defaults for all metrics; an option in a metric's spec takes precedence."
    add_text_options(parser.add_argument_group("text processing", text))
    _add_intervals(parser.add_argument_group("confidence intervals"))
    _add_tests(parser.add_argument_group("significance tests"))
    both = parser.add_argument_group("intervals and tests")
    both.add_argument(
        "--by",
        choices=("segment", "doc"),
        default="segment",
        help="resample segments or whole documents (default: %(default)s)",
    )
    add_inference(both)
    references = parser.add_argument_group("several references")
    add_references_mode(references)
    references.add_argument(
        "--humans", action="store_true", help="also score each reference against the others"
    )
    _add_output(parser.add_argument_group("output"))


def _add_intervals(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-ci", "--confidence", action="store_true", help="add confidence intervals to the scores"
    )
    group.add_argument(
        "-cin",
        "--confidence-n",
        type=int,
        metavar="N",
        help=f"the same from N resamples (default: {RESAMPLES})",
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
        type=int,
        metavar="N",
        help="trials of -par (default: 10000) or resamples of -pbs (default: 1000)",
    )
    group.add_argument(
        "--all-pairs",
        action="store_true",
        help="compare every system with every other (default test: -par)",
    )


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-f",
        "--format",
        default="text",
        metavar="F",
        help="output format (see 'mteval list formats'; default: %(default)s)",
    )
    group.add_argument(
        "-b",
        "--score-only",
        action="store_true",
        help="print only the scores, and intervals if there are any",
    )
    add_destination(group)


def run(arguments: argparse.Namespace) -> int:
    """Score the systems and write the report."""
    from mteval_core.report import Layout
    from mteval_core.report.scores import of_evaluation

    paths = named_inputs(arguments.input)
    check(arguments, paths)
    registry = requested_registry(arguments)
    form = requested_format(arguments.format, "score", registry)
    evaluation = with_statistics(score(arguments, paths, registry), arguments, registry)
    if arguments.score_only:
        write_report(bare_scores(evaluation, arguments), arguments)
    else:
        layout = Layout(arguments.level, arguments.width, terminal_width())
        write_formatted(of_evaluation(evaluation, layout), layout, form, arguments)
    return 0


def check(arguments: argparse.Namespace, paths: Mapping[str, Sequence[str]]) -> None:
    """Raise a `UsageError` if the arguments contradict each other."""
    runs = [path for system in paths.values() for path in system]
    check_stdin([*arguments.references, *runs, arguments.docs])
    if "doc" in (arguments.level, arguments.by) and not arguments.docs:
        message = "documents need --docs FILE, with the document id of each segment"
        raise UsageError(message)
    check_text_sets(arguments)


def n_resamples(arguments: argparse.Namespace) -> int | None:
    """Number of resamples for the confidence intervals; None if there are no intervals."""
    n: int | None = arguments.confidence_n
    return RESAMPLES if n is None and arguments.confidence else n


def requested_test(arguments: argparse.Namespace) -> Test | None:
    """The significance test, if there is one."""
    test: Test | None = arguments.test
    return "ar" if test is None and arguments.all_pairs else test


def score(
    arguments: argparse.Namespace, paths: Mapping[str, Sequence[str]], registry: Registry
) -> Evaluation:
    """Resolve the metrics, read the texts and compute the scores."""
    from mteval_core.evaluation.evaluate import evaluate, text_sets

    scorers, defaults = requested_metrics(arguments, registry), text_options(arguments)
    if arguments.sets:
        sets = arguments.sets.split(",")
        scorers = text_sets(scorers, sets, registry=registry, defaults=defaults)
    test_set = read_test_set(arguments, registry)
    return evaluate(
        {name: [read(path, registry) for path in runs] for name, runs in paths.items()},
        test_set,
        scorers,
        registry=registry,
        defaults=defaults,
        threads=available_threads(),
        humans=arguments.humans,
        keep_rows=arguments.level != "corpus"
        or n_resamples(arguments) is not None
        or requested_test(arguments) is not None,
        progress=progress_shown(arguments),
    )


def with_statistics(
    evaluation: Evaluation, arguments: argparse.Namespace, registry: Registry
) -> Evaluation:
    """Add the confidence intervals and significance tests that the arguments ask for."""
    resamples, test = n_resamples(arguments), requested_test(arguments)
    if resamples is not None:
        evaluation = evaluation.confidence(
            resamples,
            arguments.ci_level,
            seed=arguments.seed,
            by=arguments.by,
            resampler=arguments.resampler,
            registry=registry,
        )
    if test is not None:
        evaluation = evaluation.compare(
            test,
            arguments.trials,
            seed=arguments.seed,
            by=arguments.by,
            correct=arguments.correct,
            all_pairs=arguments.all_pairs,
            level=arguments.ci_level,
            resampler=arguments.resampler,
            registry=registry,
        )
    return evaluation


def bare_scores(evaluation: Evaluation, arguments: argparse.Namespace) -> str:
    """Write one line per record: its score, and its interval if there is one."""
    records = evaluation.to_records(arguments.level)
    return "".join(f"{bare_score(record, arguments.width)}\n" for record in records)


def bare_score(record: Mapping[str, Any], width: int) -> str:
    """Write the score of a record, and its interval if there is one."""
    score, interval = f"{record['score']:.{width}f}", record["ci"]
    if interval is None:
        return score
    return f"{score} [{interval['low']:.{width}f}, {interval['high']:.{width}f}]"
