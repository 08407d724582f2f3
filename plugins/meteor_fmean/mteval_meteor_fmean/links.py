"""Statistics of METEOR: matched words and chunks, from the links between two texts.

A link connects a word of the hypothesis with a word of the reference or, in module ``paraphrase``,
a phrase with a phrase. Arrays over both texts have the hypothesis first, then the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]

__all__ = ["Counts", "Links", "phrase_sizes"]


class Counts(NamedTuple):
    """Counts of pairs of texts, or sums of them, for n modules.

    Parameters
    ----------
    lengths : ndarray of float64, shape (..., 2)
        Words of both texts.
    chunks : ndarray of float64, shape (...)
        Chunks that the penalty counts.
    matches : ndarray of float64, shape (..., 2, n)
        Words of both texts that each module matches.
    function_words : ndarray of float64, shape (..., 2)
        Function words of both texts; 0 if they weigh as much as other words.
    function_matches : ndarray of float64, shape (..., 2, n)
        Function words of both texts that each module matches; 0 likewise.
    """

    lengths: Floats
    chunks: Floats
    matches: Floats
    function_words: Floats
    function_matches: Floats

    @classmethod
    def of_totals(cls, totals: Floats, n: int) -> Counts:
        """Name the columns of rows, or of sums of rows."""
        by_module = (*totals.shape[:-1], 2, n)
        lengths, chunks = totals[..., :2], totals[..., 2]
        matches = totals[..., 3 : 3 + 2 * n].reshape(by_module)
        if totals.shape[-1] == 3 + 2 * n:
            function_words, function_matches = np.zeros_like(lengths), np.zeros_like(matches)
        else:
            function_words = totals[..., 3 + 2 * n : 5 + 2 * n]
            function_matches = totals[..., 5 + 2 * n :].reshape(by_module)
        return cls(
            lengths=lengths,
            chunks=chunks,
            matches=matches,
            function_words=function_words,
            function_matches=function_matches,
        )

    def rows(self, *, with_function_words: bool) -> Floats:
        """Lay the counts side by side, one row for each pair of texts."""
        n_pairs = len(self.lengths)
        columns = [self.lengths, self.chunks[:, None], self.matches.reshape(n_pairs, -1)]
        if with_function_words:
            columns += [self.function_words, self.function_matches.reshape(n_pairs, -1)]
        return np.concatenate(columns, axis=1)


@dataclass(frozen=True)
class Links:
    """Links of all pairs of texts, in the order of the reference words.

    Parameters
    ----------
    pairs : TokenizedCorpus
        The pairs of texts: one reference for each segment.
    n_modules : int
        Number of modules.
    pair : ndarray of int64, shape (n_links,)
        The pair that each link belongs to.
    starts : ndarray of int64, shape (2, n_links)
        Link places: positions of the first linked words in the ids of both sides.
    sizes : ndarray of int64, shape (2, n_links)
        Words that are linked in both texts: 1, except for paraphrases.
    module : ndarray of int64, shape (n_links,)
        The module that made the link.
    """

    pairs: TokenizedCorpus
    n_modules: int
    pair: Longs
    starts: Longs
    sizes: Longs
    module: Longs

    @classmethod
    def of_alignment(
        cls, pairs: TokenizedCorpus, alignment: tuple[Ints, Ints], n_modules: int, phrases: Ints
    ) -> Links:
        """Collect the links of an alignment.

        Parameters
        ----------
        pairs : TokenizedCorpus
            The pairs of texts.
        alignment : tuple of ndarray of int32
            For every reference word the position of its link in the hypothesis, or -1; and its
            module or, from the last module on, its phrase.
        n_modules : int
            Number of modules.
        phrases : ndarray of int32, shape (n_phrases, 2)
            Words of each linked phrase in hypothesis and reference; empty without paraphrases.
        """
        positions, kinds = alignment
        hypotheses, references = pairs.hypotheses, pairs.references
        linked = np.flatnonzero(positions >= 0)

        # Link places
        lengths = references.lengths
        pair = np.repeat(np.arange(len(lengths)), lengths)[linked]
        starts = np.empty((2, len(linked)), np.int64)
        np.add(hypotheses.starts[pair], positions[linked], out=starts[0])
        before = np.cumsum(lengths) - lengths
        np.add((references.starts - before)[pair], linked, out=starts[1])

        module, sizes = kinds[linked].astype(np.int64), np.ones_like(starts)
        if len(phrases):
            of_phrases = module >= n_modules - 1
            sizes[:, of_phrases] = phrases[module[of_phrases] - (n_modules - 1)].T
            module = np.minimum(module, n_modules - 1)
        return cls(pairs, n_modules, pair=pair, starts=starts, sizes=sizes, module=module)

    def counts(self, is_function: NDArray[np.bool_] | None) -> Counts:
        """Count words, chunks and matches of every pair.

        Parameters
        ----------
        is_function : ndarray of bool, shape (n_types,), optional
            Which types of the vocabulary are function words. Default: they are not counted apart.
        """
        sides = (self.pairs.hypotheses, self.pairs.references)
        lengths = np.stack([side.lengths for side in sides], axis=1, dtype=np.float64)
        matches = self.words_by_module(self.sizes)
        function_words, function_matches = np.zeros_like(lengths), np.zeros_like(matches)
        if is_function is not None:
            linked = np.zeros_like(self.sizes)  # function words of each link
            for k, side in enumerate(sides):
                before = np.concatenate([[0], np.cumsum(is_function[side.ids])])
                function_words[:, k] = before[side.ends] - before[side.starts]
                linked[k] = before[self.starts[k] + self.sizes[k]] - before[self.starts[k]]
            function_matches = self.words_by_module(linked)
        return Counts(
            lengths=lengths,
            chunks=self.chunks(),
            matches=matches,
            function_words=function_words,
            function_matches=function_matches,
        )

    def chunk_starts(self) -> NDArray[np.bool_]:
        """Whether each link starts a chunk: it does not follow the link before it in both texts."""
        pair, starts, ends = self.pair, self.starts, self.starts + self.sizes
        is_start = np.ones(len(pair), np.bool_)
        is_start[1:] = (pair[1:] != pair[:-1]) | (starts[:, 1:] != ends[:, :-1]).any(axis=0)
        return is_start

    def chunks(self) -> Floats:
        """Number of chunks of every pair, shape (n_pairs,)."""
        chunks = np.bincount(self.pair[self.chunk_starts()], minlength=len(self.pairs))
        return chunks.astype(np.float64)

    def words_by_module(self, words: Longs) -> Floats:
        """Sum words of the links by pair, side and module.

        Parameters
        ----------
        words : ndarray of int64, shape (2, n_links)
            Words of each link in hypothesis and reference.

        Returns
        -------
        ndarray of float64, shape (n_pairs, 2, n_modules)
        """
        shape = (len(self.pairs), self.n_modules)
        group = self.pair * self.n_modules + self.module
        sums = [np.bincount(group, some, shape[0] * shape[1]).reshape(shape) for some in words]
        return np.stack(sums, axis=1).astype(np.float64)


def phrase_sizes(links: Ints | None) -> Ints:
    """Words in hypothesis and reference of each link of phrases; see `Paraphrases.links`."""
    return np.empty((0, 2), np.int32) if links is None else links[:, [3, 1]]
