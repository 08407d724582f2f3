"""``mteval plan``: what all parts of an evaluation have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mteval_core.commands.shared import NEEDS_DOCUMENTS, knows_documents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.session import Session

__all__ = ["add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.describe(
        "Plan an evaluation in parts: 'mteval partial' counts each part, on any machine, and "
        "'mteval merge' makes the table of all parts. The texts are read for the names of systems "
        "and references only, so those of one part are enough."
    )
    arguments.share("references")
    arguments.share(
        "systems",
        help="system outputs, as for 'mteval score'; the first system is the baseline",
        from_stdin=True,
    )
    arguments.share("metrics")
    kept = arguments.group("what the parts keep")
    kept.share(
        "level",
        help="keep sums of the corpus, of each document too, or all rows (default: %(default)s)",
    ).refuse(NEEDS_DOCUMENTS, lambda o: o.level == "doc" and not knows_documents(o)).refuse(
        "--docs applies to documents: add --level doc", lambda o: o.docs and o.level != "doc"
    )
    kept.share(
        "resamples",
        help="count N resamples of a Poisson bootstrap, for intervals and tests (default: none)",
        default=0,
    )
    kept.share("seed").refuse(
        "--seed applies to intervals and tests: add --resamples N",
        lambda o: o.given("seed") and not o.resamples,
    )
    data = arguments.group("data")
    data.share("data", "documents")
    arguments.share("text", sets=True)
    arguments.group("several references").share("several references")
    output = arguments.group("output")
    output.add(
        "-o",
        "--output",
        file="output",
        metavar="PLAN.json",
        help="write to a file instead of standard output",
    )
    output.share("warnings")


def run(session: Session) -> None:
    """Write the plan."""
    from mteval_core.distributed.plan import plan_of

    options = session.options
    planned = planned_texts(session)
    scorers = session.metrics()
    defaults = session.defaults
    plan = plan_of(
        scorers,
        planned.runs,
        planned.references,
        source=planned.source,
        level=options.level,
        resamples=options.resamples,
        seed=options.seed,
        registry=session.registry,
        defaults={
            key: value
            for key, value in defaults.items()
            if any(key in scorer.setup.fields for scorer in scorers)
        },
    )
    session.write(f"{plan.to_json()}\n")


class PlannedTexts(NamedTuple):
    """What a plan says of the texts."""

    runs: Mapping[str, Sequence[str]]
    references: Sequence[str]
    source: bool


def planned_texts(session: Session) -> PlannedTexts:
    """Name the texts. Files with a segment per line can be long, and are not read for this."""
    from mteval_core.evaluation.sources import name_runs

    lines = session.lines()
    if lines is not None:
        references = [f"ref{k}" for k in range(len(lines.files.references))]
        return PlannedTexts(lines.runs, references, lines.files.source is not None)
    dataset = session.dataset()
    return PlannedTexts(
        name_runs(dataset.systems)[0],
        dataset.reference_names,
        dataset.texts.source is not None,
    )
