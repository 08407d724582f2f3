"""Metric of scores that another program computed: a row is a score and the number of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.data.joining import refuse_unequal, rows_by_id
from mteval_core.errors import InputError
from mteval_core.frozen import Frozen
from mteval_core.metrics.segment_mean import Mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core.data.outside import OutsideScores
    from mteval_core.text.text import TestSet


class OutsideMetric(Mean, Frozen, eq=False):
    """A metric whose scores come from a file.

    Parameters
    ----------
    given : OutsideScores
        The scores.
    """

    given: OutsideScores

    def rows(self, system: str, test_set: TestSet) -> NDArray[np.float64]:
        """Return the scores of a system on a test set as rows, shape (n_segments, 2).

        Raises
        ------
        InputError
            If the system has no scores, or not one for each part of the test set.
        """
        scores = self.given
        if system not in scores.values:
            known = ", ".join(scores.values)
            message = f"{self.where}: no scores of the system {system!r}; it has those of {known}"
            raise InputError(message)
        values = np.atleast_1d(np.asarray(scores.values[system], np.float64))
        places, names = places_of(scores.level, test_set)
        if scores.ids is not None and names is not None:
            rows = rows_by_id(scores.ids, self.where)
            refuse_unequal(rows, names, self.where)
            values = values[[rows[name] for name in names]]
        if len(values) != len(places):
            message = (
                f"{self.where}: {len(values)} scores of the system {system!r}; the test set has "
                f"{len(places)}; expected one per {scores.level}"
            )
            raise InputError(message)
        table = np.zeros((len(test_set), 2))
        table[places] = np.stack([values, np.ones(len(values))], axis=1)
        return table

    @property
    def where(self) -> str:
        """The metric and its file, for messages."""
        return f"{self.given.path}: {self.given.name}" if self.given.path else self.given.name


def places_of(level: str, test_set: TestSet) -> tuple[Sequence[int], tuple[str, ...] | None]:
    """Return the segments whose rows hold the scores, and the names of what is scored."""
    if level == "system":
        return [0], None
    if level == "segment":
        return range(len(test_set)), test_set.ids
    if test_set.documents is None:
        message = "scores of documents need the documents of the test set: add --docs or --data"
        raise InputError(message)
    first: dict[str, int] = {}
    for place, name in enumerate(test_set.documents):
        first.setdefault(name, place)
    return list(first.values()), tuple(first)
