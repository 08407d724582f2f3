"""Judgments of raters: sums of criteria, scores on one scale, and means over raters.

References
----------
Blatz et al. 2003, "Confidence estimation for machine translation", section 4.2, and Lavie, Sagae
and Jayaraman 2004, section 3.1 (normalisation, the sum of adequacy and fluency).
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import InputError, UnknownNameError, UsageError
from mteval_metaeval.missing import quotient, standardized

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mteval_core import Judgments

__all__ = [
    "choose_criteria",
    "mean_scores",
    "merge_repeats",
    "number_outputs",
    "number_segments",
    "standardize_raters",
]


def choose_criteria(judgments: Judgments, criteria: Iterable[str]) -> Judgments:
    """Choose criteria, or make sums of them.

    Parameters
    ----------
    judgments : Judgments
        Judgments with the criteria.
    criteria : iterable of str
        Names of criteria, or ``NAME=CRITERION+CRITERION+...``, their sum. A minus sign before
        a criterion negates it: ``score=-MQM``.

    Returns
    -------
    Judgments

    Raises
    ------
    UsageError
        If a criterion is unknown, or a name occurs twice.
    """
    criteria = list(criteria)
    chosen: dict[str, NDArray[np.float64]] = {}
    for requested in criteria:
        name, _, parts = requested.rpartition("=")
        if not name or requested in judgments.criteria:
            name, column = requested, _column(judgments, requested)
        else:
            column = np.sum([_signed(judgments, part) for part in parts.split("+")], axis=0)
        if name in chosen:
            raise UsageError(f"the criterion {name!r} is given twice")
        chosen[name] = column
    if not chosen:
        raise UsageError(
            f"no criterion chosen; expected one or more of {', '.join(judgments.criteria)}"
        )
    words = {word for given in criteria for word in (given, *re.split("[=+]-?", given))}
    return replace(
        judgments,
        criteria=tuple(chosen),
        scores=np.stack(list(chosen.values()), axis=1),
        unchosen=tuple(name for name in judgments.criteria if name not in words),
    )


def _signed(judgments: Judgments, part: str) -> NDArray[np.float64]:
    """Return a criterion, or its negation if a minus sign precedes it."""
    if part in judgments.criteria or not part.startswith("-"):
        return _column(judgments, part)
    return -_column(judgments, part[1:])


def _column(judgments: Judgments, criterion: str) -> NDArray[np.float64]:
    if criterion not in judgments.criteria:
        near = UnknownNameError.near(criterion, judgments.criteria)
        raise UnknownNameError(f"unknown criterion {criterion!r}.{near}")
    return judgments.scores[:, judgments.criteria.index(criterion)]


def merge_repeats(judgments: Judgments) -> Judgments:
    """Average the judgments of an output by the same rater, so that one is left.

    Returns
    -------
    Judgments
        One judgment for each rater of each output, sorted by system, item and rater.
    """
    shape = (len(judgments.systems), len(judgments.items) or 1, len(judgments.raters))
    keys = np.ravel_multi_index((judgments.system, judgments.item, judgments.rater), shape)
    kept, place = np.unique(keys, return_inverse=True)
    columns = []
    for scores in judgments.scores.T:
        present = ~np.isnan(scores)
        n = np.bincount(place[present], minlength=len(kept))
        total = np.bincount(place[present], scores[present], len(kept))
        columns.append(quotient(total, n))
    system, item, rater = np.unravel_index(kept, shape)
    scores = np.stack(columns, axis=1)
    return replace(judgments, system=system, item=item, rater=rater, scores=scores)


def number_outputs(
    judgments: Judgments,
    systems: Sequence[str] | None = None,
    items: Sequence[int] | Sequence[str] | None = None,
) -> NDArray[np.int64]:
    """Number the outputs that were judged, system by system.

    Parameters
    ----------
    judgments : Judgments
        The judgments.
    systems, items : sequence, optional
        Systems and items to number, in this order. Default: all that were judged.

    Returns
    -------
    ndarray of int64, shape (n,)
        For each judgment, the number of its output; -1 for another system or item.
    """
    own = judgments.items or (0,)
    systems = judgments.systems if systems is None else systems
    items = own if items is None else items
    system = _indices(judgments.systems, systems)[judgments.system]
    item = _indices(own, items)[judgments.item]
    return np.where((system >= 0) & (item >= 0), system * len(items) + item, -1)


def mean_scores(
    judgments: Judgments,
    systems: Sequence[str] | None = None,
    items: Sequence[int] | Sequence[str] | None = None,
    minimum: int = 1,
) -> NDArray[np.float64]:
    """Average the scores of each output over its raters.

    Parameters
    ----------
    judgments : Judgments
        The judgments.
    systems, items : sequence, optional
        Systems and items to return, in this order. Default: all that were judged.
    minimum : int
        An output that fewer raters judged is missing.

    Returns
    -------
    ndarray of float64, shape (n_criteria, n_systems, n_items)
        NaN where missing.

    Raises
    ------
    UsageError
        If a minimum is requested and the raters are not known.
    """
    if minimum > 1 and "" in judgments.raters:
        raise UsageError(
            f"a minimum of {minimum} judgments needs the raters' names: a column 'rater' in "
            f"every file"
        )
    systems = judgments.systems if systems is None else systems
    items = judgments.items or (0,) if items is None else items
    shape = len(systems), len(items)
    merged = merge_repeats(judgments)
    output = number_outputs(merged, systems, items)
    means = []
    for scores in merged.scores.T:
        present = (output >= 0) & ~np.isnan(scores)
        n = np.bincount(output[present], minlength=math.prod(shape))
        total = np.bincount(output[present], scores[present], math.prod(shape))
        means.append(quotient(total, np.where(n >= minimum, n, 0)).reshape(shape))
    return np.stack(means)


def _indices(
    names: Sequence[int] | Sequence[str], wanted: Sequence[int] | Sequence[str]
) -> NDArray[np.int64]:
    """Look up the index of each name among those wanted; -1 if it is not wanted."""
    place: dict[object, int] = {name: i for i, name in enumerate(wanted)}
    return np.array([place.get(name, -1) for name in names], np.int64)


def standardize_raters(judgments: Judgments) -> Judgments:
    """Standardise the scores of each rater to mean 0 and standard deviation 1, per criterion.

    Returns
    -------
    Judgments
        Scores are (score - mean) / standard deviation over all judgments of the rater. The
        standard deviation divides by n - 1, as in the z-scores that WMT publishes. Scores are 0
        for a rater who always gives the same score.

    Raises
    ------
    UsageError
        If the raters are not known.
    """
    if "" in judgments.raters:
        raise UsageError(
            "normalising scores per rater needs the raters' names: a column 'rater' in every file"
        )
    scores = np.empty_like(judgments.scores)
    for rater in range(len(judgments.raters)):
        own = judgments.rater == rater
        scores[own] = np.stack([standardized(column) for column in judgments.scores[own].T], axis=1)
    return replace(judgments, scores=scores)


def number_segments(judgments: Judgments, ids: Sequence[str] | None) -> Judgments:
    """Replace the ids of segments by their numbers in a test set.

    Parameters
    ----------
    judgments : Judgments
        Judgments of segments.
    ids : sequence of str or None
        The ids of the segments of the test set, in its order.

    Returns
    -------
    Judgments
        The same judgments if they are not of segments with ids.

    Raises
    ------
    InputError
        If the test set has no ids, or not that of a segment that was judged.
    """
    if judgments.level != "segment" or not judgments.items or isinstance(judgments.items[0], int):
        return judgments
    if ids is None:
        raise InputError(
            f"the judgments name segments by ids, such as {judgments.items[0]!r}, but the test set "
            f"has none: name the column of ids, --fields id=FIELD"
        )
    numbers = {name: number for number, name in enumerate(ids)}
    unknown = [str(item) for item in judgments.items if item not in numbers]
    if unknown:
        raise InputError(f"segment {unknown[0]!r} was judged, but is not in the test set")
    return replace(judgments, items=tuple(numbers[str(item)] for item in judgments.items))
