"""``mteval score``: score systems against references."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mteval_core.commands.statistics import (
    add_statistics,
    counted_resamples,
    draws,
    has_tests,
    with_statistics,
)
from mteval_core.errors import UnknownNameError, UsageError, near

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Arguments, Options
    from mteval_core.commands.session import Session
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level

__all__ = ["add_arguments", "add_tables", "run", "write_scores"]

NOT_ON_ENGINES = ("input", "source", "docs", "scores", "humans", "sets", "empty_refs")
"""Arguments that say where texts come from, or need all of them at once."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.share("references")
    arguments.share(
        "systems",
        help="system outputs, each PATH, a folder, PATH::FIELD, NAME=PATH, or NAME=PATH,PATH,... "
        "for several runs of one system; the first system is the baseline",
        from_stdin=True,
    )
    arguments.share("metrics")
    arguments.share(
        "level", help="score the corpus, each document or each segment (default: %(default)s)"
    )
    arguments.add(
        "-sl", dest="level", action="store_const", const="segment", help="same as --level segment"
    )
    arguments.share("documents")
    data = arguments.group("data")
    data.share("data")
    data.add(
        "--engine",
        completes="engines",
        metavar="E",
        help="score Parquet files, --data 'PARTS/*.parquet' with --fields, on the machines of an "
        "engine (see 'mteval list engines')",
    ).refuse(
        "--engine {engine} reads all texts from the fields of --data: leave out REF, -i, --source, "
        "--docs, --scores, --humans, --sets and --empty-refs",
        lambda o: (
            o.engine and (o.given(*NOT_ON_ENGINES) or o.configured(*NOT_ON_ENGINES) or o.references)
        ),
    )
    data.share("scores")
    arguments.share("text", sets=True)
    add_statistics(arguments)
    references = arguments.group("several references")
    references.share("several references")
    references.add(
        "--humans", action="store_true", help="also score each reference against the others"
    )
    add_tables(arguments)


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
        "the format scores has no p-values: leave out -b or the test",
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
        "--parts",
        action="store_true",
        changes=("table",),
        help="show all values of each metric: brevity penalty and precisions, edits, P and R, ...",
    )
    tables.add(
        "--marks",
        choices=("best", "baseline", "letters"),
        changes=("table", "literature"),
        help="with a test, mark the systems that are not significantly worse than the best (the "
        "default with --all-pairs), those that differ from the first system (otherwise), or give "
        "a letter to those that do not differ from each other",
    ).refuse(
        "--marks applies to tests: add -par, -pbs or --all-pairs",
        lambda o: o.given("marks") and not has_tests(o),
    ).refuse(
        "--marks {marks} needs a test of every pair of systems: add --all-pairs",
        lambda o: o.marks in ("best", "letters") and has_tests(o) and not o.all_pairs,
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
    tables.add(
        "--signatures",
        choices=("none", "short", "full"),
        changes=("table",),
        help="leave out the signatures, write what they share only once, or write each in full "
        "(default: short on a terminal and in some formats, otherwise full)",
    )


def run(session: Session) -> int:
    """Score the systems and write the report."""
    options = session.options
    resamples = counted_resamples(session)
    needs_rows = draws(options) and not resamples and options.by == "segment"
    by_document = "doc" in (options.level, options.by)
    keep: Level = "segment" if needs_rows else "doc" if by_document else options.level
    evaluation = session.evaluation(keep, resamples=resamples, texts=options.level != "corpus")
    write_scores(session, evaluation, options)
    if session.on_terminal and not (options.metrics or options.quiet):
        hint(session)
    return 0


def write_scores(session: Session, evaluation: Evaluation, options: Options) -> None:
    """Add the intervals and tests that the options ask for, and write the scores."""
    from mteval_core.report.layout import Layout
    from mteval_core.report.scores import of_evaluation

    layout = Layout(
        options.level,
        options.width,
        parts=options.parts,
        sort=sorting(evaluation, options),
        marks=options.marks,
        transpose=options.transpose,
    )
    evaluation = with_statistics(evaluation, options, session.registry)
    session.write(of_evaluation(evaluation, layout), layout)


def hint(session: Session) -> None:
    """Say that there are more metrics than those of the default set."""
    n, n_all = len(session.registry.default_metrics()), len(session.every_metric())
    if n < n_all:
        print(f"mteval: {n} of {n_all} metrics; -m all computes all of them", file=sys.stderr)


def sorting(evaluation: Evaluation, options: Options) -> str | None:
    """Return the spec of the metric of ``--sort``, which may also be its name in the table.

    Raises
    ------
    UnknownNameError
        If there is no such metric, or more than one.
    UsageError
        If there is only one row.
    """
    wanted: str | None = options.sort
    if wanted is None:
        return None
    if options.level == "corpus" and len(evaluation.systems) < 2:
        message = "--sort sorts systems, and there is only one: leave it out"
        raise UsageError(message)
    from mteval_core.metrics.titles import title_of

    named = {spec: {spec, title_of(scorer)} for spec, scorer in evaluation.scorers.items()}
    exact = [spec for spec in named if spec == wanted]
    found = exact or [spec for spec, names in named.items() if wanted in names]
    if len(found) == 1:
        return found[0]
    problem = "several metrics are called" if found else "no metric"
    message = f"--sort: {problem} {wanted!r}.{near(wanted, found or set().union(*named.values()))}"
    raise UnknownNameError(message)
