"""What all error rates share: errors per token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

__all__ = ["error_rate"]


def error_rate(errors: NDArray[Any], length: NDArray[Any]) -> NDArray[np.float64]:
    """Errors per token; where there is no token, 1 if there is an error, else 0.

    Parameters
    ----------
    errors, length : ndarray of int or float, the same shape

    Returns
    -------
    ndarray of float64, that shape
    """
    rate: NDArray[np.float64] = np.asarray(errors > 0, np.float64)
    np.divide(errors, length, out=rate, where=length > 0)
    return rate
