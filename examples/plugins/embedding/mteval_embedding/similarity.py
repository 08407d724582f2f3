"""Similarity of hypothesis and reference as the cosine of their sentence embeddings.

The row of a segment is its highest cosine with any of its references, and 1; the corpus score is
the mean over the segments. Segments without tokens have no embedding: their cosine is 1 with each
other and 0 with all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.formulas import ratio, split, stack
from mteval_embedding.encoders import encoder

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus, Tokens

__all__ = ["Similarity"]


@dataclass(frozen=True)
class Similarity:
    """The metric with the options of its declaration.

    Parameters
    ----------
    model : str
        Name of the sentence encoder.

    Raises
    ------
    PluginError
        If the packages that the encoder needs are not installed.
    """

    model: str = "all-minilm-l6-v2"

    def __post_init__(self) -> None:
        """Load the encoder, so that an error is reported before any text is read."""
        encoder(self.model)

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Highest cosine of each segment, and 1.

        Returns
        -------
        ndarray of float64, shape (n_segments, 2)
        """
        hypotheses = texts(words.hypotheses, words.vocabulary.tokens)
        references = texts(words.references, words.vocabulary.tokens)
        types = sorted({*hypotheses, *references} - {""})
        vectors = dict(zip(types, encoder(self.model)(types), strict=True)) if types else {}
        index = words.references.index
        highest = [
            max(cosine(h, r, vectors) for r in references[index[i] : index[i + 1]])
            for i, h in enumerate(hypotheses)
        ]
        return np.column_stack([highest, np.ones(len(highest))])

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Mean cosine; shape (..., 2) -> (..., 1)."""
        total, n = split(totals)
        return stack([ratio(total, n)])


def texts(side: Tokens, tokens: Callable[[NDArray[np.int32]], list[str]]) -> list[str]:
    """Texts of one side, as tokens joined by spaces."""
    return [" ".join(tokens(side.ids[a:b])) for a, b in zip(side.starts, side.ends, strict=True)]


def cosine(one: str, other: str, vectors: dict[str, NDArray[np.float64]]) -> float:
    """Cosine of two texts, rounded to the decimals that single precision reproduces."""
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    return round(float(np.clip(np.dot(vectors[one], vectors[other]), -1, 1)), 5)
