"""Weighted means of the precisions of all orders, and choices, of plain numbers or of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["geometric_mean", "weighted_sum", "where"]


def weighted_sum(values: Sequence[Any], weights: Sequence[Any]) -> Any:
    """Add up weighted values, from the first to the last, and round each sum.

    Python's `sum` rounds the sum of numbers only at the end, from Python 3.12 on. A formula that
    used it would return other bits for one sum of rows than for many.

    Parameters
    ----------
    values, weights : sequence of float, or of ndarray of float64, shape (...)

    Examples
    --------
    >>> weighted_sum([0.1] * 10, [1.0] * 10)
    0.9999999999999999
    """
    total: Any = 0.0
    for value, weight in zip(values, weights, strict=True):
        total = total + weight * value
    return total


def geometric_mean(values: Sequence[Any], weights: Sequence[Any]) -> Any:
    r"""Weighted geometric mean; 0 if a value of positive weight is 0.

    Parameters
    ----------
    values : sequence of float, or of ndarray of float64, shape (...)
        What is averaged, at least 0.
    weights : sequence of float, or of ndarray of float64, shape (...)
        Weights that add up to 1.

    Notes
    -----
    .. math:: \exp \sum_n w_n \log v_n

    Examples
    --------
    >>> float(geometric_mean([0.25, 1.0], [0.5, 0.5]))
    0.5
    """
    zero = [value == 0 for value in values]
    positive = [value + is_zero for value, is_zero in zip(values, zero, strict=True)]
    if values and isinstance(values[0], np.ndarray):
        logarithms = [np.log(value) for value in positive]
    else:
        logarithms = np.log(positive).tolist()  # in one step: a call takes longer than a logarithm
    return where(weighted_sum(zero, weights) > 0, 0.0, np.exp(weighted_sum(logarithms, weights)))


def where(condition: Any, value: Any, otherwise: Any) -> Any:
    """Choose between two values, as `numpy.where` does; of two numbers, return a number.

    Parameters
    ----------
    condition : bool, or ndarray of bool
        Which of the values to choose.
    value, otherwise : float, or ndarray of float64
        What is chosen where the condition holds, and where it does not.
    """
    if isinstance(condition, np.ndarray):
        return np.where(condition, value, otherwise)
    return value if condition else otherwise
