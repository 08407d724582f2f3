"""Which metric is better? All pairs of metrics tested, and ranks as WMT prints them.

References
----------
See `mteval_core.metaeval.significance`, where the tests are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import corrected
from mteval_core.metaeval.correlation import mean_over_groups, pearson
from mteval_core.metaeval.experiments import (
    SYSTEM_LEVEL,
    Resampling,
    interval_of,
    quiet,
    resample,
)
from mteval_core.metaeval.notes import SegmentMeans
from mteval_core.metaeval.segments import DRAWN, SEGMENT_LEVEL, groups, resampled_means
from mteval_core.metaeval.significance import bootstrap_p, clusters, perm_both, williams

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.evaluation.resampling import Interval
    from mteval_core.metaeval.experiments import Bar
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.segments import Grouping
    from mteval_core.metaeval.significance import Alternative
    from mteval_core.metaeval.study import Study

__all__ = ["TESTS", "Comparison", "Ranking", "Test", "rank_metrics"]

Test = Literal["williams", "perm-both", "bootstrap"]
TESTS: tuple[Test, ...] = ("williams", "perm-both", "bootstrap")


@dataclass(frozen=True)
class Comparison:
    """One metric against another.

    Parameters
    ----------
    better, worse : str
        The metrics, the one with the higher coefficient first.
    difference : float
        Of their coefficients, as the test sees them.
    p_value : float
        How often chance alone makes such a difference, corrected for the number of comparisons;
        NaN if the test is not defined.
    interval : Interval or None
        Of the difference, by bootstrap; None if the test draws none.
    """

    better: str
    worse: str
    difference: float
    p_value: float
    interval: Interval | None = None


@dataclass(frozen=True)
class Ranking:
    """Metrics in falling order of their coefficient with one criterion.

    Parameters
    ----------
    criterion : str
        The human score.
    coefficient : str
        Its name.
    grouping : str
        Empty for systems; what was compared with each other for segments.
    test : {"williams", "perm-both", "bootstrap"}
        Which test.
    alternative : {"greater", "two-sided"}
        One-sided or two-sided.
    correction : {"holm", "bh", "none"}
        For the number of pairs.
    metrics : tuple of str
        The metrics.
    values : tuple of float
        Their coefficients.
    ranks : tuple of (int or None)
        The same for metrics that are not significantly different, see
        `mteval_core.metaeval.significance.clusters`; None without a coefficient.
    comparisons : tuple of Comparison
        Of all pairs, in the order of the metrics.
    """

    criterion: str
    coefficient: str
    grouping: str
    test: Test
    alternative: Alternative
    correction: str
    metrics: tuple[str, ...]
    values: tuple[float, ...]
    ranks: tuple[int | None, ...]
    comparisons: tuple[Comparison, ...]


def rank_metrics(
    study: Study,
    coefficient: str = "pearson",
    grouping: Grouping | None = None,
    test: Test | None = None,
    resampling: Resampling | None = None,
    correct: str = "holm",
    alternative: Alternative = "greater",
    alpha: float = 0.05,
    bar: Bar = quiet,
) -> tuple[list[Ranking], list[Note]]:
    """Test which metric is better, for all pairs of metrics.

    Parameters
    ----------
    study : Study
    coefficient : str
        ``pearson``, ``spearman``, ``kendall`` or ``pairwise accuracy``.
    grouping : {"none", "item", "system"}, optional
        Compare on segments, grouped so; on systems, unless given.
    test : {"williams", "perm-both", "bootstrap"}, optional
        Williams' test, for Pearson's coefficient of systems or ungrouped segments; PERM-BOTH,
        which exchanges segment scores, so that a system's score is the mean of its segments; the
        paired bootstrap of the difference. Unless given, Williams' where it applies, else
        PERM-BOTH.
    resampling : Resampling, optional
        How trials and resamples are drawn; 1000 resamples of the segments, unless given.
    correct : {"holm", "bh", "none"}
        Correction for the number of pairs.
    alternative : {"greater", "two-sided"}
        Whether the better metric is better, or whether the two differ.
    alpha : float
        p-values up to it are significant.
    bar : callable
        ``bar(steps, total)`` gives the steps back and may show progress.

    Returns
    -------
    list of Ranking
        One for each criterion.
    list of Note

    Raises
    ------
    UsageError
        If the test does not apply, or there are fewer than two metrics.
    """
    resampling = resampling or Resampling()
    contest = _Contest(study, coefficient, grouping, resampling, alternative)
    test = test or ("williams" if contest.suits_williams else "perm-both")
    contest.check(test)
    trial = {
        "williams": contest.williams,
        "perm-both": contest.perm_both,
        "bootstrap": contest.bootstrap,
    }[test]
    names = contest.names
    order = [
        np.argsort(np.where(np.isnan(v), np.inf, -v), kind="stable").tolist()
        for v in contest.values
    ]
    pairs = [(c, i, j) for c in range(len(order)) for i, j in combinations(order[c], 2)]
    tested = {pair: trial(*pair) for pair in bar(pairs, len(pairs))}
    rankings = []
    for c, criterion in enumerate(study.criteria):
        comparisons = _corrected([tested[p] for p in pairs if p[0] == c], correct)
        values = contest.values[c, order[c]].tolist()
        better = np.full((len(names), len(names)), np.nan)
        better[np.triu_indices(len(names), 1)] = [done.p_value for done in comparisons]
        rankings.append(
            Ranking(
                criterion.name,
                coefficient,
                grouping or "",
                test,
                alternative,
                correct,
                tuple(names[k] for k in order[c]),
                tuple(values),
                tuple(
                    None if math.isnan(value) else rank
                    for value, rank in zip(values, clusters(better, alpha), strict=True)
                ),
                tuple(comparisons),
            )
        )
    return rankings, contest.notes(test)


def _corrected(comparisons: list[Comparison], correct: str) -> list[Comparison]:
    """Correct the p-values; an undefined one stays so, and counts as one of the comparisons."""
    raw = [1.0 if math.isnan(done.p_value) else done.p_value for done in comparisons]
    return [
        done if math.isnan(done.p_value) else replace(done, p_value=p)
        for done, p in zip(comparisons, corrected(raw, correct), strict=True)
    ]


class _Contest:
    """Coefficients of all metrics on systems or segments, and the tests of a pair of them."""

    def __init__(
        self,
        study: Study,
        coefficient: str,
        grouping: Grouping | None,
        resampling: Resampling,
        alternative: Alternative,
    ) -> None:
        if len(study.measures) < 2:
            message = "comparing metrics needs two metrics or more"
            raise UsageError(message)
        if coefficient not in SEGMENT_LEVEL:
            message = f"no coefficient {coefficient!r}: expected one of {', '.join(SEGMENT_LEVEL)}"
            raise UsageError(message)
        if grouping is not None:
            study.need_items("comparing metrics on segments")
        self.study, self.grouping = study, grouping
        self.resampling, self.alternative = resampling, alternative
        self.function = (SYSTEM_LEVEL if grouping is None else SEGMENT_LEVEL)[coefficient]
        self.names = [f"{m.name} ({m.set})" if m.set else m.name for m in study.measures]
        self.suits_williams = coefficient == "pearson" and grouping in (None, "none")
        # Every score is one of a group; systems are a single one.
        if grouping is None:
            self.metrics, self.humans = (scores[:, None] for scores in study.totals)
        else:
            self.metrics = groups(study.item_scores, grouping)
            self.humans = groups(study.human_items, grouping)
        # Shape (n_criteria, n_measures, n_groups).
        self.of_groups = self.function(self.metrics[None], self.humans[:, None])
        self.values = mean_over_groups(self.of_groups)

    def check(self, test: Test) -> None:
        if test not in TESTS:
            message = f"no test {test!r}: expected one of {', '.join(TESTS)}"
            raise UsageError(message)
        if test == "williams" and not self.suits_williams:
            message = (
                "Williams' test is for Pearson's coefficient of systems or ungrouped segments; "
                "expected perm-both or bootstrap here"
            )
            raise UsageError(message)
        if test == "perm-both":
            self.study.need_items("PERM-BOTH")
        if test == "bootstrap" and self.grouping not in (None, DRAWN.get(self.resampling.draw)):
            message = (
                "the bootstrap of segment-level coefficients draws the groups: segments, so it "
                "needs the grouping by item, or systems, and by system; expected perm-both here"
            )
            raise UsageError(message)
        if test != "williams" and not self.resampling.n:
            message = f"{test} needs resamples; expected one or more"
            raise UsageError(message)

    def notes(self, test: Test) -> list[Note]:
        return [SegmentMeans()] if test == "perm-both" and self.grouping is None else []

    def williams(self, c: int, i: int, j: int) -> Comparison:
        human = self.humans[c].ravel()
        judged = ~np.isnan(human)
        x, y = (self.metrics[k].ravel()[judged] for k in (i, j))
        human = human[judged]
        r12, r13, r23 = (float(pearson(a, b)) for a, b in ((human, x), (human, y), (x, y)))
        p = williams(r12, r13, r23, len(human), self.alternative).p_value
        return Comparison(self.names[i], self.names[j], r12 - r13, p)

    def perm_both(self, c: int, i: int, j: int) -> Comparison:
        def coefficient(scores: NDArray[np.float64]) -> NDArray[np.float64]:
            if self.grouping is None:
                return self.function(np.mean(scores, axis=-1), self.humans[c, 0])
            return mean_over_groups(self.function(groups(scores, self.grouping), self.humans[c]))

        x, y = self.study.item_scores[[i, j]]
        if self.grouping is not None:
            # What nobody judged takes no part, in the standardisation either.
            x, y = (np.where(np.isnan(self.study.human_items[c]), np.nan, a) for a in (x, y))
        found = perm_both(
            x,
            y,
            coefficient,
            self.resampling.n,
            self.resampling.seed,
            self.alternative,
        )
        return Comparison(self.names[i], self.names[j], found.statistic, found.p_value)

    def bootstrap(self, c: int, i: int, j: int) -> Comparison:
        differences = self.resampled[c, i] - self.resampled[c, j]
        observed = float(self.values[c, i] - self.values[c, j])
        p = bootstrap_p(differences, observed, self.alternative)
        interval = interval_of(differences, self.resampling.level)
        return Comparison(self.names[i], self.names[j], observed, p, interval)

    @cached_property
    def resampled(self) -> NDArray[np.float64]:
        """Resampled coefficients, shape (n_criteria, n_measures, n_resamples)."""
        if self.grouping is not None:
            return resampled_means(self.of_groups, self.resampling)
        found: NDArray[np.float64] = resample(self.study, [self.function], self.resampling)[0]
        return found
