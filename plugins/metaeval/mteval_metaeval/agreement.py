"""Agreement of raters with each other and with themselves.

References
----------
Krippendorff 2011, "Computing Krippendorff's alpha-reliability" (interval data, missing values).
Turian, Shen and Melamed 2003, "Evaluation of machine translation and its evaluation", section 4.
Federico 2008, "Statistical machine translation", part IV (consistency of graders).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import UsageError
from mteval_metaeval.correlation import DECIMALS, mean_over_groups, pearson, spearman
from mteval_metaeval.missing import quotient, standardized
from mteval_metaeval.notes import FewSharedOutputs, NoSharedOutputs
from mteval_metaeval.raters import merge_repeats, number_outputs, standardize_raters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import Judgments
    from mteval_metaeval.notes import Note

    Indices = NDArray[np.int64]

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
        Mean and standard deviation of the scores; the deviation divides by n - 1.
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
    equal, within_one : float
        Share of these pairs whose scores are equal, and that differ by at most 1 (Federico 2008).
    mean_pearson, mean_spearman : float
        Means over the pairs of raters for which the coefficient is defined.
    alpha, alpha_z : float
        Krippendorff's alpha for interval data, of the scores and of the normalised scores.
    n_repeated : int
        Number of times that a rater judged an output again.
    intra_pearson, intra_spearman : float
        Coefficients between a rater's earlier and later judgment.
    intra_equal, intra_within_one : float
        Share of these that are equal, and that differ by at most 1.
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
    equal: float
    within_one: float
    mean_pearson: float
    mean_spearman: float
    alpha: float
    alpha_z: float
    n_repeated: int
    intra_pearson: float
    intra_spearman: float
    intra_equal: float
    intra_within_one: float

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
    raw, normalized = merge_repeats(judgments), merge_repeats(standardize_raters(judgments))
    rater, earlier, later = repeats(judgments)
    if len(judgments.raters) < 2 and not len(rater):
        raise UsageError("agreement needs two raters, or a rater who judged an output twice")
    agreements = []
    for c in range(len(judgments.criteria)):
        again = ~np.isnan(earlier[:, c] + later[:, c])
        repeated = earlier[again, c], later[again, c]
        agreements.append(_agreement(judgments, c, (raw, normalized), repeated))
    return agreements


def repeats(
    judgments: Judgments,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Find outputs that the same rater judged more than once.

    Returns
    -------
    rater : ndarray of int64, shape (m,)
    earlier, later : ndarray of float64, shape (m, n_criteria)
        Every two judgments of the same output by the same rater, in the order of the file.
    """
    key = np.stack([judgments.system, judgments.item, judgments.rater])
    order = np.lexsort((np.arange(len(judgments)), *key))
    pairs: list[tuple[int, int]] = []
    start = 0
    for stop in [*np.flatnonzero(np.any(np.diff(key[:, order]), axis=0)) + 1, len(judgments)]:
        same = order[start:stop].tolist()
        pairs += [(a, b) for k, b in enumerate(same) for a in same[:k]]
        start = stop
    earlier, later = np.array(pairs, np.int64).reshape(-1, 2).T
    return judgments.rater[earlier], judgments.scores[earlier], judgments.scores[later]


def _agreement(
    judgments: Judgments,
    c: int,
    merged: tuple[Judgments, Judgments],
    repeats: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> Agreement:
    """Measure the agreement under one criterion.

    Parameters
    ----------
    judgments : Judgments
    c : int
        Index of the criterion.
    merged : two Judgments
        One judgment for each rater of each output, and the same with normalised scores.
    repeats : two ndarray of float64, shape (n_repeated,)
        Earlier and later judgments of an output by the same rater.
    """
    present = ~np.isnan(merged[0].scores[:, c])
    rater, output = (indices[present] for indices in (merged[0].rater, number_outputs(merged[0])))
    # Means of equal scores may differ in the last bit; ranks must not.
    raw, normalized = (np.round(each.scores[present, c], DECIMALS) for each in merged)
    first, second = _pairs_of_judgments(output)
    one, other = np.append(first, second), np.append(second, first)
    raters = rater[first], rater[second]
    pairs = tuple(_pairs(judgments.raters, raters, (raw[first], raw[second])))
    return Agreement(
        criterion=judgments.criteria[c],
        raters=tuple(_rater_scores(judgments, c)),
        pairs=pairs,
        n_shared=int(np.sum(np.bincount(output) > 1)),
        n_pooled=len(one),
        pearson=float(pearson(raw[one], raw[other])),
        spearman=float(spearman(raw[one], raw[other])),
        pearson_z=float(pearson(normalized[one], normalized[other])),
        spearman_z=float(spearman(normalized[one], normalized[other])),
        equal=_share_within(0, raw[first], raw[second]),
        within_one=_share_within(1, raw[first], raw[second]),
        mean_pearson=float(mean_over_groups(np.array([pair.pearson for pair in pairs]))),
        mean_spearman=float(mean_over_groups(np.array([pair.spearman for pair in pairs]))),
        alpha=_alpha(raw, output),
        alpha_z=_alpha(normalized, output),
        n_repeated=len(repeats[0]),
        intra_pearson=float(pearson(*repeats)),
        intra_spearman=float(spearman(*repeats)),
        intra_equal=_share_within(0, *repeats),
        intra_within_one=_share_within(1, *repeats),
    )


def _share_within(most: float, x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Share of pairs of scores that differ by at most this number; NaN without a pair."""
    differences = np.round(np.abs(x - y), DECIMALS)
    return float(np.mean(differences <= most)) if len(x) else float("nan")


def _rater_scores(judgments: Judgments, c: int) -> Iterator[RaterScores]:
    for k, name in enumerate(judgments.raters):
        scores = judgments.scores[judgments.rater == k, c]
        scores = scores[~np.isnan(scores)]
        mean = float(scores.mean()) if len(scores) else np.nan
        deviation = float(scores.std(ddof=1)) if len(scores) > 1 else np.nan
        yield RaterScores(name, len(scores), mean, deviation)


def _pairs_of_judgments(output: NDArray[np.int64]) -> tuple[Indices, Indices]:
    """Index all pairs of judgments of the same output; the outputs must be sorted."""
    n = len(output)
    most = int(np.bincount(output).max()) if n else 0
    places = [np.flatnonzero(output[: n - k] == output[k:]) for k in range(1, most)]
    empty = np.empty(0, np.int64)
    first = np.concatenate([empty, *places])
    return first, np.concatenate([empty, *(each + k for k, each in enumerate(places, 1))])


def _pairs(
    names: tuple[str, ...],
    raters: tuple[Indices, Indices],
    scores: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> Iterator[RaterPair]:
    """Correlate all pairs of raters, from all pairs of judgments of the same output."""
    key = raters[0] * len(names) + raters[1]
    order = np.argsort(key, kind="stable")
    for same in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        if len(same):
            a, b = divmod(int(key[same[0]]), len(names))
            x, y = (each[same] for each in scores)
            yield RaterPair(
                first=names[a],
                second=names[b],
                n=len(same),
                pearson=float(pearson(x, y)),
                spearman=float(spearman(x, y)),
            )


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
    unit, rater = np.nonzero(~np.isnan(scores.T))
    return _alpha(scores[rater, unit], unit)


def _alpha(values: NDArray[np.float64], unit: NDArray[np.int64]) -> float:
    """Compute alpha from values and the number of the unit of each; see `krippendorff_alpha`."""
    # Alpha does not depend on the scale; the squares of very small or large numbers could overflow.
    values, m = standardized(values), np.bincount(unit)
    paired = m[unit] > 1
    values, unit = values[paired], unit[paired]
    n = len(values)
    if not n or values.max() == values.min():
        return float("nan")
    # Squared differences of all ordered pairs of m values: 2 m sum (v - mean)^2.
    mean = quotient(np.bincount(unit, values, len(m)), m)
    within = (values - mean[unit]) ** 2
    observed = float(np.sum(2 * m[unit] * within / (m[unit] - 1))) / n
    expected = float(2 * n * np.sum((values - values.mean()) ** 2)) / (n * (n - 1))
    return 1 - observed / expected
