"""``mteval tasks``: compare metrics with human judgments in several tasks at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.arguments import add_destination, add_metrics, count, random_seed, refuse
from mteval_core.commands.correlate import coefficient_of, study_of
from mteval_core.commands.correlate_conflicts import CONFLICTS
from mteval_core.commands.correlate_inputs import input_paths, read_inputs
from mteval_core.commands.files import check_output
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.inputs import check_text_sets, choose_tokenizer
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.commands.parser import CommandParser, Extend
from mteval_core.commands.registry import requested_registry
from mteval_core.commands.task_lines import lines_of_data, lines_of_file
from mteval_core.errors import UsageError
from mteval_core.names import check_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from mteval_core.commands.arguments import Conflict
    from mteval_core.commands.task_lines import Line
    from mteval_core.metaeval import Study, Task
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
    "choose_refs": "--choose-refs",
    "plot": "--plot",
    "plot_lines": "--plot-lines",
    "plot_pairs": "--plot-pairs",
    "quiet": "-q",
    "resample": "--resample",
    "resamples": "-n",
    "seed": "--seed",
    "sets": "--sets",
    "strict": "--strict",
    "table": "--table",
    "test": "--test",
    "threads": "--threads",
    "two_sided": "--two-sided",
    "width": "-w",
    "write_ratings": "--write-ratings",
}
"""Flags of ``mteval correlate`` that a task does not take."""

OF_TASKS: tuple[Conflict, ...] = tuple(
    (f"a task takes no {flag}", lambda a, name=name: name in a.given)  # type: ignore[misc]
    for name, flag in OF_ALL_TASKS.items()
)

OF_COEFFICIENT = ("level", "group", "coefficient", "given")
"""Arguments that do not change the study of a task, apart from its units."""

OF_DATA: tuple[Conflict, ...] = (
    (
        "--human, --scores, -m, --by-domain and --no-outliers make tasks of a data set; {tasks} is "
        "a file of tasks, whose lines say what they use",
        lambda a: a.given & {"human", "scores", "metrics", "by_domain", "no_outliers"},
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Compare the same metrics with human judgments in several tasks: language pairs, domains, "
        "levels, coefficients. Rank them in each task and over all tasks, as WMT's metrics task."
    )
    parser.add_argument(
        "tasks",
        metavar="FILE|DATA",
        help="a file with a task in each line, 'NAME: ARGUMENTS', with the arguments of 'mteval "
        "correlate' that choose texts, judgments, metrics, --level, --group and --coefficient; # "
        "begins a comment. Or a data set of several language pairs, such as mtme:FOLDER: then each "
        "pair has two tasks, as at WMT 2024, soft accuracy of systems and calibrated accuracy of "
        "segments",
    )
    data = parser.add_argument_group("data set")
    data.add_argument(
        "--human", metavar="NAME", help="human scores of segments (default: the only ones)"
    )
    data.add_argument(
        "--scores",
        nargs="+",
        action=Extend,
        default=[],
        metavar="NAME",
        help="scores of metrics, also without level and reference: X for X-refA.seg; X[lower] if "
        "lower is better (default: all metrics with scores of segments)",
    )
    add_metrics(data, "no further metrics")
    data.add_argument(
        "--by-domain",
        action="store_true",
        help="make the two tasks of each domain of a language pair",
    )
    data.add_argument(
        "--no-outliers", action="store_true", help="leave out systems that are outliers"
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
    from mteval_core.data.reading import Files
    from mteval_core.metaeval import Resampling, rank_over_tasks
    from mteval_core.metrics.bars import progress
    from mteval_core.report import Layout
    from mteval_core.report.tasks import of_tasks

    registry = requested_registry(arguments)
    files = Files(registry)
    check_name(arguments.tasks, "file of tasks")
    of_data = files.is_dataset(arguments.tasks)
    if not of_data:
        refuse(OF_DATA, arguments)
    lines = lines_of_data(arguments, files) if of_data else lines_of_file(arguments.tasks)
    requests = list(requested_tasks(lines, arguments))
    inputs = [arguments.tasks, *(path for _, task in requests for path in input_paths(task))]
    check_output(arguments.output, [*inputs, *arguments.plugin_requests])
    form = requested_format(arguments, "correlate", registry)
    studies: dict[str, Study] = {}
    tasks = [task_of(name, request, registry, studies) for name, request in requests]
    resampling = Resampling(n=arguments.trials, seed=arguments.seed, threads=arguments.threads)
    rankings = rank_over_tasks(
        tasks, resampling=resampling, correct=arguments.correct, bar=progress
    )
    report = of_tasks(tasks, rankings, resampling, arguments.width)
    layout = Layout(decimals=arguments.width, columns=terminal_width())
    write_report(formatted(report, layout, form, arguments), arguments)
    return 0


def requested_tasks(
    lines: Iterable[Line], arguments: argparse.Namespace
) -> Iterator[tuple[str, argparse.Namespace]]:
    """Parse the arguments of each task.

    Raises
    ------
    UsageError
        If the arguments of a task are wrong.
    """
    for line in lines:
        yield line.name, task_arguments(line, arguments)


def task_arguments(line: Line, arguments: argparse.Namespace) -> argparse.Namespace:
    """Parse the arguments of a task as those of ``mteval correlate``."""
    try:
        task = CommandParser(prog="mteval correlate").parse_args(line.words)
        refuse(OF_TASKS, task)
        task.plugin_requests, task.quiet = arguments.plugin_requests, arguments.quiet
        task.threads = arguments.threads
        task.compare = True
        refuse(CONFLICTS, task)
        check_text_sets(task)
    except UsageError as error:
        message = f"{line.where}: {error}"
        raise UsageError(message) from None
    return task


def task_of(
    name: str, request: argparse.Namespace, registry: Registry, studies: dict[str, Study]
) -> Task:
    """Score the systems of a task, unless the study of an earlier task is the same."""
    from mteval_core.metaeval import Task

    choose_tokenizer(request, registry)
    unit = "doc" if request.level == "doc" else request.by
    key = repr({**vars(request), **dict.fromkeys(OF_COEFFICIENT), "unit": unit})
    if key not in studies:
        studies[key] = study_of(request, read_inputs(request, registry))
    return Task(
        name=name,
        study=studies[key],
        coefficient=coefficient_of(request),
        grouping=None if request.level == "system" else request.group or "item",
    )
