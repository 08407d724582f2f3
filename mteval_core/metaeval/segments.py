"""What a metric is worth on segments: coefficients within groups of outputs, and ties.

References
----------
Deutsch, Foster and Freitag 2023, "Ties matter" (pairwise accuracy with ties, tie calibration).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import bootstrap
from mteval_core.metaeval.correlation import (
    COEFFICIENTS,
    mean_over_groups,
    paired,
    pairwise_accuracy,
    quotient,
)
from mteval_core.metaeval.experiments import Correlation, Resampling, interval_of, quiet
from mteval_core.metaeval.notes import SampledCalibration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.metaeval.correlation import Coefficient
    from mteval_core.metaeval.experiments import Bar
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.study import Draw, Study

__all__ = [
    "CALIBRATED",
    "GROUPINGS",
    "SEGMENT_LEVEL",
    "Grouping",
    "groups",
    "segment_level",
    "tie_calibration",
]

Grouping = Literal["none", "item", "system"]
GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")

DRAWN: dict[Draw, Grouping] = {"segments": "item", "systems": "system"}
"""The groups that are drawn with replacement."""

PAIR_LIMIT = 2_000_000
"""More pairs than these are not held at once: tie calibration draws as many of them."""

CALIBRATED = "calibrated accuracy"

SEGMENT_LEVEL: dict[str, Coefficient] = {**COEFFICIENTS, "pairwise accuracy": pairwise_accuracy}
"""What is computed from the scores of segments."""


def segment_level(
    study: Study,
    resampling: Resampling | None = None,
    groupings: Sequence[Grouping] = GROUPINGS,
    bar: Bar = quiet,
) -> tuple[list[Correlation], list[Note]]:
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
        pairwise accuracy with the metric's ties calibrated.
    list of Note

    Raises
    ------
    UsageError
        If only systems were judged.

    Notes
    -----
    Where what is drawn are the groups, items or systems, the coefficients are means over them and
    the intervals cost nothing: those of the groupings ``item`` or ``system``. The others would take
    every coefficient anew on every resample, minutes for each metric on a test set of usual size,
    and so would the threshold of tie calibration: they have none. `rank_metrics` tests differences
    under every grouping.
    """
    study.need_items("the segment level")
    resampling = resampling or Resampling()
    found: list[Correlation] = []
    of_groups: dict[int, NDArray[np.float64]] = {}
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
                if grouping == DRAWN.get(resampling.draw):
                    of_groups[len(found)] = values
                found.append(record(name, grouping, float(mean_over_groups(values)), judged))
            epsilon, accuracy = tie_calibration(metric, human, grouping, resampling.seed)
            found.append(record(CALIBRATED, grouping, accuracy, judged, epsilon=epsilon))
    if of_groups and resampling.n:
        means = resampled_means(np.stack(list(of_groups.values())), resampling)
        for place, resampled in zip(of_groups, means, strict=True):
            interval = interval_of(resampled, resampling.level)
            found[place] = replace(found[place], interval=interval)
    return found, _calibration_notes(study, groupings)


def _calibration_notes(study: Study, groupings: Sequence[Grouping]) -> list[Note]:
    drawn = []
    for grouping in groupings:
        n = np.sum(~np.isnan(groups(study.human_items, grouping)), axis=-1)
        if np.any(np.sum(n * (n - 1) // 2, axis=-1) > PAIR_LIMIT):
            drawn.append(grouping)
    return [SampledCalibration(tuple(drawn), PAIR_LIMIT)] if drawn else []


def resampled_means(values: NDArray[np.float64], resampling: Resampling) -> NDArray[np.float64]:
    """Means over resampled groups, of the values that are defined.

    Parameters
    ----------
    values : ndarray of float64, shape (..., n_groups)
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


def groups(scores: NDArray[np.float64], grouping: Grouping) -> NDArray[np.float64]:
    """Arrange scores so that the last axis holds what is compared with each other.

    Parameters
    ----------
    scores : ndarray of float64, shape (..., n_systems, n_items)
    grouping : {"none", "item", "system"}
        All scores together; the systems on an item; the items of a system.

    Returns
    -------
    ndarray of float64, shape (..., n_groups, n)
    """
    if grouping == "item":
        return np.swapaxes(scores, -1, -2)
    if grouping == "none":
        return scores.reshape(*scores.shape[:-2], 1, -1)
    if grouping != "system":
        message = f"grouping {grouping!r}: expected {', '.join(GROUPINGS)}"
        raise UsageError(message)
    return scores


def tie_calibration(
    metric: NDArray[np.float64],
    human: NDArray[np.float64],
    grouping: Grouping = "item",
    seed: int = 12345,
) -> tuple[float, float]:
    """Find the threshold under which a metric's differences are best called ties.

    Parameters
    ----------
    metric, human : ndarray of float64, shape (n_systems, n_items)
        NaN is a missing value.
    grouping : {"none", "item", "system"}
        Which pairs are formed.
    seed : int
        For drawing pairs where there are more than 2,000,000.

    Returns
    -------
    epsilon : float
        The smallest best threshold: 0 or a difference that occurs. Differences up to it are ties.
    accuracy : float
        `pairwise_accuracy` with these ties, the mean over groups; NaN without pairs.

    Notes
    -----
    Section 5 of Deutsch et al. 2023. All thresholds are tried: with the pairs in order of their
    differences, a pair that becomes a tie is won if it is a human tie, lost if it was concordant,
    and as wrong as before if it was discordant.
    """
    x, y = paired(groups(metric, grouping), groups(human, grouping))
    usable = [(a[~np.isnan(a)], b[~np.isnan(b)]) for a, b in zip(x, y, strict=True)]
    usable = [(a, b) for a, b in usable if len(a) > 1]
    if not usable:
        return 0.0, float("nan")
    share = min(1.0, PAIR_LIMIT / sum(len(a) * (len(a) - 1) / 2 for a, _ in usable))
    rng = np.random.default_rng(seed)
    gaps, gains, untied = [], [], 0.0
    for a, b in usable:
        i, j = _some_pairs(len(a), share, rng)
        by_metric, by_human = a[i] - a[j], b[i] - b[j]
        weight = 1 / (len(usable) * len(i))
        won = (by_human == 0) & (by_metric != 0)
        lost = by_metric * by_human > 0
        untied += weight * (np.count_nonzero(lost) + np.count_nonzero((by_human == 0) & ~won))
        gaps += [np.abs(by_metric[won]), np.abs(by_metric[lost])]
        gains += [np.full(len(gaps[-2]), weight), np.full(len(gaps[-1]), -weight)]
    gap = np.concatenate(gaps)
    order = np.argsort(gap, kind="stable")
    gap = gap[order]
    # A threshold makes ties of all pairs with that difference: only the last of a run counts.
    last = np.append(gap[1:] != gap[:-1], True) if len(gap) else np.zeros(0, bool)
    thresholds = np.append(0.0, gap[last])
    accuracies = np.append(untied, untied + np.cumsum(np.concatenate(gains)[order])[last])
    best = int(np.argmax(accuracies >= accuracies.max() - 1e-12))
    return float(thresholds[best]), float(accuracies[best])


def _some_pairs(
    n: int, share: float, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of n, or a share of them, drawn."""
    if share == 1:
        i, j = np.triu_indices(n, 1)
        return i, j
    count = max(1, int(share * n * (n - 1) / 2))
    i = rng.integers(0, n, count)
    return i, (i + rng.integers(1, n, count)) % n
