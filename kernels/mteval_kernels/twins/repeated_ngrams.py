"""The n-grams that occur more than once in texts."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import number_of_columns, vector, whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]

__all__ = ["find_ngrams", "repeated_ngrams"]

LARGEST = (1 << 31) - 1


def repeated_ngrams(words: Ids, order: int, low: int, high: int) -> list[tuple[Ids, Ids, Ids]]:
    """Count the n-grams that occur more than once, for n = 2 to `order`.

    The n-grams of each order are sorted, and numbered in this order: first by the number of their
    prefix, which is their first n - 1 words, then by their last word. The number of a single word
    is its id less `low`. All prefixes of an n-gram that occurs more than once do so, too.

    Parameters
    ----------
    words : ndarray of int32, shape (n_words,)
        Ids of the words of all texts, and a negative number between two texts.
    order : int
        Largest n.
    low, high : int
        Only n-grams whose first word has an id of at least `low` and less than `high`. The n-grams
        of several such ranges can be counted in several threads.

    Returns
    -------
    list of (ndarray, ndarray, ndarray)
        For each n: `first`, `last` and `counts`, all of int32. The n-grams with the prefix ``i``
        have the numbers ``first[i]`` to ``first[i + 1] - 1``; ``last`` has their last words and
        ``counts`` how often they occur, by number.

    Raises
    ------
    TypeError
        If an argument is not of whole numbers.
    ValueError
        If the order is less than 1, `low` is negative or greater than `high`, or there are 2^31
        words or more.

    Examples
    --------
    "0 1 2 0 1" and "0 1": "0 1" occurs three times.

    >>> repeated_ngrams(np.array([0, 1, 2, 0, 1, -1, 0, 1], np.int32), 2, 0, 3)
    [(array([0, 1, 1, 1], dtype=int32), array([1], dtype=int32), array([3], dtype=int32))]
    """
    words = vector("words", words, np.int32)
    order = number_of_columns("order", order)
    low = whole_number("low", low, 0)
    high = whole_number("high", high, low)
    if len(words) > LARGEST or high > LARGEST:
        raise ValueError(
            f"{len(words)} words up to id {high - 1}; expected at most {LARGEST} words and ids"
        )
    texts = words.tolist()
    groups: list[list[int]] = [[] for _ in range(low, high)]  # where each n-gram starts
    for start, word in enumerate(texts):
        if low <= word < high:
            groups[word - low].append(start)
    found = []
    for length in range(1, order):
        first, last, longer = [0], [], []
        for group in groups:
            by_word = defaultdict(list)
            for start in group:
                if start + length < len(texts):
                    by_word[texts[start + length]].append(start)
            for word in sorted(by_word):
                if word >= 0 and len(by_word[word]) > 1:
                    last.append(word)
                    longer.append(by_word[word])
            first.append(len(last))
        counts = [len(group) for group in longer]
        found.append(
            (np.array(first, np.int32), np.array(last, np.int32), np.array(counts, np.int32))
        )
        groups = longer
    return found


def find_ngrams(first: Ids, last: Ids, prefixes: Ids, words: Ids) -> Ids:
    """Look up the numbers of n-grams of one order.

    Parameters
    ----------
    first : ndarray of int32, shape (n_prefixes + 1,)
        The n-grams with the prefix ``i`` have the numbers ``first[i]`` to ``first[i + 1] - 1``.
    last : ndarray of int32, shape (n_ngrams,)
        The last word of each, in ascending order for each prefix; see `repeated_ngrams`.
    prefixes, words : ndarray of int32, shape (n,)
        The numbers of the prefixes and the last words of n-grams.

    Returns
    -------
    ndarray of int32, shape (n,)
        The numbers; -1 for an n-gram that is not there.

    Raises
    ------
    TypeError
        If an argument is not of int32.
    ValueError
        If there is not one word for each prefix, or `first` has numbers that are not in `last`.

    Examples
    --------
    >>> first, last = np.array([0, 2, 3], np.int32), np.array([5, 7, 5], np.int32)
    >>> find_ngrams(first, last, np.array([0, 1, 1], np.int32), np.array([7, 7, 5], np.int32))
    array([ 1, -1,  2], dtype=int32)
    """
    first, last = vector("first", first, np.int32), vector("last", last, np.int32)
    prefixes, words = vector("prefixes", prefixes, np.int32), vector("words", words, np.int32)
    if len(prefixes) != len(words):
        raise ValueError(
            f"{len(prefixes)} prefixes, but {len(words)} words; expected equal numbers"
        )
    bounds, ends = first.tolist(), last.tolist()
    numbers = []
    for prefix, word in zip(prefixes.tolist(), words.tolist(), strict=True):
        numbers.append(-1)
        if not 0 <= prefix < len(bounds) - 1:
            continue
        begin, end = bounds[prefix], bounds[prefix + 1]
        if not 0 <= begin <= end <= len(ends):
            raise ValueError(
                f"n-grams with prefix {prefix} are {begin}:{end}; "
                f"expected bounds within 0:{len(ends)}"
            )
        place = bisect_left(ends, word, begin, end)
        if place < end and ends[place] == word:
            numbers[-1] = place
    return np.array(numbers, dtype=np.int32)
