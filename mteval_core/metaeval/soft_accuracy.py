"""Soft pairwise accuracy: is a metric as sure as humans which of two systems is better.

References
----------
Thompson, Mathur, Deutsch and Khayrallah 2024, "Improving statistical significance in human
evaluation of automatic metrics via soft pairwise accuracy".
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.data.missing import quotient
from mteval_core.evaluation.intervals import Estimate
from mteval_core.evaluation.resampling import bootstrap
from mteval_core.metaeval.correlation import mean_over_groups
from mteval_core.metaeval.notes import UnitsNotComplete
from mteval_core.metaeval.results import Correlation
from mteval_core.metaeval.significance import exchanges
from mteval_core.metrics.sums import weighted_totals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.metaeval.criteria import Criterion
    from mteval_core.metaeval.measures import Measure
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.resampling import Resampling
    from mteval_core.metaeval.study import Study
    from mteval_core.metrics.sums import Draw, Rows, Sums

    Array = NDArray[np.float64]
    Pair = tuple[Array, Array]

__all__ = [
    "CORPUS_SOFT",
    "SOFT",
    "normal_p_values",
    "p_values_of_means",
    "soft_accuracies",
    "soft_estimates",
    "soft_pairwise_accuracy",
    "superiority",
]

SOFT = "soft pairwise accuracy"
CORPUS_SOFT = "soft pairwise accuracy of corpus scores"

N_TRIALS = 1000
"""Number of permutations if there are no intervals."""

TOLERANCE = 1e-10
"""A lead that falls short of the observed lead by less than this equals it up to rounding."""

Z = np.linspace(-8, 8, 8001)
UPPER = np.array([math.erfc(z / math.sqrt(2)) / 2 for z in Z])
"""Probability that a standard normal variable is at least z; linear between these points."""


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
    return records, list(_incomplete(study))


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
            interval=resampling.interval_of(estimate, SOFT),
        )
        for measure, estimate in zip(study.measures, estimates, strict=True)
    ]


def soft_estimates(study: Study, c: int, resampling: Resampling) -> list[Estimate]:
    """Compute soft pairwise accuracy of all metrics with a criterion, and what intervals need.

    Parameters
    ----------
    study : Study
        Of judged segments or documents. Only those count of which all outputs were judged.
    c : int
        Number of the criterion.
    resampling : Resampling

    Returns
    -------
    list of Estimate
        One for each metric; NaN without a segment that was judged for all systems.
    """
    human = study.human_items[c]
    complete = ~np.isnan(human).any(axis=0)
    if not complete.any():
        return [Estimate(math.nan, np.empty(0))] * len(study.measures)
    return _estimates(np.concatenate([human[None], study.item_scores])[..., complete], resampling)


def _incomplete(study: Study) -> Iterator[Note]:
    """Note criteria of which some units were not judged for all systems."""
    n = len(study.units)
    for criterion, human in zip(study.criteria, study.human_items, strict=True):
        n_complete = int(np.sum(~np.isnan(human).any(axis=0)))
        if n_complete < n:
            yield UnitsNotComplete(criterion.name, n_complete, n, study.unit)


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
    human, *metrics = p_values_of_means(scores, masks())
    values = [float(soft_pairwise_accuracy(human, p)) for p in metrics]
    if not resampling.n:
        return [Estimate(value, np.empty(0)) for value in values]
    draws_units, draws_systems = resampling.draw != "systems", resampling.draw != "segments"
    ones = np.ones((1, math.comb(n_systems, 2)))
    drawn = _pairs_drawn(n_systems, resampling) if draws_systems else ones

    def resampled() -> Iterator[Array]:
        for p, of_source in zip((human, *metrics), scores, strict=True):
            yield _p_on_resamples(of_source, resampling) if draws_units else p[None]

    sorts = [_agreement(resampled(), drawn)]
    if resampling.interval == "bca" and draws_units:
        sorts.append(_agreement(map(_p_without_each, scores), ones))
    if resampling.interval == "bca" and draws_systems:
        sorts.append(
            _agreement((p[None] for p in (human, *metrics)), _pairs_without_each(n_systems))
        )
    return [
        Estimate(value, sorts[0][k], [left_out[k] for left_out in sorts[1:]])
        for k, value in enumerate(values)
    ]


def p_values_of_means(scores: Array, masks: Iterable[Array]) -> Array:
    """Compute one-sided p-values of all pairs of systems, by permuting their segment scores.

    Parameters
    ----------
    scores : ndarray of float64, shape (..., n_systems, n_units)
        Scores of the segments, none missing.
    masks : iterable of ndarray of float64, shape (chunk, n_units)
        1 for a segment whose scores two systems exchange, 0 for the others.

    Returns
    -------
    ndarray of float64, shape (..., n_pairs)
        For each pair of systems i < j, in the order of ``itertools.combinations``, the share of
        trials in which system i leads system j by at least the observed lead.
    """
    i, j = np.triu_indices(scores.shape[-2], 1)

    def leads(sums: Array) -> Array:
        return sums[..., i] - sums[..., j]

    observed = leads(scores.sum(axis=-1))
    least = observed - TOLERANCE * np.maximum(1, np.abs(observed))
    extreme, trials = np.zeros(observed.shape), 0
    for mask in masks:
        signed = np.moveaxis(scores @ (1 - 2 * mask).T, -1, 0)
        extreme += np.sum(leads(signed) >= least, axis=0)
        trials += len(mask)
    return extreme / trials


def normal_p_values(scores: Array) -> Array:
    """Compute the p-values that permuted leads would have if they followed a normal distribution.

    Parameters
    ----------
    scores : ndarray of float64, shape (..., n_systems, n_units)
        Scores of the segments, none missing.

    Returns
    -------
    ndarray of float64, shape (..., n_pairs)
        See `p_values_of_means`, whose trials this makes superfluous where there are many samples.

    Notes
    -----
    If units are exchanged at random, the lead of a system has mean 0, and its variance is the sum
    of the squared differences of the units.
    """
    i, j = np.triu_indices(scores.shape[-2], 1)
    sums = scores.sum(axis=-1)
    products = scores @ np.swapaxes(scores, -1, -2)
    squares = np.diagonal(products, axis1=-2, axis2=-1)
    sizes = squares[..., i] + squares[..., j]
    variances = sizes - 2 * products[..., i, j]
    variances[variances <= TOLERANCE * sizes] = 0.0  # equal scores, up to rounding
    return _p_of_leads(sums[..., i] - sums[..., j], variances)


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


def _agreement(sources: Iterable[Array], pairs: Array) -> list[Array]:
    """Compute the soft accuracy of metrics on many samples.

    Parameters
    ----------
    sources : iterable of ndarray of float64, shape (n or 1, n_pairs)
        p-values of humans, then of each metric.
    pairs : ndarray of float64, shape (n or 1, n_pairs)
        How often each pair of systems counts.

    Returns
    -------
    list of ndarray of float64, shape (n,)
        One for each metric.
    """
    human, *metrics = sources
    sums = [np.sum(pairs * (1 - np.abs(human - p)), axis=-1) for p in metrics]
    n = pairs.sum(axis=-1)
    return [quotient(each, np.broadcast_to(n, each.shape)) for each in sums]


def _p_on_resamples(scores: Array, resampling: Resampling) -> Array:
    """Compute p-values of all pairs of systems on resampled units, shape (n_resamples, n_pairs)."""
    i, j = np.triu_indices(len(scores), 1)
    squares = np.square(scores[i] - scores[j]).T
    chunks = bootstrap(scores.shape[-1], resampling.n, resampling.seed)
    return np.concatenate([_p_of_leads(*_leads(scores, weights, squares)) for weights in chunks])


def _leads(scores: Array, weights: Array, squares: Array) -> Pair:
    i, j = np.triu_indices(len(scores), 1)
    sums = weights @ scores.T
    return sums[:, i] - sums[:, j], weights @ squares


def _p_without_each(scores: Array) -> Array:
    """Compute p-values of all pairs of systems without each unit, shape (n_units, n_pairs)."""
    i, j = np.triu_indices(len(scores), 1)
    leads = (scores[i] - scores[j]).T
    return _p_of_leads(leads.sum(axis=0) - leads, np.sum(leads**2, axis=0) - leads**2)


def _p_of_leads(leads: Array, variances: Array) -> Array:
    """Compute the probability of a lead this large if units are exchanged; 1 if all are equal."""
    spread = np.sqrt(np.maximum(variances, 0.0))
    z = np.divide(leads, spread, out=np.full(leads.shape, -np.inf), where=spread > 0)
    p: Array = np.interp(z, Z, UPPER)
    return p


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

    def p_values(source: Measure | Criterion) -> Array:
        masks, _ = exchanges(len(study.units), resampling.n or N_TRIALS, resampling.seed)
        return superiority(source.rows, masks, source.scores)

    of_metrics = [p_values(measure) for measure in study.measures]
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
            study.criteria, study.totals[1], map(p_values, study.criteria), strict=True
        )
    ]


def superiority(rows: Sequence[Rows] | Array, masks: Draw, score: Callable[[Sums], Array]) -> Array:
    """Compute one-sided p-values of all pairs of systems, by exchanging rows of segments.

    Parameters
    ----------
    rows : sequence of ndarray of float64, shape (n_segments, k), or of KeptRows
        The rows of each system.
    masks : callable
        Draws which segments are exchanged, see `exchanges`; the same ones for all systems.
    score : callable
        From sums of shape (..., k) to scores of shape (...). Higher is better.

    Returns
    -------
    ndarray of float64, shape (n_pairs,)
        For each pair of systems i < j, the share of trials in which system i leads system j by at
        least the observed lead; NaN if one of them has no score.
    """
    totals = [of_system.sum(axis=0) for of_system in rows]
    observed = [score(each) for each in totals]
    exchanged = weighted_totals(masks, dict(enumerate(rows)))
    p_values = []
    for i, j in combinations(range(len(rows)), 2):
        lead = observed[i] - observed[j]
        moved = exchanged[j] - exchanged[i]
        leads = score(totals[i] + moved) - score(totals[j] - moved)
        extreme = np.sum(leads >= lead - TOLERANCE * np.maximum(1, np.abs(lead)))
        n_trials = np.sum(~np.isnan(leads))
        p_values.append(extreme / n_trials if n_trials and not np.isnan(lead) else math.nan)
    return np.array(p_values)
