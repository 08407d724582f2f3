"""Jackknifing over references: a metric made of a metric.

Lin and Och 2004, section 5: with N references, the score is the mean of the N scores against
N - 1 of them, so that systems can be compared with people, each of whom is scored against the
others. Here the rows of the N leave-one-out sets stand side by side, each prepared anew, and the
formula is the mean of N formulas.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import InputError
from mteval_core.metrics.rows import prepare, rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.kernels import Vocabulary
    from mteval_core.text.tokens import References, TokenizedCorpus

__all__ = ["Jackknife"]


@dataclass(frozen=True)
class Jackknife:
    """The mean of a metric over the sets of references that leave one out.

    Parameters
    ----------
    metric : Metric
        The metric.
    sets : tuple of Metric
        The metric prepared on each leave-one-out set; made by `prepare`.
    """

    metric: Any
    sets: tuple[Any, ...] = ()

    def prepare(self, vocabulary: Vocabulary, **views: References) -> Jackknife:
        """Prepare the metric on each leave-one-out set.

        Raises
        ------
        InputError
            Unless every segment has the same number of references, two or more.
        """
        counts = next(iter(views.values())).counts
        n = int(counts[0])
        if n < 2 or (counts != n).any():
            found = (
                f"{counts.min()}"
                if counts.min() == counts.max()
                else (f"{counts.min()} to {counts.max()}")
            )
            message = (
                f"jackknifing over references: the segments have {found} references; expected the "
                f"same number, two or more, for every segment"
            )
            raise InputError(message)
        sets = [
            prepare(
                self.metric, {name: side.leave_out(k) for name, side in views.items()}, vocabulary
            )
            for k in range(n)
        ]
        return replace(self, sets=tuple(sets))

    def statistics(self, **views: TokenizedCorpus) -> NDArray[np.float64]:
        """Rows of the N leave-one-out sets, side by side; shape (n_segments, N k)."""
        return np.concatenate(
            [
                rows_of(
                    metric,
                    {
                        name: replace(corpus, references=corpus.references.leave_out(k))
                        for name, corpus in views.items()
                    },
                )
                for k, metric in enumerate(self.sets)
            ],
            axis=1,
        )

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Mean of the values of the N sets; shape (..., v)."""
        mean: NDArray[np.float64] = self.scores(totals).mean(axis=0)
        return mean

    def scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of each of the N sets; shape (N, ..., v)."""
        parts = np.split(totals, len(self.sets), axis=-1)
        return np.stack([m.score(part) for m, part in zip(self.sets, parts, strict=True)])
