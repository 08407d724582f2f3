"""NIST: Doddington, "Automatic evaluation using n-gram co-occurrence statistics", HLT 2002.

Follows mteval-v13a in what the paper leaves open: information is counted over all references of
the whole test set, pooled; matches are clipped by the largest count in any one reference; the
reference length is the mean over the references of the segment.

One accident of the program is kept: a bigram whose first word is the token ``0`` has its
information relative to all words, since the program asks whether that string is true. Where the
program divides by zero (no reference words at all) the score is 0; so it is for empty hypotheses.

There is no highest score, and the identical text need not have the best: frequent words carry
little information, so that leaving one out can raise the mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mteval_core import ratio
from mteval_core.kernels import PairIndex, clipped_matches, weighted_matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import References, TokenizedCorpus, Tokens
    from mteval_core.kernels import Vocabulary

    Ids = NDArray[np.int32]
    SomeTexts = TypeVar("SomeTexts", bound=Tokens)

__all__ = ["Nist"]

BETA = log(2) / log(1.5) ** 2
"""Makes the length penalty one half where two thirds of the reference length are reached."""


@dataclass(frozen=True)
class Nist:
    """NIST with the options of its declaration.

    Parameters
    ----------
    order : int
        Longest n-grams counted, N.
    weights : bool
        Whether a match counts its information; otherwise it counts 1 (Turian, Shen and Melamed
        2003, section 4).
    numbers : tuple of PairIndex
        Numbers the n-grams of the references that carry information, orders 2 to N; made by
        `prepare`.
    information : tuple of ndarray of float64
        Information of each of them, in bits, orders 1 to N; made by `prepare`.
    """

    order: int = 5
    weights: bool = True
    numbers: tuple[PairIndex, ...] = ()
    information: tuple[NDArray[np.float64], ...] = ()

    def prepare(self, words: References, vocabulary: Vocabulary) -> Nist:
        """Count the n-grams of all references.

        eq. 2:  Info(w_1 ... w_n) = log2(count(w_1 ... w_n-1) / count(w_1 ... w_n)), where the
        count of the empty sequence is the number of all words.

        That is 0 where w_1 ... w_n-1 occurs once. Such n-grams, most of the long ones, get no
        number.
        """
        if not self.weights:
            return self
        texts = flat(words)
        ids, n_words = texts.ids, len(texts.ids)
        count = counts(ids)
        information = [log2_ratio(n_words, count)]
        zero = vocabulary.find("0")
        if 0 <= zero < len(count):
            count[zero] = n_words
        numbers = []
        for _ in range(self.order - 1):
            index = PairIndex()
            prefix = prefixes(texts, ids)
            ids = index.add(np.where(count[prefix] > 1, prefix, np.int32(-1)), texts.ids)
            before = np.empty(len(index), np.int64)
            before[ids[ids >= 0]] = count[prefix[ids >= 0]]
            count = counts(ids)
            information.append(log2_ratio(before, count))
            numbers.append(index)
        return replace(self, numbers=tuple(numbers), information=tuple(information))

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Sum the information of the matches.

        Returns
        -------
        ndarray of float64, shape (n_segments, 2 + 2 * order)
            Hypothesis length and mean reference length in tokens; information of the clipped
            matches of each order, in bits; hypothesis n-grams of each order.
        """
        references = words.references
        c = words.hypotheses.lengths
        r = np.add.reduceat(references.lengths, references.index[:-1]) / references.counts
        matched = (
            self._information_of_matches(words)
            if self.weights
            else clipped_matches(words.hypotheses, references, self.order)
        )
        total = np.maximum(c[:, None] - np.arange(self.order), 0)
        return np.column_stack([c, r, matched, total])

    def _information_of_matches(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        hypotheses, references = flat(words.hypotheses), flat(words.references)
        orders = zip(
            self._ngrams(hypotheses), self._ngrams(references), self.information, strict=True
        )
        return np.column_stack(
            [
                weighted_matches(
                    replace(hypotheses, ids=np.where(ids < len(info), ids, np.int32(-1))),
                    replace(references, ids=reference_ids),
                    info,
                )
                for ids, reference_ids, info in orders
            ]
        )

    def _ngrams(self, texts: Tokens) -> Iterator[Ids]:
        """Give the n-grams of order 1, 2, ... by number, each at the position of its last word."""
        ids = texts.ids
        yield ids
        for index in self.numbers:
            ids = index.find(prefixes(texts, ids), texts.ids)
            yield ids

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """NIST, its summand of each order, length penalty, both lengths; shape (..., N + 4)."""
        N = self.order
        c, r = totals[..., 0], totals[..., 1]
        matched, total = totals[..., 2 : 2 + N], totals[..., 2 + N :]

        # eq. 3     exp(beta log^2 min(L_sys / L_ref, 1))
        with np.errstate(divide="ignore"):
            BP = np.exp(-BETA * np.log(np.minimum(ratio(c, r, 1), 1)) ** 2)

        # eq. 3     sum over n of (information of the matches / n-grams of the hypotheses)
        summands = BP[..., None] * matched / np.maximum(total, 1)
        nist = summands.sum(axis=-1)
        return np.concatenate([nist[..., None], summands, np.stack([BP, c, r], axis=-1)], axis=-1)


def flat(texts: SomeTexts) -> SomeTexts:
    """Lay texts one behind the other, in order, and nothing between them."""
    lengths = texts.lengths
    ends = np.cumsum(lengths)
    starts = ends - lengths
    positions = np.arange(lengths.sum()) + np.repeat(texts.starts - starts, lengths)
    return replace(texts, ids=texts.ids[positions], starts=starts, ends=ends)


def prefixes(texts: Tokens, ids: Ids) -> Ids:
    """Give the n-gram that ends before each position; -1, none, where a text starts."""
    before = np.roll(ids, 1)
    before[texts.starts[texts.lengths > 0]] = -1
    return before


def counts(ids: Ids) -> NDArray[np.int64]:
    """Count each number; the last count, 0, is that of the number -1."""
    return np.append(np.bincount(ids[ids >= 0]), 0)


def log2_ratio(before: NDArray[np.int64] | int, count: NDArray[np.int64]) -> NDArray[np.float64]:
    """Information of n-grams from the counts of their prefixes and, without the last, their own."""
    return np.asarray(np.log2(ratio(before, count[:-1], 1)))
