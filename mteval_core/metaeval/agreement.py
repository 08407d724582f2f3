"""Agreement of raters with each other and with themselves.

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

from mteval_core.data.missing import standardized
from mteval_core.errors import UsageError
from mteval_core.metaeval.correlation import mean_over_groups, pearson, spearman
from mteval_core.metaeval.notes import FewSharedOutputs, NoSharedOutputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core.data.judgments import Judgments
    from mteval_core.metaeval.notes import Note

__all__ = ["Agreement", "RaterPair", "RaterScores", "krippendorff_alpha", "rater_agreement"]


FEW = 10
"""If two raters share fewer outputs, their coefficient is not reliable."""


@dataclass(frozen=True)
class RaterScores:
    """Scores of one rater.

    Parameters
    ----------
    rater : str
        Name.
    n : int
        Number of outputs judged.
    mean, deviation : float
        Mean and standard deviation of the scores; the deviation is that of a population.
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
        NaN if not defined. Normalising the scores of each rater does not change them.
    """

    first: str
    second: str
    n: int
    pearson: float
    spearman: float


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Agreement of raters under one criterion. Made by `rater_agreement`.

    Parameters
    ----------
    criterion : str
        What was scored.
    raters : tuple of RaterScores
        The raters.
    pairs : tuple of RaterPair
        All pairs of raters who judged at least one output in common.
    n_shared : int
        Number of outputs with two judgments or more.
    n_pooled : int
        Number of pairs of judgments of the same output; both orders count.
    pearson, spearman : float
        Coefficients over these pairs of judgments.
    pearson_z, spearman_z : float
        The same with scores normalised per rater.
    mean_pearson, mean_spearman : float
        Means over the pairs of raters for which the coefficient is defined.
    alpha, alpha_z : float
        Krippendorff's alpha for interval data, of the scores and of the normalised scores.
    n_repeated : int
        Number of times that a rater judged an output again.
    intra_pearson, intra_spearman : float
        Coefficients between a rater's earlier and later judgment.
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
        """Notes on raters who share no outputs, or too few."""
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
        Judgments of segments, documents or systems. If a rater judged an output more than once,
        the mean counts, except in the agreement of raters with themselves.

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
    shape = len(judgments.raters), len(judgments.criteria), -1
    raw, normalized = raw.reshape(shape), normalized.reshape(shape)
    agreements = []
    for c in range(len(judgments.criteria)):
        again = ~np.isnan(earlier[:, c] + later[:, c])
        repeats = earlier[again, c], later[again, c]
        agreements.append(_agreement(judgments, c, (raw[:, c], normalized[:, c]), repeats))
    return agreements


def _agreement(
    judgments: Judgments,
    c: int,
    scores: tuple[NDArray[np.float64], NDArray[np.float64]],
    repeats: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> Agreement:
    """Measure the agreement under one criterion.

    Parameters
    ----------
    judgments : Judgments
    c : int
        Index of the criterion.
    scores : two ndarray of float64, shape (n_raters, n_outputs)
        Scores of the raters, and normalised scores.
    repeats : two ndarray of float64, shape (n_repeated,)
        Earlier and later judgments of an output by the same rater.
    """
    raw, normalized = scores
    pairs = tuple(_pairs(judgments.raters, raw))
    one, other = _pooled(raw)
    one_z, other_z = _pooled(normalized)
    return Agreement(
        criterion=judgments.criteria[c],
        raters=tuple(_rater_scores(judgments, c)),
        pairs=pairs,
        n_shared=int(np.sum(np.sum(~np.isnan(raw), axis=0) > 1)),
        n_pooled=len(one),
        pearson=float(pearson(one, other)),
        spearman=float(spearman(one, other)),
        pearson_z=float(pearson(one_z, other_z)),
        spearman_z=float(spearman(one_z, other_z)),
        mean_pearson=float(mean_over_groups(np.array([pair.pearson for pair in pairs]))),
        mean_spearman=float(mean_over_groups(np.array([pair.spearman for pair in pairs]))),
        alpha=krippendorff_alpha(raw),
        alpha_z=krippendorff_alpha(normalized),
        n_repeated=len(repeats[0]),
        intra_pearson=float(pearson(*repeats)),
        intra_spearman=float(spearman(*repeats)),
    )


def _rater_scores(judgments: Judgments, c: int) -> Iterator[RaterScores]:
    for k, name in enumerate(judgments.raters):
        scores = judgments.scores[judgments.rater == k, c]
        scores = scores[~np.isnan(scores)]
        mean, deviation = (scores.mean(), scores.std()) if len(scores) else (np.nan, np.nan)
        yield RaterScores(name, len(scores), float(mean), float(deviation))


def _pairs(raters: tuple[str, ...], scores: NDArray[np.float64]) -> Iterator[RaterPair]:
    """Correlate all pairs of raters; ``scores`` has the shape (n_raters, n_outputs)."""
    present = ~np.isnan(scores)
    shared = present.astype(np.int64) @ present.T
    for a, b in combinations(range(len(raters)), 2):
        if not shared[a, b]:
            continue
        both = present[a] & present[b]
        x, y = scores[a, both], scores[b, both]
        yield RaterPair(
            first=raters[a],
            second=raters[b],
            n=int(shared[a, b]),
            pearson=float(pearson(x, y)),
            spearman=float(spearman(x, y)),
        )


def _pooled(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """List all pairs of judgments of the same output, in both orders."""
    one: list[NDArray[np.float64]] = [np.empty(0)]
    other: list[NDArray[np.float64]] = [np.empty(0)]
    for of_output in scores.T[np.sum(~np.isnan(scores), axis=0) > 1]:
        judged = of_output[~np.isnan(of_output)]
        i, j = np.nonzero(~np.eye(len(judged), dtype=bool))
        one.append(judged[i])
        other.append(judged[j])
    return np.concatenate(one), np.concatenate(other)


def krippendorff_alpha(scores: NDArray[np.float64]) -> float:
    """Compute Krippendorff's alpha for interval data.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_raters, n_units)
        NaN is a missing value. Units with one value do not count.

    Returns
    -------
    float
        1 - observed disagreement / expected disagreement. NaN without a pair of values, or if all
        values are equal.

    Notes
    -----
    There are m values of a unit, and n values in total. D_o takes the squared differences of all
    ordered pairs within a unit, divides them by m - 1, sums over units and divides by n. D_e is the
    mean squared difference of all n (n - 1) ordered pairs of values.
    """
    present = ~np.isnan(scores)
    paired = present & (present.sum(axis=0) > 1)
    n = int(paired.sum())
    # Alpha does not depend on the scale; the squares of very small or large numbers could overflow.
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
