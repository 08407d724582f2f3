"""ROUGE-L and ROUGE-W: longest common subsequences (LCS), plain and weighted by runs.

If a segment is one sentence (``sent=none``), ROUGE-L counts the length of the LCS (Lin and Och
2004, equations 4 to 6). If it has several (``sent=tab``; Lin 2004, section 3.2), a hit is a word of
a reference sentence that lies on its LCS with any sentence of the hypothesis. By the paper's text,
one word of the hypothesis could count for several reference sentences. Here, as in the program, a
word has at most as many hits as occurrences in the hypothesis.

In ROUGE-W (equations 10 to 12) a run of k words that are contiguous in both texts is worth
f(k) = k^weight:

- ``paper``: R = f^-1(WLCS / f(m)), P = f^-1(WLCS / f(n)). It is defined on one sentence.
- ``1.5.5`` finds the words on a weighted LCS, with sentences as above, and then looks at the
  reference only. Each maximal block of such words is worth f(length of the block), contiguous in
  the hypothesis or not. A word beyond its occurrences in the hypothesis adds nothing; if it ends a
  block, the block continues in the next block of the sentence, or is lost at the end of the
  sentence. The reference total is weighted twice, m = f(sum of f(sentence length)), so identical
  texts have P = 1 but R < 1, and the paper's example has other values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import OptionError, References, Tokens
from mteval_core.formulas import ratio
from mteval_kernels import (
    lcs,
    lcs_marks,
    matched_ngrams,
    weighted_lcs,
    weighted_lcs_marks,
)
from mteval_rouge.rouge import Counts, Rouge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core import Explanation, TokenizedCorpus
    from mteval_rouge.explain import Alignment, Found, Union

    Floats = NDArray[np.float64]
    Marks = NDArray[np.bool_]

__all__ = ["RougeL", "RougeW"]


@dataclass(frozen=True)
class Subsequences(Rouge):
    """The base of metrics on common subsequences."""

    def statistics(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Floats:
        """Count words on common subsequences; for the columns see `Rouge.rows`.

        Parameters
        ----------
        words : TokenizedCorpus
            The view that limits the hits and has the hypothesis lengths.
        sentences : TokenizedCorpus
            The view that is compared and has the reference lengths.
        """
        return self.rows(self.counts(words, sentences), sentences.references)

    def counts(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Counts:
        """Count the hits and totals of every reference text."""
        raise NotImplementedError

    def explain(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Explanation:
        """Explain a segment by the words on common subsequences with each reference."""
        return self.explained(sentences, list(self.found(words, sentences)))

    def found(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Iterator[Found]:
        """Find the words on common subsequences with each reference."""
        raise NotImplementedError

    def unions(
        self, words: TokenizedCorpus, sentences: TokenizedCorpus, align: Alignment
    ) -> Iterator[tuple[Union, Sequence[range]]]:
        """Find the hits in each reference, and the sentences of the reference."""
        from mteval_rouge.explain import union_of_sentences

        hypothesis, references = sentences.segment()
        own, others = words.segment()
        (of_hypothesis,) = positions_of_sentences(sentences.hypotheses)
        of_references = positions_of_sentences(sentences.references)
        for reference, other, parts in zip(references, others, of_references, strict=True):
            budgets = [own, other] if self.limit.unit == "bytes" else [own]
            texts = hypothesis, reference
            yield union_of_sentences(texts, (of_hypothesis, parts), budgets, align), parts

    def hits_among(
        self,
        marks_of: Callable[[References, References], Marks],
        words: TokenizedCorpus,
        sentences: TokenizedCorpus,
    ) -> tuple[Marks, Marks]:
        """Mark the reference words on common subsequences, and those of them that are hits.

        Returns
        -------
        marks, hits : ndarray of bool, shape (total length of the references,)
            For the words of the first reference text, the second, and so on: whether they lie on
            the common subsequence of their sentence with any sentence of the hypothesis; and
            whether the hypothesis also has enough occurrences of the word for this hit and all
            earlier ones.
        """
        references, pairs = sentences.references, words.pairs()
        marks = marks_of(sentences.pairs().hypotheses.sentences(), references.sentences())
        budgets = [as_references(pairs.hypotheses)]
        if self.limit.unit == "bytes":
            # The two views are cut differently: more words may be marked than `words` has.
            budgets.append(pairs.references)
        hits = marks
        for budget in budgets:
            (hits,) = matched_ngrams(only_marked(references, hits), budget, 1)
        return marks, hits


@dataclass(frozen=True)
class RougeL(Subsequences):
    """ROUGE-L with the options of its declaration."""

    def counts(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Counts:
        """Count the words on longest common subsequences."""
        references = sentences.references
        n = words.pairs().hypotheses.lengths.astype(np.float64)
        m = references.lengths.astype(np.float64)
        if self.sent == "none":
            hits = lcs(sentences.hypotheses, references)
        else:
            _, kept = self.hits_among(lcs_marks, words, sentences)
            hits = sums(kept.astype(np.float64), groups_of(references.lengths), len(m))
        return Counts(hits, n, m)

    def found(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Iterator[Found]:
        """Find the words on longest common subsequences."""
        from mteval_core import Link
        from mteval_rouge.explain import Found, common_subsequence

        hypothesis, references = sentences.segment()
        n = float(words.hypotheses.lengths[0])
        if self.sent == "none":
            pairs = [common_subsequence(hypothesis, reference) for reference in references]
        else:
            unions = self.unions(words, sentences, common_subsequence)
            pairs = [[(u.place[j], j) for j in sorted(u.kept)] for u, _ in unions]
        for reference, linked in zip(references, pairs, strict=True):
            links = [Link((i,), (j,), kind="subsequence") for i, j in linked]
            yield Found(links, n, float(len(reference)))

    def recall_of_program(self, counts: Counts, references: References) -> Floats:  # noqa: ARG002
        """Recall by which the program chooses the best reference, not rounded."""
        return ratio(counts.hits, counts.m)


@dataclass(frozen=True)
class RougeW(Subsequences):
    """ROUGE-W with the options of its declaration.

    Parameters
    ----------
    weight : float
        A run of k words is worth k^weight.
    """

    weight: float = 1.2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant == "paper" and self.sent != "none":
            raise OptionError(
                "sent=tab: the paper defines ROUGE-W on one sentence; "
                "use variant=1.5.5 or sent=none"
            )

    @property
    def exponent(self) -> float:
        """Exponent of f^-1, which turns a ratio of weighted counts into recall or precision."""
        return 1 / self.weight

    def counts(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Counts:
        """Weight the words on common subsequences."""
        references = sentences.references
        n, m = words.pairs().hypotheses.lengths, references.lengths
        f = self._f(n, m)
        if self.variant == "paper":
            hits = weighted_lcs(sentences.hypotheses, references, f)
            return Counts(hits, f[n], f[m])

        marks, kept = self.hits_among(
            lambda hypotheses, texts: weighted_lcs_marks(hypotheses, texts, f), words, sentences
        )
        hits = worth_of_blocks(marks, kept, references, f)
        return Counts(hits, f[n], self._sentence_totals(references) ** self.weight)

    def found(self, words: TokenizedCorpus, sentences: TokenizedCorpus) -> Iterator[Found]:
        """Find the runs or blocks on weighted common subsequences."""
        from mteval_rouge.explain import Found, blocks, weighted_runs, weighted_subsequence

        def f(k: int) -> float:
            return float(k**self.weight)

        hypothesis, references = sentences.segment()
        n = f(int(words.hypotheses.lengths[0]))
        if self.variant == "paper":
            for reference in references:
                yield Found(weighted_runs(hypothesis, reference, f), n, f(len(reference)))
            return
        totals = self._sentence_totals(sentences.references) ** self.weight
        unions = self.unions(words, sentences, lambda h, r: weighted_subsequence(h, r, f))
        for (union, parts), m in zip(unions, totals.tolist(), strict=True):
            yield Found(blocks(union, parts, f), n, m)

    def recall_of_program(self, counts: Counts, references: References) -> Floats:
        """Recall by which the program chooses the best reference; its total is weighted once."""
        return ratio(counts.hits, self._sentence_totals(references)) ** self.exponent

    def _sentence_totals(self, references: References) -> Floats:
        """Sum of f(length) over the sentences of every reference text."""
        parts = references.sentences()
        worth = self._f(parts.lengths)[parts.lengths]
        return sums(worth, groups_of(parts.counts), len(references.starts))

    def _f(self, *lengths: NDArray[np.int64]) -> Floats:
        """f(k) = k^weight for k = 0, 1, ... up to the largest length."""
        longest = max(int(some.max(initial=0)) for some in lengths)
        return np.array([k**self.weight for k in range(longest + 1)])


def as_references(texts: Tokens) -> References:
    """Texts as the only references of as many segments."""
    return References(texts.ids, texts.starts, texts.ends, np.arange(len(texts) + 1))


def positions_of_sentences(texts: Tokens) -> list[list[range]]:
    """Positions, in each text, of its sentences."""
    result = []
    for start, end in zip(texts.starts.tolist(), texts.ends.tolist(), strict=True):
        inside = [place for place in texts.breaks.tolist() if start < place < end]
        ends = zip([start, *inside], [*inside, end], strict=True)
        result.append([range(first - start, last - start) for first, last in ends])
    return result


def only_marked(texts: Tokens, marks: Marks) -> Tokens:
    """Texts in which the words that are not marked match nothing, concatenated without gaps."""
    lengths = texts.lengths
    ends = np.cumsum(lengths)
    places = np.arange(len(marks)) + np.repeat(texts.starts - ends + lengths, lengths)
    return Tokens(np.where(marks, texts.ids[places], -1), ends - lengths, ends)


def worth_of_blocks(marks: Marks, kept: Marks, references: References, f: Floats) -> Floats:
    """Sum the worth of the blocks of marked words in every reference text.

    Parameters
    ----------
    marks, kept : ndarray of bool, shape (total length of the references,)
        See `Subsequences.hits_among`.
    references : References
        The reference texts. No block crosses a sentence end.
    f : ndarray of float64, shape (n,)
        Worth of a block of 0, 1, 2, ... words.

    Returns
    -------
    ndarray of float64, shape (n_references,)
    """
    sentences = references.sentences()
    sentence_of = groups_of(sentences.lengths)
    goes_on = np.zeros_like(marks)
    goes_on[:-1] = marks[1:] & (sentence_of[1:] == sentence_of[:-1])
    (ends,) = np.nonzero(kept & ~goes_on)
    so_far = np.concatenate([[0], np.cumsum(kept)])  # kept words before each position
    first = np.cumsum(sentences.lengths) - sentences.lengths
    start = np.maximum(so_far[first[sentence_of[ends]]], np.append(0, so_far[ends + 1])[:-1])
    worth = f[so_far[ends + 1] - start]
    return sums(worth, groups_of(references.lengths)[ends], len(references.starts))


def groups_of(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Index of the group of every member, for groups of these sizes in order."""
    return np.repeat(np.arange(len(sizes)), sizes)


def sums(values: Floats, groups: NDArray[np.int64], n_groups: int) -> Floats:
    """Sum of the values in every group, added in order."""
    return np.bincount(groups, values, n_groups).astype(np.float64)
