"""Summaries of texts for the checks of inputs, in two bytes per segment."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.text.digest import TextDigest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from mteval_core.text.text import Text

LONGEST = 65_535
"""Largest length that two bytes hold."""

WINDOW = 128
"""Number of segments that a sample has without a gap."""


class TextSummary:
    r"""What checks know of a text: size, digest, lengths, and a sample of its segments.

    The sample depends on the numbers of the segments alone. So texts of the same segments have
    the same sample, however they are read.

    Parameters
    ----------
    path : str, optional
        The file that the text is read from.
    hashes : bool
        Whether to compute the digest. Otherwise, whoever adds the blocks sets it.

    Attributes
    ----------
    n_segments, n_bytes : int
        Size of the text.
    n_empty : int
        Number of segments that are empty or white space.
    columns : tuple of TextDigest
        Digests of the columns of values that a whole text has.

    Examples
    --------
    >>> from mteval_core import Text
    >>> summary = TextSummary()
    >>> for block in (Text.of(["It is so.", ""]), Text.of([None, "So be it."])):
    ...     summary.add(block)
    >>> summary.n_segments, summary.n_empty, dict(summary.sample)
    (4, 1, {0: 'It is so.', 1: '', 3: 'So be it.'})
    """

    def __init__(self, path: str | None = None, *, hashes: bool = True) -> None:
        self.path: str | None = path
        self.n_segments: int = 0
        self.n_bytes: int = 0
        self.n_empty: int = 0
        self._lengths: list[NDArray[np.uint16]] = []
        self._sample: dict[int, str] = {}
        self.columns: tuple[TextDigest, ...] = ()
        self._hashes = hashes
        self._digest = TextDigest()
        self._last: Text | None = None

    @classmethod
    def of(cls, text: Text) -> TextSummary:
        """Summarize a whole text."""
        summary = cls(text.path)
        summary.add(text)
        summary.columns = tuple(column.digest for column in text.columns.values())
        return summary

    def add(self, block: Text) -> None:
        """Add the next segments of the text."""
        start = self.n_segments
        if self._hashes:
            self._digest, self._last = self.digest, block
        self.n_segments += len(block)
        self.n_bytes += len(block.buffer)
        self.n_empty += int(block.empty.sum())
        lengths = np.minimum(block.ends - block.starts, LONGEST)
        self._lengths.append(lengths.astype(np.uint16))
        for first, stop in windows(start, self.n_segments):
            segments = enumerate(block[first - start : stop - start], first)
            self._sample |= {i: segment for i, segment in segments if segment is not None}

    @property
    def sample(self) -> Mapping[int, str]:
        """Some segments by their numbers, from 0, without missing ones.

        All of the first 384, and 128 from each of the segments 512, 1024, 2048 ... on.
        """
        return MappingProxyType(self._sample)

    @property
    def lengths(self) -> NDArray[np.uint16]:
        """Length of each segment in bytes, up to 65,535, shape (n_segments,)."""
        return np.concatenate(self._lengths or [np.empty(0, np.uint16)])

    @property
    def digest(self) -> TextDigest:
        """Digest of the text; that of the last block is computed only when it is needed."""
        if self._last is not None:
            start = self._digest.n_segments
            self._digest += self._last.part_digest(np.arange(start, start + len(self._last)))
            self._last = None
        return self._digest

    @digest.setter
    def digest(self, digest: TextDigest) -> None:
        self._digest, self._last = digest, None


def windows(start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of segments from `start` to `stop` that are in a sample.

    Examples
    --------
    >>> list(windows(0, 550))
    [(0, 128), (128, 256), (256, 384), (512, 550)]
    """
    first = 0
    while first < stop:
        if start < first + WINDOW:
            yield max(first, start), min(first + WINDOW, stop)
        first = 2 * first or WINDOW
