"""Matrices of segment scores, every hypothesis against every reference, and expected utility."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from mteval_core import UsageError, in_threads
from mteval_mbr.pairs import Pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mteval_core import Scorer
    from mteval_mbr.pairs import Side

    Result = TypeVar("Result")

__all__ = ["expected_utility", "matrix"]

SIDE = 128
"""Texts on each side of a tile: the pairs that a metric gets at once."""


def matrix(
    scorer: Scorer,
    hypotheses: Sequence[str],
    references: Sequence[str] | None = None,
    *,
    source: str | None = None,
    cells: ArrayLike | None = None,
    threads: int = 1,
) -> NDArray[np.float64]:
    """Score every hypothesis against every reference.

    A cell is the `sentence_score` of its hypothesis and its reference. Equal texts are scored
    once.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    hypotheses : sequence of str, length H
        Translations of one segment.
    references : sequence of str, length R, optional
        What they are compared with (default: the hypotheses themselves).
    source : str, optional
        The source of the segment, for metrics that use it.
    cells : array-like of bool, shape (H, R), optional
        The cells to compute (default: all). The others are NaN.
    threads : int
        Number of parts of the matrix that are computed at the same time. It does not change
        the scores.

    Returns
    -------
    ndarray of float64, shape (H, R)
        In the scale in which the metric is reported.

    Raises
    ------
    UsageError
        If the metric uses no references or has only scores from outside, or the cells have
        another shape or type.
    InputError
        If there is no hypothesis or no reference, one of them is not a string, or a pair is too
        long for the metric; if the metric needs a source that is not there, or is jackknifed.

    Examples
    --------
    >>> from mteval_core import metric
    >>> from mteval_mbr import matrix
    >>> matrix(metric("wer"), ["a b", "a c", "x y"])
    array([[  0.,  50., 100.],
           [ 50.,   0., 100.],
           [100., 100.,   0.]])
    """
    pairs = Pairs(scorer, hypotheses, references, source)
    wanted = wanted_cells(pairs, cells)
    scores = np.full(wanted.shape, np.nan)

    def fill(rows: slice, columns: slice) -> None:
        h, r = np.nonzero(wanted[rows, columns])
        if len(h):
            found = pairs.scores(h + rows.start, r + columns.start)
            scores[rows, columns][h, r] = found

    in_tiles(fill, pairs, threads, one_reference=pairs.is_prepared)
    every = scores[np.ix_(pairs.hypotheses.distinct, pairs.references.distinct)]
    return every if cells is None else np.where(cells, every, np.nan)


def expected_utility(
    scorer: Scorer,
    hypotheses: Sequence[str],
    references: Sequence[str] | None = None,
    *,
    weights: ArrayLike | None = None,
    source: str | None = None,
    aggregate: bool = False,
    threads: int = 1,
) -> NDArray[np.float64]:
    """Compute the expected utility of each hypothesis.

    Parameters
    ----------
    scorer, hypotheses, references, source, threads
        As for `matrix`. The references stand for the translations that are possible.
    weights : array-like of float, shape (R,), optional
        How probable each reference is, up to a common factor (default: all are equally
        probable).
    aggregate : bool
        Whether to apply the formula of the metric to the weighted sum of the rows of a
        hypothesis, as if the references were those of a test set whose outputs are all this
        hypothesis. Otherwise the utility is the weighted mean of a row of the matrix.

    Returns
    -------
    ndarray of float64, shape (H,)
        In the scale in which the metric is reported; lower is better if that is so for the
        metric.

    Raises
    ------
    UsageError
        If the metric uses no references or has only scores from outside, or there is not one
        weight per reference, 0 or more, and not all 0.
    InputError
        As for `matrix`.

    Notes
    -----
    The mean is what minimum Bayes risk decoding maximizes (Kumar and Byrne 2004, equation 2).
    A metric with a ``prepare`` method is prepared on each reference alone for the mean, and on
    all references for the aggregate.

    References
    ----------
    Kumar and Byrne 2004, "Minimum Bayes-risk decoding for statistical machine translation".

    Examples
    --------
    >>> from mteval_core import metric
    >>> from mteval_mbr import expected_utility
    >>> wer = metric("wer")
    >>> expected_utility(wer, ["a b", "a c", "x y"], ["a b", "a b c"]).round(2)
    array([ 16.67,  41.67, 100.  ])
    >>> expected_utility(wer, ["a b"], ["a b", "a b c"], aggregate=True)
    array([20.])
    """
    pairs = Pairs(scorer, hypotheses, references, source)
    utility = aggregate_utility if aggregate else mean_utility
    summed = sum_weights(weights, pairs.references)
    return utility(pairs, summed, threads)[pairs.hypotheses.distinct]


def in_tiles(
    function: Callable[[slice, slice], Result],
    pairs: Pairs,
    threads: int,
    *,
    one_reference: bool = False,
) -> list[Result]:
    """Call a function with the rows and columns of tiles of the matrix, row by row.

    A pooled metric gets larger tiles, one at a time.
    """
    n, m = len(pairs.hypotheses.places), len(pairs.references.places)
    pooled = pairs.scorer.declaration.pooled
    height = n if pooled or one_reference else SIDE
    width = 1 if one_reference else m if pooled else SIDE
    tiles = [
        (slice(top, min(top + height, n)), slice(left, min(left + width, m)))
        for top in range(0, n, height)
        for left in range(0, m, width)
    ]
    return in_threads(function, tiles, 1 if pooled else threads)


def every_pair(rows: slice, columns: slice) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List the pairs of a tile: their hypotheses, and their references."""
    h, r = np.mgrid[rows, columns]
    return h.ravel(), r.ravel()


def mean_utility(pairs: Pairs, weights: NDArray[np.float64], threads: int) -> NDArray[np.float64]:
    """Compute the weighted mean of the scores of each distinct hypothesis."""
    sums = np.zeros(len(pairs.hypotheses.places))

    def sum_scores(rows: slice, columns: slice) -> tuple[slice, NDArray[np.float64]]:
        scores = pairs.scores(*every_pair(rows, columns))
        return rows, scores.reshape(-1, len(weights[columns])) @ weights[columns]

    for rows, part in in_tiles(sum_scores, pairs, threads, one_reference=pairs.is_prepared):
        sums[rows] += part
    means: NDArray[np.float64] = sums / weights.sum()
    return means


def aggregate_utility(
    pairs: Pairs, weights: NDArray[np.float64], threads: int
) -> NDArray[np.float64]:
    """Apply the formula to the weighted sum of the rows of each distinct hypothesis."""
    bound = pairs.bound(pairs.references.distinct)
    n, m = len(pairs.hypotheses.places), len(pairs.references.places)
    if pairs.scorer.setup.keeps_rows:
        wholes = (every_pair(slice(i, i + 1), slice(0, m)) for i in range(n))
        at_once = 1 if pairs.scorer.declaration.pooled else threads
        totals = in_threads(lambda *whole: weights @ pairs.rows(bound, *whole), wholes, at_once)
        return np.array([bound.scorer.scores(total) for total in totals])

    def sum_rows(rows: slice, columns: slice) -> tuple[int, NDArray[np.float64]]:
        own = pairs.rows(bound, *every_pair(rows, columns))
        return rows.start, weights[columns] @ own.reshape(-1, len(weights[columns]), own.shape[1])

    parts: dict[int, list[NDArray[np.float64]]] = {}
    for top, part in in_tiles(sum_rows, pairs, threads):
        parts.setdefault(top, []).append(part)
    return bound.scorer.scores(np.concatenate([np.sum(part, axis=0) for part in parts.values()]))


def wanted_cells(pairs: Pairs, cells: ArrayLike | None) -> NDArray[np.bool_]:
    """Mark the cells of distinct texts that are wanted.

    Raises
    ------
    UsageError
        If the cells have another shape than the matrix, or are not Booleans.
    """
    hypotheses, references = pairs.hypotheses, pairs.references
    wanted = np.zeros((len(hypotheses.places), len(references.places)), np.bool_)
    if cells is None:
        return ~wanted
    given = np.asarray(cells)
    expected = len(hypotheses.distinct), len(references.distinct)
    if given.shape != expected or given.dtype != np.bool_:
        raise UsageError(
            f"the cells are {given.dtype} of shape {given.shape}; expected bool of shape {expected}"
        )
    h, r = np.nonzero(given)
    wanted[hypotheses.distinct[h], references.distinct[r]] = True
    return wanted


def sum_weights(weights: ArrayLike | None, references: Side) -> NDArray[np.float64]:
    """Add up the weights of equal references, shape (n_distinct,).

    Raises
    ------
    UsageError
        If there is not one weight per reference, 0 or more, and not all 0.
    """
    n = len(references.distinct)
    given: NDArray[Any] = np.ones(n) if weights is None else np.asarray(weights)
    if given.shape != (n,) or given.dtype.kind not in "biuf":
        raise UsageError(
            f"the weights are {given.dtype} of shape {given.shape}; expected {n} numbers, one per "
            f"reference"
        )
    if not (np.isfinite(given).all() and (given >= 0).all() and given.any()):
        raise UsageError("the weights: expected finite numbers, 0 or more, and not all 0")
    return np.bincount(references.distinct, given).astype(np.float64)
