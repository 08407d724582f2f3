"""chrF: Popović, "chrF: character n-gram F-score for automatic MT evaluation", WMT 2015.

With ``nw=2`` it is chrF++: Popović, "chrF++: words helping character n-grams", WMT 2017.

Equal to sacreBLEU. The default is sacreBLEU's: the F-score of the mean precision and the mean
recall, over the orders of which both texts have n-grams. The papers and the program chrF++.py
average the F-scores of all orders instead, which is ``eff=no``. On real test sets the two differ in
the fourth decimal (chrF) or the third (chrF++).

Of several references the one with the highest segment F-score counts, the first one on ties. If the
reference is too short for an order, the hypothesis n-grams of that order are not counted either.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.formulas import f_measure, ratio, split, stack
from mteval_kernels import clipped_matches, ngram_totals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus

__all__ = ["Chrf"]


@dataclass(frozen=True)
class Chrf:
    """chrF with the options of its declaration.

    Parameters
    ----------
    eff : bool
        Whether precision and recall are averaged over the orders of which both texts have n-grams
        and then combined; otherwise the F-scores of all orders are averaged.
    nc, nw : int
        Largest n-gram orders of characters and of words.
    space : bool
        Whether white space counts as characters.
    beta : float
        How many times as important recall is as precision.
    """

    eff: bool = True
    nc: int = 6
    nw: int = 0
    space: bool = False
    beta: float = 2.0

    def statistics(
        self, chars: TokenizedCorpus, words: TokenizedCorpus | None = None
    ) -> NDArray[np.float64]:
        """Count the n-grams of the hypothesis, of its best reference, and the matches.

        Returns
        -------
        ndarray of float64, shape (n_segments, 3 * (nc + nw))
            These three counts for each order of characters, then of words.
        """
        counts = self._counts(chars, words)
        return counts[self._best(chars, counts)] if len(counts) > len(chars) else counts

    def _counts(self, chars: TokenizedCorpus, words: TokenizedCorpus | None) -> NDArray[np.float64]:
        """Count as `statistics` does, for every reference; shape (n_references, k)."""
        counts = ngram_counts(chars, self.nc)
        if words is None:
            return counts
        return np.concatenate([counts, ngram_counts(words, self.nw)], axis=1)

    def _best(self, chars: TokenizedCorpus, counts: NDArray[np.float64]) -> NDArray[np.int64]:
        """Choose the reference with the highest F-score in each segment."""
        return chars.references.highest(self.score(counts)[:, 0])

    def explain(self, chars: TokenizedCorpus, words: TokenizedCorpus | None = None) -> Explanation:
        """Explain a segment by its n-grams."""
        from mteval_chrf.explain import explain_chrf

        (best,) = self._best(chars, self._counts(chars, words)).tolist()
        return explain_chrf(chars, words, (self.nc, self.nw), best)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """F-score, precision and recall; shape (..., 3)."""
        counts = split(totals)
        orders = list(zip(counts[::3], counts[1::3], counts[2::3], strict=True))

        # chrP = mean over n of matches / n-grams of the hypothesis; chrR the same of the reference
        P = [ratio(m_n, h_n) for h_n, _, m_n in orders]
        R = [ratio(m_n, r_n) for _, r_n, m_n in orders]
        counted = [(h_n > 0) & (r_n > 0) if self.eff else True for h_n, r_n, _ in orders]
        chrP, chrR = mean(P, counted), mean(R, counted)

        # 2015, eq. 1    chrF = (1 + beta^2) chrP chrR / (beta^2 chrP + chrR)
        F = partial(f_measure, recall_weight=self.beta**2)
        chrF = F(chrP, chrR) if self.eff else mean(list(map(F, P, R)), counted)
        return stack([chrF, chrP, chrR])


def ngram_counts(corpus: TokenizedCorpus, order: int) -> NDArray[np.float64]:
    """Count the n-grams of the hypothesis, of the reference, and the matches, for each reference.

    Returns
    -------
    ndarray of float64, shape (n_references, 3 * order)
    """
    pairs = corpus.pairs()
    matches = clipped_matches(pairs.hypotheses, pairs.references, order)
    hypothesis = ngram_totals(pairs.hypotheses.lengths, order)
    reference = ngram_totals(pairs.references.lengths, order)
    counts = np.empty((*matches.shape, 3))
    counts[..., 0] = np.where(reference > 0, hypothesis, 0)
    counts[..., 1] = reference
    counts[..., 2] = matches
    return counts.reshape(-1, 3 * order)


def mean(values: Sequence[Any], weights: Sequence[Any]) -> Any:
    r"""Weighted arithmetic mean; 0 if all weights are 0.

    Parameters
    ----------
    values : sequence of float, or of ndarray of float64, shape (...)
        What is averaged, such as the precisions of all orders.
    weights : sequence of float, or of ndarray of float64, shape (...)
        Whole numbers of at least 0, or Booleans that say which of the values count.

    Notes
    -----
    .. math:: \sum_n w_n v_n \Big/ \sum_n w_n

    Examples
    --------
    >>> mean([0.5, 0.25, 0.0], [True, True, False])
    0.375
    """
    total: Any = 0.0
    for value, weight in zip(values, weights, strict=True):
        total = total + weight * value  # sum() of Python 3.12 rounds numbers only at the end
    return ratio(total, sum(weights))
