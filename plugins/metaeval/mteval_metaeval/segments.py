"""Correlation of metrics with human scores over segments: groups of outputs, and ties.

References
----------
Deutsch, Foster and Freitag 2023, "Ties matter" (pairwise accuracy with ties, tie calibration).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np

from mteval_core import UsageError, bootstrap, in_threads
from mteval_metaeval.correlation import (
    COEFFICIENTS,
    CoefficientName,
    mean_over_groups,
    paired,
    pairwise_accuracy,
)
from mteval_metaeval.missing import quotient
from mteval_metaeval.normal_intervals import interval_of_mean
from mteval_metaeval.notes import SampledCalibration
from mteval_metaeval.resampling import Resampled, Resampling, quiet
from mteval_metaeval.results import Correlation, doubts
from mteval_metaeval.study import OTHER_DRAWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_metaeval.correlation import Coefficient
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Bar
    from mteval_metaeval.study import Draw, Study

__all__ = [
    "CALIBRATED",
    "DRAWN",
    "GROUPINGS",
    "SEGMENT_LEVEL",
    "Grouping",
    "SegmentCoefficient",
    "groups",
    "pair_results",
    "resampled_means",
    "segment_level",
    "tie_calibration",
]

Grouping = Literal["none", "item", "system"]
GROUPINGS: tuple[Grouping, ...] = ("none", "item", "system")

DRAWN: Mapping[Draw, Grouping] = {"segments": "item", "systems": "system"}
"""The grouping whose groups are drawn with replacement."""

PAIR_LIMIT = 2_000_000
"""Largest number of pairs held at once; of more pairs, tie calibration draws this many."""

CALIBRATED = "calibrated accuracy"

Number = TypeVar("Number", np.float64, np.bool_)

SegmentCoefficient = Literal[CoefficientName, "pairwise accuracy"]
SEGMENT_LEVEL: Mapping[str, Coefficient] = {
    **COEFFICIENTS,
    "pairwise accuracy": pairwise_accuracy,
}
"""Quantities that are functions of the scores of segments."""


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
        How intervals are drawn. Default: 1000 resamples of the segments.
    groupings : sequence of {"none", "item", "system"}
        Which outputs are compared with each other: all outputs, the outputs of all systems for one
        item, or all outputs of one system. Coefficients are means over the items or systems for
        which they are defined.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    list of Correlation
        For each criterion, metric and grouping: the three coefficients, pairwise accuracy, and
        pairwise accuracy with calibrated ties.
    list of Note

    Raises
    ------
    UsageError
        If only systems were judged, or segments are drawn and a metric sees those around.

    Notes
    -----
    Intervals exist for the grouping whose groups are drawn: ``item`` if segments are drawn,
    ``system`` if systems are. There a resample is a mean of known coefficients. For the other
    groupings, and for tie calibration, every resample would recompute every coefficient, which
    takes minutes per metric. `rank_metrics` tests differences under every grouping.
    """
    study.need_items("the segment level")
    resampling = (resampling or Resampling()).of_means()
    if resampling.n and resampling.draw == "segments" and "item" in groupings:
        study.need_units_without_context(instead=OTHER_DRAWS)
    correlations: list[Correlation] = []
    of_groups: dict[int, NDArray[np.float64]] = {}
    pairs = [(c, k) for c in range(len(study.criteria)) for k in range(len(study.measures))]

    def calibrated(c: int, k: int) -> list[Correlation]:
        return [_calibrated(study, c, k, grouping, seed=resampling.seed) for grouping in groupings]

    with_ties = in_threads(calibrated, bar(pairs, len(pairs)), resampling.threads)
    for (c, k), of_pair in zip(pairs, with_ties, strict=True):
        for grouping, last in zip(groupings, of_pair, strict=True):
            for record, values in _correlations(study, c, k, grouping):
                if grouping == DRAWN.get(resampling.draw):
                    of_groups[len(correlations)] = values
                correlations.append(record)
            correlations.append(last)
    if of_groups and resampling.n:
        resampled = resampled_means(np.stack(list(of_groups.values())), resampling)
        for k, place in enumerate(of_groups):
            record = correlations[place]
            estimate = resampled.estimate(record.value, k)
            least = interval_of_mean(of_groups[place], resampling.level)
            interval = resampling.interval_of(estimate, record.quantity, least)
            correlations[place] = record.within(interval)
    return correlations, [*_calibration_notes(study, groupings), *doubts(correlations)]


def _correlations(
    study: Study, c: int, k: int, grouping: Grouping
) -> Iterator[tuple[Correlation, NDArray[np.float64]]]:
    """Yield the mean coefficients of a metric and a criterion, and those of each group."""
    x, y = groups(study.item_scores[k], grouping), groups(study.human_items[c], grouping)
    for name, coefficient in SEGMENT_LEVEL.items():
        values = coefficient(x, y)
        mean = float(mean_over_groups(values))
        yield _record(study, c, k, grouping=grouping, quantity=name, value=mean), values


def _calibrated(study: Study, c: int, k: int, grouping: Grouping, *, seed: int) -> Correlation:
    """Compute pairwise accuracy with calibrated ties."""
    metric, human = study.item_scores[k], study.human_items[c]
    epsilon, accuracy = tie_calibration(metric, human, grouping, seed)
    record = _record(study, c, k, grouping=grouping, quantity=CALIBRATED, value=accuracy)
    return replace(record, epsilon=epsilon)


def _record(
    study: Study, c: int, k: int, *, grouping: Grouping, quantity: str, value: float
) -> Correlation:
    return Correlation(
        metric=study.measures[k].name,
        set=study.measures[k].set,
        criterion=study.criteria[c].name,
        quantity=quantity,
        grouping=grouping,
        value=value,
        n=int(np.sum(~np.isnan(study.human_items[c]))),
    )


def _calibration_notes(study: Study, groupings: Sequence[Grouping]) -> list[Note]:
    drawn = []
    for grouping in groupings:
        n = np.sum(~np.isnan(groups(study.human_items, grouping)), axis=-1)
        if np.any(np.sum(n * (n - 1) // 2, axis=-1) > PAIR_LIMIT):
            drawn.append(grouping)
    return [SampledCalibration(tuple(drawn), PAIR_LIMIT)] if drawn else []


def resampled_means(values: NDArray[np.float64], resampling: Resampling) -> Resampled:
    """Compute means over resampled groups, and without each group; NaN does not count.

    Parameters
    ----------
    values : ndarray of float64, shape (..., n_groups)
    resampling : Resampling

    Returns
    -------
    Resampled
        Arrays of shape (..., n_resamples) and (..., n_groups).
    """
    present = (~np.isnan(values)).astype(np.float64)
    values = np.nan_to_num(values)
    draws = bootstrap(values.shape[-1], resampling.n, resampling.seed)

    def of_chunk(drawn: NDArray[np.uint8]) -> NDArray[np.float64]:
        weights = drawn.astype(np.float64)
        return quotient(values @ weights.T, present @ weights.T)

    means = in_threads(of_chunk, ((weights,) for weights in draws), resampling.threads)
    total, n = values.sum(axis=-1, keepdims=True), present.sum(axis=-1, keepdims=True)
    return Resampled(np.concatenate(means, axis=-1), (quotient(total - values, n - present),))


def groups(scores: NDArray[Number], grouping: Grouping) -> NDArray[Number]:
    """Arrange scores so that the last axis holds the scores that are compared with each other.

    Parameters
    ----------
    scores : ndarray of float64 or bool, shape (..., n_systems, n_items)
    grouping : {"none", "item", "system"}
        All scores together; the systems on an item; the items of a system.

    Returns
    -------
    ndarray of float64 or bool, shape (..., n_groups, n)

    Raises
    ------
    UsageError
        If the grouping is unknown.
    """
    if grouping == "item":
        return np.swapaxes(scores, -1, -2)
    if grouping == "none":
        return scores.reshape(*scores.shape[:-2], 1, -1)
    if grouping != "system":
        raise UsageError(f"grouping {grouping!r}: expected {', '.join(GROUPINGS)}")
    return scores


def tie_calibration(
    metric: NDArray[np.float64],
    human: NDArray[np.float64],
    grouping: Grouping = "item",
    seed: int = 12345,
) -> tuple[float, float]:
    """Find the threshold for ties that gives a metric its best pairwise accuracy.

    Parameters
    ----------
    metric, human : ndarray of float64, shape (n_systems, n_items)
        NaN is a missing value.
    grouping : {"none", "item", "system"}
        Which outputs form pairs.
    seed : int
        Seed for drawing pairs if there are more than 2,000,000.

    Returns
    -------
    epsilon : float
        The smallest best threshold: 0, or a difference that occurs. Differences up to it are ties.
    accuracy : float
        `pairwise_accuracy` with these ties, averaged over groups; NaN without pairs.

    Notes
    -----
    Section 5 of Deutsch et al. 2023. All thresholds are tried in ascending order. A pair that
    becomes a tie adds to the accuracy if the human scores are tied, and subtracts from it if it was
    concordant; a discordant pair remains an error.
    """
    usable = _usable(metric, human, grouping)
    if not usable:
        return 0.0, float("nan")
    untied, gap, gain = _gains(usable, np.random.default_rng(seed))
    order = np.argsort(gap, kind="stable")
    gap = gap[order]
    # A threshold ties all pairs with the same difference: only the last of a run counts.
    last = np.append(gap[1:] != gap[:-1], True) if len(gap) else np.zeros(0, bool)
    thresholds = np.append(0.0, gap[last])
    accuracies = np.append(untied, untied + np.cumsum(gain[order])[last])
    best = int(np.argmax(accuracies >= accuracies.max() - 1e-12))
    return float(thresholds[best]), float(accuracies[best])


def pair_results(
    metric: NDArray[np.float64],
    human: NDArray[np.float64],
    epsilon: float,
    *,
    grouping: Grouping = "item",
    seed: int = 12345,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Tell which pairs of outputs a metric orders as humans do.

    Parameters
    ----------
    metric, human : ndarray of float64, shape (n_systems, n_items)
        NaN is a missing value.
    epsilon : float
        Differences of the metric up to this are ties.
    grouping, seed
        As for `tie_calibration`.

    Returns
    -------
    weight : ndarray of float64, shape (n_pairs,)
        How much each pair counts; the sum is 1.
    right : ndarray of bool, shape (n_pairs,)
        Whether the order is right; a tie is right if it is a tie on both sides.
    """
    usable = _usable(metric, human, grouping)
    rng, share = np.random.default_rng(seed), _share(usable)
    weights, right = [np.empty(0)], [np.empty(0, bool)]
    for a, b in usable:
        i, j = _some_pairs(len(a), share, rng)
        by_metric, by_human = a[i] - a[j], b[i] - b[j]
        order = np.where(np.abs(by_metric) <= epsilon, 0, np.sign(by_metric))
        weights.append(np.full(len(i), 1 / (len(usable) * len(i))))
        right.append(order == np.sign(by_human))
    return np.concatenate(weights), np.concatenate(right)


def _usable(
    metric: NDArray[np.float64], human: NDArray[np.float64], grouping: Grouping
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """List the scores of metric and humans in each group with a pair of outputs."""
    x, y = paired(groups(metric, grouping), groups(human, grouping))
    usable = [(a[~np.isnan(a)], b[~np.isnan(b)]) for a, b in zip(x, y, strict=True)]
    return [(a, b) for a, b in usable if len(a) > 1]


def _share(scores: list[tuple[NDArray[np.float64], NDArray[np.float64]]]) -> float:
    """Return the share of all pairs that is drawn."""
    n_pairs = sum(len(a) * (len(a) - 1) / 2 for a, _ in scores)
    return min(1.0, PAIR_LIMIT / n_pairs) if n_pairs else 1.0


def _gains(
    scores: list[tuple[NDArray[np.float64], NDArray[np.float64]]], rng: np.random.Generator
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Compute what ties change.

    Parameters
    ----------
    scores : list of (ndarray, ndarray)
        Scores of the metric and human scores, group by group.
    rng : numpy.random.Generator
        Draws pairs if there are more than `PAIR_LIMIT`.

    Returns
    -------
    untied : float
        Accuracy without a threshold.
    gap : ndarray of float64
        Differences of the metric in pairs whose tie changes the accuracy.
    gain : ndarray of float64
        By how much such a tie changes it.
    """
    share = _share(scores)
    gaps, gains, untied = [], [], 0.0
    for a, b in scores:
        i, j = _some_pairs(len(a), share, rng)
        by_metric, by_human = a[i] - a[j], b[i] - b[j]
        weight = 1 / (len(scores) * len(i))
        won = (by_human == 0) & (by_metric != 0)
        lost = by_metric * by_human > 0
        untied += weight * (np.count_nonzero(lost) + np.count_nonzero((by_human == 0) & ~won))
        gaps += [np.abs(by_metric[won]), np.abs(by_metric[lost])]
        gains += [np.full(len(gaps[-2]), weight), np.full(len(gaps[-1]), -weight)]
    return untied, np.concatenate(gaps), np.concatenate(gains)


def _some_pairs(
    n: int, share: float, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List all pairs of n, or draw a share of them."""
    if share == 1:
        i, j = np.triu_indices(n, 1)
        return i, j
    count = max(1, int(share * n * (n - 1) / 2))
    i = rng.integers(0, n, count)
    return i, (i + rng.integers(1, n, count)) % n
