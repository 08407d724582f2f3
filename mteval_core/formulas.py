"""Functions that the formulas of many metrics share: ratios, F-measures.

A formula gets sums of rows, shape (..., k), and returns values, shape (..., v)::

    m, h, r = split(totals)
    P, R = ratio(m, h), ratio(m, r)
    return stack([f_measure(P, R), P, R])

`split` returns arrays, or plain numbers if there is only one sum. All functions take both and
return the same bits for both. Python computes a formula of numbers several times as fast as numpy
computes one of arrays with a single element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["f_measure", "ratio", "split", "stack"]


def split(totals: NDArray[np.float64]) -> list[Any]:
    """Split sums of rows into their columns.

    Parameters
    ----------
    totals : ndarray of float64, shape (..., k)
        Sums of rows.

    Returns
    -------
    list of ndarray of float64, shape (...), or of float
        k columns; numbers if there is one sum.

    Examples
    --------
    >>> split(np.array([[3.0, 4.0], [1.0, 2.0]]))
    [array([3., 1.]), array([4., 2.])]
    >>> split(np.array([3.0, 4.0]))
    [3.0, 4.0]
    """
    if totals.ndim == 1:
        numbers: list[float] = totals.tolist()
        return numbers
    return list(np.ascontiguousarray(np.moveaxis(totals, -1, 0)))


def stack(values: Sequence[Any]) -> NDArray[np.float64]:
    """Stack values as the last axis: the inverse of `split`.

    Parameters
    ----------
    values : sequence of ndarray of float64, shape (...), or of float
        v values.

    Returns
    -------
    ndarray of float64, shape (..., v)

    Examples
    --------
    >>> stack(split(np.array([[3.0, 4.0], [1.0, 2.0]])))
    array([[3., 4.],
           [1., 2.]])
    """
    stacked = np.array(values, np.float64, order="F")  # faster than np.stack
    return stacked.T if stacked.ndim < 3 else np.moveaxis(stacked, 0, -1).copy()


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
