"""Exact sums of columns, against fractions."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mteval_kernels.table import twin

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    Rows = NDArray[np.float64]

DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
EXTREMES = st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.0, 2.0**-40])
SHAPES = st.tuples(st.integers(0, 12), st.integers(1, 3))


@given(rows=arrays(np.float64, SHAPES, elements=DOUBLES | EXTREMES))
def test_native_and_twin_are_the_sum_in_fractions(native: ModuleType, rows: Rows) -> None:
    sums = [sum(map(Fraction, column)) * 2**1074 for column in rows.T.tolist()]
    exact_sums: Any = twin("exact_sums")
    assert native.exact_sums(rows) == exact_sums(rows) == sums


def test_carries_of_many_rows(native: ModuleType) -> None:
    rows = np.resize([1.7976931348623157e308, -1e300, 0.1, 3.0, -5e-324, 2.0**52 + 1], (5000, 6))
    exact_sums: Any = twin("exact_sums")
    assert native.exact_sums(rows) == exact_sums(rows)
    assert native.exact_sums(rows[:, ::2]) == exact_sums(rows)[::2]


def test_threads_add_what_one_thread_adds(native: ModuleType) -> None:
    rows = np.random.default_rng(1).random((5000, 4))
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(native.exact_sums, [rows] * 8))
    assert sums == [native.exact_sums(rows)] * 8


@pytest.mark.parametrize("rows", [np.zeros(3), np.array([[math.nan]]), np.array([[math.inf]])])
def test_odd_rows_are_refused(kernel: Any, rows: Rows) -> None:
    with pytest.raises(ValueError, match=r"^rows: expected (two dimensions|finite)"):
        kernel.exact_sums(rows)
