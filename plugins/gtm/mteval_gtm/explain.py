"""Explanations of GTM: the runs of the matching, greedy or exact."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import Explanation, Link, Term, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Texts = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]

__all__ = ["explain_gtm"]

SAFE_EXPONENT = 32
"""Larger exponents are applied to relative lengths, so that no power overflows."""

CASES = 20_000
"""Most cases in the search for the exact matching."""

NEGLIGIBLE = 1e-12
"""Relative difference of sums that rounding alone may cause."""


class Run(NamedTuple):
    """A stretch of equal words: its length, its start in the hypothesis and in reference k."""

    length: int
    row: int
    k: int
    column: int


def explain_gtm(texts: Texts, e: float, matching: str) -> Explanation:
    """Explain the row of `Gtm.statistics`.

    Parameters
    ----------
    texts : (tuple of str, tuple of tuple of str)
        Tokens of the hypothesis, and of each reference.
    e, matching
        Options of the metric.

    Raises
    ------
    UsageError
        If the search for the exact matching takes too long.
    """
    hypothesis, references = texts
    c, r = len(hypothesis), sum(map(len, references)) / len(references)
    cap = min(c, r)
    runs = list(longest_first(texts))
    if matching == "exact":
        runs = largest(texts, runs, cap, e)
    lengths = counted(runs, cap)
    scale = max(lengths, default=1.0) if e > SAFE_EXPONENT else 1.0
    links = [
        link
        for run, length in zip(runs, lengths, strict=True)
        for link in _links(run, length, (length / (scale or 1.0)) ** e)
    ]
    total = sum(link.weight for link in links)
    return Explanation(
        hypothesis,
        references,
        links=tuple(links),
        terms=(
            Term("C", c, "tokens of the hypothesis"),
            Term("R", r, "mean reference length" if len(references) > 1 else "reference length"),
            Term("cap", cap, "min(C, R): total length of the runs that count"),
            Term("sum", total, f"sum of length^{e:g} over the runs", kind="run"),
            Term("MMS", scale * total ** (1 / e), f"sum^(1/{e:g})"),
        ),
        columns=("MMS", "C", "R"),
        formula="F = 2 P R / (P + R), P = MMS / C, R = MMS / R",
        why="runs of all references count, up to the mean length" if len(references) > 1 else "",
    )


def counted(runs: Sequence[Run], cap: float) -> list[float]:
    """Length of each run that counts: the one that exceeds the cap is cut, the rest counts 0."""
    lengths = []
    for run in runs:
        lengths.append(max(min(run.length, cap), 0.0))
        cap -= run.length
    return lengths


def _links(run: Run, length: float, weight: float) -> Iterator[Link]:
    """Link the words of a run that count, and those that the cap removes: the last ones."""
    n = math.ceil(length)
    for start, end, kind in ((0, n, "run"), (n, run.length, "beyond the cap")):
        if start < end:
            rows, columns = (tuple(range(at + start, at + end)) for at in (run.row, run.column))
            yield Link(rows, columns, run.k, kind, weight=weight if kind == "run" else 0.0)


def hits_of(texts: Texts) -> set[tuple[int, int, int]]:
    """Positions in the hypothesis, numbers of references and positions there of equal words."""
    hypothesis, references = texts
    return {
        (i, k, j)
        for i, word in enumerate(hypothesis)
        for k, reference in enumerate(references)
        for j, other in enumerate(reference)
        if word == other
    }


def longest_first(texts: Texts) -> Iterator[Run]:
    """Take the longest run without a word that is taken, the last of several, until none is left.

    Of equally long runs, the last in the hypothesis is taken, then the last in the references.
    """
    hits = hits_of(texts)
    while hits:
        lengths: dict[tuple[int, int, int], int] = {}  # of the run that ends at each hit
        for i, k, j in sorted(hits):
            lengths[i, k, j] = lengths.get((i - 1, k, j - 1), 0) + 1
        run = max(Run(n, i - n + 1, k, j - n + 1) for (i, k, j), n in lengths.items())
        yield run
        rows = range(run.row, run.row + run.length)
        columns = range(run.column, run.column + run.length)
        hits = {(i, k, j) for i, k, j in hits if i not in rows and (k != run.k or j not in columns)}


# The exact matching: branch and bound over the runs of two or more words


def largest(texts: Texts, greedy: list[Run], cap: float, e: float) -> list[Run]:
    """Find the matching with the largest size, beginning with the greedy one.

    If two runs share a word, there are two cases for the longer one: it keeps the word, or loses
    it. A case is left out if it is not larger even with every word in the longest run through it.
    Single words fill the rest: their number does not depend on the choice of runs.
    """
    room = min(sum(run.length for run in greedy), cap)
    scale = room if e > SAFE_EXPONENT else 1.0

    def size(runs: Sequence[Run]) -> float:
        return float(sum((length / (scale or 1.0)) ** e for length in counted(runs, room)))

    best, matching = size(greedy), greedy
    cases = [maximal_runs(hits_of(texts))]
    for _ in range(CASES):
        if not cases:
            return matching
        runs = sorted(cases.pop(), reverse=True)
        if _bound(runs, room, scale or 1.0, e) <= best * (1 + NEGLIGIBLE):
            continue
        branches = _branch(runs)
        cases += branches
        if not branches:
            whole = [*runs, *_single_words(texts, runs)]
            if size(whole) > best:
                best, matching = size(whole), whole
    raise UsageError(f"the exact matching takes more than {CASES} cases; use matching=greedy")


def maximal_runs(hits: set[tuple[int, int, int]]) -> list[Run]:
    """Runs of two or more words that cannot be lengthened."""
    runs = []
    for i, k, j in sorted(hits):
        if (i - 1, k, j - 1) not in hits and (i + 1, k, j + 1) in hits:
            length = 2
            while (i + length, k, j + length) in hits:
                length += 1
            runs.append(Run(length, i, k, j))
    return runs


def _bound(runs: Sequence[Run], room: float, scale: float, e: float) -> float:
    """Size if each word is in the longest run through it; single words fill the rest."""
    longest: dict[int, int] = {}
    for run in runs:  # the longest first
        for i in range(run.row, run.row + run.length):
            longest.setdefault(i, run.length)
    total, left = 0.0, room
    for length in longest.values():
        within = min(length, room)
        total += max(min(left, 1.0), 0.0) * (within / scale) ** e / within if within else 0.0
        left -= 1
    return float(total + max(left, 0.0) * (1 / scale) ** e)


def _branch(runs: Sequence[Run]) -> list[list[Run]]:
    """Two cases for the first run that shares a word with another; none if there is none."""
    for run in runs:
        for n in range(run.length):
            word = run.row + n, run.k, run.column + n
            sharing = [x for x in runs if x != run and _has(x, word)]
            if sharing:
                rest = [x for x in runs if x != run]
                loses = [*rest, *_without(run, n)]
                keeps = [run, *(part for x in rest for part in _cleared(x, word))]
                return [loses, keeps]
    return []


def _has(run: Run, word: tuple[int, int, int]) -> bool:
    """Whether a run has the word of the hypothesis, or that of the reference."""
    i, k, j = word
    return 0 <= i - run.row < run.length or (run.k == k and 0 <= j - run.column < run.length)


def _without(run: Run, n: int) -> Iterator[Run]:
    """Take word n out of a run; return the rest as runs of two or more words."""
    if n >= 2:
        yield Run(n, run.row, run.k, run.column)
    if run.length - n - 1 >= 2:
        yield Run(run.length - n - 1, run.row + n + 1, run.k, run.column + n + 1)


def _cleared(run: Run, word: tuple[int, int, int]) -> Iterator[Run]:
    """Take a word of the hypothesis and one of a reference out of a run."""
    i, k, j = word
    if not _has(run, word):
        yield run
    elif 0 <= i - run.row < run.length:
        for part in _without(run, i - run.row):
            yield from _cleared(part, (-1, k, j))
    else:
        yield from _without(run, j - run.column)


def _single_words(texts: Texts, runs: Sequence[Run]) -> Iterator[Run]:
    """Match the words that are in no run."""
    rows = {run.row + n for run in runs for n in range(run.length)}
    columns = {(run.k, run.column + n) for run in runs for n in range(run.length)}
    for i, k, j in sorted(hits_of(texts)):
        if i not in rows and (k, j) not in columns:
            rows.add(i)
            columns.add((k, j))
            yield Run(1, i, k, j)
