"""Intervals from the normal distribution: Fisher's z of a coefficient, Student's t of a mean.

The bootstrap draws too narrow intervals from few systems. These are exact or nearly so if scores
are normal, and hold for few systems, where the bootstrap does not.

References
----------
Fisher 1921, "On the 'probable error' of a coefficient of correlation deduced from a small sample".
Bonett and Wright 2000, "Sample size requirements for estimating Pearson, Kendall and Spearman
correlations" (variances of z).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mteval_metaeval.significance import student_t

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Ends = tuple[float, float]

__all__ = ["interval_of_coefficient", "interval_of_mean"]

VARIANCES: Mapping[str, Callable[[float, int], float]] = {
    "pearson": lambda _r, n: 1 / (n - 3),
    "spearman": lambda r, n: (1 + r * r / 2) / (n - 3),
    "kendall": lambda _r, n: 0.437 / (n - 4),
    "differentials": lambda _r, n: 1 / (n - 3),
}
"""Variance of Fisher's z of each coefficient, from its value and the number of systems.

The differences of n (n - 1) / 2 pairs depend on each other: they know no more than the n systems.
"""

LEAST = 5
"""Smallest number of systems for which all of these variances are defined."""


def interval_of_coefficient(name: str, r: float, n: int, level: float = 95.0) -> Ends | None:
    """Compute the interval of a correlation coefficient from Fisher's z.

    Parameters
    ----------
    name : str
        ``pearson``, ``spearman``, ``kendall``, ``differentials``, which is Pearson's of pairs, or
        ``pairwise accuracy``, which is (1 + tau) / 2 without ties; others have no such interval.
    r : float
        The coefficient.
    n : int
        Number of systems.
    level : float
        Confidence level in percent.

    Returns
    -------
    (float, float) or None
        None for another coefficient, for fewer than five systems, and for a coefficient of 1 or -1.

    Examples
    --------
    >>> low, high = interval_of_coefficient("pearson", 0.8, 12)
    >>> round(low, 4), round(high, 4)
    (0.418, 0.9416)
    """
    from statistics import NormalDist

    if name == "pairwise accuracy":
        ends = interval_of_coefficient("kendall", 2 * r - 1, n, level)
        return ends and ((1 + ends[0]) / 2, (1 + ends[1]) / 2)
    if name not in VARIANCES or n < LEAST or not abs(r) < 1:
        return None
    reach = NormalDist().inv_cdf(0.5 + level / 200) * math.sqrt(VARIANCES[name](r, n))
    z = math.atanh(r)
    return math.tanh(z - reach), math.tanh(z + reach)


def interval_of_mean(values: NDArray[np.float64], level: float = 95.0) -> Ends | None:
    """Compute the interval of a mean from Student's t.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        NaN does not count.
    level : float
        Confidence level in percent.

    Returns
    -------
    (float, float) or None
        None for fewer than two values.
    """
    values = values[~np.isnan(values)]
    n = len(values)
    if n < 2:
        return None
    reach = _quantile_of_t(0.5 - level / 200, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return float(values.mean()) - reach, float(values.mean()) + reach


def _quantile_of_t(tail: float, degrees: int) -> float:
    """Find the t that is exceeded with a probability of less than one half, by bisection."""
    low, high = 0.0, 1.0
    while student_t(high, degrees) > tail:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student_t(middle, degrees) > tail else (low, middle)
    return high
