"""Readers of the values of arguments: numbers in a range."""

from __future__ import annotations

from argparse import ArgumentTypeError
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["number_between", "p_value_below", "points"]


def number_between(low: float, high: float, what: str) -> Callable[[str], float]:
    """Make a reader of numbers between two others, which are excluded."""

    def read(text: str) -> float:
        with suppress(ValueError):
            if text.isascii() and "_" not in text and low < float(text) < high:
                return float(text)
        message = f"expected {what}, got {text!r}"
        raise ArgumentTypeError(message)

    return read


def p_value_below(high: float) -> Callable[[str], float]:
    """Make a reader of p-values up to a largest one, which is excluded."""
    return number_between(1e-9, high, f"a p-value from 1e-9 to {high:g}")


points = number_between(1e-9, 1e9, "a difference above 0")
"""Reads a difference of scores."""
