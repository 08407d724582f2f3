"""``mteval score``: score systems against references."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import comb
from typing import TYPE_CHECKING

from mteval_core.commands.data import file_paths, read_data
from mteval_core.commands.default_set import without_failing
from mteval_core.commands.files import check_output, write_file
from mteval_core.commands.formats import formatted, refuse_without_tables, requested_format
from mteval_core.commands.inputs import (
    check_stdin,
    check_text_sets,
    choose_tokenizer,
    named_inputs,
    need_texts,
    options_of_data,
    requested_metrics,
    text_options,
)
from mteval_core.commands.line_files import long_files
from mteval_core.commands.output import write_report
from mteval_core.commands.outside import read_scores
from mteval_core.commands.registry import requested_registry
from mteval_core.commands.score_arguments import CONFLICTS, TABLE_FLAGS, add_arguments, refuse
from mteval_core.commands.score_tables import (
    bare_scores,
    chosen_names,
    hint,
    is_for_terminal,
    layout_of,
    sorting,
)
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from mteval_core.data.dataset import Dataset
    from mteval_core.data.reading import Files
    from mteval_core.evaluation.calibration import Agreement, Curve
    from mteval_core.evaluation.draw import Test
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.registry import Registry
    from mteval_core.report.report import Layout

__all__ = ["add_arguments", "run"]


def run(arguments: argparse.Namespace) -> int:
    """Score the systems and write the report."""
    from mteval_core.data.reading import Files
    from mteval_core.report.scores import of_evaluation

    def report() -> str | bytes:
        scored = score(arguments, data, files, segments=form.declaration.segments)
        scored = replace(scored, names=chosen_names(scored, arguments, registry))
        layout = layout_of(arguments, form, sort=sorting(scored, arguments))
        evaluation = with_statistics(scored, arguments, registry)
        if arguments.bib:
            write_bibliography(evaluation, layout, arguments)
        if arguments.score_only:
            return bare_scores(evaluation, arguments)
        agreed = agreements_of(evaluation, curves, arguments)
        return formatted(of_evaluation(evaluation, layout, agreed), layout, form, arguments)

    check(arguments)
    registry = requested_registry(arguments)
    choose_tokenizer(arguments, registry)
    form = requested_format(arguments, "score", registry)
    refuse_without_tables({*TABLE_FLAGS, "width", "calibrate"}, arguments, form)
    curves = curves_of(arguments)
    files = Files(registry)
    data = cache(lambda: read_data(arguments, files))
    is_default = not arguments.metrics
    write_report(without_failing(report, arguments, registry), arguments)
    if is_default and is_for_terminal(arguments, form):
        hint(arguments, registry)
    return 0


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UsageError` if the arguments contradict each other."""
    refuse(CONFLICTS, arguments)
    inputs = [*file_paths(arguments), *filter(None, [arguments.calibrate])]
    check_stdin(inputs, quiet=arguments.quiet)
    taken = [*inputs, *arguments.plugin_requests]
    check_output(arguments.output, taken)
    check_output(arguments.bib, [*taken, arguments.output], "--bib")
    check_text_sets(arguments)


def write_bibliography(
    evaluation: Evaluation, layout: Layout, arguments: argparse.Namespace
) -> None:
    """Write the literature of the metrics and tests to the file of ``--bib``.

    Raises
    ------
    UsageError
        If no metric declares any, and nothing was tested.
    """
    from mteval_core.report.bibliography import bibliography

    entries = bibliography(evaluation, layout)
    if not entries:
        message = f"--bib {arguments.bib}: no plugin declares literature of these metrics"
        raise UsageError(message)
    write_file(arguments.bib, entries.encode())


def curves_of(arguments: argparse.Namespace) -> list[Curve]:
    """Read the study of ``--calibrate``, if there is one."""
    if not arguments.calibrate:
        return []
    from mteval_core.evaluation.calibration import read_calibration

    return read_calibration(arguments.calibrate)


def agreements_of(
    evaluation: Evaluation, curves: list[Curve], arguments: argparse.Namespace
) -> list[Agreement]:
    """Say how often people agree with the differences, if a study is given."""
    if not curves:
        return []
    from mteval_core.evaluation.calibration import agreements

    return agreements(evaluation, curves, all_pairs=arguments.all_pairs)


def wants_intervals(arguments: argparse.Namespace) -> bool:
    """Whether the scores get confidence intervals."""
    return bool(arguments.confidence or arguments.confidence_n)


def requested_test(arguments: argparse.Namespace) -> Test | None:
    """The significance test, if there is one."""
    test: Test | None = arguments.test
    return "ar" if test is None and arguments.all_pairs else test


def score(
    arguments: argparse.Namespace, data: Callable[[], Dataset], files: Files, *, segments: bool
) -> Evaluation:
    """Resolve the metrics, read the texts and compute the scores, those of segments if needed."""
    from mteval_core.evaluation.evaluate import evaluate, run_names, text_sets

    if arguments.engine:
        return score_parts(arguments, files.registry, segments=segments)
    # Data sets are read first: their language may choose the tokenizer.
    language, registry = data().language if arguments.data else "", files.registry
    defaults = options_of_data(arguments, registry, language)
    scorers = requested_metrics(arguments, registry, defaults)
    need_texts(arguments, scorers, shown=segments)
    if arguments.sets:
        sets = arguments.sets.split(",")
        scorers = text_sets(scorers, sets, registry=registry, defaults=defaults)
    scorers += read_scores(arguments, files)
    resamples = counted_resamples(arguments, len(named_inputs(arguments.input)))
    draws = wants_intervals(arguments) or requested_test(arguments) is not None
    needs_texts = segments or arguments.level != "corpus"
    long = None if needs_texts else long_files(arguments, scorers, files)
    if long:
        from mteval_core.distributed.streaming import evaluate_files

        inputs = named_inputs(arguments.input)
        return evaluate_files(
            long,
            {name: run_names(name, len(paths)) for name, paths in inputs.items()},
            scorers,
            keep_rows=draws and not resamples,
            resamples=resamples,
            seed=arguments.seed,
            defaults=text_options(arguments),
            threads=arguments.threads,
        )
    return evaluate(
        data(),
        scorers,
        registry=registry,
        defaults=text_options(arguments),
        threads=arguments.threads,
        humans=arguments.humans,
        keep_rows=draws or needs_texts,
    )


def score_parts(arguments: argparse.Namespace, registry: Registry, *, segments: bool) -> Evaluation:
    """Score Parquet files on an engine; keep what the arguments need, and no more."""
    from mteval_core.commands.engine import score_on_engine

    systems = (arguments.fields or "").split(",")
    resamples = counted_resamples(arguments, sum(one.startswith("hyp=") for one in systems))
    draws = wants_intervals(arguments) or requested_test(arguments) is not None
    needs_rows = segments or (draws and not resamples and arguments.by == "segment")
    by_document = arguments.level == "doc" or arguments.by == "doc"
    defaults = text_options(arguments)
    return score_on_engine(
        arguments,
        requested_metrics(arguments, registry, defaults),
        registry,
        level="segment" if needs_rows else "doc" if by_document else arguments.level,
        resamples=resamples,
        defaults=defaults,
    )


def counted_resamples(arguments: argparse.Namespace, n_systems: int) -> int:
    """Number of resamples that can be counted block by block; 0 if rows are needed, or nothing."""
    test = requested_test(arguments)
    drawn = (arguments.resampler, arguments.by, test in (None, "bs"), arguments.interval != "bca")
    if drawn != ("poisson", "segment", True, True) or not (test or wants_intervals(arguments)):
        return 0
    return n_resamples(n_systems, arguments)


def with_statistics(
    evaluation: Evaluation, arguments: argparse.Namespace, registry: Registry
) -> Evaluation:
    """Add the confidence intervals and significance tests that the arguments ask for."""
    test = requested_test(arguments)
    if wants_intervals(arguments):
        evaluation = evaluation.confidence(
            n_resamples(len(evaluation.runs) - len(evaluation.humans), arguments),
            arguments.ci_level,
            seed=arguments.seed,
            by=arguments.by,
            resampler=arguments.resampler,
            interval=arguments.interval,
            registry=registry,
            threads=arguments.threads,
        )
    if test is not None:
        evaluation = evaluation.compare(
            test,
            arguments.trials,
            seed=arguments.seed,
            by=arguments.by,
            correct=arguments.correct,
            all_pairs=arguments.all_pairs,
            margin=arguments.margin,
            level=arguments.ci_level,
            resampler=arguments.resampler,
            interval=arguments.interval,
            registry=registry,
            threads=arguments.threads,
        )
    return evaluation


def n_resamples(n_systems: int, arguments: argparse.Namespace) -> int:
    """Number of resamples of the intervals, which a paired bootstrap shares."""
    from mteval_core.evaluation.draw import N_RESAMPLES, default_trials

    shared: int | None = arguments.trials if requested_test(arguments) == "bs" else None
    n: int | None = arguments.confidence_n or shared
    if n is not None:
        return n
    if requested_test(arguments) != "bs":
        return N_RESAMPLES
    n_pairs = comb(n_systems, 2) if arguments.all_pairs else n_systems - 1
    return default_trials("bs", n_pairs, arguments.correct)
