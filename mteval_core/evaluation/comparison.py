"""Intervals and paired tests for every system and metric of an evaluation.

Everything works on the rows that `Scores` keeps. A *unit* is what is drawn or exchanged: a segment,
or a document with the sum of its rows. Several runs of a system count as one system whose score is
the mean over the runs. Quantities that a metric prepared on the whole reference set stay fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import (
    Interval,
    all_swaps,
    assignments,
    at_least,
    bootstrap,
    corrected,
    p_value,
    percentile_interval,
    swaps,
    weighted_totals,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mteval_core.evaluation.scores import By, Scores

    Resampler = Callable[[int, int, int], Iterator[NDArray[np.float64]]]

__all__ = ["Comparison", "Test", "compare", "confidence"]

Test = Literal["bs", "ar"]
"""Paired bootstrap (Koehn 2004) or approximate randomisation (Riezler and Maxwell 2005)."""

N_RESAMPLES = 1000
N_TRIALS = 10_000


@dataclass(frozen=True)
class Comparison:
    """The difference of two systems under one metric.

    Parameters
    ----------
    difference : float
        Score of the system minus score of the baseline, in the scale in which it is reported.
    interval : Interval
        Bootstrap interval of the difference.
    p_value : float
        Probability that chance alone gives a difference at least this large, corrected for the
        number of comparisons.
    test : {"bs", "ar"}
        Paired bootstrap (Koehn 2004) or approximate randomisation (Riezler and Maxwell 2005).
    n : int
        Number of resamples or trials.
    exact : bool
        Whether the trials enumerate all possible exchanges.
    correction : {"holm", "bh", "none"}
        Multiple-comparison correction.
    """

    difference: float
    interval: Interval
    p_value: float
    test: Test
    n: int
    exact: bool
    correction: str


@dataclass(frozen=True)
class Draw:
    """How differences are drawn.

    Parameters
    ----------
    test : {"bs", "ar"}
        Which test.
    n : int or None
        Number of resamples or trials. None: 1000 resamples, or 10,000 trials.
    seed : int
        Seed of ``numpy.random.default_rng``.
    by : {"segment", "doc"}
        The unit that is drawn or exchanged.
    level : float
        Confidence level of the intervals, in percent.
    """

    test: Test = "ar"
    n: int | None = None
    seed: int = 12345
    by: By = "segment"
    level: float = 95.0

    @property
    def n_resamples(self) -> int:
        """Number of bootstrap resamples; they also give the intervals of a randomisation test."""
        return self.n if self.test == "bs" and self.n else N_RESAMPLES

    @property
    def n_trials(self) -> int:
        """Number of trials of a randomisation test."""
        return self.n or N_TRIALS


def confidence(
    scores: Scores, n: int, level: float, *, seed: int, by: By, resampler: Resampler
) -> dict[tuple[str, str], Interval]:
    """Compute percentile intervals of all scores, see `Evaluation.confidence`."""
    rows = scores.unit_rows(by)
    n_units = len(next(iter(rows.values())))
    totals = weighted_totals(resampler(n_units, n, seed), rows)
    return {
        (system, spec): percentile_interval(resamples, level)
        for spec in scores.scorers
        for system, resamples in scores.mean_scores(totals, spec).items()
    }


def compare(
    scores: Scores, draw: Draw, correction: str = "holm", *, all_pairs: bool = False
) -> dict[tuple[str, str, str], Comparison]:
    """Run paired tests, see `Evaluation.compare`; keys are (system, baseline, spec)."""
    systems = [system for system in scores.runs if system not in scores.humans]
    if len(systems) < 2:
        message = "a paired test needs two systems or more: the first is the baseline"
        raise UsageError(message)
    pairs = [(system, systems[0]) for system in systems[1:]]
    if all_pairs:
        pairs = [(b, a) for a, b in combinations(systems, 2)]
    trials = Trials(scores, draw)
    comparisons = {}
    for spec in scores.scorers:
        differences = trials.differences(spec, pairs)
        p_values = [trials.p_value(spec, d) for d in differences]
        for difference, p in zip(differences, corrected(p_values, correction), strict=True):
            comparisons[difference.system, difference.baseline, spec] = Comparison(
                difference=difference.observed,
                interval=percentile_interval(difference.resampled, draw.level),
                p_value=p,
                test=draw.test,
                n=trials.n,
                exact=trials.exact,
                correction=correction,
            )
    return comparisons


@dataclass(frozen=True)
class Difference:
    """Score of a system minus score of its baseline: as observed, and in bootstrap resamples."""

    system: str
    baseline: str
    observed: float
    resampled: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Trials:
    """Resamples and exchanges, drawn once for all metrics and all pairs of systems.

    Parameters
    ----------
    scores : Scores
        The rows.
    draw : Draw
        How to draw.
    """

    scores: Scores
    draw: Draw

    @cached_property
    def rows(self) -> dict[tuple[str, str], NDArray[np.float64]]:
        """Rows of all units by run and spec, shape (n_units, k)."""
        return self.scores.unit_rows(self.draw.by)

    @cached_property
    def n_units(self) -> int:
        """Number of units."""
        return len(next(iter(self.rows.values())))

    @cached_property
    def exact(self) -> bool:
        """Whether to enumerate all exchanges: there are no more of them than trials."""
        few = self.n_units < 63 and 2**self.n_units <= self.draw.n_trials
        return self.draw.test == "ar" and few and self.scores.single_runs

    @cached_property
    def resampled(self) -> dict[tuple[str, str], NDArray[np.float64]]:
        """Totals of bootstrap resamples by run and spec, shape (n_resamples, k)."""
        weights = bootstrap(self.n_units, self.draw.n_resamples, self.draw.seed)
        return weighted_totals(weights, self.rows)

    @cached_property
    def exchanged(self) -> dict[tuple[str, str], NDArray[np.float64]]:
        """Totals of the units that change sides, by run and spec, shape (n_trials, k)."""
        if self.exact:
            return weighted_totals(all_swaps(self.n_units), self.rows)
        masks = swaps(self.n_units, self.draw.n_trials, self.draw.seed)
        return weighted_totals(masks, self.rows)

    @property
    def n(self) -> int:
        """Number of resamples or trials of the test."""
        if self.draw.test == "bs":
            return self.draw.n_resamples
        return 2**self.n_units if self.exact else self.draw.n_trials

    def differences(self, spec: str, pairs: list[tuple[str, str]]) -> list[Difference]:
        """Compute the differences of all pairs of a system and its baseline under one metric."""
        observed = self.scores.mean_scores(self.scores.totals, spec)
        resampled = self.scores.mean_scores(self.resampled, spec)
        return [
            Difference(a, b, float(observed[a] - observed[b]), resampled[a] - resampled[b])
            for a, b in pairs
        ]

    def p_value(self, spec: str, difference: Difference) -> float:
        """Compute the probability that chance alone gives a difference at least as large."""
        if self.draw.test == "bs":
            by_chance = difference.resampled - difference.resampled.mean()
        elif self.scores.single_runs:
            by_chance = self._after_exchanges(spec, difference)
        else:
            by_chance = self._after_permutations(spec, difference)
        n_extreme = int(at_least(np.abs(by_chance), abs(difference.observed)).sum())
        return p_value(n_extreme, self.n, exact=self.exact)

    def _after_exchanges(self, spec: str, difference: Difference) -> NDArray[np.float64]:
        """Exchange units between two systems with one run each, shape (n_trials,)."""
        system, baseline = difference.system, difference.baseline
        moved = self.exchanged[baseline, spec] - self.exchanged[system, spec]
        totals = self.scores.totals
        score = self.scores.scorers[spec].scores
        return score(totals[system, spec] + moved) - score(totals[baseline, spec] - moved)

    def _after_permutations(self, spec: str, difference: Difference) -> NDArray[np.float64]:
        """Reassign the runs of both systems at random, unit by unit, shape (n_trials,).

        Clark, Dyer, Lavie and Smith 2011, section 3.2.
        """
        runs = self.scores.runs[difference.system] + self.scores.runs[difference.baseline]
        rows = [self.rows[run, spec] for run in runs]
        score = self.scores.scorers[spec].scores

        def slot_scores(sources: NDArray[np.int64]) -> NDArray[np.float64]:
            """Score one slot, given which run it takes each unit from, shape (trials, units)."""
            masks = [(sources == source).astype(np.float64) for source in range(len(runs))]
            return score(np.sum([m @ r for m, r in zip(masks, rows, strict=True)], axis=0))

        n_first = len(self.scores.runs[difference.system])
        differences = []
        for trials in assignments(
            self.n_units, len(runs), count=self.draw.n_trials, seed=self.draw.seed
        ):
            slots = [slot_scores(trials[:, slot]) for slot in range(len(runs))]
            means = [np.mean(half, axis=0) for half in (slots[:n_first], slots[n_first:])]
            differences.append(means[0] - means[1])
        return np.concatenate(differences)
