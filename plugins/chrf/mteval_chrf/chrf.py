"""chrF: Popović, "chrF: character n-gram F-score for automatic MT evaluation", WMT 2015.

With ``nw=2`` chrF++: Popović, "chrF++: words helping character n-grams", WMT 2017.

Equal to sacreBLEU. The papers, and the program chrF++.py, take the mean of the F-scores of all
orders, which is ``eff=no``; sacreBLEU's default, and ours, is the F-score of the mean precision and
the mean recall, over the orders of which both sides have n-grams. On real test sets the two differ
from the fourth decimal on (chrF) or the third (chrF++).

Several references: the one with the highest F-score of the segment, the first of several. The
n-grams of an order that the reference is too short for are not counted in the hypothesis either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import ratio
from mteval_core.kernels import clipped_matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

__all__ = ["Chrf"]


@dataclass(frozen=True)
class Chrf:
    """chrF with the options of its declaration.

    Parameters
    ----------
    eff : bool
        Whether precision and recall are averaged over the orders of which both sides have n-grams,
        and the score is the F of the two; otherwise it is the mean F of all orders.
    nc, nw : int
        Longest n-grams of characters and of words.
    space : bool
        Whether white space is among the characters.
    beta : float
        How many times as much recall weighs as precision.
    """

    eff: bool = True
    nc: int = 6
    nw: int = 0
    space: bool = False
    beta: float = 2.0

    def statistics(
        self, chars: TokenizedCorpus, words: TokenizedCorpus | None = None
    ) -> NDArray[np.float64]:
        """Count n-grams of hypothesis and best reference, and what they have in common.

        Returns
        -------
        ndarray of float64, shape (n_segments, 3 * (nc + nw))
            Three numbers for each order of characters, then of words.
        """
        counts = ngram_counts(chars, self.nc)
        if words is not None:
            counts = np.concatenate([counts, ngram_counts(words, self.nw)], axis=1)
        return counts[chars.references.highest(self.score(counts)[:, 0])]

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """F-score, precision and recall; shape (..., 3)."""
        hypothesis, reference, matches = np.moveaxis(
            totals.reshape(*totals.shape[:-1], self.nc + self.nw, 3), -1, 0
        )
        precisions = ratio(matches, hypothesis)
        recalls = ratio(matches, reference)
        counted = (
            (hypothesis > 0) & (reference > 0) if self.eff else np.ones(matches.shape, np.bool_)
        )
        chrp, chrr = mean(precisions, counted), mean(recalls, counted)
        if self.eff:
            chrf = f_score(chrp, chrr, self.beta)
        else:
            chrf = mean(f_score(precisions, recalls, self.beta), counted)
        return np.stack([chrf, chrp, chrr], axis=-1)


def ngram_counts(corpus: TokenizedCorpus, order: int) -> NDArray[np.float64]:
    """Count the n-grams of hypothesis, reference, and both, for each reference and n.

    Returns
    -------
    ndarray of float64, shape (n_references, 3 * order)
    """
    pairs = corpus.pairs()
    matches = clipped_matches(pairs.hypotheses, pairs.references, order)
    shorter = np.arange(order)
    hypothesis = np.maximum(pairs.hypotheses.lengths[:, None] - shorter, 0)
    reference = np.maximum(pairs.references.lengths[:, None] - shorter, 0)
    counts = np.stack([np.where(reference, hypothesis, 0), reference, matches], axis=-1)
    return counts.reshape(len(counts), 3 * order)


def f_score(
    precision: NDArray[np.float64], recall: NDArray[np.float64], beta: float
) -> NDArray[np.float64]:
    """Combine precision and recall; 0 where both are.

    2015, eq. 1:  chrF = (1 + beta^2) chrP chrR / (beta^2 chrP + chrR).
    """
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def mean(values: NDArray[np.float64], counted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean over the orders that count, added up in their order; 0 if none does."""
    sums = np.cumsum(np.where(counted, values, 0.0), axis=-1)[..., -1]
    return ratio(sums, counted.sum(axis=-1).astype(np.float64))
