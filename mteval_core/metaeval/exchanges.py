"""Coefficients of two metrics that exchange their scores, without sorting after each exchange.

In a trial of PERM-BOTH, two metrics exchange the scores of some outputs. Let s be -1 for an output
whose scores are exchanged, and 1 for the others. Whether two outputs are concordant, or tied,
depends on their two signs only, so numbers of such pairs are quadratic forms in s; the other metric
has -s.
Where the pairs are too many for that, see `mteval_core.metaeval.large_exchanges`.
The ranks of the scores that a metric has after the exchange are running counts along the sorted
scores of both metrics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.data.missing import quotient
from mteval_core.metaeval.correlation import ranks
from mteval_core.metaeval.large_exchanges import LargeGroup

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Sides = tuple[NDArray[np.float64], NDArray[np.float64]]

__all__ = ["Exchange", "can_exchange", "exchange_of"]

Exchange = Callable[["NDArray[np.bool_]"], "Sides"]
"""From masks of the outputs that are exchanged, shape (n_trials, n_groups, n), to the coefficients
of both metrics after the exchange, each of shape (n_trials, n_groups)."""

LARGEST_TABLE = 20_000_000
"""Largest number of pairs of outputs whose order is kept in memory."""

LARGEST_GROUP = 2000
"""Pairs are counted exactly in 32 bits if a group has no more outputs than this."""


def can_exchange(coefficient: str) -> bool:
    """Tell whether `exchange_of` takes a coefficient."""
    return coefficient in ("spearman", "kendall", "pairwise accuracy")


def exchange_of(coefficient: str, x: Array, y: Array, human: Array) -> Exchange:
    """Prepare a coefficient of two metrics with human scores for many exchanges.

    Parameters
    ----------
    coefficient : {"spearman", "kendall", "pairwise accuracy"}
        The coefficient.
    x, y, human : ndarray of float64, shape (n_groups, n)
        Scores in groups. NaN of one metric or the human score is a missing output.

    Returns
    -------
    callable
        See `Exchange`.
    """
    missing = np.isnan(x) | np.isnan(y) | np.isnan(human)
    x, y, human = (np.where(missing, np.nan, scores) for scores in (x, y, human))
    if coefficient == "spearman":
        return _of_ranks(x, y, human)
    n_groups, n = human.shape
    if n <= LARGEST_GROUP and n_groups * n * n <= LARGEST_TABLE:
        return _of_pairs(x, y, human, coefficient)
    return _of_large_groups(x, y, human, coefficient)


# Pairs


def _of_large_groups(x: Array, y: Array, human: Array, coefficient: str) -> Exchange:
    """Prepare a coefficient of pairs that are too many to be kept."""
    made = [LargeGroup(*scores) for scores in zip(x, y, human, strict=True)]
    functions = [
        _function(coefficient, np.array(group.n_pairs), np.array(group.n_tied_human))
        for group in made
    ]

    def coefficients(masks: NDArray[np.bool_]) -> Sides:
        sides: tuple[list[Array], list[Array]] = ([], [])
        for g, (group, function) in enumerate(zip(made, functions, strict=True)):
            counts = group.counts(masks[:, g])
            for side in (0, 1):
                sides[side].append(function(*(each[side] for each in counts)))
        return np.stack(sides[0], axis=1), np.stack(sides[1], axis=1)

    return coefficients


def _function(coefficient: str, n_pairs: Array, n_tied_human: Array) -> Callable[..., Array]:
    """Return Kendall's tau-b, or pairwise accuracy, as a function of numbers of pairs."""

    def tau(lead: Array, n_tied: Array, _both: Array) -> Array:
        scale = np.sqrt(n_pairs - n_tied) * np.sqrt(n_pairs - n_tied_human)
        return np.clip(quotient(lead, scale), -1.0, 1.0)

    def accuracy(lead: Array, n_tied: Array, n_both: Array) -> Array:
        n_untied = n_pairs - n_tied - n_tied_human + n_both
        right = (n_untied + lead) / 2 + n_both
        return quotient(right, np.broadcast_to(n_pairs, right.shape))

    return tau if coefficient == "kendall" else accuracy


def _of_pairs(x: Array, y: Array, human: Array, coefficient: str) -> Exchange:
    """Prepare Kendall's tau-b, or pairwise accuracy."""
    in_pair = np.triu(~np.isnan(human[:, :, None] + human[:, None]), 1)
    order = _order(human, human) * in_pair
    n_pairs = in_pair.sum(axis=(1, 2)).astype(np.float64)
    tied_human = in_pair & (order == 0)
    n_tied_human = tied_human.sum(axis=(1, 2)).astype(np.float64)
    orders = [_order(a, b) for a in (x, y) for b in (x, y)]
    lead = _Form([order * each for each in orders])
    tied = _Form([(in_pair & (each == 0)).view(np.int8) for each in orders])
    both = _Form([(tied_human & (each == 0)).view(np.int8) for each in orders])
    function = _function(coefficient, n_pairs, n_tied_human)

    def coefficients(masks: NDArray[np.bool_]) -> Sides:
        signs = np.where(masks, -1, 1).astype(np.float32).swapaxes(0, 1)
        counts = [form.both_sides(signs) for form in (lead, tied, both)]
        first, second = (function(*(each[side] for each in counts)) for side in (0, 1))
        return first, second

    return coefficients


def _order(a: Array, b: Array) -> NDArray[np.int8]:
    """Compare every number of a with every one of b: 1 if it is greater, -1 if it is less."""
    return (a[:, :, None] > b[:, None]).view(np.int8) - (a[:, :, None] < b[:, None]).view(np.int8)


class _Form:
    """A sum over pairs of outputs that depends on which of them are exchanged.

    Parameters
    ----------
    tables : list of ndarray of int8, shape (n_groups, n, n)
        Summand of each pair [a, b] if none, b, a, or both are exchanged.
    """

    def __init__(self, tables: list[NDArray[np.int8]]) -> None:
        kept, second, first, swapped = tables
        self.empty = not any(table.any() for table in tables)
        # Coefficients of the signs of a and b: of their product, of each alone, and of neither.
        self.quadratic = (kept - second - first + swapped).astype(np.float32) / 4
        of_first = (kept + second - first - swapped).sum(axis=2)
        of_second = (kept - second + first - swapped).sum(axis=1)
        self.linear = ((of_first + of_second) / 4).astype(np.float32)
        self.constant = (kept + second + first + swapped).sum(axis=(1, 2)) / 4

    def both_sides(self, signs: NDArray[np.float32]) -> Sides:
        """Sum for both metrics, shape (n_groups, n_trials, n) to (n_trials, n_groups)."""
        if self.empty:
            zero = np.zeros(signs.shape[1::-1])
            return zero, zero
        quadratic = np.sum(signs @ self.quadratic * signs, axis=-1, dtype=np.float64).T
        linear = (signs @ self.linear[:, :, None])[:, :, 0].T.astype(np.float64)
        even = self.constant + quadratic
        return even + linear, even - linear


# Ranks


def _of_ranks(x: Array, y: Array, human: Array) -> Exchange:
    """Prepare Spearman's rho."""
    n = np.sum(~np.isnan(human), axis=-1)
    middle = (n + 1) / 2
    of_human = np.nan_to_num(ranks(human) - middle[:, None])
    spread = np.sum(of_human**2, axis=-1)
    both = np.concatenate([x, y], axis=-1)
    order = np.argsort(both, axis=-1, kind="stable")
    ordered = np.take_along_axis(both, order, axis=-1)
    first, last = _runs(ordered)
    output = order % x.shape[-1]
    is_second = order >= x.shape[-1]
    judged = ~np.isnan(ordered)
    weight = np.take_along_axis(of_human, output, axis=-1)

    def coefficient(present: NDArray[np.bool_]) -> Array:
        """Correlate the scores that are present of those in order, (n_trials, n_groups, 2 n)."""
        count = np.cumsum(present, axis=-1, dtype=np.int32)
        before = np.take_along_axis(count - present, first[None], axis=-1)
        upto = np.take_along_axis(count, last[None], axis=-1)
        above = np.where(present, (before + upto + 1) / 2 - middle[:, None], 0.0)
        products = np.sum(above * weight, axis=-1)
        return np.clip(quotient(products, np.sqrt(np.sum(above**2, axis=-1) * spread)), -1.0, 1.0)

    def coefficients(masks: NDArray[np.bool_]) -> Sides:
        exchanged = np.take_along_axis(masks, output[None], axis=-1)
        own = (exchanged == is_second) & judged
        return coefficient(own), coefficient(judged & ~own)

    return coefficients


def _runs(ordered: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the first and the last place of the run of equal values of each place."""
    n = ordered.shape[-1]
    differs = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(ordered), 1), bool)
    place = np.arange(n)
    first = np.where(np.concatenate([edge, differs], axis=1), place, 0)
    last = np.where(np.concatenate([differs, edge], axis=1), place, n)
    ends = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    return np.maximum.accumulate(first, axis=1), ends
