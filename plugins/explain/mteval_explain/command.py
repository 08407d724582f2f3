"""``mteval explain``: explain the scores of segments."""

from __future__ import annotations

import argparse
import os
import re
from math import isnan
from typing import TYPE_CHECKING

from mteval_core import Arguments, InputError, UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core import Evaluation, Options, Scorer, Session

__all__ = ["add_arguments", "run"]

PICTURES = ("spans", "lines", "grid")

WORST = 5
"""Number of segments if the arguments do not say which."""

VTE_WITH_BIDI = 5800
"""VTE_VERSION of VTE 0.58."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic(
        "references -i -m --segment --all --worst --worse --top --contains --pictures -f -o -w -q"
    )
    arguments.share("references")
    arguments.share(
        "systems",
        help="system outputs, each PATH, PATH::FIELD or NAME=PATH; two of them are compared",
        from_stdin=True,
    )
    arguments.share("metrics", default="none; name at least one that explains its scores").refuse(
        "no metric to explain: add -m SPEC", lambda o: not o.metrics
    )
    add_segments(arguments.group("segments", "Default: --worst 5."))
    data = arguments.group("data")
    data.share("data", "documents", "empty references")
    arguments.share("text")
    output = arguments.group("output")
    output.add(
        "--pictures",
        nargs="+",
        choices=PICTURES,
        changes=("picture",),
        default=["spans", "lines"],
        help="how to draw them: spans, what matched; lines, hypothesis above reference; grid, hits "
        "and runs, the hypothesis across (default: spans lines)",
    )
    output.add(
        "--bidi",
        choices=("yes", "no"),
        help="whether the terminal orders the letters of right-to-left text; its words then run "
        "from right to left, too (default: as the terminal says; no in a pipe or file)",
    )
    output.share("output", kinds=("table", "record", "picture"))


def add_segments(group: Arguments) -> None:
    """Declare which segments are explained."""
    group.add(
        "--segment",
        nargs="+",
        type=Arguments.whole_number(0, what="number of a segment"),
        metavar="N",
        help="these segments, counted from 0",
    ).refuse(
        "--segment names the segments: leave it out, or --worst, --worse, --contains and --doc",
        lambda o: o.segment and is_chosen(o),
    )
    group.add("--all", action="store_true", help="all segments, for -o FILE.jsonl").refuse(
        "--all takes every segment: leave it out, or what chooses segments",
        lambda o: o.all and (o.segment or is_chosen(o)),
    )
    group.add(
        "--worst",
        type=Arguments.whole_number(1, what="number of segments"),
        metavar="N",
        help="the N segments with the worst scores of the first system under the first metric",
    ).refuse(
        "--worst and --worse both rank the segments: leave out one of the two",
        lambda o: o.worst is not None and o.worse,
    )
    group.add(
        "--worse",
        nargs=2,
        metavar=("A", "B"),
        help="the segments in which system A is worse than B by the most, under the first metric",
    )
    group.add(
        "--top",
        type=Arguments.whole_number(1, what="number of segments"),
        default=5,
        metavar="N",
        help="with --worse, how many (default: %(default)s)",
    ).refuse(
        "--top applies to --worse A B: add it, or leave out --top",
        lambda o: o.given("top") and not o.worse,
    )
    group.add(
        "--contains", type=pattern, metavar="REGEX", help="only segments with a text that matches"
    )
    group.add("--doc", metavar="D", help="only segments of this document").refuse(
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda o: o.doc is not None and not (o.docs or o.data),
    )


def pattern(text: str) -> re.Pattern[str]:
    """Read a regular expression."""
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a regular expression: {error}") from None


def is_chosen(options: Options) -> bool:
    """Whether segments are chosen by their scores or by what they are."""
    chosen = (options.worst, options.worse, options.contains, options.doc)
    return any(value is not None for value in chosen)


def run(session: Session) -> None:
    """Explain the segments and write the report."""
    from mteval_core.report import Layout
    from mteval_explain.report import Choice, of_segments

    options = session.options
    if options.bidi is not None:
        session.refuse_formats("--bidi applies to plain text")
    evaluation = evaluated(session)
    systems = tuple(options.worse or evaluation.systems)
    compared = filtered(evaluation, systems, options)
    segments = ranked(evaluation, compared, options)
    pictures = tuple(dict.fromkeys(options.pictures))
    choice = Choice(systems, tuple(segments), tuple(compared), pictures)
    layout = Layout("segment", options.width, mirrored=is_mirrored(session))
    session.write(of_segments(evaluation, choice), layout)


def is_mirrored(session: Session) -> bool:
    """Whether right-to-left text runs from right to left: ``--bidi``, or what the terminal does."""
    bidi = session.options.bidi
    if bidi is not None:
        return bool(bidi == "yes")
    return session.on_terminal and orders_letters(os.environ)


def orders_letters(environment: Mapping[str, str]) -> bool:
    """Tell whether a terminal is one of those that write right-to-left text as it is read.

    These are Konsole, mlterm, Apple's Terminal, and those built on VTE 0.58 or later, such as
    GNOME's. They say so in their environment.
    """
    vte = environment.get("VTE_VERSION", "")
    return (
        (vte.isdecimal() and int(vte) >= VTE_WITH_BIDI)
        or "KONSOLE_VERSION" in environment
        or "MLTERM" in environment
        or environment.get("TERM_PROGRAM") == "Apple_Terminal"
    )


def evaluated(session: Session) -> Evaluation:
    """Read the texts and score them under metrics that explain.

    Raises
    ------
    UsageError
        If a metric does not explain its scores, or a system has several runs.
    UnknownNameError
        If ``--worse`` names a system that is not there.
    """
    options, scorers = session.options, session.metrics()
    need_explanations(scorers)
    used = options.doc is not None or any(one.setup.needs_documents for one in scorers)
    if options.docs and not used:
        raise UsageError("--docs applies to documents: add --doc D")
    worse = options.worse
    evaluation = session.evaluation()
    several = [system for system, runs in evaluation.scores.runs.items() if len(runs) > 1]
    if several:
        raise UsageError(f"system {several[0]!r} has several runs: name the one to explain")
    for name in worse or ():
        if name not in evaluation.systems:
            raise UnknownNameError(
                f"--worse: no system {name!r}.{UnknownNameError.near(name, evaluation.systems)}"
            )
    if worse and len({*worse}) < 2:
        raise UsageError(f"--worse {' '.join(worse)}: expected two different systems")
    return evaluation


def can_explain(scorer: Scorer) -> bool:
    """Tell whether a metric says why, or where."""
    from mteval_explain.written import has_method

    return has_method(scorer, "explain") or has_method(scorer, "marks")


def need_explanations(scorers: Sequence[Scorer]) -> None:
    """Raise a `UsageError` for a metric that does not explain its scores."""
    able = [str(one.spec) for one in scorers if can_explain(one)]
    for scorer in scorers:
        if str(scorer.spec) not in able:
            rest = f"; {', '.join(able)} can" if able else ""
            raise UsageError(f"the metric {scorer.spec} does not explain its scores{rest}")


def filtered(evaluation: Evaluation, systems: Sequence[str], options: Options) -> list[int]:
    """Return the segments of the document, with a text that matches.

    Raises
    ------
    InputError
        If there is none, or no such document.
    """
    test_set, outputs = evaluation.scores.corpus
    segments = list(range(len(test_set)))
    if options.doc is not None:
        documents = test_set.documents or ()
        if options.doc not in documents:
            hint = UnknownNameError.near(options.doc, {*documents})
            raise InputError(f"--doc {options.doc}: no such document.{hint}")
        segments = [i for i in segments if documents[i] == options.doc]
    if options.contains is not None:
        texts = [outputs[evaluation.scores.runs[system][0]] for system in systems]
        texts += [*test_set.references, *([test_set.source] if test_set.source else [])]
        find = options.contains.search
        segments = [i for i in segments if any(find(text[i] or "") for text in texts)]
        if not segments:
            raise InputError(
                f"--contains {options.contains.pattern}: no segment has a text that matches"
            )
    return segments


def ranked(evaluation: Evaluation, segments: Sequence[int], options: Options) -> list[int]:
    """Return the segments to explain, in order; those without a score have no rank.

    Raises
    ------
    InputError
        If a segment that is named does not exist.
    """
    if options.all:
        return list(segments)
    if options.segment:
        n = len(evaluation.scores.test_set)
        for i in options.segment:
            if i >= n:
                raise InputError(f"--segment {i}: no such segment; the segments are 0 to {n - 1}")
        return list(dict.fromkeys(options.segment))
    spec, scorer = next(iter(evaluation.scorers.items()))
    sign = 1 if scorer.declaration.better == "higher" else -1
    column = list(scorer.scales).index(scorer.main)

    def scores(system: str) -> list[float]:
        values = evaluation.scores.values(system, spec, "segment")[:, column]
        return [sign * value for value in values.tolist()]

    def among(*of_systems: list[float]) -> list[int]:
        return [i for i in segments if not any(isnan(values[i]) for values in of_systems)]

    if options.worse:
        worse, better = map(scores, options.worse)
        order = sorted(among(worse, better), key=lambda i: (worse[i] - better[i], i))
        return [i for i in order if worse[i] < better[i]][: options.top]
    if options.worst is None and (options.contains is not None or options.doc is not None):
        return list(segments)
    first = scores(evaluation.systems[0])
    return sorted(among(first), key=lambda i: (first[i], i))[: options.worst or WORST]
