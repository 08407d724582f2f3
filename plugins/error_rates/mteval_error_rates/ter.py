"""TER, the translation edit rate: WER with shifts, each of which moves a phrase as one edit.

::

    TER = (insertions + deletions + substitutions + shifts) / mean reference length in words

Snover, Dorr, Schwartz, Micciulla and Makhoul, "A study of translation edit rate with targeted human
annotation", AMTA 2006. The paper only outlines the search for shifts. This is the search of tercom
0.8.0, with its limits and tie rules (see `mteval_kernels.shift_edit_distance`), and the result
is equal to tercom's edit by edit. sacreBLEU's search has other limits
(`mteval_error_rates.sacrebleu_search`).

Of several references the one with the fewest edits counts, the first one on ties; the edits are
divided by the mean length of all references. The corpus score divides the sums of both. If the
references have no words, any edit makes the rate 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core import SegmentError
from mteval_core.formulas import ratio, split, stack
from mteval_error_rates.sacrebleu_search import shifted_edits
from mteval_kernels import TooLongError, shift_edit_distance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus
    from mteval_error_rates.explain import Shifted

__all__ = ["Ter"]

MAX_SIZE, MAX_DISTANCE, BEAM = 10, 50, 20
"""tercom's limits: words in a shift, distance of a shift, edits beyond those of the best cell."""


@dataclass(frozen=True)
class Ter:
    """TER with the options of its declaration.

    Parameters
    ----------
    norm, punct, asian : bool
        Normalization of the text; see `mteval_error_rates.tercom`.
    limits : {"tercom", "sacrebleu"}
        Program whose limits the search for shifts has.
    """

    norm: bool = False
    punct: bool = True
    asian: bool = False
    limits: Literal["tercom", "sacrebleu"] = "tercom"

    def statistics(
        self, words: TokenizedCorpus, twice: TokenizedCorpus | None = None
    ) -> NDArray[np.float64]:
        """Count the edits of each kind, and the words of the references.

        Parameters
        ----------
        words : TokenizedCorpus
            The words.
        twice : TokenizedCorpus, optional
            The same after another normalization, from which the references come.

        Returns
        -------
        ndarray of float64, shape (n_segments, 6)
            Insertions, deletions, substitutions, shifts and shifted words against the best
            reference; mean reference length in words.
        """
        if twice is not None:
            words = replace(words, references=twice.references)
        counts = shifted_edits(words) if self.limits == "sacrebleu" else _edits(words)
        best = words.references.highest(-counts[:, :4].sum(axis=-1))
        return np.column_stack([counts[best], words.references.mean_lengths])

    def explain(self, words: TokenizedCorpus, twice: TokenizedCorpus | None = None) -> Explanation:
        """Explain a segment by its edits and shifts."""
        from mteval_error_rates.explain import explain_ter

        hypothesis, references = words.segment()
        references = references if twice is None else twice.segment()[1]
        return explain_ter((hypothesis, references), self._search)

    def _search(self, hypothesis: tuple[str, ...], reference: tuple[str, ...]) -> Shifted:
        """Search for the shifts of a hypothesis and one reference."""
        if self.limits == "sacrebleu":
            from mteval_error_rates.explain_sacrebleu import search as search_sacrebleu

            return search_sacrebleu(hypothesis, reference)
        from mteval_error_rates.tercom_search import Limits, search

        return search(hypothesis, reference, Limits(MAX_SIZE, MAX_DISTANCE, BEAM))

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rate, edits, edits by kind, shifted words, reference length; shape (..., 8)."""
        insertions, deletions, substitutions, shifts, shifted, r = split(totals)
        edits = insertions + deletions + substitutions + shifts
        kinds = insertions, deletions, substitutions, shifts
        return stack([ratio(edits, r, edits > 0), edits, *kinds, shifted, r])


def _edits(words: TokenizedCorpus) -> NDArray[np.float64]:
    """Count edits with the limits of tercom."""
    try:
        return shift_edit_distance(
            words.hypotheses,
            words.references,
            max_size=MAX_SIZE,
            max_distance=MAX_DISTANCE,
            beam=BEAM,
        )
    except TooLongError as error:
        reason = f"{error.reason}; score ter:limits=sacrebleu, which tries at most 1000 shifts"
        raise SegmentError(error.segment, reason) from None
