"""``mteval profile``: what systems do well and badly, in figures and in parts of the test set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core.commands.arguments import refuse
from mteval_core.commands.data import checked_registry, read_data, test_set_of
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.inputs import (
    need_texts,
    options_of_data,
    requested_metrics,
)
from mteval_core.commands.output import has_colours, terminal_width, write_report
from mteval_core.commands.outside import read_scores
from mteval_core.commands.profile_arguments import CONFLICTS, add_arguments, has_metrics
from mteval_core.commands.score import with_statistics
from mteval_core.commands.score_tables import is_for_terminal
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.parts import Part
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry
    from mteval_core.report.profile import Profile
    from mteval_core.text.text import TestSet

__all__ = ["add_arguments", "run"]


def run(arguments: argparse.Namespace) -> int:
    """Score the systems as a whole and in parts, and write the report."""
    from mteval_core.report import Layout
    from mteval_core.report.profile import of_profile
    from mteval_core.signature import Signature, written

    refuse(CONFLICTS, arguments)
    registry = checked_registry(arguments)
    form = requested_format(arguments, "correlate", registry)
    chosen = ("seed", "ci_level", "correct", "resampler", "interval")
    settings = {key: getattr(arguments, key) for key in chosen}
    report = of_profile(profile(arguments, registry), settings, arguments.width)
    layout = Layout(decimals=arguments.width, columns=terminal_width())
    if is_for_terminal(arguments, form):
        short = written(list(map(Signature.parse, report.signatures)), "short")
        report = replace(report, signatures=short)
        layout = layout._replace(signatures="short", colour=has_colours(arguments))
    write_report(formatted(report, layout, form, arguments), arguments)
    return 0


def profile(arguments: argparse.Namespace, registry: Registry) -> Profile:
    """Compute the metrics and figures, and the metrics in all parts."""
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.evaluate import evaluate
    from mteval_core.evaluation.parts import of_part
    from mteval_core.report.profile import Profile

    files = Files(registry)
    dataset = read_data(arguments, files)
    test_set = test_set_of(dataset)
    defaults = options_of_data(arguments, registry, dataset.language)
    metrics = requested_metrics(arguments, registry, defaults) if arguments.metrics else []
    figures, notes = requested_figures(arguments, registry, defaults, test_set)
    need_texts(arguments, [*metrics, *figures])
    metrics += read_scores(arguments, files)
    evaluation = evaluate(
        dataset,
        [*metrics, *figures],
        registry=registry,
        threads=arguments.threads,
    )
    specs = [str(scorer.spec) for scorer in metrics]
    parts = [
        (part, tested(of_part(evaluation, part, specs), arguments, registry))
        for part in requested_parts(arguments, registry, defaults, test_set)
    ]
    return Profile(
        tested(evaluation, arguments, registry),
        tuple(str(scorer.spec) for scorer in figures if str(scorer.spec) not in specs),
        tuple(parts),
        tuple(notes),
    )


def tested(evaluation: Evaluation, arguments: argparse.Namespace, registry: Registry) -> Evaluation:
    """Add intervals, and tests against the first system if there are enough segments."""
    from mteval_core.report.scores import FEW

    n = len(evaluation.test_set)
    arguments.test = "ar" if n >= FEW and len(evaluation.systems) > 1 else None
    return with_statistics(evaluation, arguments, registry) if n > 1 else evaluation


def requested_figures(
    arguments: argparse.Namespace,
    registry: Registry,
    defaults: dict[str, str],
    test_set: TestSet,
) -> tuple[list[Scorer], list[str]]:
    """Resolve the figures; leave out those of plugins that need a source if there is none.

    Raises
    ------
    UsageError
        If there is neither a metric nor a figure.
    """
    from mteval_core.metrics.resolve import metric

    specs = arguments.figures or registry.figures()
    scorers = [metric(spec, registry=registry, defaults=defaults) for spec in specs]
    if not (scorers or has_metrics(arguments)):
        message = "nothing to profile: add -m METRIC, or install a plugin that declares figures"
        raise UsageError(message)
    if arguments.figures or test_set.source is not None:
        return scorers, []
    without = [scorer for scorer in scorers if scorer.declaration.source != "required"]
    names = sorted({scorer.label for scorer in scorers if scorer not in without})
    notes = [f"Without --source FILE there is no {' and no '.join(names)}."] if names else []
    return without, notes


def requested_parts(
    arguments: argparse.Namespace,
    registry: Registry,
    defaults: dict[str, str],
    test_set: TestSet,
) -> Iterator[Part]:
    """Divide the test set as the arguments say; not at all if there is no metric."""
    from mteval_core.evaluation.parts import (
        LENGTHS,
        by_document,
        by_domain,
        by_length,
        reference_words,
    )
    from mteval_core.text.named import find_tokenizer

    known = {"length": True, "doc": test_set.documents, "domain": test_set.domains}
    wanted = arguments.by_parts or [by for by, names in known.items() if names]
    for by in wanted if has_metrics(arguments) else ():
        if by == "length":
            tokenizer, _ = find_tokenizer(defaults.get("tok", "13a"), registry)
            lengths = reference_words(test_set, tokenizer.declaration)
            yield from by_length(lengths, arguments.lengths or LENGTHS)
        else:
            yield from (by_document if by == "doc" else by_domain)(test_set)
