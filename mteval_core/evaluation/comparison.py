"""Intervals and paired tests for every system and metric of an evaluation.

Everything works on the rows that `Scores` keeps. A *unit* is what is drawn or exchanged: a segment,
or a document with the sum of its rows. Several runs of a system count as one system whose score is
the mean over the runs. Quantities that a metric prepared on the whole reference set stay fixed.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property, partial, reduce
from itertools import combinations
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import InputError, UsageError, warn
from mteval_core.evaluation import SIGNIFICANT
from mteval_core.evaluation.exchanges import Exchanges
from mteval_core.evaluation.intervals import Estimate
from mteval_core.evaluation.p_values import Difference, at_least
from mteval_core.evaluation.resampling import all_swaps, assignments, swaps
from mteval_core.frozen import Frozen
from mteval_core.metrics.sums import are_alike, weighted_totals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.evaluation.draw import Draw
    from mteval_core.evaluation.intervals import Interval
    from mteval_core.evaluation.p_values import Equivalence, PairedTest, Test
    from mteval_core.evaluation.scores import By, Scores
    from mteval_core.metrics.sums import Rows, Sums


class Comparison(Frozen):
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
    correction : {"holm", "bh", "maxt", "none"}
        Multiple-comparison correction.
    all_pairs : bool
        Whether it is one of the tests of every pair of systems.
    raw_p_value : float
        The p-value before correction.
    smallest_p : float
        The smallest corrected p-value that the number of trials allows.
    equivalence : Equivalence or None
        What a margin adds.
    """

    difference: float
    interval: Interval
    p_value: float
    raw_p_value: float
    smallest_p: float
    test: Test
    n: int
    exact: bool
    correction: str
    all_pairs: bool = False
    equivalence: Equivalence | None = None

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below 0.05."""
        return self.p_value < SIGNIFICANT


def confidence(scores: Scores, draw: Draw) -> dict[tuple[str, str], Interval]:
    """Compute intervals of all scores, see `Evaluation.confidence`."""
    trials = Trials(scores, draw)
    return {
        (system, spec): trials.interval(estimate)
        for spec, scorer in scores.scorers.items()
        if scorer.declaration.resample != "none"
        for system, estimate in trials.estimates(spec).items()
    }


def count_units(rows: Mapping[tuple[str, str], Rows], by: By) -> int:
    """Count the units that are drawn.

    Raises
    ------
    InputError
        If there is only one: it cannot be resampled.
    """
    n = len(next(iter(rows.values())))
    if n < 2:
        unit = {"segment": "segment", "doc": "document"}[by]
        raise InputError(
            f"the test set has only one {unit}, which cannot be resampled: intervals and tests "
            f"need at least two {unit}s"
        )
    return n


def compare(
    scores: Scores, draw: Draw, pairs: Sequence[tuple[str, str]], test: PairedTest
) -> dict[tuple[str, str, str], Comparison]:
    """Run paired tests, see `Evaluation.compare`; keys are (system, baseline, spec)."""
    trials = Trials(scores, draw, pairs)
    test = test._replace(n=trials.n, exact=trials.exact)
    smallest_p, all_pairs = test.smallest_p(len(pairs)), len({b for _, b in pairs}) > 1
    warn_unreachable(test, len(pairs), smallest_p)
    comparisons = {}
    for spec, scorer in scores.scorers.items():
        of_all = [trials]
        if scores.misses_segments(spec):
            of_all = [Trials(scores.of_both(*pair, spec), draw, [pair]) for pair in pairs]
        differences = [one for own in of_all for one in own.differences(spec)]
        sign = 1 if scorer.declaration.better == "higher" else -1
        for difference, p in zip(differences, test.p_values(differences, sign), strict=True):
            estimate = difference.estimate
            comparisons[difference.system, difference.baseline, spec] = Comparison(
                difference=estimate.value,
                interval=trials.interval(estimate),
                p_value=p.corrected,
                raw_p_value=p.raw,
                smallest_p=smallest_p,
                test=test.test,
                n=test.n,
                exact=test.exact,
                correction=test.correction,
                all_pairs=all_pairs,
                equivalence=p.equivalence,
            )
    return comparisons


def pairs_of(scores: Scores, *, all_pairs: bool) -> list[tuple[str, str]]:
    """List the pairs of a system and its baseline that are compared.

    Raises
    ------
    UsageError
        If there are fewer than two systems.
    """
    systems = scores.competing
    if len(systems) < 2:
        raise UsageError("a paired test needs two systems or more: the first is the baseline")
    if all_pairs:
        return [(b, a) for a, b in combinations(systems, 2)]
    return [(system, systems[0]) for system in systems[1:]]


def warn_unreachable(test: PairedTest, n_comparisons: int, smallest_p: float) -> None:
    """Warn if no corrected p-value can be significant, however large a difference is."""
    if smallest_p < SIGNIFICANT:
        return
    what = "resamples" if test.test == "bs" else "exchanges" if test.exact else "trials"
    advice = "more units" if test.exact else f"more {what}"
    warn(
        "unreachable-p",
        f"with {test.n} {what} and {n_comparisons} comparisons no p-value can fall below "
        f"{smallest_p:.2g}, so nothing can be significant: use {advice}, or compare fewer systems",
    )


class Trials(Frozen, eq=False):
    """Resamples and exchanges, drawn once for all metrics and all pairs of systems.

    Parameters
    ----------
    scores : Scores
        The rows.
    draw : Draw
        How to draw.
    pairs : sequence of (str, str)
        The systems and baselines that are compared.
    """

    scores: Scores
    draw: Draw
    pairs: Sequence[tuple[str, str]] = ()

    @cached_property
    def rows(self) -> dict[tuple[str, str], Rows]:
        """Rows of all units by run and spec, shape (n_units, k)."""
        return self.scores.unit_rows(self.draw.by)

    @cached_property
    def n_units(self) -> int:
        """Number of units."""
        n = len(self.scores.test_set)
        return n if self.counted else count_units(self.rows, self.draw.by)

    @cached_property
    def counted(self) -> Mapping[tuple[str, str], Sums]:
        """Totals of resamples that were counted with the rows; empty if there are none.

        Raises
        ------
        UsageError
            If they were drawn in another way.
        """
        parts, draw = self.scores.in_parts, self.draw
        if parts is None or not parts.resampled or self.scores.rows or draw.by == "doc":
            return {}
        from mteval_core.evaluation.poisson import check_units, poisson

        n = len(next(iter(parts.resampled.values())))
        seen = (draw.resampler is poisson, draw.test, draw.n_resamples, draw.seed)
        if seen != (True, "bs", n, parts.seed):
            raise UsageError(
                f"the rows were not kept, only {n} resamples of a Poisson bootstrap with the seed "
                f"{parts.seed}: expected intervals and tests (bs) of exactly these"
            )
        check_units(len(self.scores.test_set))
        return parts.resampled

    @cached_property
    def exact(self) -> bool:
        """Whether to enumerate all exchanges: there are no more of them than trials."""
        few = self.n_units < 63 and 2**self.n_units <= self.draw.n
        return self.draw.test == "ar" and few and self.scores.single_runs

    @cached_property
    def resampled(self) -> dict[tuple[str, str], NDArray[np.float64]]:
        """Scores of bootstrap resamples by system and spec, shape (n_resamples,)."""
        draw, chunks = self.draw, iter([self.counted])
        if not self.counted:
            weights = partial(draw.resampler, self.n_units, draw.n_resamples, draw.seed)
            chunks = weighted_totals(weights, self.rows, draw.threads)
        scores: dict[tuple[str, str], NDArray[np.float64]]
        scores = defaultdict(lambda: np.empty(draw.n_resamples))
        n, some = 0, np.empty(0)
        for totals in chunks:
            for spec, scorer in self.scores.scorers.items():
                if scorer.declaration.resample == "with-replacement":
                    for system, some in self.scores.mean_scores(totals, spec).items():
                        scores[system, spec][n : n + len(some)] = some
            n += len(some)
        return dict(scores)

    @cached_property
    def n_as_extreme(self) -> dict[str, list[int]]:
        """In how many trials each pair differs at least as much as it does, by spec."""
        scores, draw = self.scores, self.draw
        if not scores.single_runs:
            count = self._count_permutations
            return {spec: [count(spec, *of) for of in self.pairs] for spec in scores.scorers}
        masks = all_swaps if self.exact else partial(swaps, count=draw.n, seed=draw.seed)
        systems = {system: i for i, system in enumerate(scores.competing)}
        pairs = [(systems[a], systems[b]) for a, b in self.pairs]
        exchanges = {}
        for spec, scorer in scores.scorers.items():
            totals = [scores.totals[system, spec] for system in systems]
            exchanges[spec] = Exchanges(scorer.scores, totals, pairs, exact=self.exact)
        for moved in weighted_totals(partial(masks, self.n_units), self.rows, draw.threads):
            for spec, each in exchanges.items():
                each.try_all([moved[system, spec] for system in systems])
        return {spec: each.n_as_extreme.tolist() for spec, each in exchanges.items()}

    def estimates(self, spec: str) -> dict[str, Estimate]:
        """Compute the score of every system, on the test set and on what intervals need."""
        observed = self.scores.mean_scores(self.scores.totals, spec)
        draw, is_bca = self.draw, self.draw.interval == "bca"
        if self.scores.scorers[spec].declaration.resample == "with-replacement":
            resampled = {one: self.resampled[one, spec] for one in observed}
        elif is_bca:
            raise UsageError(f"{spec} has intervals from subsamples, for which there is no BCa")
        else:
            resampled = self.scores.subsample_scores(spec, draw.by, draw.n_resamples, draw.seed)
        left_out = [self.scores.without_each(spec, draw.by)] if is_bca else []
        return {
            one: Estimate(float(score), resampled[one], [each[one] for each in left_out])
            for one, score in observed.items()
        }

    def interval(self, estimate: Estimate) -> Interval:
        """Compute the interval of a score or a difference."""
        interval = estimate.interval(self.draw.level, self.draw.interval)
        assert interval is not None  # scores are finite
        return interval

    @property
    def n(self) -> int:
        """Number of resamples or trials of the test."""
        return 2**self.n_units if self.exact else self.draw.n

    def differences(self, spec: str) -> list[Difference]:
        """Compute the differences of all pairs of a system and its baseline under one metric."""
        estimates, of_bootstrap = self.estimates(spec), [None] * len(self.pairs)
        counts = self.n_as_extreme[spec] if self.draw.test == "ar" else of_bootstrap
        return [
            Difference(
                system,
                baseline,
                (estimates[system], estimates[baseline]),
                constant=self._are_alike(spec, system, baseline),
                n_as_extreme=count,
            )
            for (system, baseline), count in zip(self.pairs, counts, strict=True)
        ]

    def _are_alike(self, spec: str, system: str, baseline: str) -> bool:
        """Test whether all units are alike, so that every resample is the test set itself."""
        runs = self.scores.runs[system] + self.scores.runs[baseline]
        if self.scores.in_parts and self.counted:
            return all(self.scores.in_parts.alike[run, spec] for run in runs)
        return all(are_alike(self.rows[run, spec]) for run in runs)

    def _count_permutations(self, spec: str, system: str, baseline: str) -> int:
        """Count trials that reassign the runs of both systems at random, unit by unit.

        Clark, Dyer, Lavie and Smith 2011, section 3.2.
        """
        runs = self.scores.runs[system] + self.scores.runs[baseline]
        rows = [self.rows[run, spec] for run in runs]
        score = self.scores.scorers[spec].scores

        def slot_scores(sources: NDArray[np.int64]) -> NDArray[np.float64]:
            """Score one slot, given which run it takes each unit from, shape (trials, units)."""
            masks = [(sources == source).astype(np.float64) for source in range(len(runs))]
            return score(reduce(add, [m @ r for m, r in zip(masks, rows, strict=True)]))

        n_first = len(self.scores.runs[system])
        differences = []
        for trials in assignments(self.n_units, len(runs), count=self.draw.n, seed=self.draw.seed):
            slots = [slot_scores(trials[:, slot]) for slot in range(len(runs))]
            means = [np.mean(half, axis=0) for half in (slots[:n_first], slots[n_first:])]
            differences.append(means[0] - means[1])
        found = self.scores.mean_scores(self.scores.totals, spec)
        observed = np.abs(found[system] - found[baseline])
        return int(at_least(np.abs(np.concatenate(differences)), observed).sum())
