"""The texts and scores of all segments, for the browser of segments."""

from __future__ import annotations

from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core import Mark, UsageError
from mteval_core.report import Column

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import Evaluation, Scorer, TestSet

__all__ = ["MOST", "Browser", "browser", "chosen"]

MOST = 50_000
"""Number of segments in a page. Of more, it shows those in which systems differ most."""


class Browser(NamedTuple):
    """What the page says of the segments, what there is to choose, and the data for its script."""

    note: str
    choices: list[tuple[str, str, list[str]]]
    data: dict[str, Any]


def browser(evaluation: Evaluation, decimals: int) -> Browser:
    """Collect texts and scores, segment by segment: similar texts are near, so they compress."""
    scores = segment_scores(evaluation)
    (test_set, texts), systems = evaluation.scores.corpus, evaluation.systems
    segments = chosen(next(iter(scores.values()), None), len(test_set))
    outputs = [texts[evaluation.scores.runs[system][0]] for system in systems]
    marks = [marks_of(evaluation, spec) for spec in scores]
    names = list(dict.fromkeys(test_set.documents or ()))
    number_of = {name: k for k, name in enumerate(names)}
    rows: list[list[Any]] = [
        [
            i,
            number_of[test_set.documents[i]] if test_set.documents else None,
            test_set.source[i] if test_set.source else None,
            [stream[i] for stream in test_set.references],
            [output[i] for output in outputs],
            [[short(x) for x in of_metric[i].tolist()] for of_metric in scores.values()],
            [of_metric and [own[i] for own in of_metric] for of_metric in marks],
        ]
        for i in segments
    ]
    titles = [title_of(evaluation.scorers[spec]) for spec in scores]
    better = [evaluation.scorers[spec].declaration.better for spec in scores]
    data = {
        "systems": systems,
        "metrics": titles,
        "signs": [1 if word == "higher" else -1 for word in better],
        "decimals": decimals,
        "documents": names,
        "marked": any(marks),
        "segments": rows,
    }
    choices = [("Metric", "metric", titles)] if scores else []
    choices += [("System", "a", systems), ("compared with", "b", systems)][: len(systems)]
    return Browser(note(evaluation, scores, len(segments)), choices, data)


def title_of(scorer: Scorer) -> str:
    """Name a metric as tables do, in one line and without its direction."""
    name, *options = Column.heads_of(scorer)
    return " ".join([name.rpartition(" ")[0], *options])


def segment_scores(evaluation: Evaluation) -> dict[str, NDArray[np.float64]]:
    """Score the segments under each metric that can, shape (n_segments, n_systems)."""
    scores = {}
    for spec, scorer in evaluation.scorers.items():
        try:
            values = [evaluation.scores.values(s, spec, "segment") for s in evaluation.systems]
        except UsageError:  # no rows, or a metric without scores of segments
            continue
        main = list(scorer.scales).index(scorer.main)
        scores[spec] = np.stack([of_system[:, main] for of_system in values], axis=1)
    return scores


Written = tuple[int, int, int, int, str]
"""A mark in the page: its text (0 the hypothesis, 1 the source, 2 and more the references), start
and end as JavaScript counts, the level of its severity, and what it says."""

LEVELS = {"neutral": 1, "minor": 2, "major": 3, "critical": 4}
"""Levels of severities, which the style sheet knows."""


def marks_of(evaluation: Evaluation, spec: str) -> list[list[list[Written]]] | None:
    """Mark the segments of each system by a metric that marks; None for other metrics."""
    test_set, texts = evaluation.scores.corpus
    found = []
    for system in evaluation.systems:
        text = texts[evaluation.scores.runs[system][0]]
        try:
            marks = Mark.of(evaluation.scorers[spec], text, test_set)
        except UsageError:  # the metric has no marks
            return None
        found.append(
            [list(written(own, text[i] or "", test_set, i)) for i, own in enumerate(marks)]
        )
    return found


def written(
    marks: tuple[Mark, ...], hypothesis: str, test_set: TestSet, i: int
) -> Iterator[Written]:
    """Write the marks of a segment, the worst first."""
    there = [k for k, stream in enumerate(test_set.references) if stream[i] is not None]
    for mark in sorted(marks, key=lambda mark: -LEVELS[mark.severity]):
        text, side = hypothesis, 0
        if mark.side == "source" and test_set.source is not None:
            text, side = test_set.source[i] or "", 1
        elif mark.side == "reference":
            k = there[mark.to]
            text, side = test_set.references[k][i] or "", 2 + k
        start, end = (in_utf16(text, place) for place in (mark.start, mark.end))
        known = "" if mark.confidence is None else f" (confidence {mark.confidence:.2f})"
        said = f"{mark.severity} {mark.category}".strip() + (mark.note and f": {mark.note}")
        yield side, start, end, LEVELS[mark.severity], said + known


def in_utf16(text: str, place: int) -> int:
    """Count a place of a text as JavaScript does, in units of UTF-16.

    Examples
    --------
    >>> in_utf16("a🙂b", 2)
    3
    """
    return place + sum(character > "\uffff" for character in text[:place])


def chosen(scores: NDArray[np.float64] | None, n: int, most: int = MOST) -> list[int]:
    """Choose at most `most` segments: for each pair of systems, those that differ most.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_segments, n_systems), or None
        Scores under one metric. Of a single system, those furthest from its median are chosen.
    n : int
        Number of segments.
    most : int
        How many are chosen.

    Returns
    -------
    list of int
        Numbers of segments, ascending.

    Examples
    --------
    >>> chosen(np.array([[1.0, 1], [5, 1], [2, 4], [3, 3]]), 4, 2)
    [1, 2]
    """
    if n <= most or scores is None:
        return list(range(min(n, most)))
    scores = np.nan_to_num(scores)
    differences = [scores[:, a] - scores[:, b] for a, b in combinations(range(scores.shape[1]), 2)]
    differences = differences or [scores[:, 0] - np.median(scores[:, 0])]
    each = max(1, most // len(differences))
    best = [np.argsort(-np.abs(some), kind="stable")[:each] for some in differences]
    numbers: list[int] = np.unique(np.stack(best, axis=1).ravel()[:most]).tolist()
    return numbers


def short(number: float) -> float | int | None:
    """Round a score to four digits, which is enough to sort and to read; None if there is none."""
    if isnan(number):
        return None
    rounded = float(f"{number:.4g}")
    return int(rounded) if rounded.is_integer() else rounded


def note(evaluation: Evaluation, scores: dict[str, Any], n_shown: int) -> str:
    """Say which segments are there, and what is not."""
    lines = []
    n = len(evaluation.scores.test_set)
    if n_shown < n:
        which = "those in which two systems differ most" if scores else "the first ones"
        by = f" under {next(iter(scores))}" if scores else ""
        lines.append(f"{n_shown:,} of {n:,} segments are in this file: {which}{by}.")
    left_out = [spec for spec in evaluation.scorers if spec not in scores]
    if left_out:
        lines.append(f"Without scores of segments: {', '.join(left_out)}.")
    if not evaluation.scores.single_runs:
        lines.append("Texts are those of the first run of a system; scores are means of its runs.")
    return " ".join(lines)
