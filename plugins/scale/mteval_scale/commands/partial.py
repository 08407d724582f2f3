"""``mteval partial``: count one part of a planned evaluation."""

from __future__ import annotations

import argparse
import pathlib
import sys
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core import Arguments, InputError, MtevalWarning
from mteval_scale.commands.plan import NamedTexts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core import Dataset, LineFiles, Options, Scorer, Session, TextDigest
    from mteval_scale.plan import Plan
    from mteval_scale.shards import Segments, Shard

    Key = tuple[str, str]

__all__ = ["add_arguments", "run"]

LARGEST_ID = 2**62


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("plan references -i --shard --data -o -q")
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
        help="which shard this is, and how many there are, such as 3/8; 3-5/8 is three in a row",
    )
    part.add(
        "--first-id",
        type=Arguments.whole_number(0, LARGEST_ID),
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
    from mteval_scale.shards import Shard

    try:
        return Shard.parse(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(session: Session) -> None:
    """Count the part and write the file, unless it is there already."""
    from mteval_scale.arrow import CutPartial, to_bytes
    from mteval_scale.shards import read_plan

    options = session.options
    plan = read_plan(options.plan)
    segments = segments_of_shard(session, plan)
    if is_done(options, plan, segments):
        if not options.quiet:
            print(f"mteval: {options.output} is there already", file=sys.stderr)  # noqa: T201 - the user waits
        return
    scorers = plan.scorers(session.registry)
    scorers = plan.kept.with_references(scorers, segments, options.threads)
    counted = plan.kept.count_source(segments, scorers, options.threads)
    warn_of_texts(segments, counted.digests, options.shard, scorers)
    partial = CutPartial(**vars(counted), whole_digests=segments.whole_digests)
    session.write(to_bytes(partial, plan.id, str(options.shard)))


def warn_of_texts(
    segments: Segments, own: Mapping[Key, TextDigest], shard: Shard, scorers: Sequence[Scorer]
) -> None:
    """Warn of what is probably wrong with the texts: once, if the files have all segments."""
    is_cut = bool(segments.whole_digests)
    texts = segments.source.summaries(segments.whole_digests if is_cut else own)
    if texts is not None and not (is_cut and shard.number > 1):
        registry = scorers[0].setup.registry
        for code, message in replace(texts, metrics=tuple(scorers)).findings(registry):
            warnings.warn(MtevalWarning(code, message), stacklevel=2)


def is_done(options: Options, plan: Plan, segments: Segments) -> bool:
    """Whether the file is there and holds this shard of these texts.

    Raises
    ------
    InputError
        If it holds anything else.
    """
    from mteval_scale.shards import read_partial

    if options.again or not pathlib.Path(options.output).exists():
        return False
    advice = "name another file, or replace it with --again"
    try:
        found, partial = read_partial(options.output, plan)
    except InputError as error:
        raise InputError(f"{error}: {advice}") from None
    if found != options.shard:
        raise InputError(f"{options.output} is the shard {found}, not {options.shard}: {advice}")
    if partial.digests != plan.kept.count_source(segments, [], options.threads).digests:
        raise InputError(f"{options.output} was counted from other texts: {advice}")
    return True


def segments_of_shard(session: Session, plan: Plan) -> Segments:
    """Return the segments of the shard, whose texts must be those of the plan."""
    lines = session.line_files()
    if lines is None:
        return segments_in_memory(session.dataset(), plan, session.options)
    return segments_of_lines(lines, plan, session.options)


def segments_of_lines(lines: LineFiles, plan: Plan, options: Options) -> Segments:
    """Return the segments of the shard from files that are read in blocks."""
    from mteval_core import LineFiles
    from mteval_scale.shards import Segments

    check_texts(NamedTexts.of(lines), plan)
    if ("src", "") in lines.paths and not plan.source:
        raise InputError(
            f"--source {lines.paths['src', '']}: the plan has no source; leave out --source"
        )
    if options.first_id is not None:
        return Segments(lines, first=options.first_id, has_all=options.shard.n_shards == 1)
    references = LineFiles([lines.paths["ref", "0"]], {}, quiet=True)
    n_lines = sum(len(part.test_set) for part in references.parts())
    return Segments(lines, options.shard.of(n_lines))


def segments_in_memory(dataset: Dataset, plan: Plan, options: Options) -> Segments:
    """Return the segments of the shard from texts that were read as a whole."""
    import numpy as np

    from mteval_core import InMemory
    from mteval_scale.shards import Segments

    check_texts(NamedTexts.of(dataset), plan)
    test_set = dataset.texts
    if not plan.source:
        test_set = replace(test_set, source=None, size=len(test_set))
    source = InMemory.of(dataset.systems, test_set)
    for name, text in source.whole.systems.items():
        test_set.check(text, name)
    has_all = options.shard.n_shards == 1
    if test_set.ids is not None:
        ids = np.array([*map(number, test_set.ids)], np.int64)
        return Segments(source, ids=ids, has_all=has_all)
    if options.first_id is not None:
        return Segments(source, first=options.first_id, has_all=has_all)
    return Segments(source, options.shard.of(len(test_set)))


def check_texts(texts: NamedTexts, plan: Plan) -> None:
    """Raise an `InputError` if the texts are not those of the plan."""
    outputs = sorted(run for own in texts.runs.values() for run in own)
    for what, found, planned in (
        ("reference streams", list(texts.references), list(plan.references)),
        ("outputs", outputs, sorted(plan.runs)),
        ("texts", ["a source"] * (texts.source and plan.source), ["a source"] * plan.source),
    ):
        if found != planned:
            raise InputError(
                f"the {what} {', '.join(found) or '(none)'}; the plan has "
                f"{', '.join(planned) or 'none'}"
            )


def number(text: str) -> int:
    """Read the id of a segment.

    Raises
    ------
    InputError
        If it is not a whole number from 0.
    """
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    raise InputError(f"segment id {text!r}: expected a whole number from 0 to 10^18 - 1")
