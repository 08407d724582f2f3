"""``mteval plan``: what all parts of an evaluation have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mteval_core.commands.arguments import (
    add_data,
    add_documents,
    add_metrics,
    add_references,
    add_references_mode,
    add_systems,
    add_text_options,
    add_warnings,
    count,
    random_seed,
    refuse,
)
from mteval_core.commands.data import checked_registry, read_data, test_set_of
from mteval_core.commands.inputs import (
    check_text_sets,
    named_inputs,
    need_texts,
    options_of_data,
    requested_metrics,
    text_options,
)
from mteval_core.commands.line_files import line_files
from mteval_core.commands.output import write_report
from mteval_core.commands.score_arguments import add_level

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from mteval_core.commands.arguments import Conflict
    from mteval_core.data.reading import Files

__all__ = ["add_arguments", "run"]

CONFLICTS: tuple[Conflict, ...] = (
    (
        "--seed applies to intervals and tests: add --resamples N",
        lambda a: "seed" in a.given and not a.resamples,
    ),
    (
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda a: a.level == "doc" and not (a.docs or a.data),
    ),
    ("--docs applies to documents: add --level doc", lambda a: a.docs and a.level != "doc"),
)
"""Message and condition of every combination of arguments that is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Plan an evaluation in parts: 'mteval partial' counts each part, on any machine, and "
        "'mteval merge' makes the table of all parts. The texts are read for the names of systems "
        "and references only, so those of one part are enough."
    )
    add_references(parser)
    add_systems(
        parser,
        "system outputs, as for 'mteval score'; the first system is the baseline",
        default=["-"],
    )
    add_metrics(parser)
    kept = parser.add_argument_group("what the parts keep")
    add_level(
        kept, "keep sums of the corpus, of each document too, or all rows (default: %(default)s)"
    )
    kept.add_argument(
        "--resamples",
        type=count,
        default=0,
        metavar="N",
        help="count N resamples of a Poisson bootstrap, for intervals and tests (default: none)",
    )
    kept.add_argument(
        "--seed",
        type=random_seed,
        default=12345,
        metavar="N",
        help="random seed (default: %(default)s)",
    )
    data = parser.add_argument_group("data")
    add_data(data)
    add_documents(data)
    text = "Defaults for all metrics; an option in a metric's spec takes precedence."
    add_text_options(parser.add_argument_group("text processing", text))
    add_references_mode(parser.add_argument_group("several references"))
    output = parser.add_argument_group("output")
    output.add_argument(
        "-o", "--output", metavar="PLAN.json", help="write to a file instead of standard output"
    )
    add_warnings(output)
    parser.set_defaults(scores=[])


def run(arguments: argparse.Namespace) -> int:
    """Write the plan."""
    from mteval_core.data.reading import Files
    from mteval_core.distributed.plan import plan_of
    from mteval_core.evaluation.evaluate import text_sets

    refuse(CONFLICTS, arguments)
    check_text_sets(arguments)
    registry = checked_registry(arguments)
    planned = planned_texts(arguments, Files(registry))
    defaults = options_of_data(arguments, registry, planned.language)
    scorers = requested_metrics(arguments, registry, defaults)
    need_texts(arguments, scorers)
    if arguments.sets:
        sets = arguments.sets.split(",")
        scorers = text_sets(scorers, sets, registry=registry, defaults=defaults)
    plan = plan_of(
        scorers,
        planned.runs,
        planned.references,
        source=planned.source,
        level=arguments.level,
        resamples=arguments.resamples,
        seed=arguments.seed,
        registry=registry,
        defaults=text_options(arguments),
    )
    write_report(f"{plan.to_json()}\n", arguments)
    return 0


class PlannedTexts(NamedTuple):
    """What a plan says of the texts."""

    runs: Mapping[str, Sequence[str]]
    references: Sequence[str]
    source: bool
    language: str


def planned_texts(arguments: argparse.Namespace, files: Files) -> PlannedTexts:
    """Name the texts. Files with a segment per line can be long, and are not read for this."""
    from mteval_core.evaluation.evaluate import name_runs, run_names

    lines = line_files(arguments, files)
    if lines is not None:
        systems = named_inputs(arguments.input).items()
        runs = {name: run_names(name, len(paths)) for name, paths in systems}
        references = [f"ref{k}" for k in range(len(lines.references))]
        return PlannedTexts(runs, references, lines.source is not None, "")
    dataset = read_data(arguments, files)
    return PlannedTexts(
        name_runs(dataset.systems)[0],
        dataset.reference_names,
        test_set_of(dataset).source is not None,
        dataset.language,
    )
