"""What a metric is worth beside human judgments of systems, and the table of Lin and Och.

Each experiment takes a `Study` and gives tidy results and notes for their reader; none computes a
row anew, all weigh them.

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
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

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
from mteval_core.metaeval.significance import exchanges, soft_pairwise_accuracy, superiority
from mteval_core.metaeval.study import DRAWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.evaluation.resampling import Interval
    from mteval_core.metaeval.correlation import Coefficient
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.study import Draw, Study

__all__ = [
    "DIFFERENTIALS",
    "SOFT",
    "SYSTEM_LEVEL",
    "WITHOUT_OUTLIERS",
    "Correlation",
    "Mark",
    "Resampling",
    "lin_och_table",
    "system_level",
]

Mark = Literal["", "best", "equal"]
Bar = Callable[["Iterable[Any]", int], "Iterable[Any]"]
CARRIED = 0.1
"""A difference of the coefficient with and without outliers that is worth a note."""


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
        Of ``numpy.random.default_rng``.
    draw : {"segments", "systems", "both"}
        What is drawn with replacement.

    Raises
    ------
    UsageError
        If there cannot be such resamples.
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


@dataclass(frozen=True)
class Correlation:
    """One number that says what a metric is worth.

    Parameters
    ----------
    metric : str
        The metric.
    set : str
        How it looked at the texts: ``case``, ``nocase``, ``stem``, or empty.
    criterion : str
        The human score.
    quantity : str
        What the number is.
    grouping : str
        What was compared with each other: for segments ``none``, ``item`` or ``system``.
    value : float
        NaN if it is not defined.
    n : int
        Number of systems, or of judged outputs.
    interval : Interval or None
        By bootstrap.
    mark : {"best", "equal", ""}
        Whether it is the best of its kind, or not significantly different from the best.
    epsilon : float or None
        The threshold of tie calibration, in the scale of the metric.
    """

    metric: str
    set: str
    criterion: str
    quantity: str
    grouping: str
    value: float
    n: int
    interval: Interval | None = None
    mark: Mark = ""
    epsilon: float | None = None


def quiet(steps: Iterable[Any], _total: int) -> Iterable[Any]:
    """Show no progress."""
    return steps


def interval_of(resamples: NDArray[np.float64], level: float) -> Interval | None:
    """Percentiles of the resamples that are defined; None if there are none."""
    defined = resamples[~np.isnan(resamples)]
    return percentile_interval(defined, level) if len(defined) else None


def _differential(metric: NDArray[np.float64], human: NDArray[np.float64]) -> NDArray[np.float64]:
    return pearson(*differentials(metric, human))


DIFFERENTIALS = "differentials"
SOFT = "soft pairwise accuracy"
WITHOUT_OUTLIERS = "pearson without outliers"

SYSTEM_LEVEL: dict[str, Coefficient] = {
    **COEFFICIENTS,
    DIFFERENTIALS: _differential,
    "pairwise accuracy": accuracy_of_systems,
}
"""What is computed from the scores of systems."""


def system_level(
    study: Study, resampling: Resampling | None = None, bar: Bar = quiet
) -> tuple[list[Correlation], list[Note]]:
    """Correlate the scores of systems.

    Parameters
    ----------
    study : Study
    resampling : Resampling, optional
        How intervals are drawn; 1000 resamples of the segments, unless given.
    bar : callable
        ``bar(steps, total)`` gives the steps back and may show progress.

    Returns
    -------
    list of Correlation
        For each criterion and metric Pearson, Spearman and Kendall's tau-b, Pearson of the
        differences of all pairs of systems, pairwise accuracy, soft pairwise accuracy where items
        were judged, and Pearson without outliers where there are any.
    list of Note
    """
    resampling = resampling or Resampling()
    found = [record for record, _ in _correlations(study, SYSTEM_LEVEL, resampling, bar)]
    without, notes = _outliers(study, found)
    found += without
    if study.has_item_judgments and len(study.systems) > 1:
        found += _soft(study, resampling)
    return found, [*_constant_notes(study), *notes]


def lin_och_table(
    study: Study,
    resampling: Resampling | None = None,
    coefficients: Sequence[str] = ("pearson", "spearman"),
    bar: Bar = quiet,
) -> tuple[list[Correlation], list[Note]]:
    """Correlate all metrics of all sets with all criteria: the table of Lin and Och 2004.

    Parameters
    ----------
    study : Study
        With sets, if there are to be any.
    resampling : Resampling, optional
        How intervals are drawn; 1000 resamples of the segments, unless given.
    coefficients : sequence of str
        Names in `COEFFICIENTS`.
    bar : callable
        ``bar(steps, total)`` gives the steps back and may show progress.

    Returns
    -------
    list of Correlation
        In each set and under each criterion and coefficient the best is marked ``best``, and
        ``equal`` if the interval of its difference to the best, by the same resamples, reaches 0.
        Beside Pearson's coefficient that without outliers, where there are any.
    list of Note
    """
    resampling = resampling or Resampling()
    functions = {name: coefficient_named(name) for name in coefficients}
    found = _marked(_correlations(study, functions, resampling, bar), resampling.level)
    without, notes = _outliers(study, found) if "pearson" in coefficients else ([], [])
    return found + without, [*_constant_notes(study), *notes]


def resample(
    study: Study, functions: Sequence[Coefficient], resampling: Resampling, bar: Bar = quiet
) -> NDArray[np.float64]:
    """Compute functions of the scores of systems on every resample.

    Returns
    -------
    ndarray of float64, shape (n_functions, n_criteria, n_measures, n_resamples)
        One number for each result and resample is all that is kept.
    """
    shape = (len(functions), len(study.criteria), len(study.measures), resampling.n)
    found = np.empty(shape)
    chunks = study.resamples(resampling.n, resampling.seed, resampling.draw)
    start = 0
    for metrics, humans in bar(chunks, math.ceil(resampling.n / CHUNK)):
        stop = start + len(metrics)
        for q, function in enumerate(functions):
            found[q, ..., start:stop] = function(metrics[:, :, None], humans[:, None]).T
        start = stop
    return found


def _correlations(
    study: Study, functions: Mapping[str, Coefficient], resampling: Resampling, bar: Bar
) -> list[tuple[Correlation, NDArray[np.float64]]]:
    """Values on the whole test set with intervals, and on all resamples."""
    metrics, humans = study.totals
    resampled = resample(study, list(functions.values()), resampling, bar)
    return [
        (
            Correlation(
                measure.name,
                measure.set,
                criterion.name,
                name,
                "",
                float(function(metrics[k], humans[c])),
                int(np.sum(~np.isnan(humans[c]))),
                interval_of(resampled[q, c, k], resampling.level),
            ),
            resampled[q, c, k],
        )
        for c, criterion in enumerate(study.criteria)
        for k, measure in enumerate(study.measures)
        for q, (name, function) in enumerate(functions.items())
    ]


def _marked(
    found: list[tuple[Correlation, NDArray[np.float64]]], level: float
) -> list[Correlation]:
    """Mark the best metric of each set, and those not significantly different from it."""
    rivals: dict[tuple[str, str, str], list[int]] = {}
    for i, (record, _) in enumerate(found):
        if not math.isnan(record.value):
            rivals.setdefault((record.criterion, record.quantity, record.set), []).append(i)
    marked = [record for record, _ in found]
    for some in rivals.values():
        best, best_resampled = found[max(some, key=lambda i: found[i][0].value)]
        for i in some if len(some) > 1 else ():
            record, resampled = found[i]
            lead = interval_of(best_resampled - resampled, level)
            if record.value == best.value:
                marked[i] = replace(record, mark="best")
            elif lead is not None and lead.low <= 0:
                marked[i] = replace(record, mark="equal")
    return marked


def _constant_notes(study: Study) -> list[Note]:
    """Note which scores do not vary, so that they have no coefficient."""
    metrics, humans = study.totals
    names = [measure.name for measure in study.measures] + [c.name for c in study.criteria]
    constant = [
        name
        for name, scores in zip(names, [*metrics, *humans], strict=True)
        if len(study.systems) > 1 and np.nanmax(scores) == np.nanmin(scores)
    ]
    return [ConstantScores(name) for name in dict.fromkeys(constant)]


def _outliers(study: Study, found: list[Correlation]) -> tuple[list[Correlation], list[Note]]:
    """Pearson's coefficients without outliers, and notes on which systems these are."""
    metrics, humans = study.totals
    pearsons = {(r.criterion, r.metric, r.set): r.value for r in found if r.quantity == "pearson"}
    without: list[Correlation] = []
    notes: list[Note] = []
    for criterion, human in zip(study.criteria, humans, strict=True):
        far = outliers(human)
        if not far.any():
            continue
        n = int(np.sum(~np.isnan(human[~far])))
        n_moved = 0
        for measure, scores in zip(study.measures, metrics, strict=True):
            value = float(pearson(scores[~far], human[~far]))
            before = pearsons[criterion.name, measure.name, measure.set]
            n_moved += not abs(before - value) < CARRIED
            key = (measure.name, measure.set, criterion.name, WITHOUT_OUTLIERS, "")
            without.append(Correlation(*key, value, n))
        names = tuple(name for name, out in zip(study.systems, far, strict=True) if out)
        notes.append(OutlierSystems(criterion.name, names, CARRIED, n_moved, len(metrics)))
    return without, notes


def _soft(study: Study, resampling: Resampling) -> list[Correlation]:
    """Soft pairwise accuracy: paired permutation tests of all systems, by rows of statistics."""

    def p_values(rows: NDArray[np.float64], score: Callable[..., Any]) -> NDArray[np.float64]:
        masks, _ = exchanges(len(study.units), resampling.n or 1000, resampling.seed)
        return superiority(rows.sum(axis=1), (mask @ rows for mask in masks), score)

    people = [p_values(criterion.rows, criterion.scores) for criterion in study.criteria]
    metrics = [p_values(measure.rows, measure.scores) for measure in study.measures]
    return [
        Correlation(
            measure.name,
            measure.set,
            criterion.name,
            SOFT,
            "",
            soft_pairwise_accuracy(of_people, of_metric),
            int(np.sum(~np.isnan(human))),
        )
        for criterion, human, of_people in zip(study.criteria, study.totals[1], people, strict=True)
        for measure, of_metric in zip(study.measures, metrics, strict=True)
    ]
