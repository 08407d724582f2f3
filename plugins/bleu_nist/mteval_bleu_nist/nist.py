"""NIST: Doddington, "Automatic evaluation using n-gram co-occurrence statistics", HLT 2002.

Follows mteval-v13a in what the paper leaves open: information is counted over all references of
the whole test set, pooled; matches are clipped by the largest count in any one reference; the
reference length is the mean over the references of the segment.

One accident of the program is kept: a bigram whose first word is the token ``0`` has its
information relative to all words, since the program asks whether that string is true. Where the
program divides by zero (no reference words at all) the score is 0; so it is for empty hypotheses.

There is no highest score, and the identical text need not have the best: frequent words carry
little information, so that leaving one out can raise the mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mteval_core.kernels import PairIndex, weighted_matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core import References, TokenizedCorpus, Tokens
    from mteval_core.kernels import Vocabulary

    Ids = NDArray[np.int32]
    SomeTexts = TypeVar("SomeTexts", bound=Tokens)

__all__ = ["Nist"]

BETA = log(2) / log(1.5) ** 2
"""Makes the length penalty one half where two thirds of the reference length are reached."""


@dataclass(frozen=True)
class Nist:
    """NIST with the options of its declaration.

    Parameters
    ----------
    order : int
        Longest n-grams counted, N.
    weights : bool
        Whether a match counts its information; otherwise it counts 1 (Turian, Shen and Melamed
        2003, section 4).
    numbers : tuple of PairIndex
        Numbers the n-grams of the references, orders 2 to N; made by `prepare`.
    information : tuple of ndarray of float64
        Information of each of them, in bits, orders 1 to N; made by `prepare`.
    """

    order: int = 5
    weights: bool = True
    numbers: tuple[PairIndex, ...] = ()
    information: tuple[NDArray[np.float64], ...] = ()

    def prepare(self, words: References, vocabulary: Vocabulary) -> Nist:
        """Count the n-grams of all references.

        eq. 2:  Info(w_1 ... w_n) = log2(count(w_1 ... w_n-1) / count(w_1 ... w_n)), where the
        count of the empty sequence is the number of all words.
        """
        texts = flat(words)
        numbers = tuple(PairIndex() for _ in range(self.order - 1))
        n_words = len(texts.ids)
        shorter, count_of_shorter = np.empty(0, np.int32), np.empty(0, np.int64)
        information = []
        for n, ids in enumerate(ngrams(texts, [index.add for index in numbers]), start=1):
            present = ids >= 0
            count = np.bincount(ids[present])
            if n == 1:
                before = np.full(len(count), n_words)
            else:
                prefix = np.empty(len(count), np.int32)
                prefix[ids[present]] = shorter[np.flatnonzero(present) - 1]
                before = count_of_shorter[prefix]
                if n == 2:
                    before[prefix == vocabulary.find("0")] = n_words
            info = np.log2(np.divide(before, count, out=np.ones(len(count)), where=count > 0))
            information.append(info if self.weights else np.ones(len(count)))
            shorter, count_of_shorter = ids, count
        return replace(self, numbers=numbers, information=tuple(information))

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Sum the information of the matches.

        Returns
        -------
        ndarray of float64, shape (n_segments, 2 + 2 * order)
            Hypothesis length and mean reference length in tokens; information of the clipped
            matches of each order, in bits; hypothesis n-grams of each order.
        """
        references = words.references
        c = words.hypotheses.lengths
        r = np.add.reduceat(references.lengths, references.index[:-1]) / references.counts
        find = [index.find for index in self.numbers]
        hypothesis_texts, reference_texts = flat(words.hypotheses), flat(references)
        both = zip(
            ngrams(hypothesis_texts, find),
            ngrams(reference_texts, find),
            self.information,
            strict=True,
        )
        matched = [
            weighted_matches(
                replace(hypothesis_texts, ids=np.where(ids < len(info), ids, -1)),
                replace(reference_texts, ids=reference_ids),
                info,
            )
            for ids, reference_ids, info in both
        ]
        total = np.maximum(c[:, None] - np.arange(self.order), 0)
        return np.column_stack([c, r, *matched, total])

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """NIST, its summand of each order, length penalty, both lengths; shape (..., N + 4)."""
        N = self.order
        c, r = totals[..., 0], totals[..., 1]
        matched, total = totals[..., 2 : 2 + N], totals[..., 2 + N :]

        # eq. 3     exp(beta log^2 min(L_sys / L_ref, 1))
        ratio = np.divide(c, r, out=np.ones(c.shape), where=r > 0)
        with np.errstate(divide="ignore"):
            BP = np.exp(-BETA * np.log(np.minimum(ratio, 1)) ** 2)

        # eq. 3     sum over n of (information of the matches / n-grams of the hypotheses)
        summands = BP[..., None] * matched / np.maximum(total, 1)
        nist = summands.sum(axis=-1)
        return np.concatenate([nist[..., None], summands, np.stack([BP, c, r], axis=-1)], axis=-1)


def flat(texts: SomeTexts) -> SomeTexts:
    """Lay texts one behind the other, in order, and nothing between them."""
    lengths = texts.lengths
    ends = np.cumsum(lengths)
    starts = ends - lengths
    positions = np.arange(lengths.sum()) + np.repeat(texts.starts - starts, lengths)
    return replace(texts, ids=texts.ids[positions], starts=starts, ends=ends)


def ngrams(texts: Tokens, number: Sequence[Callable[[Ids, Ids], Ids]]) -> Iterator[Ids]:
    """Give each n-gram its number, at the position of its last word.

    Parameters
    ----------
    texts : Tokens
        Texts one behind the other.
    number : sequence of callable
        For each order above 1, maps the numbers of its prefixes and last words to its own.

    Yields
    ------
    ndarray of int32, shape (n_tokens,)
        The n-grams of order 1, 2, ...; -1 where the text has fewer words so far.
    """
    words = ids = texts.ids
    place = np.arange(len(words)) - np.repeat(texts.starts, texts.lengths)
    yield ids
    for n, number_of in enumerate(number, start=2):
        prefixes = np.concatenate([np.full(1, -1, np.int32), ids])[:-1]
        ids = number_of(np.where(place >= n - 1, prefixes, np.int32(-1)), words)
        yield ids
