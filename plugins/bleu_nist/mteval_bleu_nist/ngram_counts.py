"""Frequencies of n-grams in references, and their information weights."""

from __future__ import annotations

from array import array
from itertools import accumulate, pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_kernels import Vocabulary, find_ngrams, repeated_ngrams

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Ids = NDArray[np.int32]

__all__ = ["NgramCounts", "ReferenceWords"]

N_PARTS = 16
"""Number of parts in which threads count n-grams together."""

AT_ONCE = 1 << 20
"""Number of words that are counted at once, so that intermediate results take little memory."""


class Repeated(NamedTuple):
    """The n-grams of one order that occur more than once; see `repeated_ngrams`.

    Parameters
    ----------
    first : ndarray of int32, shape (n_prefixes + 1,)
        The n-grams with the prefix ``i`` have the numbers ``first[i]`` to ``first[i + 1] - 1``.
    last : ndarray of int32, shape (n_ngrams,)
        The last word of each, by number.
    counts : ndarray of int32, shape (n_ngrams,)
        How often each occurs.
    """

    first: Ids
    last: Ids
    counts: Ids

    @classmethod
    def joined(cls, parts: Sequence[Repeated]) -> Repeated:
        """Join n-grams whose prefixes follow each other."""
        first, last, counts = zip(*parts, strict=True)
        ends = list(accumulate(map(len, last), initial=0))
        starts = [each[:-1] + np.int32(end) for each, end in zip(first, ends, strict=False)]
        end = np.array(ends[-1:], np.int32)
        return cls(np.concatenate([*starts, end]), np.concatenate(last), np.concatenate(counts))


class NgramCounts(NamedTuple):
    """Counts of the n-grams of references.

    Parameters
    ----------
    words : ndarray of int64, shape (n_types,)
        How often each word occurs.
    repeated : tuple of Repeated
        The n-grams of the orders 2 to N that occur more than once.
    zero : int
        Number of the word ``0``; -1 if there is none.
    """

    words: NDArray[np.int64]
    repeated: tuple[Repeated, ...]
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
        return Counting.of(words, order, zero, n_parts=1).counts()

    def information(
        self, words: Ids, wanted: NDArray[np.bool_]
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        """Compute the information of n-grams of the references, order by order.

        eq. 2:  Info(w_1 ... w_n) = log2(count(w_1 ... w_n-1) / count(w_1 ... w_n)), where the
        count of the empty sequence is the number of all words.

        Parameters
        ----------
        words : ndarray of int32, shape (n,)
            Numbers of the words of some texts. Those that are not in the references have any
            number that these do not have.
        wanted : ndarray of bool, shape (N, n)
            Which n-grams, by the position of their last word. All of them occur in the references.

        Yields
        ------
        ends : ndarray of intp, shape (m,)
            The positions of the last words.
        information : ndarray of float64, shape (m,)
            The information of these n-grams in bits.
        """
        needed = wanted.copy()  # also the prefixes of those that are wanted
        for n in reversed(range(1, len(needed))):
            needed[n - 1, :-1] |= needed[n, 1:]
        ids = words.copy()  # of the longest n-grams so far that end at each position
        times = np.full(len(words), self.words.sum())  # that they occur; at first, the empty one
        for n in range(len(needed)):
            (ends,) = np.nonzero(needed[n])
            if n == 0:
                now = self.words[words[ends]]
            else:
                first, last, counts = self.repeated[n - 1]
                found = ids[ends] = find_ngrams(first, last, ids[ends - 1], words[ends])
                now = np.ones(len(ends), np.int64)  # of those that are not repeated
                now[found >= 0] = counts[found[found >= 0]]
            bits = np.log2(times[ends - 1] / now)
            times[ends] = now
            chosen = wanted[n, ends]
            yield ends[chosen], bits[chosen]
            if n == 0:
                times[words == self.zero] = self.words.sum()  # as in Perl


class Counting:
    """The counts of n-grams, which threads count together.

    Parameters
    ----------
    counts : NgramCounts
        Counts of the words; if there are no parts, of the n-grams, too.
    parts : sequence of Part
        The n-grams that are not yet counted.
    """

    def __init__(self, counts: NgramCounts, parts: Sequence[Part] = ()) -> None:
        self._counts, self._parts = counts, parts
        self._lock = Lock()

    @classmethod
    def of(cls, words: Ids, order: int, zero: int, n_parts: int) -> Counting:
        """Divide n-grams by their first word into parts of similar size; see `NgramCounts.of`."""
        occurrences = _occurrences(words)
        so_far = np.cumsum(occurrences)
        shares = np.arange(1, n_parts) * len(words) / n_parts
        bounds = [0, *np.searchsorted(so_far, shares).tolist(), len(so_far)]
        parts = [Part(words, order, *each) for each in pairwise(bounds)]
        return cls(NgramCounts(occurrences, (), zero), parts)

    def counts(self) -> NgramCounts:
        """Count all n-grams, together with other threads that want to do the same."""
        for part in self._parts:
            part.count(wait=False)
        with self._lock:
            if self._parts:
                orders = zip(*(part.count() for part in self._parts), strict=True)
                self._counts = self._counts._replace(repeated=tuple(map(Repeated.joined, orders)))
                self._parts = ()
            return self._counts


class Part:
    """The n-grams that begin with one of the words `low` to ``high - 1``, counted once.

    For the other parameters, see `NgramCounts.of`.
    """

    def __init__(self, words: Ids, order: int, low: int, high: int) -> None:
        self._arguments: tuple[Ids, int, int, int] | None = words, order, low, high
        self._found: list[Repeated] = []
        self._lock = Lock()

    def count(self, *, wait: bool = True) -> list[Repeated]:
        """Count those that occur more than once, unless another thread does and we do not wait."""
        if self._lock.acquire(blocking=wait):
            try:
                if self._arguments is not None:
                    self._found = [Repeated(*each) for each in repeated_ngrams(*self._arguments)]
                    self._arguments = None  # the words take much memory
            finally:
                self._lock.release()
        return self._found


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
        self._words = array("i")  # grows in place, unlike an ndarray
        self._counting: Counting | None = None
        self._lock = Lock()

    def add(self, types: list[str], words: Ids) -> None:
        """Add texts.

        Parameters
        ----------
        types : list of str
            Different words.
        words : ndarray of int32, shape (n,)
            The words of the texts, by their place in this list, and -1 after each text.

        Raises
        ------
        RuntimeError
            If the n-grams are counted already.
        """
        so_far = self.words
        numbers = self.vocabulary.intern(types)
        so_far.frombytes(np.append(numbers, np.int32(-1))[words].tobytes())

    def merge(self, other: ReferenceWords) -> None:
        """Add the texts of another piece, which must not be counted either."""
        self.add(other._types, np.frombuffer(other.words, np.int32))

    @property
    def words(self) -> array[int]:
        """The words of all texts, and -1 after each text, as int32."""
        if self._counting is not None:
            raise RuntimeError(
                "the n-grams of the references are counted; texts cannot be added any more"
            )
        return self._words

    @property
    def counts(self) -> NgramCounts:
        """Counts of the n-grams of all texts. From now on, nothing can be added."""
        with self._lock:
            if self._counting is None:
                words, zero = np.frombuffer(self._words, np.int32), self.vocabulary.find("0")
                self._counting = Counting.of(words, self._order, zero, N_PARTS)
                self._words = array("i")
                del words  # only the parts need them, until they are counted
        return self._counting.counts()

    @property
    def _types(self) -> list[str]:
        return self.vocabulary.tokens(np.arange(len(self.vocabulary), dtype=np.int32))

    def __getstate__(self) -> dict[str, Any]:
        counts = self._counting and self._counting.counts()
        return {"order": self._order, "types": self._types, "words": self._words, "counts": counts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["order"])  # type: ignore[misc]
        self.vocabulary.intern(state["types"])
        self._words = state["words"]
        self._counting = state["counts"] and Counting(state["counts"])


def _occurrences(words: Ids) -> NDArray[np.int64]:
    """Count each word."""
    counts = np.zeros(int(words.max(initial=-1)) + 1, np.int64)
    for start in range(0, len(words), AT_ONCE):
        some = words[start : start + AT_ONCE]
        counts += np.bincount(some[some >= 0], minlength=len(counts))
    return counts
