"""``mteval explain``: say why segments have their scores."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import refuse
from mteval_core.commands.data import checked_registry, read_data
from mteval_core.commands.explain_arguments import CONFLICTS, add_arguments
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.inputs import (
    need_texts,
    options_of_data,
    requested_metrics,
    text_options,
)
from mteval_core.commands.output import has_colours, terminal_width, to_terminal, write_report
from mteval_core.errors import InputError, UnknownNameError, UsageError, near

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from mteval_core.data.reading import Files
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.metrics.scorer import Scorer

__all__ = ["add_arguments", "run"]

WORST = 5
"""Number of segments if the arguments do not say which."""

VTE_WITH_BIDI = 5800
"""VTE_VERSION of VTE 0.58."""


def run(arguments: argparse.Namespace) -> int:
    """Explain the segments and write the report."""
    from mteval_core.data.reading import Files
    from mteval_core.report import Layout
    from mteval_core.report.explanations import Choice, of_segments

    refuse(CONFLICTS, arguments)
    registry = checked_registry(arguments)
    form = requested_format(arguments, "explain", registry)
    evaluation = evaluated(arguments, Files(registry))
    systems = tuple(arguments.worse or evaluation.systems)
    compared = filtered(evaluation, systems, arguments)
    segments = ranked(evaluation, compared, arguments)
    pictures = tuple(dict.fromkeys(arguments.pictures))
    choice = Choice(systems, tuple(segments), tuple(compared), pictures)
    layout = Layout("segment", arguments.width)
    if form.declaration.name == "text":  # other formats look the same on every terminal
        layout = layout._replace(
            columns=terminal_width(),
            colour=has_colours(arguments),
            mirrored=is_mirrored(arguments),
        )
    elif arguments.bidi is not None:
        message = f"--bidi applies to text, and the format is {form.declaration.name}: leave it out"
        raise UsageError(message)
    write_report(
        formatted(of_segments(evaluation, choice, layout), layout, form, arguments), arguments
    )
    return 0


def is_mirrored(arguments: argparse.Namespace) -> bool:
    """Whether right-to-left text runs from right to left: ``--bidi``, or what the terminal does."""
    if arguments.bidi is not None:
        return bool(arguments.bidi == "yes")
    return to_terminal(arguments) and orders_letters(os.environ)


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


def evaluated(arguments: argparse.Namespace, files: Files) -> Evaluation:
    """Read the texts and score them under metrics that explain.

    Raises
    ------
    UsageError
        If a metric does not explain its scores, or a system has several runs.
    UnknownNameError
        If ``--worse`` names a system that is not there.
    """
    from mteval_core.evaluation.evaluate import evaluate

    registry = files.registry
    data = read_data(arguments, files)
    defaults = options_of_data(arguments, registry, data.language)
    scorers = requested_metrics(arguments, registry, defaults)
    need_explanations(scorers)
    need_texts(arguments, scorers)
    evaluation = evaluate(
        data,
        scorers,
        registry=registry,
        defaults=text_options(arguments),
        threads=arguments.threads,
    )
    several = [system for system, runs in evaluation.runs.items() if len(runs) > 1]
    if several:
        message = f"system {several[0]!r} has several runs: name the one to explain"
        raise UsageError(message)
    for name in arguments.worse or ():
        if name not in evaluation.systems:
            message = f"--worse: no system {name!r}.{near(name, evaluation.systems)}"
            raise UnknownNameError(message)
    if arguments.worse and len({*arguments.worse}) < 2:
        message = f"--worse {' '.join(arguments.worse)}: expected two different systems"
        raise UsageError(message)
    return evaluation


def need_explanations(scorers: Sequence[Scorer]) -> None:
    """Raise a `UsageError` for a metric that does not explain its scores."""
    from mteval_core.explain.explaining import can_explain

    for scorer in scorers:
        if not can_explain(scorer):
            able = [str(one.spec) for one in scorers if can_explain(one)]
            rest = f"; {', '.join(able)} can" if able else ""
            message = f"the metric {scorer.spec} does not explain its scores{rest}"
            raise UsageError(message)


def filtered(
    evaluation: Evaluation, systems: Sequence[str], arguments: argparse.Namespace
) -> list[int]:
    """Return the segments of the document, with a text that matches.

    Raises
    ------
    InputError
        If there is none, or no such document.
    """
    test_set, outputs = evaluation.corpus
    segments = list(range(len(test_set)))
    if arguments.doc is not None:
        documents = test_set.documents or ()
        if arguments.doc not in documents:
            message = f"--doc {arguments.doc}: no such document.{near(arguments.doc, {*documents})}"
            raise InputError(message)
        segments = [i for i in segments if documents[i] == arguments.doc]
    if arguments.contains is not None:
        texts = [outputs[evaluation.runs[system][0]] for system in systems]
        texts += [*test_set.references, *([test_set.source] if test_set.source else [])]
        find = arguments.contains.search
        segments = [i for i in segments if any(find(text[i] or "") for text in texts)]
        if not segments:
            message = f"--contains {arguments.contains.pattern}: no segment has a text that matches"
            raise InputError(message)
    return segments


def ranked(
    evaluation: Evaluation, segments: Sequence[int], arguments: argparse.Namespace
) -> list[int]:
    """Return the segments to explain, in order.

    Raises
    ------
    InputError
        If a segment that is named does not exist.
    """
    if arguments.segment:
        n = len(evaluation.test_set)
        for i in arguments.segment:
            if i >= n:
                message = f"--segment {i}: no such segment; the segments are 0 to {n - 1}"
                raise InputError(message)
        return list(dict.fromkeys(arguments.segment))
    spec, scorer = next(iter(evaluation.scorers.items()))
    sign = 1 if scorer.declaration.better == "higher" else -1
    column = list(scorer.scales).index(scorer.main)

    def scores(system: str) -> list[float]:
        values: list[float] = evaluation.values(system, spec, "segment")[:, column].tolist()
        return values

    if arguments.worse:
        worse, better = map(scores, arguments.worse)
        order = sorted(segments, key=lambda i: (sign * (worse[i] - better[i]), i))
        return [i for i in order if sign * (worse[i] - better[i]) < 0][: arguments.n]
    if arguments.worst is None and (arguments.contains is not None or arguments.doc is not None):
        return list(segments)
    first = scores(evaluation.systems[0])
    return sorted(segments, key=lambda i: (sign * first[i], i))[: arguments.worst or WORST]
