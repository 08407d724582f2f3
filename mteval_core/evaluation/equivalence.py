"""Equivalence and non-inferiority tests (TOST).

References
----------
Schuirmann 1987, "A comparison of the two one-sided tests procedure and the power approach for
assessing the equivalence of average bioavailability".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import at_least, p_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.evaluation.draw import Test

__all__ = ["Equivalence", "check_margin", "one_sided"]


class Equivalence(NamedTuple):
    """What a margin adds to the comparison of two systems.

    Parameters
    ----------
    margin : float
        The smallest difference that matters, in the scale in which scores are reported.
    p_equivalent : float
        P-value of the claim that the systems differ by less than the margin, corrected.
    p_not_worse : float
        P-value of the claim that the system is worse by less than the margin, corrected.
    """

    margin: float
    p_equivalent: float
    p_not_worse: float


def check_margin(margin: float | None, test: Test, correction: str) -> None:
    """Check a margin, if there is one.

    Raises
    ------
    UsageError
        If it is not a finite number above 0, if the test draws no resamples, or if the correction
        is max-T, which is one of differences.
    """
    if margin is None:
        return
    is_number = isinstance(margin, (int, float)) and not isinstance(margin, bool)
    if not (is_number and 0 < margin < math.inf):
        message = f"margin {margin!r}: expected a number above 0"
        raise UsageError(message)
    if test != "bs":
        message = "a margin needs resamples: test with 'bs', the paired bootstrap"
        raise UsageError(message)
    if correction == "maxt":
        message = "a margin makes one-sided tests, which maxt does not correct: expected holm, bh "
        raise UsageError(message + "or none")


def one_sided(gain: float, resamples: NDArray[np.float64], margin: float) -> tuple[float, float]:
    r"""Test that a system is not worse, and not better, than another by a margin.

    Parameters
    ----------
    gain : float
        How much better the system is; negative if it is worse.
    resamples : ndarray of float64, shape (n,)
        The gain on bootstrap resamples.
    margin : float
        The margin.

    Returns
    -------
    (float, float)
        The p-values of "worse by less than the margin" and "better by less than the margin".

    Notes
    -----
    The null hypothesis of the first is that the true gain is at most :math:`-m`. The observed gain
    is then above the truth by at least :math:`g + m`, and p is the share of resamples that exceed
    their mean by as much. The second is its mirror image. Systems are equivalent if both claims
    hold, so the p-value of equivalence is the larger one (Schuirmann 1987).
    """
    by_chance = resamples - resamples.mean()
    n = len(by_chance)
    not_worse = at_least(by_chance, gain + margin).sum()
    not_better = at_least(-by_chance, margin - gain).sum()
    return p_value(int(not_worse), n, exact=False), p_value(int(not_better), n, exact=False)
