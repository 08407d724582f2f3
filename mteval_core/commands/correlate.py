"""``mteval correlate``: compare metrics with human judgments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mteval_core.commands.arguments import refuse
from mteval_core.commands.correlate_arguments import GROUPINGS, OF_COMPARISONS, add_arguments
from mteval_core.commands.correlate_conflicts import CONFLICTS
from mteval_core.commands.correlate_inputs import input_paths, prepared_judgments, read_inputs
from mteval_core.commands.files import check_output, write_file
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.inputs import (
    check_stdin,
    check_text_sets,
    choose_tokenizer,
    names_of,
)
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.commands.registry import requested_registry
from mteval_core.errors import UsageError
from mteval_core.metrics.bars import progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from mteval_core.commands.correlate_inputs import Inputs
    from mteval_core.metaeval import Resampling, Study
    from mteval_core.metaeval.contests import ContestCoefficient
    from mteval_core.metaeval.correlation import CoefficientName
    from mteval_core.metaeval.criteria import Unit
    from mteval_core.metaeval.curves import Point
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.segments import Grouping
    from mteval_core.plugin.registry import Registry
    from mteval_core.report.report import Report
    from mteval_core.report.scatter import Scatter, ScatterKind

__all__ = ["add_arguments", "run"]


def run(arguments: argparse.Namespace) -> int:
    """Run the experiment and write the report."""
    from mteval_core.report import Layout

    refuse(CONFLICTS, arguments)
    check_text_sets(arguments)
    inputs = input_paths(arguments)
    check_stdin(inputs, quiet=arguments.quiet)
    written: dict[Path, str] = {}
    for flag, path in (
        ("-o", arguments.output),
        ("--plot", arguments.plot),
        ("--plot-pairs", arguments.plot_pairs),
        ("--write-ratings", arguments.write_ratings),
    ):
        check_output(path, [*inputs, *arguments.plugin_requests], flag)
        if path and written.setdefault(Path(path).resolve(), flag) != flag:
            message = f"{flag} {path} is the file of {written[Path(path).resolve()]} too"
            raise UsageError(message)
    check_plots(arguments)
    registry = requested_registry(arguments)
    choose_tokenizer(arguments, registry)
    form = requested_format(arguments, "correlate", registry)
    experimenter = agreement if arguments.agreement else experiment
    report = experimenter(arguments, registry)
    chosen = ("criteria", "z", "draw", "min_judgments", "judged_only")
    treatment = {key: getattr(arguments, key) for key in chosen}
    treatment["criteria"] = treatment["criteria"] or None
    report = replace(report, settings={**report.settings, "judgments": treatment})
    layout = Layout(decimals=arguments.width, columns=terminal_width())
    write_report(formatted(report, layout, form, arguments), arguments)
    return 0


# Experiments


def resampling_of(arguments: argparse.Namespace) -> Resampling:
    """How the arguments want intervals to be drawn."""
    from mteval_core.metaeval import Resampling

    return Resampling(
        n=arguments.resamples,
        level=arguments.ci_level,
        seed=arguments.seed,
        draw=arguments.resample,
        interval=arguments.interval or ("percentile" if arguments.table else "basic"),
        threads=arguments.threads,
    )


def agreement(arguments: argparse.Namespace, registry: Registry) -> Report:
    """Measure the agreement between raters, which needs no texts."""
    from mteval_core.data.reading import Files
    from mteval_core.metaeval import rater_agreement
    from mteval_core.report.agreement import of_agreement

    judgments = prepared_judgments(arguments, Files(registry))
    if arguments.plot:
        from mteval_core.report.scatters import judge_panels

        write_scatter(arguments.plot, judge_panels(judgments), "judges")
    return of_agreement(rater_agreement(judgments), judgments, arguments.width)


def experiment(arguments: argparse.Namespace, registry: Registry) -> Report:
    """Run the experiment that compares metrics with human judgments."""
    if arguments.curve:
        return curve(arguments, registry)
    resampling = resampling_of(arguments)
    if arguments.choose_refs:
        return by_references(arguments, registry, resampling)
    study = study_of(arguments, read_inputs(arguments, registry))
    if arguments.compare:
        return compared(arguments, study, resampling)
    if arguments.table:
        return lin_och(arguments, study, resampling)
    if arguments.calibrate:
        return calibrated(arguments, study, resampling)
    if arguments.level == "system":
        return over_systems(arguments, study, resampling)
    return over_segments(arguments, study, resampling)


def study_of(arguments: argparse.Namespace, inputs: Inputs) -> Study:
    """Score the systems that were judged."""
    from mteval_core.metaeval import study_metrics

    sets = arguments.sets or ("case,nocase,stem" if arguments.table else None)
    unit: Unit | None = arguments.by if arguments.level == "system" else arguments.level
    return study_metrics(
        inputs.systems,
        inputs.test_set,
        inputs.judgments,
        inputs.scorers,
        unit=unit,
        minimum=arguments.min_judgments,
        judged_only=arguments.judged_only,
        domain=arguments.domain,
        leave_out=arguments.leave_out,
        without_outliers=arguments.no_outliers,
        sets=sets.split(",") if sets else None,
        names=names_of(arguments, inputs.registry, inputs.scorers),
        registry=inputs.registry,
        defaults=inputs.defaults,
        threads=arguments.threads,
    )


def coefficient_of(arguments: argparse.Namespace) -> ContestCoefficient:
    """Return the coefficient of ``--compare``."""
    coefficient: ContestCoefficient = arguments.coefficient or "pearson"
    return cast("ContestCoefficient", OF_COMPARISONS.get(coefficient, coefficient))


def compared(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Report:
    """Test which metric correlates better, and rank the metrics."""
    from mteval_core.metaeval import rank_metrics
    from mteval_core.report.ranking import of_rankings

    rankings = rank_metrics(
        study,
        coefficient=coefficient_of(arguments),
        grouping=None if arguments.level == "system" else arguments.group or "item",
        test=arguments.test,
        resampling=resampling,
        correct=arguments.correct,
        alternative="two-sided" if arguments.two_sided else "greater",
        bar=progress,
    )
    if arguments.plot:
        from mteval_core.report.p_values import plot_p_values

        ending = Path(arguments.plot).suffix
        write_file(arguments.plot, plot_p_values(rankings[0], ending, decimals=arguments.width))
    return of_rankings(study, rankings, resampling, arguments.width)


def lin_och(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Report:
    """Correlate over systems, with the versions of the text in columns."""
    from mteval_core.metaeval import lin_och_table
    from mteval_core.report.lin_och import of_table

    coefficients: list[CoefficientName]
    coefficients = [arguments.coefficient] if arguments.coefficient else ["pearson", "spearman"]
    table = lin_och_table(study, resampling, coefficients, progress)
    return of_table(study, table, resampling, arguments.width)


def calibrated(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Report:
    """Measure how often people agree with differences between systems."""
    from mteval_core.metaeval import calibrate
    from mteval_core.report.calibration import of_calibration

    size = arguments.lengths[0] if arguments.lengths else max(1, len(study.units) // 2)
    sets = arguments.documents
    results = calibrate(
        study, size, sets, level=resampling.level, seed=resampling.seed, bar=progress
    )
    return of_calibration(
        study, results, resampling, size=size, sets=sets, decimals=arguments.width
    )


def over_systems(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Report:
    """Correlate the scores of systems."""
    from mteval_core.metaeval import system_level
    from mteval_core.report.correlation import of_systems

    if arguments.plot or arguments.plot_pairs:
        from mteval_core.report.scatters import pair_panels, system_panels

        write_scatter(arguments.plot, system_panels(study), "systems")
        write_scatter(arguments.plot_pairs, pair_panels(study), "pairs")
    correlations = system_level(study, resampling, progress)
    return of_systems(study, correlations, resampling, arguments.width)


def over_segments(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Report:
    """Correlate the scores of segments or documents."""
    from mteval_core.metaeval import segment_level
    from mteval_core.report.correlation import of_segments

    if arguments.plot:
        from mteval_core.report.scatters import output_panels

        write_scatter(arguments.plot, output_panels(study), "systems")
    groupings = (arguments.group,) if arguments.group else GROUPINGS
    correlations = segment_level(study, resampling, groupings, progress)
    return of_segments(study, correlations, resampling, arguments.width)


# Plots


def check_plots(arguments: argparse.Namespace) -> None:
    """Raise a `UsageError` before the work if a plot cannot be written."""
    from mteval_core.report.curve_plot import check_plot

    for path in filter(None, (arguments.plot, arguments.plot_pairs)):
        check_plot(Path(path).suffix)


def write_scatter(path: str | None, panels: list[Scatter], kind: ScatterKind) -> None:
    """Draw a scatter plot, if it is asked for."""
    if not path:
        return
    from mteval_core.report.scatter import plot_scatter

    if not panels:
        message = f"{path}: nothing to plot: no two judges share ten outputs or more"
        raise UsageError(message)
    write_file(path, plot_scatter(panels, kind, Path(path).suffix))


# Choices of references


def curve(arguments: argparse.Namespace, registry: Registry) -> Report:
    """Correlate on documents of increasing length, for every choice of references."""
    from mteval_core.metaeval import inter_judge, length_curve
    from mteval_core.metaeval.curves import LENGTHS
    from mteval_core.report.curve import of_curve
    from mteval_core.report.curve_plot import plot_curves
    from mteval_core.report.findings import COEFFICIENTS

    coefficient = arguments.coefficient or "spearman"
    options: dict[str, Any] = {
        "lengths": arguments.lengths or LENGTHS,
        "documents": arguments.documents,
        "seed": arguments.seed,
        "bar": progress,
    }
    resampling = resampling_of(arguments)
    studies = list(studies_of_references(arguments, read_inputs(arguments, registry)))
    _, first = studies[0]
    drawn = arguments.draw == "document"

    def computed(name: str) -> tuple[list[Point], list[Note]]:
        named = {**options, "coefficient": name}
        metric_points, metric_notes = length_curve(
            studies, draw_judgments=drawn, pool_references=arguments.pool_refs, **named
        )
        judge_points, judge_notes = inter_judge(first, **named)
        return [*metric_points, *judge_points], [*metric_notes, *judge_notes]

    points, notes = computed(coefficient)
    if arguments.plot:
        curves, lines = {coefficient: points}, arguments.plot_lines
        if lines == "coefficients":
            curves |= {name: computed(name)[0] for name in COEFFICIENTS if name != coefficient}
        over = "systems and references" if arguments.pool_refs else "systems"
        ending = Path(arguments.plot).suffix
        write_file(arguments.plot, plot_curves(curves, ending, first.unit, lines=lines, over=over))
    return of_curve(
        [study for _, study in studies],
        (points, notes),
        resampling,
        coefficient=coefficient,
        documents=arguments.documents,
        pooled=arguments.pool_refs,
        decimals=arguments.width,
    )


def by_references(
    arguments: argparse.Namespace, registry: Registry, resampling: Resampling
) -> Report:
    """Correlate with each number of references, over all choices of that many."""
    from mteval_core.metaeval import by_reference_count
    from mteval_core.report.reference_counts import of_reference_counts

    inputs = read_inputs(arguments, registry)
    studies = list(studies_of_references(arguments, inputs))
    grouping: Grouping | None = None
    if arguments.level != "system":
        grouping = arguments.group or "item"
    coefficient = coefficient_of(arguments)
    records = by_reference_count(
        studies, coefficient, grouping, resampling=resampling, bar=progress
    )
    _, first = studies[0]
    inputs_of_all = [r for _, study in studies for r in study.inputs["references"]]
    references = list({tuple(r.items()): r for r in inputs_of_all}.values())
    return of_reference_counts(
        replace(first, inputs={**first.inputs, "references": references}),
        records,
        resampling,
        coefficient=coefficient,
        grouping=grouping,
        decimals=arguments.width,
    )


def studies_of_references(
    arguments: argparse.Namespace, inputs: Inputs
) -> Iterator[tuple[int, Study]]:
    """Make a study of every choice of references, after the number of references in it."""
    from mteval_core.metaeval import choices_of_references

    references = inputs.test_set.references
    sizes = arguments.choose_refs or range(1, min(len(references), 3) + 1)
    if max(sizes) > len(references):
        message = f"--choose-refs: there are {len(references)} references; expected at most that"
        raise UsageError(message)
    for choice in choices_of_references(len(references), sizes):
        test_set = replace(inputs.test_set, references=tuple(references[k] for k in choice))
        yield len(choice), study_of(arguments, replace(inputs, test_set=test_set))
