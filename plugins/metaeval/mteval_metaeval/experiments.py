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
Thompson et al. 2024 (soft pairwise accuracy): see `mteval_metaeval.soft_accuracy`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mteval_metaeval.correlation import (
    COEFFICIENTS,
    accuracy_of_systems,
    coefficient_named,
    differentials,
    outliers,
    pearson,
)
from mteval_metaeval.normal_intervals import interval_of_coefficient
from mteval_metaeval.notes import ConstantScores, NarrowIntervals, NotExchanged, OutlierSystems
from mteval_metaeval.resampling import Resampling, marks_of, quiet, resample
from mteval_metaeval.results import Correlation, doubts
from mteval_metaeval.soft_accuracy import soft_accuracies

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mteval_core import Estimate
    from mteval_metaeval.correlation import Coefficient, CoefficientName
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Bar
    from mteval_metaeval.study import Study

    Drawn = tuple[Correlation, Estimate]

__all__ = [
    "DIFFERENTIALS",
    "SYSTEM_LEVEL",
    "WITHOUT_OUTLIERS",
    "lin_och_table",
    "system_level",
]

CHANGE = 0.1
"""Smallest change of a coefficient without outliers that a note reports."""


def _differential(metric: ArrayLike, human: ArrayLike) -> NDArray[np.float64]:
    return pearson(*differentials(metric, human))


TOO_NARROW = (("systems", "basic"), ("both", "basic"), ("both", "bca"))
"""What is drawn, and kinds of intervals that cover much less than they promise."""

DIFFERENTIALS = "differentials"
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
        differences of all pairs of systems; pairwise accuracy; if items were judged, soft pairwise
        accuracy of mean item scores and of corpus scores; and Pearson without outliers if there
        are outliers.
    list of Note
    """
    resampling = resampling or Resampling()
    correlations = [record for record, _ in _correlations(study, SYSTEM_LEVEL, resampling, bar)]
    without, notes = _outliers(study, correlations)
    correlations += without
    if study.has_item_judgments and len(study.systems) > 1:
        soft, of_soft = _soft_accuracies(study, resampling)
        correlations, notes = correlations + soft, notes + of_soft
    notes += [*_narrow_intervals(resampling), *doubts(correlations)]
    return correlations, [*_constant_notes(study), *notes]


def _soft_accuracies(study: Study, resampling: Resampling) -> tuple[list[Correlation], list[Note]]:
    """Compute soft pairwise accuracy of the metrics whose units can be exchanged."""
    of_units = [m for m in study.measures if m.of_units]
    free = tuple(m for m in of_units if not study.has_context(m))
    bound = tuple(m.name for m in of_units if study.has_context(m))
    notes: list[Note] = [NotExchanged(bound)] if bound else []
    if not free:
        return [], notes
    soft, incomplete = soft_accuracies(replace(study, measures=free), resampling)
    return soft, notes + incomplete


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
        How intervals are drawn. Default: percentile intervals of 1000 resamples of the segments,
        as in the paper.
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
    resampling = resampling or Resampling(interval="percentile")
    functions: dict[str, Coefficient] = {
        name: coefficient_named(name, COEFFICIENTS) for name in coefficients
    }
    correlations = _marked(_correlations(study, functions, resampling, bar), resampling)
    without, notes = _outliers(study, correlations) if "pearson" in coefficients else ([], [])
    notes += [*_narrow_intervals(resampling), *doubts(correlations)]
    return correlations + without, [*_constant_notes(study), *notes]


def _correlations(
    study: Study, functions: Mapping[str, Coefficient], resampling: Resampling, bar: Bar
) -> list[Drawn]:
    """Compute coefficients on the whole test set, with intervals and all that these need."""
    metrics, humans = study.totals
    resampled = resample(study, list(functions.values()), resampling, bar)
    drawn = []
    for c, criterion in enumerate(study.criteria):
        for k, measure in enumerate(study.measures):
            for q, (name, function) in enumerate(functions.items()):
                estimate = resampled.estimate(float(function(metrics[k], humans[c])), q, c, k)
                record = Correlation(
                    metric=measure.name,
                    set=measure.set,
                    criterion=criterion.name,
                    quantity=name,
                    value=estimate.value,
                    n=int(np.sum(~np.isnan(humans[c]))),
                )
                least = interval_of_coefficient(name, record.value, record.n, resampling.level)
                interval = resampling.interval_of(estimate, name, least)
                drawn.append((record.within(interval), estimate))
    return drawn


def _marked(results: list[Drawn], resampling: Resampling) -> list[Correlation]:
    """Mark the best metric of each set, and those not significantly different from it."""
    alike: dict[tuple[str, str, str], list[int]] = {}
    for i, (record, _) in enumerate(results):
        alike.setdefault((record.criterion, record.quantity, record.set), []).append(i)
    marked = [record for record, _ in results]
    for places in alike.values():
        marks = marks_of([results[i][1] for i in places], resampling)
        for i, mark in zip(places, marks, strict=True):
            marked[i] = replace(marked[i], mark=mark)
    return marked


def _narrow_intervals(resampling: Resampling) -> list[Note]:
    """Note a kind of interval that was chosen, and that covers too little over systems."""
    kind, draw = resampling.interval, resampling.draw
    if resampling.n and kind and (draw, kind) in TOO_NARROW:
        return [NarrowIntervals(kind, draw, resampling.level)]
    return []


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
            without.append(replace(record, interval=None, widened=False, mark=""))
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
