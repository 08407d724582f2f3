"""Numbers of n-grams in texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import number_of_columns, vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ngram_totals"]


def ngram_totals(lengths: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """Number of n-grams of each order in texts: length - n + 1, and 0 in shorter texts.

    Parameters
    ----------
    lengths : ndarray of int64, shape (n_texts,)
        Lengths of the texts in tokens.
    order : int
        Largest n.

    Returns
    -------
    ndarray of int64, shape (n_texts, order)
        One column for each n, from 1 to `order`.

    Raises
    ------
    TypeError
        If the lengths or the order are not whole numbers.
    ValueError
        If the lengths have another number of dimensions, or the order is less than 1.

    Examples
    --------
    >>> ngram_totals(np.array([5, 2, 0]), 3)
    array([[5, 4, 3],
           [2, 1, 0],
           [0, 0, 0]])
    """
    lengths = vector("lengths", lengths, np.int64)
    shorter = np.arange(number_of_columns("order", order))
    totals: NDArray[np.int64] = np.maximum(lengths[:, None] - shorter, 0)
    return totals
