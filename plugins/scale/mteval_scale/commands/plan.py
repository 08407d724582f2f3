"""``mteval plan``: settings that all parts of a distributed evaluation share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core import Arguments, Dataset, LineFiles, Session

__all__ = ["NamedTexts", "add_arguments", "run"]


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("references -i -m -n --level --data --lang -o -q")
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
    ).refuse(
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda o: o.level == "doc" and not (o.docs or o.data),
    ).refuse("--docs applies to documents: add --level doc", lambda o: o.docs and o.level != "doc")
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
    from mteval_scale.plan import plan_of

    options = session.options
    # Files with a segment per line can be long, and are not read for their names.
    planned = NamedTexts.of(session.line_files() or session.dataset())
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


class NamedTexts(NamedTuple):
    """What a plan says of texts: names of runs and references, and whether there is a source."""

    runs: Mapping[str, Sequence[str]]
    references: Sequence[str]
    source: bool

    @classmethod
    def of(cls, texts: LineFiles | Dataset) -> NamedTexts:
        """Name the texts of files, or of a data set."""
        from mteval_core import InMemory, LineFiles

        if isinstance(texts, LineFiles):
            roles = [role for role, _ in texts.paths]
            references = [f"ref{k}" for k in range(roles.count("ref"))]
            return cls(texts.runs, references, "src" in roles)
        runs = InMemory.of(texts.systems, texts.texts).runs
        return cls(runs, texts.reference_names, texts.texts.source is not None)
