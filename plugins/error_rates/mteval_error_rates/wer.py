"""WER, the word error rate: edit distance in words per word of the reference.

    WER = (insertions + deletions + substitutions) / words of the reference

Niessen, Och, Leusch and Ney, "An evaluation tool for machine translation", LREC 2000. Equal to
WER.pl 1.0 and jiwer. The corpus score divides the sum of the edits by the sum of the lengths.

Of several references the one with the lowest rate counts, with its own length; the first one on
ties. If the length is 0, any edit makes the rate 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import ratio
from mteval_core.kernels import edit_distance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

__all__ = ["Wer"]


@dataclass(frozen=True)
class Wer:
    """WER with the options of its declaration.

    Parameters
    ----------
    over : {"reference", "hypothesis"}
        Text by whose length the edits are divided. Federico divides by that of the hypothesis.
    """

    over: str = "reference"

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Edits and length in words; shape (n_segments, 2)."""
        pairs = words.pairs()
        edits = edit_distance(pairs.hypotheses, pairs.references)
        texts = pairs.references if self.over == "reference" else pairs.hypotheses
        rows = np.stack([edits, texts.lengths], axis=-1, dtype=np.float64)
        return rows[words.references.highest(-self.score(rows)[:, 0])]

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rate, edits, and length; shape (..., 3)."""
        edits, length = totals[..., 0], totals[..., 1]
        return np.stack([ratio(edits, length, edits > 0), edits, length], axis=-1)
