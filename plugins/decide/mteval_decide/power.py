"""Statistical power and minimum detectable differences, from a pilot evaluation.

The standard error of a difference comes from the delta method: the influence of a unit on a score
is what the score changes when the unit is left out. The sum of all rows minus one row gives this
exactly, for every formula over sums. Power and sizes follow from the normal distribution.

References
----------
Efron and Stein 1981, "The jackknife estimate of variance".
Kish 1965, *Survey Sampling* (design effect).
Card et al. 2020, "With little power comes great responsibility".
"""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from mteval_core import InputError, UsageError
from mteval_decide.losses import on_both

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core import Evaluation

__all__ = [
    "SIGNIFICANT",
    "SMALLEST",
    "By",
    "Plan",
    "Power",
    "check_sums",
    "count_units",
    "pairs_of",
    "powers",
    "standard_error",
    "standard_errors",
]

By = Literal["segment", "doc"]
"""The unit that is drawn or left out."""

SIGNIFICANT = 0.05
"""Threshold of significance for p-values."""

SMALLEST = 1e-9
"""Differences below this one are zero, up to rounding."""


class Plan(NamedTuple):
    """The test that is planned.

    Parameters
    ----------
    effect : float or None
        The true difference that the test should find, in the scale in which scores are reported;
        above 0. Default: the difference in the pilot.
    power : float
        The probability of finding it, between 0.5 and 1.
    alpha : float
        P-values below this one are significant. The test is two-sided.
    by : {"segment", "doc"}
        The unit that the test draws or exchanges.
    """

    effect: float | None = None
    power: float = 0.8
    alpha: float = SIGNIFICANT
    by: By = "segment"

    @property
    def threshold(self) -> float:
        """The smallest significant difference, in standard errors."""
        return -NormalDist().inv_cdf(self.alpha / 2)

    @property
    def distance(self) -> float:
        """The true difference that is found with the wanted power, in standard errors."""
        return self.threshold + NormalDist().inv_cdf(self.power)

    def power_at(self, distance: float) -> float:
        """Compute the probability of finding a true difference, given in standard errors."""
        by_chance = NormalDist()
        found = by_chance.cdf(distance - self.threshold)
        return found + by_chance.cdf(-distance - self.threshold)


class Power(NamedTuple):
    """What a test finds of the difference of two systems under one metric.

    Parameters
    ----------
    system, baseline, metric : str
        The systems, and the spec.
    difference : float
        Score of the system minus score of the baseline in the pilot.
    error : float
        Standard error of the difference; NaN if it does not vary, and so is what follows from it.
    detectable : float
        The smallest true difference that is found with the wanted power.
    effect : float
        Size of the true difference that the test should find.
    power : float
        The probability of finding it.
    n : int
        Number of units in the pilot, to which all of this applies.
    needed : float
        Number of units that finds the effect with the wanted power; infinite if the effect is 0.
    needed_segments : float
        The same in segments, for documents that are as long as those of the pilot.
    design_effect : float
        Variance of the difference over that from as many independent segments; 1 for segments,
        NaN for a metric of documents.
    """

    system: str
    baseline: str
    metric: str
    difference: float
    error: float
    detectable: float
    effect: float
    power: float
    n: int
    needed: float
    needed_segments: float
    design_effect: float


def powers(evaluation: Evaluation, plan: Plan, *, all_pairs: bool = False) -> list[Power]:
    """Compute what a test finds, for every metric and every system against the first.

    Parameters
    ----------
    evaluation : Evaluation
        The pilot, with its rows.
    plan : Plan
        The test.
    all_pairs : bool
        Whether to compare every system with every other.

    Returns
    -------
    list of Power

    Raises
    ------
    UsageError
        If there are fewer than two systems, or a metric is not computed from sums.
    InputError
        If there is only one unit, or the documents are not known.
    """
    scores = evaluation.scores
    pairs = pairs_of(evaluation, all_pairs=all_pairs)
    n = count_units(evaluation, plan.by)
    segments = len(scores.test_set) / n
    found = []
    for spec in evaluation.scorers:
        for own, some in comparable(evaluation, pairs, spec):
            observed = own.scores.mean_scores(own.scores.totals, spec)
            errors = standard_errors(own, spec, some, plan.by)
            has_segments = not evaluation.scorers[spec].setup.needs_documents
            independent = (
                standard_errors(own, spec, some, "segment")
                if has_segments
                else dict.fromkeys(errors, math.nan)
            )
            for (system, baseline), error in errors.items():
                difference = float(observed[system] - observed[baseline])
                effect = abs(difference) if plan.effect is None else plan.effect
                detectable = plan.distance * error
                needed = n * (detectable / effect) ** 2 if effect > SMALLEST else math.inf
                one = Power(
                    system,
                    baseline,
                    spec,
                    difference=difference,
                    error=error,
                    detectable=detectable,
                    effect=effect,
                    power=plan.power_at(effect / error),
                    n=n,
                    needed=_size(needed),
                    needed_segments=_size(_size(needed) * segments),
                    design_effect=(error / independent[system, baseline]) ** 2,
                )
                found.append(one)
    return found


def comparable(
    evaluation: Evaluation, pairs: Sequence[tuple[str, str | None]], spec: str
) -> Iterator[tuple[Evaluation, list[Any]]]:
    """Yield scores with pairs that can be compared: over the segments that both have a score of.

    If a metric misses no segments, these are all of them, and all pairs come at once.
    """
    if not evaluation.scores.misses_segments(spec):
        yield evaluation, [*pairs]
        return
    for system, baseline in pairs:
        both = evaluation if baseline is None else on_both(evaluation, (system, baseline), spec)
        yield both, [(system, baseline)]


def pairs_of(evaluation: Evaluation, *, all_pairs: bool) -> list[tuple[str, str]]:
    """List the pairs of a system and its baseline that are compared.

    Raises
    ------
    UsageError
        If there are fewer than two systems.
    """
    systems = [one for one in evaluation.systems if one not in evaluation.scores.humans]
    if len(systems) < 2:
        raise UsageError("a difference needs two systems or more: the first is the baseline")
    if all_pairs:
        return [(b, a) for a, b in combinations(systems, 2)]
    return [(system, systems[0]) for system in systems[1:]]


def count_units(evaluation: Evaluation, by: By) -> int:
    """Count the segments or documents.

    Raises
    ------
    InputError
        If there is only one, or the documents are not known.
    """
    _, sizes = evaluation.scores.groups(by)
    if len(sizes) < 2:
        unit = {"segment": "segment", "doc": "document"}[by]
        raise InputError(
            f"the test set has only one {unit}, and the spread over {unit}s is needed: expected "
            f"two or more"
        )
    return len(sizes)


def _size(n: float) -> float:
    """Round a size up; a test needs at least two units."""
    return max(2, math.ceil(n)) if math.isfinite(n) else n


def standard_errors(
    evaluation: Evaluation, spec: str, pairs: list[tuple[str, str]], by: By
) -> dict[tuple[str, str], float]:
    r"""Compute the standard errors of differences by leaving out each unit.

    Parameters
    ----------
    evaluation : Evaluation
        The rows.
    spec : str
        The metric.
    pairs : list of (str, str)
        Systems and their baselines.
    by : {"segment", "doc"}
        The unit.

    Returns
    -------
    dict of (str, str) to float
        NaN where no unit changes the difference, except by rounding.

    Raises
    ------
    UsageError
        If the metric is not computed from sums: a median hardly changes without one segment.

    Notes
    -----
    With :math:`d_i` the difference without unit i of n, the squared standard error is
    :math:`\frac{n-1}{n} \sum_i (d_i - \bar d)^2` (Efron and Stein 1981). For a mean, this is the
    variance of the units, computed with n - 1, divided by n.
    """
    check_sums(evaluation, spec)
    evaluation.scores.unit_rows(by)  # refuses segments that depend on those around
    without = evaluation.scores.without_each(spec, by)
    return {
        (system, baseline): standard_error(without[system] - without[baseline])
        for system, baseline in pairs
    }


def check_sums(evaluation: Evaluation, spec: str) -> None:
    """Raise a `UsageError` if a metric is not computed from sums of rows."""
    rows = evaluation.scores.rows
    if not all(isinstance(rows[run, spec], np.ndarray) for run, of in rows if of == spec):
        raise UsageError(
            f"{spec} is not computed from sums of rows, so leaving out segments does not tell how "
            f"uncertain it is: leave it out, or test it with mteval score -pbs"
        )


def standard_error(without: NDArray[np.float64]) -> float:
    """Compute the standard error of a value from its values without each unit.

    Returns
    -------
    float
        NaN if no unit changes the value, except by rounding.
    """
    error = math.sqrt((len(without) - 1) * float(without.var()))
    return error if error > 1e-10 * max(1.0, abs(without[0])) else math.nan
