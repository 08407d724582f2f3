"""Tokenized texts as flat arrays of ids, the form in which metrics and kernels see a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
    breaks : ndarray of int64, shape (n_breaks,)
        Where a sentence begins inside a text: positions in ``ids``, ascending. Empty unless the
        view asks for sentences (`View.sent`).
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    breaks: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), kw_only=True)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Lengths of the texts in tokens, shape (n_texts,)."""
        return self.ends - self.starts

    def slice(self, start: int, stop: int) -> Tokens:
        """Texts ``start`` to ``stop``, over the same ids."""
        return replace(self, starts=self.starts[start:stop], ends=self.ends[start:stop])

    def sentences(self) -> References:
        """Sentences of every text as texts, grouped as references are.

        Those of text ``i`` are the texts ``index[i]`` to ``index[i + 1] - 1``: one, the whole
        text, where no break lies inside it.
        """
        first = np.searchsorted(self.breaks, self.starts, side="right")
        n_breaks = np.maximum(np.searchsorted(self.breaks, self.ends) - first, 0)
        index = np.concatenate([[0], np.cumsum(n_breaks + 1)])
        begins_text = np.zeros(index[-1], bool)
        begins_text[index[:-1]] = True
        before = np.cumsum(n_breaks) - n_breaks
        inside = self.breaks[np.arange(n_breaks.sum()) + np.repeat(first - before, n_breaks)]
        starts, ends = np.empty((2, index[-1]), np.int64)
        starts[begins_text], starts[~begins_text] = self.starts, inside
        ends_text = np.roll(begins_text, -1)
        ends[ends_text], ends[~ends_text] = self.ends, inside
        return References(self.ids, starts, ends, index)


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
    breaks
        As for `Tokens`.
    """

    index: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.index) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of references of each segment, shape (n_segments,)."""
        return np.diff(self.index)

    def highest(self, *values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Choose a reference of each segment by values of every reference.

        Parameters
        ----------
        *values : ndarray of float64, shape (n_references,)
            One value after the other decides, as long as there are several with the highest.

        Returns
        -------
        ndarray of int64, shape (n_segments,)
            The text with the highest values, the first of several.
        """
        first = self.index[:-1]
        places = np.arange(len(self.starts))
        left = np.ones(len(places), np.bool_)
        for value in values:
            of_those_left = np.where(left, value, -np.inf)
            left &= value == np.repeat(np.maximum.reduceat(of_those_left, first), self.counts)
        return np.asarray(np.minimum.reduceat(np.where(left, places, len(places)), first))

    def leave_out(self, k: int) -> References:
        """Give all references but the k-th of each segment, of which all have equally many."""
        n = len(self.starts) // len(self)
        kept = np.arange(len(self.starts)) % n != k
        index = np.arange(len(self) + 1) * (n - 1)
        return replace(self, starts=self.starts[kept], ends=self.ends[kept], index=index)

    def slice(self, start: int, stop: int) -> References:
        """Give the references of the segments ``start`` to ``stop``, over the same ids."""
        index = self.index[start : stop + 1]
        texts = slice(index[0], index[-1])
        return replace(
            self, starts=self.starts[texts], ends=self.ends[texts], index=index - index[0]
        )


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

    def pairs(self) -> TokenizedCorpus:
        """Give each reference and its hypothesis as a segment, in the order of the references."""
        counts, n = self.references.counts, len(self.references.starts)
        hypotheses = replace(
            self.hypotheses,
            starts=np.repeat(self.hypotheses.starts, counts),
            ends=np.repeat(self.hypotheses.ends, counts),
        )
        references = replace(self.references, index=np.arange(n + 1))
        return TokenizedCorpus(hypotheses, references, self.vocabulary)
