"""p-values of the leads of systems over each other, from exchanges of their segments.

In plain form, the p-value of system a, with segment scores a, leading system b is

    lead = mean(a) - mean(b)
    p = mean([mean(where(mask, b, a)) - mean(where(mask, a, b)) >= lead for mask in masks])

Here it is computed for all pairs of systems, and many metrics, with the same masks.

References
----------
Thompson, Mathur, Deutsch and Khayrallah 2024, "Improving statistical significance in human
evaluation of automatic metrics via soft pairwise accuracy".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mteval_core import in_threads, totals_under
from mteval_metaeval.missing import quotient

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Weights = NDArray[np.float64] | NDArray[np.uint8]
    Rows: TypeAlias = Any
    Sums: TypeAlias = Any
    Score = Callable[[Sums], Array]

__all__ = [
    "normal_p_table",
    "normal_p_values",
    "normal_tail",
    "p_values_of_means",
    "p_values_of_scores",
]

TOLERANCE = 1e-10
"""A lead that falls short of the observed lead by less than this equals it up to rounding."""

Z = np.linspace(-8, 8, 8001)
UPPER = np.array([math.erfc(z / math.sqrt(2)) / 2 for z in Z])
"""Probability that a standard normal variable is at least z; linear between these points."""

STEPS = np.diff(UPPER, append=UPPER[-1])
"""Difference between each of these probabilities and the next one."""


def p_values_of_means(scores: Array, masks: Iterable[Weights], threads: int = 1) -> Array:
    """Compute one-sided p-values of all pairs of systems from their mean segment scores.

    Parameters
    ----------
    scores : ndarray of float64, shape (..., n_systems, n_units)
        Scores of the segments, none missing.
    masks : iterable of ndarray of float64 or uint8, shape (chunk, n_units)
        1 for a segment whose scores two systems exchange, 0 for the others.
    threads : int
        Number of threads.

    Returns
    -------
    ndarray of float64, shape (..., n_pairs)
        For each pair of systems i < j, in the order of ``itertools.combinations``, the share of
        trials in which system i leads system j by at least the observed lead.
    """
    i, j = np.triu_indices(scores.shape[-2], 1)

    def leads(sums: Array) -> Array:
        return sums[..., i] - sums[..., j]

    def leads_after(mask: Weights) -> Array:
        # The lead is a sum of differences, and those that are exchanged change their signs.
        return leads(np.moveaxis(scores @ np.where(mask, -1.0, 1.0).T, -1, 0))

    return _share_of_trials(leads(scores.sum(axis=-1)), leads_after, masks, threads=threads)


def p_values_of_scores(
    sources: Sequence[tuple[Sequence[Rows] | Array, Score]],
    masks: Iterable[Weights],
    *,
    mirrored: bool = False,
    threads: int = 1,
) -> Array:
    """Compute one-sided p-values of all pairs of systems from their corpus scores.

    Parameters
    ----------
    sources : sequence of (rows, score)
        For each metric or human score, the rows of each system, which are ndarray of float64 of
        shape (n_segments, k) or `KeptRows`, and the function from sums of shape (..., k) to scores
        of shape (...). Higher is better.
    masks : iterable of ndarray of float64 or uint8, shape (chunk, n_segments)
        1 for a segment that two systems exchange, 0 for the others; the same for all sources.
    mirrored : bool
        Whether each mask also stands for the exchange of all other segments, which changes the sign
        of the lead.
    threads : int
        Number of threads.

    Returns
    -------
    ndarray of float64, shape (n_sources, n_pairs)
        See `p_values_of_means`. Trials in which a system has no score do not count; NaN if it has
        none before.
    """
    exchanged_by = totals_under(
        {(s, k): each for s, (rows, _) in enumerate(sources) for k, each in enumerate(rows)},
        threads,
    )
    n_systems = len(sources[0][0])
    every_unit = exchanged_by(np.ones((1, len(sources[0][0][0]))))
    totals = [[every_unit[s, k] for k in range(n_systems)] for s in range(len(sources))]
    i, j = np.triu_indices(n_systems, 1)
    if not len(i):
        return np.empty((len(sources), 0))
    scores = (
        np.concatenate([score(each) for each in of_source])
        for of_source, (_, score) in zip(totals, sources, strict=True)
    )
    observed = np.stack([each[i] - each[j] for each in scores])

    def leads_after(mask: Weights) -> Array:
        exchanged = exchanged_by(mask)
        leads = [
            _leads(totals[s], [exchanged[s, k] for k in range(n_systems)], score)
            for s, (_, score) in enumerate(sources)
        ]
        return np.moveaxis(np.stack(leads), -1, 0)

    return _share_of_trials(observed, leads_after, masks, mirrored=mirrored, threads=threads)


def _leads(totals: Sequence[Sums], exchanged: Sequence[Sums], score: Score) -> Array:
    """Compute the leads of all pairs of systems after each exchange, shape (n_pairs, n_trials)."""
    i, j = np.triu_indices(len(totals), 1)
    if isinstance(exchanged[0], np.ndarray):  # all pairs in one call of the formula
        after, before = np.stack(exchanged), np.stack(totals)
        moved = after[j] - after[i]
        return score(before[i] + moved) - score(before[j] - moved)
    leads = []
    for a, b in zip(i.tolist(), j.tolist(), strict=True):
        moved = exchanged[b] - exchanged[a]
        leads.append(score(totals[a] + moved) - score(totals[b] - moved))
    return np.stack(leads)


def _share_of_trials(
    observed: Array,
    leads_after: Callable[[Weights], Array],
    masks: Iterable[Weights],
    *,
    mirrored: bool = False,
    threads: int = 1,
) -> Array:
    """Compute the share of trials with a lead of at least the observed one.

    Leads after the exchanges of a chunk of masks have the shape (chunk, *observed.shape).
    """
    least = observed - TOLERANCE * np.maximum(1, np.abs(observed))

    def counts(mask: Weights) -> NDArray[np.int64]:
        leads = leads_after(mask)
        n_extreme, n_trials = np.sum(leads >= least, axis=0), np.sum(~np.isnan(leads), axis=0)
        if mirrored:
            n_extreme, n_trials = n_extreme + np.sum(-leads >= least, axis=0), 2 * n_trials
        return np.stack([n_extreme, n_trials])

    n_extreme, n_trials = np.sum(in_threads(counts, zip(masks), threads), axis=0)
    return np.where(np.isnan(observed), np.nan, quotient(n_extreme, n_trials))


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
    return _of_pairs(scores, *np.triu_indices(scores.shape[-2], 1))


def normal_p_table(scores: Array) -> Array:
    """Compute `normal_p_values` of every system against every other, shape (..., n, n)."""
    n = scores.shape[-2]
    return _of_pairs(scores, *np.indices((n, n)))


def _of_pairs(scores: Array, i: NDArray[np.int64], j: NDArray[np.int64]) -> Array:
    """Compute normal p-values of system i against system j."""
    sums = scores.sum(axis=-1)
    products = scores @ np.swapaxes(scores, -1, -2)
    squares = np.diagonal(products, axis1=-2, axis2=-1)
    sizes = squares[..., i] + squares[..., j]
    variances = sizes - 2 * products[..., i, j]
    variances[variances <= TOLERANCE * sizes] = 0.0  # equal scores, up to rounding
    return normal_tail(sums[..., i] - sums[..., j], variances)


def normal_tail(leads: Array, variances: Array) -> Array:
    """Compute the probability of a lead this large if units are exchanged; 1 if all are equal."""
    spread = np.sqrt(np.maximum(variances, 0.0))
    z = np.divide(leads, spread, out=np.full(leads.shape, -np.inf), where=spread > 0)
    place = np.clip((z - Z[0]) / (Z[1] - Z[0]), 0, len(Z) - 1)
    point = np.fmax(place, 0).astype(np.intp)  # of NaN, whose p-value is NaN: the first one
    p: Array = UPPER[point] + (place - point) * STEPS[point]
    return p
