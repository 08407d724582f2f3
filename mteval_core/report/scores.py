"""Reports on scores: systems down, metrics across, the best of each metric marked."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.evaluation.evaluation import records_of
from mteval_core.plugin.declarations import FormatSpec, load
from mteval_core.plugin.loading import default_registry
from mteval_core.report.comparisons import (
    are_all_pairs,
    legend_of_scores,
    marking,
    meaning_of_significance,
    tables_of_differences,
    with_marks,
)
from mteval_core.report.layout import INTERVAL_NAMES, UNITS, Layout
from mteval_core.report.parts import Chart
from mteval_core.report.report import Report
from mteval_core.report.score_table import by_block, from_file_only, ranking, score_table, scores_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mteval_core.evaluation.comparison import Comparison
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.registry import Registry
    from mteval_core.report.grid import Table
    from mteval_core.report.report import Meaning
    from mteval_core.report.score_table import MetricScores

CHARTS = "mteval_core.report.score_charts"
COMPARISONS = "mteval_core.evaluation.records:comparison_records"
LITERATURE = "mteval_core.report.literature:literature_of_scores"


def write_report(
    report: Report | Evaluation,
    form: str = "text",
    layout: Layout | None = None,
    registry: Registry | None = None,
) -> str | bytes:
    """Write a report in a format.

    Parameters
    ----------
    report : Report or Evaluation
        The report; an evaluation stands for the report of its scores and comparisons.
    form : str
        Name of the format.
    layout : Layout, optional
        How readers want to see it.
    registry : Registry, optional
        Where to look the format up. Default: everything that is installed.

    Raises
    ------
    UsageError
        If there is no such format, or it can write nothing of the report.
    PluginError
        If the format fails.

    Examples
    --------
    >>> from mteval_core import evaluate, write_report
    >>> evaluation = evaluate({"A": ["a b c"]}, [["a b d"]], ["wer"])
    >>> write_report(evaluation, "csv").split(",")[:3]
    ['system', 'metric', 'level']
    """
    from mteval_core.report.output import render

    layout, registry = layout or Layout(), registry or default_registry()
    made = report if isinstance(report, Report) else of_evaluation(report, layout)
    chunks: Any = [*render(made, layout, registry.find(FormatSpec, form), registry)]
    written: str | bytes = type(chunks[0])().join(chunks) if chunks else ""
    return written


def of_evaluation(evaluation: Evaluation, layout: Layout) -> Report:
    """Report the scores of an evaluation, and the differences of systems that were compared.

    Parameters
    ----------
    evaluation : Evaluation
    layout : Layout
        What a row is, and what is marked.
    """
    is_corpus = layout.level == "corpus"
    marked = marking(evaluation, layout)

    @cache
    def scores() -> list[MetricScores]:
        return [with_marks(evaluation, one, marked) for one in scores_of(evaluation, layout.level)]

    significance = meaning_of_significance(evaluation)
    notes = [*_notes_on_bounds(scores() if is_corpus else by_block(evaluation, layout.level))]
    if is_corpus:
        notes += [*_notes_on_coverage(evaluation, scores()), *_notes(evaluation, scores())]
    compared = evaluation.comparisons if is_corpus else {}
    # References as systems have signatures of their own, in the records.
    first = evaluation.systems[0]
    return Report(
        "Scores",
        make_parts=lambda layout: _parts(evaluation, layout, scores(), significance),
        legend=legend_of_scores(evaluation, layout, marked),
        notes=notes,
        comparisons=load(COMPARISONS)(compared) if compared else (),
        signatures=[str(evaluation.signature(first, spec)) for spec in evaluation.scorers],
        make_records=lambda: records_of(evaluation, layout.level),
        make_data=lambda _: evaluation.to_dict(layout.level),
        evaluation=evaluation,
        make_literature=lambda: load(LITERATURE)(evaluation, letters=marked == "letters"),
    )


def show_evaluation(evaluation: Evaluation, form: str) -> str | None:
    """Write the tables of an evaluation in a format; None if it is not installed."""
    registry = next(iter(evaluation.scorers.values())).setup.registry
    if not registry.of_name(FormatSpec, form):
        return None
    layout = Layout(is_fragment=True, signatures="full")
    return str(write_report(evaluation, form, layout, registry))


# Tables and charts


def _parts(
    evaluation: Evaluation,
    layout: Layout,
    scores: Sequence[MetricScores],
    significance: Meaning | None,
) -> Iterator[Table | Chart]:
    """Yield the tables, then the charts, whose panels are made when they are drawn."""
    table = score_table(evaluation, layout, scores)
    yield table
    if layout.level != "corpus":
        first = evaluation.systems[0]
        yield Chart(
            "differences",
            lambda: load(f"{CHARTS}:difference_panels")(scores, layout.level),
            f"Scores of {UNITS[layout.level]}s minus those of {first}, in descending order. Blue: "
            f"better than {first}; orange: worse",
            table,
        )
        return
    yield from from_file_only(evaluation, layout, scores)
    if evaluation.comparisons:
        ranked = ranking(evaluation, layout.sort, scores)
        systems = [one for one in ranked if one not in evaluation.scores.humans]
        yield from tables_of_differences(evaluation, layout, scores, systems)
    pairs = are_all_pairs(evaluation)
    if evaluation.intervals or not pairs:
        yield Chart(
            "scores",
            lambda: load(f"{CHARTS}:score_panels")(evaluation, scores),
            ". ".join(_meanings_of_dots(evaluation, significance)),
            table,
        )
    if pairs and significance:
        yield Chart(
            "pairs",
            lambda: load(f"{CHARTS}:pair_panels")(evaluation, scores, layout.decimals),
            f"Row minus column. Blue: the row is better; bold: {significance.text}",
        )


def _meanings_of_dots(evaluation: Evaluation, significance: Meaning | None) -> Iterator[str]:
    if evaluation.intervals:
        interval = next(iter(evaluation.intervals.values()))
        yield f"Bars: {interval.level:g}% {INTERVAL_NAMES[interval.kind]} intervals"
    if significance and not are_all_pairs(evaluation):
        yield f"Filled: different from {evaluation.systems[0]} (diamond), {significance.text}"


# Notes

FEW = 10
"""With fewer units, intervals and p-values are not reliable."""

FEW_FOR_MAX_T = 500
"""With fewer units, max-T errs more often than it should: see docs/results.md."""

OF_SETS = {
    "without-replacement": "and has intervals from subsamples without replacement: they are of the "
    "score that is expected of a set of this size",
    "none": "and has no interval: its plugin declares that this score cannot be resampled",
}
"""What is drawn for scores of whole sets, by their declaration."""

SLACK = 1e-9
"""A score that leaves the bounds of its metric by less does so by rounding."""


def _notes_on_coverage(evaluation: Evaluation, scores: Iterable[MetricScores]) -> Iterator[str]:
    """Say which share of the segments has a score, where the others are left out."""
    for one in scores:
        if evaluation.scores.misses_segments(one.spec):
            shares = {system: values[0, -1] for system, values in one.values.items()}
            listed = ", ".join(f"{n:.1f}% for {system}" for system, n in shares.items() if n < 100)
            yield (
                f"{one.scorer.label} scored only part of the segments: {listed}. Two systems are "
                f"compared on the segments that have a score of both."
            )


def _notes(evaluation: Evaluation, scores: Sequence[MetricScores]) -> list[str]:
    """Say what makes intervals and p-values less reliable than they look."""
    notes = []
    by_document = "by" in evaluation.drawn
    n_units = len(evaluation.scores.groups("doc")[0] if by_document else evaluation.scores.test_set)
    unit = "documents" if by_document else "segments"
    if evaluation.drawn and n_units < FEW:
        notes.append(
            f"Only {n_units} {unit} were resampled: intervals and p-values from so few {unit} are "
            f"not reliable."
        )
    if evaluation.drawn:
        known = ((one.scorer.label, OF_SETS.get(one.scorer.declaration.resample)) for one in scores)
        notes += [f"{label} scores the whole set, {how}." for label, how in known if how]
    is_max_t = any(one.correction == "maxt" for one in evaluation.comparisons.values())
    if is_max_t and n_units < FEW_FOR_MAX_T:
        notes.append(
            f"From fewer than {FEW_FOR_MAX_T} {unit}, max-T finds differences that are not there "
            f"more often than it should; Holm's correction errs less often."
        )
    outside = [
        f"{system} under {one.scorer.label}"
        for one in scores
        for system in one.values
        if (interval := evaluation.intervals.get((system, one.spec)))
        and interval.excludes(float(one.of(system)[0]))
    ]
    if outside:
        which = "This score is" if len(outside) == 1 else "These scores are"
        notes.append(
            f"{which} outside the interval: {', '.join(outside)}. Resampling moves the score away "
            f"from its value, so do not rely on the interval."
        )
    shown = () if are_all_pairs(evaluation) else evaluation.comparisons.values()
    if any(map(_contradicts_itself, shown)):
        notes.append(
            "An interval and a p-value of the same difference can disagree about significance: "
            "they come from different distributions, and only p-values are corrected for the "
            "number of comparisons."
        )
    return notes


def _notes_on_bounds(scores: Iterable[MetricScores]) -> Iterator[str]:
    """Say which metrics leave the bounds that their plugins declare."""
    noted: set[str] = set()
    for one in scores:
        low, high = one.scorer.declaration.bounds
        for system in one.values:
            found = one.of(system)
            outside = found[(found < low - SLACK) | (found > high * (1 + SLACK))]
            if len(outside) and one.spec not in noted:
                noted.add(one.spec)
                bounds = f"{low:g} or more" if high == np.inf else f"{low:g} to {high:g}"
                who = one.scorer.setup.entry.plugin.distribution
                yield (
                    f"{one.scorer.label} gives {system} {outside[0]:g}, but {who} declares "
                    f"{bounds}: either the metric or its declaration is wrong."
                )


def _contradicts_itself(comparison: Comparison) -> bool:
    """Test whether exactly one of interval and p-value shows a difference."""
    excludes_0 = not comparison.interval.low <= 0 <= comparison.interval.high
    return excludes_0 != comparison.significant
