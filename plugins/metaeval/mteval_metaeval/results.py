"""Results: coefficients of metrics, with notes on those that cannot be trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from mteval_metaeval.notes import NegativeCorrelations, OutsideInterval

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mteval_core import Interval
    from mteval_metaeval.notes import Note

__all__ = ["Correlation", "Mark", "covering", "doubts"]

Mark = Literal["", "best", "equal"]


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """How well a metric agrees with a human score, as one number.

    Parameters
    ----------
    metric : str
        The metric.
    set : str
        The text treatment: ``case``, ``nocase``, ``stem``, or empty.
    criterion : str
        The human score.
    quantity : str
        What the number is.
    grouping : str
        For segments, which outputs are compared with each other: ``none``, ``item`` or ``system``.
    value : float
        NaN if it is not defined.
    n : int
        Number of systems, or of judged outputs.
    interval : Interval or None
        Bootstrap interval; it contains the value.
    widened : bool
        Whether the interval had to be widened to contain the value.
    mark : {"best", "equal", ""}
        Whether it is the best of its kind, or not significantly different from the best.
    epsilon : float or None
        Threshold of tie calibration, in the scale of the metric.
    """

    metric: str
    set: str
    criterion: str
    quantity: str
    grouping: str = ""
    value: float
    n: int
    interval: Interval | None = None
    widened: bool = False
    mark: Mark = ""
    epsilon: float | None = None

    def within(self, interval: Interval | None) -> Correlation:
        """Return the correlation with its interval, which is widened to contain it."""
        if interval is None or not interval.excludes(self.value):
            return replace(self, interval=interval)
        return replace(self, interval=covering(interval, self.value), widened=True)


def covering(interval: Interval, value: float) -> Interval:
    """Widen an interval until it contains a coefficient, and cut it at 1 and -1."""
    low, high = max(interval.low, -1.0), min(interval.high, 1.0)
    return replace(interval, low=min(low, value), high=max(high, value))


def doubts(correlations: Iterable[Correlation]) -> Iterator[Note]:
    """Note correlations that the resamples leave out, and ratings that may be penalties.

    Parameters
    ----------
    correlations : iterable of Correlation
        The first one of each metric, set and criterion tells whether the metric correlates
        negatively.

    Yields
    ------
    Note
        At most one of each kind for a criterion.
    """
    by_criterion: dict[str, list[Correlation]] = {}
    for record in correlations:
        by_criterion.setdefault(record.criterion, []).append(record)
    for criterion, records in by_criterion.items():
        outside = tuple((r.metric, r.set, r.quantity) for r in records if r.widened)
        if outside:
            yield OutsideInterval(criterion, tuple(dict.fromkeys(outside)))
        first = {(r.metric, r.set): r.value for r in reversed(records)}
        n_negative = sum(value < 0 for value in first.values())
        if n_negative > len(first) / 2:
            yield NegativeCorrelations(criterion, n_negative, len(first))
