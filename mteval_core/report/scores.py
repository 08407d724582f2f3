"""Reports on scores: systems down, metrics across, the best of each metric marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.metrics.jackknife import Jackknife
from mteval_core.report.comparisons import (
    all_pairs,
    meanings_of_comparisons,
    metric_heads,
    resampled_units,
    to_baseline,
)
from mteval_core.report.grid import Cell, Column, Table
from mteval_core.report.report import Meaning, Report
from mteval_core.report.symbols import ARROWS, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.evaluation.comparison import Comparison
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.report.report import Layout

__all__ = ["of_evaluation"]


def of_evaluation(evaluation: Evaluation, layout: Layout) -> Report:
    """Report the scores of an evaluation, and the differences of systems that were compared."""
    # References as systems have signatures of their own, in the records.
    first = evaluation.systems[0]
    return Report(
        "Scores",
        make_tables=lambda: _tables(evaluation, layout),
        make_records=lambda: evaluation.to_records(layout.level),
        make_data=lambda _: evaluation.to_dict(layout.level),
        legend=_legend(evaluation, layout),
        notes=[
            *_notes_on_bounds(evaluation, layout.level),
            *(_notes(evaluation) if layout.level == "corpus" else ()),
        ],
        comparisons=evaluation.comparison_records() if layout.level == "corpus" else (),
        signatures=[str(evaluation.signature(first, spec)) for spec in evaluation.scorers],
        evaluation=evaluation,
    )


# Tables


def _tables(evaluation: Evaluation, layout: Layout) -> list[Table]:
    tables = [_scores(evaluation, layout)]
    if layout.level == "corpus" and evaluation.comparisons:
        if evaluation.all_pairs:
            tables += [all_pairs(evaluation, layout, spec) for spec in evaluation.scorers]
        else:
            tables.append(to_baseline(evaluation, layout))
    return tables


def _scores(evaluation: Evaluation, layout: Layout) -> Table:
    columns = tuple(_score_column(evaluation, layout, spec) for spec in evaluation.scorers)
    systems = evaluation.systems
    if layout.level == "corpus":
        return Table("", ("system",), tuple((system,) for system in systems), columns)
    ids, _ = evaluation.groups(layout.level)
    names = tuple((str(part), system) for part in ids for system in systems)
    return Table("", (layout.level, "system"), names, columns)


def _score_column(evaluation: Evaluation, layout: Layout, spec: str) -> Column:
    scorer = evaluation.scorers[spec]
    main = list(scorer.scales).index(scorer.main)
    values = [evaluation.values(system, spec, layout.level) for system in evaluation.systems]
    scores = np.stack([of_system[:, main] for of_system in values], axis=1)
    n_competing = _n_competing(evaluation)
    best_of = np.max if scorer.declaration.better == "higher" else np.min
    cells = []
    for row in scores.tolist():
        shown = [f"{score:.{layout.decimals}f}" for score in row]
        # Scores that read alike are tied: the mark goes to all that round to the best.
        best = f"{best_of(row[:n_competing]):.{layout.decimals}f}"
        for k, (system, number) in enumerate(zip(evaluation.systems, shown, strict=True)):
            spread = _spread(evaluation, layout, system, spec) if layout.level == "corpus" else ()
            parts = (number, *spread)
            if n_competing < 2:
                cells.append(Cell(parts))
            else:
                cells.append(Cell(parts, "best" if k < n_competing and number == best else "worse"))
    return Column(metric_heads(evaluation, spec), tuple(cells))


def _n_competing(evaluation: Evaluation) -> int:
    """Number of systems that compete for the best score; the references after them do not."""
    return len(evaluation.systems) - len(evaluation.humans)


def _spread(evaluation: Evaluation, layout: Layout, system: str, spec: str) -> tuple[str, ...]:
    """Spread over runs and over sets of references, and the interval, where they are known."""
    shown: tuple[str, ...] = ()
    if not evaluation.single_runs:
        several = len(evaluation.runs[system]) > 1
        sd = evaluation.run_scores(system, spec).std(ddof=1) if several else 0
        shown += (f"±{sd:.{layout.decimals}f}" if several else "",)
    if _is_jackknifed(evaluation, spec):
        scores = evaluation.jackknife_scores(system, spec)
        shown += ("", "") if scores is None else _ends("{}", scores.min(), scores.max(), layout)
    interval = evaluation.intervals.get((system, spec))
    if interval is not None:
        shown += _ends("[]", interval.low, interval.high, layout)
    return shown


def _ends(brackets: str, low: float, high: float, layout: Layout) -> tuple[str, str]:
    return f"{brackets[0]}{low:.{layout.decimals}f},", f"{high:.{layout.decimals}f}{brackets[1]}"


def _is_jackknifed(evaluation: Evaluation, spec: str) -> bool:
    return isinstance(evaluation.scorers[spec].implementation, Jackknife)


# Legend


def _legend(evaluation: Evaluation, layout: Layout) -> list[tuple[Meaning, ...]]:
    directions = sorted({scorer.declaration.better for scorer in evaluation.scorers.values()})
    first = [Meaning(f"{ARROWS[word]} {word} is better") for word in directions]
    if _n_competing(evaluation) > 1:
        first.append(Meaning("best", "best"))
    legend = [tuple(first)]
    if layout.level == "corpus":
        legend += [(meaning,) for meaning in _meanings_of_spread(evaluation)]
        legend += [(meaning,) for meaning in meanings_of_comparisons(evaluation)]
        if evaluation.humans:
            legend.append((Meaning("(human) a reference, scored against the other references"),))
    return legend


def _meanings_of_spread(evaluation: Evaluation) -> list[Meaning]:
    meanings = []
    if not evaluation.single_runs:
        meanings.append(Meaning("± standard deviation over the runs of a system"))
    if any(_is_jackknifed(evaluation, spec) for spec in evaluation.scorers):
        text = "{ } lowest and highest score with one reference left out; the score is the mean"
        meanings.append(Meaning(text))
    if evaluation.intervals:
        interval = next(iter(evaluation.intervals.values()))
        resampler = "".join(evaluation.drawn.get("resampler", ("bootstrap",)))
        drawn = f"{interval.n} {resampler} resamples of {resampled_units(evaluation)}"
        text = f"[ ] {interval.level:g}% {KINDS[interval.kind]} interval from {drawn}"
        meanings.append(Meaning(text))
    return meanings


# Notes

FEW = 10
"""With fewer units, intervals and p-values are not reliable."""

ROUNDING = 1e-9
"""A score that leaves the bounds of its metric by less does so by rounding."""


def _notes(evaluation: Evaluation) -> list[str]:
    """Say what makes intervals and p-values less reliable than they look."""
    notes = []
    by_document = "by" in evaluation.drawn
    n_units = len(evaluation.groups("doc" if by_document else "segment")[0])
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
    shown = () if evaluation.all_pairs else evaluation.comparisons.values()
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
            outside = scores[(scores < low - ROUNDING) | (scores > high * (1 + ROUNDING))]
            if len(outside):
                bounds = f"{low:g} or more" if high == np.inf else f"{low:g} to {high:g}"
                who = scorer.entry.plugin.distribution
                yield (
                    f"{scorer.label} gives {system} {outside[0]:g}, but {who} declares {bounds}: "
                    f"either the metric or its declaration is wrong."
                )
                break


def _contradicts_itself(comparison: Comparison) -> bool:
    """Test whether exactly one of interval and p-value shows a difference."""
    excludes_0 = not comparison.interval.low <= 0 <= comparison.interval.high
    return excludes_0 != comparison.significant
