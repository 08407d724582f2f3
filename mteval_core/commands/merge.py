"""``mteval merge``: merge the parts of a planned evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.arguments import ExtendTexts
from mteval_core.commands.files import check_output
from mteval_core.commands.formats import formatted, refuse_without_tables, requested_format
from mteval_core.commands.output import write_report
from mteval_core.commands.registry import requested_registry
from mteval_core.commands.score import (
    requested_test,
    wants_intervals,
    with_statistics,
    write_bibliography,
)
from mteval_core.commands.score_arguments import (
    CONFLICTS,
    TABLE_FLAGS,
    add_level,
    add_output,
    add_statistics,
    draws,
    refuse,
)
from mteval_core.commands.score_tables import bare_scores, chosen_names, layout_of, sorting
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from mteval_core.distributed.plan import Plan

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Merge the results of 'mteval partial' and write the table that 'mteval score' writes of "
        "all segments. Intervals and tests use the resamples of the plan."
    )
    parser.add_argument("plan", metavar="PLAN.json", help="what 'mteval plan' wrote")
    parser.add_argument(
        "files",
        nargs="+",
        action=ExtendTexts,
        metavar="PART",
        help="the results of all shards, or a folder of them",
    )
    add_level(
        parser,
        "show the corpus, each document or each segment, as far as the plan keeps them "
        "(default: %(default)s)",
    )
    add_statistics(parser)
    add_output(parser)
    # The parts know their documents, and only mteval score reads texts and studies.
    parser.set_defaults(data=True, docs=None, calibrate=None, engine=None)


def run(arguments: argparse.Namespace) -> int:
    """Merge the parts and write the report."""
    from dataclasses import replace

    from mteval_core.distributed.merging import to_evaluation
    from mteval_core.distributed.shards import merge_files, read_plan
    from mteval_core.distributed.worker import Worker
    from mteval_core.report.scores import of_evaluation

    refuse(CONFLICTS, arguments)
    taken = [arguments.plan, *arguments.files, *arguments.plugin_requests]
    check_output(arguments.output, taken)
    check_output(arguments.bib, [*taken, arguments.output], "--bib")
    registry = requested_registry(arguments)
    form = requested_format(arguments, "score", registry)
    refuse_without_tables({*TABLE_FLAGS, "width"}, arguments, form)
    plan = read_plan(arguments.plan)
    choose_draw(arguments, plan)
    worker = Worker(plan, registry)
    scored = to_evaluation(worker, merge_files(arguments.files, plan))
    scored = replace(scored, names=chosen_names(scored, arguments, registry))
    layout = layout_of(arguments, form, sort=sorting(scored, arguments))
    evaluation = with_statistics(scored, arguments, registry)
    if arguments.bib:
        write_bibliography(evaluation, layout, arguments)
    if arguments.score_only:
        write_report(bare_scores(evaluation, arguments), arguments)
    else:
        write_report(
            formatted(of_evaluation(evaluation, layout), layout, form, arguments), arguments
        )
    return 0


def choose_draw(arguments: argparse.Namespace, plan: Plan) -> None:
    """Choose the resamples of the plan, where the arguments do not say otherwise.

    Raises
    ------
    UsageError
        If the plan does not keep what the arguments ask for.
    """
    if arguments.level not in ("corpus", plan.level):
        message = (
            f"--level {arguments.level}: the plan keeps {plan.level} results only; make it with "
            f"--level {arguments.level}"
        )
        raise UsageError(message)
    if not draws(arguments) or arguments.by == "doc" or "resampler" in arguments.given:
        return
    if plan.resamples:
        arguments.resampler = "poisson"
        arguments.seed = arguments.seed if "seed" in arguments.given else plan.seed
        if wants_intervals(arguments):
            arguments.confidence_n = arguments.confidence_n or plan.resamples
        if requested_test(arguments) == "bs":
            arguments.trials = arguments.trials or plan.resamples
    elif plan.level != "segment":
        message = (
            "the plan counts no resamples: make it with --resamples N, or with --level segment"
        )
        raise UsageError(message)
