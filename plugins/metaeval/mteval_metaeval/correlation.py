"""Coefficients of agreement between metric scores and human scores.

All functions work along the last axis, so that a thousand resamples take one call. A missing value
is NaN; a pair counts if neither side is missing. An undefined coefficient (fewer than two pairs, or
a side that does not vary) is NaN.

References
----------
Kendall 1945, "The treatment of ties in ranking problems" (tau-b).
Lavie, Sagae and Jayaraman 2004, "The significance of recall in automatic metrics for MT
evaluation", section 4.2 (differentials).
Mathur, Baldwin and Cohn 2020, "Tangled up in BLEU", section 4 (outliers).
Kocmi et al. 2021, "To ship or not to ship" (pairwise accuracy of systems).
Deutsch, Foster and Freitag 2023, "Ties matter" (pairwise accuracy with ties).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core import UnknownNameError
from mteval_metaeval.missing import quotient
from mteval_metaeval.pair_counts import pair_counts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mteval_metaeval.pair_counts import PairCounts

__all__ = [
    "COEFFICIENTS",
    "DECIMALS",
    "SOFT",
    "Coefficient",
    "CoefficientName",
    "accuracy_of_pairs",
    "accuracy_of_systems",
    "coefficient_named",
    "differentials",
    "kendall",
    "mean_over_groups",
    "outliers",
    "paired",
    "pairwise_accuracy",
    "pearson",
    "ranks",
    "runs",
    "spearman",
    "tau_of_pairs",
]

CoefficientName = Literal["pearson", "spearman", "kendall"]
Coefficient = Callable[["ArrayLike", "ArrayLike"], "NDArray[np.float64]"]

SOFT = "soft pairwise accuracy"
"""The coefficient of `mteval_metaeval.soft_accuracy`."""

DECIMALS = 10
"""Scores that agree to this many decimals are tied: the order of a sum changes its last bits."""

OUTLYING = 2.5
"""A system is an outlier if it is more robust standard deviations than this from the median."""


def paired(x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mark a value as missing on both sides if it is missing on one."""
    x, y = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
    missing = np.isnan(x) | np.isnan(y)
    return np.where(missing, np.nan, x), np.where(missing, np.nan, y)


def _deviations(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute deviations from the mean, up to a factor; 0 for missing or constant values."""
    present = ~np.isnan(x)
    n = present.sum(axis=-1, keepdims=True)
    high = np.max(x, axis=-1, keepdims=True, initial=-np.inf, where=present)
    low = np.min(x, axis=-1, keepdims=True, initial=np.inf, where=present)
    total = np.sum(x, axis=-1, keepdims=True, where=present)
    mean = np.divide(total, n, out=np.zeros_like(total), where=n > 0)
    # Constant values are detected by comparison: their mean may differ in the last bit.
    deviations = np.where(present & (high > low), x - mean, 0.0)
    # The squares of very small or very large numbers could under- or overflow. Scaling by a power
    # of two changes no digit: sums over ranks stay exact, and equal coefficients equal to the bit.
    _, exponent = np.frexp(np.abs(deviations).max(axis=-1, keepdims=True, initial=0.0))
    scaled: NDArray[np.float64] = np.ldexp(deviations, -exponent)
    return scaled


def pearson(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Compute Pearson's r.

    Parameters
    ----------
    x, y : array_like of float, shape (..., n)
        Broadcast against each other; NaN is a missing value.

    Returns
    -------
    ndarray of float64, shape (...)

    Examples
    --------
    >>> float(pearson([1, 2, 3, 4], [1, 3, 2, 4]))
    0.8
    """
    x, y = map(_deviations, paired(x, y))
    lengths = np.sqrt(np.sum(x * x, axis=-1) * np.sum(y * y, axis=-1))
    return np.clip(quotient(np.sum(x * y, axis=-1), lengths), -1.0, 1.0)


def ranks(x: ArrayLike) -> NDArray[np.float64]:
    """Rank values from 1; equal values share their mean rank, and missing values have none.

    Parameters
    ----------
    x : array_like of float, shape (..., n)

    Returns
    -------
    ndarray of float64, shape (..., n)

    Examples
    --------
    >>> ranks([30, 10, 10, float("nan")]).tolist()
    [3.0, 1.5, 1.5, nan]
    """
    x = np.asarray(x, np.float64)
    order = np.argsort(x, axis=-1, kind="stable")
    first, last = runs(np.take_along_axis(x, order, axis=-1))
    result = np.empty(x.shape)
    np.put_along_axis(result, order, (first + last) / 2 + 1, axis=-1)
    return np.where(np.isnan(x), np.nan, result)


def runs(ordered: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the run of equal values of each place: its first and its last place.

    Parameters
    ----------
    ordered : ndarray of float64, shape (..., n)
        In ascending order.

    Returns
    -------
    two ndarray of int64, shape (..., n)
    """
    n = ordered.shape[-1]
    place = np.broadcast_to(np.arange(n), ordered.shape)
    differs = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*ordered.shape[:-1], 1), bool)
    begins = np.where(np.concatenate([edge, differs], axis=-1), place, 0)
    ends = np.where(np.concatenate([differs, edge], axis=-1), place, n)
    last = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
    return np.maximum.accumulate(begins, axis=-1), last


def spearman(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Compute Spearman's rho: Pearson's r of the ranks.

    Parameters
    ----------
    x, y : array_like of float, shape (..., n)
        Broadcast against each other; NaN is a missing value.

    Returns
    -------
    ndarray of float64, shape (...)
    """
    x, y = paired(x, y)
    return pearson(ranks(x), ranks(y))


def kendall(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Compute Kendall's tau-b.

    Parameters
    ----------
    x, y : array_like of float, shape (..., n)
        Broadcast against each other; NaN is a missing value.

    Returns
    -------
    ndarray of float64, shape (...)
        (concordant - discordant) / sqrt((pairs - ties of x) (pairs - ties of y)).
    """
    return tau_of_pairs(pair_counts(*paired(x, y)))


def tau_of_pairs(n: PairCounts) -> NDArray[np.float64]:
    """Compute Kendall's tau-b from numbers of pairs."""
    scale = np.sqrt(n.pairs - n.tied_x) * np.sqrt(n.pairs - n.tied_y)
    return np.clip(quotient(n.concordant - n.discordant, scale), -1.0, 1.0)


def pairwise_accuracy(x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
    """Compute the share of pairs that both sides order alike; ties must be ties on both sides.

    Parameters
    ----------
    x, y : array_like of float, shape (..., n)
        Broadcast against each other; NaN is a missing value.

    Returns
    -------
    ndarray of float64, shape (...)
        (concordant + tied on both sides) / pairs: acc_eq of Deutsch et al. 2023, equation 2.
    """
    return accuracy_of_pairs(pair_counts(*paired(x, y)))


def accuracy_of_pairs(n: PairCounts) -> NDArray[np.float64]:
    """Compute pairwise accuracy from numbers of pairs."""
    right = n.concordant + n.tied_both
    return quotient(right, np.broadcast_to(n.pairs, right.shape))


COEFFICIENTS: Mapping[str, Coefficient] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def coefficient_named(name: str, table: Mapping[str, Coefficient]) -> Coefficient:
    """Look up a coefficient by name.

    Raises
    ------
    UnknownNameError
        If the table has no coefficient of this name.
    """
    if name not in table:
        raise UnknownNameError(f"unknown coefficient {name!r}.{UnknownNameError.near(name, table)}")
    return table[name]


def differentials(
    metric: ArrayLike, human: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute the score differences of all pairs of systems: better minus worse.

    The human scores decide which system is better; if they are equal, the metric decides.

    Parameters
    ----------
    metric, human : array_like of float, shape (..., n_systems)
        Broadcast against each other.

    Returns
    -------
    two ndarray of float64, shape (..., n_systems * (n_systems - 1) / 2)
        The numbers to correlate (Lavie et al. 2004, section 4.2). NaN if two systems are equal on
        both sides, as a system is to itself when systems are drawn with replacement.

    Notes
    -----
    Each pair counts once, in an order that does not depend on the order of the systems. If it
    counted in both orders, the correlation would be that of the scores themselves.
    """
    metric, human = np.asarray(metric, np.float64), np.asarray(human, np.float64)
    i, j = np.triu_indices(metric.shape[-1], 1)
    by_metric, by_human = metric[..., i] - metric[..., j], human[..., i] - human[..., j]
    sign = np.sign(np.where(by_human == 0, by_metric, by_human))
    sign[sign == 0] = np.nan
    return sign * by_metric, sign * by_human


def accuracy_of_systems(metric: ArrayLike, human: ArrayLike) -> NDArray[np.float64]:
    """Compute the share of pairs of systems that metric and humans order in the same way.

    Parameters
    ----------
    metric, human : array_like of float, shape (..., n_systems)
        Broadcast against each other; NaN is a missing value.

    Returns
    -------
    ndarray of float64, shape (...)
        Share of the pairs that differ on either side (Kocmi et al. 2021).
    """
    by_metric, by_human = differentials(metric, human)
    right = np.sum((by_metric > 0) & (by_human > 0), axis=-1)
    return quotient(right, np.sum(~np.isnan(by_metric + by_human), axis=-1))


def outliers(human: ArrayLike) -> NDArray[np.bool_]:
    """Find systems so far from the others that they alone can raise Pearson's coefficient.

    Parameters
    ----------
    human : array_like of float, shape (n_systems,)

    Returns
    -------
    ndarray of bool, shape (n_systems,)
        |score - median| / (1.483 median |score - median|) > 2.5 (Mathur et al. 2020). There are no
        outliers if more than half of the scores are equal.
    """
    human = np.asarray(human, np.float64)
    if np.isnan(human).all():
        return np.zeros(human.shape, bool)
    distance = np.abs(human - np.nanmedian(human))
    spread = 1.483 * np.nanmedian(distance)
    far: NDArray[np.bool_] = (distance > OUTLYING * spread) & (spread > 0)
    return far


def mean_over_groups(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average the coefficients that are defined, shape (..., n_groups) to (...)."""
    defined = ~np.isnan(values)
    return quotient(np.sum(values, axis=-1, where=defined), defined.sum(axis=-1))
