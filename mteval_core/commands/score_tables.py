"""How ``mteval score`` shows scores: as a terminal has room, as the reader asks, or bare."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from mteval_core.commands.default_set import every_metric
from mteval_core.commands.inputs import names_of
from mteval_core.commands.output import has_colours, terminal_height, terminal_width, to_terminal
from mteval_core.errors import UnknownNameError, UsageError, near

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.declarations import FormatSpec
    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.report.report import Layout

__all__ = ["bare_scores", "chosen_names", "hint", "is_for_terminal", "layout_of", "sorting"]


def is_for_terminal(arguments: argparse.Namespace, form: Entry[FormatSpec]) -> bool:
    """Whether somebody reads the report on a terminal."""
    return form.declaration.name == "text" and to_terminal(arguments)


def layout_of(
    arguments: argparse.Namespace, form: Entry[FormatSpec], *, sort: str | None
) -> Layout:
    """Return how the reader wants to see the scores; what is piped is never shortened."""
    from mteval_core.report import Layout

    name = form.declaration.name
    layout = Layout(
        arguments.level,
        arguments.width,
        terminal_width(),
        signatures=arguments.signatures or ("short" if name == "latex" else "full"),
        parts=arguments.parts,
        sort=sort,
        marks=arguments.marks,
        transpose=arguments.transpose,
    )
    if not is_for_terminal(arguments, form):
        return layout
    return layout._replace(
        colour=has_colours(arguments),
        rows=terminal_height(),
        signatures=arguments.signatures or "short",
    )


def hint(arguments: argparse.Namespace, registry: Registry) -> None:
    """Say that there are more metrics than those of the default set."""
    n, n_all = len(registry.default_metrics()), len(every_metric(arguments, registry))
    if n < n_all and not arguments.quiet:
        print(f"mteval: {n} of {n_all} metrics; -m all computes all of them", file=sys.stderr)


def chosen_names(
    evaluation: Evaluation, arguments: argparse.Namespace, registry: Registry
) -> dict[str, str]:
    """Return the names of ``--rename`` by the specs of their metrics."""
    if not arguments.rename:
        return {}
    from mteval_core.metaeval.measures import names_of as all_names

    names = names_of(arguments, registry, evaluation.scorers.values())
    all_names(evaluation.scorers.values(), names)  # refuses names that are taken
    return names


def sorting(evaluation: Evaluation, arguments: argparse.Namespace) -> str | None:
    """Return the spec of the metric of ``--sort``, which may also be its name in the table.

    Raises
    ------
    UnknownNameError
        If there is no such metric, or more than one.
    UsageError
        If there is only one row.
    """
    wanted: str | None = arguments.sort
    if wanted is None:
        return None
    if arguments.level == "corpus" and len(evaluation.systems) < 2:
        message = "--sort sorts systems, and there is only one: leave it out"
        raise UsageError(message)
    from mteval_core.report.comparisons import metric_name

    named = {spec: {spec, metric_name(evaluation, spec)} for spec in evaluation.scorers}
    exact = [spec for spec in named if spec == wanted]
    found = exact or [spec for spec, names in named.items() if wanted in names]
    if len(found) == 1:
        return found[0]
    problem = "several metrics are called" if found else "no metric"
    message = f"--sort: {problem} {wanted!r}.{near(wanted, found or set().union(*named.values()))}"
    raise UnknownNameError(message)


def bare_scores(evaluation: Evaluation, arguments: argparse.Namespace) -> str:
    """Write one line per record: its score, and its interval if there is one.

    Several scores have labels, separated by tabs: the system, the metric and the id where they
    differ. The segments of one system under one metric need none: they are lines, as in the file.
    """
    records = evaluation.to_records(arguments.level)
    varying = [key for key in ("system", "metric") if len({record[key] for record in records}) > 1]
    if arguments.level == "doc" or (arguments.level == "segment" and varying):
        varying.append("id")
    return "".join(
        "\t".join([*(str(record[key]) for key in varying), bare_score(record, arguments.width)])
        + "\n"
        for record in records
    )


def bare_score(record: Mapping[str, Any], width: int) -> str:
    """Write the score of a record, and its interval if there is one."""
    score, interval = f"{record['score']:.{width}f}", record["ci"]
    if interval is None:
        return score
    return f"{score} [{interval['low']:.{width}f}, {interval['high']:.{width}f}]"
