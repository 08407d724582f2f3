"""Sums of floating-point numbers without rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import array

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["exact_sums"]

UNITS = 1074
"""Sums are whole numbers of units of 2^-1074, the smallest number above 0."""


def exact_sums(rows: NDArray[np.float64]) -> list[int]:
    """Add up the columns of rows exactly.

    Parameters
    ----------
    rows : ndarray of float64, shape (n, k)
        Finite numbers.

    Returns
    -------
    list of int
        The sum of each column, multiplied by 2^1074. Such sums of parts add up to that of the
        whole.

    Raises
    ------
    TypeError
        If the numbers have more digits than a float64.
    ValueError
        If there are not two dimensions, or a number is not finite.

    References
    ----------
    Neal 2015, "Fast exact summation using small and large superaccumulators", for the extension.

    Examples
    --------
    >>> units = exact_sums(np.array([[0.1], [0.2], [-0.1]]))
    >>> [each / 2**1074 for each in units]
    [0.2]
    """
    numbers = array("rows", rows, np.float64)
    if numbers.ndim != 2:
        raise ValueError(f"rows: expected two dimensions, got {numbers.ndim}")
    if not np.isfinite(numbers).all():
        raise ValueError("rows: expected finite numbers")
    return [sum(map(units, column)) for column in numbers.T.tolist()]


def units(number: float) -> int:
    """Convert a number to units: its denominator is a power of two."""
    numerator, denominator = number.as_integer_ratio()
    return numerator << (UNITS + 1 - denominator.bit_length())
