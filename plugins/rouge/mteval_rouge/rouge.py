"""What all ROUGE metrics have in common: from counts to rows, and from rows to scores.

Lin and Och, "Automatic evaluation of machine translation quality using longest common subsequence
and skip-bigram statistics", ACL 2004; Lin, "ROUGE: A package for automatic evaluation of
summaries", 2004; and the program ROUGE-1.5.5.

Every metric counts hits, and totals of the reference (m) and the hypothesis (n) against which they
are recall and precision. ``variant`` says by which definition:

======================  ================================  ======================================
..                      ``paper``                         ``1.5.5``
======================  ================================  ======================================
texts (defaults)        ``tok=13a``, ``case=mixed``       ``tok=rouge``, ``case=ascii``
references (default)    ``multi=maxima``, eq. 7 to 9      ``multi=pooled``
rounding (default)      none                              R, P, then F from them, to 5 decimals
best reference          highest F                         highest R, for -N, -S, -SU rounded
``rouge-w``             WLCS of both texts                runs of marks in the reference
``rouge-su``            all words                         all but the last word
======================  ================================  ======================================

The corpus score is the mean of the segments' F, P and R; with ``mean=totals`` (``-t`` of the
program) the scores of the summed counts. Whatever has a total of 0 scores 0: an empty hypothesis,
an empty reference, a text of one word under ``rouge-s``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import OptionError, ratio
from mteval_rouge.lengths import NO_LIMIT, Limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import References

    Floats = NDArray[np.float64]

__all__ = ["Counts", "Rouge", "rounded"]


class Counts(NamedTuple):
    """Counts of every reference and the hypothesis of its segment, each of shape (n_references,).

    Parameters
    ----------
    hits : ndarray of float64
        What both have.
    hypothesis_totals, reference_totals : ndarray of float64
        What each has.
    recalls : ndarray of float64
        By what the program chooses the best reference.
    """

    hits: Floats
    hypothesis_totals: Floats
    reference_totals: Floats
    recalls: Floats


@dataclass(frozen=True)
class Rouge:
    """Options of every ROUGE metric.

    Parameters
    ----------
    variant : {"paper", "1.5.5"}
        See the module.
    alpha : float
        Weight of recall in F, 0 to 1: F = PR / ((1 - alpha) P + alpha R). 0 makes F recall.
    beta : float or "none"
        How much more recall counts than precision, of equations 6, 9, 12 and 15; the same as
        alpha = 1 / (1 + beta^2).
    multi : {"maxima", "pooled", "best"}
        Several references: F of the largest R and the largest P (equations 7 to 9); counts added
        over the references (``-f A``); counts of the best reference, the first one on ties
        (``-f B``).
    mean : {"segments", "totals"}
        Corpus score from segment scores, or from sums of counts.
    round : bool
        Whether R and P of a segment are rounded to 5 decimals, and F, computed from them, again.
    stop : bool
        Whether stop words were left out, by the view.
    limit : Limit
        How much of each text is scored; the view cuts the rest off.
    sent : {"none", "tab"}
        Whether tabs separate sentences.
    """

    variant: str = "paper"
    alpha: float = 0.5
    beta: float | str = "none"
    multi: str = "maxima"
    mean: str = "segments"
    round: bool = False
    stop: bool = False
    limit: Limit = NO_LIMIT
    sent: str = "none"

    def __post_init__(self) -> None:
        if self.beta != "none" and self.alpha != 0.5:
            message = f"alpha={self.alpha:g} and beta={self.beta}: give one of the two"
            raise OptionError(message)
        if self.mean == "totals" and self.multi == "maxima":
            message = (
                "mean=totals adds counts, but multi=maxima has none: "
                "give multi=pooled or multi=best"
            )
            raise OptionError(message)

    @property
    def exponent(self) -> float:
        """Power that turns a ratio of counts into recall or precision."""
        return 1.0

    def rows(self, counts: Counts, references: References) -> Floats:
        """Statistics of segments.

        Returns
        -------
        ndarray of float64, shape (n_segments, 4) or (n_segments, 3)
            F, P, R and 1; or, with ``mean=totals``, hits, hypothesis and reference totals.
        """
        first = references.index[:-1]
        if self.multi == "pooled":
            counts = Counts(*(np.add.reduceat(column, first) for column in counts))
        elif self.multi == "best":
            quality = counts.recalls
            if self.variant == "paper":
                quality = self._f_measure(*self._precision_and_recall(counts))
            best = references.highest(quality)
            counts = Counts(*(column[best] for column in counts))
        if self.mean == "totals":
            return np.column_stack(counts[:3])
        p, r = self._precision_and_recall(counts)
        if self.multi == "maxima":
            p, r = np.maximum.reduceat(p, first), np.maximum.reduceat(r, first)
        if self.round:
            p, r = rounded(p), rounded(r)
        f = self._f_measure(p, r)
        return np.column_stack([rounded(f) if self.round else f, p, r, np.ones(len(f))])

    def score(self, totals: Floats) -> Floats:
        """F, P and R, shape (..., 3), and with ``mean=totals`` the counts, shape (..., 6)."""
        if self.mean == "segments":
            return totals[..., :3] / np.maximum(totals[..., 3:], 1)
        hits, n, m = totals[..., 0], totals[..., 1], totals[..., 2]
        p, r = ratio(hits, n), ratio(hits, m)
        if self.variant == "paper":  # the program leaves the weights of ROUGE-W in
            p, r = p**self.exponent, r**self.exponent
        return np.stack([self._f_measure(p, r), p, r, hits, n, m], axis=-1)

    def _precision_and_recall(self, counts: Counts) -> tuple[Floats, Floats]:
        """Equations 5 and 4, 11 and 10, 14 and 13: P = f^-1(hits / n), R = f^-1(hits / m).

        Of metrics other than ROUGE-W, f is the identity.
        """
        p = ratio(counts.hits, counts.hypothesis_totals)
        r = ratio(counts.hits, counts.reference_totals)
        return p**self.exponent, r**self.exponent

    def _f_measure(self, p: Floats, r: Floats) -> Floats:
        """Equations 6, 9, 12 and 15: F = (1 + beta^2) P R / (R + beta^2 P)."""
        alpha = self.alpha if isinstance(self.beta, str) else 1 / (1 + self.beta**2)
        return ratio(p * r, (1 - alpha) * p + alpha * r)


def rounded(values: Floats) -> Floats:
    """Round to 5 decimals as ``%.5f`` does, by the exact value of the binary number."""
    scaled = values * 1e5
    whole = np.rint(scaled)
    # Within the rounding error of the product only exact arithmetic knows the side.
    unclear = np.flatnonzero(np.abs(np.abs(scaled - whole) - 0.5) < 1e-6)
    whole[unclear] = [float(f"{value:.5f}") * 1e5 for value in values[unclear].tolist()]
    return np.rint(whole) / 1e5
