"""Unigram precision and recall, and their weighted harmonic means.

Lavie, Sagae and Jayaraman, "The significance of recall in automatic metrics for MT evaluation",
AMTA 2004. Matches are one to one: a word counts at most as often as in the other text.

Several references: a segment is scored against the one that gives it the highest score, by the
metric's own measure, the first of several; a corpus by the sums of matches and lengths over these.
Where a text has no words the score is 0.
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

    Floats = NDArray[np.float64]

__all__ = ["F1", "Fmean", "Precision", "Recall", "f_mean"]


@dataclass(frozen=True)
class Precision:
    """Share of the hypothesis' words that have a match."""

    def statistics(self, words: TokenizedCorpus) -> Floats:
        """Count matches and words.

        Returns
        -------
        ndarray of float64, shape (n_segments, 3)
            Matches, hypothesis length and reference length, in tokens.
        """
        pairs = words.pairs()
        matches = clipped_matches(pairs.hypotheses, pairs.references, 1)[:, 0]
        rows = np.column_stack([matches, pairs.hypotheses.lengths, pairs.references.lengths])
        return rows[words.references.highest(self.score(rows)[:, 0])]

    def score(self, totals: Floats) -> Floats:
        """Precision, and what it is made of; shape (..., 4)."""
        P, _ = precision_and_recall(totals)
        return np.concatenate([P[..., None], totals], axis=-1)


@dataclass(frozen=True)
class Recall(Precision):
    """Share of the reference's words that have a match."""

    def score(self, totals: Floats) -> Floats:
        """Recall, and what it is made of; shape (..., 4)."""
        _, R = precision_and_recall(totals)
        return np.concatenate([R[..., None], totals], axis=-1)


@dataclass(frozen=True)
class Fmean(Precision):
    """Harmonic mean of precision and recall.

    Parameters
    ----------
    weight : float
        Weight of recall, where that of precision is 1. The paper's Fmean has 9, F1 has 1.
    """

    weight: float = 9.0

    def score(self, totals: Floats) -> Floats:
        """F-mean, precision, recall, and what they are made of; shape (..., 6)."""
        # sec. 2.2    Fmean = 10 P R / (9 P + R)
        return with_mean(totals, self.weight / (self.weight + 1))


@dataclass(frozen=True)
class F1(Precision):
    """Harmonic mean of precision and recall, both weighing the same."""

    def score(self, totals: Floats) -> Floats:
        """F1, precision, recall, and what they are made of; shape (..., 6)."""
        return with_mean(totals, 0.5)


def with_mean(totals: Floats, alpha: float) -> Floats:
    """Mean, precision, recall, matches and lengths."""
    P, R = precision_and_recall(totals)
    F = f_mean(P, R, alpha)
    return np.concatenate([np.stack([F, P, R], axis=-1), totals], axis=-1)


def precision_and_recall(totals: Floats) -> tuple[Floats, Floats]:
    """Matches per word of either text, 0 where it has none."""
    m, hypothesis_length, reference_length = np.moveaxis(totals, -1, 0)
    return ratio(m, hypothesis_length), ratio(m, reference_length)


def f_mean(precision: Floats, recall: Floats, alpha: float) -> Floats:
    """Mean ``1 / (alpha / recall + (1 - alpha) / precision)``, 0 where either is 0."""
    product = precision * recall
    return ratio(product, alpha * precision + (1 - alpha) * recall)
