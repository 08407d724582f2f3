"""Metrics that have seen all references in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.metrics.contract import Counts, Metric
    from mteval_core.text.tokens import ReferenceView
    from mteval_kernels import Vocabulary

__all__ = ["Collected"]


class Collected(Frozen, eq=False):
    """A metric with the counts of all references, which is prepared for one piece of them.

    Parameters
    ----------
    metric : PiecewiseMetric
        The metric.
    counts : Counts
        What it has collected from all pieces.
    """

    metric: Any
    counts: Counts

    def prepare(self, vocabulary: Vocabulary, **references: ReferenceView) -> Metric:
        """Prepare the metric for a piece of the references."""
        metric: Metric = self.metric.finish(self.counts, **references, vocabulary=vocabulary)
        return metric

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Apply the formula of the metric, which does not depend on the references."""
        values: NDArray[np.float64] = self.metric.score(totals)
        return values
