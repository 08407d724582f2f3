"""The kernels of run matching: both implementations against each other and the obvious way."""

from __future__ import annotations

from functools import partial
from itertools import groupby, product
from math import ceil, inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import LENGTHS, id_corpora, layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType, SimpleNamespace

    from corpora import Hypotheses, References

    Segment = tuple[Sequence[int], Sequence[Sequence[int]]]

EXPONENTS = [1.0, 1.2, 1.5, 2.0, 3.0, 32.0, 33.0, 1000.0]


def one(call: Any, segment: Any, exponent: float, budget: float = inf, **options: Any) -> float:
    """Size of one segment's matching."""
    hypothesis, references = segment
    sizes = call(*layout([hypothesis], [references]), exponent, np.array([budget]), **options)
    return float(sizes.item())


def one_segment(lengths: Sequence[int], max_references: int = 4) -> st.SearchStrategy[Any]:
    """Draw the hypothesis and references of a segment."""
    corpora = id_corpora(lengths, 1, max_references).filter(lambda corpus: bool(corpus[0]))
    return corpora.map(lambda corpus: (corpus[0][0], corpus[1][0]))


budgets = st.one_of(st.just(inf), st.integers(0, 12), st.floats(0, 12))


def joined(references: Sequence[Sequence[int]]) -> list[int]:
    return [token for text in references for token in (*text, -1)]


def by_the_program(segment: Segment, exponent: float, budget: float, ties: str) -> float:
    """Go through all runs, including those inside longer ones."""
    hypothesis, references = segment
    columns = joined(references)
    runs = []
    for i, j in product(range(len(hypothesis)), range(len(columns))):
        length = 0
        while i + length < len(hypothesis) and hypothesis[i + length] == columns[j + length] >= 0:
            length += 1
            point = i * len(columns) + j
            runs.append((-length, -point if ties == "last" else point, i, j))
    used_rows: set[int] = set()
    used_columns: set[int] = set()
    total = 0.0
    for negative_length, _, i, j in sorted(runs):
        if budget <= 0:
            break
        taken = min(-negative_length, budget)
        cells = range(ceil(taken))
        if any(i + k in used_rows or j + k in used_columns for k in cells):
            continue
        used_rows.update(i + k for k in cells)
        used_columns.update(j + k for k in cells)
        total += taken**exponent
        budget -= taken
    return float(total ** (1 / exponent))


def matchings(hypothesis: Sequence[int], columns: Sequence[int]) -> Iterator[list[int]]:
    """Every way to give each row a column of its own, or -1."""
    if not hypothesis:
        yield []
        return
    for chosen in matchings(hypothesis[:-1], columns):
        yield [*chosen, -1]
        for j, token in enumerate(columns):
            if token == hypothesis[-1] >= 0 and j not in chosen:
                yield [*chosen, j]


def largest(segment: Segment, exponent: float, budget: float) -> float:
    """Try all matchings."""
    hypothesis, references = segment
    best = 0.0
    for chosen in matchings(hypothesis, joined(references)):
        pairs = [(i, j) for i, j in enumerate(chosen) if j >= 0]
        # In a run, row and column of the k-th pair are both k more than at its beginning.
        diagonals = [(i - j, i - k) for k, (i, j) in enumerate(pairs)]
        lengths = sorted((len([*run]) for _, run in groupby(diagonals)), reverse=True)
        total, left = 0.0, budget
        for length in lengths:
            total += max(min(length, left), 0) ** exponent
            left -= length
        best = max(best, total)
    return float(best ** (1 / exponent))


@settings(deadline=None)
@given(
    segment=one_segment([0, 1, 2, 3, 5, 8, 13]),
    exponent=st.sampled_from(EXPONENTS[:5]),
    budget=budgets,
    ties=st.sampled_from(["first", "last"]),
)
def test_longest_first_as_the_program(
    kernel: Any, segment: Any, exponent: float, budget: float, ties: str
) -> None:
    size = one(kernel.run_matching, segment, exponent, budget, ties=ties)
    expected = by_the_program(segment, exponent, budget, ties)
    assert size == pytest.approx(expected, rel=1e-12)


@settings(deadline=None)
@given(
    segment=one_segment([0, 1, 2, 3, 4, 5], 2),
    exponent=st.sampled_from(EXPONENTS[:5]),
    budget=budgets,
)
def test_the_largest_of_all_matchings(
    kernel: Any, segment: Any, exponent: float, budget: float
) -> None:
    size = one(kernel.maximum_run_matching, segment, exponent, budget, limit=100_000)
    assert size == pytest.approx(largest(segment, exponent, budget), rel=1e-11)


@settings(deadline=None)
@given(texts=id_corpora(), exponent=st.sampled_from(EXPONENTS), data=st.data())
def test_native_is_python_to_the_last_bit(
    native: ModuleType, twins: SimpleNamespace, texts: Any, exponent: float, data: st.DataObject
) -> None:
    corpus = layout(*texts)
    limits = st.lists(budgets, min_size=len(texts[0]), max_size=len(texts[0]))
    budget = np.array(data.draw(limits), dtype=np.float64)
    for ties in ("first", "last"):
        expected = twins.run_matching(*corpus, exponent, budget, ties=ties)
        sizes = native.run_matching(*corpus, exponent, budget, ties=ties)
        assert np.array_equal(sizes, expected)
    for limit in (1, 3, 20):
        expected = twins.maximum_run_matching(*corpus, exponent, budget, limit=limit)
        sizes = native.maximum_run_matching(*corpus, exponent, budget, limit=limit)
        assert np.array_equal(sizes, expected, equal_nan=True)


def both(kernel: Any) -> tuple[Any, Any]:
    """Both kernels, without options."""
    return kernel.run_matching, partial(kernel.maximum_run_matching, limit=10)


class TestByHand:
    def test_runs_of_4_2_and_1(self, kernel: Any) -> None:
        for call in both(kernel):
            segment = ([0, 1, 2, 3, 9, 4, 5, 8, 6], [[6, 4, 5, 0, 1, 2, 3]])
            assert one(call, segment, 1) == 7
            assert one(call, segment, 2) == 21**0.5

    def test_runs_over_the_edges_of_words(self, kernel: Any) -> None:
        for length in LENGTHS[1:]:
            text = list(range(length))
            assert one(kernel.run_matching, (text, [text]), 2) == length
            shifted = [[*range(1000, 1060), *text]]
            assert one(kernel.run_matching, (text, shifted), 2) == length

    def test_no_run_crosses_from_one_reference_into_the_next(self, kernel: Any) -> None:
        for length in (31, 63, 64):
            text = list(range(2 * length))
            halves = [text[:length], text[length:]]
            size = one(kernel.run_matching, (text, halves), 2)
            assert size == pytest.approx((2 * length**2) ** 0.5)

    def test_one_token_repeated(self, kernel: Any) -> None:
        for n, m in ((7, 2), (40, 40), (64, 200), (300, 300)):
            size = one(kernel.run_matching, ([3] * n, [[3] * m]), 2)
            assert size == min(n, m)

    def test_budgets(self, kernel: Any) -> None:
        text = [0, 1, 2, 9, 3, 4]
        references = [[0, 1, 2, 8, 3, 4]]
        for call in both(kernel):
            for budget, squares in ((0, 0), (0.5, 0.25), (3, 9), (4.5, 11.25), (5, 13), (9, 13)):
                size = one(call, (text, references), 2, budget)
                assert size == pytest.approx(squares**0.5)

    def test_large_exponents_do_not_overflow(self, kernel: Any) -> None:
        text = [0, 1, 2, 3, 4, 9, 5]
        for call in both(kernel):
            for exponent in (33, 1000, 1e300):
                size = one(call, (text, [text[::-1], text[:5]]), exponent)
                assert size == 5
                assert one(call, (text, [text]), exponent, 0.2) == 0.2

    def test_a_negative_id_matches_nothing(self, kernel: Any) -> None:
        for call in both(kernel):
            assert one(call, ([-1, -2, -1], [[-1, -2, -1]]), 2) == 0
            assert one(call, ([-1, 5, -1], [[-1, 5, -1]]), 2) == 1

    def test_the_limit_gives_nan(self, kernel: Any) -> None:
        segment = ([0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0], [[1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1]])
        assert np.isnan(one(kernel.maximum_run_matching, segment, 2, limit=1))
        assert one(kernel.maximum_run_matching, segment, 2, limit=10_000) > 0


class TestErrors:
    def corpus(self) -> tuple[Hypotheses, References]:
        return layout([[0, 1], [2]], [[[0]], [[1], [2]]])

    @pytest.mark.parametrize("which", [0, 1], ids=["run_matching", "maximum_run_matching"])
    def test_arguments_of_both(self, kernel: Any, which: int) -> None:
        call = both(kernel)[which]
        for exponent, seen in ((0.5, "0.5"), (-1, "-1"), (inf, "inf"), (nan, "nan")):
            with pytest.raises(ValueError, match=f"exponent is {seen}; expected a finite number"):
                call(*self.corpus(), exponent, np.ones(2))
        for budget, message in (
            (np.ones(3), "2 hypotheses, but 3 budgets"),
            (np.array([1, -1.5]), r"the budget of segment 1 is -1\.5; expected at least 0"),
            (np.array([nan, 1]), "the budget of segment 0 is nan; expected at least 0"),
        ):
            with pytest.raises(ValueError, match=message):
                call(*self.corpus(), 2, budget)
        hypotheses, references = self.corpus()
        with pytest.raises(ValueError, match="1 hypotheses, but"):
            call(hypotheses.slice(0, 1), references, 2, np.ones(1))

    def test_ties(self, kernel: Any) -> None:
        with pytest.raises(ValueError, match="ties is 'middle'; expected 'first' or 'last'"):
            kernel.run_matching(*self.corpus(), 2, np.ones(2), ties="middle")

    def test_limit(self, kernel: Any) -> None:
        with pytest.raises(ValueError, match="limit is 0; expected at least 1"):
            kernel.maximum_run_matching(*self.corpus(), 2, np.ones(2), limit=0)
