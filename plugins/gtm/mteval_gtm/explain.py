"""Why a segment has its GTM score: the runs of the matching that takes the longest run first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mteval_core import Explanation, Link, Term, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    Texts = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]

__all__ = ["explain_gtm"]

SAFE_EXPONENT = 32
"""Larger exponents are applied to lengths relative to the longest run."""


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
        If the matching is the exact one.
    """
    if matching == "exact":
        message = "the explanation shows the greedy matching: use matching=greedy"
        raise UsageError(message)
    hypothesis, references = texts
    c, r = len(hypothesis), sum(map(len, references)) / len(references)
    cap = min(c, r)
    runs = list(longest_first(texts))
    longest = runs[0].length if runs and e > SAFE_EXPONENT else 1
    links, room = [], cap
    for run in runs:
        counted = max(min(run.length, room), 0.0)
        room -= run.length
        kind = "run" if counted else "beyond the cap"
        rows, columns = (range(start, start + run.length) for start in (run.row, run.column))
        weight = (counted / longest) ** e
        links.append(Link(tuple(rows), tuple(columns), run.k, kind, weight=weight))
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
            Term("MMS", longest * total ** (1 / e), f"sum^(1/{e:g})"),
        ),
        columns=("MMS", "C", "R"),
        formula="F = 2 P R / (P + R), P = MMS / C, R = MMS / R",
        why="runs of all references count, up to the mean length" if len(references) > 1 else "",
    )


def longest_first(texts: Texts) -> Iterator[Run]:
    """Take the longest run without a word that is taken, the last of several, until none is left.

    Of equally long runs, the last in the hypothesis is taken, then the last in the references.
    """
    hypothesis, references = texts
    hits = {
        (i, k, j)
        for i, word in enumerate(hypothesis)
        for k, reference in enumerate(references)
        for j, other in enumerate(reference)
        if word == other
    }
    while hits:
        lengths: dict[tuple[int, int, int], int] = {}  # of the run that ends at each hit
        for i, k, j in sorted(hits):
            lengths[i, k, j] = lengths.get((i - 1, k, j - 1), 0) + 1
        run = max(Run(n, i - n + 1, k, j - n + 1) for (i, k, j), n in lengths.items())
        yield run
        rows = range(run.row, run.row + run.length)
        columns = range(run.column, run.column + run.length)
        hits = {(i, k, j) for i, k, j in hits if i not in rows and (k != run.k or j not in columns)}
