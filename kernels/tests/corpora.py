"""Texts of token ids, laid out as kernels take them, and drawn at random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ids = Sequence[int]

LENGTHS = (0, 1, 2, 7, 26, 63, 64, 65, 127, 128, 129, 300)
"""Lengths of texts that try the edges of 64-bit words."""


@dataclass(eq=False)
class Hypotheses:
    """Texts, one for each segment: text ``i`` is ``ids[starts[i]:ends[i]]``."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Length of each text in tokens."""
        return self.ends - self.starts

    def slice(self, start: int, stop: int) -> Hypotheses:
        """Texts of the segments ``start`` to ``stop - 1``."""
        return replace(self, starts=self.starts[start:stop], ends=self.ends[start:stop])


@dataclass(eq=False)
class References(Hypotheses):
    """Texts in groups, one for each segment: the texts ``index[i]`` to ``index[i + 1] - 1``."""

    index: NDArray[np.int64]

    def slice(self, start: int, stop: int) -> References:
        """Groups of the segments ``start`` to ``stop - 1``."""
        first, last = self.index[start], self.index[stop]
        return replace(
            self,
            starts=self.starts[first:last],
            ends=self.ends[first:last],
            index=self.index[start : stop + 1] - first,
        )


class _Layout(TypedDict):
    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def layout(
    hypotheses: Sequence[Ids], references: Sequence[Sequence[Ids]], seed: int = 0
) -> tuple[Hypotheses, References]:
    """Lay out hypotheses and the references of each.

    The arrays are read-only. They have the texts in an order drawn from the seed, with ids between
    them that belong to no text.
    """
    return text_layout(hypotheses, seed), reference_layout(references, seed)


def text_layout(texts: Sequence[Ids], seed: int = 0) -> Hypotheses:
    """Lay out texts, as `layout` does."""
    return Hypotheses(**_laid_out(texts, seed))


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


@st.composite
def id_corpora(
    draw: st.DrawFn,
    lengths: Sequence[int] = LENGTHS,
    max_segments: int = 3,
    max_references: int = 4,
) -> tuple[list[list[int]], list[list[list[int]]]]:
    """Hypotheses, and references of each, as token ids.

    Texts share long stretches, moved and changed; they repeat tokens and contain negative ids.
    `layout` lays them out.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_types = draw(st.sampled_from([1, 2, 3, 5, 50, 2**31 - 1]))
    base = rng.integers(0, n_types, 2 * max(lengths) + 1).tolist()
    changes = draw(st.sampled_from([0.0, 0.02, 0.05, 0.3]))

    def text() -> list[int]:
        length = draw(st.sampled_from(lengths))
        start = int(rng.integers(0, 1 + min(max(lengths), 100)))
        tokens = base[start : start + length]
        for _ in range(draw(st.integers(0, 3))):
            a, b, c = sorted(rng.integers(0, length + 1, 3).tolist())
            tokens = tokens[:a] + tokens[b:c] + tokens[a:b] + tokens[c:]
        return [int(rng.integers(-2, n_types)) if rng.random() < changes else t for t in tokens]

    n_segments = draw(st.integers(0, max_segments))
    return (
        [text() for _ in range(n_segments)],
        [[text() for _ in range(draw(st.integers(1, max_references)))] for _ in range(n_segments)],
    )
