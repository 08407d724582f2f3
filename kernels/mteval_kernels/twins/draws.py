"""Draws with replacement, from the stream of random numbers that numpy draws from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from mteval_kernels.twins.arguments import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    State = Mapping[str, Any]

__all__ = ["draw_counts"]

MOST_UNITS = 2**32 - 1


def draw_counts(state: State, n: int, count: int) -> tuple[NDArray[np.uint8], State]:
    """Draw n of n units with replacement, several times, and count how often each is drawn.

    Parameters
    ----------
    state : mapping
        The property ``state`` of a ``numpy.random.PCG64``.
    n : int
        Number of units, from 1 to 2^32 - 1.
    count : int
        How many times to draw n units, from 0.

    Returns
    -------
    counts : ndarray of uint8, shape (count, n)
        What ``Generator.integers(0, n, (count, n))`` draws, counted.
    state : mapping
        The state afterwards.

    Raises
    ------
    TypeError
        If an argument is not of its type.
    ValueError
        If the state is that of another generator, or `n` or `count` are out of range.
    OverflowError
        If a unit is drawn more than 255 times, which is possible in theory.

    References
    ----------
    O'Neill 2014, "PCG: a family of simple fast space-efficient statistically good algorithms for
    random number generation".
    Lemire 2019, "Fast random integer generation in an interval".
    """
    n, count = whole_number("n", n, 1), whole_number("count", count, 0)
    if n > MOST_UNITS:
        raise ValueError(f"n is {n}; expected at most {MOST_UNITS}")
    bits = np.random.PCG64(0)
    bits.state = cast("Any", state)
    drawn = np.random.Generator(bits).integers(0, n, (count, n))
    drawn += np.arange(count)[:, None] * n
    counts = np.bincount(drawn.ravel(), minlength=count * n).reshape(count, n)
    if counts.max(initial=0) > np.iinfo(np.uint8).max:
        raise OverflowError("a unit was drawn more than 255 times")
    return counts.astype(np.uint8), cast("State", bits.state)
