"""Tokenized texts as flat arrays of ids, the form in which metrics and kernels see a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.kernels import Vocabulary


@dataclass(frozen=True)
class Tokens:
    """Texts over one flat array of token ids.

    Parameters
    ----------
    ids : ndarray of int32, shape (n_tokens,)
        Token ids. An id below zero matches nothing.
    starts, ends : ndarray of int64, shape (n_texts,)
        Text ``i`` is ``ids[starts[i]:ends[i]]``. Texts may share, skip or reorder ids.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Lengths of the texts in tokens, shape (n_texts,)."""
        return self.ends - self.starts

    def slice(self, start: int, stop: int) -> Tokens:
        """Texts ``start`` to ``stop``, over the same ids."""
        return Tokens(self.ids, self.starts[start:stop], self.ends[start:stop])


@dataclass(frozen=True)
class References(Tokens):
    """The references of every segment, any number (at least one) of them for each.

    Parameters
    ----------
    ids, starts, ends
        As for `Tokens`: one text per reference.
    index : ndarray of int64, shape (n_segments + 1,)
        The references of segment ``i`` are the texts ``index[i]`` to ``index[i + 1] - 1``;
        ``index[0]`` is 0.
    """

    index: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.index) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of references of each segment, shape (n_segments,)."""
        return np.diff(self.index)

    def slice(self, start: int, stop: int) -> References:
        """References of the segments ``start`` to ``stop``, over the same ids."""
        index = self.index[start : stop + 1]
        texts = slice(index[0], index[-1])
        return References(self.ids, self.starts[texts], self.ends[texts], index - index[0])


@dataclass(frozen=True)
class TokenizedCorpus:
    """Hypotheses and references of the same segments, tokenized by one pipeline.

    Parameters
    ----------
    hypotheses : Tokens
        One text per segment.
    references : References
        The references of each segment.
    vocabulary : Vocabulary
        Gives the token of an id, and the id of a token.
    """

    hypotheses: Tokens
    references: References
    vocabulary: Vocabulary

    def __len__(self) -> int:
        return len(self.hypotheses)

    def slice(self, start: int, stop: int) -> TokenizedCorpus:
        """Segments ``start`` to ``stop``."""
        return TokenizedCorpus(
            self.hypotheses.slice(start, stop), self.references.slice(start, stop), self.vocabulary
        )
