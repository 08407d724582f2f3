"""How often the n-grams of references occur, and how much information each carries."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core import ratio
from mteval_core.kernels import PairIndex, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Ids = NDArray[np.int32]

__all__ = ["NgramCounts", "ReferenceWords"]

AT_ONCE = 1 << 21
"""Number of words that are counted at once, so that intermediate results take little memory."""


class NgramCounts(NamedTuple):
    """Counts of the n-grams of references.

    An n-gram has the number of the pair of its prefix, which is its first n - 1 words, and its last
    word. An n-gram whose prefix occurs once carries no information, so it has no number. That holds
    for most long n-grams.

    Parameters
    ----------
    n_words : int
        Number of words in all references.
    numbers : tuple of PairIndex
        Numbers of the n-grams of the orders 2 to N.
    counts : tuple of ndarray of int64
        How often each n-gram of the orders 1 to N occurs, by number.
    zero : int
        Number of the word ``0``; -1 if there is none.
    """

    n_words: int
    numbers: tuple[PairIndex, ...]
    counts: tuple[NDArray[np.int64], ...]
    zero: int

    @classmethod
    def of(cls, words: Ids, order: int, zero: int) -> NgramCounts:
        """Count the n-grams of texts.

        Parameters
        ----------
        words : ndarray of int32, shape (n,)
            Numbers of the words, and -1 between two texts.
        order : int
            Largest order, N.
        zero : int
            Number of the word ``0``; -1 if there is none.
        """
        ids = words.copy()  # of the n-grams of one order, by the position of their last word
        numbers, counts = [], [_occurrences(ids)]
        for n in range(1, order):
            informs = np.append(counts[-1] > 1, False)  # the number -1 does not
            if n == 1 and 0 <= zero < len(counts[-1]):
                informs[zero] = True
            index = PairIndex()
            for start in reversed(range(1, len(ids), AT_ONCE)):
                end = min(start + AT_ONCE, len(ids))
                prefix, last = ids[start - 1 : end - 1], words[start:end]
                (carried,) = np.nonzero(informs[prefix])
                longer = np.full(len(last), -1, np.int32)
                longer[carried] = index.add(prefix[carried], last[carried])
                ids[start:end] = longer
            ids[:1] = -1
            numbers.append(index)
            counts.append(_occurrences(ids))
        return cls(int(counts[0].sum()), tuple(numbers), tuple(counts), zero)

    def information(
        self, words: Ids, wanted: NDArray[np.bool_]
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """Compute the information of n-grams, order by order.

        eq. 2:  Info(w_1 ... w_n) = log2(count(w_1 ... w_n-1) / count(w_1 ... w_n)), where the
        count of the empty sequence is the number of all words.

        Parameters
        ----------
        words : ndarray of int32, shape (n,)
            Numbers of the words of some texts; -1 for words that are not in the references.
        wanted : ndarray of bool, shape (N, n)
            Of which n-grams, by the position of their last word. Their prefixes are wanted too.

        Yields
        ------
        ends : ndarray of intp, shape (m,)
            Positions of the last words of those that have a number; the others carry nothing.
        information : ndarray of float64, shape (m,)
            Their information in bits.
        """
        ids = words.copy()  # of the longest n-grams so far that end at each position
        times = np.full(len(words), self.n_words)  # that these occur; at first, the empty sequence
        for n, count in enumerate(self.counts):
            (ends,) = np.nonzero(wanted[n])
            found = words[ends]
            if n:
                found = ids[ends] = self.numbers[n - 1].find(ids[ends - 1], found)
            known = (found >= 0) & (found < len(count))
            ends = ends[known]
            before, now = times[ends - 1], count[found[known]]
            yield ends, np.log2(ratio(before, now, 1))
            times[ends] = now
            if n == 0:
                times[words == self.zero] = self.n_words  # as in Perl


class ReferenceWords:
    """The words of references that come in pieces, until all of them can be counted.

    They have a vocabulary of their own, so that pieces with other vocabularies can be added.

    Parameters
    ----------
    order : int
        Largest order of the n-grams, N.

    Attributes
    ----------
    vocabulary : Vocabulary
        The words.
    """

    def __init__(self, order: int) -> None:
        self.vocabulary: Vocabulary = Vocabulary()
        self._order = order
        self._pieces: list[Ids] = []
        self._counts: NgramCounts | None = None
        self._lock = Lock()

    def add(self, types: list[str], words: Ids) -> None:
        """Add texts.

        Parameters
        ----------
        types : list of str
            Different words.
        words : ndarray of int32, shape (n,)
            The words of the texts, by their place in this list, and -1 after each text.
        """
        self._counts = None
        numbers = self.vocabulary.intern(types)
        self._pieces.append(np.append(numbers, np.int32(-1))[words])

    def merge(self, other: ReferenceWords) -> None:
        """Add the texts of another piece."""
        types = np.arange(len(other.vocabulary), dtype=np.int32)
        self.add(other.vocabulary.tokens(types), other.words)

    @property
    def words(self) -> Ids:
        """The words of all texts, shape (n,), and -1 after each text."""
        self._pieces = [np.concatenate([np.empty(0, np.int32), *self._pieces])]
        return self._pieces[0]

    @property
    def counts(self) -> NgramCounts:
        """Counts of the n-grams of all texts."""
        with self._lock:
            if self._counts is None:
                zero = self.vocabulary.find("0")
                self._counts = NgramCounts.of(self.words, self._order, zero)
            return self._counts

    def __getstate__(self) -> dict[str, Any]:
        types = np.arange(len(self.vocabulary), dtype=np.int32)
        return {"order": self._order, "types": self.vocabulary.tokens(types), "words": self.words}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["order"])  # type: ignore[misc]
        self.add(state["types"], state["words"])


def _occurrences(ids: Ids) -> NDArray[np.int64]:
    """Count each number, in pieces; -1 is none."""
    counts = np.zeros(int(ids.max(initial=-1)) + 1, np.int64)
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        counts += np.bincount(some[some >= 0], minlength=len(counts))
    return counts
