"""NIST: Doddington, "Automatic evaluation using n-gram co-occurrence statistics", HLT 2002.

Where the paper leaves a choice open, the metric follows mteval-v13a: information is computed from
the counts in all references of the whole test set, pooled; matches are clipped by the largest count
in any one reference; the reference length is the mean over the references of the segment.

One accident of the program is kept. It tests the prefix of a bigram for truth, and the string ``0``
is false in Perl, so the information of a bigram that starts with the token ``0`` is relative to the
number of all words. If there are no reference words at all, the program divides by zero; here the
score is 0, as it is for empty hypotheses.

The score has no upper bound, and a copy of the reference does not always score best: frequent words
carry little information, so leaving one out can raise the mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mteval_bleu_nist.ngram_counts import NgramCounts, log2_ratio
from mteval_core import mean_reference_lengths, ratio
from mteval_core.kernels import PairIndex, clipped_matches, matched_ngrams, ngram_totals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import Explanation, References, TokenizedCorpus, Tokens
    from mteval_core.kernels import Vocabulary

    Ids = NDArray[np.int32]
    SomeTexts = TypeVar("SomeTexts", bound=Tokens)

__all__ = ["Nist"]

BETA = log(2) / log(1.5) ** 2
"""Makes the length penalty 1/2 if the hypotheses have 2/3 of the reference length."""


@dataclass(frozen=True)
class Nist:
    """NIST with the options of its declaration.

    Parameters
    ----------
    order : int
        Largest n-gram order counted, N.
    weights : bool
        Whether a match counts its information; otherwise it counts 1 (Turian, Shen and Melamed
        2003, section 4).
    numbers : tuple of PairIndex
        Numbers of the n-grams in the references that carry information, orders 2 to N; set by
        `prepare`.
    information : tuple of ndarray of float64
        Information of these n-grams, in bits, orders 1 to N, and at the end 0, that of n-grams
        without a number, which is -1; set by `prepare`.
    translation : ndarray of int32 or None
        Ids of the words in the vocabulary of the counts, by their ids in the texts; set by
        `finish`.
    """

    order: int = 5
    weights: bool = True
    numbers: tuple[PairIndex, ...] = ()
    information: tuple[NDArray[np.float64], ...] = ()
    translation: Ids | None = None

    def prepare(self, words: References, vocabulary: Vocabulary) -> Nist:
        """Compute the information of the n-grams of all references.

        eq. 2:  Info(w_1 ... w_n) = log2(count(w_1 ... w_n-1) / count(w_1 ... w_n)), where the
        count of the empty sequence is the number of all words.

        The information is 0 if w_1 ... w_n-1 occurs once. That holds for most long n-grams; they
        get no number.
        """
        if not self.weights:
            return self
        texts = flat(words)
        ids, n_words = texts.ids, len(texts.ids)
        count = np.bincount(ids)
        information = [log2_ratio(n_words, count)]
        zero = vocabulary.find("0")
        if 0 <= zero < len(count):
            count[zero] = n_words
        numbers = []
        ends = np.arange(n_words)  # of the n-grams of one order, whose numbers are ids
        followed = np.ones(n_words, np.bool_)
        followed[texts.ends[texts.lengths > 0] - 1] = False
        for _ in range(self.order - 1):
            carries = (count[ids] > 1) & followed[ends]
            prefix, ends = ids[carries], ends[carries] + 1
            index = PairIndex()
            ids = index.add(prefix, texts.ids[ends])
            before = np.empty(len(index), np.int64)
            before[ids] = count[prefix]
            count = np.bincount(ids)
            information.append(log2_ratio(before, count))
            numbers.append(index)
        return replace(self, numbers=tuple(numbers), information=tuple(information))

    def collect(self, words: References, vocabulary: Vocabulary) -> NgramCounts:
        """Count the n-grams of references that come in pieces."""
        counts = NgramCounts(self.order if self.weights else 1)
        texts = flat(words)
        types, ids = np.unique(texts.ids, return_inverse=True)
        own = counts.intern(vocabulary.tokens(types))
        counts.add(own[ids], texts.starts[texts.lengths > 0])
        return counts

    def finish(self, counts: NgramCounts, words: References, vocabulary: Vocabulary) -> Nist:
        """Compute what `prepare` computes, for a piece of references that all were counted."""
        if not self.weights:
            return self
        types = np.unique(flat(words).ids)
        translation = np.full(len(vocabulary), -1, np.int32)
        translation[types] = [counts.vocabulary.find(word) for word in vocabulary.tokens(types)]
        return replace(
            self,
            numbers=tuple(counts.numbers),
            information=counts.information,
            translation=translation,
        )

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Sum the information of the matches of every segment.

        Returns
        -------
        ndarray of float64, shape (n_segments, 2 + 2 * order)
            Hypothesis length and mean reference length in tokens; information of the clipped
            matches of each order, in bits; hypothesis n-grams of each order.
        """
        c, r = words.hypotheses.lengths, mean_reference_lengths(words.references)
        matched = (
            self._information_of_matches(words)
            if self.weights
            else clipped_matches(words.hypotheses, words.references, self.order)
        )
        total = ngram_totals(c, self.order)
        return np.column_stack([c, r, matched, total]).astype(np.float64, copy=False)

    def _information_of_matches(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        hypotheses = flat(words.hypotheses)
        matched = matched_ngrams(words.hypotheses, words.references, self.order)
        numbered = matched.copy()  # and the first words of longer matches
        for n in reversed(range(1, self.order)):
            numbered[n - 1, :-1] |= numbered[n, 1:]
        tokens = self._translated(hypotheses.ids)
        ids = tokens.copy()
        segment = np.repeat(np.arange(len(words)), hypotheses.lengths)
        sums = np.empty((len(words), self.order))
        for n, info in enumerate(self.information):
            if n:
                (ends,) = np.nonzero(numbered[n])
                ids[ends] = self.numbers[n - 1].find(ids[ends - 1], tokens[ends])
            (ends,) = np.nonzero(matched[n])
            sums[:, n] = np.bincount(segment[ends], info[ids[ends]], len(words))
        return sums

    def _ngrams(self, texts: Tokens) -> Iterator[Ids]:
        """Numbers of the n-grams of order 1, 2, ..., each at the position of its last word."""
        ids = words = self._translated(texts.ids)
        yield ids
        for index in self.numbers:
            ids = index.find(prefixes(texts, ids), words)
            yield ids

    def _translated(self, ids: Ids) -> Ids:
        """Return the ids in the vocabulary of the counts; -1 for words that these do not have."""
        if self.translation is None:
            return ids
        known = np.append(self.translation, np.int32(-1))
        return known[np.minimum(ids, len(self.translation))]

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by the information of its clipped n-grams."""
        from mteval_bleu_nist.explain import explain_nist

        weights = [[1.0] * int(words.hypotheses.lengths[0])] * self.order
        if self.weights:
            orders = zip(self._ngrams(flat(words.hypotheses)), self.information, strict=True)
            weights = [
                [float(info[number]) if 0 <= number < len(info) else 0.0 for number in ids.tolist()]
                for ids, info in orders
            ]
        return explain_nist(words.segment(), self.order, weights)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """NIST, the summand of each order, length penalty, and both lengths; shape (..., N + 4)."""
        N = self.order
        c, r = totals[..., 0], totals[..., 1]
        matched, total = totals[..., 2 : 2 + N], totals[..., 2 + N :]

        # eq. 3     exp(beta log^2 min(L_sys / L_ref, 1)), with the sign of beta in front
        share = np.minimum(ratio(c, r, 1), 1)
        BP = np.where(share > 0, np.exp(-BETA * np.log(np.where(share > 0, share, 1.0)) ** 2), 0.0)

        # eq. 3     sum over n of (information of the matches / n-grams of the hypotheses)
        summands = BP[..., None] * matched / np.maximum(total, 1)
        nist = summands.sum(axis=-1)
        return np.concatenate([nist[..., None], summands, np.stack([BP, c, r], axis=-1)], axis=-1)


def flat(texts: SomeTexts) -> SomeTexts:
    """Concatenate the ids of texts, in order, without gaps."""
    lengths = texts.lengths
    ends = np.cumsum(lengths)
    starts = ends - lengths
    if len(texts.ids) == lengths.sum() and (texts.starts == starts).all():
        return texts
    positions = np.arange(lengths.sum()) + np.repeat(texts.starts - starts, lengths)
    return replace(texts, ids=texts.ids[positions], starts=starts, ends=ends)


def prefixes(texts: Tokens, ids: Ids) -> Ids:
    """Number of the n-gram that ends before each position; -1 at the start of a text."""
    before = np.roll(ids, 1)
    before[texts.starts[texts.lengths > 0]] = -1
    return before
