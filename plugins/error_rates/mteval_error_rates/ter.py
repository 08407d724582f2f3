"""TER, the translation edit rate: WER with shifts, each of which moves a phrase as one edit.

    TER = (insertions + deletions + substitutions + shifts) / mean words of the references

Snover, Dorr, Schwartz, Micciulla and Makhoul, "A study of translation edit rate with targeted human
annotation", AMTA 2006. The search for shifts, of which the paper gives an outline, is that of
tercom 0.8.0, with its limits and ties (see `mteval_core.kernels.shift_edit_distance`): equal edit
by edit. sacreBLEU's search differs a little (see the README).

Several references: the one with the fewest edits, the first of several; the edits are divided by
the mean length of all references. A corpus is scored by the sums of both. Where the references have
no words, any edit makes the rate 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import ratio
from mteval_core.kernels import shift_edit_distance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

__all__ = ["Ter"]

MAX_SIZE, MAX_DISTANCE, BEAM = 10, 50, 20
"""Limits of tercom: of the words in a shift, of its distance, and of edits above the best."""


@dataclass(frozen=True)
class Ter:
    """TER with the options of its declaration, which only change the words.

    Parameters
    ----------
    norm, punct, asian : bool
        What is done to the text: see `mteval_error_rates.tercom`.
    """

    norm: bool = False
    punct: bool = True
    asian: bool = False

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Count edits of each kind and words.

        Returns
        -------
        ndarray of float64, shape (n_segments, 6)
            Insertions, deletions, substitutions, shifts and words shifted, with the best reference;
            mean reference length in words.
        """
        references = words.references
        counts = shift_edit_distance(words.hypotheses, references, MAX_SIZE, MAX_DISTANCE, BEAM)
        best = references.highest(-counts[:, :4].sum(axis=-1))
        r = np.add.reduceat(references.lengths, references.index[:-1]) / references.counts
        return np.column_stack([counts[best], r])

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rate, edits, their kinds, words shifted, reference length; shape (..., 8)."""
        edits, r = totals[..., :4].sum(axis=-1), totals[..., 5]
        rate = ratio(edits, r, edits > 0)
        return np.concatenate([np.stack([rate, edits], axis=-1), totals], axis=-1)
