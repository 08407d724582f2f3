"""N-grams that repeat an earlier n-gram of their segment.

A text of t n-grams, d of which are distinct, has t - d repetitions. The rate is the sum of t - d
over the sum of t. The references have a rate of their own: every language repeats its articles and
commas, so the two are to be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mteval_core.formulas import ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Repetition"]


@dataclass(frozen=True)
class Repetition:
    """Rates of repetition of the hypotheses and of the references.

    Parameters
    ----------
    order : int
        Length of the n-grams.
    """

    order: int = 2

    def segment_statistics(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]]
    ) -> list[int]:
        """Count repetitions and n-grams, of the hypothesis and of all references."""
        counts = [self._counts(text) for text in references]
        return [*self._counts(hypothesis), *map(sum, zip(*counts, strict=True))]

    def _counts(self, text: Sequence[str]) -> tuple[int, int]:
        n = self.order
        ngrams = [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]
        return len(ngrams) - len(set(ngrams)), len(ngrams)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide repetitions by n-grams, shape (..., 2); 0 if there are no n-grams."""
        return ratio(totals[..., ::2], totals[..., 1::2])
