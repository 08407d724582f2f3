"""Pairs of many outputs after metrics exchange scores, bit by bit of the human scores.

Whether a pair is discordant is decided at the highest bit in which the ranks of its human scores
differ: it is, if the output with the bit comes first in the order of the metric. The sorted scores
of both metrics together have one order, whatever is exchanged. So for each bit, the pairs that it
decides are counted with running sums over fixed places; a trial only tells which places are taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Counts = tuple[NDArray[np.float64], NDArray[np.float64]]
    Indices = NDArray[np.int64]

__all__ = ["LargeGroup"]


class _Bit(NamedTuple):
    """The pairs that one bit decides: places with the bit, and places without it.

    Parameters
    ----------
    ones, zeros : ndarray of int64, shape (n_ones,) and (n_zeros,)
        Places among the sorted scores, sorted by the higher bits.
    first, last : ndarray of int64, shape (n_zeros,)
        Which of the ones have the same higher bits as a zero and a smaller score.
    """

    ones: Indices
    zeros: Indices
    first: Indices
    last: Indices

    def discordant(self, taken: NDArray[np.uint8]) -> Counts:
        """Count the discordant pairs of the metric whose places are taken, and of the other one."""
        before = np.zeros((len(self.ones) + 1, taken.shape[1]), np.int32)
        np.cumsum(taken[self.ones], axis=0, out=before[1:])
        n_before = before[self.last] - before[self.first]
        of_zero = taken[self.zeros]
        own = np.sum(n_before * of_zero, axis=0, dtype=np.int64)
        # The other metric has all other places: (1 - of_zero) (n_all - n_before).
        n_all = (self.last - self.first).astype(np.int32)[:, None]
        n_before -= n_all
        others = np.sum(n_before * of_zero, axis=0, dtype=np.int64)
        others -= np.sum(n_before, axis=0, dtype=np.int64)
        return np.asarray(own, np.float64), np.asarray(others, np.float64)


class _Ties(NamedTuple):
    """Runs of equal scores: their places, and where each run begins."""

    places: Indices
    starts: Indices

    @classmethod
    def of(cls, run: Indices) -> _Ties:
        """Keep the runs of more than one place."""
        size = np.bincount(run)
        order = np.argsort(run, kind="stable")
        places = order[size[run[order]] > 1]
        edges = np.flatnonzero(np.diff(run[places], prepend=-1))
        return cls(places, edges)

    def pairs(self, taken: NDArray[np.uint8]) -> Counts:
        """Count the tied pairs of the metric whose places are taken, and of the other one."""
        if not len(self.places):
            nothing = np.zeros(taken.shape[1])
            return nothing, nothing
        n = np.add.reduceat(taken[self.places], self.starts, axis=0, dtype=np.int64)
        size = np.diff(np.append(self.starts, len(self.places)))[:, None]
        own, others = (np.sum(k * (k - 1.0) / 2, axis=0) for k in (n, size - n))
        return own, others


class LargeGroup:
    """Outputs with the scores of two metrics and human scores, prepared for many exchanges.

    Parameters
    ----------
    x, y, human : ndarray of float64, shape (n,)
        Scores; outputs with a missing score do not count.
    """

    def __init__(self, x: Array, y: Array, human: Array) -> None:
        self.judged: NDArray[np.int64] = np.flatnonzero(~np.isnan(x + y + human))
        n = len(self.judged)
        both = np.concatenate([x[self.judged], y[self.judged]])
        order = np.argsort(both, kind="stable")
        self.output: NDArray[np.int64] = order % n if n else order
        self.is_first: NDArray[np.uint8] = (order < n).view(np.uint8)[:, None]
        _, code = np.unique(human[self.judged], return_inverse=True)
        self.n_pairs: float = n * (n - 1) / 2
        of_code = np.bincount(code, minlength=1)
        self.n_tied_human: float = float(np.sum(of_code * (of_code - 1.0) / 2))
        place_code = code[self.output]
        _, value = np.unique(both[order], return_inverse=True)
        self.tied: _Ties = _Ties.of(value)
        _, pair = np.unique(np.stack([place_code, value]), axis=1, return_inverse=True)
        self.tied_both: _Ties = _Ties.of(pair.ravel())
        top = int(code.max(initial=0)).bit_length()
        self.bits = [_bit(place_code, value, b) for b in reversed(range(top))]

    def counts(self, masks: NDArray[np.bool_]) -> list[Counts]:
        """Count pairs after exchanges.

        Parameters
        ----------
        masks : ndarray of bool, shape (n_trials, n)
            The outputs that are exchanged.

        Returns
        -------
        list of pairs of ndarray of float64, shape (n_trials,)
            For both metrics: concordant minus discordant pairs; pairs that the metric ties; and
            pairs that metric and humans tie.
        """
        exchanged = np.ascontiguousarray(masks[:, self.judged].T).view(np.uint8)
        # Not by comparing truth values: numpy 1.24.0 makes other bytes of them than 0 and 1.
        taken = exchanged[self.output] ^ self.is_first
        tied, tied_both = self.tied.pairs(taken), self.tied_both.pairs(taken)
        discordant = [bit.discordant(taken) for bit in self.bits]
        nothing = np.zeros(len(masks))
        lead = []
        for side in (0, 1):
            wrong = sum((each[side] for each in discordant), start=nothing)
            untied = self.n_pairs - self.n_tied_human - tied[side] + tied_both[side]
            lead.append(untied - 2 * wrong)
        return [(lead[0], lead[1]), tied, tied_both]


def _bit(code: Indices, value: Indices, b: int) -> _Bit:
    """Prepare a bit of the codes of all places, which are sorted by value."""
    higher = code >> (b + 1)
    order = np.argsort(higher, kind="stable")
    higher, value = higher[order], value[order]
    one = (code[order] >> b & 1).astype(bool)
    place = np.arange(len(order))
    begins = np.diff(higher, prepend=-1) != 0
    runs = begins | (np.diff(value, prepend=-1) != 0)
    group_start = np.maximum.accumulate(np.where(begins, place, 0))
    run_start = np.maximum.accumulate(np.where(runs, place, 0))
    n_ones = np.cumsum(one) - one
    return _Bit(
        ones=order[one],
        zeros=order[~one],
        first=n_ones[group_start[~one]],
        last=n_ones[run_start[~one]],
    )
