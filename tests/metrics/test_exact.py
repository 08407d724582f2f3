"""Exact sums, against `math.fsum` and fractions."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mteval_core.errors import PluginError
from mteval_core.metrics.exact import (
    ExactSum,
    Weighable,
    WeightedSum,
    exact_total,
    exact_totals,
)
from mteval_core.metrics.sums import weighted_totals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.metrics.exact import Weights

    Rows = NDArray[np.float64]

DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
EXTREMES = st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.0, 2.0**-40])
SMALL = st.floats(-1e6, 1e6)


def tables(numbers: st.SearchStrategy[float], *, least: int = 0) -> st.SearchStrategy[Rows]:
    shapes = st.tuples(st.integers(least, 12), st.integers(1, 3))
    return arrays(np.float64, shapes, elements=numbers)


def fsums(rows: Rows) -> list[float]:
    return [math.fsum(column) for column in rows.T.tolist()]


def summed(rows: Rows, weights: Weights, *, cut: bool = False) -> WeightedSum:
    (total,) = Weighable.of([rows], cut=cut).sums(weights)
    return total


def weighted(rows: Rows, weights: Rows) -> Rows:
    """Totals of rows that are rounded to multiples of 2^-40, in fractions."""
    unit = Fraction(1, 2**40)
    parts = [[round(Fraction(x) / unit) * unit for x in row] for row in rows.tolist()]
    sums = [
        [sum(int(w) * part[column] for w, part in zip(each, parts, strict=True))]
        for each in weights.tolist()
        for column in range(rows.shape[1])
    ]
    return np.array(sums, np.float64).reshape(len(weights), -1)


@given(rows=tables(SMALL, least=1), data=st.data())
def test_sums_do_not_depend_on_order_or_parts(rows: Rows, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(rows))))
    cut = data.draw(st.integers(0, len(rows)))
    first, second = ExactSum.of(rows[order][:cut]), ExactSum()
    for i in order[cut:]:
        second.add(rows[[i]])
    merged = pickle.loads(pickle.dumps(second))
    merged.merge(first)
    assert merged == ExactSum.of(rows)
    assert merged.total().tolist() == exact_total(rows).tolist() == fsums(rows)


def test_totals_of_groups_are_correctly_rounded() -> None:
    rows = np.column_stack([np.arange(60.0), np.resize([0.1, 1e9, -1e9, 0.7, 1e-9], 60)])
    sizes = np.array([1, 40, 19])
    groups = np.split(rows, np.cumsum(sizes)[:-1])
    assert exact_totals(rows, sizes).tolist() == [fsums(group) for group in groups]


@given(rows=tables(SMALL.map(lambda x: round(x, 3)), least=1), data=st.data())
def test_weighted_sums_are_exact(rows: Rows, data: st.DataObject) -> None:
    counts = st.integers(0, 5).map(float)
    weights = data.draw(arrays(np.float64, (2, len(rows)), elements=counts))
    expected = weighted(rows, weights)
    for cut in (False, True):
        assert summed(rows, weights, cut=cut).total().tolist() == expected.tolist()
    halves = [summed(rows[half], weights[:, half], cut=True) for half in HALVES]
    assert halves[0].plus(halves[1]).total().tolist() == expected.tolist()


HALVES = (slice(0, 1), slice(1, None))


def test_many_fractions_are_cut_so_that_nothing_is_lost() -> None:
    rows = np.random.default_rng(3).random((5000, 2)) + np.array([0, 1000])
    weights = np.random.default_rng(4).integers(0, 3, (1, len(rows))).astype(float)
    assert summed(rows, weights).total().tolist() == weighted(rows, weights).tolist()
    order = np.random.default_rng(5).permutation(len(rows))
    (shuffled,) = weighted_totals(lambda: [weights[:, order]], {"a": rows[order]})
    assert shuffled["a"].tolist() == weighted(rows, weights).tolist()


@pytest.mark.parametrize(
    ("largest", "message"),
    [(2.0**53, "above 2\\^53"), (1e99, "above 2\\^53")],
)
def test_sums_above_2_53_are_refused(largest: float, message: str) -> None:
    rows = np.array([[largest], [largest]])
    with pytest.raises(PluginError, match=message):
        exact_total(rows)
    with pytest.raises(PluginError, match=message):
        exact_totals(rows, np.array([2]))
    with pytest.raises(PluginError, match="cannot be added exactly 2 times"):
        summed(rows, np.ones((1, 2)))


@pytest.mark.parametrize("largest", [2.0**53, 2.0**39])
def test_merged_sums_that_are_too_large_are_refused(largest: float) -> None:
    one = np.ones((1, 1))
    first = summed(np.array([[largest]]), one, cut=True)
    assert first.total().tolist() == [[largest]]
    with pytest.raises(PluginError, match="are not exact: make the statistics smaller"):
        first.plus(summed(np.array([[1.0]]), one, cut=True)).plus(
            summed(np.array([[0.1]]), one, cut=True)
        )


def test_rows_of_other_widths_are_refused() -> None:
    total = ExactSum.of(np.ones((1, 2)))
    with pytest.raises(PluginError, match="rows of 3 columns cannot be added to rows of 2"):
        total.add(np.ones((1, 3)))


def test_numbers_that_rounding_would_change_are_refused() -> None:
    with pytest.raises(PluginError, match="as small as 1e-13 cannot be resampled"):
        Weighable.of([np.array([[1e-13], [2e-13]])])
