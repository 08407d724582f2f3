"""Parts of formulas that many metrics share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["ratio"]


def ratio(part: ArrayLike, whole: ArrayLike, otherwise: ArrayLike = 0.0) -> NDArray[np.float64]:
    """Divide, for formulas, which must be finite for any sums.

    Parameters
    ----------
    part, whole : array_like of float
        Dividend and divisor.
    otherwise : array_like of float
        What stands where the divisor is not above 0.

    Returns
    -------
    ndarray of float64
        Of the shape that the three broadcast to.

    Examples
    --------
    >>> ratio([3, 1, 0], [4, 0, 0], otherwise=[0, 1, 0])
    array([0.75, 1.  , 0.  ])
    """
    dividend, divisor, values = np.broadcast_arrays(part, whole, otherwise)
    quotient: NDArray[np.float64] = values.astype(np.float64)
    np.divide(dividend, divisor, out=quotient, where=divisor > 0)
    return quotient
