"""Words of the references that the hypotheses have, for words of a kind.

::

    recall = matched words of the kind / words of the kind

Both sums run over all references of all segments. A word of a reference is matched if the
hypothesis has it. Of a word that the reference has n times and the hypothesis m times, min(n, m)
are matched. Nobody knows which, so each of its n places counts as min(n, m) / n. Only equal words
match: ``1,200`` and ``1200`` do not.

Kinds of words, all of which must apply:

``words=numbers``
    Tokens with a digit.
``words=names``
    Tokens that begin with an upper-case letter, followed by another letter, and that do not begin a
    sentence. A token begins a sentence if it is the first word of its segment, or if a token that
    ends in one of ``.!?:…`` or in their full-width forms is between it and the word before. In a
    language that writes nouns with a capital, such as German, these are nouns, too; a script
    without case has none. The word after an abbreviation with a full stop is left out.
``words=listed``, ``words=unlisted``
    Words that a file has, such as function words, and all other words; in lower case.
``freq=N-M``
    Words that all references together have N to M times.
``quarter=Q``
    Words at the positions i = 0, 1, ..., n - 1 of a reference of n words, for which
    floor(4 i / n) = Q - 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import InputError
from mteval_core.formulas import ratio, split, stack

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_core import References, TokenizedCorpus, Tokens
    from mteval_kernels import Vocabulary

    Marks = NDArray[np.bool_]

__all__ = ["WordRecall"]

SENTENCE_ENDS = frozenset(".!?:…。！？：")


@dataclass(frozen=True, eq=False)
class WordRecall:
    """Share of the words of the references that the hypotheses have.

    Parameters
    ----------
    words : {"all", "numbers", "names", "listed", "unlisted"}
        Which words.
    file : str
        File with a list of words, one per line; for ``listed`` and ``unlisted``.
    freq : str
        How often the words occur in all references: ``N``, ``N-M`` or ``N-``.
    quarter : int
        In which quarter of their reference the words are; 0 for all.
    kinds : tuple of ndarray of bool, shape (n_types,)
        Which types of the references are chosen, are words, and end a sentence; `prepare` computes
        them.

    Raises
    ------
    InputError
        If words are listed and there is no file, or a file and words are not listed.
    """

    words: str = "all"
    file: str = ""
    freq: str = "1-"
    quarter: int = 0
    kinds: tuple[Marks, ...] = ()

    def __post_init__(self) -> None:
        if (self.words in ("listed", "unlisted")) != bool(self.file):
            raise InputError(
                "words=listed and words=unlisted need file=PATH, and other words take no file"
            )

    def prepare(self, words: References, vocabulary: Vocabulary) -> WordRecall:
        """Find out of which kinds the types of the references are."""
        ids = words.ids[positions(words)]
        frequency = np.bincount(ids)
        types = vocabulary.tokens(np.arange(len(frequency), dtype=np.int32))
        low, dash, high = self.freq.partition("-")
        top = int(high or low) if high or not dash else np.inf
        chosen = (frequency >= int(low)) & (frequency <= top) & self._chosen(types)
        is_word = of_types(types, lambda token: any(map(str.isalnum, token)))
        ends = of_types(types, lambda token: token[-1:] in SENTENCE_ENDS)
        return replace(self, kinds=(chosen, is_word, ends))

    def _chosen(self, types: list[str]) -> Marks:
        """Mark the types that may be words of the kind."""
        if self.words == "numbers":
            return of_types(types, lambda token: any(map(str.isdigit, token)))
        if self.words == "names":
            return of_types(types, lambda token: token[:1].isupper() and token[1:2].isalpha())
        if self.words == "all":
            return np.ones(len(types), bool)
        listed = read_list(self.file)
        found = of_types(types, lambda token: token.lower() in listed)
        return found if self.words == "listed" else ~found

    def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]:
        """Count matched words and words of the kind in every segment, shape (n_segments, 2)."""
        pairs = words.pairs()
        matched, chosen = matched_shares(pairs), self._marks(pairs.references)
        segment = np.repeat(np.arange(len(words)), words.references.sizes)
        counts = [
            np.bincount(segment, weights, minlength=len(words))
            for weights in (chosen * matched, chosen)
        ]
        return np.asarray(np.column_stack(counts), np.float64)

    def _marks(self, references: References) -> Marks:
        """Mark the tokens of the kind in the references, one after the other."""
        ids, lengths = references.ids[positions(references)], references.lengths
        first = np.repeat(np.cumsum(lengths) - lengths, lengths)
        chosen, is_word, ends = self.kinds
        marks = chosen[ids]
        if self.quarter:
            place = np.arange(len(ids)) - first
            marks = marks & (4 * place // np.repeat(lengths, lengths) == self.quarter - 1)
        if self.words == "names":
            marks = marks & ~begins_sentence(is_word[ids], ends[ids], first)
        return marks

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide, and return both counts, shape (..., 3); 0 if there is no word of the kind."""
        matched, total = split(totals)
        return stack([ratio(matched, total), matched, total])


def matched_shares(pairs: TokenizedCorpus) -> NDArray[np.float64]:
    """Compute how much of each token of the references the hypothesis has.

    Parameters
    ----------
    pairs : TokenizedCorpus
        Segments of a hypothesis and one reference.

    Returns
    -------
    ndarray of float64, shape (total length of the references,)
        min(n, m) / n for a token that the reference has n times and the hypothesis m times.
    """
    ours, theirs = keys(pairs.hypotheses, pairs), keys(pairs.references, pairs)
    ours.sort()
    distinct, place, n = np.unique(theirs, return_inverse=True, return_counts=True)
    m = np.searchsorted(ours, distinct, "right") - np.searchsorted(ours, distinct, "left")
    shares: NDArray[np.float64] = (np.minimum(n, m) / n)[place]
    return shares


def keys(texts: Tokens, pairs: TokenizedCorpus) -> NDArray[np.int64]:
    """Number each token, so that only equal tokens of the same segment have the same number."""
    segment = np.repeat(np.arange(len(texts.starts)), texts.lengths)
    return segment * len(pairs.vocabulary) + texts.ids[positions(texts)]


def positions(texts: Tokens) -> NDArray[np.int64]:
    """Positions of the tokens of all texts, text by text."""
    lengths = texts.lengths
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(lengths.sum()) + np.repeat(texts.starts - before, lengths))


def begins_sentence(is_word: Marks, ends: Marks, first: NDArray[np.int64]) -> Marks:
    """Mark the words that begin a sentence.

    Parameters
    ----------
    is_word, ends : ndarray of bool, shape (n_tokens,)
        Which tokens are words, and which end a sentence.
    first : ndarray of int64, shape (n_tokens,)
        Position of the first token of the text of each token.
    """
    begins = np.zeros(len(is_word), bool)
    n_ends = np.append(0, np.cumsum(ends))
    (places,) = np.nonzero(is_word)
    before = np.append(-1, places[:-1])[: len(places)]
    begins[places] = (before < first[places]) | (n_ends[places] > n_ends[before])
    return begins


def of_types(types: list[str], test: Callable[[str], bool]) -> Marks:
    """Mark the types that pass a test."""
    return np.fromiter(map(test, types), bool, len(types))


def read_list(path: str) -> frozenset[str]:
    """Read a list of words, one per line; empty lines and lines that begin with ``#`` are none.

    Raises
    ------
    InputError
        If it has no word, or a line has several.
    """
    words = set()
    for number, line in enumerate(Path(path).read_text("utf-8-sig").splitlines(), 1):
        word = line.strip().lower()
        if len(word.split()) > 1 and not word.startswith("#"):
            raise InputError(f"{path}:{number}: expected one word per line, got {line!r}")
        if word and not word.startswith("#"):
            words.add(word)
    if not words:
        raise InputError(f"{path}: the list has no words; expected one per line")
    return frozenset(words)
