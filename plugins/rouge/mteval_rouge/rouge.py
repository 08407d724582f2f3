"""The base of all ROUGE metrics: rows from counts, and scores from rows.

Lin and Och, "Automatic evaluation of machine translation quality using longest common subsequence
and skip-bigram statistics", ACL 2004; Lin, "ROUGE: A package for automatic evaluation of
summaries", 2004; and the program ROUGE-1.5.5.

Every metric counts hits, and a total of the reference (m) and of the hypothesis (n): recall is hits
per reference total, precision is hits per hypothesis total. ``variant`` selects the definition:

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

The corpus score is the mean of the segments' F, P and R. With ``mean=totals`` (``-t`` of the
program) it is computed from summed counts. If a total is 0, the score is 0: for an empty
hypothesis, an empty reference, or a text of one word under ``rouge-s``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import OptionError
from mteval_core.formulas import f_measure, ratio
from mteval_rouge.lengths import NO_LIMIT, Limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core import Explanation, References, TokenizedCorpus
    from mteval_rouge.explain import Found

    Floats = NDArray[np.float64]

__all__ = ["Counts", "Rouge", "rounded"]


class Counts(NamedTuple):
    """Counts for every reference and the hypothesis of its segment.

    Parameters
    ----------
    hits : ndarray of float64, shape (n_references,)
        What the two texts share.
    n, m : ndarray of float64, shape (n_references,)
        What the hypothesis has, and what the reference has.
    """

    hits: Floats
    n: Floats
    m: Floats


@dataclass(frozen=True)
class Rouge:
    """Options of every ROUGE metric.

    Parameters
    ----------
    variant : {"paper", "1.5.5"}
        The definition; see the module.
    alpha : float
        Weight of precision in F, 0 to 1: F = PR / ((1 - alpha) P + alpha R). With 0, F is recall.
    beta : float or "none"
        Importance of recall relative to precision, as in equations 6, 9, 12 and 15; the same as
        alpha = 1 / (1 + beta^2).
    multi : {"maxima", "pooled", "best"}
        How several references are combined: F of the largest R and the largest P (equations 7 to
        9); counts added over the references (``-f A``); counts of the best reference, the first one
        on ties (``-f B``).
    mean : {"segments", "totals"}
        Whether the corpus score is the mean of segment scores or computed from summed counts.
    round : bool
        Whether the R and P of a segment are rounded to 5 decimals, and the F computed from these
        too.
    stop : bool
        Whether the view removes stop words.
    limit : Limit
        How much of each text is scored; the view cuts off the rest.
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
            raise OptionError(f"alpha={self.alpha:g} and beta={self.beta}: set only one of the two")
        if self.mean == "totals" and self.multi == "maxima":
            raise OptionError(
                "mean=totals adds counts, but multi=maxima has no counts to add; "
                "use multi=pooled or multi=best"
            )

    @property
    def exponent(self) -> float:
        """Exponent of f^-1, which turns a ratio of counts into recall or precision."""
        return 1.0

    def recall_of_program(self, counts: Counts, references: References) -> Floats:  # noqa: ARG002
        """Recall by which the program chooses the best reference, shape (n_references,)."""
        return rounded(ratio(counts.hits, counts.m))

    def rows(self, counts: Counts, references: References) -> Floats:
        """Statistics of every segment.

        Returns
        -------
        ndarray of float64, shape (n_segments, 4) or (n_segments, 3)
            F, P, R and 1; or, with ``mean=totals``, hits, hypothesis total and reference total.
        """
        first = references.index[:-1]
        if self.multi == "pooled":
            counts = Counts(*(np.add.reduceat(column, first) for column in counts))
        elif self.multi == "best":
            best = self._best(counts, references)
            counts = Counts(*(column[best] for column in counts))
        if self.mean == "totals":
            return np.column_stack(counts)
        p, r = self._precision_and_recall(counts)
        if self.multi == "maxima":
            p, r = np.maximum.reduceat(p, first), np.maximum.reduceat(r, first)
        if self.round:
            p, r = rounded(p), rounded(r)
        f = self._f_measure(p, r)
        return np.column_stack([rounded(f) if self.round else f, p, r, np.ones(len(f))])

    def score(self, totals: Floats) -> Floats:
        """F, P and R, shape (..., 3); with ``mean=totals`` also the counts, shape (..., 6)."""
        if self.mean == "segments":
            return totals[..., :3] / np.maximum(totals[..., 3:], 1)
        hits, n, m = np.moveaxis(totals, -1, 0)
        p, r = ratio(hits, n), ratio(hits, m)
        if self.variant == "paper":  # the program does not undo the weights of ROUGE-W here
            p, r = p**self.exponent, r**self.exponent
        return np.stack([self._f_measure(p, r), p, r, hits, n, m], axis=-1)

    def explained(self, words: TokenizedCorpus, found: Sequence[Found]) -> Explanation:
        """Explain a segment by what was found in each of its references."""
        from mteval_rouge.explain import explained

        numbers = [[each.hits, each.n, each.m] for each in found]
        counts = Counts(*np.array(numbers, np.float64).T)
        (row,) = self.rows(counts, words.references).tolist()
        best = int(self._best(counts, words.references)[0]) if self.multi == "best" else None
        return explained(words.segment(), found, row, best=best, multi=self.multi)

    def _best(self, counts: Counts, references: References) -> NDArray[np.int64]:
        """Choose the best reference of each segment."""
        return references.highest(self._quality(counts, references))

    def _quality(self, counts: Counts, references: References) -> Floats:
        """By what the best of several references is chosen, shape (n_references,)."""
        if self.variant == "1.5.5":
            return self.recall_of_program(counts, references)
        return self._f_measure(*self._precision_and_recall(counts))

    def _precision_and_recall(self, counts: Counts) -> tuple[Floats, Floats]:
        """Equations 5 and 4, 11 and 10, 14 and 13: P = f^-1(hits / n), R = f^-1(hits / m).

        f is the identity except in ROUGE-W.
        """
        hits, n, m = counts
        return ratio(hits, n) ** self.exponent, ratio(hits, m) ** self.exponent

    def _f_measure(self, p: Floats, r: Floats) -> Floats:
        """Equations 6, 9, 12 and 15: F = (1 + beta^2) P R / (R + beta^2 P)."""
        alpha = self.alpha if isinstance(self.beta, str) else 1 / (1 + self.beta**2)
        return f_measure(p, r, precision_weight=alpha, recall_weight=1 - alpha)


def rounded(values: Floats) -> Floats:
    """Round to 5 decimals as ``%.5f`` does, by the exact value of the binary number."""
    scaled = values * 1e5
    whole = np.rint(scaled)
    # Close to a tie the product may be on the wrong side: there, format the exact value.
    unclear = np.flatnonzero(np.abs(np.abs(scaled - whole) - 0.5) < 1e-6)
    whole[unclear] = [float(f"{value:.5f}") * 1e5 for value in values[unclear].tolist()]
    return np.rint(whole) / 1e5
