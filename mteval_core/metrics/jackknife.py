"""Jackknifing over references: a metric made of another metric.

With N references, the jackknifed score is the mean of N scores, each against N - 1 references (Lin
and Och 2004, section 5). Systems then become comparable with humans: each human reference is scored
against the N - 1 others.

A jackknifed row concatenates the rows of the N leave-one-out sets. The metric is prepared on each
set separately. The formula is the mean of the metric's formula over the sets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import InputError
from mteval_core.frozen import Frozen
from mteval_core.metrics.rows import as_numbers, pad_rows, prepare, rows_of
from mteval_core.text.tokens import References, TextReferences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.text.tokens import CorpusView, ReferenceView
    from mteval_kernels import Vocabulary


class Jackknife(Frozen, eq=False):
    """The mean of a metric over the leave-one-out sets of references.

    Parameters
    ----------
    metric : Metric
        The metric.
    sets : tuple of Metric
        The metric prepared on each leave-one-out set. `prepare` fills it.
    """

    metric: Any
    sets: tuple[Any, ...] = ()

    def prepare(self, vocabulary: Vocabulary, **views: ReferenceView) -> Jackknife:
        """Prepare the metric on each leave-one-out set.

        Raises
        ------
        InputError
            If the segments do not all have the same number of references, two or more.
        """
        sides = [view for view in views.values() if isinstance(view, References | TextReferences)]
        n, most = int(sides[0].counts.min()), int(sides[0].counts.max())
        if n < 2 or n != most:
            seen = str(n) if n == most else f"{n} to {most}"
            raise InputError(
                f"jackknifing over references: the segments have {seen} references; expected the "
                f"same number for every segment, at least two"
            )
        sets = [
            prepare(
                self.metric, {name: side.leave_out(k) for name, side in views.items()}, vocabulary
            )
            for k in range(n)
        ]
        return replace(self, sets=tuple(sets))

    def calls(self, views: Mapping[str, CorpusView]) -> list[tuple[Any, dict[str, CorpusView]]]:
        """List the metric of each leave-one-out set with its views."""
        return [
            (metric, {name: corpus.leave_out(k) for name, corpus in views.items()})
            for k, metric in enumerate(self.sets)
        ]

    def statistics(self, **views: CorpusView) -> NDArray[np.float64]:
        """Rows of the N leave-one-out sets, `joined`."""
        return self.joined([rows_of(metric, own) for metric, own in self.calls(views)])

    def joined(self, parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Join the rows of the N sets, shape (n_segments, N k)."""
        shapes = {part.shape for part in parts}
        if len(shapes) > 1 or parts[0].ndim != 2:
            listed = " and ".join(map(str, sorted(shapes)))
            raise ValueError(
                f"the statistics have the shapes {listed}; expected (n_segments, k) for all"
            )
        return np.concatenate(parts, axis=1)

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Mean of the values of the N sets; shape (..., v)."""
        mean: NDArray[np.float64] = self.scores(totals).mean(axis=0)
        return mean

    def scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of each of the N sets; shape (N, ..., v)."""
        parts = np.split(totals, len(self.sets), axis=-1)
        return np.stack(
            [as_numbers(m.score(part)) for m, part in zip(self.sets, parts, strict=True)]
        )


class RowsJackknife(Jackknife, eq=False):
    """The same for a metric with ``score_rows``, whose rows may differ in width."""

    def joined(self, parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Interleave the columns of the N sets, so that zeros can follow; (n_segments, k N)."""
        return np.stack(pad_rows(parts), axis=-1).reshape(len(parts[0]), -1)

    def score_rows(
        self, rows: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Mean of the values of the N sets; shape (..., v)."""
        mean: NDArray[np.float64] = self.scores_rows(rows, weights).mean(axis=0)
        return mean

    def scores_rows(
        self, rows: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Values of each of the N sets; shape (N, ..., v)."""
        n = len(self.sets)
        return np.stack(
            [as_numbers(m.score_rows(rows[:, k::n], weights)) for k, m in enumerate(self.sets)]
        )
