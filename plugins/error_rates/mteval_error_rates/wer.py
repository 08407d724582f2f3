"""WER, the word error rate: edit distance in words per word of the reference.

::

    WER = (insertions + deletions + substitutions) / words of the reference

Niessen, Och, Leusch and Ney, "An evaluation tool for machine translation", LREC 2000. Equal to
WER.pl 1.0 and, if any reference has words, to jiwer. The corpus score divides the sum of the edits
by the sum of the lengths.

Of several references the one with the lowest rate counts, with its own length; the first one on
ties. If the length is 0, any edit makes the rate 1; or the rate is the number of edits, as in
jiwer.

With the kinds of edits come three more rates: Morris, Maier and Green, "From WER and RIL to MER and
WIL: improved evaluation measures for connected speech recognition", Interspeech 2004. H is the
number of hits, r and h are the lengths of reference and hypothesis::

    MER = edits / (H + edits)
    WIP = (H / r) (H / h)
    WIL = 1 - WIP
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.formulas import ratio, split, stack
from mteval_error_rates.hits import hits
from mteval_kernels import edit_distance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus

__all__ = ["Wer"]


@dataclass(frozen=True)
class Wer:
    """WER with the options of its declaration.

    Parameters
    ----------
    over : {"reference", "hypothesis"}
        Text by whose length the edits are divided. Federico divides by that of the hypothesis.
    empty : {"one", "insertions"}
        The rate if there are edits, but no words to divide by: 1, or the number of edits.
    kinds : bool
        Whether to count the kinds of edits, and to compute the rates that need them.
    """

    over: Literal["reference", "hypothesis"] = "reference"
    empty: Literal["one", "insertions"] = "one"
    kinds: bool = False

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Edits and length in words, shape (n_segments, 2).

        With the kinds of edits: hits, substitutions, deletions and insertions, shape
        (n_segments, 4).
        """
        pairs = words.pairs()
        edits = edit_distance(pairs.hypotheses, pairs.references)
        divisor = pairs.references if self.over == "reference" else pairs.hypotheses
        columns = [edits, divisor.lengths]
        if self.kinds:
            H, h, r = hits(words), pairs.hypotheses.lengths, pairs.references.lengths
            columns = [H, r + h - 2 * H - edits, edits - (h - H), edits - (r - H)]
        return words.references.best(stack(columns), lambda each: -self.score(each)[:, 0])

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by its edits."""
        from mteval_error_rates.explain import explain_wer

        def rate(row: Sequence[float]) -> float:
            return float(self.score(np.array(row, np.float64))[0])

        return explain_wer(words.segment(), over=self.over, kinds=self.kinds, rate=rate)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rate, edits, and length; with kinds, also what `wer_values` lists; shape (..., v)."""
        if not self.kinds:
            edits, length = split(totals)
            return stack([self._rate(edits, length), edits, length])
        H, substitutions, deletions, insertions = split(totals)
        edits = substitutions + deletions + insertions
        r, h = H + substitutions + deletions, H + substitutions + insertions
        length = r if self.over == "reference" else h
        mer = ratio(edits, H + edits)
        wip = ratio(H, r, h == 0) * ratio(H, h, r == 0)
        values = [self._rate(edits, length), edits, length]
        values += [mer, 1 - wip, wip, H, substitutions, deletions, insertions]
        return stack(values)

    def _rate(self, edits: NDArray[np.float64], length: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(edits, length, edits if self.empty == "insertions" else edits > 0)
