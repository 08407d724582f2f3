"""``mteval score``: score systems against references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.statistics import draws, n_resamples, requested_test

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.session import Session
    from mteval_core.evaluation.scores import Level

NOT_ON_ENGINES = ("input", "source", "docs", "scores", "human_performance", "sets", "empty_refs")
"""Arguments that say where texts come from, or need all of them at once."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.share("references")
    arguments.basic("references -i -m -ci -pbs --all-pairs --level --lang --data -f -o -w -q")
    arguments.share("systems", from_stdin=True)
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
        "--docs, --scores, --human-performance, --sets and --empty-refs",
        lambda o: (
            o.engine and (o.given(*NOT_ON_ENGINES) or o.configured(*NOT_ON_ENGINES) or o.references)
        ),
    )
    data.share("scores")
    arguments.share("text", sets=True)
    arguments.share("statistics")
    references = arguments.group("several references")
    references.share("several references")
    references.add(
        "--human-performance",
        action="store_true",
        help="also score each reference against the others",
    )
    arguments.share("tables")


def run(session: Session) -> None:
    """Score the systems and write the report."""
    options = session.options
    resamples = counted_resamples(session)
    needs_rows = draws(options) and not resamples and options.by == "segment"
    by_document = "doc" in (options.level, options.by)
    keep: Level = "segment" if needs_rows else "doc" if by_document else options.level
    evaluation = session.evaluation(keep, resamples=resamples, texts=options.level == "doc")
    session.write_scores(evaluation, options)


def counted_resamples(session: Session) -> int:
    """Return the number of resamples to count part by part; 0 if rows are needed, or nothing."""
    options = session.options
    test = requested_test(options)
    drawn = (options.resampler, options.by, test in (None, "bs"), options.interval != "bca")
    if drawn != ("poisson", "segment", True, True) or not draws(options):
        return 0
    fields = str(options.fields or "") if options.engine else ""
    return n_resamples(fields.count("hyp=") or len(session.texts.systems), options)
