"""Soft pairwise accuracy (SPA): agreement of a metric's p-values with those of human scores.

References
----------
Thompson, Mathur, Deutsch and Khayrallah 2024, "Improving statistical significance in human
evaluation of automatic metrics via soft pairwise accuracy".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Estimate, bootstrap, in_threads
from mteval_metaeval.correlation import SOFT, mean_over_groups
from mteval_metaeval.lead_p_values import (
    normal_tail,
    p_values_of_means,
    p_values_of_scores,
)
from mteval_metaeval.missing import quotient
from mteval_metaeval.notes import UnitsNotComplete, UnitsNotScored
from mteval_metaeval.results import Correlation
from mteval_metaeval.significance import exchanges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from mteval_metaeval.criteria import Criterion
    from mteval_metaeval.measures import Measure
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.study import Study

    Array = NDArray[np.float64]

__all__ = [
    "CORPUS_SOFT",
    "SOFT",
    "incomplete",
    "soft_accuracies",
    "soft_estimates",
    "soft_pairwise_accuracy",
]

CORPUS_SOFT = "soft pairwise accuracy of corpus scores"

N_TRIALS = 1000
"""Number of permutations if there are no intervals."""


def soft_accuracies(study: Study, resampling: Resampling) -> tuple[list[Correlation], list[Note]]:
    """Compute soft pairwise accuracy of all metrics, of mean segment scores and of corpus scores.

    Parameters
    ----------
    study : Study
        Of judged segments or documents.
    resampling : Resampling
        Its ``n`` is also the number of permutations.

    Returns
    -------
    list of Correlation
        Only the accuracy of mean segment scores, which is that of WMT, has intervals.
    list of Note
    """
    from threadpoolctl import threadpool_limits

    # In products this small, BLAS threads only wait for each other.
    with threadpool_limits(1, user_api="blas"):
        corpus = _of_corpus_scores(study, resampling)
        of_means = [_of_means(study, c, resampling) for c in range(len(study.criteria))]
    records = [
        record
        for pairs in zip(of_means, corpus, strict=True)
        for both in zip(*pairs, strict=True)
        for record in both
    ]
    return records, list(incomplete(study))


def _of_means(study: Study, c: int, resampling: Resampling) -> list[Correlation]:
    """Compute soft pairwise accuracy of mean segment scores with one criterion."""
    estimates = soft_estimates(study, c, resampling)
    return [
        Correlation(
            metric=measure.name,
            set=measure.set,
            criterion=study.criteria[c].name,
            quantity=SOFT,
            value=estimate.value,
            n=int(np.sum(~np.isnan(study.totals[1][c]))),
        ).within(resampling.interval_of(estimate, SOFT))
        for measure, estimate in zip(study.measures, estimates, strict=True)
    ]


def soft_estimates(study: Study, c: int, resampling: Resampling) -> list[Estimate]:
    """Compute soft pairwise accuracy of all metrics with a criterion, and what intervals need.

    Parameters
    ----------
    study : Study
        Of judged segments or documents. Only those count of which all outputs were judged, and
        scored by the metric.
    c : int
        Number of the criterion.
    resampling : Resampling

    Returns
    -------
    list of Estimate
        One for each metric; NaN without a segment that was judged and scored for all systems.
    """
    human, metrics = study.human_items[c], study.item_scores
    complete = ~np.isnan(human).any(axis=0) & ~np.isnan(metrics).any(axis=1)
    estimates = [Estimate(math.nan, np.empty(0))] * len(metrics)
    for units in np.unique(complete, axis=0):
        alike = np.flatnonzero((complete == units).all(axis=1))
        if units.any():
            scores = np.concatenate([human[None], metrics[alike]])[..., units]
            for k, estimate in zip(alike, _estimates(scores, resampling), strict=True):
                estimates[k] = estimate
    return estimates


def incomplete(study: Study) -> Iterator[Note]:
    """Note criteria and metrics of which some units were not judged or scored for all systems."""
    n = len(study.units)
    for criterion, human in zip(study.criteria, study.human_items, strict=True):
        n_complete = int(np.sum(~np.isnan(human).any(axis=0)))
        if n_complete < n:
            yield UnitsNotComplete(criterion.name, n_complete, n, study.unit)
    for measure, scores in zip(study.measures, study.item_scores, strict=True):
        n_scored = int(np.sum(~np.isnan(scores).any(axis=0)))
        if n_scored < n:
            yield UnitsNotScored(measure.name, n_scored, n, study.unit)


# Means of segment scores


def _estimates(scores: Array, resampling: Resampling) -> list[Estimate]:
    """Compute soft pairwise accuracy, and all that its intervals need.

    Parameters
    ----------
    scores : ndarray of float64, shape (1 + n_metrics, n_systems, n_units)
        Human scores, then those of each metric.
    resampling : Resampling

    Returns
    -------
    list of Estimate
        One for each metric.

    Notes
    -----
    A permutation test of every resample would take n times as long. On resamples, p comes from the
    normal distribution with the mean and variance of the permuted leads: 0 and the sum of the
    squared differences of the units.
    """
    n_systems, n_units = scores.shape[1:]
    masks, _ = exchanges(n_units, resampling.n or N_TRIALS, resampling.seed)
    p_values = p_values_of_means(scores, masks(), resampling.threads)
    values = soft_pairwise_accuracy(p_values[0], p_values[1:])
    if not resampling.n:
        return [Estimate(float(value), np.empty(0)) for value in values]
    draws_units, draws_systems = resampling.draw != "systems", resampling.draw != "segments"
    ones = np.ones((1, math.comb(n_systems, 2)))
    drawn = _pairs_drawn(n_systems, resampling) if draws_systems else ones
    if draws_units:
        sorts = [_on_resamples(scores, drawn, resampling)]
    else:
        sorts = [_agreement(p_values[:, None], drawn)]
    if resampling.kind(SOFT) == "bca" and draws_units:
        sorts.append(_agreement(map(_p_without_each, scores), ones))
    if resampling.kind(SOFT) == "bca" and draws_systems:
        sorts.append(_agreement(p_values[:, None], _pairs_without_each(n_systems)))
    return [
        Estimate(float(value), sorts[0][k], [left_out[k] for left_out in sorts[1:]])
        for k, value in enumerate(values)
    ]


def soft_pairwise_accuracy(human: Array, metric: Array) -> Array:
    """Compute soft pairwise accuracy.

    Parameters
    ----------
    human, metric : ndarray of float64, shape (..., n_pairs)
        One-sided p-values of pairs of systems; NaN if not defined.

    Returns
    -------
    ndarray of float64, shape (...)
        Mean of 1 - |p_human - p_metric| over the pairs that have both p-values: equation 3 of
        Thompson et al. 2024.
    """
    return mean_over_groups(1 - np.abs(human - metric))


def _agreement(sources: Iterable[Array], pairs: Array) -> Array:
    """Compute the soft accuracy of metrics on many samples.

    Parameters
    ----------
    sources : iterable of ndarray of float64, shape (n or 1, n_pairs)
        p-values of humans, then of each metric.
    pairs : ndarray of float64, shape (n or 1, n_pairs)
        How often each pair of systems counts.

    Returns
    -------
    ndarray of float64, shape (n_metrics, n)
    """
    human, *metrics = sources
    sums = np.stack([np.sum(pairs * (1 - np.abs(human - p)), axis=-1) for p in metrics])
    return quotient(sums, np.broadcast_to(pairs.sum(axis=-1), sums.shape))


def _on_resamples(scores: Array, pairs: Array, resampling: Resampling) -> Array:
    """Compute the soft accuracy of metrics on resampled units, shape (n_metrics, n_resamples).

    Parameters
    ----------
    scores : ndarray of float64, shape (1 + n_metrics, n_systems, n_units)
        Human scores, then those of each metric.
    pairs : ndarray of float64, shape (n_resamples or 1, n_pairs)
        How often each pair of systems counts.
    resampling : Resampling
    """
    i, j = np.triu_indices(scores.shape[1], 1)
    squares = [np.square(of_source[i] - of_source[j]).T for of_source in scores]

    def of_chunk(weights: NDArray[np.uint8], counts: Array) -> Array:
        sums = [weights @ of_source.T for of_source in scores]
        leads = (each[:, i] - each[:, j] for each in sums)
        variances = (weights @ each for each in squares)
        return _agreement(map(normal_tail, leads, variances), counts)

    def chunks() -> Iterator[tuple[NDArray[np.uint8], Array]]:
        every, start = np.broadcast_to(pairs, (resampling.n, pairs.shape[1])), 0
        for weights in bootstrap(scores.shape[2], resampling.n, resampling.seed):
            yield weights, every[start : start + len(weights)]
            start += len(weights)

    parts = in_threads(of_chunk, chunks(), resampling.threads)
    return np.concatenate(parts, axis=-1)


def _p_without_each(scores: Array) -> Array:
    """Compute p-values of all pairs of systems without each unit, shape (n_units, n_pairs)."""
    i, j = np.triu_indices(len(scores), 1)
    leads = (scores[i] - scores[j]).T
    return normal_tail(leads.sum(axis=0) - leads, np.sum(leads**2, axis=0) - leads**2)


def _pairs_drawn(n_systems: int, resampling: Resampling) -> Array:
    """Draw systems with replacement, and count each pair of them, shape (n_resamples, n_pairs)."""
    rng = np.random.default_rng([resampling.seed, 1])
    drawn = rng.multinomial(n_systems, np.full(n_systems, 1 / n_systems), resampling.n)
    counts = drawn.astype(np.float64)
    i, j = np.triu_indices(n_systems, 1)
    return counts[:, i] * counts[:, j]


def _pairs_without_each(n_systems: int) -> Array:
    """Mark the pairs without each system, shape (n_systems, n_pairs)."""
    i, j = np.triu_indices(n_systems, 1)
    system = np.arange(n_systems)[:, None]
    kept: Array = ((i != system) & (j != system)).astype(np.float64)
    return kept


# Corpus scores


def _of_corpus_scores(study: Study, resampling: Resampling) -> list[list[Correlation]]:
    """Compute soft pairwise accuracy of corpus scores, criterion by criterion."""
    n = resampling.n or N_TRIALS
    masks, exact = exchanges(len(study.units), n, resampling.seed)
    if not exact:  # half of the masks, and their mirror images
        masks, _ = exchanges(len(study.units), (n + 1) // 2, resampling.seed)

    sources: list[Measure | Criterion] = [*study.criteria, *study.measures]
    found = p_values_of_scores(
        [(each.rows, each.scores) for each in sources],
        masks(),
        mirrored=not exact,
        threads=resampling.threads,
    )
    of_criteria, of_metrics = found[: len(study.criteria)], found[len(study.criteria) :]
    return [
        [
            Correlation(
                metric=measure.name,
                set=measure.set,
                criterion=criterion.name,
                quantity=CORPUS_SOFT,
                value=float(soft_pairwise_accuracy(of_human, of_metric)),
                n=int(np.sum(~np.isnan(human))),
            )
            for measure, of_metric in zip(study.measures, of_metrics, strict=True)
        ]
        for criterion, human, of_human in zip(
            study.criteria, study.totals[1], of_criteria, strict=True
        )
    ]
