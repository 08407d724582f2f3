"""``mteval mbr``: choose hypotheses from n-best lists, by the other hypotheses or by references."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import (
    ExtendTexts,
    add_pipeline,
    add_source,
    add_threads,
    add_warnings,
    refuse,
    whole,
)
from mteval_core.commands.files import check_output
from mteval_core.commands.inputs import (
    check_stdin,
    choose_tokenizer,
    refuse_unused_source,
    text_options,
)
from mteval_core.commands.output import write_report
from mteval_core.commands.registry import requested_registry
from mteval_core.data.addresses import Address
from mteval_core.errors import InputError, UsageError, warn

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from mteval_core.commands.arguments import Conflict
    from mteval_core.data.reading import Files
    from mteval_core.metrics.mbr import RankedHypothesis
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.text.text import Text

    Ranked = list[list[RankedHypothesis]]

__all__ = ["add_arguments", "run"]

CONFLICTS: tuple[Conflict, ...] = (
    (
        "--aggregate is a way to compute expected utilities: leave it out, or --oracle",
        lambda a: a.aggregate and a.oracle,
    ),
    (
        "-f text has one hypothesis per segment: leave out --top, or add -f nbest or -f jsonl",
        lambda a: a.form == "text" and "top" in a.given,
    ),
)
"""Message and condition of every combination of arguments that is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Choose from n-best lists the hypotheses with the highest expected utility, which are "
        "most like the others (minimum Bayes risk); or those that are most like references."
    )
    parser.set_defaults(jackknife=False)
    parser.add_argument(
        "lists",
        nargs="+",
        action=ExtendTexts,
        default=[],
        metavar="NBEST",
        help="n-best lists: FILE.nbest of Moses or Marian, FILE::FIELD[*] with a list for each "
        "segment, files with N lines for each segment (--group N), or outputs of several systems",
    )
    parser.add_argument(
        "-m",
        "--metric",
        required=True,
        metavar="SPEC",
        help="the metric that says how alike two texts are, NAME or NAME:KEY=VALUE,...",
    )
    parser.add_argument(
        "--group",
        type=partial(whole, what="number of lines", minimum=1),
        default=1,
        metavar="N",
        help="lines for each segment in plain files (default: %(default)s)",
    )
    parser.add_argument(
        "--aggregate",
        action="store_true",
        help="apply the formula of the metric to sums over the other hypotheses, in place of the "
        "mean of the scores",
    )
    parser.add_argument(
        "--oracle",
        nargs="+",
        action=ExtendTexts,
        default=[],
        metavar="REF",
        help="choose by the scores against these references",
    )
    add_source(parser)
    add_pipeline(parser.add_argument_group("text processing"))
    output = parser.add_argument_group("output")
    output.add_argument(
        "--top",
        type=partial(whole, what="number of hypotheses", minimum=1),
        default=1,
        metavar="N",
        help="write the N best hypotheses of each segment, with their utilities",
    )
    output.add_argument(
        "-f",
        "--format",
        dest="form",
        choices=("text", "nbest", "jsonl"),
        help="default: by the ending of -o; otherwise text, or nbest with --top",
    )
    output.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE instead of standard output"
    )
    add_warnings(output)
    add_threads(output)


def run(arguments: argparse.Namespace) -> int:
    """Read the lists, choose, and write what was chosen."""
    from mteval_core.data.reading import Files
    from mteval_core.metrics.mbr import mbr, oracle
    from mteval_core.metrics.resolve import metric

    form = requested_form(arguments)
    refuse(CONFLICTS, arguments)
    texts = [*arguments.lists, *arguments.oracle, *filter(None, [arguments.source])]
    paths = [Address.parse(address).path for address in texts]
    check_stdin(paths, quiet=arguments.quiet)
    check_output(arguments.output, [*paths, *arguments.plugin_requests])
    registry = requested_registry(arguments)
    choose_tokenizer(arguments, registry)
    scorer = metric(arguments.metric, registry=registry, defaults=text_options(arguments))
    refuse_unused_source(arguments, [scorer])
    files = Files(registry)
    lists = n_best_lists(arguments, files)
    source = files.text(arguments.source) if arguments.source else None
    threads = arguments.threads
    if arguments.oracle:
        test_set = files.test_set(arguments.oracle, source=arguments.source)
        chosen = oracle(lists, test_set, scorer, arguments.top, threads=threads)
    else:
        chosen = mbr(
            lists,
            scorer,
            arguments.top,
            sources=None if source is None else [segment or "" for segment in source],
            aggregate=arguments.aggregate,
            threads=threads,
        )
    lines = {"text": text_lines, "nbest": n_best_lines, "jsonl": json_lines}[form]
    write_report("".join(f"{line}\n" for line in lines(chosen, scorer)), arguments)
    return 0


def requested_form(arguments: argparse.Namespace) -> str:
    """Return the format that is asked for: by its name, the ending of ``-o``, or ``--top``."""
    ending = (arguments.output or "").rpartition(".")[2]
    implied = ending if ending in ("nbest", "jsonl") else "text" if arguments.top == 1 else "nbest"
    return arguments.form or implied


# Reading


def n_best_lists(arguments: argparse.Namespace, files: Files) -> list[list[str]]:
    """Join the lists of all files, segment by segment.

    Raises
    ------
    InputError
        If the files have different numbers of segments, or a segment has no hypothesis.
    """
    sides = [places(address, arguments.group, files) for address in arguments.lists]
    sizes = [len(texts[0]) for texts in sides]
    if len(set(sizes)) > 1:
        pairs = zip(arguments.lists, sizes, strict=True)
        seen = ", ".join(f"{address} has {size}" for address, size in pairs)
        message = f"the n-best lists have different numbers of segments: {seen}"
        raise InputError(message)
    columns = [text for texts in sides for text in texts]
    lists = [[each for each in own if each is not None] for own in zip(*columns, strict=True)]
    if [] in lists:
        message = (
            f"{', '.join(arguments.lists)}: segment {lists.index([])} has no hypothesis; expected "
            f"at least one"
        )
        raise InputError(message)
    if all(len(own) == 1 for own in lists):
        message = (
            f"{', '.join(arguments.lists)}: every list has one hypothesis, so there is nothing to "
            f"choose from; expected a file FILE.nbest, FILE::FIELD[*], lines in groups (--group "
            f"N), or several files"
        )
        warn("single-hypotheses", message)
    return lists


def places(address: str, group: int, files: Files) -> Sequence[Text]:
    """Read n-best lists place by place: a text for each, with missing segments in shorter lists.

    Raises
    ------
    UsageError
        If groups of lines are asked for in a file that is not plain.
    InputError
        If a plain file does not have a whole number of groups of lines.
    """
    from mteval_core.data.joining import joined

    has_lists = bool(Address.parse(address).field) or files.is_dataset(address)
    if has_lists and group > 1:
        message = f"--group {group} is for plain files, and {address} is none: leave out --group"
        raise UsageError(message)
    if files.is_dataset(address):
        dataset = files.dataset(address)
        return [text for name in dataset.systems for text in dataset.runs(name)]
    columns = files.columns(address)
    if group == 1:
        return [joined(column, None) for column in columns]
    (text,) = (column.text for column in columns)
    if len(text) % group:
        message = (
            f"{address}: {len(text)} lines are not a multiple of --group {group}; expected as many "
            f"lines for each segment"
        )
        raise InputError(message)
    return [text.take(range(k, len(text), group)) for k in range(group)]


# Writing


def text_lines(chosen: Ranked, scorer: Scorer) -> Iterator[str]:  # noqa: ARG001
    """Write the best hypothesis of each segment."""
    for i, (first, *_) in enumerate(chosen):
        yield in_one_line(first.hypothesis, i, "\n")


def n_best_lines(chosen: Ranked, scorer: Scorer) -> Iterator[str]:
    """Write n-best lists of Moses, with the utility as the only feature."""
    name = "".join(scorer.label.split())
    for i, own in enumerate(chosen):
        for each in own:
            text = in_one_line(in_one_line(each.hypothesis, i, "\n"), i, "|||")
            yield f"{i} ||| {text} ||| {name}= {each.utility!r} ||| {each.utility!r}"


def json_lines(chosen: Ranked, scorer: Scorer) -> Iterator[str]:
    """Write an object for each segment, with the signature of the metric."""
    signature = str(scorer.get_signature())
    for i, own in enumerate(chosen):
        hypotheses, utilities, copies = zip(*own, strict=True)
        record = {
            "segment": i,
            "hypotheses": hypotheses,
            "utilities": utilities,
            "copies": copies,
            "signature": signature,
        }
        yield json.dumps(record, ensure_ascii=False)


def in_one_line(text: str, segment: int, mark: str) -> str:
    """Return a text; refuse one that would be read as something else.

    Raises
    ------
    InputError
        If it has a line feed, or what separates the fields of n-best lists.
    """
    if mark in text:
        message = (
            f"segment {segment}: the chosen hypothesis contains {mark!r}, which the format cannot "
            f"hold: write -f jsonl"
        )
        raise InputError(message)
    return text
