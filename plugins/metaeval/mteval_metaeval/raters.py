"""Judgments of raters: scores on one scale, and segments by their numbers in a test set.

References
----------
Blatz et al. 2003, "Confidence estimation for machine translation", section 4.2, and Lavie, Sagae
and Jayaraman 2004, section 3.1 (normalisation).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import InputError, UsageError
from mteval_metaeval.missing import standardized

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Judgments

__all__ = ["number_segments", "standardize_raters"]


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
        message = (
            "normalising scores per rater needs the raters' names: a column 'rater' in every file"
        )
        raise UsageError(message)
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
        message = (
            f"the judgments name segments by ids, such as {judgments.items[0]!r}, but the test set "
            f"has none: name the column of ids, --fields id=FIELD"
        )
        raise InputError(message)
    numbers = {name: number for number, name in enumerate(ids)}
    unknown = [str(item) for item in judgments.items if item not in numbers]
    if unknown:
        message = f"segment {unknown[0]!r} was judged, but is not in the test set"
        raise InputError(message)
    return replace(judgments, items=tuple(numbers[str(item)] for item in judgments.items))
