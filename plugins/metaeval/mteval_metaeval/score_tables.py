"""Tables of scores that another program computed, in the form of tables of human scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Dataset, FileSample, InputError, OutsideScores
from mteval_metaeval.raters import mean_scores
from mteval_metaeval.tables import read_judgments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Judgments, Registry

__all__ = ["read", "sample", "scores"]


def read(path: str) -> Dataset:
    """Read a table of scores as a data set: one metric for each column of scores.

    Parameters
    ----------
    path : str
        A table with the columns ``system``, ``segment`` (from 0) or ``doc`` or neither, and one or
        more of scores; see `mteval_metaeval.tables.read_judgments`.

    Raises
    ------
    InputError
        If the file is not such a table, or a system lacks a score.
    """
    table = read_judgments([path])
    refuse_repeats(table, path)
    if table.level == "segment":
        refuse_gaps(table, path)
    refuse_missing(table, path)
    ((_, digest),) = table.sources
    scores = [
        OutsideScores(
            name=criterion,
            values=dict(
                zip(table.systems, rows[:, 0] if table.level == "system" else rows, strict=True)
            ),
            level=table.level,
            ids=tuple(map(str, table.items)) if table.level == "doc" else None,
            path=path,
            sha256=digest,
        )
        for criterion, rows in zip(table.criteria, mean_scores(table), strict=True)
    ]
    return Dataset(scores=scores)


def scores(path: str, _registry: Registry, _better: str) -> Sequence[OutsideScores]:
    """Return the scores of a table; see `read`."""
    return read(path).scores


def refuse_repeats(table: Judgments, path: str) -> None:
    """Raise an `InputError` if a system has two scores of one part of the test set."""
    cells, n = np.unique(np.stack([table.system, table.item]), axis=1, return_counts=True)
    if len(n) and n.max() > 1:
        system, item = cells[:, n.argmax()].tolist()
        part = f" of {table.level} {table.items[item]!r}" if table.items else ""
        raise InputError(
            f"{path}: the system {table.systems[system]!r} has {n.max()} scores{part}; expected one"
        )


def refuse_gaps(table: Judgments, path: str) -> None:
    """Raise an `InputError` if the segments are not numbered from 0 without a gap."""
    gap = next((k for k, item in enumerate(table.items) if item != k), None)
    if gap is not None:
        raise InputError(
            f"{path}: no score of segment {gap}; expected one for every segment from 0"
        )


def refuse_missing(table: Judgments, path: str) -> None:
    """Raise an `InputError` if a system lacks the score of a part of the test set."""
    missing = np.argwhere(np.isnan(mean_scores(table)))
    if len(missing):
        criterion, system, item = missing[0].tolist()
        part = f" of {table.level} {table.items[item]!r}" if table.items else ""
        raise InputError(
            f"{path}: {table.criteria[criterion]}: the system {table.systems[system]!r} has no "
            f"score{part}"
        )


def sample() -> FileSample:
    """Return scores of two systems."""
    return FileSample({"scores.tsv": b"system\tsegment\tscore\nA\t0\t0.5\nB\t0\t0.75\n"})
