"""Missing scores and cut texts: what a metric could not score, or has not read to the end.

A metric that declares ``may_miss`` returns a row of NaN for a segment that it could not score. It
becomes a row of zeros, which adds nothing to a sum. So every sum is over the segments that have a
score: of the whole test set, of a document, of a resample or of a part on another machine.

The rows of a metric that declares ``may_cut`` end with the number of texts that its model has cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import InputError, warn
from mteval_core.formulas import ratio
from mteval_core.metrics.formula import PreparableMean, SegmentMean
from mteval_core.metrics.rows import as_numbers, rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mteval_core.text.tokens import CorpusView

COVERAGE = "coverage"
"""The value that a metric has in addition if it may miss segments: the share that it scored."""


class Covered(SegmentMean):
    """A metric that may miss segments.

    Its rows end with two more columns, the number of segments that have a score, and of all. Their
    ratio is the last value, the coverage. Without any score, the other values are NaN.

    Parameters
    ----------
    metric : object
        Computes the rows, and may have a formula; without one, the score is the mean.
    worst : float or None
        The value that stands for a missing one; None leaves it out.
    """

    worst: float | None = None

    def extend(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Replace rows of NaN; append the number of segments with a score, and of all."""
        rows = np.column_stack([rows])
        missing = np.all(np.isnan(rows), axis=1)
        if not self._has_formula:
            rows = super().extend(rows)
        filled = np.where(missing[:, None], 0.0, rows)
        if self.worst is not None:
            filled[missing] = self.worst, 1.0
        return np.column_stack([filled, ~missing, np.ones(len(rows))])

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of the segments that have a score, and the coverage; (..., k + 2) to (..., v)."""
        score = self.metric.score if self._has_formula else super().score
        values, scored = as_numbers(score(totals[..., :-2])), totals[..., -2:-1]
        if self.worst is None:
            values = np.where(scored > 0, values, np.nan)
        return np.concatenate([values, ratio(scored, totals[..., -1:])], axis=-1)

    @property
    def _has_formula(self) -> bool:
        return hasattr(self.metric, "score")


class PreparableCovered(Covered, PreparableMean):
    """The same for a metric with a ``prepare`` method."""


class Cut(SegmentMean):
    """A metric whose model may cut texts: the last column of its rows is the number of them.

    Parameters
    ----------
    metric : object
        Has a formula for the other columns: the metric, or its mean.
    """

    def statistics(self, **views: CorpusView) -> NDArray[np.float64]:
        """Rows of the metric, and the number of texts that it has cut, (n_segments, k + 1)."""
        is_mean = isinstance(self.metric, SegmentMean)
        rows = rows_of(self.metric.metric if is_mean else self.metric, views)
        own = self.metric.extend(rows[:, :-1]) if is_mean else rows[:, :-1]
        return np.column_stack([own, np.nan_to_num(rows[:, -1])])

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Apply the formula to the other columns."""
        values: NDArray[np.float64] = self.metric.score(totals[..., :-1])
        return values


class PreparableCut(Cut, PreparableMean):
    """The same for a metric with a ``prepare`` method."""


LEAST = 90.0
"""Share of segments, in percent, below which a score is refused."""


def check_coverage(spec: str, treatment: str, coverages: Mapping[str, float]) -> None:
    """Warn of systems with segments that have no score.

    Parameters
    ----------
    spec : str
        A metric that may miss segments.
    treatment : str
        Its option `MISSING`.
    coverages : mapping of str to float
        Share of the segments that have a score by system, in percent.

    Raises
    ------
    InputError
        If too few segments of a system have a score: fewer than 90%, or than all with
        ``missing=error``.
    """
    least = {"leave-out": LEAST, "error": 100.0}.get(treatment, 0.0)
    systems = {name: share for name, share in coverages.items() if share < 100}
    listed = ", ".join(f"{share:.4g}% of the segments of {name}" for name, share in systems.items())
    if any(share < least for share in systems.values()):
        raise InputError(
            f"{spec} scored only {listed}; expected at least {least:g}%: complete "
            f"the scores, or choose another --missing than {treatment}"
        )
    if systems:
        warn("missing-scores", f"{spec} scored only {listed} (missing={treatment})")


def warn_of_cuts(spec: str, cuts: Mapping[str, int]) -> None:
    """Warn of systems with texts that a metric has cut, by their number."""
    listed = ", ".join(f"{n} for {name}" for name, n in cuts.items() if n)
    if listed:
        warn("cut-texts", f"{spec} cut texts that are longer than its model reads: {listed}")
