"""Formulas that many metrics share."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mteval_core.text.tokens import References

__all__ = [
    "beside",
    "columns",
    "f_measure",
    "logarithms",
    "mean_reference_lengths",
    "ratio",
    "summed",
    "where",
]


def columns(totals: NDArray[np.float64]) -> list[Any]:
    """Return the columns of sums of rows: as numbers for one sum, as arrays for many.

    A formula that is written with these, `where` and `ratio` computes one sum with Python's
    numbers, many times as fast as with arrays of a single element.

    Parameters
    ----------
    totals : ndarray of float64, shape (..., k)
        Sums of rows.

    Returns
    -------
    list of float, or of ndarray of float64, shape (...)
        k columns.

    Examples
    --------
    >>> hits, total = columns(np.array([3.0, 4.0]))
    >>> beside([ratio(hits, total), where(hits < total, 1.0, 0.0)])
    array([0.75, 1.  ])
    """
    if totals.ndim == 1:
        numbers: list[float] = totals.tolist()
        return numbers
    return list(np.ascontiguousarray(np.moveaxis(totals, -1, 0)))


def beside(values: Sequence[Any]) -> NDArray[np.float64]:
    """Put values side by side, as the last axis: the inverse of `columns`.

    Parameters
    ----------
    values : sequence of float, or of ndarray of float64, shape (...)
        v values.

    Returns
    -------
    ndarray of float64, shape (..., v)
    """
    if values and isinstance(values[0], np.ndarray):
        return np.stack(values, axis=-1)
    return np.array(values, np.float64)


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


def summed(values: Iterable[Any]) -> Any:
    """Add values from the left, and round each sum.

    Python's `sum` rounds the sum of numbers only at the end, from Python 3.12 on. A formula that
    used it would return other bits for one sum of rows than for many.

    Parameters
    ----------
    values : iterable of float, or of ndarray of float64, shape (...)

    Examples
    --------
    >>> summed([0.1] * 10)
    0.9999999999999999
    """
    return reduce(add, values, 0.0)


def logarithms(values: Sequence[Any]) -> list[Any]:
    """Compute natural logarithms, of numbers in one step.

    Parameters
    ----------
    values : sequence of float, or of ndarray of float64, shape (...)
        Greater than 0.

    Examples
    --------
    >>> logarithms([1.0, 2.0])
    [0.0, 0.6931471805599453]
    """
    if values and isinstance(values[0], np.ndarray):
        return [np.log(value) for value in values]
    logs: list[float] = np.log(values).tolist()
    return logs


@overload
def ratio(  # pyright: ignore[reportOverlappingOverload] - a float is also like an array
    part: float, whole: float, otherwise: float = 0.0
) -> float: ...
@overload
def ratio(part: ArrayLike, whole: ArrayLike, otherwise: ArrayLike = 0.0) -> NDArray[np.float64]: ...


def ratio(part: Any, whole: Any, otherwise: Any = 0.0) -> Any:
    """Divide element-wise; `otherwise` where the divisor is not positive.

    Parameters
    ----------
    part, whole : array_like of float
        Dividend and divisor.
    otherwise : array_like of float
        Value used where the divisor is not positive.

    Returns
    -------
    ndarray of float64
        Quotients, in the shape to which the three arguments broadcast; a float if `part` and
        `whole` are Python's numbers.

    Examples
    --------
    >>> ratio([3, 1, 0], [4, 0, 0], otherwise=[0, 1, 0])
    array([0.75, 1.  , 0.  ])
    """
    if type(whole) in (float, int) and type(part) in (float, int):  # not those of numpy
        return part / whole if whole > 0 else otherwise
    positive = np.greater(whole, 0)
    quotient = np.asarray(np.where(positive, part, otherwise), np.float64)
    return np.divide(quotient, whole, out=quotient, where=positive)


def f_measure(
    precision: NDArray[np.float64],
    recall: NDArray[np.float64],
    *,
    precision_weight: float = 1.0,
    recall_weight: float = 1.0,
) -> NDArray[np.float64]:
    r"""Weighted harmonic mean of precision and recall.

    Parameters
    ----------
    precision, recall : ndarray of float64
        Fractions, of shapes that broadcast.
    precision_weight, recall_weight : float
        Weights of the two, at least 0 and not both 0. Equal weights make it :math:`F_1`.

    Returns
    -------
    ndarray of float64
        0 where either fraction is 0. Otherwise it lies between the two and equals the one whose
        weight alone is not 0.

    Notes
    -----
    .. math::

        F = \frac{w_P + w_R}{w_P / P + w_R / R} = \frac{(w_P + w_R) P R}{w_R P + w_P R}

    Papers name one of the weights and mean different things by the same letter:

    =================================  ==================  ===============
    ..                                 `precision_weight`  `recall_weight`
    =================================  ==================  ===============
    :math:`F_\beta`                    1                   :math:`\beta^2`
    :math:`\alpha` (van Rijsbergen)    :math:`\alpha`      :math:`1-\alpha`
    :math:`\alpha` (METEOR)            :math:`1-\alpha`    :math:`\alpha`
    =================================  ==================  ===============

    References
    ----------
    C. J. van Rijsbergen, Information Retrieval, second edition, 1979, chapter 7: the effectiveness
    measure is E = 1 - F.

    Examples
    --------
    >>> f_measure(np.array([0.5, 0.5, 0.0]), np.array([1.0, 0.25, 0.0])).round(4)
    array([0.6667, 0.3333, 0.    ])
    >>> float(f_measure(np.array(0.5), np.array(1.0), recall_weight=2.0**2).round(4))  # F_2
    0.8333
    """
    product = (precision_weight + recall_weight) * precision * recall
    return ratio(product, recall_weight * precision + precision_weight * recall)


def mean_reference_lengths(references: References) -> NDArray[np.float64]:
    """Mean length of the references of each segment.

    Parameters
    ----------
    references : References
        The references of every segment.

    Returns
    -------
    ndarray of float64, shape (n_segments,)
        In tokens.

    Examples
    --------
    A segment with references of 3 and 4 tokens, and one with a reference of 2:

    >>> from mteval_core import References
    >>> starts, ends = np.array([0, 3, 7]), np.array([3, 7, 9])
    >>> ids = np.zeros(9, np.int32)
    >>> mean_reference_lengths(References(ids, starts, ends, index=np.array([0, 2, 3])))
    array([3.5, 2. ])
    """
    if len(references.starts) == len(references):  # one each
        return references.lengths.astype(np.float64)
    lengths: NDArray[np.int64] = np.add.reduceat(references.lengths, references.index[:-1])
    return lengths / references.counts
