"""Statistics of METEOR: matched words and chunks, from the links between two texts.

A link connects a word of the hypothesis with a word of the reference or, in module ``paraphrase``,
a phrase with a phrase. Arrays over both texts have the hypothesis first, then the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core.formulas import stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]

__all__ = ["Counts", "Links", "phrase_sizes"]


class Counts(NamedTuple):
    """Counts of pairs of texts, for n modules.

    Parameters
    ----------
    lengths : ndarray of float64, shape (n_pairs, 2)
        Words of both texts.
    chunks : ndarray of float64, shape (n_pairs,)
        Chunks that the penalty counts.
    matches : ndarray of float64, shape (n_pairs, 2, n)
        Words of both texts that each module matches.
    function_words : ndarray of float64, shape (n_pairs, 2)
        Function words of both texts; 0 if they weigh as much as other words.
    function_matches : ndarray of float64, shape (n_pairs, 2, n)
        Function words of both texts that each module matches; 0 likewise.
    """

    lengths: Floats
    chunks: Floats
    matches: Floats
    function_words: Floats
    function_matches: Floats

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
        ends = references.lengths.cumsum()
        pair = ends.searchsorted(linked, side="right")
        starts = np.empty((2, len(linked)), np.int64)
        np.add(hypotheses.starts[pair], positions[linked], out=starts[0])
        np.add((references.ends - ends)[pair], linked, out=starts[1])

        module, sizes = kinds[linked].astype(np.int64), np.ones(starts.shape, np.int64)
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
        lengths, matches = stack([side.lengths for side in sides]), self.words_by_module(self.sizes)
        function_words, function_matches = np.zeros(lengths.shape), np.zeros(matches.shape)
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
        pair, ends = self.pair, self.starts + self.sizes
        is_start = np.ones(len(pair), np.bool_)
        is_start[1:] = pair[1:] != pair[:-1]
        for side, end in zip(self.starts, ends, strict=True):
            is_start[1:] |= side[1:] != end[:-1]
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
        return np.array(sums, np.float64).swapaxes(0, 1)


def phrase_sizes(links: Ints | None) -> Ints:
    """Words in hypothesis and reference of each link of phrases; see `Paraphrases.links`."""
    return np.empty((0, 2), np.int32) if links is None else links[:, [3, 1]]
