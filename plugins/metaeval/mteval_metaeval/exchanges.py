"""Coefficients of two metrics after each of many exchanges of scores, without starting again.

In a trial of PERM-BOTH, two metrics x and y exchange the scores of the outputs in a mask: x has
``np.where(mask, y, x)``, and y has ``np.where(mask, x, y)``. In plain form, the functions of
`mteval_metaeval.correlation` compute both coefficients; the fast form here equals them, rank
coefficients to the last bit. The 2 n scores of both metrics for n outputs are sorted or compared
once, and a trial only tells which of them x has *taken*. The others are left to y.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mteval_metaeval.correlation import accuracy_of_pairs, pearson, ranks, runs, tau_of_pairs
from mteval_metaeval.missing import quotient
from mteval_metaeval.pair_counts import PairCounts, pair_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Taken = NDArray[np.uint8]
    Codes = NDArray[np.int64]
    Count = Callable[[Taken], NDArray[np.int64]]

Number = TypeVar("Number", np.bool_, np.int32)

__all__ = ["AFTER_EXCHANGES", "AfterExchanges"]

AfterExchanges = Callable[["Mask"], "Array"]
"""From masks of the outputs that are exchanged, shape (n_trials, n_groups, n), to the coefficients
of x and y, shape (2, n_trials, n_groups)."""

FEW = 100
"""Pairs are looked up in tables if a group has no more outputs than this."""

ROUGH = 1e-6
"""A variance that is a smaller share of the squares is computed from deviations."""

TRIALS_AT_ONCE = 125
"""Trials of large groups that are counted at once: their counts stay close to the processor."""

LARGEST_TABLES = 30_000_000
"""Largest number of entries in the tables of all groups."""


def _both_metrics(x: Array, y: Array, human: Array) -> tuple[Array, Array]:
    """Put the scores of two metrics side by side; a missing score makes an output missing."""
    missing = np.isnan(x + y + human)
    scores = np.where(np.tile(missing, 2), np.nan, np.concatenate([x, y], axis=-1))
    return scores, np.where(missing, np.nan, human)


def _taken_by_x(masks: Mask) -> Mask:
    """Tell which scores of both metrics x has, shape (..., n) to (..., 2 n)."""
    return np.concatenate([~masks, masks], axis=-1)


def _pearson_after_exchanges(x: Array, y: Array, human: Array) -> AfterExchanges:
    """Prepare Pearson's r: a mask changes the sums over the scores of x and y linearly."""
    scores, present = _both_metrics(x, y, human)
    n = np.maximum(np.sum(~np.isnan(present), axis=-1), 1)
    scores, of_humans = _centred(scores), _centred(present)
    spread = np.sum(of_humans**2, axis=-1)
    rough_humans = spread <= ROUGH * np.nansum(present**2, axis=-1)
    powers = np.stack([scores, scores**2, scores * np.tile(of_humans, 2)], axis=-1)
    of_x, of_y = np.split(powers, 2, axis=1)
    of_both, change = powers.sum(axis=1)[:, None], of_y - of_x

    def coefficients(masks: Mask) -> Array:
        taken = np.ascontiguousarray(masks.swapaxes(0, 1), np.float64)
        sums = of_x.sum(axis=1)[:, None] + taken @ change
        total, squares, products = np.stack([sums, of_both - sums]).transpose(3, 0, 2, 1)
        variance = squares - total**2 / n
        r: Array = np.clip(quotient(products, np.sqrt(np.abs(variance) * spread)), -1.0, 1.0)
        # Where scores hardly vary, the difference of large sums has lost their variance.
        side, trial, group = np.nonzero((variance <= ROUGH * squares) | rough_humans)
        own = np.where(masks[trial, group] ^ (side == 1)[:, None], y[group], x[group])
        r[side, trial, group] = pearson(own, present[group])
        return r

    return coefficients


def _centred(scores: Array) -> Array:
    """Subtract the mean of the scores of each group that are not missing; 0 for missing ones."""
    n = np.sum(~np.isnan(scores), axis=-1, keepdims=True)
    mean = np.nansum(scores, axis=-1, keepdims=True) / np.maximum(n, 1)
    centred: Array = np.nan_to_num(scores - mean)
    return centred


def _spearman_after_exchanges(x: Array, y: Array, human: Array) -> AfterExchanges:
    """Prepare Spearman's rho: ranks are running counts of the scores that are taken."""
    scores, human = _both_metrics(x, y, human)
    order = np.argsort(scores, axis=-1, kind="stable")
    first, last = runs(np.take_along_axis(scores, order, axis=-1))
    n = np.sum(~np.isnan(human), axis=-1, keepdims=True)
    present = np.arange(scores.shape[-1]) < 2 * n  # missing scores are sorted last
    middle = (n + 1) / 2
    of_human = np.nan_to_num(ranks(human) - middle)
    spread = np.sum(of_human**2, axis=-1)
    of_human = np.take_along_axis(of_human, order % human.shape[-1], axis=-1)
    starts = np.arange(0, scores.size, max(1, scores.shape[-1]))[:, None]

    def at(places: Codes, numbers: NDArray[Number]) -> NDArray[Number]:
        return numbers.reshape(len(numbers), -1).take(places + starts, axis=1)

    def coefficient(taken: Mask) -> Array:
        count = np.cumsum(taken, axis=-1, dtype=np.int32)
        rank = (at(first, count - taken) + at(last, count) + 1) / 2
        of_metric = np.where(taken, rank - middle, 0.0)
        lengths = np.sqrt(np.sum(of_metric**2, axis=-1) * spread)
        return np.clip(quotient(np.sum(of_metric * of_human, axis=-1), lengths), -1.0, 1.0)

    def coefficients(masks: Mask) -> Array:
        taken = at(order, _taken_by_x(masks))
        return np.stack([coefficient(taken & present), coefficient(~taken & present)])

    return coefficients


def _of_pairs_after_exchanges(
    of_pairs: Callable[[PairCounts], Array], x: Array, y: Array, human: Array
) -> AfterExchanges:
    """Prepare a coefficient that depends on numbers of pairs."""
    scores, human = _both_metrics(x, y, human)
    n_groups, n = human.shape
    few = n <= FEW and n_groups * (2 * n) ** 2 <= LARGEST_TABLES
    counts = (_counts_by_table if few else _counts_by_bit)(scores, np.tile(human, 2))
    of_humans = pair_counts(human, human)

    def coefficients(masks: Mask) -> Array:
        n_tied, n_tied_both, n_discordant = counts(_taken_by_x(masks))
        return of_pairs(
            of_humans._replace(tied_x=n_tied, tied_both=n_tied_both, discordant=n_discordant)
        )

    return coefficients


AFTER_EXCHANGES: Mapping[str, Callable[[Array, Array, Array], AfterExchanges]] = {
    "pearson": _pearson_after_exchanges,
    "spearman": _spearman_after_exchanges,
    "kendall": partial(_of_pairs_after_exchanges, tau_of_pairs),
    "pairwise accuracy": partial(_of_pairs_after_exchanges, accuracy_of_pairs),
}
"""The coefficients that have a fast form. Each function prepares the scores of x, y and humans, of
shape (n_groups, n), for many trials. An output without one of its scores (NaN) does not count."""


# Numbers of pairs of x and y, shape (3, 2, n_trials, n_groups): those that the metric ties, that
# metric and humans tie, and that are discordant. They are counted for x. Of all other pairs, y has
# those that no taken score is part of; how many pairs a score is part of is known beforehand.


def _counts_by_table(scores: Array, human: Array) -> Callable[[Mask], Array]:
    """Prepare the numbers of pairs in groups of few outputs: of a table, x has t' table t."""
    tied = scores[:, :, None] == scores[:, None]
    tied_both = tied & (human[:, :, None] == human[:, None])
    discordant = _comparisons(scores) * _comparisons(human) < 0
    tables = [np.triu(each, 1).astype(np.float32) for each in (tied, tied_both, discordant)]
    degrees = np.stack([table.sum(axis=1) + table.sum(axis=2) for table in tables])
    n_pairs = degrees.sum(axis=-1)[:, None] / 2

    def counts(taken: Mask) -> Array:
        t = np.ascontiguousarray(taken.swapaxes(0, 1), np.float32)
        of_x = np.stack([np.einsum("gtp,gtp->tg", t @ table, t) for table in tables])
        touched = np.einsum("kgp,gtp->ktg", degrees, t) - of_x
        return np.stack([of_x, n_pairs - touched], axis=1).astype(np.float64)

    return counts


def _comparisons(scores: Array) -> NDArray[np.int8]:
    """Compare all scores of a group: 1 for greater, -1 for less, 0 for equal or missing."""
    greater = (scores[:, :, None] > scores[:, None]).view(np.int8)
    difference: NDArray[np.int8] = greater - greater.swapaxes(1, 2)
    return difference


def _counts_by_bit(scores: Array, human: Array) -> Callable[[Mask], Array]:
    """Prepare the numbers of pairs in groups of many outputs."""
    groups = [_group_counts_by_bit(*group) for group in zip(scores, human, strict=True)]

    def counts(taken: Mask) -> Array:
        starts = range(0, len(taken), TRIALS_AT_ONCE)
        found = [
            np.concatenate([of_group(taken[k : k + TRIALS_AT_ONCE, g]) for k in starts], axis=-1)
            for g, of_group in enumerate(groups)
        ]
        return np.array(found).transpose(1, 2, 3, 0)

    return counts


def _group_counts_by_bit(scores: Array, human: Array) -> Callable[[Mask], Array]:
    """Prepare the numbers of pairs in a group, shape (3, 2, n_trials).

    Whether a pair is discordant is decided at the highest bit in which the ranks of its human
    scores differ, as in `pair_counts`: it is, if the output with the bit has the lower score.
    Trials are columns here, so that numpy counts them side by side.
    """
    order = np.argsort(scores, kind="stable")[: np.sum(~np.isnan(scores))]
    value, code = _codes(scores[order]), _codes(human[order])
    bits = range(int(code.max(initial=0)).bit_length())
    kinds = [
        [_tied_pairs(value)],
        [_tied_pairs(_codes(code * len(code) + value))],
        [_discordant_pairs(code, value, bit) for bit in bits],
    ]
    none = np.zeros(len(code), np.int64)
    degrees = np.array([sum((degree for degree, _ in kind), none) for kind in kinds], np.float64)
    n_pairs = degrees.sum(axis=1)[:, None] / 2

    def counts(taken: Mask) -> Array:
        places = np.ascontiguousarray(taken.T).take(order, axis=0).view(np.uint8)
        of_none = np.zeros(len(taken), np.int64)
        of_x = np.array([sum((count(places) for _, count in kind), of_none) for kind in kinds])
        touched = degrees @ places - of_x
        return np.stack([of_x, n_pairs - touched], axis=1)

    return counts


def _codes(scores: NDArray[np.generic]) -> Codes:
    """Number the distinct scores from the lowest."""
    code: Codes = np.unique(scores, return_inverse=True)[1]
    return code


def _tied_pairs(code: Codes) -> tuple[Codes, Count]:
    """Prepare the numbers of pairs that have the same code: of each score, and of taken scores."""
    size = np.bincount(code)[code]
    order = np.argsort(code, kind="stable")
    order = order[size[order] > 1]
    starts = np.flatnonzero(np.diff(code[order], prepend=-1))

    def count(taken: Taken) -> NDArray[np.int64]:
        if not len(starts):
            return np.zeros(taken.shape[1], np.int64)
        n = np.add.reduceat(taken.take(order, axis=0), starts, axis=0, dtype=np.int64)
        n_pairs: NDArray[np.int64] = np.sum(n * (n - 1) // 2, axis=0)
        return n_pairs

    return size - 1, count


def _discordant_pairs(code: Codes, value: Codes, bit: int) -> tuple[Codes, Count]:
    """Prepare the numbers of discordant pairs that one bit decides, as `_tied_pairs` does.

    The lower score of such a pair has the bit, the higher score lacks it, and their higher bits are
    the same. Sorted by higher bits and score, these lower scores are neighbours.
    """
    key = (code >> bit + 1) * len(code) + value
    order = np.argsort(key, kind="stable")
    has_bit = code[order] >> bit & 1 == 1
    ones, zeros = order[has_bit], order[~has_bit]
    first = np.searchsorted(key[ones], key[zeros] - value[zeros])
    last = np.searchsorted(key[ones], key[zeros])
    degrees = np.zeros(len(code), np.int64)
    degrees[zeros] = last - first
    degrees[ones] = np.cumsum(
        np.bincount(first, minlength=len(ones) + 1) - np.bincount(last, minlength=len(ones) + 1)
    )[:-1]

    def count(taken: Taken) -> NDArray[np.int64]:
        n_ones = _running_counts(taken.take(ones, axis=0))
        n_lower = n_ones.take(last, axis=0)
        n_lower -= n_ones.take(first, axis=0)
        n_lower *= taken.take(zeros, axis=0)
        n_pairs: NDArray[np.int64] = n_lower.sum(axis=0, dtype=np.int64)
        return n_pairs

    return degrees, count


def _running_counts(taken: Taken) -> NDArray[np.unsignedinteger]:
    """Count the taken scores before each row, shape (n, n_trials) to at least (n + 1, n_trials).

    ``np.cumsum`` would walk down every column by itself. The rows are cut into blocks, in all of
    which a step adds up one row.
    """
    n, n_trials = taken.shape
    size, dtype = math.isqrt(n) + 1, np.min_scalar_type(n)
    blocks = np.zeros((-(-(n + 1) // size), size, n_trials), dtype)
    blocks.reshape(-1, n_trials)[1 : n + 1] = taken
    for row in range(1, size):
        blocks[:, row] += blocks[:, row - 1]
    blocks[1:] += np.cumsum(blocks[:-1, -1], axis=0, dtype=dtype)[:, None]
    return blocks.reshape(-1, n_trials)
