"""Unigram precision and recall, and their weighted harmonic means.

Lavie, Sagae and Jayaraman, "The significance of recall in automatic metrics for MT evaluation",
AMTA 2004. Matches are one to one: a word matches at most as often as it occurs in the other text.

Of several references the one with the highest score under the metric itself counts, the first one
on ties. The corpus score is computed from the sums of matches and lengths over these references. If
a text has no words, the score is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.formulas import f_measure, ratio, split, stack
from mteval_kernels import clipped_matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus

    Floats = NDArray[np.float64]

__all__ = ["F1", "Fmean", "Precision", "Recall"]


@dataclass(frozen=True)
class Precision:
    """Share of the hypothesis words that match."""

    def statistics(self, words: TokenizedCorpus) -> Floats:
        """Count matches and words.

        Returns
        -------
        ndarray of float64, shape (n_segments, 3)
            Matches, hypothesis length and reference length, in tokens.
        """
        pairs = words.pairs()
        m = clipped_matches(pairs.hypotheses, pairs.references, 1)[:, 0]
        h, r = pairs.hypotheses.lengths, pairs.references.lengths
        rows = stack([m, h, r])
        return words.references.best(rows, lambda each: self.score(each)[:, 0])

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by the words that match."""
        from mteval_meteor_fmean.explain import explain_matches

        return explain_matches(words.segment(), lambda row: float(self.score(np.array(row))[0]))

    def score(self, totals: Floats) -> Floats:
        """Precision, matches and lengths; shape (..., 4)."""
        m, h, r = split(totals)
        return stack([ratio(m, h), m, h, r])


@dataclass(frozen=True)
class Recall(Precision):
    """Share of the reference words that match."""

    def score(self, totals: Floats) -> Floats:
        """Recall, matches and lengths; shape (..., 4)."""
        m, h, r = split(totals)
        return stack([ratio(m, r), m, h, r])


@dataclass(frozen=True)
class Fmean(Precision):
    """Weighted harmonic mean of precision and recall.

    Parameters
    ----------
    weight : float
        Weight of recall relative to precision: 9 in the paper's Fmean, 1 in F1.
    """

    weight: float = 9.0

    def score(self, totals: Floats) -> Floats:
        """F-mean, precision, recall, matches and lengths; shape (..., 6)."""
        # sec. 2.2    Fmean = 10 P R / (9 P + R), the weights 9 and 1 divided by their sum
        return with_mean(totals, recall_weight=self.weight / (self.weight + 1))


@dataclass(frozen=True)
class F1(Precision):
    """Harmonic mean of precision and recall."""

    def score(self, totals: Floats) -> Floats:
        """F1, precision, recall, matches and lengths; shape (..., 6)."""
        return with_mean(totals, recall_weight=0.5)


def with_mean(totals: Floats, *, recall_weight: float) -> Floats:
    """F-mean, precision, recall, matches and lengths; `recall_weight` is a share of 1."""
    m, h, r = split(totals)
    P, R = ratio(m, h), ratio(m, r)
    F = f_measure(P, R, precision_weight=1 - recall_weight, recall_weight=recall_weight)
    return stack([F, P, R, m, h, r])
