"""``mteval partial``: count one part of a planned evaluation."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core.commands.files import is_file
from mteval_core.commands.values import whole_number
from mteval_core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.options import Options
    from mteval_core.commands.session import Session
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


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.describe(
        "Count one part of an evaluation that 'mteval plan' has planned. The files hold all "
        "segments, of which this command counts the shard K of N; or, with --first-id or ids, "
        "only those of the shard."
    )
    arguments.add("plan", file="input", metavar="PLAN.json", help="what 'mteval plan' wrote")
    arguments.share("references")
    arguments.share(
        "systems", help="outputs of the systems of the plan, as for 'mteval plan'", from_stdin=True
    )
    part = arguments.group("part")
    part.add(
        "--shard",
        type=shard,
        required=True,
        metavar="K/N",
        help="which shard this is, and how many there are, such as 3/8",
    )
    part.add(
        "--first-id",
        type=whole_number(0, LARGEST_ID),
        metavar="ID",
        help="the files hold only this shard; its segments have the ids ID, ID+1, ..., counted "
        "from 0 over all shards",
    ).refuse(
        "--first-id {first_id} numbers the segments, and id= in --fields does, too: leave one out",
        lambda o: o.first_id is not None and o.fields and o.fields.ids,
    )
    data = arguments.group("data")
    data.share("data", "documents", "empty references")
    output = arguments.group("output")
    output.add(
        "-o",
        "--output",
        file="output",
        metavar="FILE",
        required=True,
        help="the file of the result",
    ).refuse("-o -: expected the name of a file", lambda o: o.output == "-")
    output.add("--again", action="store_true", help="count even if the file is there already")
    output.share("warnings", "threads")


def shard(text: str) -> Shard:
    """Read the value of ``--shard``."""
    from mteval_core.distributed.shards import Shard

    try:
        return Shard.parse(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(session: Session) -> None:
    """Count the part and write the file, unless it is there already."""
    from mteval_core.distributed.arrow import to_bytes
    from mteval_core.distributed.shards import read_plan

    options = session.options
    plan = read_plan(options.plan)
    if is_done(options, plan):
        if not options.quiet:
            print(f"mteval: {options.output} is there already", file=sys.stderr)
        return
    partial = counted_part(session, plan)
    session.write(to_bytes(partial, str(options.shard)))


def is_done(options: Options, plan: Plan) -> bool:
    """Whether the file is there and holds this shard.

    Raises
    ------
    InputError
        If it holds anything else.
    """
    from mteval_core.distributed.shards import read_partial

    if options.again or not is_file(options.output):
        return False
    advice = "name another file, or replace it with --again"
    try:
        found, _ = read_partial(options.output, plan)
    except InputError as error:
        message = f"{error}: {advice}"
        raise InputError(message) from None
    if found != options.shard:
        message = f"{options.output} is the shard {found}, not {options.shard}: {advice}"
        raise InputError(message)
    return True


def counted_part(session: Session, plan: Plan) -> Partial:
    """Read the texts and count the segments of the shard."""
    from mteval_core.distributed.partial import Partial
    from mteval_core.distributed.worker import Worker
    from mteval_core.metrics.threads import in_order

    worker, partial = Worker(plan, session.registry), Partial(plan.id)
    lines = session.line_files()
    if lines is None:
        worker, read = of_dataset(session.dataset(), worker, session.options)
    else:
        worker, read = of_lines(lines, worker, session)
    for part in in_order(worker.count, zip(read), session.options.threads):
        partial.merge(part)
    return partial


def of_lines(lines: LineFiles, worker: Worker, session: Session) -> tuple[Worker, Iterator[Batch]]:
    """Return a worker that has seen all references, and the segments of files read in blocks."""
    from mteval_core.distributed.streaming import collected
    from mteval_core.evaluation.evaluate import run_names
    from mteval_core.text.blocks import LineFiles
    from mteval_core.text.files import read_blocks

    options = session.options
    source = lines.source if worker.plan.source else None
    lines = LineFiles(lines.references, lines.systems, source)
    check_references([f"ref{k}" for k in range(len(lines.references))], worker.plan)
    first, places = options.first_id or 0, range(LARGEST_ID)
    if options.first_id is None:
        n_lines = sum(len(block) for block in read_blocks(lines.references[0], quiet=True))
        places = options.shard.of(n_lines)
    if worker.collects and (options.first_id is None or options.shard.n_shards == 1):
        references = LineFiles(lines.references, (), source, quiet=True)
        worker = collected(worker, references, options.threads)
    systems = session.texts.systems.items()
    runs = [run for name, addresses in systems for run in run_names(name, len(addresses))]
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
    dataset: Dataset, worker: Worker, options: Options
) -> tuple[Worker, Iterator[Batch]]:
    """Return a worker that has seen all references, and the segments of texts in memory."""
    from mteval_core.evaluation.evaluate import name_runs

    check_references(dataset.reference_names, worker.plan)
    test_set = dataset.texts
    if not worker.plan.source:
        test_set = replace(test_set, source=None, size=len(test_set))
    _, texts = name_runs(dataset.systems)
    for name, text in texts.items():
        test_set.check(text, name)
    ids, places = segments_of(options, test_set)
    is_whole = test_set.ids is None and options.first_id is None
    if worker.collects and (is_whole or options.shard.n_shards == 1):
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


def segments_of(options: Options, test_set: TestSet) -> tuple[NDArray[np.int64], range]:
    """Return the ids of all segments of the files, and which of the segments are counted."""
    import numpy as np

    everything = range(len(test_set))
    if test_set.ids is not None:
        return np.array([*map(number, test_set.ids)], np.int64), everything
    if options.first_id is not None:
        return options.first_id + np.arange(len(test_set)), everything
    return np.arange(len(test_set)), options.shard.of(len(test_set))


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
