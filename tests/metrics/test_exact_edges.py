"""Exact sums at their limits, against fractions and whole numbers of Python."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mteval_core.errors import PluginError
from mteval_core.evaluation.resampling import swaps
from mteval_core.metrics.exact import (
    ROWS_AT_ONCE,
    ExactSum,
    Swaps,
    Weighable,
    WeightedSum,
    exact_total,
    exact_totals,
)

numbers = st.floats(-(2.0**50), 2.0**50)
columns = st.lists(st.tuples(numbers, numbers), max_size=6)
UNIT = Fraction(1, 2**40)


def summed(rows: Any, weights: Any, *, cut: bool = False) -> WeightedSum:
    (total,) = Weighable.of([rows], cut=cut).sums(weights)
    return total


def table(rows: Any) -> Any:
    return np.array(rows, np.float64).reshape(-1, 2)


@settings(max_examples=8)
@given(columns, columns, columns)
def test_sums_are_a_commutative_monoid(a: Any, b: Any, c: Any) -> None:
    left, right = ExactSum.of(table(a)), ExactSum.of(table(c))
    left.merge(ExactSum.of(table(b)))
    left.merge(ExactSum.of(table(c)))
    right.merge(ExactSum.of(table(b)))
    right.merge(ExactSum())
    right.merge(ExactSum.of(table(a)))
    everything = [*a, *b, *c]
    assert left.n == right.n == len(everything)
    if everything:
        assert left == right
        rounded = [float(sum(map(Fraction, column))) for column in zip(*everything, strict=True)]
        assert left.total().tolist() == rounded
        assert exact_total(table(everything)).tolist() == rounded


def test_sums_of_no_rows() -> None:
    empty, none = ExactSum(), ExactSum.of(np.zeros((0, 3)))
    assert (empty.units, none.units, none.n) == ((), (0, 0, 0), 0)
    empty.merge(none)
    empty.add(np.array([[1.0, 2.0]]))  # no rows have no number of columns either
    assert empty.total().tolist() == [1, 2]
    empty.merge(none)
    assert (empty.n, empty.total().tolist()) == (1, [1, 2])
    assert exact_totals(np.zeros((0, 2)), np.zeros(0, np.int64)).shape == (0, 2)
    assert summed(np.zeros((0, 2)), np.ones((3, 0))).total().tolist() == [[0, 0]] * 3
    assert empty != (empty.units, empty.n)
    assert repr(empty) == "<ExactSum of 1 rows: [1.0, 2.0]>"
    with pytest.raises(TypeError, match="unhashable"):
        hash(empty)


def test_a_refused_merge_changes_nothing() -> None:
    total = ExactSum.of(np.array([[0.1, 0.2]]))
    before = ExactSum(total.units, total.n)
    for other in (np.ones((1, 1)), np.ones((2, 3))):
        with pytest.raises(PluginError, match=f"rows of {other.shape[1]} columns"):
            total.merge(ExactSum.of(other))
        assert total == before


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_2_53_is_the_largest_sum_of_either_sign(sign: float) -> None:
    largest = sign * 2.0**53
    rows = np.array([[largest - sign, 0.0], [sign, 1.0]])
    assert exact_total(rows).tolist() == [largest, 1]
    assert exact_totals(rows, np.array([2])).tolist() == [[largest, 1]]
    more = np.vstack([rows, [[2 * sign, 0.0]]])
    message = f"is {largest:g}: above 2.53".replace("+", r"\+")
    with pytest.raises(PluginError, match=message):
        exact_total(more)
    with pytest.raises(PluginError, match=message):
        exact_totals(more, np.array([3]))
    # What cancels within one sum has lost nothing.
    back = np.vstack([more, [[-2 * sign, 0.0]]])
    assert exact_total(back).tolist() == [largest, 1]


@settings(max_examples=8)
@given(
    st.lists(st.lists(st.tuples(numbers, st.integers(-9, 9)), min_size=1, max_size=4), min_size=1)
)
def test_groups_are_rounded_once(groups: Any) -> None:
    rows = table([row for group in groups for row in group])
    expected = [
        [float(sum(map(Fraction, column))) for column in zip(*group, strict=True)]
        for group in groups
    ]
    assert exact_totals(rows, np.array(list(map(len, groups)))).tolist() == expected


# Weights

small = st.lists(
    st.tuples(st.floats(-100, 100).map(lambda x: round(x, 6)), st.integers(-50, 50)), min_size=1
)


def weighed(rows: Any, weights: Any) -> list[list[float]]:
    """The definition: multiples of 2^-40, times whole weights, added up and rounded once."""
    parts = [[round(Fraction(x) / UNIT) * UNIT for x in column] for column in rows.T.tolist()]
    return [
        [float(sum(int(w) * x for w, x in zip(own, column, strict=True))) for column in parts]
        for own in weights.tolist()
    ]


@settings(max_examples=8)
@given(small, st.integers(0, 99))
def test_chunks_and_parts_are_joined_without_loss(rows: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole, weights = table(rows), rng.integers(0, 4, (5, len(rows))).astype(float)
    expected = weighed(whole, weights)
    chunks = [slice(0, 2), slice(2, 3), slice(3, 5)]
    joined = WeightedSum.joined([summed(whole, weights[chunk], cut=True) for chunk in chunks])
    assert joined.total().tolist() == expected
    parts = [
        summed(whole[[i]], weights[:, [i]], cut=True) for i in rng.permutation(len(rows)).tolist()
    ]
    total = parts[0]
    for part in parts[1:]:
        total = part.plus(total)
    assert total.total().tolist() == expected


@settings(max_examples=8)
@given(small, st.integers(1, 3))
def test_rows_of_several_systems_are_weighed_alike(rows: Any, n_systems: int) -> None:
    systems = [table(rows) * (k + 1) for k in range(n_systems)]
    weights = np.arange(2.0 * len(rows)).reshape(2, -1) % 5  # twice per segment on average
    sums = Weighable.of(systems).sums(weights)
    assert [each.total().tolist() for each in sums] == [weighed(each, weights) for each in systems]


def test_columns_that_follow_from_others_have_the_sums_of_all_columns() -> None:
    rng = np.random.default_rng(7)
    lengths = rng.integers(0, 60, 500)
    references, matched = rng.integers(0, 60, (2, 500))
    words = [np.maximum(lengths - n, 0) for n in range(4)]
    unlike = np.where(np.arange(500) % 250 == 3, -2048, lengths)  # float32 may round what is left
    ones, unusual = np.ones(500), np.where(np.arange(500) < 40, lengths, 2 * lengths)
    columns = [references, matched, *words, -lengths, ones, 3 * ones, unlike, unusual]
    rows = np.stack(columns, axis=1).astype(float)
    weighable = Weighable.of([rows, np.roll(rows, 1, axis=1)])
    assert weighable.small.full.shape[1] == 1 + 6
    assert weighable.small.off.tolist() == np.flatnonzero(lengths < 3).tolist()
    weights = [rng.integers(0, 5, (3, 500), np.uint8), rng.integers(0, 9, (2, 500)) * 1.0]
    (swapped,) = swaps(500, 40, seed=1)
    for each in (*weights, swapped):
        counts = np.concatenate([*each.masks()]) if isinstance(each, Swaps) else each
        one, rolled = weighable.sums(each)
        assert one.total().tolist() == weighed(rows, counts)
        assert rolled.total().tolist() == np.roll(one.total(), 1, axis=1).tolist()


@pytest.mark.slow
def test_blocks_of_units_of_any_weights_are_added() -> None:
    rng = np.random.default_rng(6)
    rows = rng.integers(0, 2050, (2 * ROWS_AT_ONCE + 1, 60)).astype(float)
    weights = rng.integers(0, 256, (2, len(rows)), np.uint8)
    expected = weighed(rows, weights)
    assert summed(rows, weights).total().tolist() == expected
    assert summed(rows, weights.astype(float)).total().tolist() == expected


@pytest.mark.parametrize("number", [0.1, -1 / 3, 1e-6, math.pi])
def test_the_given_rows_are_not_changed(number: float) -> None:
    rows = np.array([[number, 1.0], [2.0, 3.0]])
    before = rows.copy()
    weighable = Weighable.of([rows], cut=True)
    assert rows.tolist() == before.tolist()
    assert weighable.sets[0].fractions.tolist() == [0]
    assert weighable.small.full[:, 1:].tolist() == [[1], [3]]
    coarse, fine = weighable.others[0].tolist()
    assert coarse * 2**14 % 1 == 0
    assert abs(fine) <= 2.0**-15
    assert coarse + fine == pytest.approx(number, abs=2.0**-41)


def test_the_heaviest_weights_are_exact_and_the_next_are_refused() -> None:
    rows = np.array([[2.0**50 - 1], [1.0]])
    assert Weighable.of([rows]).sets[0].heaviest == pytest.approx(8)
    allowed = np.array([[4.0, 4.0]])
    assert summed(rows, allowed).total().tolist() == [[4 * (2.0**50 - 1) + 4]]
    with pytest.raises(PluginError) as caught:
        summed(rows, np.array([[0.0, 1.0], [8.0, 1.0]]))
    assert str(caught.value) == (
        f"rows with numbers up to {2.0**50:g} cannot be added exactly 9 times: make the statistics "
        f"smaller, or score fewer segments"
    )
    with pytest.raises(PluginError, match="as small as 1e-20 cannot be resampled"):
        Weighable.of([np.array([[1e-20, 0.0], [0.0, 5.0]])])
    kept = np.array([[1e-20], [1.0]])  # next to 1, it is less than a millionth
    assert summed(kept, np.ones((1, 2))).total().tolist() == [[1]]
