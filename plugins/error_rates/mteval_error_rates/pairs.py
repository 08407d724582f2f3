"""Hypotheses and references as pairs of arrays, for algorithms in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

__all__ = ["pairs_of_ids"]


def pairs_of_ids(words: TokenizedCorpus) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Pair each reference with its hypothesis.

    Yields
    ------
    hypothesis, reference : ndarray of int64
        Ids, equal for equal words. Negative ids, which match nothing, are -2 and -1.
    """
    hypotheses, references = words.pairs().hypotheses, words.references
    hypothesis_ids = np.where(hypotheses.ids < 0, -2, hypotheses.ids).astype(np.int64)
    reference_ids = np.where(references.ids < 0, -1, references.ids).astype(np.int64)
    bounds = (hypotheses.starts, hypotheses.ends, references.starts, references.ends)
    for start, end, first, last in zip(*(each.tolist() for each in bounds), strict=True):
        yield hypothesis_ids[start:end], reference_ids[first:last]
