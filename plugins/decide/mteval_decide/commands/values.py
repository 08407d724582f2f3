"""Readers of the values of arguments: numbers in a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import Arguments

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["p_value_below", "points"]


def p_value_below(high: float) -> Callable[[str], float]:
    """Make a reader of p-values up to a largest one, which is excluded."""
    return Arguments.number_between(1e-9, high, f"a p-value from 1e-9 to {high:g}")


points = Arguments.number_between(1e-9, 1e9, "a difference above 0")
"""Reads a difference of scores."""
