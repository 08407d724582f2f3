"""Missing scores: segments that a metric could not score, and the share of those that it did.

A metric that declares ``may_miss`` returns a row of NaN for a segment that it could not score. It
becomes a row of zeros, which adds nothing to a sum. So every sum is over the segments that have a
score: of the whole test set, of a document, of a resample or of a part on another machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import InputError, warn
from mteval_core.formulas import ratio
from mteval_core.metrics.formula import PreparableMean, SegmentMean
from mteval_core.metrics.rows import as_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

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
        if rows.ndim == 1:
            rows = rows[:, None]
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
            f"the scores, or choose what becomes of the others with --missing"
        )
    if systems:
        warn("missing-scores", f"{spec} scored only {listed} (missing={treatment})")
