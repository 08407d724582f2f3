"""Metrics without a formula: the score is the mean over the segments.

The rows of such a metric are its values for each segment. The host appends the number of segments,
1, so that sums of rows still have everything that the formula needs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.formulas import ratio
from mteval_core.frozen import Frozen
from mteval_core.metrics.rows import rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.text.tokens import CorpusView, ReferenceView
    from mteval_kernels import Vocabulary


class Mean:
    """The formula: sums of values over their number, which is the last column."""

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Means over the segments, shape (..., v + 1) to (..., v); 0 without segments."""
        return ratio(totals[..., :-1], totals[..., -1:])


class SegmentMean(Mean, Frozen, eq=False):
    """The mean of the values of the segments.

    Parameters
    ----------
    metric : object
        Computes the values of each segment, as its rows.
    """

    metric: Any

    def statistics(self, **views: CorpusView) -> NDArray[np.float64]:
        """Values of all segments, and 1; shape (n_segments, v + 1)."""
        values = rows_of(self.metric, views)
        if values.ndim == 1:
            values = values[:, None]
        return np.column_stack([values, np.ones(len(values))])


class PreparableMean(SegmentMean):
    """The same for a metric with a ``prepare`` method."""

    def prepare(self, vocabulary: Vocabulary, **views: ReferenceView) -> SegmentMean:
        """Prepare the metric."""
        return replace(self, metric=self.metric.prepare(**views, vocabulary=vocabulary))
