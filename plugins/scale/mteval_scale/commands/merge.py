"""``mteval merge``: merge the parts of a planned evaluation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core import UsageError

if TYPE_CHECKING:
    from mteval_core import Arguments, Options, Session
    from mteval_scale.plan import Plan

__all__ = ["add_arguments", "run"]


OF_TABLES = (
    *("all_pairs", "caption", "confidence", "format", "level", "marks", "note", "output", "rename"),
    *("signatures", "sort", "tables", "test", "title", "transpose", "values", "wide", "width"),
)
"""Options that say what is computed of all segments, and how it is written."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("plan files -ci -pbs --all-pairs --level --sort -f -o -w -q")
    arguments.describe(
        "Merge the results of 'mteval partial' and write the table that 'mteval score' writes of "
        "all segments. Intervals and tests use the resamples of the plan. --part writes a larger "
        "part in place of the table, so that many parts can be merged as a tree."
    )
    arguments.add("plan", file="input", metavar="PLAN.json", help="what 'mteval plan' wrote")
    arguments.add(
        "files",
        nargs="+",
        file="input",
        folders=str,
        metavar="PART",
        help="the results of all shards, or a folder of them",
    )
    arguments.add(
        "--part",
        file="output",
        metavar="FILE",
        help="write the merged result of some shards in a row, as one part for another merge",
    ).refuse(
        "--part writes a part and no table: leave out the flags of intervals, tests and tables",
        lambda o: o.part and o.given(*OF_TABLES),
    )
    arguments.share(
        "level",
        help="show the corpus, each document or each segment, as far as the plan keeps them "
        "(default: %(default)s)",
    )
    arguments.share("statistics", "tables")


def run(session: Session) -> None:
    """Merge the parts, and write the report or a larger part."""
    from mteval_core import to_evaluation
    from mteval_scale.arrow import to_bytes
    from mteval_scale.shards import merge_files, merge_some, read_plan

    options = session.options
    plan = read_plan(options.plan)
    if options.part:
        shard, merged = merge_some(options.files, plan, plan.scorers(session.registry))
        session.write_file(options.part, to_bytes(merged, plan.id, str(shard)))
        return
    scorers, chosen = plan.scorers(session.registry), planned_options(options, plan)
    whole = merge_files(options.files, plan, scorers)
    evaluation = to_evaluation(whole, plan.systems, scorers, plan.kept)
    names = session.names(list(evaluation.scorers.values()))
    evaluation = replace(evaluation, scores=evaluation.scores.titled(names))
    session.write_scores(evaluation, chosen)


def planned_options(options: Options, plan: Plan) -> Options:
    """Use the resamples of the plan, where the options do not say otherwise.

    Raises
    ------
    UsageError
        If the plan does not keep what the options ask for.
    """
    if options.level not in ("corpus", plan.level):
        raise UsageError(
            f"--level {options.level}: the plan keeps {plan.level} results only; make it with "
            f"--level {options.level}"
        )
    draws = options.confidence or options.test or options.all_pairs
    if not draws or options.by == "doc" or options.given("resampler"):
        return options
    if plan.resamples:
        return options.replace(
            resampler="poisson",
            seed=options.seed if options.given("seed") else plan.seed,
            resamples=options.resamples or plan.resamples,
        )
    if plan.level != "segment":
        raise UsageError(
            "the plan counts no resamples: make it with --resamples N, or with --level segment"
        )
    return options
