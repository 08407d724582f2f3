"""Input of metrics: texts as flat arrays of token ids, or as strings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.text.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_kernels import Vocabulary

NO_BREAKS = np.empty(0, np.int64)


@dataclass(eq=False)
class Tokens:
    """Tokenized texts, stored in one flat array of token ids.

    Parameters
    ----------
    ids : ndarray of int32, shape (n_tokens,)
        Token ids. A negative id matches nothing.
    starts, ends : ndarray of int64, shape (n_texts,)
        Text ``i`` is ``ids[starts[i]:ends[i]]``. Texts may share, skip or reorder ids.
    breaks : ndarray of int64, shape (n_breaks,)
        Positions in ``ids``, ascending, where a new sentence begins within a text. Empty unless
        the view separates sentences (`View.sent`).
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    breaks: NDArray[np.int64] = field(default_factory=lambda: NO_BREAKS, kw_only=True)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Length of each text in tokens, shape (n_texts,)."""
        return self.ends - self.starts

    def slice(self, start: int, stop: int) -> Tokens:
        """Texts ``start`` to ``stop - 1``, over the same ids."""
        return replace(self, starts=self.starts[start:stop], ends=self.ends[start:stop])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of tokens of each segment, shape (n_segments,)."""
        return self.lengths

    def leave_out(self, k: int) -> Tokens:  # noqa: ARG002
        """Return the texts: they are no references."""
        return self

    def without_references(self) -> Tokens:
        """Return the texts: they are no references."""
        return self

    def without_source(self) -> Tokens:
        """Return the texts: a metric with a view of the source uses it."""
        return self

    def sentences(self) -> References:
        """Make every sentence a text, grouped in the way references are.

        The sentences of text ``i`` are the texts ``index[i]`` to ``index[i + 1] - 1``. A text
        without a break is one sentence.
        """
        first = np.searchsorted(self.breaks, self.starts, side="right")
        n_breaks = np.maximum(np.searchsorted(self.breaks, self.ends) - first, 0)
        index = np.concatenate([[0], np.cumsum(n_breaks + 1)])
        after = np.cumsum(n_breaks)
        before = after - n_breaks
        inside = self.breaks[np.arange(n_breaks.sum()) + np.repeat(first - before, n_breaks)]
        starts, ends = np.insert(inside, before, self.starts), np.insert(inside, after, self.ends)
        return References(self.ids, starts, ends, index)


@dataclass(eq=False)
class References(Tokens):
    """The references of every segment: one or more each, not necessarily equally many.

    Parameters
    ----------
    ids, starts, ends
        As in `Tokens`, with one text per reference.
    index : ndarray of int64, shape (n_segments + 1,)
        The references of segment ``i`` are the texts ``index[i]`` to ``index[i + 1] - 1``;
        ``index[0]`` is 0.
    breaks
        As in `Tokens`.
    """

    index: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.index) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of references of each segment, shape (n_segments,)."""
        return np.diff(self.index)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of tokens of each segment, in all its references, shape (n_segments,)."""
        return np.diff(np.cumsum([0, *self.lengths])[self.index])

    @property
    def mean_lengths(self) -> NDArray[np.float64]:
        """Mean number of tokens of the references of each segment, shape (n_segments,)."""
        if len(self.starts) == len(self):  # one each
            return self.lengths.astype(np.float64)
        lengths: NDArray[np.int64] = np.add.reduceat(self.lengths, self.index[:-1])
        return lengths / self.counts

    def highest(self, *values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Choose the reference with the highest value in each segment.

        Parameters
        ----------
        *values : ndarray of float64, shape (n_references,)
            Values of every reference. Each further argument breaks the ties of those before.

        Returns
        -------
        ndarray of int64, shape (n_segments,)
            Index of the text with the highest value, the first of them if several are tied.
        """
        if len(self.starts) == len(self):  # one each
            return np.arange(len(self))
        first = self.index[:-1]
        candidates = np.ones(len(self.starts), np.bool_)
        for value in values:
            highest = np.maximum.reduceat(np.where(candidates, value, -np.inf), first)
            candidates &= value == np.repeat(highest, self.counts)
        n = len(candidates)
        return np.asarray(np.minimum.reduceat(np.where(candidates, np.arange(n), n), first))

    def best(self, rows: NDArray[np.float64], quality: Callable[..., Any]) -> NDArray[np.float64]:
        """Choose the row of the best reference in each segment.

        Parameters
        ----------
        rows : ndarray of float64, shape (n_references, k)
            One row for every reference.
        quality : callable
            Returns the quality of each of these rows, shape (n_references,); the highest is the
            best, the first one on ties. It is not called if each segment has one reference.

        Returns
        -------
        ndarray of float64, shape (n_segments, k)
        """
        return rows if len(rows) == len(self) else rows[self.highest(quality(rows))]

    @classmethod
    def none(cls, n: int) -> References:
        """Return the references of n segments without references."""
        nowhere = np.empty(0, np.int64)
        return cls(np.empty(0, np.int32), nowhere, nowhere, np.zeros(n + 1, np.int64))

    def without_references(self) -> References:
        """Return as many segments without references."""
        return References.none(len(self))

    def leave_out(self, k: int) -> References:
        """Leave out the k-th reference of each segment; all segments have equally many."""
        n = len(self.starts) // len(self)
        kept = np.arange(len(self.starts)) % n != k
        index = np.arange(len(self) + 1) * (n - 1)
        return replace(self, starts=self.starts[kept], ends=self.ends[kept], index=index)

    def slice(self, start: int, stop: int) -> References:
        """References of the segments ``start`` to ``stop - 1``, over the same ids."""
        index = self.index[start : stop + 1]
        texts = slice(index[0], index[-1])
        return replace(
            self, starts=self.starts[texts], ends=self.ends[texts], index=index - index[0]
        )


@dataclass(eq=False)
class TokenizedCorpus:
    """Hypotheses and references of the same segments, tokenized by one pipeline.

    Parameters
    ----------
    hypotheses : Tokens
        One text per segment.
    references : References
        The references of each segment.
    vocabulary : Vocabulary
        Maps tokens to ids and back.
    """

    hypotheses: Tokens
    references: References
    vocabulary: Vocabulary

    def __len__(self) -> int:
        return len(self.hypotheses)

    def slice(self, start: int, stop: int) -> TokenizedCorpus:
        """Segments ``start`` to ``stop - 1``."""
        return TokenizedCorpus(
            self.hypotheses.slice(start, stop), self.references.slice(start, stop), self.vocabulary
        )

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of tokens of each segment, in all its texts, shape (n_segments,)."""
        return self.hypotheses.sizes + self.references.sizes

    def leave_out(self, k: int) -> TokenizedCorpus:
        """Leave out the k-th reference of each segment; all segments have equally many."""
        return replace(self, references=self.references.leave_out(k))

    def without_references(self) -> TokenizedCorpus:
        """Return the corpus for a metric that uses no references."""
        return replace(self, references=self.references.without_references())

    def without_source(self) -> TokenizedCorpus:
        """Return the corpus: the source is a view of its own."""
        return self

    def segment(self, i: int = 0) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Return the tokens of a segment: those of its hypothesis, and of each reference."""

        def tokens(side: Tokens, text: int) -> tuple[str, ...]:
            return tuple(self.vocabulary.tokens(side.ids[side.starts[text] : side.ends[text]]))

        first, stop = self.references.index[i : i + 2].tolist()
        references = tuple(tokens(self.references, k) for k in range(first, stop))
        return tokens(self.hypotheses, i), references

    def pairs(self) -> TokenizedCorpus:
        """Make a segment of each reference and its hypothesis, in the order of the references."""
        n = len(self.references.starts)
        if n == len(self.hypotheses.starts):  # one reference each
            return self
        counts = self.references.counts
        hypotheses = replace(
            self.hypotheses,
            starts=np.repeat(self.hypotheses.starts, counts),
            ends=np.repeat(self.hypotheses.ends, counts),
        )
        references = replace(self.references, index=np.arange(n + 1))
        return TokenizedCorpus(hypotheses, references, self.vocabulary)


@dataclass(eq=False)
class TextCorpus:
    """Hypotheses, references and source of the same segments, as strings.

    Parameters
    ----------
    hypotheses : list of str
        One per segment.
    references : TextReferences
        The references of each segment, a list of list of str.
    sources : list of str or None
        One per segment; None if the metric does not use the source, or there is none.
    """

    hypotheses: list[str]
    references: TextReferences
    sources: list[str] | None = None

    def __len__(self) -> int:
        return len(self.hypotheses)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of characters of each segment, in hypothesis and references; (n_segments,)."""
        pairs = zip(self.hypotheses, self.references, strict=True)
        return np.array([len(h) + sum(map(len, own)) for h, own in pairs], np.int64)

    def slice(self, start: int, stop: int) -> TextCorpus:
        """Segments ``start`` to ``stop - 1``."""
        sources = None if self.sources is None else self.sources[start:stop]
        references = TextReferences(self.references[start:stop])
        return TextCorpus(self.hypotheses[start:stop], references, sources)

    def leave_out(self, k: int) -> TextCorpus:
        """Leave out the k-th reference of each segment."""
        return replace(self, references=self.references.leave_out(k))

    def without_references(self) -> TextCorpus:
        """Return the corpus for a metric that uses no references."""
        return replace(self, references=self.references.without_references())

    def without_source(self) -> TextCorpus:
        """Return the corpus for a metric that does not use the source."""
        return replace(self, sources=None)


class TextReferences(list[list[str]]):
    """The references of each segment, as strings."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of references of each segment, shape (n_segments,)."""
        return np.fromiter(map(len, self), np.int64, len(self))

    def leave_out(self, k: int) -> TextReferences:
        """Leave out the k-th reference of each segment."""
        return TextReferences(own[:k] + own[k + 1 :] for own in self)

    def without_references(self) -> TextReferences:
        """Return as many segments without references."""
        return TextReferences([] for _ in self)


CorpusView = TokenizedCorpus | TextCorpus | Tokens | Values
"""What ``statistics`` gets for a view: hypotheses and references, the source (`Tokens`), or the
values of a column."""

ReferenceView = References | TextReferences | Tokens
"""What ``prepare`` gets for a view: the references of each segment, or the source (`Tokens`)."""
