"""``mteval correlate``: compare metrics with human judgments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mteval_core.cli.arguments import refuse
from mteval_core.cli.correlate_arguments import (
    CONFLICTS,
    GROUPINGS,
    OF_COMPARISONS,
    add_arguments,
)
from mteval_core.cli.data import file_paths, read_data, read_whole, test_set_of
from mteval_core.cli.files import check_output, write_file
from mteval_core.cli.formats import formatted, requested_format
from mteval_core.cli.human import read_judgments_of
from mteval_core.cli.inputs import (
    available_threads,
    check_stdin,
    check_text_sets,
    choose_tokenizer,
    named_tables,
    names_of,
    need_texts,
    options_of_data,
    requested_metrics,
    text_options,
)
from mteval_core.cli.output import terminal_width, write_report
from mteval_core.cli.outside import read_scores
from mteval_core.cli.registry import requested_registry
from mteval_core.data.addresses import Address
from mteval_core.errors import UsageError, near
from mteval_core.metrics.bars import progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from mteval_core.data.dataset import Dataset
    from mteval_core.data.reading import Files
    from mteval_core.metaeval import Judgments, Resampling, Study
    from mteval_core.metaeval.contests import ContestCoefficient
    from mteval_core.metaeval.correlation import CoefficientName
    from mteval_core.metaeval.criteria import Unit
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry
    from mteval_core.report.report import Report
    from mteval_core.text.text import TestSet, Text

__all__ = ["add_arguments", "run"]


def run(arguments: argparse.Namespace) -> int:
    """Run the experiment and write the report."""
    from mteval_core.report import Layout

    refuse(CONFLICTS, arguments)
    check_text_sets(arguments)
    inputs = input_paths(arguments)
    check_stdin(inputs, quiet=arguments.quiet)
    check_output(arguments.output, [*inputs, *arguments.plugin_requests])
    taken = [*inputs, *arguments.plugin_requests, arguments.output]
    check_output(arguments.plot, taken, "--plot")
    check_output(arguments.write_ratings, [*taken, arguments.plot], "--write-ratings")
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
    write_report(formatted(report, layout, form), arguments)
    return 0


# Inputs


def input_paths(arguments: argparse.Namespace) -> list[str | None]:
    """Paths of all files that the arguments name."""
    human = [Address.parse(path).path for _, path in named_tables(arguments.human)]
    return [*file_paths(arguments), *human]


@dataclass(frozen=True)
class Inputs:
    """Metrics, texts and judgments of an experiment.

    Parameters
    ----------
    registry : Registry
        Where tokenizers and normalizers of the text sets are looked up.
    scorers : list of Scorer
        The metrics.
    defaults : dict of str to str
        Options of all metrics.
    systems : dict of str to Text
        The output of each system.
    test_set : TestSet
        The references.
    judgments : Judgments
        Human scores of the outputs.
    """

    registry: Registry
    scorers: list[Scorer]
    defaults: dict[str, str]
    systems: dict[str, Text]
    test_set: TestSet
    judgments: Judgments


def read_inputs(arguments: argparse.Namespace, registry: Registry) -> Inputs:
    """Resolve the metrics, and read the texts and the judgments."""
    from mteval_core.data.judgment_files import as_table
    from mteval_core.data.reading import Files

    files = Files(registry)
    dataset = with_references_as_systems(read_data(arguments, files), arguments, files)
    defaults = options_of_data(arguments, registry, dataset.language)
    metrics = requested_metrics(arguments, registry, defaults)
    need_texts(arguments, metrics)
    scorers = [*metrics, *read_scores(arguments, files)]
    takes_tokenizer = any("tok" in scorer.fields for scorer in scorers)
    systems: dict[str, Text] = {}
    for name in dataset.systems:
        output, *more = dataset.runs(name)
        if more:
            message = f"{name}: {len(more) + 1} runs; expected one, the output that was judged"
            raise UsageError(message)
        systems[name] = output
    test_set = test_set_of(dataset)
    judgments = prepared_judgments(arguments, files).located(test_set.ids)
    if arguments.write_ratings:
        table = as_table(judgments, arguments.min_judgments)
        write_file(arguments.write_ratings, table.encode())
    return Inputs(
        registry=registry,
        scorers=scorers,
        defaults=defaults if takes_tokenizer else text_options(arguments),
        systems=systems,
        test_set=test_set,
        judgments=judgments,
    )


def with_references_as_systems(
    dataset: Dataset, arguments: argparse.Namespace, files: Files
) -> Dataset:
    """Add the reference streams of ``--refs-as-systems`` to the systems."""
    if not arguments.refs_as_systems:
        return dataset
    whole = read_whole(arguments, files)
    names = list(dict.fromkeys(arguments.refs_as_systems))
    for name in names:
        if name not in whole.reference_names:
            message = (
                f"{whole.path}: no reference stream {name!r}.{near(name, whole.reference_names)}"
            )
            raise UsageError(message)
        if name in dataset.reference_names:
            message = f"{name} is a reference: choose others with -r, to score {name} as a system"
            raise UsageError(message)
        if name in dataset.systems:
            message = f"{name} is a system already: leave out --refs-as-systems {name}"
            raise UsageError(message)
    added = {name: whole.text(f"ref.{name}") for name in names}
    return replace(dataset, systems={**dataset.systems, **added})


def prepared_judgments(arguments: argparse.Namespace, files: Files) -> Judgments:
    """Read the judgments, standardise them, and choose among them, as the arguments say."""
    judgments = read_judgments_of(arguments, files)
    if arguments.z:
        judgments = judgments.normalized()
    if arguments.criteria:
        judgments = judgments.choose(arguments.criteria)
    return judgments.drawn(arguments.seed) if arguments.draw == "output" else judgments


def resampling_of(arguments: argparse.Namespace) -> Resampling:
    """How the arguments want intervals to be drawn."""
    from mteval_core.metaeval import Resampling

    return Resampling(
        n=arguments.resamples,
        level=arguments.ci_level,
        seed=arguments.seed,
        draw=arguments.resample,
        interval=arguments.interval or ("percentile" if arguments.table else "basic"),
    )


# Experiments


def agreement(arguments: argparse.Namespace, registry: Registry) -> Report:
    """Measure the agreement between raters, which needs no texts."""
    from mteval_core.data.reading import Files
    from mteval_core.metaeval import rater_agreement
    from mteval_core.report.agreement import of_agreement

    judgments = prepared_judgments(arguments, Files(registry))
    return of_agreement(rater_agreement(judgments), judgments, arguments.width)


def experiment(arguments: argparse.Namespace, registry: Registry) -> Report:
    """Run the experiment that compares metrics with human judgments."""
    if arguments.curve:
        return curve(arguments, registry)
    resampling = resampling_of(arguments)
    study = study_of(arguments, read_inputs(arguments, registry))
    if arguments.compare:
        return compared(arguments, study, resampling)
    if arguments.table:
        return lin_och(arguments, study, resampling)
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
        names=names_of(arguments, inputs.registry),
        registry=inputs.registry,
        defaults=inputs.defaults,
        threads=available_threads(),
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
    return of_rankings(study, rankings, resampling, arguments.width)


def lin_och(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Report:
    """Correlate over systems, with the versions of the text in columns."""
    from mteval_core.metaeval import lin_och_table
    from mteval_core.report.lin_och import of_table

    coefficients: list[CoefficientName]
    coefficients = [arguments.coefficient] if arguments.coefficient else ["pearson", "spearman"]
    table = lin_och_table(study, resampling, coefficients, progress)
    return of_table(study, table, resampling, arguments.width)


def over_systems(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Report:
    """Correlate the scores of systems."""
    from mteval_core.metaeval import system_level
    from mteval_core.report.correlation import of_systems

    correlations = system_level(study, resampling, progress)
    return of_systems(study, correlations, resampling, arguments.width)


def over_segments(arguments: argparse.Namespace, study: Study, resampling: Resampling) -> Report:
    """Correlate the scores of segments or documents."""
    from mteval_core.metaeval import segment_level
    from mteval_core.report.correlation import of_segments

    groupings = (arguments.group,) if arguments.group else GROUPINGS
    correlations = segment_level(study, resampling, groupings, progress)
    return of_segments(study, correlations, resampling, arguments.width)


# The curve


def curve(arguments: argparse.Namespace, registry: Registry) -> Report:
    """Correlate on documents of increasing length, for every choice of references."""
    from mteval_core.metaeval import inter_judge, length_curve
    from mteval_core.metaeval.curves import LENGTHS
    from mteval_core.report.curve import of_curve
    from mteval_core.report.curve_plot import check_plot, plot_curve

    if arguments.plot:
        check_plot(Path(arguments.plot).suffix)  # an unknown ending fails before the work
    coefficient = arguments.coefficient or "spearman"
    options: dict[str, Any] = {
        "lengths": arguments.lengths or LENGTHS,
        "documents": arguments.documents,
        "coefficient": coefficient,
        "seed": arguments.seed,
        "bar": progress,
    }
    resampling = resampling_of(arguments)
    studies = list(studies_of_references(arguments, read_inputs(arguments, registry)))
    _, first = studies[0]
    drawn = arguments.draw == "document"
    metric_points, metric_notes = length_curve(studies, draw_judgments=drawn, **options)
    judge_points, judge_notes = inter_judge(first, **options)
    points = [*metric_points, *judge_points]
    if arguments.plot:
        plot = plot_curve(points, coefficient, Path(arguments.plot).suffix, first.unit)
        write_file(arguments.plot, plot)
    return of_curve(
        [study for _, study in studies],
        (points, [*metric_notes, *judge_notes]),
        resampling,
        coefficient=coefficient,
        documents=arguments.documents,
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
