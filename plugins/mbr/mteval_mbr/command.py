"""``mteval mbr``: choose hypotheses from n-best lists, by the other hypotheses or by references."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core import (
    Address,
    Arguments,
    CheckedTexts,
    InputError,
    MtevalWarning,
    TextSummary,
    UsageError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core import Files, Options, Scorer, Session, Text
    from mteval_mbr.decoding import RankedHypothesis

    Ranked = list[list[RankedHypothesis]]

__all__ = ["add_arguments", "run"]

BAR = " ||| "
"""Separates the fields of n-best lists of Moses."""

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that change what a terminal shows, or the direction of what follows."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("lists -m --per-segment --oracle --source --top --lang -f -o -q")
    arguments.describe(
        "Choose from n-best lists the hypotheses with the highest expected utility, which are "
        "most like the others (minimum Bayes risk); or those that are most like references."
    )
    arguments.add(
        "lists",
        nargs="+",
        file="input",
        folders=Address.parse,
        metavar="NBEST",
        help="n-best lists: FILE.nbest of Moses or Marian, FILE::FIELD[*] with a list for each "
        "segment, files with N lines for each segment (--per-segment N), or outputs of several "
        "systems",
    )
    arguments.add(
        "-m",
        "--metric",
        required=True,
        completes="metrics",
        metavar="SPEC",
        help="the metric that says how alike two texts are, NAME or NAME:KEY=VALUE,...",
    )
    arguments.add(
        "--per-segment",
        type=Arguments.whole_number(1, what="number of lines"),
        default=1,
        metavar="N",
        help="lines for each segment in plain files (default: %(default)s)",
    )
    arguments.add(
        "--aggregate",
        action="store_true",
        help="apply the formula of the metric to sums over the other hypotheses, in place of the "
        "mean of the scores",
    ).refuse(
        "--aggregate is a way to compute expected utilities: leave it out, or --oracle",
        lambda o: o.aggregate and o.oracle,
    )
    arguments.add(
        "--oracle",
        nargs="+",
        file="input",
        folders=Address.parse,
        metavar="REF",
        help="choose by the scores against these references",
    )
    arguments.share("source", "text")
    output = arguments.group("output")
    output.add(
        "--top",
        type=Arguments.whole_number(1, what="number of hypotheses"),
        default=1,
        metavar="N",
        help="write the N best hypotheses of each segment, with their utilities",
    ).refuse(
        "-f text has one hypothesis per segment: leave out --top, or add -f nbest or -f jsonl",
        lambda o: form_of(o) == "text" and o.given("top"),
    )
    output.add(
        "-f",
        "--format",
        dest="form",
        choices=("text", "nbest", "jsonl"),
        help="default: by the ending of -o; otherwise text, or nbest with --top",
    )
    output.add(
        "-o",
        "--output",
        file="output",
        metavar="FILE",
        help="write to FILE instead of standard output",
    )
    output.share("warnings", "threads")


def run(session: Session) -> None:
    """Read the lists, choose, and write what was chosen."""
    from mteval_mbr.decoding import mbr, oracle

    options, files = session.options, session.files
    scorer = session.metric(options.metric)
    session.texts.refuse_unused_source([scorer])
    sides = {str(one): places(one, options.per_segment, files) for one in options.lists}
    lists = n_best_lists(sides)
    source = files.text(options.source) if options.source else None
    threads = options.threads
    test_set = files.test_set(options.oracle, source=options.source) if options.oracle else None
    warn_of_texts(sides, scorer, test_set.references if test_set else (), source)
    if test_set:
        chosen = oracle(lists, test_set, scorer, options.top, threads=threads)
    else:
        chosen = mbr(
            lists,
            scorer,
            options.top,
            sources=None if source is None else [segment or "" for segment in source],
            aggregate=options.aggregate,
            threads=threads,
        )
    lines = {"text": text_lines, "nbest": n_best_lines, "jsonl": json_lines}[form_of(options)]
    written = "".join(f"{line}\n" for line in lines(chosen, scorer))
    if session.on_terminal:
        written = CONTROL.sub(lambda found: ascii(found[0])[1:-1], written)
    session.write(written)


def form_of(options: Options) -> str:
    """Return the format that is asked for: by its name, the ending of ``-o``, or ``--top``."""
    ending = (options.output or "").rpartition(".")[2]
    implied = ending if ending in ("nbest", "jsonl") else "text" if options.top == 1 else "nbest"
    return options.form or implied


# Reading


def n_best_lists(sides: Mapping[str, Sequence[Text]]) -> list[list[str]]:
    """Join the lists of all files, segment by segment.

    Parameters
    ----------
    sides : mapping of str to sequence of Text
        What `places` returns, by file.

    Raises
    ------
    InputError
        If the files have different numbers of segments, or a segment has no hypothesis.
    """
    sizes = {name: len(texts[0]) for name, texts in sides.items()}
    if len(set(sizes.values())) > 1:
        seen = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise InputError(f"the n-best lists have different numbers of segments: {seen}")
    columns = [text for texts in sides.values() for text in texts]
    lists = [[each for each in own if each is not None] for own in zip(*columns, strict=True)]
    if [] in lists:
        raise InputError(
            f"{', '.join(sides)}: segment {lists.index([])} has no hypothesis; "
            f"expected at least one"
        )
    if all(len(own) == 1 for own in lists):
        if all(BAR in own[0] for own in lists):
            raise InputError(
                f"{', '.join(sides)}: every line has {BAR!r}, as the n-best lists of Moses and "
                f"Marian: name the file FILE.nbest"
            )
        message = (
            f"{', '.join(sides)}: every list has one hypothesis, so there is nothing "
            f"to choose from; expected a file FILE.nbest, FILE::FIELD[*], lines in groups "
            f"(--per-segment N), or several files"
        )
        warnings.warn(MtevalWarning("single-hypotheses", message), stacklevel=2)
    return lists


def warn_of_texts(
    sides: Mapping[str, Sequence[Text]],
    scorer: Scorer,
    references: Sequence[Text],
    source: Text | None,
) -> None:
    """Warn of what is probably wrong with the first hypotheses of each file.

    Without references, the outputs of further systems are compared with those of the first.
    """
    systems = {name: TextSummary.of(texts[0]) for name, texts in sides.items()}
    streams = tuple(TextSummary.of(replace(stream, path="")) for stream in references)
    read = None if source is None else TextSummary.of(source)
    rounds = [(CheckedTexts(systems, streams, read, (scorer,)), "")]
    if not references:
        first, *others = systems
        stream = TextSummary.of(replace(sides[first][0], path=""))
        compared = {name: systems[name] for name in others}
        why = f" ({first} is taken for the references)"
        rounds.append((CheckedTexts(compared, (stream,), None, (scorer,)), why))
    seen: set[str] = set()
    for texts, why in rounds:
        found = [*texts.findings(scorer.setup.registry)]
        for code, message in found:
            if code not in seen:
                warnings.warn(MtevalWarning(code, f"{message}{why}"), stacklevel=2)
        seen.update(code for code, _ in found)


def places(address: Address, group: int, files: Files) -> Sequence[Text]:
    """Read n-best lists place by place: a text for each, with missing segments in shorter lists.

    Raises
    ------
    UsageError
        If groups of lines are asked for in a file that is not plain.
    InputError
        If a plain file does not have a whole number of groups of lines.
    """
    has_lists = bool(address.field) or files.dataset_format(address.path)
    if has_lists and group > 1:
        raise UsageError(f"--per-segment {group} is for plain files: leave it out for {address}")
    if not address.field and files.dataset_format(address.path):
        dataset = files.dataset(address)
        return [text for name in dataset.systems for text in dataset.runs(name)]
    columns = files.columns(address)
    if group == 1:
        if any(column.ids is not None for column in columns):
            raise UsageError(
                f"{address}: n-best lists go by line: name the field alone, FILE::FIELD"
            )
        return [column.text for column in columns]
    (text,) = (column.text for column in columns)
    if len(text) % group:
        raise InputError(
            f"{address}: {len(text)} lines are not a multiple of --per-segment {group}; "
            f"expected as many lines for each segment"
        )
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
    signature = str(scorer.signature())
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
        raise InputError(
            f"segment {segment}: the chosen hypothesis contains {mark!r}, which the format cannot "
            f"hold: write -f jsonl"
        )
    return text
