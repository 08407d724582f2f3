"""The kernels of run matching: both implementations against each other and the obvious way."""

from __future__ import annotations

from itertools import groupby, product
from math import ceil, inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mteval_core.testing.layouts import layout
from mteval_core.testing.strategies import LENGTHS, id_corpora

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType, SimpleNamespace

    from mteval_core import References, Tokens

EXPONENTS = [1.0, 1.2, 1.5, 2.0, 3.0, 32.0, 33.0, 1000.0]


def one(kernel: Any, function: str, hypothesis: Any, references: Any, *arguments: Any) -> float:
    """Size of one segment's matching; the second argument is its budget."""
    exponent, budget, *rest = arguments
    corpus = layout([hypothesis], [references])
    (size,) = getattr(kernel, function)(*corpus, exponent, np.array([budget]), *rest)
    return float(size)


def one_segment(lengths: Sequence[int], max_references: int = 4) -> st.SearchStrategy[Any]:
    """Draw the hypothesis and references of a segment."""
    corpora = id_corpora(lengths, 1, max_references).filter(lambda corpus: bool(corpus[0]))
    return corpora.map(lambda corpus: (corpus[0][0], corpus[1][0]))


budgets = st.one_of(st.just(inf), st.integers(0, 12), st.floats(0, 12))


def joined(references: Sequence[Sequence[int]]) -> list[int]:
    return [token for text in references for token in (*text, -1)]


def by_the_program(
    hypothesis: Sequence[int],
    references: Sequence[Sequence[int]],
    exponent: float,
    budget: float,
    ties: str,
) -> float:
    """Go through all runs, including those inside longer ones, as GTM 1.4 does."""
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


def largest(
    hypothesis: Sequence[int],
    references: Sequence[Sequence[int]],
    exponent: float,
    budget: float,
) -> float:
    """Try all matchings."""
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
    hypothesis, references = segment
    found = one(kernel, "run_matching", hypothesis, references, exponent, budget, ties)
    expected = by_the_program(hypothesis, references, exponent, budget, ties)
    assert found == pytest.approx(expected, rel=1e-12)


@settings(deadline=None)
@given(
    segment=one_segment([0, 1, 2, 3, 4, 5], 2),
    exponent=st.sampled_from(EXPONENTS[:5]),
    budget=budgets,
)
def test_the_largest_of_all_matchings(
    kernel: Any, segment: Any, exponent: float, budget: float
) -> None:
    hypothesis, references = segment
    arguments = (hypothesis, references, exponent, budget)
    found = one(kernel, "maximum_run_matching", *arguments, 100_000)
    assert found == pytest.approx(largest(*arguments), rel=1e-11)


@settings(deadline=None)
@given(texts=id_corpora(), exponent=st.sampled_from(EXPONENTS), data=st.data())
def test_native_is_python_to_the_last_bit(
    native: ModuleType, twins: SimpleNamespace, texts: Any, exponent: float, data: st.DataObject
) -> None:
    corpus = layout(*texts)
    limits = st.lists(budgets, min_size=len(corpus[0]), max_size=len(corpus[0]))
    budget = np.array(data.draw(limits), dtype=np.float64)
    for ties in ("first", "last"):
        arguments = (*corpus, exponent, budget, ties)
        expected = twins.run_matching(*arguments)
        assert np.array_equal(native.run_matching(*arguments), expected)
    for limit in (1, 3, 20):
        expected = twins.maximum_run_matching(*corpus, exponent, budget, limit)
        found = native.maximum_run_matching(*corpus, exponent, budget, limit)
        assert np.array_equal(found, expected, equal_nan=True)


class TestByHand:
    def test_runs_of_4_2_and_1(self, kernel: Any) -> None:
        for function, rest in (("run_matching", ()), ("maximum_run_matching", (10,))):
            segment = ([0, 1, 2, 3, 9, 4, 5, 8, 6], [[6, 4, 5, 0, 1, 2, 3]])
            assert one(kernel, function, *segment, 1, inf, *rest) == 7
            assert one(kernel, function, *segment, 2, inf, *rest) == 21**0.5

    def test_runs_over_the_edges_of_words(self, kernel: Any) -> None:
        for length in LENGTHS[1:]:
            text = list(range(length))
            assert one(kernel, "run_matching", text, [text], 2, inf) == length
            shifted = [[*range(1000, 1060), *text]]
            assert one(kernel, "run_matching", text, shifted, 2, inf) == length

    def test_no_run_crosses_from_one_reference_into_the_next(self, kernel: Any) -> None:
        for length in (31, 63, 64):
            text = list(range(2 * length))
            halves = [text[:length], text[length:]]
            found = one(kernel, "run_matching", text, halves, 2, inf)
            assert found == pytest.approx((2 * length**2) ** 0.5)

    def test_one_token_repeated(self, kernel: Any) -> None:
        for n, m in ((7, 2), (40, 40), (64, 200), (300, 300)):
            found = one(kernel, "run_matching", [3] * n, [[3] * m], 2, inf)
            assert found == min(n, m)

    def test_budgets(self, kernel: Any) -> None:
        text = [0, 1, 2, 9, 3, 4]
        references = [[0, 1, 2, 8, 3, 4]]
        for function, rest in (("run_matching", ()), ("maximum_run_matching", (10,))):
            for budget, squares in ((0, 0), (0.5, 0.25), (3, 9), (4.5, 11.25), (5, 13), (9, 13)):
                found = one(kernel, function, text, references, 2, budget, *rest)
                assert found == pytest.approx(squares**0.5)

    def test_large_exponents_do_not_overflow(self, kernel: Any) -> None:
        text = [0, 1, 2, 3, 4, 9, 5]
        for function, rest in (("run_matching", ()), ("maximum_run_matching", (10,))):
            for exponent in (33, 1000, 1e300):
                found = one(kernel, function, text, [text[::-1], text[:5]], exponent, inf, *rest)
                assert found == 5
                assert one(kernel, function, text, [text], exponent, 0.2, *rest) == 0.2

    def test_a_negative_id_matches_nothing(self, kernel: Any) -> None:
        for function, rest in (("run_matching", ()), ("maximum_run_matching", (10,))):
            assert one(kernel, function, [-1, -2, -1], [[-1, -2, -1]], 2, inf, *rest) == 0
            assert one(kernel, function, [-1, 5, -1], [[-1, 5, -1]], 2, inf, *rest) == 1

    def test_the_limit_gives_nan(self, kernel: Any) -> None:
        segment = ([0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0], [[1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1]])
        assert np.isnan(one(kernel, "maximum_run_matching", *segment, 2, inf, 1))
        assert one(kernel, "maximum_run_matching", *segment, 2, inf, 10_000) > 0


class TestErrors:
    def corpus(self) -> tuple[Tokens, References]:
        return layout([[0, 1], [2]], [[[0]], [[1], [2]]])

    @pytest.mark.parametrize("function", ["run_matching", "maximum_run_matching"])
    def test_arguments_of_both(self, kernel: Any, function: str) -> None:
        rest = (10,) if function == "maximum_run_matching" else ()
        call = getattr(kernel, function)
        for exponent, seen in ((0.5, "0.5"), (-1, "-1"), (inf, "inf"), (nan, "nan")):
            with pytest.raises(ValueError, match=f"exponent is {seen}; expected a finite number"):
                call(*self.corpus(), exponent, np.ones(2), *rest)
        for budget, message in (
            (np.ones(3), "2 hypotheses, but 3 budgets"),
            (np.array([1, -1.5]), r"the budget of segment 1 is -1\.5; expected at least 0"),
            (np.array([nan, 1]), "the budget of segment 0 is nan; expected at least 0"),
        ):
            with pytest.raises(ValueError, match=message):
                call(*self.corpus(), 2, budget, *rest)
        hypotheses, references = self.corpus()
        with pytest.raises(ValueError, match="1 hypotheses, but references for 2 segments"):
            call(hypotheses.slice(0, 1), references, 2, np.ones(1), *rest)

    def test_ties(self, kernel: Any) -> None:
        with pytest.raises(ValueError, match="ties is 'middle'; expected 'first' or 'last'"):
            kernel.run_matching(*self.corpus(), 2, np.ones(2), "middle")

    def test_limit(self, kernel: Any) -> None:
        with pytest.raises(ValueError, match="limit is 0; expected at least 1"):
            kernel.maximum_run_matching(*self.corpus(), 2, np.ones(2), 0)
