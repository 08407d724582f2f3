"""How often n-grams occur in references that come in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import ratio
from mteval_core.kernels import PairIndex, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ids = NDArray[np.int32]

__all__ = ["NgramCounts"]


class NgramCounts:
    """Counts of all n-grams of some texts, up to an order.

    They have a vocabulary of their own, so that counts of pieces with other vocabularies can be
    added. An n-gram has the number of the pair of its first n - 1 words and its last word.

    Parameters
    ----------
    order : int
        Largest order, N.

    Attributes
    ----------
    vocabulary : Vocabulary
        The words.
    numbers : list of PairIndex
        Numbers of the n-grams of the orders 2 to N.
    counts : list of ndarray of int64
        Count of each n-gram of the orders 1 to N, by number.
    """

    def __init__(self, order: int) -> None:
        self.vocabulary: Vocabulary = Vocabulary()
        self.numbers: list[PairIndex] = [PairIndex() for _ in range(order - 1)]
        self.counts: list[NDArray[np.int64]] = [np.empty(0, np.int64) for _ in range(order)]
        self._pairs: list[NDArray[np.int32]] = [np.empty((2, 0), np.int32) for _ in self.numbers]
        self._information: tuple[NDArray[np.float64], ...] | None = None

    @property
    def information(self) -> tuple[NDArray[np.float64], ...]:
        """Information of all n-grams in bits, orders 1 to N; see `mteval_bleu_nist.nist`."""
        if self._information is None:
            n_words = int(self.counts[0].sum())
            before = self.counts[0].copy()
            zero = self.vocabulary.find("0")
            if zero >= 0:
                before[zero] = n_words
            information = [log2_ratio(n_words, self.counts[0])]
            for (left, _), count in zip(self._pairs, self.counts[1:], strict=True):
                information.append(log2_ratio(before[left], count))
                before = count
            self._information = tuple(information)
        return self._information

    def add(self, words: Ids, starts: NDArray[np.int64]) -> None:
        """Count the n-grams of texts, one after the other.

        Parameters
        ----------
        words : ndarray of int32, shape (n_words,)
            Ids in this vocabulary.
        starts : ndarray of int64
            Where texts begin that are not empty.
        """
        ids = words
        self._count(0, ids)
        for n, _ in enumerate(self.numbers):
            prefix = np.roll(ids, 1)
            prefix[starts] = -1
            ids = self._number(n, prefix, words)
            self._count(n + 1, ids)

    def merge(self, other: NgramCounts) -> None:
        """Add the counts of other texts."""
        own = self.intern(other.types)
        self._count(0, own, other.counts[0])
        ids = own
        for n, (left, right) in enumerate(other._pairs):
            ids = self._number(n, ids[left], own[right])
            self._count(n + 1, ids, other.counts[n + 1])

    @property
    def types(self) -> list[str]:
        """The words, by id."""
        return self.vocabulary.tokens(np.arange(len(self.vocabulary), dtype=np.int32))

    def intern(self, words: Sequence[str]) -> Ids:
        """Return the ids of words, which are added if they are new."""
        return self.vocabulary.intern(words)

    def _number(self, n: int, left: Ids, right: Ids) -> Ids:
        """Number n-grams by their pairs, and remember the pairs that are new."""
        index = self.numbers[n]
        n_known = len(index)
        ids = index.add(left, right)
        pairs = np.empty((2, len(index) - n_known), np.int32)
        is_new = ids >= n_known
        pairs[:, ids[is_new] - n_known] = left[is_new], right[is_new]
        self._pairs[n] = np.concatenate([self._pairs[n], pairs], axis=1)
        return ids

    def _count(self, n: int, ids: Ids, times: NDArray[np.int64] | None = None) -> None:
        """Count numbers of n-grams, once or some times each; -1 is none."""
        self._information = None
        known = ids >= 0
        weights = None if times is None else times[known]
        found = np.bincount(ids[known], weights, minlength=len(self.counts[n])).astype(np.int64)
        found[: len(self.counts[n])] += self.counts[n]
        self.counts[n] = found

    def __getstate__(self) -> dict[str, Any]:
        return {"types": self.types, "pairs": self._pairs, "counts": self.counts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(len(state["counts"]))  # type: ignore[misc]
        self.vocabulary.intern(state["types"])
        self._pairs, self.counts = state["pairs"], state["counts"]
        for index, (left, right) in zip(self.numbers, self._pairs, strict=True):
            index.add(left, right)


def log2_ratio(before: NDArray[np.int64] | int, count: NDArray[np.int64]) -> NDArray[np.float64]:
    """Information of n-grams, from the counts of their prefixes and their own; 0 at the end."""
    return np.append(np.log2(ratio(before, count, 1)), 0.0)
