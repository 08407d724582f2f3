"""Explanations of ROUGE: units that the hypothesis shares with each reference.

The functions of this module find in plain Python what the kernels count: n-grams, pairs of words,
and the words on common subsequences.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import Explanation, Link, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Sentences = Sequence[range]
    Words = Sequence[str]
    Alignment = Callable[[Words, Words], list[tuple[int, int]]]

__all__ = [
    "Found",
    "blocks",
    "common_subsequence",
    "explained",
    "ngrams",
    "skip_pairs",
    "union_of_sentences",
    "weighted_runs",
    "weighted_subsequence",
]


class Found(NamedTuple):
    """What was found in the hypothesis and one reference.

    Parameters
    ----------
    links : list of Link
        The hits, each with its weight.
    n, m : float
        Totals of the hypothesis and of the reference.
    """

    links: list[Link]
    n: float
    m: float

    @property
    def hits(self) -> float:
        """What both texts share."""
        return sum(link.weight for link in self.links)


def explained(
    texts: tuple[Words, Sequence[Words]],
    found: Sequence[Found],
    row: Sequence[float],
    *,
    best: int | None,
    multi: str,
) -> Explanation:
    """Explain a row of `Rouge.rows` by what was found in each reference.

    Parameters
    ----------
    texts : (sequence of str, sequence of sequence of str)
        Tokens of the hypothesis, and of each reference.
    found : sequence of Found
        What was found, for each reference.
    row : sequence of float
        The row that follows from `found`.
    best : int or None
        The reference that counts, if only one does.
    multi : str
        How several references are combined.
    """
    columns = ("F", "P", "R", "segments") if len(row) == 4 else ("hits", "n", "m")
    numbers = {
        "F": "weighted harmonic mean of P and R",
        "P": "hits / n",
        "R": "hits / m",
        "segments": "the corpus score is a mean over the segments",
        "hits": "hits of the references that count",
        "n": "total of the hypothesis",
        "m": "total of the references that count",
    }
    why = {
        "maxima": "P and R are the largest of all references",
        "pooled": "hits and totals are added over all references",
        "best": f"reference {best} is the best one",
    }
    links = [link._replace(to=k) for k, one in enumerate(found) for link in one.links]
    rows = zip(columns, row, strict=True)
    return Explanation(
        tuple(texts[0]),
        tuple(map(tuple, texts[1])),
        links=tuple(links),
        terms=(
            *_counts(found),
            *(Term(name, value, numbers[name]) for name, value in rows),
        ),
        columns=columns,
        formula="F = P R / (alpha R + (1 - alpha) P)",
        best=best,
        why=why[multi] if len(found) > 1 else "",
    )


def _counts(found: Sequence[Found]) -> Iterator[Term]:
    """Hits and totals of each reference."""
    for k, (links, n, m) in enumerate(found):
        kinds = list(dict.fromkeys(link.kind for link in links))
        for kind in kinds:
            hits = sum(link.weight for link in links if link.kind == kind)
            yield Term(f"hits: {kind}, reference {k}", hits, kind=kind, to=k)
        yield Term(f"n, reference {k}", n, "total of the hypothesis")
        yield Term(f"m, reference {k}", m, "total of the reference")


# ROUGE-N, -S, -SU: parts that both texts have


def ngrams(hypothesis: Words, reference: Words, n: int) -> list[Link]:
    """Link the n-grams that both texts have."""
    return Link.clipped(hypothesis, [reference], n, f"{n}-gram")


def skip_pairs(hypothesis: Words, reference: Words, skip: float) -> list[Link]:
    """Link the pairs of words in order, with at most `skip` words between the two.

    Lin and Och (2004), section 4: SKIP2(X, Y).
    """

    def pairs(length: int) -> Iterable[tuple[int, int]]:
        return ((i, j) for i, j in combinations(range(length), 2) if j - i - 1 <= skip)

    return Link.clipped(hypothesis, [reference], pairs, "skip pair")


# ROUGE-L and -W: common subsequences


def common_subsequence(hypothesis: Words, reference: Words) -> list[tuple[int, int]]:
    """Positions in hypothesis and reference of the words on the LCS that the program takes.

    The way back through the table: equal words are matched; otherwise the last word of the
    reference is dropped if the LCS without it is as long, or else that of the hypothesis.
    """
    table = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, word in enumerate(reference, 1):
        for j, other in enumerate(hypothesis, 1):
            longer = max(table[i - 1][j], table[i][j - 1])
            table[i][j] = table[i - 1][j - 1] + 1 if word == other else longer
    return _way_back(hypothesis, reference, table)


def weighted_subsequence(
    hypothesis: Words, reference: Words, f: Callable[[int], float]
) -> list[tuple[int, int]]:
    """Return the same in the table of the weighted LCS, Lin and Och (2004), section 3.2."""
    c = [[0.0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    w = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, word in enumerate(reference, 1):
        for j, other in enumerate(hypothesis, 1):
            if word == other:
                k = w[i - 1][j - 1]  # length of the run that ends before both words
                c[i][j] = c[i - 1][j - 1] + f(k + 1) - f(k)
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return _way_back(hypothesis, reference, c)


def _way_back(
    hypothesis: Words, reference: Words, table: Sequence[Sequence[float]]
) -> list[tuple[int, int]]:
    i, j = len(reference), len(hypothesis)
    pairs = []
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((j, i))
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def weighted_runs(hypothesis: Words, reference: Words, f: Callable[[int], float]) -> list[Link]:
    """Link the runs on the weighted LCS; a run of k words is worth f(k)."""
    runs: list[list[tuple[int, int]]] = []
    for i, j in weighted_subsequence(hypothesis, reference, f):
        if runs and runs[-1][-1] == (i - 1, j - 1):
            runs[-1].append((i, j))
        else:
            runs.append([(i, j)])
    return [_link(run, "run", f(len(run))) for run in runs]


def _link(pairs: Sequence[tuple[int, int]], kind: str, weight: float) -> Link:
    hypothesis, reference = zip(*pairs, strict=True)
    return Link(tuple(sorted(set(hypothesis))), reference, kind=kind, weight=weight)


class Union(NamedTuple):
    """Words of a reference on common subsequences with sentences of the hypothesis.

    Parameters
    ----------
    place : dict of int to int
        For the position of each marked word, that of the word it is matched with.
    kept : set of int
        The positions that are hits: the texts that limit the hits have the word often enough.
    """

    place: dict[int, int]
    kept: set[int]


def union_of_sentences(
    texts: tuple[Words, Words],
    sentences: tuple[Sentences, Sentences],
    budgets: Sequence[Words],
    align: Alignment,
) -> Union:
    """Mark the words of the reference that are on a common subsequence of two sentences.

    Lin (2004), section 3.2: the union over the sentences of the hypothesis.

    Parameters
    ----------
    texts : (sequence of str, sequence of str)
        Hypothesis and reference.
    sentences : (sequence of range, sequence of range)
        Positions of the sentences of both.
    budgets : sequence of sequence of str
        Texts that limit how often a word is a hit.
    align : callable
        Finds the common subsequence of two sentences.
    """
    hypothesis, reference = texts
    place: dict[int, int] = {}
    for mine in sentences[1]:
        for theirs in sentences[0]:
            pairs = align([hypothesis[i] for i in theirs], [reference[j] for j in mine])
            for i, j in pairs:
                place.setdefault(mine[j], theirs[i])
    kept = set(place)
    for budget in budgets:
        left = Counter(budget)
        for j in sorted(kept):
            if left[reference[j]] > 0:
                left[reference[j]] -= 1
            else:
                kept.discard(j)
    return Union(place, kept)


def blocks(union: Union, sentences: Sentences, f: Callable[[int], float]) -> list[Link]:
    """Link the blocks of marked words in each sentence of the reference, as ROUGE-1.5.5 does.

    A block of k hits is worth f(k). If its last word is no hit, it goes on in the next block.
    """
    links = []
    for sentence in sentences:
        block: list[tuple[int, int]] = []
        for j in sentence:
            if j in union.kept:
                block.append((union.place[j], j))
                if j + 1 not in sentence or j + 1 not in union.place:
                    links.append(_link(block, "block", f(len(block))))
                    block = []
    return links
