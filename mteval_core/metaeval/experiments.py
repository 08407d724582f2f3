"""Correlation of metrics with human scores over systems, and the table of Lin and Och.

Each experiment takes a `Study` and returns tidy results and notes. Experiments compute no rows:
they weight those of the study.

References
----------
Lavie, Sagae and Jayaraman 2004, "The significance of recall in automatic metrics for MT
evaluation", section 4 (differentials, intervals).
Lin and Och 2004, "Automatic evaluation of machine translation quality using longest common
subsequence and skip-bigram statistics", section 5 (the table).
Mathur, Baldwin and Cohn 2020, "Tangled up in BLEU" (outliers).
Thompson et al. 2024 (soft pairwise accuracy): see `mteval_core.metaeval.significance`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import CHUNK, percentile_interval
from mteval_core.metaeval.correlation import (
    COEFFICIENTS,
    accuracy_of_systems,
    coefficient_named,
    differentials,
    outliers,
    pearson,
)
from mteval_core.metaeval.notes import ConstantScores, OutlierSystems
from mteval_core.metaeval.results import Correlation, doubts
from mteval_core.metaeval.significance import exchanges, soft_pairwise_accuracy, superiority
from mteval_core.metaeval.study import DRAWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mteval_core.evaluation.resampling import Interval
    from mteval_core.metaeval.correlation import Coefficient, CoefficientName
    from mteval_core.metaeval.criteria import Criterion
    from mteval_core.metaeval.measures import Measure
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.study import Draw, Study

    Resampled = tuple[Correlation, NDArray[np.float64]]

__all__ = [
    "DIFFERENTIALS",
    "SOFT",
    "SYSTEM_LEVEL",
    "WITHOUT_OUTLIERS",
    "Bar",
    "Resampling",
    "interval_of",
    "lin_och_table",
    "quiet",
    "resample",
    "system_level",
]

Step = TypeVar("Step")

CHANGE = 0.1
"""Smallest change of a coefficient without outliers that a note reports."""


class Bar(Protocol):
    """A progress bar."""

    def __call__(self, steps: Iterable[Step], total: int, /) -> Iterable[Step]:
        """Return the steps, and show progress as they are taken."""
        ...


def quiet(steps: Iterable[Step], _total: int, /) -> Iterable[Step]:
    """Show no progress."""
    return steps


@dataclass(frozen=True)
class Resampling:
    """How intervals are drawn.

    Parameters
    ----------
    n : int
        Number of resamples; 0 for no intervals.
    level : float
        Confidence level in percent.
    seed : int
        Seed of ``numpy.random.default_rng``.
    draw : {"segments", "systems", "both"}
        What is drawn with replacement.

    Raises
    ------
    UsageError
        If a value is out of range.
    """

    n: int = 1000
    level: float = 95.0
    seed: int = 12345
    draw: Draw = "segments"

    def __post_init__(self) -> None:
        if self.n < 0 or not 0 < self.level < 100 or self.seed < 0:
            message = (
                f"{self.n} resamples at level {self.level:g} with seed {self.seed}: expected 0 or "
                f"more, a level between 0 and 100, and a seed of 0 or more"
            )
            raise UsageError(message)
        if self.draw not in DRAWS:
            message = f"draw {self.draw!r}: expected {', '.join(DRAWS)}"
            raise UsageError(message)


def interval_of(resamples: NDArray[np.float64], level: float) -> Interval | None:
    """Compute the percentile interval of the resamples that are not NaN; None if all are NaN."""
    defined = resamples[~np.isnan(resamples)]
    return percentile_interval(defined, level) if len(defined) else None


def _differential(metric: ArrayLike, human: ArrayLike) -> NDArray[np.float64]:
    return pearson(*differentials(metric, human))


DIFFERENTIALS = "differentials"
SOFT = "soft pairwise accuracy"
WITHOUT_OUTLIERS = "pearson without outliers"

SYSTEM_LEVEL: Mapping[str, Coefficient] = {
    **COEFFICIENTS,
    DIFFERENTIALS: _differential,
    "pairwise accuracy": accuracy_of_systems,
}
"""Quantities that are functions of the scores of systems."""


def system_level(
    study: Study, resampling: Resampling | None = None, bar: Bar = quiet
) -> tuple[list[Correlation], list[Note]]:
    """Correlate the scores of systems.

    Parameters
    ----------
    study : Study
    resampling : Resampling, optional
        How intervals are drawn. Default: 1000 resamples of the segments.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    list of Correlation
        For each criterion and metric: Pearson, Spearman and Kendall's tau-b; Pearson of the
        differences of all pairs of systems; pairwise accuracy; soft pairwise accuracy if items were
        judged; and Pearson without outliers if there are outliers.
    list of Note
    """
    resampling = resampling or Resampling()
    correlations = [record for record, _ in _correlations(study, SYSTEM_LEVEL, resampling, bar)]
    without, notes = _outliers(study, correlations)
    correlations += without
    if study.has_item_judgments and len(study.systems) > 1:
        correlations += _soft(study, resampling)
    return correlations, [*_constant_notes(study), *notes, *doubts(correlations)]


def lin_och_table(
    study: Study,
    resampling: Resampling | None = None,
    coefficients: Sequence[CoefficientName] = ("pearson", "spearman"),
    bar: Bar = quiet,
) -> tuple[list[Correlation], list[Note]]:
    """Correlate all metrics of all sets with all criteria: the table of Lin and Och 2004.

    Parameters
    ----------
    study : Study
        Made with sets if the table shall have several.
    resampling : Resampling, optional
        How intervals are drawn. Default: 1000 resamples of the segments.
    coefficients : sequence of {"pearson", "spearman", "kendall"}
        The coefficients.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    list of Correlation
        In each set, and for each criterion and coefficient, the best metric is marked ``best``. A
        metric is marked ``equal`` if the interval of its difference to the best, from the same
        resamples, includes 0. Pearson without outliers follows if there are outliers.
    list of Note
    """
    resampling = resampling or Resampling()
    functions: dict[str, Coefficient] = {
        name: coefficient_named(name, COEFFICIENTS) for name in coefficients
    }
    correlations = _marked(_correlations(study, functions, resampling, bar), resampling.level)
    without, notes = _outliers(study, correlations) if "pearson" in coefficients else ([], [])
    return correlations + without, [*_constant_notes(study), *notes, *doubts(correlations)]


def resample(
    study: Study, functions: Sequence[Coefficient], resampling: Resampling, bar: Bar = quiet
) -> NDArray[np.float64]:
    """Compute functions of the scores of systems on every resample.

    Returns
    -------
    ndarray of float64, shape (n_functions, n_criteria, n_measures, n_resamples)
        Nothing else is kept of a resample.
    """
    shape = (len(functions), len(study.criteria), len(study.measures), resampling.n)
    values = np.empty(shape)
    chunks = study.resamples(resampling.n, resampling.seed, resampling.draw)
    start = 0
    for metrics, humans in bar(chunks, math.ceil(resampling.n / CHUNK)):
        stop = start + len(metrics)
        for q, function in enumerate(functions):
            values[q, ..., start:stop] = function(metrics[:, :, None], humans[:, None]).T
        start = stop
    return values


def _correlations(
    study: Study, functions: Mapping[str, Coefficient], resampling: Resampling, bar: Bar
) -> list[Resampled]:
    """Compute coefficients on the whole test set with intervals, and on all resamples."""
    metrics, humans = study.totals
    resampled = resample(study, list(functions.values()), resampling, bar)
    return [
        (
            Correlation(
                metric=measure.name,
                set=measure.set,
                criterion=criterion.name,
                quantity=name,
                value=float(function(metrics[k], humans[c])),
                n=int(np.sum(~np.isnan(humans[c]))),
                interval=interval_of(resampled[q, c, k], resampling.level),
            ),
            resampled[q, c, k],
        )
        for c, criterion in enumerate(study.criteria)
        for k, measure in enumerate(study.measures)
        for q, (name, function) in enumerate(functions.items())
    ]


def _marked(results: list[Resampled], level: float) -> list[Correlation]:
    """Mark the best metric of each set, and those not significantly different from it."""
    rivals: dict[tuple[str, str, str], list[int]] = {}
    for i, (record, _) in enumerate(results):
        if not math.isnan(record.value):
            rivals.setdefault((record.criterion, record.quantity, record.set), []).append(i)
    marked = [record for record, _ in results]
    for places in rivals.values():
        best, best_resampled = results[max(places, key=lambda i: results[i][0].value)]
        for i in places if len(places) > 1 else ():
            record, resampled = results[i]
            lead = interval_of(best_resampled - resampled, level)
            if record.value == best.value:
                marked[i] = replace(record, mark="best")
            elif lead is not None and lead.low <= 0:
                marked[i] = replace(record, mark="equal")
    return marked


def _constant_notes(study: Study) -> list[Note]:
    """Note metrics and criteria whose scores do not vary, so that coefficients are undefined."""
    metrics, humans = study.totals
    names = [measure.name for measure in study.measures] + [c.name for c in study.criteria]
    constant = [
        name
        for name, scores in zip(names, [*metrics, *humans], strict=True)
        if len(study.systems) > 1 and np.nanmax(scores) == np.nanmin(scores)
    ]
    return [ConstantScores(name) for name in dict.fromkeys(constant)]


def _outliers(
    study: Study, correlations: list[Correlation]
) -> tuple[list[Correlation], list[Note]]:
    """Compute Pearson's coefficients without outliers, and note which systems are outliers."""
    metrics, humans = study.totals
    of_all = {(r.criterion, r.metric, r.set): r for r in correlations if r.quantity == "pearson"}
    without: list[Correlation] = []
    notes: list[Note] = []
    for criterion, human in zip(study.criteria, humans, strict=True):
        out = outliers(human)
        if not out.any():
            continue
        n, n_changed = int(np.sum(~np.isnan(human[~out]))), 0
        for measure, scores in zip(study.measures, metrics, strict=True):
            before = of_all[criterion.name, measure.name, measure.set]
            value = float(pearson(scores[~out], human[~out]))
            n_changed += not abs(before.value - value) < CHANGE
            record = replace(before, quantity=WITHOUT_OUTLIERS, value=value, n=n)
            without.append(replace(record, interval=None, mark=""))
        names = tuple(name for name, far in zip(study.systems, out, strict=True) if far)
        note = OutlierSystems(
            criterion=criterion.name,
            systems=names,
            change=CHANGE,
            n_changed=n_changed,
            n_measures=len(metrics),
        )
        notes.append(note)
    return without, notes


def _soft(study: Study, resampling: Resampling) -> list[Correlation]:
    """Compute soft pairwise accuracy: paired permutation tests of all pairs of systems."""

    def p_values(source: Measure | Criterion) -> NDArray[np.float64]:
        masks, _ = exchanges(len(study.units), resampling.n or 1000, resampling.seed)
        exchanged = (mask @ source.rows for mask in masks)
        return superiority(source.rows.sum(axis=1), exchanged, source.scores)

    of_humans = [p_values(criterion) for criterion in study.criteria]
    of_metrics = [p_values(measure) for measure in study.measures]
    return [
        Correlation(
            metric=measure.name,
            set=measure.set,
            criterion=criterion.name,
            quantity=SOFT,
            value=soft_pairwise_accuracy(of_human, of_metric),
            n=int(np.sum(~np.isnan(human))),
        )
        for criterion, human, of_human in zip(
            study.criteria, study.totals[1], of_humans, strict=True
        )
        for measure, of_metric in zip(study.measures, of_metrics, strict=True)
    ]
