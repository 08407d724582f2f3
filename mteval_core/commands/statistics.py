"""Arguments for intervals and tests of scores, and for the tables that show them."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import points, resamples
from mteval_core.commands.shared import NEEDS_DOCUMENTS, knows_documents

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Arguments, Options
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.p_values import Test
    from mteval_core.plugin.registry import Registry

DRAW_OPTIONS = ("resampler", "by", "seed", "ci_level", "interval")
"""Arguments that apply to intervals and tests."""


def add_statistics(arguments: Arguments) -> None:
    """Declare the confidence intervals and significance tests."""
    add_intervals(arguments.group("confidence intervals"))
    add_tests(arguments.group("significance tests"))
    both = arguments.group("intervals and tests")
    flag = both.add(
        "--by",
        choices=("segment", "doc"),
        default="segment",
        help="resample segments or whole documents (default: %(default)s)",
    ).refuse(
        NEEDS_DOCUMENTS,
        lambda o: "doc" in (o.get("level"), o.by) and "docs" in o and not knows_documents(o),
    )
    for name in DRAW_OPTIONS:
        spelled = f"--{name.replace('_', '-')}"
        flag.refuse(
            f"{spelled} applies to intervals and tests: add -ci, -par or -pbs",
            lambda o, name=name: o.given(name) and not draws(o),  # type: ignore[misc]
        )
    both.share("confidence level")
    both.share("correction", choices=("holm", "bh", "maxt", "none"))
    both.share("seed")
    both.share("interval", help="kind of intervals (default: %(default)s, as sacreBLEU's)")


def add_intervals(group: Arguments) -> None:
    """Declare ``-ci``, ``-n`` and ``--resampler``."""
    group.add(
        "-ci", "--confidence", action="store_true", help="add confidence intervals to the scores"
    ).refuse(
        "only scores of the corpus have intervals and tests: leave them out, or --level {level}",
        lambda o: o.level != "corpus" and draws(o),
    )
    group.share(
        "resamples",
        default=None,
        help="resamples of -ci and -pbs (default: 1000, or more if -pbs makes many comparisons)",
    ).refuse(
        "-n applies to resamples: add -ci or -pbs",
        lambda o: o.given("resamples") and not (o.confidence or o.test == "bs"),
    )
    help = "how to resample (see 'mteval list resamplers'; default: %(default)s)"
    group.add("--resampler", default="bootstrap", completes="resamplers", metavar="R", help=help)


def add_tests(group: Arguments) -> None:
    """Declare the tests, their trials and their margin."""
    tests = group.alternatives()
    for short, long, test, name in (
        ("-par", "--paired-ar", "ar", "paired approximate randomisation"),
        ("-pbs", "--paired-bs", "bs", "paired bootstrap"),
    ):
        help = f"compare each system with the first by {name}"
        tests.add(short, long, dest="test", action="store_const", const=test, help=help)
    group.add(
        "--trials",
        type=resamples,
        metavar="N",
        help="trials of -par (default: 10000, or more if there are many comparisons)",
    ).refuse(
        "--trials applies to approximate randomisation: add -par; -n is the number of resamples",
        lambda o: o.given("trials") and requested_test(o) != "ar",
    ).refuse(
        "--correct applies to tests: add -par, -pbs or --all-pairs",
        lambda o: o.given("correct") and not has_tests(o),
    ).refuse(
        "--correct maxt needs resamples that all pairs of systems share: test with -pbs",
        lambda o: o.correct == "maxt" and has_tests(o) and o.test != "bs",
    )
    help = "compare every system with every other (default test: -par)"
    group.add("--all-pairs", action="store_true", help=help)
    group.add(
        "--margin",
        type=points,
        metavar="D",
        help="with -pbs, also test whether systems differ by less than D points of every metric, "
        "and whether a system is worse by less than D",
    ).refuse(
        "--margin needs resamples of the difference: test with -pbs",
        lambda o: o.margin is not None and o.test != "bs",
    ).refuse(
        "--margin makes one-sided tests, which --correct maxt does not correct: choose holm, bh or "
        "none",
        lambda o: o.margin is not None and o.correct == "maxt",
    )


def add_tables(arguments: Arguments) -> None:
    """Declare how scores are written."""
    output = arguments.group("output")
    output.add(
        "-b",
        "--score-only",
        dest="format",
        action="store_const",
        const="scores",
        help="print only the scores, and intervals if there are any; the same as -f scores",
    ).refuse(
        "the format scores has no p-values: choose another, or leave out the test",
        lambda o: o.format == "scores" and has_tests(o),
    )
    output.share(
        "output",
        kinds=("table", "record", "score", "chart", "literature"),
        changes=("table", "chart", "score"),
    )
    tables = arguments.group("tables")
    tables.add(
        "--sort",
        changes=("table",),
        metavar="METRIC",
        help="sort the rows by a metric, the best first",
    )
    tables.share("rename", changes=("table", "chart"))
    tables.add(
        "--values",
        action="store_true",
        changes=("table",),
        help="show all values of each metric: brevity penalty and precisions, edits, P and R, ...",
    )
    tables.add(
        "--marks",
        choices=("best", "baseline", "letters", "ranks"),
        changes=("table", "literature"),
        help="with a test, mark the systems that are not significantly worse than the best (the "
        "default with --all-pairs), those that differ from the first system (otherwise), give a "
        "letter to those that do not differ from each other, or show the ranks that are possible",
    ).refuse(
        "--marks applies to tests: add -par, -pbs or --all-pairs",
        lambda o: o.given("marks") and not has_tests(o),
    ).refuse(
        "--marks {marks} needs a test of every pair of systems: add --all-pairs",
        lambda o: o.marks not in (None, "baseline") and has_tests(o) and not o.all_pairs,
    ).refuse(
        "letters end at z: with more than 26 systems, show their ranks, --marks ranks",
        lambda o: o.marks == "letters" and len(o.get("input", ())) > 26,
    )
    tables.add(
        "--transpose",
        action="store_true",
        changes=("table",),
        help="a row for each metric, a column for each system",
    ).refuse(
        "--transpose applies to scores of the corpus: leave it out, or --level {level}",
        lambda o: o.transpose and o.level != "corpus",
    )


def has_tests(options: Options) -> bool:
    """Whether systems are compared."""
    return bool(options.test or options.all_pairs)


def draws(options: Options) -> bool:
    """Whether anything is drawn at random."""
    return has_tests(options) or bool(options.confidence)


def requested_test(options: Options) -> Test | None:
    """Return the significance test, if there is one."""
    test: Test | None = options.test
    return "ar" if test is None and options.all_pairs else test


def n_resamples(n_systems: int, options: Options) -> int:
    """Return the number of resamples of the intervals, which a paired bootstrap shares."""
    from mteval_core.evaluation.p_values import N_RESAMPLES, default_trials

    test = requested_test(options)
    if options.resamples is not None or test != "bs":
        return options.resamples or N_RESAMPLES
    n_pairs = comb(n_systems, 2) if options.all_pairs else n_systems - 1
    return default_trials("bs", n_pairs, options.correct)


def with_statistics(evaluation: Evaluation, options: Options, registry: Registry) -> Evaluation:
    """Add the confidence intervals and significance tests that the options ask for."""
    test = requested_test(options)
    names = ("seed", "by", "resampler", "interval", "threads")
    draw = {name: getattr(options, name) for name in names}
    if options.confidence:
        n = n_resamples(len(evaluation.scores.competing), options)
        evaluation = evaluation.confidence(n, options.ci_level, **draw, registry=registry)
    if test is not None:
        evaluation = evaluation.compare(
            test,
            options.resamples if test == "bs" else options.trials,
            **draw,
            correct=options.correct,
            all_pairs=options.all_pairs,
            margin=options.margin,
            level=options.ci_level,
            registry=registry,
        )
    return evaluation
