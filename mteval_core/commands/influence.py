"""``mteval influence``: what a result depends on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_data,
    add_destination,
    add_documents,
    add_metrics,
    add_pipeline,
    add_references,
    add_references_mode,
    add_scores,
    add_systems,
    confidence_level,
    count,
    random_seed,
    refuse,
    whole,
)
from mteval_core.commands.data import checked_registry, read_data
from mteval_core.commands.formats import formatted, refuse_without_tables, requested_format
from mteval_core.commands.inputs import (
    need_texts,
    options_of_data,
    requested_metrics,
)
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.commands.outside import read_scores
from mteval_core.commands.power import CONFLICTS

if TYPE_CHECKING:
    import argparse

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.registry import Registry

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Show what the differences between systems depend on: the segments or documents with the "
        "largest effects, how often each system has each rank on resamples, and the choice of "
        "references if there are several."
    )
    add_references(parser)
    add_systems(
        parser,
        "system outputs, each PATH, PATH::FIELD, NAME=PATH, or NAME=PATH,PATH,... for several "
        "runs of one system; the first system is the baseline, and of a single one the score is "
        "examined",
    )
    add_metrics(parser)
    group = parser.add_argument_group("influence")
    group.add_argument(
        "--by",
        choices=("segment", "doc"),
        default="segment",
        help="leave out and draw segments or whole documents (default: %(default)s)",
    )
    group.add_argument(
        "--top",
        type=lambda text: whole(text, "whole number", 1, 1_000_000),
        default=5,
        metavar="N",
        help="show the N segments or documents with the largest effects (default: %(default)s)",
    )
    group.add_argument(
        "--all-pairs", action="store_true", help="compare every system with every other"
    )
    group.add_argument(
        "-n",
        "--resamples",
        type=count,
        default=1000,
        metavar="N",
        help="resamples of ranks and errors (default: %(default)s)",
    )
    group.add_argument(
        "--ci-level",
        type=confidence_level,
        default=95.0,
        metavar="PERCENT",
        help="confidence level of intervals over references and segments (default: %(default)g)",
    )
    group.add_argument(
        "--seed", type=random_seed, default=12345, metavar="N", help="seed (default: %(default)s)"
    )
    data = parser.add_argument_group("data")
    add_data(data)
    add_documents(data)
    add_scores(data)
    add_references_mode(data)
    text = "Defaults for all metrics; an option in a metric's spec takes precedence."
    add_pipeline(parser.add_argument_group("text processing", text))
    add_destination(parser.add_argument_group("output"))


def run(arguments: argparse.Namespace) -> int:
    """Score the systems, compute the influences and write the report."""
    from mteval_core.evaluation.influence import choices, influences, ranks, resampled_scores
    from mteval_core.report import Layout
    from mteval_core.report.influence import of_influence

    refuse(CONFLICTS, arguments)
    registry = checked_registry(arguments)
    form = requested_format(arguments, "correlate", registry)
    refuse_without_tables({"width"}, arguments, form)
    evaluation, *without = evaluations(arguments, registry)
    all_pairs, level, by = arguments.all_pairs, arguments.ci_level, arguments.by
    found = influences(evaluation, by, all_pairs=all_pairs)
    resampled = resampled_scores(evaluation, by, arguments.resamples, arguments.seed)
    report = of_influence(
        evaluation,
        found,
        ranks(evaluation, resampled) if len(evaluation.systems) > 1 else [],
        choices(evaluation, without, resampled, level=level, all_pairs=all_pairs)
        if without
        else [],
        by=by,
        settings={
            "top": arguments.top,
            "resamples": arguments.resamples,
            "seed": arguments.seed,
            "level": level,
        },
        decimals=arguments.width,
    )
    layout = Layout(decimals=arguments.width, columns=terminal_width())
    write_report(formatted(report, layout, form, arguments), arguments)
    return 0


def evaluations(arguments: argparse.Namespace, registry: Registry) -> list[Evaluation]:
    """Score with all references, then without each of them if enough are left."""
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.evaluate import evaluate

    files = Files(registry)
    dataset = read_data(arguments, files)
    defaults = options_of_data(arguments, registry, dataset.language)
    scorers = requested_metrics(arguments, registry, defaults)
    need_texts(arguments, scorers)
    scorers += read_scores(arguments, files)
    test_set = dataset.test_set
    assert test_set is not None  # refused before
    references = test_set.references
    sets = [references]
    least = 3 if arguments.jackknife else 2
    if len(references) >= least and not any(stream.missing.any() for stream in references):
        sets += [references[:k] + references[k + 1 :] for k in range(len(references))]
    return [
        evaluate(
            dataset.systems,
            replace(test_set, references=chosen),
            scorers,
            registry=registry,
            threads=arguments.threads,
            keep_rows=chosen is references,
        )
        for chosen in sets
    ]
