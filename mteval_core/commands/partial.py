"""``mteval partial``: count one part of a planned evaluation."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    add_data,
    add_documents,
    add_empty_references,
    add_references,
    add_systems,
    add_threads,
    add_warnings,
    refuse,
    whole,
)
from mteval_core.commands.data import file_paths, read_data, test_set_of
from mteval_core.commands.files import check_output, is_file, write_file
from mteval_core.commands.inputs import check_stdin, named_inputs
from mteval_core.commands.line_files import line_files
from mteval_core.commands.registry import requested_registry
from mteval_core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.commands.arguments import Conflict
    from mteval_core.data.dataset import Dataset
    from mteval_core.distributed.partial import Partial
    from mteval_core.distributed.plan import Plan
    from mteval_core.distributed.shards import Shard
    from mteval_core.distributed.worker import Batch, Worker
    from mteval_core.text.blocks import LineFiles
    from mteval_core.text.text import TestSet, Text

__all__ = ["add_arguments", "run"]

BLOCK = 1 << 15
"""Number of segments that are counted at once."""

LARGEST_ID = 2**62

CONFLICTS: tuple[Conflict, ...] = (
    (
        "--first-id {first_id} numbers the segments, and id= in --fields does, too: leave one out",
        lambda a: a.first_id is not None and has_ids(a),
    ),
    ("-o -: expected the name of a file", lambda a: a.output == "-"),
)
"""Message and condition of every combination of arguments that is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Count one part of an evaluation that 'mteval plan' has planned. The files hold all "
        "segments, of which this command counts the shard K of N; or, with --first-id or ids, "
        "only those of the shard."
    )
    parser.add_argument("plan", metavar="PLAN.json", help="what 'mteval plan' wrote")
    add_references(parser)
    add_systems(parser, "outputs of the systems of the plan, as for 'mteval plan'", default=["-"])
    part = parser.add_argument_group("part")
    part.add_argument(
        "--shard",
        type=shard,
        required=True,
        metavar="K/N",
        help="which shard this is, and how many there are, such as 3/8",
    )
    part.add_argument(
        "--first-id",
        type=lambda text: whole(text, "whole number", 0, LARGEST_ID),
        metavar="ID",
        help="the files hold only this shard; its segments have the ids ID, ID+1, ..., counted "
        "from 0 over all shards",
    )
    data = parser.add_argument_group("data")
    add_data(data)
    add_documents(data)
    add_empty_references(data)
    output = parser.add_argument_group("output")
    output.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the file of the result"
    )
    output.add_argument(
        "--again", action="store_true", help="count even if the file is there already"
    )
    add_warnings(output)
    add_threads(output)
    parser.set_defaults(scores=[])


def shard(text: str) -> Shard:
    """Read the value of ``--shard``."""
    from mteval_core.distributed.shards import Shard

    try:
        return Shard.parse(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def has_ids(arguments: argparse.Namespace) -> bool:
    """Whether the ids of the segments are in a field."""
    return any(word.startswith("id=") for word in (arguments.fields or "").split(","))


def run(arguments: argparse.Namespace) -> int:
    """Count the part and write the file, unless it is there already."""
    from mteval_core.distributed.arrow import to_bytes
    from mteval_core.distributed.shards import read_plan

    refuse(CONFLICTS, arguments)
    inputs = [arguments.plan, *file_paths(arguments)]
    check_stdin(inputs, quiet=arguments.quiet)
    check_output(arguments.output, [*inputs, *arguments.plugin_requests])
    plan = read_plan(arguments.plan)
    if is_done(arguments, plan):
        if not arguments.quiet:
            print(f"mteval: {arguments.output} is there already", file=sys.stderr)
        return 0
    partial = counted_part(arguments, plan)
    write_file(arguments.output, to_bytes(partial, str(arguments.shard)))
    return 0


def is_done(arguments: argparse.Namespace, plan: Plan) -> bool:
    """Whether the file is there and holds this shard.

    Raises
    ------
    InputError
        If it holds anything else.
    """
    from mteval_core.distributed.shards import read_partial

    if arguments.again or not is_file(arguments.output):
        return False
    advice = "name another file, or replace it with --again"
    try:
        found, _ = read_partial(arguments.output, plan)
    except InputError as error:
        message = f"{error}: {advice}"
        raise InputError(message) from None
    if found != arguments.shard:
        message = f"{arguments.output} is the shard {found}, not {arguments.shard}: {advice}"
        raise InputError(message)
    return True


def counted_part(arguments: argparse.Namespace, plan: Plan) -> Partial:
    """Read the texts and count the segments of the shard."""
    from mteval_core.data.reading import Files
    from mteval_core.distributed.partial import Partial
    from mteval_core.distributed.worker import Worker
    from mteval_core.metrics.threads import in_order

    registry = requested_registry(arguments)
    files, worker, partial = Files(registry), Worker(plan, registry), Partial(plan.id)
    lines = line_files(arguments, files)
    if lines is None:
        worker, read = of_dataset(read_data(arguments, files), worker, arguments)
    else:
        worker, read = of_lines(lines, worker, arguments)
    for part in in_order(worker.count, zip(read), arguments.threads):
        partial.merge(part)
    return partial


def of_lines(
    lines: LineFiles, worker: Worker, arguments: argparse.Namespace
) -> tuple[Worker, Iterator[Batch]]:
    """Return a worker that has seen all references, and the segments of files read in blocks."""
    from mteval_core.distributed.streaming import collected
    from mteval_core.evaluation.evaluate import run_names
    from mteval_core.text.blocks import LineFiles
    from mteval_core.text.files import read_blocks

    source = lines.source if worker.plan.source else None
    lines = LineFiles(lines.references, lines.systems, source)
    check_references([f"ref{k}" for k in range(len(lines.references))], worker.plan)
    first, places = arguments.first_id or 0, range(LARGEST_ID)
    if arguments.first_id is None:
        n_lines = sum(len(block) for block in read_blocks(lines.references[0], quiet=True))
        places = arguments.shard.of(n_lines)
    if worker.collects and (arguments.first_id is None or arguments.shard.n_shards == 1):
        references = LineFiles(lines.references, (), source, quiet=True)
        worker = collected(worker, references, arguments.threads)
    inputs = named_inputs(arguments.input).items()
    runs = [run for name, paths in inputs for run in run_names(name, len(paths))]
    return worker, line_batches(lines, runs, first, places)


def line_batches(
    lines: LineFiles, runs: Sequence[str], first: int, places: range
) -> Iterator[Batch]:
    """Yield the segments at some places of files that are read in blocks."""
    import numpy as np

    n_read = 0
    for test_set, texts in lines:
        n = len(test_set)
        ids = first + n_read + np.arange(n)
        inside = range(max(places.start - n_read, 0), min(places.stop - n_read, n))
        yield from batches(ids, inside, dict(zip(runs, texts, strict=True)), test_set)
        n_read += n


def of_dataset(
    dataset: Dataset, worker: Worker, arguments: argparse.Namespace
) -> tuple[Worker, Iterator[Batch]]:
    """Return a worker that has seen all references, and the segments of texts in memory."""
    from mteval_core.evaluation.evaluate import name_runs

    check_references(dataset.reference_names, worker.plan)
    test_set = test_set_of(dataset)
    if not worker.plan.source:
        test_set = replace(test_set, source=None, size=len(test_set))
    _, texts = name_runs(dataset.systems)
    for name, text in texts.items():
        test_set.check(text, name)
    ids, places = segments_of(arguments, test_set)
    is_whole = test_set.ids is None and arguments.first_id is None
    if worker.collects and (is_whole or arguments.shard.n_shards == 1):
        worker = worker.collected([worker.collect(test_set)])
    return worker, batches(ids, places, texts, test_set)


def check_references(names: Sequence[str], plan: Plan) -> None:
    """Raise an `InputError` if the reference streams are not those of the plan."""
    if tuple(names) != plan.references:
        message = (
            f"the reference streams {', '.join(names) or '(none)'}; the plan has "
            f"{', '.join(plan.references) or 'none'}"
        )
        raise InputError(message)


def segments_of(
    arguments: argparse.Namespace, test_set: TestSet
) -> tuple[NDArray[np.int64], range]:
    """Return the ids of all segments of the files, and which of the segments are counted."""
    import numpy as np

    everything = range(len(test_set))
    if test_set.ids is not None:
        return np.array([*map(number, test_set.ids)], np.int64), everything
    if arguments.first_id is not None:
        return arguments.first_id + np.arange(len(test_set)), everything
    return np.arange(len(test_set)), arguments.shard.of(len(test_set))


def number(text: str) -> int:
    """Read the id of a segment.

    Raises
    ------
    InputError
        If it is not a whole number from 0.
    """
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    message = f"segment id {text!r}: expected a whole number from 0 to 10^18 - 1"
    raise InputError(message)


def batches(
    ids: NDArray[np.int64], places: range, texts: Mapping[str, Text], test_set: TestSet
) -> Iterator[Batch]:
    """Yield the segments at some places, a block at a time."""
    from mteval_core.distributed.worker import Batch

    for start in range(places.start, places.stop, BLOCK):
        stop = min(start + BLOCK, places.stop)
        documents = test_set.documents
        yield Batch(
            ids[start:stop],
            {run: text.slice(start, stop) for run, text in texts.items()},
            replace(
                test_set,
                references=tuple(text.slice(start, stop) for text in test_set.references),
                source=test_set.source and test_set.source.slice(start, stop),
                documents=documents and documents[start:stop],
                ids=None,
                domains=None,
                size=stop - start,
            ),
        )
