"""ROUGE-N: n-gram overlap.

Lin (2004), section 2, defines recall only; precision and F are those of the program. N-grams run
over the whole text, across sentences. A hit is a reference n-gram that the hypothesis has, clipped
to the smaller of the two counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels import clipped_matches, ngram_totals
from mteval_rouge.rouge import Counts, Rouge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus

__all__ = ["RougeN"]


@dataclass(frozen=True)
class RougeN(Rouge):
    """ROUGE-N with the options of its declaration.

    Parameters
    ----------
    n : int
        Order of the n-grams.
    """

    n: int = 1

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Count n-grams; for the columns see `Rouge.rows`."""
        pairs = words.pairs()
        hits = clipped_matches(pairs.hypotheses, pairs.references, self.n)[:, -1]
        n, m = (
            ngram_totals(side.lengths, self.n)[:, -1].astype(np.float64)
            for side in (pairs.hypotheses, pairs.references)
        )
        return self.rows(Counts(hits, n, m), words.references)

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by the n-grams that it shares with each reference."""
        from mteval_rouge.explain import Found, ngrams

        hypothesis, references = words.segment()
        found = [
            Found(ngrams(hypothesis, reference, self.n), *self._totals(hypothesis, reference))
            for reference in references
        ]
        return self.explained(words, found)

    def _totals(self, *texts: tuple[str, ...]) -> list[int]:
        return [max(len(text) - self.n + 1, 0) for text in texts]
