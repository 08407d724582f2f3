"""Draws with replacement, against numpy's own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mteval_kernels.table import twin

if TYPE_CHECKING:
    from types import ModuleType

STATE = np.random.PCG64(7).state


@pytest.mark.parametrize("n", [1, 2, 5, 1000, 2_999_999])  # the last draws again 1,400 times
def test_native_and_twin_draw_what_numpy_draws_and_stop_where_it_stops(
    native: ModuleType, n: int
) -> None:
    bits = np.random.PCG64(7)
    drawn = np.random.Generator(bits).choice(n, n)
    plain: Any = twin("draw_counts")
    for draw_counts in (native.draw_counts, plain):
        counts, state = draw_counts(STATE, n, 1)
        assert np.array_equal(counts, [np.bincount(drawn, minlength=n)])
        assert state == bits.state


def test_draws_in_steps_are_those_of_one_call(kernel: Any) -> None:
    whole, last = kernel.draw_counts(STATE, 101, 5)
    state, parts = STATE, []
    for count in (0, 1, 3, 1):
        counts, state = kernel.draw_counts(state, 101, count)
        parts.append(counts)
    assert np.array_equal(np.concatenate(parts), whole)
    assert state == last != STATE


def test_threads_draw_what_one_thread_draws(native: ModuleType) -> None:
    expected, _ = native.draw_counts(STATE, 101, 50)
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(native.draw_counts, STATE, 101, 50) for _ in range(8)]
    assert all(np.array_equal(run.result()[0], expected) for run in runs)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((STATE, 0, 1), "n is 0; expected at least 1"),
        ((STATE, 2**32, 1), "n is 4294967296; expected at most 4294967295"),
        ((STATE, 5, -1), "count is -1; expected at least 0"),
        ((np.random.MT19937(1).state, 5, 1), "PCG64"),
    ],
)
def test_odd_arguments_are_refused(kernel: Any, arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kernel.draw_counts(*arguments)
