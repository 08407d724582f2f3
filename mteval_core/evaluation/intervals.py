"""Bootstrap intervals: percentile, basic, symmetric and BCa.

References
----------
Efron 1987, "Better bootstrap confidence intervals" (BCa).
Davison and Hinkley 1997, *Bootstrap Methods and their Application*, section 5.2 (basic intervals).
Efron and Tibshirani 1993, *An Introduction to the Bootstrap*, chapters 13 and 14.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

IntervalKind = Literal["percentile", "basic", "symmetric", "bca"]
INTERVAL_KINDS: tuple[IntervalKind, ...] = ("percentile", "basic", "symmetric", "bca")

ROUNDING = 1e-9
"""A value that is outside its interval by less than this is outside by rounding."""


class Interval(Frozen):
    """A confidence interval.

    Parameters
    ----------
    low, high : float
        The ends.
    mean : float
        Mean of the resamples.
    level : float
        Confidence level in percent.
    n : int
        Number of resamples.
    kind : {"percentile", "basic", "symmetric", "bca"}
        How the ends follow from the resamples.
    """

    low: float
    high: float
    mean: float
    level: float
    n: int
    kind: IntervalKind = "percentile"

    def excludes(self, value: float) -> bool:
        """Tell whether a value is outside, and not only by rounding."""
        return value < self.low - ROUNDING or value > self.high + ROUNDING


def percentile_interval(resamples: NDArray[np.float64], level: float = 95.0) -> Interval:
    """Compute the percentile interval of resampled scores, with sacreBLEU's definition of the ends.

    Parameters
    ----------
    resamples : ndarray of float64, shape (n,)
    level : float
        Confidence level in percent.

    Returns
    -------
    Interval
        From the sorted resample with index floor(n (1 - level/100) / 2) to its mirror image.
    """
    n = len(resamples)
    # The tolerance makes 1000 * (1 - 0.95) / 2 come out as 25.
    cut = min(int(n * (1 - level / 100) / 2 + 1e-9), (n - 1) // 2)
    low, high = nth_from_both_ends(resamples, cut)
    return Interval(low, high, mean=float(resamples.mean()), level=level, n=n)


def nth_from_both_ends(numbers: NDArray[np.float64], n: int) -> tuple[float, float]:
    """Return the smallest number but n and the largest but n.

    The first numbers tell roughly where they are in a long array.
    """
    few = np.sort(numbers[:1000])
    expected = n * len(few) / len(numbers)
    end = min(int(expected + 6 * math.sqrt(expected)) + 6, len(few) - 1)
    low, high = numbers.compress(numbers <= few[end]), numbers.compress(numbers >= few[~end])
    low, high = (some if n < len(some) else numbers for some in (low, high))
    return float(np.partition(low, n)[n]), float(np.partition(high, ~n + len(high))[~n])


class Estimate(NamedTuple):
    """A value with what its interval needs.

    Parameters
    ----------
    value : float
        The value on the whole sample.
    resamples : ndarray of float64, shape (n,)
        The value on every resample; NaN where it is not defined.
    left_out : sequence of ndarray of float64
        The value without each unit, an array for each sort of units that is drawn. Only BCa
        intervals need it.
    """

    value: float
    resamples: NDArray[np.float64]
    left_out: Sequence[NDArray[np.float64]] = ()

    def minus(self, other: Estimate) -> Estimate:
        """Return the difference of two values on the same resamples."""
        pairs = zip(self.left_out, other.left_out, strict=True)
        return Estimate(
            self.value - other.value, self.resamples - other.resamples, [a - b for a, b in pairs]
        )

    def interval(
        self,
        level: float = 95.0,
        kind: IntervalKind = "percentile",
        bounds: tuple[float, float] = (-math.inf, math.inf),
    ) -> Interval | None:
        r"""Compute a bootstrap interval.

        Parameters
        ----------
        level : float
            Confidence level in percent.
        kind : {"percentile", "basic", "symmetric", "bca"}
            The kind.
        bounds : (float, float)
            Range of the value. The ends are moved into it, unless the whole interval is outside.

        Returns
        -------
        Interval or None
            None if the value or all resamples are undefined.

        Notes
        -----
        The basic interval is the percentile interval, reflected at the value:
        :math:`[2 \theta - U, 2 \theta - L]`. The symmetric interval reaches from the value to the
        further end of the percentile interval, in both directions; so it contains both others.

        The ends of the BCa interval are the quantiles :math:`\Phi(z_0 + (z_0 + z) / (1 - a (z_0 +
        z)))` of the resamples, where :math:`z` is the quantile of the normal distribution at either
        end, :math:`z_0` that of the share of resamples below the value (half of the equal ones
        count), and :math:`a = \sum d^3 / 6 (\sum d^2)^{3/2}`, where :math:`d` is the mean of the
        values without a unit minus the value without this unit. If all resamples are on one side of
        the value, both ends are the resample next to it.
        """
        undefined = np.isnan(self.resamples)
        defined = self.resamples[~undefined] if undefined.any() else self.resamples
        if not len(defined) or math.isnan(self.value):
            return None
        interval = percentile_interval(defined, level)
        low, high = interval.low, interval.high
        mirrored = 2 * self.value - high, 2 * self.value - low
        if kind == "basic":
            low, high = mirrored
        elif kind == "symmetric":
            low, high = min(low, mirrored[0]), max(high, mirrored[1])
        elif kind == "bca":
            low, high = np.quantile(defined, self._accelerated(defined, level)).tolist()
        if low <= bounds[1] and high >= bounds[0]:
            low, high = max(low, bounds[0]), min(high, bounds[1])
        return replace(interval, low=low, high=high, kind=kind)

    def _accelerated(self, resamples: NDArray[np.float64], level: float) -> list[float]:
        """Compute the probabilities at which a BCa interval ends."""
        from statistics import NormalDist

        normal = NormalDist()
        below = np.sum(resamples < self.value) + np.sum(resamples == self.value) / 2
        share = float(below) / len(resamples)
        if share in (0.0, 1.0):
            return [share, share]
        z0, a = normal.inv_cdf(share), _acceleration(self.left_out)
        end = normal.inv_cdf(0.5 - level / 200)
        return [normal.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in (end, -end)]


def _acceleration(left_out: Sequence[NDArray[np.float64]]) -> float:
    """Compute how fast the spread of a value changes with the value; 0 if it does not vary."""
    defined = (values[~np.isnan(values)] for values in left_out)
    influences = ((len(x) - 1) / len(x) * (x.mean() - x) for x in defined if len(x))
    influence = np.concatenate([np.zeros(1), *influences])
    if not (largest := float(np.abs(influence).max())):
        return 0.0
    influence /= largest  # the squares of very small numbers could underflow
    return float(np.sum(influence**3) / (6 * np.sum(influence**2) ** 1.5))
