"""ROUGE-L and ROUGE-W: longest common subsequences (LCS), plain and weighted by runs.

Sentence by segment (``sent=none``), ROUGE-L counts the length of the LCS (Lin and Och 2004,
equations 4 to 6). With several sentences (``sent=tab``; Lin 2004, section 3.2) a hit is a word of a
reference sentence that lies on its LCS with any sentence of the hypothesis. The paper would so
count a word of the hypothesis for each of several reference sentences; here as in the program a
word hits at most as often as the hypothesis has it.

ROUGE-W (equations 10 to 12) makes a run of k words that follow each other in both texts worth
f(k) = k^weight:

- ``paper``: R = f^-1(WLCS / f(m)), P = f^-1(WLCS / f(n)). It is defined on one sentence.
- ``1.5.5`` takes the words on a weighted LCS, sentences as above, and looks at the reference only:
  every maximal block of them is worth f(its length), whether the words follow each other in the
  hypothesis or not. A word that the hypothesis has not often enough for all its hits adds nothing;
  if it ends a block, the block goes on into the next one of the sentence, or is lost at its end.
  The reference total has the weight twice, m = f(sum of f(sentence length)), so that identical
  texts have P = 1 but R below: the paper's example comes out differently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import OptionError, References, Tokens, ratio
from mteval_core.kernels import (
    lcs,
    lcs_marks,
    matched_tokens,
    weighted_lcs,
    weighted_lcs_marks,
)
from mteval_rouge.rouge import Counts, Rouge

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_core import TokenizedCorpus

    Floats = NDArray[np.float64]
    Marks = NDArray[np.bool_]

__all__ = ["RougeL", "RougeW"]


SEGMENTS_AT_ONCE = 20_000
"""How many segments are worked on at a time: it bounds the memory for marks of words."""


@dataclass(frozen=True)
class Subsequences(Rouge):
    """What is common to metrics of common subsequences."""

    def statistics(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Floats:
        """Count words on common subsequences; for the columns see `Rouge.rows`.

        Parameters
        ----------
        words : TokenizedCorpus
            What hits are counted against, and the hypothesis lengths.
        sentences : TokenizedCorpus
            What is compared, and the reference lengths.
        """

        def rows_of(start: int) -> Floats:
            some_words, some_sentences = (
                view.slice(start, start + SEGMENTS_AT_ONCE) for view in (words, sentences)
            )
            return self.rows(self.counts(some_words, some_sentences), some_sentences.references)

        starts = range(0, max(len(words), 1), SEGMENTS_AT_ONCE)
        return np.concatenate([rows_of(start) for start in starts])

    def counts(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Counts:
        """Count hits and totals of every reference text."""
        raise NotImplementedError

    def hits_among(
        self,
        marks_of: Callable[[References, References], Marks],
        words: TokenizedCorpus,
        sentences: TokenizedCorpus,
    ) -> tuple[Marks, Marks]:
        """Find the words of references on common subsequences, and those of them that are hits.

        Returns
        -------
        marks, hits : ndarray of bool, shape (total length of the references,)
            For the words of the first reference text, the second, and so on: whether they lie on
            the common subsequence of their sentence with any sentence of the hypothesis; and
            whether the hypothesis has the word often enough for this hit and those before it.
        """
        references = sentences.references
        marks = marks_of(sentences.pairs().hypotheses.sentences(), references.sentences())
        lengths = references.lengths
        ends = np.cumsum(lengths)
        places = np.arange(len(marks)) + np.repeat(references.starts - ends + lengths, lengths)
        ids = references.ids[places]
        pairs = words.pairs()
        of_hypothesis = pairs.hypotheses
        budgets = [
            References(
                of_hypothesis.ids, of_hypothesis.starts, of_hypothesis.ends, pairs.references.index
            )
        ]
        if self.limit.unit == "bytes":
            # Views cut apart: a word may be marked more often than the reference has it.
            budgets.append(pairs.references)
        hits = marks
        for budget in budgets:
            among = Tokens(np.where(hits, ids, -1), ends - lengths, ends)
            hits = matched_tokens(among, budget)
        return marks, hits


@dataclass(frozen=True)
class RougeL(Subsequences):
    """ROUGE-L with the options of its declaration."""

    def counts(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Counts:
        """Count words on longest common subsequences."""
        references = sentences.references
        n = words.pairs().hypotheses.lengths.astype(np.float64)
        m = references.lengths.astype(np.float64)
        if self.sent == "none":
            hits = lcs(sentences.hypotheses, references)
        else:
            _, kept = self.hits_among(lcs_marks, words, sentences)
            hits = sums(kept.astype(np.float64), groups_of(references.lengths), len(m))
        return Counts(hits, n, m, ratio(hits, m))


@dataclass(frozen=True)
class RougeW(Subsequences):
    """ROUGE-W with the options of its declaration.

    Parameters
    ----------
    weight : float
        Exponent of the value of a run.
    """

    weight: float = 1.2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant == "paper" and self.sent != "none":
            message = (
                "sent=tab: the paper defines ROUGE-W on one sentence; "
                "give variant=1.5.5, or sent=none"
            )
            raise OptionError(message)

    @property
    def exponent(self) -> float:
        """Power of f^-1, which turns a ratio of weighted counts into recall or precision."""
        return 1 / self.weight

    def counts(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Counts:
        """Weigh words on common subsequences."""
        references = sentences.references
        n, m = words.pairs().hypotheses.lengths, references.lengths
        longest = max(int(lengths.max(initial=0)) for lengths in (n, m))
        f = np.array([k**self.weight for k in range(longest + 1)])
        if self.variant == "paper":
            hits = weighted_lcs(sentences.hypotheses, references, f)
            return Counts(hits, f[n], f[m], ratio(hits, f[m]))

        marks, kept = self.hits_among(
            lambda hypotheses, texts: weighted_lcs_marks(hypotheses, texts, f), words, sentences
        )
        hits = worth_of_blocks(marks, kept, references, f)
        parts = references.sentences()
        base = sums(f[parts.lengths], groups_of(parts.counts), len(m))
        recalls = ratio(hits, base) ** self.exponent
        return Counts(hits, f[n], base**self.weight, recalls)


def worth_of_blocks(marks: Marks, kept: Marks, references: References, f: Floats) -> Floats:
    """Sum what the blocks of marked words are worth, in every reference text.

    Parameters
    ----------
    marks, kept : ndarray of bool, shape (total length of the references,)
        See `Subsequences.hits_among`.
    references : References
        With their sentences, which no block crosses.
    f : ndarray of float64, shape (n,)
        What a block of 0, 1, 2, ... words is worth.

    Returns
    -------
    ndarray of float64, shape (n_references,)
    """
    sentences = references.sentences()
    sentence_of = groups_of(sentences.lengths)
    goes_on = np.zeros_like(marks)
    goes_on[:-1] = marks[1:] & (sentence_of[1:] == sentence_of[:-1])
    (ends,) = np.nonzero(kept & ~goes_on)
    so_far = np.concatenate([[0], np.cumsum(kept)])  # kept words before each place
    first = np.cumsum(sentences.lengths) - sentences.lengths
    start = np.maximum(so_far[first[sentence_of[ends]]], np.append(0, so_far[ends + 1])[:-1])
    worth = f[so_far[ends + 1] - start]
    return sums(worth, groups_of(references.lengths)[ends], len(references.starts))


def groups_of(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of the group of every member, group after group."""
    return np.repeat(np.arange(len(sizes)), sizes)


def sums(values: Floats, groups: NDArray[np.int64], n_groups: int) -> Floats:
    """Sum of the values in every group, added in their order."""
    return np.bincount(groups, values, n_groups).astype(np.float64)
