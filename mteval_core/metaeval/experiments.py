"""What a metric is worth beside human judgments: systems, segments, and the table of Lin and Och.

Each experiment takes a `Study` and gives tidy results and notes for their reader; none computes a
row anew, all weigh them.

References
----------
Lavie, Sagae and Jayaraman 2004, "The significance of recall in automatic metrics for MT
evaluation", section 4 (differentials, intervals).
Lin and Och 2004, "Automatic evaluation of machine translation quality using longest common
subsequence and skip-bigram statistics", section 5 (the table).
Mathur, Baldwin and Cohn 2020, "Tangled up in BLEU" (outliers).
Deutsch, Foster and Freitag 2023, "Ties matter" (segments).
Thompson et al. 2024 (soft pairwise accuracy): see `mteval_core.metaeval.significance`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.metaeval.correlation import (
    COEFFICIENTS,
    GROUPINGS,
    PAIR_LIMIT,
    accuracy_of_systems,
    differentials,
    groups,
    mean_over_groups,
    outliers,
    pairwise_accuracy,
    pearson,
    quotient,
    tie_calibration,
)
from mteval_core.metaeval.significance import soft_pairwise_accuracy, superiority
from mteval_core.resampling import CHUNK, all_swaps, bootstrap, percentile_interval, swaps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.metaeval.correlation import Coefficient, Grouping
    from mteval_core.metaeval.study import Draw, Study
    from mteval_core.resampling import Interval

__all__ = [
    "CALIBRATED",
    "DIFFERENTIALS",
    "SEGMENT_LEVEL",
    "SOFT",
    "SYSTEM_LEVEL",
    "WITHOUT_OUTLIERS",
    "Correlation",
    "Mark",
    "Resampling",
    "lin_och_table",
    "segment_level",
    "system_level",
]

Mark = Literal["", "best", "equal"]
Bar = Callable[["Iterable[Any]", int], "Iterable[Any]"]
Quantity = Callable[["NDArray[np.float64]", "NDArray[np.float64]", int], "NDArray[np.float64]"]
"""From scores of metrics and people, shape (..., n_systems), and the number of the criterion."""

CARRIED = 0.1
"""A difference of the coefficient with and without outliers that is worth a note."""

UNCOUNTABLE = 63
"""With so many units or more, the ways of exchanging them are not even counted."""


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
CALIBRATED = "calibrated accuracy"

SYSTEM_LEVEL: dict[str, Callable[..., NDArray[np.float64]]] = {
    **COEFFICIENTS,
    DIFFERENTIALS: _differential,
    "pairwise accuracy": accuracy_of_systems,
}
"""What is computed from the scores of systems."""

SEGMENT_LEVEL: dict[str, Coefficient] = {**COEFFICIENTS, "pairwise accuracy": pairwise_accuracy}
"""What is computed from the scores of segments."""


def system_level(
    study: Study, resampling: Resampling | None = None, bar: Bar = quiet
) -> tuple[list[Correlation], list[str]]:
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
    list of str
        Notes for the reader.
    """
    resampling = resampling or Resampling()
    quantities = {name: _of_systems(function) for name, function in SYSTEM_LEVEL.items()}
    resampled = resample(study, quantities, resampling, bar)
    found = _correlations(study, quantities, resampled, resampling)
    without = _without_outliers(study)
    notes = [*_constant_notes(study), *_outlier_notes(study, found, without)]
    found += without
    if study.judged_items and len(study.systems) > 1:
        found += _soft(study, resampling)
    return found, notes


def lin_och_table(
    study: Study,
    resampling: Resampling | None = None,
    coefficients: Sequence[str] = ("pearson", "spearman"),
    bar: Bar = quiet,
) -> tuple[list[Correlation], list[str]]:
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
    list of str
        Notes for the reader.
    """
    resampling = resampling or Resampling()
    quantities = {name: _of_systems(COEFFICIENTS[name]) for name in coefficients}
    resampled = resample(study, quantities, resampling, bar)
    found = _correlations(study, quantities, resampled, resampling)
    found = _marked(study, found, resampled, resampling.level)
    notes = _constant_notes(study)
    if "pearson" in coefficients:
        without = _without_outliers(study)
        notes += _outlier_notes(study, found, without)
        found += without
    return found, notes


def _of_systems(function: Callable[..., NDArray[np.float64]]) -> Quantity:
    return lambda metrics, humans, _criterion: function(metrics, humans)


def resample(
    study: Study, quantities: Mapping[str, Quantity], resampling: Resampling, bar: Bar = quiet
) -> NDArray[np.float64]:
    """Compute quantities of systems on every resample.

    Returns
    -------
    ndarray of float64, shape (n_quantities, n_criteria, n_measures, n_resamples)
        One number for each result and resample is all that is kept.
    """
    shape = (len(quantities), len(study.criteria), len(study.measures), resampling.n)
    found = np.empty(shape)
    chunks = study.resamples(resampling.n, resampling.seed, resampling.draw)
    start = 0
    for metrics, humans in bar(chunks, math.ceil(resampling.n / CHUNK)):
        stop = start + len(metrics)
        for q, quantity in enumerate(quantities.values()):
            for c in range(len(study.criteria)):
                found[q, c, :, start:stop] = quantity(metrics, humans[:, c : c + 1], c).T
        start = stop
    return found


def _correlations(
    study: Study,
    quantities: Mapping[str, Quantity],
    resampled: NDArray[np.float64],
    resampling: Resampling,
) -> list[Correlation]:
    """Values on the whole test set and intervals, criterion by criterion, metric by metric."""
    metrics, humans = study.totals
    return [
        Correlation(
            measure.name,
            measure.set,
            criterion.name,
            name,
            "",
            float(quantity(metrics[k], humans[c], c)),
            int(np.sum(~np.isnan(humans[c]))),
            interval_of(resampled[q, c, k], resampling.level),
        )
        for c, criterion in enumerate(study.criteria)
        for k, measure in enumerate(study.measures)
        for q, (name, quantity) in enumerate(quantities.items())
    ]


def _marked(
    study: Study, found: list[Correlation], resampled: NDArray[np.float64], level: float
) -> list[Correlation]:
    """Mark the best metric of each set, and those not significantly different from it."""
    places: dict[tuple[str, str, str], list[int]] = {}
    for i, record in enumerate(found):
        if not math.isnan(record.value):
            places.setdefault((record.criterion, record.quantity, record.set), []).append(i)
    n_quantities, _, n_measures, _ = resampled.shape
    marked = list(found)
    for alike in places.values():
        best = max(alike, key=lambda i: found[i].value)
        if len(alike) < 2:
            continue
        for i in alike:
            # `found` is criterion by criterion, metric by metric, quantity by quantity.
            (c, k, q), (_, k_best, _) = (
                np.unravel_index(j, (len(study.criteria), n_measures, n_quantities))
                for j in (i, best)
            )
            lead = interval_of(resampled[q, c, k_best] - resampled[q, c, k], level)
            if found[i].value == found[best].value:
                marked[i] = replace(found[i], mark="best")
            elif lead is not None and lead.low <= 0:
                marked[i] = replace(found[i], mark="equal")
    return marked


def _without_outliers(study: Study) -> list[Correlation]:
    """Pearson's coefficient where there are outliers, without them."""
    metrics, humans = study.totals
    return [
        Correlation(
            measure.name,
            measure.set,
            criterion.name,
            WITHOUT_OUTLIERS,
            "",
            float(pearson(metrics[k][~far], humans[c][~far])),
            int(np.sum(~np.isnan(humans[c][~far]))),
        )
        for c, criterion in enumerate(study.criteria)
        if (far := outliers(humans[c])).any()
        for k, measure in enumerate(study.measures)
    ]


def _constant_notes(study: Study) -> list[str]:
    """Say where no coefficient can be: scores that do not vary."""
    metrics, humans = study.totals
    names = [measure.name for measure in study.measures] + [c.name for c in study.criteria]
    constant = [
        name
        for name, scores in zip(names, [*metrics, *humans], strict=True)
        if len(study.systems) > 1 and np.nanmax(scores) == np.nanmin(scores)
    ]
    return [
        f"{name} gives all systems the same score: its coefficients are not defined."
        for name in dict.fromkeys(constant)
    ]


def _outlier_notes(study: Study, found: list[Correlation], without: list[Correlation]) -> list[str]:
    """Say which systems are outliers, and for which metrics they carry Pearson's coefficient."""
    pearsons = {(r.criterion, r.metric, r.set): r.value for r in found if r.quantity == "pearson"}
    notes = []
    for criterion, human in zip(study.criteria, study.totals[1], strict=True):
        far = outliers(human)
        if not far.any():
            continue
        names = ", ".join(name for name, out in zip(study.systems, far, strict=True) if out)
        are, it = ("is an outlier", "it") if far.sum() == 1 else ("are outliers", "them")
        here = [record for record in without if record.criterion == criterion.name]
        moved = [
            record
            for record in here
            if not abs(pearsons[record.criterion, record.metric, record.set] - record.value)
            < CARRIED
        ]
        change = (
            f"changes by {CARRIED} or more for {len(moved)} of {len(here)} metrics"
            if moved
            else "is much the same for every metric"
        )
        notes.append(
            f"{criterion.name}: {names} {are} by the human scores. Without {it} Pearson's "
            f"coefficient {change}."
        )
    return notes


def _soft(study: Study, resampling: Resampling) -> list[Correlation]:
    """Soft pairwise accuracy: paired permutation tests of all systems, by rows of statistics."""
    n, n_trials = len(study.units), resampling.n or 1000
    exact = n < UNCOUNTABLE and 2**n <= n_trials

    def p_values(rows: NDArray[np.float64], score: Callable[..., Any]) -> NDArray[np.float64]:
        masks = all_swaps(n) if exact else swaps(n, n_trials, resampling.seed)
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


def segment_level(
    study: Study,
    resampling: Resampling | None = None,
    groupings: Sequence[Grouping] = GROUPINGS,
    bar: Bar = quiet,
) -> tuple[list[Correlation], list[str]]:
    """Correlate the scores of segments, or of documents if these are the units.

    Parameters
    ----------
    study : Study
    resampling : Resampling, optional
        How intervals are drawn; 1000 resamples, unless given.
    groupings : sequence of {"none", "item", "system"}
        What is compared with each other: all outputs, the outputs of all systems for one item, all
        outputs of one system. Coefficients are means over the items or systems for which they are
        defined.
    bar : callable
        ``bar(steps, total)`` gives the steps back and may show progress.

    Returns
    -------
    list of Correlation
        For each criterion, metric and grouping the three coefficients, pairwise accuracy, and
        pairwise accuracy with the metric's ties calibrated. With the grouping ``item`` they have
        intervals, by bootstrap over the items.
    list of str
        Notes for the reader.

    Raises
    ------
    UsageError
        If only systems were judged.
    """
    study.need_items("the segment level")
    resampling = resampling or Resampling()
    found: list[Correlation] = []
    by_item: dict[int, NDArray[np.float64]] = {}
    pairs = [(c, k) for c in range(len(study.criteria)) for k in range(len(study.measures))]
    for c, k in bar(pairs, len(pairs)):
        metric, human = study.item_scores[k], study.human_items[c]
        measure, criterion = study.measures[k], study.criteria[c]
        record = partial(Correlation, measure.name, measure.set, criterion.name)
        judged = int(np.sum(~np.isnan(human)))
        for grouping in groupings:
            x, y = groups(metric, grouping), groups(human, grouping)
            for name, coefficient in SEGMENT_LEVEL.items():
                values = coefficient(x, y)
                if grouping == "item":
                    by_item[len(found)] = values
                found.append(record(name, grouping, float(mean_over_groups(values)), judged))
            epsilon, accuracy = tie_calibration(metric, human, grouping, resampling.seed)
            found.append(record(CALIBRATED, grouping, accuracy, judged, epsilon=epsilon))
    if by_item and resampling.n:
        means = resampled_means(np.stack(list(by_item.values())), resampling)
        for place, resampled in zip(by_item, means, strict=True):
            interval = interval_of(resampled, resampling.level)
            found[place] = replace(found[place], interval=interval)
    return found, _calibration_notes(study, groupings)


def _calibration_notes(study: Study, groupings: Sequence[Grouping]) -> list[str]:
    n_systems, n = len(study.systems), len(study.units)
    n_pairs = {"none": math.comb(n_systems * n, 2), "system": n_systems * math.comb(n, 2)}
    drawn = [grouping for grouping in groupings if n_pairs.get(grouping, 0) > PAIR_LIMIT]
    if not drawn:
        return []
    return [
        f"With the grouping {' and '.join(drawn)} ties were calibrated on {PAIR_LIMIT:,} pairs, "
        f"drawn at random."
    ]


def resampled_means(values: NDArray[np.float64], resampling: Resampling) -> NDArray[np.float64]:
    """Means over resampled items, of the values that are defined.

    Parameters
    ----------
    values : ndarray of float64, shape (..., n_items)
    resampling : Resampling

    Returns
    -------
    ndarray of float64, shape (..., n_resamples)
    """
    present = (~np.isnan(values)).astype(np.float64)
    values = np.nan_to_num(values)

    def chunks() -> Iterator[NDArray[np.float64]]:
        for weights in bootstrap(values.shape[-1], resampling.n, resampling.seed):
            yield quotient(values @ weights.T, present @ weights.T)

    return np.concatenate(list(chunks()), axis=-1)
