"""Random judgments: one of each output; of pseudo-documents, by one judge or by two different ones.

References
----------
Melamed, Green and Turian 2003, "Precision and recall of machine translation", section 4.
Turian, Shen and Melamed 2003, "Evaluation of machine translation and its evaluation", section 3.2.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mteval_metaeval.correlation import DECIMALS
from mteval_metaeval.missing import quotient
from mteval_metaeval.raters import number_outputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import Judgments
    from mteval_metaeval.study import Study

__all__ = ["by_output", "draw_judgments", "one_judge", "two_judges"]


def draw_judgments(judgments: Judgments, seed: int = 12345) -> Judgments:
    """Keep one judgment of each output, drawn at random.

    Returns
    -------
    Judgments
        One score for each output and criterion. All scores of an output come from the same
        judgment, unless that judgment lacks some.
    """
    order = np.random.default_rng(seed).permutation(len(judgments))
    output = judgments.system * max(1, len(judgments.items)) + judgments.item
    scores = np.full_like(judgments.scores, np.nan)
    for c in range(len(judgments.criteria)):
        present = order[~np.isnan(judgments.scores[order, c])]
        _, first = np.unique(output[present], return_index=True)
        scores[present[first], c] = judgments.scores[present[first], c]
    kept = ~np.isnan(scores).all(axis=1)
    return replace(
        judgments,
        system=judgments.system[kept],
        item=judgments.item[kept],
        rater=judgments.rater[kept],
        scores=scores[kept],
    )


def by_output(
    study: Study, judgments: Judgments
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Sort the scores of each criterion by output, and count those of every output."""
    output = number_outputs(judgments, study.systems, study.units)
    order = np.argsort(output, kind="stable")
    shape = len(study.systems), len(study.units)
    for scores in judgments.scores.T:
        kept = order[(output[order] >= 0) & ~np.isnan(scores[order])]
        n = np.bincount(output[kept], minlength=math.prod(shape))
        yield scores[kept], n.reshape(shape)


def one_judge(
    scores: NDArray[np.float64],
    n: NDArray[np.int64],
    weights: NDArray[np.float64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw a judge for every output of every document; see `two_judges`."""
    start = (np.cumsum(n) - n.ravel()).reshape(n.shape)
    judge = rng.integers(0, np.maximum(n, 1), (len(weights), *n.shape))
    drawn = np.where(n > 0, scores[np.where(n > 0, start + judge, 0)], 0.0)
    used = weights[:, None] * (n > 0)
    return np.round(quotient(np.sum(drawn * used, axis=-1), used.sum(axis=-1)), DECIMALS)


def two_judges(
    scores: NDArray[np.float64],
    n: NDArray[np.int64],
    weights: NDArray[np.float64],
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw two judges for every output of every document, and average their scores by system.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_judgments,)
        Scores of all outputs, one output after the other.
    n : ndarray of int64, shape (n_systems, n_units)
        Number of scores of every output.
    weights : ndarray of float64, shape (chunk, n_units)
        The documents.
    rng : numpy.random.Generator
        Draws the judges.

    Returns
    -------
    two ndarray of float64, shape (chunk, n_systems)
    """
    twice = n > 1
    several = np.where(twice, n, 2)
    start = (np.cumsum(n) - n.ravel()).reshape(n.shape)
    first = rng.integers(0, several, (len(weights), *n.shape))
    second = (first + rng.integers(1, several, first.shape)) % several
    used = weights[:, None] * twice
    count = used.sum(axis=-1)
    means = []
    for judge in (first, second):
        drawn = scores[np.where(twice, start + judge, 0)]
        total = np.sum(np.where(twice, drawn, 0.0) * used, axis=-1)
        means.append(np.round(quotient(total, count), DECIMALS))
    return means[0], means[1]
