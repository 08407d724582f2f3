"""``mteval tasks``: compare metrics with human judgments in several tasks at once."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from mteval_core.cli.arguments import add_destination, count, random_seed, refuse
from mteval_core.cli.correlate import input_paths, read_inputs, study_of
from mteval_core.cli.correlate_arguments import CONFLICTS
from mteval_core.cli.files import check_output
from mteval_core.cli.formats import formatted, requested_format
from mteval_core.cli.inputs import check_text_sets, choose_tokenizer
from mteval_core.cli.output import terminal_width, write_report
from mteval_core.cli.parser import CommandParser
from mteval_core.cli.registry import requested_registry
from mteval_core.errors import InputError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from mteval_core.metaeval.segments import SegmentCoefficient
    from mteval_core.metaeval.tasks import Task
    from mteval_core.plugin.registry import Registry

__all__ = ["add_arguments", "run"]

OF_ALL_TASKS = {
    "agreement": "--agreement",
    "ci_level": "--ci-level",
    "compare": "--compare",
    "correct": "--correct",
    "curve": "--curve",
    "format": "-f",
    "interval": "--interval",
    "output": "-o",
    "plot": "--plot",
    "quiet": "-q",
    "resample": "--resample",
    "resamples": "-n",
    "seed": "--seed",
    "sets": "--sets",
    "strict": "--strict",
    "table": "--table",
    "test": "--test",
    "two_sided": "--two-sided",
    "width": "-w",
    "write_ratings": "--write-ratings",
}
"""Flags of ``mteval correlate`` that a task does not take."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Compare the same metrics with human judgments in several tasks: language pairs, domains, "
        "levels, coefficients. Rank them in each task and over all tasks, as WMT's metrics task."
    )
    parser.add_argument(
        "tasks",
        metavar="FILE",
        help="one task per line: 'NAME: ARGUMENTS', with the arguments of 'mteval correlate' that "
        "choose texts, judgments, metrics, --level, --group and --coefficient; # begins a comment",
    )
    group = parser.add_argument_group("tests")
    group.add_argument(
        "-n",
        "--trials",
        type=count,
        default=1000,
        metavar="N",
        help="permutations of each pair of metrics (default: %(default)s)",
    )
    group.add_argument(
        "--correct",
        choices=("none", "holm", "bh"),
        default="none",
        help="correction of p-values for the number of pairs (default: %(default)s, as WMT)",
    )
    group.add_argument(
        "--seed", type=random_seed, default=12345, metavar="N", help="default: %(default)s"
    )
    add_destination(parser.add_argument_group("output"))
    parser.set_defaults(width=3)


def run(arguments: argparse.Namespace) -> int:
    """Read the tasks, rank the metrics and write the report."""
    from mteval_core.metaeval import Resampling, rank_over_tasks
    from mteval_core.metrics.bars import progress
    from mteval_core.report import Layout
    from mteval_core.report.tasks import of_tasks

    requests = list(requested_tasks(arguments))
    inputs = [arguments.tasks, *(path for _, task in requests for path in input_paths(task))]
    check_output(arguments.output, [*inputs, *arguments.plugin_requests])
    registry = requested_registry(arguments)
    form = requested_format(arguments, "correlate", registry)
    tasks = [task_of(name, request, registry) for name, request in requests]
    resampling = Resampling(n=arguments.trials, seed=arguments.seed)
    rankings = rank_over_tasks(
        tasks, resampling=resampling, correct=arguments.correct, bar=progress
    )
    report = of_tasks(tasks, rankings, resampling, arguments.width)
    layout = Layout(decimals=arguments.width, columns=terminal_width())
    write_report(formatted(report, layout, form), arguments)
    return 0


def requested_tasks(arguments: argparse.Namespace) -> Iterator[tuple[str, argparse.Namespace]]:
    """Read the file of tasks, each with its arguments.

    Raises
    ------
    InputError
        If the file has no task, or a line is not one.
    UsageError
        If the arguments of a task are wrong.
    """
    from mteval_core.text.files import read_text

    n = 0
    for line, content in enumerate(read_text(arguments.tasks, plain=False), 1):
        text = str(content)
        where = f"{arguments.tasks}:{line}"
        try:
            words = shlex.split(text, comments=True)
        except ValueError as error:
            message = f"{where}: {error}"
            raise InputError(message) from None
        if not words:
            continue
        name = words[0]
        if not name.endswith(":") or name == ":" or len(words) == 1:
            message = f"{where}: expected 'NAME: ARGUMENTS', got {text[:60]!r}"
            raise InputError(message)
        n += 1
        try:
            yield name[:-1], task_arguments(words[1:], arguments)
        except UsageError as error:
            message = f"{where}: {error}"
            raise UsageError(message) from None
    if not n:
        message = f"{arguments.tasks}: no tasks; expected lines 'NAME: ARGUMENTS'"
        raise InputError(message)


def task_arguments(words: list[str], arguments: argparse.Namespace) -> argparse.Namespace:
    """Parse the arguments of a task as those of ``mteval correlate``."""
    task = CommandParser(prog="mteval correlate").parse_args(words)
    for name in sorted(task.given & OF_ALL_TASKS.keys()):
        message = f"a task takes no {OF_ALL_TASKS[name]}"
        raise UsageError(message)
    task.plugin_requests, task.quiet = arguments.plugin_requests, arguments.quiet
    task.compare = True
    refuse(CONFLICTS, task)
    check_text_sets(task)
    return task


def task_of(name: str, request: argparse.Namespace, registry: Registry) -> Task:
    """Score the systems of a task."""
    from mteval_core.metaeval import Task

    choose_tokenizer(request, registry)
    coefficient: SegmentCoefficient = request.coefficient or "pearson"
    if request.coefficient == "accuracy":
        coefficient = "pairwise accuracy"
    return Task(
        name=name,
        study=study_of(request, read_inputs(request, registry)),
        coefficient=coefficient,
        grouping=None if request.level == "system" else request.group or "item",
    )
