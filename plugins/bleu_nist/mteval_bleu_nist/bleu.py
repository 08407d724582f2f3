"""BLEU: Papineni, Roukos, Ward and Zhu, "BLEU: a method for automatic evaluation", ACL 2002.

Deviations from the paper. sacreBLEU, and so every score reported today, has the same:

- An order without a match has a smoothed precision (``smooth``); in the paper the score is 0.
- If two references are equally close in length, the effective reference length is the shorter one,
  as in mteval-v13a.
- A corpus without a single match scores 0 under every smoothing except ``mteval``.

mteval-v13a is ``smooth=mteval,tok=mteval-v13a,case=ascii``. If the hypotheses have no n-grams of an
order, mteval counts a precision of 1, whereas sacreBLEU scores 0 or, with ``eff=yes``, leaves the
order out. Empty hypotheses score 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_bleu_nist.means import geometric_mean, weighted_sum, where
from mteval_bleu_nist.smoothing import EXP, Smoothing
from mteval_core.formulas import ratio, split, stack
from mteval_kernels import clipped_matches, ngram_totals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Explanation, References, TokenizedCorpus

__all__ = ["Bleu", "reference_lengths"]


@dataclass(frozen=True)
class Bleu:
    """BLEU with the options of its declaration.

    Parameters
    ----------
    order : int
        Largest n-gram order counted, N.
    eff : bool
        Whether to average only the orders of which the hypotheses have n-grams.
    smooth : Smoothing
        ``none``; ``floor[x]``: x matches; ``add-k[k]``: k is added to the matches and n-grams of
        the orders above 1 (Lin and Och 2004; Chen and Cherry 2014, method 2); ``exp``: the i-th
        order without a match counts 1/2^i matches (method 3, sacreBLEU); ``mteval``: as ``exp``,
        and an order without n-grams has precision 1.
    bp : {"closest", "shortest", "average"}
        Reference length of the brevity penalty.
    mean : {"geometric", "arithmetic"}
        Mean of the precisions. For the arithmetic mean see Lavie, Sagae and Jayaraman 2004,
        section 2.1.
    """

    order: int = 4
    eff: bool = False
    smooth: Smoothing = EXP
    bp: str = "closest"
    mean: str = "geometric"

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Count the matches and the n-grams of every segment.

        Returns
        -------
        ndarray of float64, shape (n_segments, 2 + 2 * order)
            Hypothesis length and effective reference length in tokens; clipped n-gram matches of
            each order; hypothesis n-grams of each order.
        """
        c = words.hypotheses.lengths
        r = reference_lengths(c, words.references, self.bp)
        matched = clipped_matches(words.hypotheses, words.references, self.order)
        total = ngram_totals(c, self.order)
        return np.concatenate([c[:, None], r[:, None], matched, total], axis=1, dtype=np.float64)

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by its clipped n-grams."""
        from mteval_bleu_nist.explain import explain_bleu

        return explain_bleu(words.segment(), self.order, self.bp)

    # The precisions are a list and not one array: so the formula of a single sum, such as that of a
    # segment alone, is computed with plain numbers, in a fraction of the time that arrays take.
    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """BLEU, the N precisions, brevity penalty, and both lengths; shape (..., N + 4)."""
        N = self.order
        c, r, *counts = split(totals)

        # sec. 2.2.2    BP = 1 if c > r, else e^(1 - r/c)
        BP = where(c >= r, 1.0, np.exp(1 - ratio(r, c, np.inf)))

        # sec. 2.1.1    p_n = clipped matches / n-grams
        matched, total = self._smoothed(counts[:N], counts[N:])
        missing = 1.0 if self.smooth.method == "mteval" else 0.0
        p = [ratio(m_n, t_n, missing) for m_n, t_n in zip(matched, total, strict=True)]

        # sec. 2.3      BLEU = BP exp(sum_n w_n log p_n), w_n = 1/N
        counted = [t_n > 0 if self.eff else True for t_n in total]
        w_n = ratio(1.0, sum(counted))
        w = [w_n * is_counted for is_counted in counted]
        mean = geometric_mean(p, w) if self.mean == "geometric" else weighted_sum(p, w)
        bleu = where(c > 0, BP * mean, 0.0)
        return stack([bleu, *p, BP, c, r])

    def _smoothed(self, matched: list[Any], total: list[Any]) -> tuple[list[Any], list[Any]]:
        """Smoothed matches, and n-grams, of each order."""
        method, k = self.smooth.method, self.smooth.value
        is_matched = sum(matched) > 0
        if method == "add-k":
            added = where(is_matched, k, 0.0)
            matched = [matched[0], *(m_n + added for m_n in matched[1:])]
            total = [total[0], *(t_n + added for t_n in total[1:])]
        elif method != "none":
            small = k if method == "floor" else 1.0
            if method != "mteval":
                small = where(is_matched, small, 0.0)
            for n, (m_n, t_n) in enumerate(zip(matched, total, strict=True)):
                is_missed = (m_n == 0) & (t_n > 0)
                if method != "floor":
                    small = where(is_missed, small / 2, small)
                matched[n] = where(is_missed, small, m_n)
        return matched, total


def reference_lengths(
    hypothesis_lengths: NDArray[np.int64], references: References, method: str
) -> NDArray[np.int64] | NDArray[np.float64]:
    """Effective reference length of every segment.

    Parameters
    ----------
    hypothesis_lengths : ndarray of int64, shape (n_segments,)
        In tokens.
    references : References
        The references of every segment.
    method : {"closest", "shortest", "average"}
        The length closest to that of the hypothesis, the shorter of two equally close ones; the
        shortest; the mean.

    Returns
    -------
    ndarray of int64, or for the mean of float64, shape (n_segments,)
        In tokens.
    """
    if method == "average":
        return references.mean_lengths
    lengths = references.lengths
    if len(lengths) == len(hypothesis_lengths):  # nothing to choose from
        return lengths
    first = references.index[:-1]
    chosen: NDArray[np.int64]
    if method == "shortest":
        chosen = np.minimum.reduceat(lengths, first)
    else:
        distances = np.abs(lengths - np.repeat(hypothesis_lengths, references.counts))
        scale = lengths.max(initial=0) + 1
        chosen = np.minimum.reduceat(distances * scale + lengths, first) % scale
    return chosen
