r"""Sequential tests: repeated looks at a difference while segments or judgments come in.

At look k of K, a share :math:`t_k` of all units is there, and the difference divided by its
standard error is :math:`z_k`. The test stops if :math:`|z_k|` reaches a bound, which is so large
that all looks together err with probability alpha.

:math:`s_k = z_k \sqrt{t_k}` is a sum of independent normal steps. The probability of not having
stopped follows from integrating over one step after the other (Armitage et al. 1969).

References
----------
Armitage, McPherson and Rowe 1969, "Repeated significance tests on accumulating data".
Pocock 1977, "Group sequential methods in the design and analysis of clinical trials".
O'Brien and Fleming 1979, "A multiple testing procedure for clinical trials".
Jennison and Turnbull 1999, *Group Sequential Methods*, chapters 2 and 19.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_core import UsageError, totals_under
from mteval_decide.power import SMALLEST, check_sums, powers, standard_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Evaluation
    from mteval_decide.power import By, Plan, Power

__all__ = ["BOUNDS", "Bound", "Look", "Schedule", "monitor", "running", "stopping"]

Bound = Literal["pocock", "obrien-fleming"]
Verdict = Literal["significant", "go on", "not significant", ""]

BOUNDS: dict[Bound, float] = {"pocock": 0.0, "obrien-fleming": -0.5}
"""The kinds of bounds: the bound of look k is a constant times this power of t_k."""

MOST_LOOKS = 50
"""Largest number of looks."""

NODES = 100
"""Smallest number of points at which densities are integrated."""

CLOSEST = 0.001
"""Smallest share of units between looks; the densities of closer ones take too many points."""

PRECISION = 1e-10
"""How exact the probabilities are with which bounds and sizes are found."""


class Schedule:
    """The looks of a sequential test, and its bounds.

    Parameters
    ----------
    shares : sequence of float
        Share of all units that is there at each look, increasing; the last is 1.
    kind : {"pocock", "obrien-fleming"}
        The same bound for |z| at every look; or high bounds first, so that the last one is hardly
        higher than that of a single test.
    alpha : float
        Probability of stopping at any look if there is no difference.

    Raises
    ------
    UsageError
        If there are too many looks, or the shares do not increase to 1.

    Examples
    --------
    >>> Schedule([0.2, 0.4, 0.6, 0.8, 1], "obrien-fleming").bounds.round(2).tolist()
    [4.56, 3.23, 2.63, 2.28, 2.04]
    """

    def __init__(self, shares: Sequence[float], kind: Bound, alpha: float = 0.05) -> None:
        self.shares: NDArray[np.float64] = np.array(shares, np.float64)
        self.kind: Bound = kind
        self.alpha = alpha
        steps = np.diff(self.shares, prepend=0.0)
        # Not a number is not at least anything.
        fits = 0 < len(shares) <= MOST_LOOKS and steps.min() >= CLOSEST and self.shares[-1] == 1
        if not fits:
            raise UsageError(
                f"looks at {list(shares)}: expected up to {MOST_LOOKS} shares that grow to 1, each "
                f"by at least {CLOSEST}"
            )

    @cached_property
    def bounds(self) -> NDArray[np.float64]:
        """Bounds of the size of z, shape (n_looks,)."""
        shape = self.shares ** BOUNDS[self.kind]
        # A single look, and Bonferroni's correction.
        least, most = (NormalDist().inv_cdf(1 - self.alpha / 2 / n) for n in (1, len(shape)))

        def excess(constant: float) -> float:
            return self.alpha - float(stopping(self.shares, constant * shape)[:, -1].sum())

        return _root(excess, least - 1e-6, most + 1e-6) * shape

    @property
    def p_values(self) -> list[float]:
        """Two-sided p-values, without any correction, that reach the bounds."""
        return [2 * NormalDist().cdf(-bound) for bound in self.bounds.tolist()]

    def stopped(self, distance: float) -> NDArray[np.float64]:
        """Compute the probability of having stopped by each look; see `stopping`."""
        return stopping(self.shares, self.bounds, distance)

    def distance(self, power: float) -> float:
        """Return the true difference that is found with a probability, in last standard errors."""
        single = NormalDist().inv_cdf(1 - self.alpha / 2) + NormalDist().inv_cdf(power)
        return _root(lambda d: float(self.stopped(d)[0, -1]) - power, single - 1e-6, 2 * single)

    def expected_share(self, distance: float) -> float:
        """Compute the share of all units that the test takes on average."""
        stopped_before = np.concatenate([[0.0], self.stopped(distance).sum(axis=0)[:-1]])
        return float((1 - stopped_before) @ np.diff(self.shares, prepend=0.0))


def stopping(
    shares: NDArray[np.float64], bounds: NDArray[np.float64], distance: float = 0.0
) -> NDArray[np.float64]:
    r"""Compute the probability of having reached a bound by each look.

    Parameters
    ----------
    shares, bounds : ndarray of float64, shape (n_looks,)
        The looks.
    distance : float
        The true difference, in standard errors of the last look.

    Returns
    -------
    ndarray of float64, shape (2, n_looks)
        For the upper bound, and for the lower one.

    Notes
    -----
    The density of :math:`s_k` where no bound has been reached is

    .. math:: f_k(s) = \int_{-b_{k-1}}^{b_{k-1}} f_{k-1}(u)\, \phi(s; u + \theta d_k, d_k)\, du

    with :math:`b_k = c_k \sqrt{t_k}`, :math:`d_k = t_k - t_{k-1}`, the density :math:`\phi` of a
    normal distribution of this mean and variance, and the expected last z :math:`\theta`. Gauss and
    Legendre's rule integrates it, and the tails of the last step beyond the bounds.
    """
    at, mass = np.zeros(1), np.ones(1)
    reached = []
    for step, b in zip(np.diff(shares, prepend=0.0), bounds * np.sqrt(shares), strict=True):
        spread, start = math.sqrt(2 * step), at + distance * step
        reached.append([float(mass @ _erfc((b - side * start) / spread)) / 2 for side in (1, -1)])
        points, weights = _nodes(b / spread)
        density = np.exp(-(((b * points[:, None] - start) / spread) ** 2))
        at, mass = b * points, b * weights * (density @ mass) / (spread * math.sqrt(math.pi))
    return np.cumsum(reached, axis=0).T


_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def _nodes(deviations: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Choose points from -1 to 1, and weights, for an interval of so many standard deviations."""
    return _gauss_legendre(max(NODES, 100 * math.ceil(deviations / 10)))


_gauss_legendre = cache(np.polynomial.legendre.leggauss)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Find where a function that rises from below to above 0 crosses it, by false position.

    If the same end stays twice, its value is halved, so that the other one moves (the Illinois
    rule).
    """
    at_low, at_high, moved = function(low), function(high), 0
    while True:
        middle = high - at_high * (high - low) / (at_high - at_low)
        value = function(middle)
        if abs(value) < PRECISION:
            return middle
        if value > 0:
            high, at_high, at_low = middle, value, at_low / (2 if moved > 0 else 1)
        else:
            low, at_low, at_high = middle, value, at_high / (2 if moved < 0 else 1)
        moved = 1 if value > 0 else -1


class Look(NamedTuple):
    """One look at the difference of two systems.

    Parameters
    ----------
    system, baseline, metric : str
        The systems, and the spec.
    look : int
        Number of the look, from 1.
    n : float
        Number of units at the look; infinite if no number finds the effect.
    bound : float
        The test stops if the difference is at least so many standard errors.
    p_value : float
        The same as a two-sided p-value without correction.
    detectable : float
        The same as a difference, if units vary as in the data so far.
    spent : float
        Probability of having stopped by this look if there is no difference.
    found : float
        Probability of having stopped in favour of the better system by this look if the true
        difference is the effect.
    expected : float
        Number of units that the test then takes on average.
    difference, z : float
        The difference of the first n units, and this in standard errors; NaN if there are fewer.
    verdict : {"significant", "go on", "not significant", ""}
        What the look says. Empty if there are not enough units, or if an earlier look has stopped.
    """

    system: str
    baseline: str
    metric: str
    look: int
    n: float
    bound: float
    p_value: float
    detectable: float
    spent: float
    found: float
    expected: float
    difference: float = math.nan
    z: float = math.nan
    verdict: Verdict = ""


def monitor(
    evaluation: Evaluation,
    plan: Plan,
    kind: Bound,
    looks: Sequence[int] | int,
    *,
    all_pairs: bool = False,
) -> list[Look]:
    """Plan looks at differences between systems, and take those for which the data suffice.

    Parameters
    ----------
    evaluation : Evaluation
        The data so far, in the order in which they came in, or a pilot.
    plan : Plan
        The test: effect, power, alpha and unit.
    kind : {"pocock", "obrien-fleming"}
        The kind of bounds.
    looks : int or sequence of int
        The number of looks, at equal distances up to the size that finds the effect with the
        wanted power; or the number of units at each look.
    all_pairs : bool
        Whether to compare every system with every other.

    Returns
    -------
    list of Look
        All looks of one pair and metric after those of another. Differences are tested only if the
        sizes are given: a pilot is not a part of the test that it plans.

    Raises
    ------
    UsageError
        If there are fewer than two systems, a metric is not computed from sums, or the looks are
        too many or do not increase.
    InputError
        If there is only one unit, or the documents are not known.
    """
    if isinstance(looks, int):
        shares = np.arange(1, looks + 1) / max(looks, 1)
    else:
        shares = np.array(looks) / max([1, *looks])
    schedule, found = Schedule(shares.tolist(), kind, plan.alpha), []
    for power in powers(evaluation, plan, all_pairs=all_pairs):
        effect = power.effect if power.effect > SMALLEST else math.nan
        if isinstance(looks, int):
            distance = schedule.distance(plan.power)
            last = power.n * (distance * power.error / effect) ** 2
            found += planned(schedule, power, distance, last * shares)
        else:
            distance = effect / power.error * math.sqrt(looks[-1] / power.n)
            one = planned(schedule, power, distance, np.array(looks, np.float64))
            found += taken(one, evaluation, plan.by)
    return found


def planned(
    schedule: Schedule, power: Power, distance: float, sizes: NDArray[np.float64]
) -> list[Look]:
    """Plan the looks at one difference at these numbers of units."""
    sizes, last = np.ceil(sizes), float(sizes[-1])
    detectable = schedule.bounds * power.error * np.sqrt(power.n / sizes)
    spent, found = schedule.stopped(0.0).sum(axis=0), schedule.stopped(distance)[0]
    expected = last * schedule.expected_share(distance)
    return [
        Look(
            power.system,
            power.baseline,
            power.metric,
            look=k + 1,
            n=float(sizes[k]),
            bound=float(schedule.bounds[k]),
            p_value=p_value,
            detectable=float(detectable[k]),
            spent=float(spent[k]),
            found=float(found[k]),
            expected=expected,
        )
        for k, p_value in enumerate(schedule.p_values)
    ]


def taken(looks: Sequence[Look], evaluation: Evaluation, by: By) -> list[Look]:
    """Take the looks for which the data suffice, in order, until one stops."""
    found, stopped = [], False
    for look in looks:
        difference, error = running(evaluation, look, by)
        z = difference / error
        verdict: Verdict = ""
        if not (stopped or math.isnan(z)):
            stopped = abs(z) >= look.bound
            is_last = look.look == len(looks)
            verdict = "significant" if stopped else "not significant" if is_last else "go on"
        found.append(look._replace(difference=difference, z=z, verdict=verdict))
    return found


def running(evaluation: Evaluation, look: Look, by: By) -> tuple[float, float]:
    """Compute the difference of the units of a look, and its standard error; NaN if some lack."""
    spec, n = look.metric, int(look.n)
    check_sums(evaluation, spec)
    scores = evaluation.scores
    scores.unit_rows(by)  # refuses segments that depend on those around
    rows = {
        (run, spec): scores.sums(run, spec, by)[:n] for runs in scores.runs.values() for run in runs
    }
    if any(len(some) < n for some in rows.values()):
        return math.nan, math.nan
    totals = totals_under(rows)(np.ones((1, n)))
    now = scores.mean_scores(totals, spec)
    without = scores.mean_scores({key: totals[key] - some for key, some in rows.items()}, spec)
    (difference,) = (now[look.system] - now[look.baseline]).tolist()
    return difference, standard_error(without[look.system] - without[look.baseline])
