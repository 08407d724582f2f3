"""ROUGE-S: pairs of words in order, with other words between; ROUGE-SU: single words too.

Lin and Och (2004), section 4: SKIP2(X, Y) is the number of pairs that X and Y share, each clipped
to the smaller of the two counts. The totals are the numbers of pairs with at most ``skip`` words
between the two; with ``skip=0`` these are bigrams.

ROUGE-SU (Lin 2004, section 5.1) adds single words to the same counts. The program leaves out the
last word of every text, so a text of one word has a total of 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mteval_kernels import clipped_matches, skip_bigrams
from mteval_rouge.rouge import Counts, Rouge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core import Explanation, Link, References, TokenizedCorpus, Tokens

    Floats = NDArray[np.float64]
    SomeTexts = TypeVar("SomeTexts", bound=Tokens)

__all__ = ["RougeS", "RougeSU"]


@dataclass(frozen=True)
class RougeS(Rouge):
    """ROUGE-S with the options of its declaration.

    Parameters
    ----------
    skip : int or "*"
        Largest number of words between the two words of a pair; ``*`` for any number.
    """

    skip: int | str = "*"

    def statistics(self, words: TokenizedCorpus) -> Floats:
        """Count pairs; for the columns see `Rouge.rows`."""
        pairs = words.pairs()
        hits = self.shared(pairs.hypotheses, pairs.references)
        n, m = self.total(pairs.hypotheses), self.total(pairs.references)
        return self.rows(Counts(hits, n, m), words.references)

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Explain a segment by the pairs that it shares with each reference."""
        from mteval_rouge.explain import Found

        hypothesis, references = words.segment()
        n = self.total(words.hypotheses)[0]
        totals = self.total(words.references).tolist()
        found = [
            Found(self.links(hypothesis, reference), n, m)
            for reference, m in zip(references, totals, strict=True)
        ]
        return self.explained(words, found)

    def links(self, hypothesis: Sequence[str], reference: Sequence[str]) -> list[Link]:
        """Link the pairs that two texts share."""
        from mteval_rouge.explain import skip_pairs

        skip = np.inf if isinstance(self.skip, str) else self.skip
        return skip_pairs(hypothesis, reference, skip)

    def shared(self, hypotheses: Tokens, references: References) -> Floats:
        """Number of pairs that each hypothesis shares with its one reference."""
        skip = None if isinstance(self.skip, str) else self.skip
        return skip_bigrams(hypotheses, references, skip)

    def total(self, texts: Tokens) -> Floats:
        """Number of pairs in every text: C(n, 2), or those with at most ``skip`` words between."""
        n = texts.lengths.astype(np.float64)
        most = np.inf if isinstance(self.skip, str) else self.skip + 1
        reach = np.clip(n - 1, 0, most)
        pairs: Floats = reach * n - reach * (reach + 1) / 2
        return pairs


@dataclass(frozen=True)
class RougeSU(RougeS):
    """ROUGE-SU with the options of its declaration; see `RougeS`."""

    def shared(self, hypotheses: Tokens, references: References) -> Floats:
        """Number of pairs and single words that each hypothesis shares with its one reference."""
        singles = clipped_matches(self._singles(hypotheses), self._singles(references), 1)
        return super().shared(hypotheses, references) + singles[:, 0]

    def links(self, hypothesis: Sequence[str], reference: Sequence[str]) -> list[Link]:
        """Link the pairs and single words that two texts share."""
        from mteval_rouge.explain import ngrams

        last = None if self.variant == "paper" else -1
        singles = ngrams(hypothesis[:last], reference[:last], 1)
        return super().links(hypothesis, reference) + singles

    def total(self, texts: Tokens) -> Floats:
        """Number of pairs and single words in every text."""
        return super().total(texts) + self._singles(texts).lengths

    def _singles(self, texts: SomeTexts) -> SomeTexts:
        """Words that are counted on their own."""
        if self.variant == "paper":
            return texts
        return replace(texts, ends=np.maximum(texts.ends - 1, texts.starts))
