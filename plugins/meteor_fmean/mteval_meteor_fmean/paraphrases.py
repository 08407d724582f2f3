"""Paraphrases: phrases with the same meaning, from a table of the program METEOR 1.5.

Every entry of the table is a phrase and a paraphrase of it. The program links the two if one occurs
in the hypothesis and the other in the reference: first the phrases of the reference, from left to
right, with their paraphrases in the hypothesis, then the other way round. Pairs that the table
lists in both directions are therefore linked twice, which affects the search.

References
----------
Denkowski and Lavie (2010), Extending the METEOR machine translation evaluation metric to the phrase
level. Follows the program, version 1.5.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Text
from mteval_kernels import PairIndex, Vocabulary, scan_whitespace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus, Tokens

    Ints = NDArray[np.int32]
    Places = dict[int, list[tuple[int, int]]]

__all__ = ["Paraphrases", "paraphrases"]


@dataclass(frozen=True, eq=False)
class Paraphrases:
    """A table of paraphrases.

    Parameters
    ----------
    words : Vocabulary
        Numbers of the words in the table.
    phrases : PairIndex
        Numbers of the phrases. A phrase is the pair of its prefix (the phrase without its last
        word, counted from 1; 0 is the empty phrase) and its last word.
    longest : int
        Length of the longest phrase in words.
    first, others : ndarray of int64 and of int32
        The paraphrases of phrase ``p`` are ``others[first[p]:first[p + 1]]``, in the order of the
        table.
    """

    words: Vocabulary
    phrases: PairIndex
    longest: int
    first: NDArray[np.int64]
    others: Ints

    def links(self, pairs: TokenizedCorpus) -> tuple[NDArray[np.int64], Ints]:
        """Links between paraphrases in every pair of texts, in the program's order.

        Parameters
        ----------
        pairs : TokenizedCorpus
            Texts with one reference for each segment.

        Returns
        -------
        offsets : ndarray of int64, shape (n_pairs + 1,)
            The links of pair ``k`` are ``links[offsets[k]:offsets[k + 1]]``.
        links : ndarray of int32, shape (n_links, 5)
            Start and length in the reference, start and length in the hypothesis, and the weight
            in the search, which is one for every two words of either phrase; see
            `mteval_kernels.beam_alignment`.
        """
        types = pairs.vocabulary.tokens(np.arange(len(pairs.vocabulary), dtype=np.int32))
        known = np.array([self.words.find(word) for word in types], np.int32)
        rows: list[tuple[int, int, int, int, int]] = []
        offsets = [0]
        sides = (self._places(known, side) for side in (pairs.references, pairs.hypotheses))
        for reference, hypothesis in zip(*sides, strict=True):
            links = [
                *((*r, *h) for r, h in self._shared(reference, hypothesis)),
                *((*r, *h) for h, r in self._shared(hypothesis, reference)),
            ]
            rows += [(j, n, i, m, n // 2 + m // 2) for j, n, i, m in links]
            offsets.append(len(rows))
        return np.array(offsets), np.array(rows, np.int32).reshape(-1, 5)

    def _places(self, known: Ints, texts: Tokens) -> Iterator[Places]:
        """Starts and lengths of the phrases in every text, from left to right, shorter ones first.

        ``known`` is the number of every type among the words of the table, or -1.
        """
        n_words = len(texts.ids)
        words = np.append(known[texts.ids], np.full(self.longest, -1, np.int32))
        prefix = np.zeros(n_words, np.int32)
        numbers = np.empty((n_words, self.longest), np.int32)
        for n in range(self.longest):
            number = numbers[:, n] = self.phrases.find(prefix, words[n : n + n_words])
            prefix = np.where(number < 0, np.int32(-1), number + 1)
        for start, end in zip(texts.starts.tolist(), texts.ends.tolist(), strict=True):
            places: Places = defaultdict(list)
            for place, row in enumerate(numbers[start:end].tolist()):
                for length, number in enumerate(row[: end - start - place], 1):
                    if number < 0:
                        break
                    places[number].append((place, length))
            yield places

    def _shared(
        self, one: Places, other: Places
    ) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Phrases of one text, with their paraphrases in the other."""
        for place, number in sorted((place, p) for p, places in one.items() for place in places):
            for paraphrase in self.others[self.first[number] : self.first[number + 1]].tolist():
                for there in other.get(paraphrase, ()):
                    yield place, there


@cache
def paraphrases(path: Path) -> Paraphrases:
    """Read a table. An entry has three lines: probability, phrase and paraphrase."""
    table = Text.from_lines(gzip.decompress(path.read_bytes()))
    is_phrase = np.arange(len(table)) % 3 > 0
    words = Vocabulary()
    ids, offsets = scan_whitespace(
        table.buffer, table.starts[is_phrase], table.ends[is_phrase], words
    )
    lengths = np.diff(offsets)
    phrases = PairIndex()
    numbers = np.full(len(lengths), -1, np.int32)
    longest = int(lengths.max(initial=0))
    for n in range(longest):
        longer = np.flatnonzero(lengths > n)
        numbers[longer] = phrases.add(numbers[longer] + 1, ids[offsets[longer] + n])
    phrase, paraphrase = numbers.reshape(-1, 2).T
    first = np.concatenate([[0], np.cumsum(np.bincount(phrase, minlength=len(phrases)))])
    others = paraphrase[np.argsort(phrase, kind="stable")]
    return Paraphrases(words, phrases, longest=longest, first=first, others=others)
