"""Readers of the values of arguments: numbers in a range, and lists of them."""

from __future__ import annotations

from argparse import ArgumentTypeError
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def whole_number(
    minimum: int = 0, maximum: int | None = None, what: str = "whole number"
) -> Callable[[str], int]:
    """Make a reader of whole numbers in a range, both ends included.

    Parameters
    ----------
    minimum, maximum : int
        The range; without a maximum it is open.
    what : str
        What the number is, for the message.

    Returns
    -------
    callable
        It raises what ``argparse`` turns into an error of usage.

    Examples
    --------
    >>> whole_number(1, 9)("7")
    7
    """
    limits = f"{minimum} or more" if maximum is None else f"from {minimum} to {maximum}"

    def read(text: str) -> int:
        from mteval_core.plugin.options import read_number

        with suppress(ValueError):
            number = read_number(text, int)
            if minimum <= number and (maximum is None or number <= maximum):
                return number
        message = f"expected a {what}, {limits}, got {text!r}"
        raise ArgumentTypeError(message)

    return read


def number_between(low: float, high: float, what: str) -> Callable[[str], float]:
    """Make a reader of numbers between two others, which are excluded."""

    def read(text: str) -> float:
        from mteval_core.plugin.options import read_number

        with suppress(ValueError):
            number = read_number(text, float)
            if low < number < high:
                return number
        message = f"expected {what}, got {text!r}"
        raise ArgumentTypeError(message)

    return read


percentage = number_between(0, 100, "a number of percent between 0 and 100")
"""Reads a confidence level."""

points = number_between(1e-9, 1e9, "a difference above 0")
"""Reads a difference of scores."""


def resamples(text: str) -> int:
    """Read a number of resamples or trials."""
    from mteval_core.evaluation.p_values import MOST_TRIALS

    return whole_number(1, MOST_TRIALS)(text)
