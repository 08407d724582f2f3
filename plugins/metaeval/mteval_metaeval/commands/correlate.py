"""``mteval correlate``: compare metrics with human judgments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from mteval_core import UsageError, progress
from mteval_metaeval.commands.correlate_arguments import GROUPINGS, OF_COMPARISONS, add_arguments
from mteval_metaeval.commands.correlate_inputs import prepared_judgments, read_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import Options, Report, Session
    from mteval_metaeval import Resampling, Study
    from mteval_metaeval.commands.correlate_inputs import Inputs
    from mteval_metaeval.contests import ContestCoefficient
    from mteval_metaeval.correlation import CoefficientName
    from mteval_metaeval.criteria import Unit
    from mteval_metaeval.curves import Point
    from mteval_metaeval.human_performance import Performance
    from mteval_metaeval.notes import Note
    from mteval_metaeval.segments import Grouping

__all__ = ["add_arguments", "coefficient_of", "run", "study_of"]


def run(session: Session) -> None:
    """Run the experiment and write the report."""
    options = session.options
    report = agreement(session) if options.agreement else experiment(session)
    chosen = ("criteria", "z", "draw", "min_judgments", "judged_only")
    treatment = {key: getattr(options, key) for key in chosen}
    treatment["criteria"] = treatment["criteria"] or None
    session.write(replace(report, settings={**report.settings, "judgments": treatment}))


# Experiments


def resampling_of(options: Options) -> Resampling:
    """How the options want intervals to be drawn."""
    from mteval_metaeval import Resampling

    is_paper = options.lin_och and options.resample == "segments"
    return Resampling(
        n=options.resamples,
        level=options.ci_level,
        seed=options.seed,
        draw=options.resample,
        interval=options.interval or ("percentile" if is_paper else None),
        threads=options.threads,
    )


def agreement(session: Session) -> Report:
    """Measure the agreement between raters, which needs no texts."""
    from mteval_metaeval import rater_agreement
    from mteval_metaeval.reports.agreement import of_agreement

    options, judgments = session.options, prepared_judgments(session)
    return of_agreement(rater_agreement(judgments), judgments, options.width)


def experiment(session: Session) -> Report:
    """Run the experiment that compares metrics with human judgments."""
    from mteval_metaeval.human_performance import human_performance

    options = session.options
    if options.curve:
        return curve(session)
    resampling = resampling_of(options)
    if options.choose_refs:
        return by_references(session, resampling)
    inputs = read_inputs(session)
    study = study_of(session, inputs)
    if options.compare:
        return compared(options, study, resampling)
    if options.lin_och:
        scores: list[Performance] = []
        if options.human_performance:
            scores = human_performance(
                study,
                inputs.systems,
                inputs.test_set,
                registry=session.registry,
                threads=options.threads,
            )
        return lin_och(options, study, resampling, scores)
    if options.calibrate:
        return calibrated(options, study, resampling)
    if options.level == "system":
        return over_systems(options, study, resampling)
    return over_segments(options, study, resampling)


def study_of(session: Session, inputs: Inputs) -> Study:
    """Score the systems that were judged."""
    from mteval_metaeval import study_metrics

    options = session.options
    sets = options.sets or ("case,nocase,stem" if options.lin_och else None)
    unit: Unit | None = options.by if options.level == "system" else options.level
    return study_metrics(
        inputs.systems,
        inputs.test_set,
        inputs.judgments,
        inputs.scorers,
        unit=unit,
        minimum=options.min_judgments,
        judged_only=options.judged_only,
        domain=options.domain,
        leave_out=options.leave_out,
        without_outliers=options.no_outliers,
        sets=sets.split(",") if sets else None,
        names=session.names(inputs.scorers),
        registry=session.registry,
        defaults=session.defaults,
        threads=options.threads,
    )


def coefficient_of(options: Options) -> ContestCoefficient:
    """Return the coefficient of ``--compare``."""
    coefficient: ContestCoefficient = options.coefficient or "pearson"
    return cast("ContestCoefficient", OF_COMPARISONS.get(coefficient, coefficient))


def compared(options: Options, study: Study, resampling: Resampling) -> Report:
    """Test which metric correlates better, and rank the metrics."""
    from mteval_metaeval import rank_metrics
    from mteval_metaeval.reports.ranking import of_rankings

    rankings = rank_metrics(
        study,
        coefficient=coefficient_of(options),
        grouping=None if options.level == "system" else options.group or "item",
        test=options.test,
        resampling=resampling,
        correct=options.correct,
        alternative="two-sided" if options.two_sided else "greater",
        bar=progress,
    )
    return of_rankings(study, rankings, resampling, options.width)


def lin_och(
    options: Options, study: Study, resampling: Resampling, scores: Sequence[Performance]
) -> Report:
    """Correlate over systems, with the versions of the text in columns."""
    from mteval_metaeval import lin_och_table
    from mteval_metaeval.reports.lin_och import of_table

    coefficients: list[CoefficientName]
    coefficients = [options.coefficient] if options.coefficient else ["pearson", "spearman"]
    table = lin_och_table(study, resampling, coefficients, progress)
    return of_table(study, table, resampling, options.width, scores=scores)


def calibrated(options: Options, study: Study, resampling: Resampling) -> Report:
    """Measure how often people agree with differences between systems."""
    from mteval_metaeval import calibrate
    from mteval_metaeval.reports.calibration import of_calibration

    size = options.lengths[0] if options.lengths else max(1, len(study.units) // 2)
    sets = options.samples
    results = calibrate(
        study, size, sets, level=resampling.level, seed=resampling.seed, bar=progress
    )
    return of_calibration(study, results, resampling, size=size, sets=sets, decimals=options.width)


def over_systems(options: Options, study: Study, resampling: Resampling) -> Report:
    """Correlate the scores of systems."""
    from mteval_metaeval import system_level
    from mteval_metaeval.reports.correlation import of_systems

    correlations = system_level(study, resampling, progress)
    return of_systems(study, correlations, resampling, options.width)


def over_segments(options: Options, study: Study, resampling: Resampling) -> Report:
    """Correlate the scores of segments or documents."""
    from mteval_metaeval import segment_level
    from mteval_metaeval.reports.correlation import of_segments

    resampling = resampling.of_means()
    groupings = (options.group,) if options.group else GROUPINGS
    correlations = segment_level(study, resampling, groupings, progress)
    return of_segments(study, correlations, resampling, options.width)


# Choices of references


def curve(session: Session) -> Report:
    """Correlate on documents of increasing length, for every choice of references."""
    from mteval_metaeval import inter_judge, length_curve
    from mteval_metaeval.curves import LENGTHS
    from mteval_metaeval.reports.curve import of_curve

    options = session.options
    coefficient = options.coefficient or "spearman"
    settings: dict[str, Any] = {
        "lengths": options.lengths or LENGTHS,
        "documents": options.samples,
        "seed": options.seed,
        "bar": progress,
    }
    resampling = resampling_of(options)
    studies = list(studies_of_references(session, read_inputs(session)))
    _, first = studies[0]
    drawn = options.draw == "document"

    def computed(name: str) -> tuple[list[Point], list[Note]]:
        named = {**settings, "coefficient": name}
        metric_points, metric_notes = length_curve(
            studies, draw_judgments=drawn, pool_references=options.pool_refs, **named
        )
        judge_points, judge_notes = inter_judge(first, **named)
        return [*metric_points, *judge_points], [*metric_notes, *judge_notes]

    def others() -> dict[str, list[Point]]:
        names = [name for name in options.plot_coefficients if name != coefficient]
        return {name: computed(name)[0] for name in names}

    return of_curve(
        [study for _, study in studies],
        computed(coefficient),
        resampling,
        coefficient=coefficient,
        documents=options.samples,
        pooled=options.pool_refs,
        lines=options.plot_lines,
        more=others if "coefficients" in options.plot_lines else dict,
        decimals=options.width,
    )


def by_references(session: Session, resampling: Resampling) -> Report:
    """Correlate with each number of references, over all choices of that many."""
    from mteval_metaeval import by_reference_count
    from mteval_metaeval.reports.reference_counts import of_reference_counts

    options = session.options
    studies = list(studies_of_references(session, read_inputs(session)))
    grouping: Grouping | None = None
    if options.level != "system":
        grouping, resampling = options.group or "item", resampling.of_means()
    coefficient = coefficient_of(options)
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
        decimals=options.width,
    )


def studies_of_references(session: Session, inputs: Inputs) -> Iterator[tuple[int, Study]]:
    """Make a study of every choice of references, after the number of references in it."""
    from mteval_metaeval import choices_of_references

    references = inputs.test_set.references
    sizes = session.options.choose_refs or range(1, min(len(references), 3) + 1)
    if max(sizes) > len(references):
        raise UsageError(
            f"--choose-refs: there are {len(references)} references; expected at most that"
        )
    for choice in choices_of_references(len(references), sizes):
        test_set = replace(inputs.test_set, references=tuple(references[k] for k in choice))
        yield len(choice), study_of(session, replace(inputs, test_set=test_set))
