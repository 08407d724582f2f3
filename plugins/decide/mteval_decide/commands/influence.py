"""``mteval influence``: find the segments, documents and references that a result depends on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core import Arguments
from mteval_decide.commands.units import add_units

if TYPE_CHECKING:
    from mteval_core import Evaluation, Session

__all__ = ["add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("references -i -m --top --all-pairs --by --data -f -o -w -q")
    arguments.describe(
        "Show what the differences between systems depend on: the segments or documents with the "
        "largest effects, how often each system has each rank on resamples, and the choice of "
        "references if there are several."
    )
    arguments.share("references")
    arguments.share(
        "systems",
        help="system outputs, each PATH, PATH::FIELD, NAME=PATH, or NAME=PATH,PATH,... for several "
        "runs of one system; the first system is the baseline, and of a single one the score is "
        "examined",
    )
    arguments.share("metrics")
    group = arguments.group("influence")
    add_units(group, help="leave out and draw segments or whole documents")
    group.add(
        "--top",
        type=Arguments.whole_number(1, 1_000_000),
        default=5,
        metavar="N",
        help="show the N segments or documents with the largest effects (default: %(default)s)",
    )
    group.add("--all-pairs", action="store_true", help="compare every system with every other")
    group.share("resamples", help="resamples of ranks and errors (default: %(default)s)")
    group.share(
        "confidence level",
        help="confidence level of intervals over references and segments (default: %(default)g)",
    )
    group.share("seed")
    data = arguments.group("data")
    data.share("data", "documents", "scores", "several references")
    arguments.share("text")
    arguments.group("output").share("output", changes=("table",))


def run(session: Session) -> None:
    """Score the systems, compute the influences and write the report."""
    from mteval_decide.influence import choices, influences, ranks, resampled_scores
    from mteval_decide.reports.influence import of_influence

    options = session.options
    all_pairs, level, by = options.all_pairs, options.ci_level, options.by
    evaluation = session.evaluation()
    without = evaluations_without_a_reference(session, evaluation)
    resampled = resampled_scores(evaluation, by, options.resamples, options.seed)
    report = of_influence(
        evaluation,
        influences(evaluation, by, all_pairs=all_pairs),
        ranks(evaluation, resampled) if len(evaluation.systems) > 1 else [],
        choices(evaluation, without, resampled, level=level, all_pairs=all_pairs)
        if without
        else [],
        by=by,
        settings={
            "top": options.top,
            "resamples": options.resamples,
            "seed": options.seed,
            "level": level,
        },
        decimals=options.width,
    )
    session.write(report)


def evaluations_without_a_reference(session: Session, whole: Evaluation) -> list[Evaluation]:
    """Score without each of the references in turn, if enough are left."""
    from mteval_core import Kept, evaluate

    dataset = session.dataset()
    references = dataset.texts.references
    least = 3 if session.options.jackknife else 2
    if len(references) < least or any(stream.missing.any() for stream in references):
        return []
    computed = {*whole.scorers}
    scorers = [one for one in session.metrics() if str(one.spec) in computed]
    return [
        evaluate(
            dataset.systems,
            replace(dataset.texts, references=references[:k] + references[k + 1 :]),
            scorers,
            registry=session.registry,
            threads=session.options.threads,
            kept=Kept(),
        )
        for k in range(len(references))
    ]
