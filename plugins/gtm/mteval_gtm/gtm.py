"""GTM: precision and recall of a matching of words that favours long runs.

Melamed, Green and Turian, "Precision and recall of machine translation", HLT-NAACL 2003; Turian,
Shen and Melamed, "Evaluation of machine translation and its evaluation", MT Summit IX, 2003. A
matching M of a candidate (hypothesis) C and a reference R pairs equal words; each word is used at
most once. A run is a sequence of pairs that is contiguous in both texts. With the exponent e::

    size(M) = (sum over the runs r of M of length(r)^e)^(1/e),    MMS(C, R) = max over M of size(M)
    precision = MMS / |C|,    recall = MMS / |R|,    F = 2 precision recall / (precision + recall)

Where the papers leave a choice open, the metric follows the program GTM 1.4:

- Runs are chosen greedily, the longest first. Of equally long runs the last one in the hypothesis
  is taken; of several runs that start there, the last one in the references. (``matching=exact``
  searches for the largest matching instead, which the papers define but do not compute.)
- Several references are concatenated. No run crosses from one reference into the next, but a
  hypothesis may collect runs from all of them.
- Uncapped, these runs could match more words than a reference of average length has. Their total
  length is therefore limited to the mean reference length, or to the hypothesis length if that is
  smaller. The run that would exceed the limit is cut, possibly in the middle of a word.
- A document or corpus is scored from the sums of match sizes, hypothesis lengths and mean
  reference lengths over its segments.

Empty hypotheses and empty references have match size 0 and score 0, even against each other.

The papers report that the greedy matching is optimal in about 99% of cases and never below 80% of
the optimum. On 16,906 segments of real translations and summaries with one reference it is optimal
in 99.7% (exponent 1.2) to 99.8% (2 and 3) and never below 93% of the optimum; see README.md. 80% is
not a guarantee: the tests contain a constructed text that falls below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import SegmentError
from mteval_core.formulas import f_measure, ratio, split, stack
from mteval_kernels import maximum_run_matching, run_matching

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus

__all__ = ["Gtm"]

CASES = 100_000
"""Cases that the exact matching examines per segment before it gives up."""


@dataclass(frozen=True)
class Gtm:
    """GTM with the options of its declaration.

    Parameters
    ----------
    e : float
        Exponent, at least 1. With 1 and one reference the match size is the number of words in
        common, in any order. The larger it is, the more long runs count.
    matching : {"greedy", "exact"}
        Whether to take the longest remaining run again and again, or to find the set of runs with
        the largest match size.
    """

    e: float = 1.0
    matching: str = "greedy"

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Match the words of every segment.

        Returns
        -------
        ndarray of float64, shape (n_segments, 3)
            Maximum match size, hypothesis length and mean reference length, in tokens.

        Raises
        ------
        SegmentError
            If the exact matching of a segment takes too long.
        """
        c = words.hypotheses.lengths  # |C|
        r = words.references.mean_lengths  # |R|
        texts_and_limits = (words.hypotheses, words.references, self.e, np.minimum(c, r))
        if self.matching == "greedy":
            mms = run_matching(*texts_and_limits)
        else:
            mms = maximum_run_matching(*texts_and_limits, limit=CASES)
            if np.isnan(mms).any():
                segment = int(np.isnan(mms).argmax())
                reason = f"the exact matching takes more than {CASES} cases; use matching=greedy"
                raise SegmentError(segment, reason)
        return stack([mms, c, r])

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by the runs of its matching."""
        from mteval_gtm.explain import explain_gtm

        return explain_gtm(words.segment(), self.e, self.matching)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """F-measure, precision, recall, match size, and both lengths; shape (..., 6)."""
        mms, c, r = split(totals)
        precision, recall = ratio(mms, c), ratio(mms, r)
        f = f_measure(precision, recall)
        return stack([f, precision, recall, mms, c, r])
