r"""Influence on a result: of single segments and documents, of the sample, of the references.

Influence is exact: the sum of all rows minus one row is the sum without it, for every formula over
sums. Quantities that a metric prepared on the whole reference set stay fixed, as in resamples.

References
----------
Efron and Stein 1981, "The jackknife estimate of variance".
Broderick, Giordano and Meager 2020, "An automatic finite-sample robustness metric" (how few
observations decide a result).
"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import UsageError, bootstrap, totals_under
from mteval_decide.power import SMALLEST, comparable, count_units, pairs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import Evaluation
    from mteval_decide.power import By

    Array = NDArray[np.float64]
    Pair = tuple[str, str | None]

__all__ = ["Choice", "Influence", "Ranks", "choices", "influences", "ranks", "targets"]

USUAL = "with-replacement"
"""How most metrics declare that they are resampled; others are scores of whole sets."""

ROUNDING = 10
"""Scores that agree to this many decimals are tied."""


class Influence(NamedTuple):
    """What each unit does to a difference of two systems, or to the score of a single system.

    Parameters
    ----------
    system : str
        The system.
    baseline : str or None
        The other system; None for the score of a single system.
    metric : str
        The spec.
    value : float
        The difference (system minus baseline), or the score.
    without : ndarray of float64, shape (n_units,)
        The value without each unit.
    reversal : int or None
        The number of units without which the difference is 0 or has the other sign, if those go
        first that contribute most to it. None if the difference is 0 or no part of the units
        reverses it, and for scores.
    """

    system: str
    baseline: str | None
    metric: str
    value: float
    without: Array
    reversal: int | None

    @property
    def effects(self) -> Array:
        """What each unit adds to the value: the value minus the value without it."""
        return self.value - self.without

    def largest(self, n: int) -> list[int]:
        """Numbers of the n units with the largest effects, in either direction."""
        return [int(k) for k in np.argsort(-np.abs(self.effects), kind="stable")[:n]]


class Ranks(NamedTuple):
    """How often each system has each rank on resampled units.

    Parameters
    ----------
    metric : str
        The spec.
    systems : tuple of str
        The systems, the best first.
    shares : ndarray of float64, shape (n_systems, n_systems)
        Share of the resamples in which a system (row) has a rank (column). Tied systems share the
        best of their ranks.
    """

    metric: str
    systems: tuple[str, ...]
    shares: Array


class Choice(NamedTuple):
    """How much a difference, or a score, depends on the choice of references.

    Parameters
    ----------
    system, baseline, metric, value
        As in `Influence`.
    without : tuple of float
        The value without each reference.
    of_units, of_references : float
        Standard error from the draw of the units (the standard deviation of resamples) and from the
        choice of the references (the jackknife).
    low, high : float
        Interval of the value over units and references together.
    """

    system: str
    baseline: str | None
    metric: str
    value: float
    without: tuple[float, ...]
    of_units: float
    of_references: float
    low: float
    high: float


def targets(evaluation: Evaluation, *, all_pairs: bool = False) -> list[Pair]:
    """List the pairs whose differences are examined; a single system has no baseline."""
    scores = evaluation.scores
    systems = [system for system in scores.runs if system not in scores.humans]
    if len(systems) == 1 and not all_pairs:
        return [(systems[0], None)]
    return [*pairs_of(evaluation, all_pairs=all_pairs)]


def value_of(scores: Mapping[str, Array], pair: Pair) -> Array:
    """Return the difference of two systems, or the score of one."""
    system, baseline = pair
    return scores[system] if baseline is None else scores[system] - scores[baseline]


def influences(
    evaluation: Evaluation, by: By = "segment", *, all_pairs: bool = False
) -> list[Influence]:
    """Compute what each segment or document does to every difference.

    Parameters
    ----------
    evaluation : Evaluation
        The rows.
    by : {"segment", "doc"}
        The unit.
    all_pairs : bool
        Whether to compare every system with every other, not only with the first.

    Returns
    -------
    list of Influence
        For every metric and pair of systems; of a single system, for its score.

    Raises
    ------
    InputError
        If there is only one unit, or the documents are not known.
    """
    pairs = targets(evaluation, all_pairs=all_pairs)
    count_units(evaluation, by)
    found = []
    for spec in evaluation.scorers:
        for own, some in comparable(evaluation, pairs, spec):
            observed = own.scores.mean_scores(own.scores.totals, spec)
            without = own.scores.without_each(spec, by)
            for pair in some:
                value, rest = float(value_of(observed, pair)), value_of(without, pair)
                system, baseline = pair
                reversal = None
                if baseline is not None:
                    difference = _difference_of(own, spec, (system, baseline), by)
                    reversal = _reversal(difference, value, rest)
                one = Influence(system, baseline, spec, value, without=rest, reversal=reversal)
                found.append(one)
    return found


def _difference_of(
    evaluation: Evaluation, spec: str, pair: tuple[str, str], by: By
) -> Callable[[Array], float]:
    """Return the function that computes the difference of two systems under weights."""
    scores = evaluation.scores
    of_two = replace(scores, runs={system: scores.runs[system] for system in pair})
    runs = [run for runs in of_two.runs.values() for run in runs]
    rows = {run: scores.sums(run, spec, by) for run in runs}

    def difference(weights: Array) -> float:
        totals = {(run, spec): weights[None] @ each for run, each in rows.items()}
        return float(value_of(of_two.mean_scores(totals, spec), pair)[0])

    return difference


def _reversal(difference: Callable[[Array], float], value: float, without: Array) -> int | None:
    """Find how many units have to go, by bisection; those first that make the value larger."""
    sign = np.sign(value)
    order = np.argsort(sign * without, kind="stable")

    def is_reversed(m: int) -> bool:
        weights = np.ones(len(order))
        weights[order[:m]] = 0
        return bool(sign * difference(weights) <= SMALLEST)

    low, high = 0, len(order) - 1
    if is_reversed(low) or not is_reversed(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_reversed(middle) else (middle, high)
    return high


def resampled_scores(
    evaluation: Evaluation, by: By, n: int, seed: int
) -> dict[str, dict[str, Array]]:
    """Score every system on resamples: by metric and system, shape (n,)."""
    scores = evaluation.scores
    of_sets = [k for k, one in scores.scorers.items() if one.declaration.resample != USUAL]
    totals = totals_under(scores.unit_rows(by))
    chunks = [
        {spec: scores.mean_scores(sums, spec) for spec in scores.scorers if spec not in of_sets}
        for sums in map(totals, bootstrap(count_units(evaluation, by), n, seed))
    ]
    return {
        spec: scores.subsample_scores(spec, by, n, seed)
        if spec in of_sets
        else {
            system: np.concatenate([chunk[spec][system] for chunk in chunks])
            for system in evaluation.systems
        }
        for spec in scores.scorers
    }


def ranks(evaluation: Evaluation, resampled: Mapping[str, Mapping[str, Array]]) -> list[Ranks]:
    """Count how often each system has each rank.

    Parameters
    ----------
    evaluation : Evaluation
        Two systems or more.
    resampled : mapping of str to mapping of str to ndarray of float64, shape (n,)
        From `resampled_scores`.

    Returns
    -------
    list of Ranks
        One for each metric.
    """
    found, scores = [], evaluation.scores
    for spec, scorer in scores.scorers.items():
        sign = 1 if scorer.declaration.better == "higher" else -1
        observed = scores.mean_scores(scores.totals, spec)
        systems = sorted(observed, key=lambda name: -sign * float(observed[name]))
        values = sign * np.stack([resampled[spec][name] for name in systems]).round(ROUNDING)
        rank = np.sum(values[None] > values[:, None], axis=1)
        shares = np.mean(rank[:, None] == np.arange(len(systems))[:, None], axis=2)
        found.append(Ranks(spec, tuple(systems), shares))
    return found


def choices(
    evaluation: Evaluation,
    without: Sequence[Evaluation],
    resampled: Mapping[str, Mapping[str, Array]],
    *,
    level: float = 95.0,
    all_pairs: bool = False,
) -> list[Choice]:
    r"""Compute how much differences depend on the choice of references.

    Parameters
    ----------
    evaluation : Evaluation
        With all N references.
    without : sequence of Evaluation
        The same systems and metrics without each reference in turn.
    resampled : mapping
        From `resampled_scores`.
    level : float
        Confidence level of the intervals, in percent.
    all_pairs : bool
        Whether to compare every system with every other, not only with the first.

    Returns
    -------
    list of Choice
        For every metric and pair of systems; of a single system, for its score.

    Raises
    ------
    UsageError
        If there is only one resample.

    Notes
    -----
    With :math:`d_r` the value without reference r of N, the squared error from the references is
    :math:`\frac{N-1}{N} \sum_r (d_r - \bar d)^2` (Efron and Stein 1981). It is added to the
    variance of the resamples. The sum counts what units and references do together twice, so it is
    rather too large than too small.
    """
    found, scores = [], evaluation.scores
    reach = -NormalDist().inv_cdf(0.5 - level / 200)
    others = [each.scores for each in without]
    for spec in scores.scorers:
        observed = scores.mean_scores(scores.totals, spec)
        left_out = [each.mean_scores(each.totals, spec) for each in others]
        for pair in targets(evaluation, all_pairs=all_pairs):
            value = float(value_of(observed, pair))
            rest = np.array([float(value_of(each, pair)) for each in left_out])
            of_units = _standard_deviation(value_of(resampled[spec], pair))
            of_references = math.sqrt((len(rest) - 1) * float(rest.var()))
            error = reach * math.hypot(of_units, of_references)
            system, baseline = pair
            choice = Choice(
                system,
                baseline,
                spec,
                value,
                without=tuple(rest.tolist()),
                of_units=of_units,
                of_references=of_references,
                low=value - error,
                high=value + error,
            )
            found.append(choice)
    return found


def _standard_deviation(values: Array) -> float:
    """Compute the standard deviation over resamples."""
    if len(values) < 2:
        raise UsageError("a single resample gives no standard error: ask for 2 resamples or more")
    return float(values.std(ddof=1))
