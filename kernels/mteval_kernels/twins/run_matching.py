"""Matchings of runs: stretches of tokens that two texts share, each token used once."""

from __future__ import annotations

import math
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import chain, islice, pairwise, repeat
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_kernels.twins.arguments import (
    TABLE,
    check_count,
    check_length,
    choice,
    in_segment,
    lengths,
    number,
    segments,
    vector,
    whole_number,
)
from mteval_kernels.twins.masks import matches, positions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import ReferenceTexts, Texts

__all__ = ["maximum_run_matching", "run_matching"]

_SAFE_EXPONENT = 32
"""Larger exponents apply to lengths relative to the longest, so that no power overflows."""

MAX_RUNS = 1 << 22
"""Most runs of a segment."""

MAX_RUNS_OF_CASES = 1 << 25
"""Most runs of all cases that the search for the largest matching examines."""

_NEGLIGIBLE = 1e-12
"""Relative difference of sums of powers that rounding alone may cause."""


def run_matching(
    hypotheses: Texts,
    references: ReferenceTexts,
    exponent: float,
    budgets: NDArray[np.float64],
    *,
    ties: Literal["first", "last"] = "last",
) -> NDArray[np.float64]:
    """Size of the matching that takes the longest run first.

    A run is a stretch of tokens that the hypothesis and one reference share. The kernel takes the
    longest run that has no position in common with the runs taken before, in the hypothesis or in
    a reference, until there is none. Runs may come from several references; no run continues from
    one reference into the next.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    exponent : float
        e, at least 1; a larger exponent favours long runs.
    budgets : ndarray of float64, shape (n_segments,)
        Largest total length of the runs of a segment, in tokens; `inf` sets no limit. The run that
        exceeds the budget is the last, cut to the rest of it, which may be a fraction.
    ties : {"last", "first"}
        Which of equally long runs to take: the last in the hypothesis, then the last in the
        references, in their order; or the first.

    Returns
    -------
    ndarray of float64, shape (n_segments,)
        ``(sum of length ** e) ** (1 / e)`` over the runs taken, in tokens; 0 without runs.

    Raises
    ------
    ValueError
        If the exponent is below 1, a budget is below 0, a text lies outside its ids, a segment has
        no reference, or the numbers of segments differ.
    TooLongError
        If a segment is too long; README.md has the limits.

    See Also
    --------
    maximum_run_matching : computes the largest of all matchings.

    Notes
    -----
    For a hypothesis of h tokens and references of r tokens in total, time and memory are
    O(h * ceil(r / 64)), plus those for the runs of two or more tokens, of which real text has few.
    A size depends on its own segment only.

    References
    ----------
    Melamed, Green and Turian (2003), ACL Anthology N03-2021.
    """
    exponent = _checked_exponent(exponent)
    choice("ties", ties, "first", "last")

    def size(hypothesis: list[int], texts: list[list[int]], budget: float) -> float:
        taken = _take_longest(*_hits_and_runs(hypothesis, texts), ties)
        return _size(_cut(taken, budget), exponent)

    return _sizes(size, _problems(hypotheses, references, budgets))


def maximum_run_matching(
    hypotheses: Texts,
    references: ReferenceTexts,
    exponent: float,
    budgets: NDArray[np.float64],
    *,
    limit: int,
) -> NDArray[np.float64]:
    """Size of the largest matching of runs.

    The maximum over all sets of runs without a common position; one run may be cut to keep the
    budget. See `run_matching` for the terms. The search is fast if few runs compete, as in most
    segments of real text, and infeasible if the same tokens occur again and again.

    Parameters
    ----------
    hypotheses, references, exponent, budgets
        As for `run_matching`.
    limit : int
        Largest number of cases to search per segment, at least 1.

    Returns
    -------
    ndarray of float64, shape (n_segments,)
        ``(sum of length ** e) ** (1 / e)`` over the runs of the largest matching, in tokens; NaN
        if the search needs more cases than the limit, or if these have more than 33,554,432 runs.

    Raises
    ------
    ValueError
        If the limit is below 1, and as for `run_matching`.
    TooLongError
        If a segment is too long; README.md has the limits.

    Notes
    -----
    Branch and bound over the runs of two or more tokens. Single tokens fill the rest: their number
    does not depend on the choice of runs. If two runs share a position, there are two cases for
    the longer one: it keeps the position for itself, or it loses it. A case is skipped if it could
    not beat the best matching so far even with every token in the longest run through it, counted
    over the tokens of the hypothesis or over those of the references.
    """
    exponent = _checked_exponent(exponent)
    size = partial(_maximum_size, exponent=exponent, limit=whole_number("limit", limit, 1))
    return _sizes(size, _problems(hypotheses, references, budgets))


class _Run(NamedTuple):
    """A stretch of equal tokens, from `row` in the hypothesis and `column` in the references."""

    length: int
    row: int
    column: int


def _sizes(
    size: Callable[[list[int], list[list[int]], float], float],
    problems: Iterable[tuple[list[int], list[list[int]], float]],
) -> NDArray[np.float64]:
    sizes = []
    for i, problem in enumerate(problems):
        with in_segment(i):
            sizes.append(size(*problem))
    return np.array(sizes, dtype=np.float64)


def _checked_exponent(value: float) -> float:
    exponent = number("exponent", value)
    if not (exponent >= 1 and math.isfinite(exponent)):
        raise ValueError(f"exponent is {exponent:g}; expected a finite number, at least 1")
    return exponent


def _problems(
    hypotheses: Texts, references: ReferenceTexts, budgets: NDArray[np.float64]
) -> Iterator[tuple[list[int], list[list[int]], float]]:
    """Hypothesis, references, and budget of every segment."""
    texts_of = segments(hypotheses, references)
    index = vector("index", references.index, np.int64).tolist()
    reference_lengths = lengths(references)
    for i, (h, (start, stop)) in enumerate(zip(lengths(hypotheses), pairwise(index), strict=True)):
        check_length(i, h, sum(reference_lengths[start:stop]), TABLE)
    budgets = vector("budgets", budgets, np.float64)
    n_hypotheses = len(hypotheses.starts)
    if len(budgets) != n_hypotheses:
        raise ValueError(f"{n_hypotheses} hypotheses, but {len(budgets)} budgets")
    wrong = ~(budgets >= 0)
    if wrong.any():
        i = int(wrong.argmax())
        raise ValueError(f"the budget of segment {i} is {budgets[i]:g}; expected at least 0")
    return (
        (hypothesis, texts, budget)
        for (hypothesis, texts), budget in zip(texts_of, budgets.tolist(), strict=True)
    )


def _hits_and_runs(hypothesis: list[int], texts: list[list[int]]) -> tuple[list[int], list[_Run]]:
    """For each row, the mask of the columns with its token, then an empty mask; and the runs.

    The columns are the references. After each comes a break, which matches nothing.
    """
    columns = [token for text in texts for token in (*text, -1)]
    hits = [*matches(hypothesis, columns), 0]
    runs = list(islice(_runs(hits), MAX_RUNS + 1))
    n_tokens = len(hypothesis), len(columns) - len(texts)
    check_count(n_tokens, len(runs), MAX_RUNS, "common runs")
    return hits, runs


def _runs(hits: list[int]) -> Iterator[_Run]:
    """Find the runs of two or more tokens that cannot be lengthened."""
    before = 0
    for row, here in enumerate(hits[:-1]):
        for column in positions(here & ~(before << 1) & (hits[row + 1] >> 1)):
            length = 2
            while hits[row + length] >> column + length & 1:
                length += 1
            yield _Run(length, row, column)
        before = here


def _take_longest(hits: list[int], runs: list[_Run], ties: str) -> list[int]:
    """Take the longest run until none is left, then single tokens; return the lengths."""
    sign = -1 if ties == "last" else 1
    heap = [(-length, sign * row, sign * column) for length, row, column in runs]
    heapify(heap)
    used_rows = used_columns = 0
    lengths: list[int] = []
    while heap:
        length, row, column = heappop(heap)
        length, row, column = -length, sign * row, sign * column
        whole = (1 << length) - 1
        used = (used_rows >> row | used_columns >> column) & whole
        if not used:
            lengths.append(length)
            used_rows |= whole << row
            used_columns |= whole << column
        else:
            for start, length in _stretches(whole ^ used):
                if length > 1:
                    heappush(heap, (-length, sign * (row + start), sign * (column + start)))
    # Only single tokens are left. Equal tokens are interchangeable: any order takes as many.
    for row, here in enumerate(hits):
        free = here & ~used_columns
        if free and not used_rows >> row & 1:
            lengths.append(1)
            used_columns |= free & -free
    return lengths


def _stretches(mask: int) -> Iterator[tuple[int, int]]:
    """Start and length of every stretch of ones, from the low end."""
    start = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        mask >>= ones
        yield start + zeros, ones
        start += zeros + ones


def _cut(lengths: Iterable[int], budget: float) -> list[float]:
    """Keep lengths up to a budget; the last one is cut to the rest of it."""
    within: list[float] = []
    for length in lengths:
        if budget <= 0:
            break
        within.append(min(length, budget))
        budget -= length
    return within


def _size(lengths: list[float], exponent: float) -> float:
    scale = _scale(lengths, exponent)
    return scale * math.pow(_total(lengths, exponent, scale), 1 / exponent)


def _scale(lengths: list[float], exponent: float) -> float:
    return lengths[0] if lengths and exponent > _SAFE_EXPONENT else 1.0


def _total(lengths: Iterable[float], exponent: float, scale: float) -> float:
    total = 0.0
    for length in lengths:  # sum() would compensate rounding errors
        total += math.pow(length / scale, exponent)
    return total


def _maximum_size(
    hypothesis: list[int], texts: list[list[int]], budget: float, *, exponent: float, limit: int
) -> float:
    hits, all_runs = _hits_and_runs(hypothesis, texts)
    lengths = _take_longest(hits, all_runs, "last")
    taken = _cut(lengths, budget)
    scale = _scale(taken, exponent)
    best = _total(taken, exponent, scale)
    room = min(sum(lengths), budget)

    cases = [all_runs]
    n_cases = n_runs = 0
    while cases:
        n_cases += 1
        n_runs += len(cases[-1])
        if n_cases > limit or n_runs > MAX_RUNS_OF_CASES:
            return math.nan
        runs = sorted(cases.pop(), reverse=True)
        rows, shared_rows = _cover((row, length) for length, row, _ in runs)
        columns, shared_columns = _cover((column, length) for length, _, column in runs)
        bound = min(_bound(lengths, room, exponent, scale) for lengths in (rows, columns))
        if bound <= best * (1 + _NEGLIGIBLE):
            continue
        if branches := _branch(runs, shared_rows, shared_columns):
            cases += branches
        else:
            taken = _cut(chain((run.length for run in runs), repeat(1)), room)
            best = max(best, _total(taken, exponent, scale))
    return scale * math.pow(best, 1 / exponent)


def _branch(runs: list[_Run], shared_rows: set[int], shared_columns: set[int]) -> list[list[_Run]]:
    """Make two cases of one, for the first run with a shared place; none if there is no such run.

    Of several shared places, the one nearest to the middle of the run decides.
    """
    for run in runs:
        shared = [
            i
            for i in range(run.length)
            if run.row + i in shared_rows or run.column + i in shared_columns
        ]
        if shared:
            middle = min(shared, key=lambda i: abs(2 * i + 1 - run.length))
            row, column = run.row + middle, run.column + middle
            others = [other for other in runs if other is not run]
            return [[*others, *_without(run, row)], [run, *_clear(others, row, column)]]
    return []


def _cover(stretches: Iterable[tuple[int, int]]) -> tuple[list[int], set[int]]:
    """Length of the first stretch over each position, and the positions under several."""
    first: dict[int, int] = {}
    shared: set[int] = set()
    for start, length in stretches:
        positions = range(start, start + length)
        shared.update(first.keys() & positions)
        for position in positions:
            first.setdefault(position, length)
    return list(first.values()), shared


def _bound(lengths: Iterable[int], room: float, exponent: float, scale: float) -> float:
    """Bound the total of tokens that are in runs of at most these lengths, longest first."""
    total = 0.0
    left = room
    for length in chain(lengths, repeat(1)):
        if left <= 0:
            break
        longest = min(length, room)
        total += min(left, 1) * (math.pow(longest / scale, exponent) / longest)
        left -= 1
    return total


def _without(run: _Run, row: int) -> Iterator[_Run]:
    """Take a row out of a run; return the rest as runs of two or more tokens."""
    length, start, column = run
    if not start <= row < start + length:
        yield run
        return
    if row - start > 1:
        yield _Run(row - start, start, column)
    if start + length - row > 2:
        yield _Run(start + length - row - 1, row + 1, column + row + 1 - start)


def _clear(runs: Iterable[_Run], row: int, column: int) -> Iterator[_Run]:
    """Take a row and a column out of runs."""
    for run in runs:
        for part in _without(run, row):
            yield from _without(part, part.row + column - part.column)
