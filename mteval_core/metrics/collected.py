"""Metrics that see all references before they count, fed part by part."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mteval_core.errors import attributed
from mteval_core.frozen import Frozen
from mteval_core.metrics.contract import PiecewiseMetric, PreparableMetric
from mteval_core.metrics.formula import SegmentMean
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.scorer import Scorer, views_of_references

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.metrics.contract import Counts, Metric
    from mteval_core.text.pipeline import Pipeline
    from mteval_core.text.tokens import ReferenceView
    from mteval_kernels import Vocabulary


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


def is_prepared(scorer: Scorer) -> bool:
    """Tell whether a metric must see the texts of all references before it counts."""
    metric: object = scorer.setup.implementation
    while isinstance(metric, (Jackknife, SegmentMean)):
        metric = metric.metric
    return isinstance(metric, PreparableMetric) and not isinstance(metric, Collected)


def is_piecewise(scorer: Scorer) -> bool:
    """Tell whether a metric that must see all references can see them in pieces."""
    return isinstance(scorer.setup.implementation, PiecewiseMetric)


def collect_counts(
    scorer: Scorer, references: Mapping[Pipeline, ReferenceView], vocabulary: Vocabulary
) -> Counts:
    """Return what a piece of the references adds to the counts of a piecewise metric."""
    metric = scorer.setup.implementation
    assert isinstance(metric, PiecewiseMetric)
    with attributed(f"the preparation of {scorer.setup.name}"):
        return metric.collect(**views_of_references(scorer, references), vocabulary=vocabulary)


def with_counts(scorer: Scorer, counts: Counts) -> Scorer:
    """Give a piecewise metric the counts of all pieces, so that it can be bound to any of them."""
    implementation = Collected(scorer.setup.implementation, counts)
    return replace(scorer, setup=replace(scorer.setup, implementation=implementation))
