"""What warnings need to know of a text, gathered block by block in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.text.digest import TextDigest
from mteval_core.text.findings import SAMPLE

if TYPE_CHECKING:
    from mteval_core.text.text import Text

__all__ = ["TextSummary"]


class TextSummary:
    r"""What warnings need to know of a text: a few counts, its digest and its beginning.

    Parameters
    ----------
    path : str, optional
        The file that the text is read from.

    Attributes
    ----------
    n_segments, n_bytes : int
        Size of the text.
    n_empty : int
        Number of segments that are empty or white space.
    n_tokenized : int
        Number of segments that end in a space and a full stop.
    has_tab : bool
        Whether there is a tab.
    beginning : bytes
        The first 32 KB, and one byte more if there is more.

    Examples
    --------
    >>> from mteval_core import Text
    >>> summary = TextSummary()
    >>> for block in (Text.of(["It is so .", ""]), Text.of(["a\tb"])):
    ...     summary.add(block)
    >>> summary.n_segments, summary.n_empty, summary.n_tokenized, summary.has_tab
    (3, 1, 1, True)
    """

    def __init__(self, path: str | None = None) -> None:
        self.path: str | None = path
        self.n_segments: int = 0
        self.n_bytes: int = 0
        self.n_empty: int = 0
        self.n_tokenized: int = 0
        self.has_tab: bool = False
        self.beginning: bytes = b""
        self._before = TextDigest()
        self._last: Text | None = None

    @classmethod
    def of(cls, text: Text) -> TextSummary:
        """Summarize a whole text."""
        summary = cls(text.path)
        summary.add(text)
        return summary

    def add(self, block: Text) -> None:
        """Add the next segments of the text."""
        self._before, self._last = self.digest, block
        self.n_segments += len(block)
        self.n_bytes += len(block.buffer)
        self.n_empty += int(block.empty.sum())
        self.n_tokenized += n_tokenized(block)
        self.has_tab = self.has_tab or b"\t" in block.buffer
        self.beginning += block.buffer[: SAMPLE + 1 - len(self.beginning)]

    @property
    def digest(self) -> TextDigest:
        """Digest of the text; that of the last block is computed only when it is needed."""
        if self._last is None:
            return self._before
        ids = np.arange(self._before.n_segments, self.n_segments)
        return self._before + self._last.part_digest(ids)


def n_tokenized(text: Text) -> int:
    """Number of segments that end in a space and a full stop."""
    ends = text.ends[text.ends - text.starts >= 2]
    characters = np.frombuffer(text.buffer, np.uint8)
    is_tokenized = (characters[ends - 1] == ord(".")) & (characters[ends - 2] == ord(" "))
    return int(is_tokenized.sum())
