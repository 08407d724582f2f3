"""Hypothesis strategies for texts and corpora; this module needs the package ``hypothesis``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from mteval_core.testing.corpora import Sample

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LENGTHS", "id_corpora", "samples", "segments"]

LENGTHS = (0, 1, 2, 7, 26, 63, 64, 65, 127, 128, 129, 300)
"""Lengths of texts that try the edges of 64-bit words."""

WORDS = ("a", "b", "c", "the", "The", "1,200", "3-2", "don't", "é", "東京", "🙂", ".", ",")


def segments(max_tokens: int = 12) -> st.SearchStrategy[str]:
    """Texts of few types, so that hypothesis and reference often match, or any text at all."""
    words = st.lists(st.sampled_from(WORDS), max_size=max_tokens).map(" ".join)
    anything = st.text(max_size=3 * max_tokens)
    return st.one_of(words, words, anything)


@st.composite
def samples(
    draw: st.DrawFn, max_segments: int = 4, max_references: int = 3, max_tokens: int = 12
) -> Sample:
    """Corpora with at least one segment, and at least one reference for each."""
    n = draw(st.integers(1, max_segments))
    text = segments(max_tokens)
    hypotheses = draw(st.lists(text, min_size=n, max_size=n))
    first = draw(st.lists(text, min_size=n, max_size=n))
    rest = draw(
        st.lists(st.lists(st.none() | text, min_size=n, max_size=n), max_size=max_references - 1)
    )
    streams: list[list[str | None]] = [[*first], *rest]
    return Sample(tuple(hypotheses), tuple(map(tuple, streams)))


@st.composite
def id_corpora(
    draw: st.DrawFn,
    lengths: Sequence[int] = LENGTHS,
    max_segments: int = 3,
    max_references: int = 4,
) -> tuple[list[list[int]], list[list[list[int]]]]:
    """Hypotheses, and references of each, as token ids.

    Texts share long stretches, moved and changed; they repeat tokens and contain negative ids.
    `mteval_core.testing.layouts.layout` lays them out.
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
