"""Reports on scores: systems down, metrics across, the best of each metric marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.evaluation.records import are_all_pairs, comparison_records
from mteval_core.plugin.declarations import load
from mteval_core.report.comparisons import (
    all_pairs,
    equivalences,
    margin_of,
    meaning_of_significance,
    meanings_of_comparisons,
    resampled_units,
    to_baseline,
)
from mteval_core.report.marks import marking, meaning_of_marking
from mteval_core.report.parts import Chart
from mteval_core.report.report import Meaning, Report
from mteval_core.report.score_table import (
    by_corpus_score,
    competing,
    is_jackknifed,
    score_table,
)
from mteval_core.report.symbols import ARROWS, INTERVAL_NAMES, UNITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.evaluation.comparison import Comparison
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.report.grid import Table
    from mteval_core.report.layout import Layout
    from mteval_core.report.report import Legend

__all__ = ["of_evaluation"]

CHARTS = "mteval_core.report.score_charts"


def of_evaluation(evaluation: Evaluation, layout: Layout) -> Report:
    """Report the scores of an evaluation, and the differences of systems that were compared.

    Parameters
    ----------
    evaluation : Evaluation
    layout : Layout
        What a row is, and what is marked.
    """
    # References as systems have signatures of their own, in the records.
    first = evaluation.systems[0]
    return Report(
        "Scores",
        make_parts=lambda layout: _parts(evaluation, layout),
        make_records=lambda: evaluation.to_records(layout.level),
        make_data=lambda _: evaluation.to_dict(layout.level),
        legend=_legend(evaluation, layout),
        notes=[
            *_notes_on_bounds(evaluation, layout.level),
            *(_notes(evaluation) if layout.level == "corpus" else ()),
        ],
        comparisons=(
            comparison_records(evaluation.comparisons) if layout.level == "corpus" else ()
        ),
        signatures=[str(evaluation.score(first, spec).signature) for spec in evaluation.scorers],
        evaluation=evaluation,
        make_literature=lambda: _literature(evaluation, layout),
    )


def _literature(evaluation: Evaluation, layout: Layout) -> list[str]:
    from mteval_core.report.literature import literature_of_scores

    return literature_of_scores(evaluation, layout)


# Tables and charts


def _parts(evaluation: Evaluation, layout: Layout) -> Iterator[Table | Chart]:
    scores = score_table(evaluation, layout)
    yield scores
    if layout.level == "corpus" and evaluation.comparisons:
        systems = [
            one
            for one in by_corpus_score(evaluation, layout)
            if one not in evaluation.scores.humans
        ]
        if are_all_pairs(evaluation.comparisons):
            for spec in evaluation.scorers:
                yield all_pairs(evaluation, layout, spec, systems)
        else:
            yield to_baseline(evaluation, layout, systems)
        margin = margin_of(evaluation)
        if margin is not None:
            yield equivalences(evaluation, margin)
    yield from _charts(evaluation, layout, scores)


def _charts(evaluation: Evaluation, layout: Layout, scores: Table) -> Iterator[Chart]:
    """Yield the charts, whose panels are made when they are drawn."""
    first = evaluation.systems[0]
    if layout.level != "corpus":
        yield Chart(
            "differences",
            lambda: load(f"{CHARTS}:difference_panels")(evaluation, layout),
            f"Scores of {UNITS[layout.level]}s minus those of {first}, in descending order. Blue: "
            f"better than {first}; orange: worse",
            scores,
        )
        return
    pairs = are_all_pairs(evaluation.comparisons)
    if evaluation.intervals or not pairs:
        yield Chart(
            "scores",
            lambda: load(f"{CHARTS}:score_panels")(evaluation),
            ". ".join(_meanings_of_dots(evaluation)),
            scores,
        )
    if pairs:
        bold = meaning_of_significance(evaluation).text
        yield Chart(
            "pairs",
            lambda: load(f"{CHARTS}:pair_panels")(evaluation, layout.decimals),
            f"Row minus column. Blue: the row is better; bold: {bold}",
        )


def _meanings_of_dots(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.intervals:
        interval = next(iter(evaluation.intervals.values()))
        yield f"Bars: {interval.level:g}% {INTERVAL_NAMES[interval.kind]} intervals"
    if evaluation.comparisons and not are_all_pairs(evaluation.comparisons):
        significant = meaning_of_significance(evaluation).text
        yield f"Filled: different from {evaluation.systems[0]} (diamond), {significant}"


# Legend


def _legend(evaluation: Evaluation, layout: Layout) -> Legend:
    directions = sorted({scorer.declaration.better for scorer in evaluation.scorers.values()})
    first = [Meaning(f"{ARROWS[word]} {word} is better") for word in directions]
    if len(competing(evaluation)) > 1:
        first.append(Meaning("best", "best"))
    chosen = marking(evaluation, layout)
    legend: list[str | list[Meaning]] = [[*first, *meaning_of_marking(evaluation, chosen)]]
    if layout.level == "corpus":
        legend += _meanings_of_spread(evaluation)
        legend += [[meaning] for meaning in meanings_of_comparisons(evaluation)]
        if evaluation.scores.humans:
            legend.append("(human) a reference, scored against the other references")
    return legend


def _meanings_of_spread(evaluation: Evaluation) -> list[str]:
    meanings = []
    if not evaluation.scores.single_runs:
        meanings.append("± standard deviation over the runs of a system")
    if any(is_jackknifed(evaluation, spec) for spec in evaluation.scorers):
        text = "{ } lowest and highest score with one reference left out; the score is the mean"
        meanings.append(text)
    if evaluation.intervals:
        interval = next(iter(evaluation.intervals.values()))
        resampler = "".join(evaluation.drawn.get("draw", ("bootstrap",)))
        drawn = f"{interval.n} {resampler} resamples of {resampled_units(evaluation)}"
        text = f"[ ] {interval.level:g}% {INTERVAL_NAMES[interval.kind]} interval from {drawn}"
        meanings.append(text)
    return meanings


# Notes

FEW = 10
"""With fewer units, intervals and p-values are not reliable."""

SLACK = 1e-9
"""A score that leaves the bounds of its metric by less does so by rounding."""


def _notes(evaluation: Evaluation) -> list[str]:
    """Say what makes intervals and p-values less reliable than they look."""
    notes = []
    by_document = "by" in evaluation.drawn
    n_units = len(evaluation.scores.groups("doc")[0] if by_document else evaluation.scores.test_set)
    if evaluation.drawn and n_units < FEW:
        unit = "documents" if by_document else "segments"
        notes.append(
            f"Only {n_units} {unit} were resampled: intervals and p-values from so few {unit} are "
            f"not reliable."
        )
    outside = [
        f"{system} under {evaluation.scorers[spec].label}"
        for (system, spec), interval in evaluation.intervals.items()
        if interval.excludes(evaluation.score(system, spec).score)
    ]
    if outside:
        notes.append(
            f"{'This score is' if len(outside) == 1 else 'These scores are'} outside the interval: "
            f"{', '.join(outside)}. Resampling moves the score away from its value, so do not rely "
            f"on the interval."
        )
    shown = () if are_all_pairs(evaluation.comparisons) else evaluation.comparisons.values()
    if any(map(_contradicts_itself, shown)):
        notes.append(
            "An interval and a p-value of the same difference can disagree about significance: "
            "they come from different distributions, and only p-values are corrected for the "
            "number of comparisons."
        )
    return notes


def _notes_on_bounds(evaluation: Evaluation, level: Level) -> Iterator[str]:
    """Say which metrics leave the bounds that their plugins declare."""
    for spec, scorer in evaluation.scorers.items():
        low, high = scorer.declaration.bounds
        main = list(scorer.scales).index(scorer.main)
        for system in evaluation.systems:
            scores = evaluation.values(system, spec, level)[:, main]
            outside = scores[(scores < low - SLACK) | (scores > high * (1 + SLACK))]
            if len(outside):
                bounds = f"{low:g} or more" if high == np.inf else f"{low:g} to {high:g}"
                who = scorer.setup.entry.plugin.distribution
                yield (
                    f"{scorer.label} gives {system} {outside[0]:g}, but {who} declares {bounds}: "
                    f"either the metric or its declaration is wrong."
                )
                break


def _contradicts_itself(comparison: Comparison) -> bool:
    """Test whether exactly one of interval and p-value shows a difference."""
    excludes_0 = not comparison.interval.low <= 0 <= comparison.interval.high
    return excludes_0 != comparison.significant
