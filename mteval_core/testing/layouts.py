"""Texts of token ids, laid out as kernels and metrics take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import numpy as np

from mteval_core.text.tokens import References, Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ids = Sequence[int]

__all__ = ["layout", "reference_layout", "text_layout"]


class _Layout(TypedDict):
    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def layout(
    hypotheses: Sequence[Ids], references: Sequence[Sequence[Ids]], seed: int = 0
) -> tuple[Tokens, References]:
    """Lay out hypotheses and the references of each.

    The arrays are read-only. They have the texts in an order drawn from the seed, with ids between
    them that belong to no text.
    """
    return text_layout(hypotheses, seed), reference_layout(references, seed)


def text_layout(texts: Sequence[Ids], seed: int = 0) -> Tokens:
    """Lay out texts, as `layout` does."""
    return Tokens(**_laid_out(texts, seed))


def reference_layout(references: Sequence[Sequence[Ids]], seed: int = 0) -> References:
    """Lay out references, or other groups of texts, as `layout` does."""
    texts = [text for segment in references for text in segment]
    index = np.cumsum([0, *map(len, references)], dtype=np.int64)
    index.flags.writeable = False
    return References(**_laid_out(texts, seed), index=index)


def _laid_out(texts: Sequence[Ids], seed: int) -> _Layout:
    gap = sorted({token for text in texts for token in text})[-3:]
    ids: list[int] = []
    starts, ends = np.zeros((2, len(texts)), np.int64)
    for i in np.random.default_rng(seed).permutation(len(texts)).tolist():
        ids += gap
        starts[i] = len(ids)
        ids += texts[i]
        ends[i] = len(ids)
    arrays = _Layout(ids=np.array(ids, np.int32), starts=starts, ends=ends)
    for array in (arrays["ids"], starts, ends):
        array.flags.writeable = False
    return arrays
