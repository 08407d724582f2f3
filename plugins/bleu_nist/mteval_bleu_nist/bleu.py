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
from operator import add, mul
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_bleu_nist.smoothing import EXP, Smoothing
from mteval_core import (
    beside,
    columns,
    logarithms,
    mean_reference_lengths,
    ratio,
    summed,
    where,
)
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

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """BLEU, the N precisions, brevity penalty, and both lengths; shape (..., N + 4)."""
        N = self.order
        c, r, *counts = columns(totals)
        matched, total = counts[:N], counts[N:]

        # sec. 2.2.2    BP = 1 if c > r, else e^(1 - r/c)
        BP = np.exp(where(c > r, 0.0, 1 - ratio(r, c, where(r > 0, np.inf, 1.0))))

        # sec. 2.1.1    p_n = clipped matches / n-grams
        p, defined = self._precisions(matched, total)

        # sec. 2.3      BLEU = BP exp(sum_n w_n log p_n), w_n = 1/N
        w_n = ratio(1.0, summed(defined))
        w = [w_n * each for each in defined]
        mean = geometric_mean(p, w) if self.mean == "geometric" else summed(map(mul, w, p))
        bleu = where(c > 0, BP * mean, 0.0)
        return beside([bleu, *p, BP, c, r])

    def _precisions(self, matched: list[Any], total: list[Any]) -> tuple[list[Any], list[Any]]:
        """Smoothed precision of each order, and whether it is in the mean, 1 or 0."""
        method, k = self.smooth.method, self.smooth.value
        anything = summed(matched) > 0
        if method == "add-k":
            added = k * anything
            matched = [matched[0], *(m + added for m in matched[1:])]
            total = [total[0], *(t + added for t in total[1:])]
        elif method != "none":
            small = k if method == "floor" else 1.0
            if method != "mteval":
                small = small * anything
            for n, (m, t) in enumerate(zip(matched, total, strict=True)):
                unmatched = (m == 0) & (t > 0)
                if method != "floor":
                    small = small / (1 + unmatched)
                matched[n] = m + unmatched * small
        missing = 1.0 if method == "mteval" else 0.0
        p = [ratio(m, t, missing) for m, t in zip(matched, total, strict=True)]
        return p, [where(t > 0, 1.0, 0.0) if self.eff else 1.0 for t in total]


def geometric_mean(p: list[Any], w: list[Any]) -> Any:
    """exp(sum_n w_n log p_n); 0 if a precision of positive weight is 0."""
    missing = [p_n == 0 for p_n in p]
    log_p = logarithms(list(map(add, p, missing)))
    mean = np.exp(summed(map(mul, w, log_p)))
    return where(summed(map(mul, w, missing)) > 0, 0.0, mean)


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
        return mean_reference_lengths(references)
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
