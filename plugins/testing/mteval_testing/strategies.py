"""Hypothesis strategies for texts and corpora; this module needs the package ``hypothesis``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from mteval_core import Sample

if TYPE_CHECKING:
    pass

__all__ = ["samples", "segments"]

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
