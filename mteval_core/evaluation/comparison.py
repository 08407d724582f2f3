"""Intervals and paired tests for every system and metric of an evaluation.

All of it works on the rows that an `Evaluation` keeps. A *unit* is what is drawn or exchanged: a
segment, or a document with the sum of its rows. Several runs of one system count as one system
whose score is the mean over the runs. Metrics that are prepared on the references keep what was
prepared on the whole test set.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from mteval_core.evaluation.evaluation import Evaluation

    Resampler = Callable[[int, int, int], Iterator[NDArray[np.float64]]]

__all__ = ["By", "Comparison", "Test", "compare", "confidence"]

By = Literal["segment", "doc"]
Test = Literal["bs", "ar"]


@dataclass(frozen=True)
class Comparison:
    """One system against another under one metric.

    Parameters
    ----------
    difference : float
        Score of the system less that of the baseline, in the scale in which people read it.
    interval : Interval
        Of the difference, by bootstrap.
    p_value : float
        How often chance alone makes a difference as large, corrected for many comparisons.
    test : {"bs", "ar"}
        Paired bootstrap (Koehn 2004) or approximate randomisation (Riezler and Maxwell 2005).
    n : int
        Number of resamples or trials.
    exact : bool
        Whether the trials are all that there can be.
    correction : {"holm", "bh", "none"}
        For how many comparisons, and how.
    """

    difference: float
    interval: Interval
    p_value: float
    test: Test
    n: int
    exact: bool
    correction: str


def unit_rows(evaluation: Evaluation, by: By) -> dict[tuple[str, str], NDArray[np.float64]]:
    """Rows of all units of every run and metric, shape (n_units, k)."""
    return {
        (run, spec): evaluation.sums(run, spec, by)
        for runs in evaluation.runs.values()
        for run in runs
        for spec in evaluation.scorers
    }


def mean_scores(
    evaluation: Evaluation, totals: Mapping[tuple[str, str], NDArray[np.float64]], spec: str
) -> dict[str, NDArray[np.float64]]:
    """Scores of every system from totals of its runs; shape (count,)."""
    return {
        system: np.mean(
            [main_score(evaluation, system, spec, totals[run, spec]) for run in runs], axis=0
        )
        for system, runs in evaluation.runs.items()
    }


def main_score(
    evaluation: Evaluation, system: str, spec: str, totals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Main value of totals, shape (..., k) to (...)."""
    scorer = evaluation.scorer(system, spec)
    return scorer.values(totals)[..., list(scorer.scales).index(scorer.main)]


def confidence(
    evaluation: Evaluation,
    n: int = 1000,
    level: float = 95.0,
    seed: int = 12345,
    by: By = "segment",
    resampler: Resampler = bootstrap,
) -> dict[tuple[str, str], Interval]:
    """Percentile intervals of all scores, see `Evaluation.confidence`."""
    rows = unit_rows(evaluation, by)
    n_units = len(next(iter(rows.values())))
    totals = weighted_totals(resampler(n_units, n, seed), rows)
    return {
        (system, spec): percentile_interval(scores, level)
        for spec in evaluation.scorers
        for system, scores in mean_scores(evaluation, totals, spec).items()
    }


def compare(
    evaluation: Evaluation,
    test: Test = "ar",
    n: int | None = None,
    seed: int = 12345,
    by: By = "segment",
    correct: str = "holm",
    *,
    all_pairs: bool = False,
    level: float = 95.0,
) -> dict[tuple[str, str, str], Comparison]:
    """Paired tests, see `Evaluation.compare`; keys are (system, baseline, spec)."""
    systems = [system for system in evaluation.runs if system not in evaluation.humans]
    if len(systems) < 2:
        message = "a paired test needs two systems or more: the first is the baseline"
        raise UsageError(message)
    pairs = (
        [(b, a) for a, b in combinations(systems, 2)]
        if all_pairs
        else [(system, systems[0]) for system in systems[1:]]
    )
    rows = unit_rows(evaluation, by)
    n_units = len(next(iter(rows.values())))
    n_resamples = n if test == "bs" and n else 1000
    n_trials = n or 10_000
    resampled = weighted_totals(bootstrap(n_units, n_resamples, seed), rows)
    exchanged = {}
    exact = False
    if test == "ar":
        # Every way of exchanging units, where these are no more than the trials asked for.
        exact = n_units < 63 and 2**n_units <= n_trials and evaluation.single_runs
        masks = all_swaps(n_units) if exact else swaps(n_units, n_trials, seed)
        if evaluation.single_runs:
            exchanged = weighted_totals(masks, rows)
    found: dict[tuple[str, str, str], Comparison] = {}
    for spec in evaluation.scorers:
        scores = mean_scores(evaluation, resampled, spec)
        observed = mean_scores(evaluation, evaluation.totals, spec)
        raw = []
        for system, baseline in pairs:
            difference = float(observed[system] - observed[baseline])
            differences = scores[system] - scores[baseline]
            if test == "bs":
                chance = np.abs(differences - differences.mean())
            elif evaluation.single_runs:
                total_a, total_b = (evaluation.totals[s, spec] for s in (system, baseline))
                moved = exchanged[baseline, spec] - exchanged[system, spec]
                chance = np.abs(
                    main_score(evaluation, system, spec, total_a + moved)
                    - main_score(evaluation, baseline, spec, total_b - moved)
                )
            else:
                chance = np.abs(
                    _shuffled(evaluation, rows, spec, (system, baseline), n_trials, seed)
                )
            extreme = int(at_least(chance, abs(difference)).sum())
            raw.append(p_value(extreme, len(chance), exact=exact))
            found[system, baseline, spec] = Comparison(
                difference,
                percentile_interval(differences, level),
                1.0,
                test,
                len(chance),
                exact,
                correct,
            )
        for (system, baseline), p in zip(pairs, corrected(raw, correct), strict=True):
            key = (system, baseline, spec)
            found[key] = replace(found[key], p_value=p)
    return found


def _shuffled(
    evaluation: Evaluation,
    rows: Mapping[tuple[str, str], NDArray[np.float64]],
    spec: str,
    pair: tuple[str, str],
    n_trials: int,
    seed: int,
) -> NDArray[np.float64]:
    """Differences of the means over runs when each unit deals the runs of both systems anew.

    Clark, Dyer, Lavie and Smith 2011, section 3.2.
    """
    sides = [system for system in pair for _ in evaluation.runs[system]]
    pool = np.stack([rows[run, spec] for system in pair for run in evaluation.runs[system]])
    sizes = [len(evaluation.runs[system]) for system in pair]
    differences = []
    for dealt in assignments(pool.shape[1], len(sides), n_trials, seed):
        scores = [
            main_score(
                evaluation,
                side,
                spec,
                sum(
                    (dealt[:, slot] == source).astype(np.float64) @ pool[source]
                    for source in range(len(sides))
                ),
            )
            for slot, side in enumerate(sides)
        ]
        differences.append(
            np.mean(scores[: sizes[0]], axis=0) - np.mean(scores[sizes[0] :], axis=0)
        )
    return np.concatenate(differences)
