"""Arithmetic with missing numbers, which are NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["quotient", "standardize"]


def quotient(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Divide element-wise; NaN where the divisor is 0."""
    b = np.asarray(b, np.float64)
    result: NDArray[np.float64] = np.divide(a, b, out=np.full(b.shape, np.nan), where=b != 0)
    return result


def standardize(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standardise scores to mean 0 and standard deviation 1; all 0 if they do not vary.

    Parameters
    ----------
    scores : ndarray of float64
        Any shape; NaN is a missing value.

    Returns
    -------
    ndarray of float64
        Same shape. The standard deviation is that of a sample, which divides by n - 1.
    """
    present = scores[~np.isnan(scores)]
    # Constant values are detected by comparison: their mean may differ in the last bit.
    if not len(present) or present.max() == present.min():
        return scores * 0.0
    deviation = present.std(ddof=1)
    return (scores - present.mean()) / deviation if deviation > 0 else scores * 0.0
