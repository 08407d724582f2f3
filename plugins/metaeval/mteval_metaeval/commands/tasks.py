"""``mteval tasks``: compare metrics with human judgments in several tasks at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import Address, Arguments, UsageError, check_name
from mteval_metaeval.commands.correlate import coefficient_of, study_of
from mteval_metaeval.commands.correlate_arguments import MOST_NUMBERS
from mteval_metaeval.commands.correlate_inputs import read_inputs
from mteval_metaeval.commands.task_lines import lines_of_data, lines_of_file

if TYPE_CHECKING:
    from mteval_core import Session
    from mteval_metaeval import Study, Task
    from mteval_metaeval.commands.task_lines import Line

__all__ = ["add_arguments", "run"]

OF_ALL_TASKS = {
    "agreement": "--agreement",
    "ci_level": "--ci-level",
    "correct": "--correct",
    "curve": "--curve",
    "format": "-f",
    "human_performance": "--human-performance",
    "interval": "--interval",
    "output": "-o",
    "choose_refs": "--choose-refs",
    "plot": "--plot",
    "plot_coefficients": "--plot-coefficients",
    "plot_lines": "--plot-lines",
    "plot_pairs": "--plot-pairs",
    "quiet": "-q",
    "resample": "--resample",
    "resamples": "-n",
    "seed": "--seed",
    "sets": "--sets",
    "strict": "--strict",
    "lin_och": "--lin-och",
    "test": "--test",
    "threads": "--threads",
    "two_sided": "--two-sided",
    "width": "-w",
    "write_ratings": "--write-ratings",
}
"""Flags of ``mteval correlate`` that a task does not take."""

REFUSED = {name: f"a task takes no {flag}" for name, flag in OF_ALL_TASKS.items()}

OF_COEFFICIENT = ("level", "group", "coefficient")
"""Arguments that do not change the study of a task, apart from its units."""

OF_DATA = ("references", "human", "scores", "metrics", "by_domain", "no_outliers")
"""Arguments that make tasks of a data set."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("tasks --human -m --trials -f -o -w -q")
    arguments.describe(
        "Compare the same metrics with human judgments in several tasks: language pairs, domains, "
        "levels, coefficients. Rank them in each task and over all tasks, as WMT's metrics task."
    )
    arguments.add(
        "tasks",
        file="input",
        type=Address,
        metavar="FILE|DATA",
        help="a file with a task in each line, or a data set of several language pairs; a task is "
        "'NAME: ARGUMENTS', with the arguments of 'mteval correlate' that choose texts, judgments, "
        "metrics, --level, --group and --coefficient; # begins a comment. Of a data set, such as "
        "mtme:FOLDER, each pair has two tasks, as at WMT 2024, soft accuracy of systems and "
        "calibrated accuracy of segments",
    )
    data = arguments.group("data set")
    data.add(
        "-r",
        "--refs",
        dest="references",
        metavar="NAME",
        help="the reference of all tasks, such as refA: scores against other references are left "
        "out (default: all references, and all scores)",
    )
    data.add("--human", metavar="NAME", help="human scores of segments (default: the only ones)")
    data.add(
        "--scores",
        nargs="+",
        metavar="NAME",
        help="scores of metrics, also without level and reference: X for X-refA.seg; X[lower] if "
        "lower is better (default: all metrics with scores of segments)",
    )
    data.share("metrics", default="no further metrics")
    data.add(
        "--by-domain",
        action="store_true",
        help="make the two tasks of each domain of a language pair",
    )
    data.add("--no-outliers", action="store_true", help="leave out systems that are outliers")
    group = arguments.group("tests")
    group.add(
        "--trials",
        type=Arguments.whole_number(1, MOST_NUMBERS),
        default=1000,
        metavar="N",
        help="permutations of each pair of metrics (default: %(default)s)",
    )
    group.add(
        "--test",
        choices=("perm-systems", "perm-both"),
        default="perm-systems",
        help="what tasks of systems exchange between two metrics: whole systems, or the scores of "
        "all segments, as at WMT 2024 (default: %(default)s)",
    )
    group.share("correction", choices=("none", "holm", "bh"), default="none")
    group.share("seed")
    arguments.group("output").share("output", decimals=3)


def run(session: Session) -> None:
    """Read the tasks, rank the metrics and write the report."""
    from mteval_core import progress
    from mteval_metaeval import Resampling, rank_over_tasks
    from mteval_metaeval.reports.tasks import of_tasks

    options = session.options
    path = check_name(options.tasks.path, "file of tasks")
    of_data = session.files.dataset_format(path)
    if not of_data and options.given(*OF_DATA):
        raise UsageError(
            f"-r, --human, --scores, -m, --by-domain and --no-outliers make tasks of a data set; "
            f"{path} is a file of tasks, whose lines say what they use"
        )
    lines = lines_of_data(options, session.files) if of_data else lines_of_file(path)
    requests = [(line.name, task_session(line, session)) for line in lines]
    studies: dict[str, Study] = {}
    tasks = [task_of(name, request, studies) for name, request in requests]
    resampling = Resampling(n=options.trials, seed=options.seed, threads=options.threads)
    rankings = rank_over_tasks(
        tasks, resampling=resampling, test=options.test, correct=options.correct, bar=progress
    )
    session.write(of_tasks(tasks, rankings, resampling, options.width))


def task_session(line: Line, session: Session) -> Session:
    """Parse the arguments of a task as those of ``mteval correlate``.

    Raises
    ------
    UsageError
        If they are wrong.
    """
    try:
        return session.within("correlate", [*line.words, "--compare"], REFUSED)
    except UsageError as error:
        raise UsageError(f"{line.where}: {error}") from None


def task_of(name: str, request: Session, studies: dict[str, Study]) -> Task:
    """Score the systems of a task, unless the study of an earlier task is the same."""
    from mteval_metaeval import Task

    options = request.options
    unit = "doc" if options.level == "doc" else options.by
    key = repr(options.replace(**dict.fromkeys(OF_COEFFICIENT), unit=unit))
    if key not in studies:
        studies[key] = study_of(request, read_inputs(request))
    return Task(
        name=name,
        study=studies[key],
        coefficient=coefficient_of(options),
        grouping=None if options.level == "system" else options.group or "item",
    )
