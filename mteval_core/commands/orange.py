"""``mteval orange``: compare metrics by how high they rank references in n-best lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_data,
    add_destination,
    add_documents,
    add_empty_references,
    add_interval,
    add_metrics,
    add_references,
    add_systems,
    add_text_options,
    confidence_level,
    random_seed,
    refuse,
)
from mteval_core.commands.correlate_arguments import resamples
from mteval_core.commands.data import Fields, checked_registry, read_references, test_set_of
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.inputs import (
    check_text_sets,
    named_inputs,
    need_texts,
    options_of_data,
    requested_metrics,
)
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from mteval_core.commands.arguments import Conflict
    from mteval_core.data.dataset import Dataset
    from mteval_core.data.reading import Files
    from mteval_core.text.text import Text

__all__ = ["add_arguments", "run"]

CONFLICTS: tuple[Conflict, ...] = (
    (
        "expected references and candidates: mteval orange REF REF... -i LISTS...",
        lambda a: not (a.data or (a.references and a.input)),
    ),
    (
        "-n 0 means no intervals: leave out --ci-level, --interval and --seed",
        lambda a: a.resamples == 0 and a.given & {"ci_level", "interval", "seed"},
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Compare metrics without human judgments: the better metric ranks references higher among "
        "other translations of the same segments (ORANGE, Lin and Och 2004)."
    )
    add_references(parser)
    add_systems(
        parser,
        "n-best lists: FILE.nbest, FILE::FIELD[*] with a list for each segment, or outputs of "
        "systems, which are n-best lists too",
    )
    add_metrics(parser)
    title = "Defaults for all metrics; an option in a metric's spec takes precedence."
    texts = parser.add_argument_group("text processing", title)
    add_text_options(texts)
    add_empty_references(texts)
    data = parser.add_argument_group("data")
    add_data(data)
    add_documents(data)
    intervals = parser.add_argument_group("intervals")
    intervals.add_argument(
        "-n",
        "--resamples",
        type=resamples,
        default=1000,
        metavar="N",
        help="resamples of the segments; 0 for no intervals (default: %(default)s)",
    )
    intervals.add_argument(
        "--ci-level",
        type=confidence_level,
        default=95.0,
        metavar="PERCENT",
        help="confidence level (default: %(default)g)",
    )
    intervals.add_argument(
        "--seed", type=random_seed, default=12345, metavar="N", help="default: %(default)s"
    )
    add_interval(intervals, "percentile", "kind of intervals (default: %(default)s)")
    add_destination(parser.add_argument_group("output"))
    parser.set_defaults(scores=[], jackknife=False)


def run(arguments: argparse.Namespace) -> int:
    """Rank the references and write the report."""
    from mteval_core.data.reading import Files
    from mteval_core.metaeval import Resampling, orange
    from mteval_core.metrics.bars import progress
    from mteval_core.report import Layout
    from mteval_core.report.orange import of_orange

    refuse(CONFLICTS, arguments)
    check_text_sets(arguments)
    registry = checked_registry(arguments)
    form = requested_format(arguments, "correlate", registry)
    files = Files(registry)
    dataset = read_references(arguments, files)
    defaults = options_of_data(arguments, registry, dataset.language)
    metrics = requested_metrics(arguments, registry, defaults)
    need_texts(arguments, metrics)
    resampling = Resampling(
        n=arguments.resamples,
        level=arguments.ci_level,
        seed=arguments.seed,
        interval=arguments.interval,
        threads=arguments.threads,
    )
    result = orange(
        candidates_of(arguments, dataset, files),
        test_set_of(dataset),
        metrics,
        sets=arguments.sets.split(",") if arguments.sets else None,
        resampling=resampling,
        registry=registry,
        defaults=defaults,
        threads=arguments.threads,
        bar=progress,
    )
    report = of_orange(result, resampling, arguments.width)
    layout = Layout(decimals=arguments.width, columns=terminal_width())
    write_report(formatted(report, layout, form, arguments), arguments)
    return 0


def candidates_of(arguments: argparse.Namespace, dataset: Dataset, files: Files) -> dict[str, Text]:
    """Read the n-best lists of ``-i``, and the outputs of the data set, place by place."""
    lists = {name: dataset.runs(name) for name in dataset.systems}
    for name, addresses in named_inputs(arguments.input).items():
        if name in lists:
            message = f"{dataset.path} has a system {name!r} too: name yours, NAME=PATH"
            raise UsageError(message)
        lists[name] = [
            text for address in addresses for text in texts_of(address, arguments, dataset, files)
        ]
    return {
        f"{name} {k}" if len(texts) > 1 else name: text
        for name, texts in lists.items()
        for k, text in enumerate(texts, 1)
    }


def texts_of(
    address: str, arguments: argparse.Namespace, dataset: Dataset, files: Files
) -> list[Text]:
    """Read a list for each segment, place by place; or one text."""
    from mteval_core.data.joining import joined

    if files.is_dataset(address):
        found = files.dataset(address)
        return [text for name in found.systems for text in found.runs(name)]
    columns = files.columns(Fields.of(arguments).joined(address))
    ids = test_set_of(dataset).ids
    return [joined(column, ids) for column in columns]
