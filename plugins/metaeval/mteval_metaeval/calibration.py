r"""Calibration: how often human judgments agree with a metric difference of a given size.

A study is cut into random pseudo test sets, and on each of them every pair of systems has a
difference under the metric and one under the human score. People agree if both have the same sign.

The probability of agreement at a difference x is :math:`\frac12 + (c - \frac12) \tanh(x / s)`: half
without a difference, then changing steadily towards the limit c; s says how fast. Kocmi et al. fit
:math:`a / (1 + e^{-bx})`, which is the same up to constants, except that it begins at half of a.

The estimate is the mean of all curves on a grid of c and s, each weighted by its likelihood, where
all pseudo test sets of a pair of systems count as one. With little data it stays near one half; a
curve of maximal likelihood would jump to 0 or 1. The squared error is the variance of the curves
under these weights plus that of the jackknife over systems, whose pairs are not independent.

References
----------
Kocmi, Zouhar, Federmann and Post 2024, "Navigating the metrics maze: reconciling score magnitudes
and accuracies".
Efron and Stein 1981, "The jackknife estimate of variance".
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import InputError, UsageError
from mteval_metaeval.draws import pseudo_documents
from mteval_metaeval.notes import ConstantScores
from mteval_metaeval.resampling import quiet
from mteval_metaeval.saved_curves import Curve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Bar
    from mteval_metaeval.study import Scores, Study

    Array = NDArray[np.float64]

__all__ = ["calibrate"]

N_BINS = 50
N_POINTS = 41
LIMITS = np.sin(np.pi / 2 * (np.arange(41) + 0.5) / 41) ** 2
SCALES = np.geomspace(0.005, 4, 40)
"""Grid of the curves: limits as dense as Jeffreys' prior of a probability, scales relative to the
largest difference."""


class Pairs(NamedTuple):
    """Pairs of systems, as rows that the likelihood weights.

    Parameters
    ----------
    sizes : ndarray of float64, shape (n_bins,)
        Mean size of the differences in each bin.
    agreed, disagreed : ndarray of float64, shape (n_pairs, n_bins)
        Share of the pseudo test sets on which people agree or not, by the size of the difference.
    largest : float
        The largest difference.
    """

    sizes: Array
    agreed: Array
    disagreed: Array
    largest: float


def calibrate(
    study: Study,
    size: int | None = None,
    count: int = 1000,
    *,
    level: float = 95.0,
    seed: int = 12345,
    bar: Bar = quiet,
) -> tuple[list[Curve], list[Note]]:
    """Measure how often people agree with differences between systems, by their size.

    Parameters
    ----------
    study : Study
        Three systems or more, with judgments of segments or documents.
    size : int, optional
        Number of segments (or documents, ...) in a pseudo test set. Default: half of them.
    count : int
        Number of pseudo test sets.
    level : float
        Confidence level of the intervals, in percent.
    seed : int
        Seed of ``numpy.random.default_rng``.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    list of Curve
        For every metric and criterion, unless the metric gives all systems the same score.
    list of Note

    Raises
    ------
    UsageError
        If only systems were judged, there are not so many units, or a metric sees those around.
    InputError
        If there are fewer than three systems.
    """
    study.need_items("calibration")
    study.need_units_without_context()
    if len(study.systems) < 3:
        raise InputError(
            f"calibration needs three judged systems or more, got {len(study.systems)}"
        )
    n = len(study.units)
    size = max(1, n // 2) if size is None else size
    if not 0 < size <= n:
        raise UsageError(
            f"pseudo test sets of {size} {study.unit}s; expected 1 to {n}, the whole test set"
        )
    drawn = list(study.scores(pseudo_documents(n, count, seed, size)))
    metrics, humans = (np.concatenate(scores) for scores in zip(*drawn, strict=True))
    places = [(c, k) for c in range(humans.shape[1]) for k in range(metrics.shape[1])]
    curves: list[Curve] = []
    constant: dict[str, None] = {}
    for c, k in bar(places, len(places)):
        measure, criterion = study.measures[k], study.criteria[c].name
        pairs = pairs_of((metrics[:, k], humans[:, c]))
        if pairs is None:
            constant[measure.name] = None
            continue
        sizes = pairs.largest * np.linspace(0, 1, N_POINTS) ** 2
        ends = fitted(pairs, sizes, len(study.systems), level)
        named = measure.name, measure.set, criterion, measure.signature
        curves.append(Curve(*named, level, sizes, *ends))
    return curves, [ConstantScores(name) for name in constant]


def pairs_of(scores: Scores) -> Pairs | None:
    """Count on how many pseudo test sets people agree about each pair of systems.

    Parameters
    ----------
    scores : tuple of ndarray of float64, shape (n_sets, n_systems)
        Scores of a metric, and human scores. Where people do not prefer a system of a pair, or did
        not judge both, the pair does not count.

    Returns
    -------
    Pairs or None
        None if the metric gives all systems the same score.
    """
    i, j = np.triu_indices(scores[0].shape[1], 1)
    metric, human = (each[:, i] - each[:, j] for each in scores)
    sizes, preferred = np.abs(metric), np.nan_to_num(np.sign(human))
    largest = float(sizes.max())
    if largest == 0:
        return None
    edges = np.unique(np.quantile(sizes, np.arange(1, N_BINS) / N_BINS))
    n_bins, n_pairs = len(edges) + 1, len(i)
    bins = np.searchsorted(edges, sizes, side="right")
    filled = np.bincount(bins.ravel(), minlength=n_bins)
    means = np.bincount(bins.ravel(), sizes.ravel(), n_bins) / np.maximum(filled, 1)
    cells = (bins + n_bins * np.arange(n_pairs)).ravel()

    def shares(which: NDArray[np.bool_]) -> Array:
        counts = np.bincount(cells, which.ravel(), n_bins * n_pairs)
        return counts.reshape(n_pairs, n_bins) / len(sizes)

    product = np.sign(metric) * preferred
    return Pairs(means, shares(product > 0), shares(product < 0), largest)


def fitted(pairs: Pairs, differences: Array, n_systems: int, level: float) -> list[Array]:
    """Compute the curve, and the ends of its interval, at some differences.

    Returns
    -------
    list of three ndarray of float64, shape (n_differences,)
    """
    from threadpoolctl import threadpool_limits

    i, j = np.triu_indices(n_systems, 1)
    system = np.arange(n_systems)[:, None]
    kept = np.vstack([np.ones(len(i)), (i != system) & (j != system)])
    # In products this small, BLAS threads only wait for each other.
    with threadpool_limits(1, user_api="blas"):
        weights, curves = likelihoods(pairs, kept), shapes(differences / pairs.largest)
        means = weights @ curves
    estimate, without = means[0], means[1:]
    jackknife = (n_systems - 1) / n_systems * np.sum((without - without.mean(axis=0)) ** 2, axis=0)
    spread = weights[0] @ (curves - estimate) ** 2
    reach = -NormalDist().inv_cdf(0.5 - level / 200) * np.sqrt(jackknife + spread)
    return [estimate, np.maximum(estimate - reach, 0.0), np.minimum(estimate + reach, 1.0)]


def shapes(sizes: Array) -> Array:
    """Compute all curves of the grid at relative differences, shape (n_curves, n_sizes)."""
    rise = np.tanh(sizes / SCALES[:, None])
    return (0.5 + (LIMITS[:, None, None] - 0.5) * rise).reshape(-1, len(sizes))


def likelihoods(pairs: Pairs, kept: Array) -> Array:
    """Weight the curves of the grid by their likelihood.

    Parameters
    ----------
    pairs : Pairs
    kept : ndarray of float64, shape (n_fits, n_pairs)
        How often each pair counts.

    Returns
    -------
    ndarray of float64, shape (n_fits, n_curves)
        Each row has the sum 1.
    """
    p = shapes(pairs.sizes / pairs.largest)
    logs = kept @ pairs.agreed @ np.log(p).T + kept @ pairs.disagreed @ np.log1p(-p).T
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float64)
