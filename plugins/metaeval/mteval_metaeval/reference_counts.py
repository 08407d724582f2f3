"""Correlation of metrics by the number of references.

References
----------
Lavie, Sagae and Jayaraman 2004, "The significance of recall in automatic metrics for MT
evaluation", section 5 (the utility of multiple references).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Estimate
from mteval_metaeval.contests import contest_of
from mteval_metaeval.normal_intervals import interval_of_coefficient
from mteval_metaeval.resampling import Resampling, marks_of, quiet
from mteval_metaeval.results import covering
from mteval_metaeval.segments import DRAWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import Interval
    from mteval_metaeval.contests import Contest, ContestCoefficient
    from mteval_metaeval.resampling import Bar
    from mteval_metaeval.results import Mark
    from mteval_metaeval.segments import Grouping
    from mteval_metaeval.study import Study

__all__ = ["ReferenceCount", "by_reference_count"]


@dataclass(frozen=True, kw_only=True)
class ReferenceCount:
    """Correlation of a metric with a number of references.

    Parameters
    ----------
    metric, set, criterion : str
        As in `Correlation`.
    n_references : int
        Number of references.
    n_choices : int
        Number of choices of that many references.
    value : float
        Mean of the coefficient over the choices; NaN if one is not defined.
    interval : Interval or None
        Bootstrap interval of this mean.
    mark : {"best", "equal", ""}
        Whether it is the best metric with this number of references, or not significantly different
        from the best.
    """

    metric: str
    set: str
    criterion: str
    n_references: int
    n_choices: int
    value: float
    interval: Interval | None = None
    mark: Mark = ""


def by_reference_count(
    studies: Sequence[tuple[int, Study]],
    coefficient: ContestCoefficient = "pearson",
    grouping: Grouping | None = None,
    *,
    resampling: Resampling | None = None,
    bar: Bar = quiet,
) -> list[ReferenceCount]:
    """Correlate metrics with human scores for each number of references.

    Parameters
    ----------
    studies : sequence of (int, Study)
        A study for each choice of references, with the number of references.
    coefficient, grouping
        As for `rank_metrics`.
    resampling : Resampling, optional
        How intervals are drawn. Default: 1000 resamples of the segments.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    list of ReferenceCount
        For each criterion and number of references, all metrics.

    Notes
    -----
    All choices of references are resampled together, so that an interval is that of their mean.
    There are intervals for systems, and for segments if the groups are what is drawn.
    """
    resampling = resampling or Resampling()
    if grouping is not None:
        resampling = resampling.of_means()
    contests: dict[int, list[Contest]] = {}
    for size, study in bar(studies, len(studies)):
        contests.setdefault(size, []).append(
            contest_of(study, coefficient, grouping, resampling=resampling, alternative="greater")
        )
    has_intervals = resampling.n > 0 and coefficient != "calibrated accuracy"
    has_intervals &= grouping in (None, DRAWN.get(resampling.draw))
    return [
        record
        for c in range(len(studies[0][1].criteria))
        for size, of_size in contests.items()
        for record in _of_size(of_size, c, size, resampling=resampling, resampled=has_intervals)
    ]


def _of_size(
    contests: Sequence[Contest], c: int, size: int, *, resampling: Resampling, resampled: bool
) -> Iterator[ReferenceCount]:
    """Average all metrics over the choices of references of one size."""
    study, quantity = contests[0].study, contests[0].coefficient
    of_systems = contests[0].grouping is None
    n_systems = int(np.sum(~np.isnan(study.totals[1][c]))) if of_systems else 0
    estimates = [
        _mean([contest.estimate_of(c, k, resampled=resampled) for contest in contests])
        for k in range(len(study.measures))
    ]
    sets = [measure.set for measure in study.measures]
    for name in dict.fromkeys(sets):
        places = [k for k, other in enumerate(sets) if other == name]
        marks = marks_of([estimates[k] for k in places], resampling)
        for k, mark in zip(places, marks, strict=True):
            yield ReferenceCount(
                metric=study.measures[k].name,
                set=name,
                criterion=study.criteria[c].name,
                n_references=size,
                n_choices=len(contests),
                value=estimates[k].value,
                interval=_interval(estimates[k], quantity, n_systems, resampling),
                mark=mark,
            )


def _interval(
    estimate: Estimate, quantity: str, n_systems: int, resampling: Resampling
) -> Interval | None:
    """Compute the interval of a mean coefficient, which contains it."""
    least = interval_of_coefficient(quantity, estimate.value, n_systems, resampling.level)
    interval = resampling.interval_of(estimate, quantity, least)
    return interval and covering(interval, estimate.value)


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    """Average estimates that were resampled together."""
    left_out = zip(*(each.left_out for each in estimates), strict=True)
    return Estimate(
        float(np.mean([each.value for each in estimates])),
        np.mean([each.resamples for each in estimates], axis=0),
        [np.mean(of_all, axis=0) for of_all in left_out],
    )
