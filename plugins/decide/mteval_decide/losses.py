"""Losses by segment: where the difference of two outputs comes from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from mteval_core import Evaluation

__all__ = ["ROUNDING", "Loss", "largest_losses", "on_both"]

ROUNDING = 1e-9
"""Differences up to this one are no differences."""


class Loss(NamedTuple):
    """What a segment contributes to the loss of a system.

    Parameters
    ----------
    segment : int
        Its number, from 0.
    before, after : float
        Its scores.
    without : float
        The difference of the systems without the segment.
    old, new : str
        The outputs of the first run of the base and of the system.
    """

    segment: int
    before: float
    after: float
    without: float
    old: str
    new: str


def largest_losses(
    evaluation: Evaluation, pair: tuple[str, str], spec: str, most: int | None = None
) -> list[Loss]:
    """List the segments without which a system would have lost less, those that lose most first.

    Parameters
    ----------
    evaluation : Evaluation
        Systems under metrics, with their rows.
    pair : (str, str)
        The system, and its predecessor.
    spec : str
        The metric.
    most : int, optional
        The largest number of segments (default: all that lose).

    Returns
    -------
    list of Loss
        Empty for a metric that scores whole documents.
    """
    if evaluation.scorers[spec].declaration.unit == "document":
        return []
    evaluation = on_both(evaluation, pair, spec)
    scorer, scores = evaluation.scorers[spec], evaluation.scores
    sign = 1 if scorer.declaration.better == "higher" else -1
    new, old = (evaluation.score(name, spec).score for name in pair)
    left_out = scores.without_each(spec, "segment")
    without = left_out[pair[0]] - left_out[pair[1]]
    saved = sign * (without - (new - old))
    ranked = np.argsort(-saved.round(9), kind="stable")  # equal losses in the order of the text
    order = [k for k in ranked[:most].tolist() if saved[k] > ROUNDING]
    main = list(scorer.scales).index(scorer.main)
    after, before = (scores.values(name, spec, "segment")[:, main] for name in pair)
    news, olds = (scores.corpus.texts[scores.runs[name][0]] for name in pair)
    return [
        Loss(
            k,
            float(before[k]),
            float(after[k]),
            without=float(without[k]),
            old=olds[k] or "",
            new=news[k] or "",
        )
        for k in order
    ]


def on_both(evaluation: Evaluation, pair: tuple[str, str], spec: str) -> Evaluation:
    """Return the scores of two systems over the segments that a metric has a score of for both."""
    scores = evaluation.scores
    if not scores.misses_segments(spec):
        return evaluation
    return replace(evaluation, scores=scores.of_both(*pair, spec))
