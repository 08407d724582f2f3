"""Words that a hypothesis takes from the source.

A word is a token with a letter. A word of the hypothesis is copied if the source of its segment has
it and none of its references does. ::

    untranslated.words       copied words over all words of the hypotheses
    untranslated.segments    share of segments more than half of whose words are copied
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.formulas import ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Untranslated"]


class Untranslated:
    """Share of untranslated words, and share of segments that are mostly untranslated."""

    def segment_statistics(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], source: Sequence[str]
    ) -> list[int]:
        """Count copied words and words; mark a segment that is mostly copied, and count it."""
        words = [token for token in hypothesis if any(map(str.isalpha, token))]
        foreign = {*source}.difference(*references)
        n_copied = sum(word in foreign for word in words)
        return [n_copied, len(words), 2 * n_copied > len(words), 1]

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide by the number of words, and by that of segments; shape (..., 2)."""
        return ratio(totals[..., ::2], totals[..., 1::2])
