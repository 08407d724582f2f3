"""Agreement of raters with each other, and with themselves.

References
----------
Krippendorff 2011, "Computing Krippendorff's alpha-reliability" (interval data, missing values).
Turian, Shen and Melamed 2003, "Evaluation of machine translation and its evaluation", section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.metaeval.correlation import mean_over_groups, pearson, spearman, standardized
from mteval_core.metaeval.notes import FewSharedOutputs, NoSharedOutputs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.metaeval.judgments import Judgments
    from mteval_core.metaeval.notes import Note

__all__ = ["Agreement", "RaterPair", "RaterScores", "krippendorff_alpha", "rater_agreement"]


FEW = 10
"""The coefficient of two raters who share fewer outputs is not reliable."""


@dataclass(frozen=True)
class RaterScores:
    """How one rater scores.

    Parameters
    ----------
    rater : str
        Name.
    n : int
        Number of outputs judged.
    mean, deviation : float
        Of the scores; the deviation is that of a population.
    """

    rater: str
    n: int
    mean: float
    deviation: float


@dataclass(frozen=True)
class RaterPair:
    """Two raters on the outputs that both judged.

    Parameters
    ----------
    first, second : str
        Names.
    n : int
        Number of outputs that both judged.
    pearson, spearman : float
        NaN where they are not defined. Normalising scores per rater changes neither.
    """

    first: str
    second: str
    n: int
    pearson: float
    spearman: float


@dataclass(frozen=True)
class Agreement:
    """Agreement of raters under one criterion. Made by `rater_agreement`.

    Parameters
    ----------
    criterion : str
        What was scored.
    raters : tuple of RaterScores
        Each rater.
    pairs : tuple of RaterPair
        All pairs of raters that judged an output in common.
    n_shared : int
        Number of outputs with two judgments or more.
    n_pooled : int
        Number of pairs of judgments of an output, both orders counted.
    pearson, spearman : float
        Over all these pairs of judgments together.
    pearson_z, spearman_z : float
        The same with scores normalised per rater.
    mean_pearson, mean_spearman : float
        Means over the pairs of raters for which the coefficient is defined.
    alpha, alpha_z : float
        Krippendorff's alpha for interval data, of the scores and of the normalised scores.
    n_repeated : int
        Number of times that a rater judged an output again.
    intra_pearson, intra_spearman : float
        Between the earlier and the later judgment.
    """

    criterion: str
    raters: tuple[RaterScores, ...]
    pairs: tuple[RaterPair, ...]
    n_shared: int
    n_pooled: int
    pearson: float
    spearman: float
    pearson_z: float
    spearman_z: float
    mean_pearson: float
    mean_spearman: float
    alpha: float
    alpha_z: float
    n_repeated: int
    intra_pearson: float
    intra_spearman: float

    @property
    def n_pairs(self) -> int:
        """Number of pairs of raters."""
        return len(self.pairs)

    @property
    def notes(self) -> list[Note]:
        """Notes on outputs that no raters, or too few, have in common."""
        notes: list[Note] = [] if self.n_shared else [NoSharedOutputs(self.criterion)]
        n_few = sum(1 for pair in self.pairs if pair.n < FEW)
        if n_few:
            notes.append(FewSharedOutputs(self.criterion, n_few, self.n_pairs, FEW))
        return notes


def rater_agreement(judgments: Judgments) -> list[Agreement]:
    """Measure the agreement of raters.

    Parameters
    ----------
    judgments : Judgments
        Of segments, documents or systems. Where a rater judged an output more than once the mean
        counts, but for the agreement of the rater with himself.

    Returns
    -------
    list of Agreement
        One for each criterion.

    Raises
    ------
    UsageError
        If the raters are not known.
    """
    normalized = judgments.normalized().by_rater()
    raw = judgments.by_rater()
    rater, earlier, later = judgments.repeats()
    if len(judgments.raters) < 2 and not len(rater):
        message = "agreement needs two raters, or a rater who judged an output twice"
        raise UsageError(message)
    n_raters = len(judgments.raters)
    found = []
    for c, criterion in enumerate(judgments.criteria):
        scores, z = (a[:, c].reshape(n_raters, -1) for a in (raw, normalized))
        pairs = tuple(_pairs(judgments.raters, scores))
        one, other = _pooled(scores)
        one_z, other_z = _pooled(z)
        again = ~np.isnan(earlier[:, c] + later[:, c])
        found.append(
            Agreement(
                criterion,
                tuple(_rater_scores(judgments, c)),
                pairs,
                int(np.sum(np.sum(~np.isnan(scores), axis=0) > 1)),
                len(one),
                float(pearson(one, other)),
                float(spearman(one, other)),
                float(pearson(one_z, other_z)),
                float(spearman(one_z, other_z)),
                float(mean_over_groups(np.array([pair.pearson for pair in pairs]))),
                float(mean_over_groups(np.array([pair.spearman for pair in pairs]))),
                krippendorff_alpha(scores),
                krippendorff_alpha(z),
                int(again.sum()),
                float(pearson(earlier[again, c], later[again, c])),
                float(spearman(earlier[again, c], later[again, c])),
            )
        )
    return found


def _rater_scores(judgments: Judgments, c: int) -> list[RaterScores]:
    found = []
    for k, name in enumerate(judgments.raters):
        given = judgments.scores[judgments.rater == k, c]
        given = given[~np.isnan(given)]
        mean, deviation = (given.mean(), given.std()) if len(given) else (np.nan, np.nan)
        found.append(RaterScores(name, len(given), float(mean), float(deviation)))
    return found


def _pairs(raters: tuple[str, ...], scores: NDArray[np.float64]) -> list[RaterPair]:
    """Correlate all pairs of raters; ``scores`` has the shape (n_raters, n_outputs)."""
    present = ~np.isnan(scores)
    shared = present.astype(np.int64) @ present.T
    found = []
    for a, b in combinations(range(len(raters)), 2):
        if shared[a, b]:
            both = present[a] & present[b]
            x, y = scores[a, both], scores[b, both]
            r, rho = float(pearson(x, y)), float(spearman(x, y))
            found.append(RaterPair(raters[a], raters[b], int(shared[a, b]), r, rho))
    return found


def _pooled(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """All pairs of judgments of an output, in both orders."""
    one: list[NDArray[np.float64]] = [np.empty(0)]
    other: list[NDArray[np.float64]] = [np.empty(0)]
    for of_output in scores.T[np.sum(~np.isnan(scores), axis=0) > 1]:
        given = of_output[~np.isnan(of_output)]
        i, j = np.nonzero(~np.eye(len(given), dtype=bool))
        one.append(given[i])
        other.append(given[j])
    return np.concatenate(one), np.concatenate(other)


def krippendorff_alpha(scores: NDArray[np.float64]) -> float:
    """Krippendorff's alpha for interval data.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_raters, n_units)
        NaN is a missing value; units with one value do not count.

    Returns
    -------
    float
        1 - observed disagreement / expected disagreement; NaN without a pair of values, or if all
        values are equal.

    Notes
    -----
    With the m values of each unit, and n values in all, D_o is the sum over units of the squared
    differences of all ordered pairs, divided by m - 1, over n; D_e is the sum of the squared
    differences of all ordered pairs of the n values over n (n - 1).
    """
    present = ~np.isnan(scores)
    paired = present & (present.sum(axis=0) > 1)
    n = int(paired.sum())
    # Interval data have no unit: very small and very large numbers would have no squares.
    scores = standardized(scores)
    values = scores[paired]
    if not n or values.max() == values.min():
        return float("nan")
    # Squared differences of all ordered pairs of m values: 2 m sum (v - mean)^2.
    m = np.maximum(paired.sum(axis=0), 2)
    mean = np.sum(scores, axis=0, where=paired) / m
    within = np.sum((scores - mean) ** 2, axis=0, where=paired)
    observed = float(np.sum(2 * m * within / (m - 1))) / n
    expected = float(2 * n * np.sum((values - values.mean()) ** 2)) / (n * (n - 1))
    return 1 - observed / expected
