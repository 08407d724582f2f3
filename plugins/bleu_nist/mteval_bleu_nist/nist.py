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

from mteval_bleu_nist.ngram_counts import NgramCounts, ReferenceWords
from mteval_core.formulas import ratio
from mteval_kernels import clipped_matches, matched_ngrams, ngram_totals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import Explanation, References, TokenizedCorpus, Tokens
    from mteval_kernels import Vocabulary

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
    ngrams : NgramCounts or None
        Counts of the n-grams of the references; set by `prepare` or `finish`.
    translation : ndarray of int32 or None
        Numbers of the words in these counts, by their ids in the texts; None if they are the same.
    """

    order: int = 5
    weights: bool = True
    ngrams: NgramCounts | None = None
    translation: Ids | None = None

    def prepare(self, words: References, vocabulary: Vocabulary) -> Nist:
        """Count the n-grams of all references."""
        if not self.weights:
            return self
        ngrams = NgramCounts.of(separated(words), self.order, vocabulary.find("0"))
        return replace(self, ngrams=ngrams)

    def collect(self, words: References, vocabulary: Vocabulary) -> ReferenceWords:
        """Collect the words of references that come in pieces."""
        collected = ReferenceWords(self.order)
        if self.weights:
            types = types_of(words)
            place = np.full(len(vocabulary) + 1, -1, np.int32)  # that of -1 is -1
            place[types] = np.arange(len(types))
            collected.add(vocabulary.tokens(types), place[separated(words)])
        return collected

    def finish(self, collected: ReferenceWords, words: References, vocabulary: Vocabulary) -> Nist:
        """Return what `prepare` returns, for a piece of references that all were collected."""
        if not self.weights:
            return self
        types = types_of(words)
        translation = np.full(len(vocabulary), -1, np.int32)
        translation[types] = collected.vocabulary.intern(vocabulary.tokens(types))  # none is new
        return replace(self, ngrams=collected.counts, translation=translation)

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Sum the information of the matches of every segment.

        Returns
        -------
        ndarray of float64, shape (n_segments, 2 + 2 * order)
            Hypothesis length and mean reference length in tokens; information of the clipped
            matches of each order, in bits; hypothesis n-grams of each order.
        """
        c, r = words.hypotheses.lengths, words.references.mean_lengths
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
        segment = np.repeat(np.arange(len(words)), hypotheses.lengths)
        sums = np.empty((len(words), self.order))
        for n, (ends, bits) in enumerate(self._information(hypotheses, matched)):
            sums[:, n] = np.bincount(segment[ends], bits, len(words))
        return sums

    def _information(
        self, texts: Tokens, wanted: NDArray[np.bool_]
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64]]]:
        assert self.ngrams is not None  # the host prepares a metric before it counts
        words = texts.ids
        if self.translation is not None:
            known = np.append(self.translation, np.int32(-1))
            words = known[np.minimum(words, len(self.translation))]
        return self.ngrams.information(words, wanted)

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by the information of its clipped n-grams."""
        from mteval_bleu_nist.explain import clipped, explain_nist

        hypothesis = flat(words.hypotheses)
        texts = words.segment()
        links = clipped(texts, self.order)
        weights = np.zeros((self.order, len(hypothesis.ids)))
        for link in links:
            weights[len(link.hypothesis) - 1, link.hypothesis[-1]] = 1
        if self.weights:
            for n, (ends, bits) in enumerate(self._information(hypothesis, weights > 0)):
                weights[n, ends] = bits
        return explain_nist(texts, self.order, links, weights.tolist())

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


def types_of(texts: Tokens) -> Ids:
    """Ids of the words that occur in texts, in ascending order."""
    return np.flatnonzero(np.bincount(flat(texts).ids)).astype(np.int32)


def separated(texts: Tokens) -> Ids:
    """Ids of the words of texts, and -1 after each text."""
    texts = flat(texts)
    return np.insert(texts.ids, texts.ends, -1)
