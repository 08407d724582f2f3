"""Settings of resampling for intervals of coefficients, and the units that an interval needs."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import numpy as np

from mteval_core import Estimate, UsageError, in_threads
from mteval_metaeval.correlation import SOFT
from mteval_metaeval.draws import CHUNK
from mteval_metaeval.study import DRAWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from mteval_core import Interval
    from mteval_metaeval.correlation import Coefficient
    from mteval_metaeval.results import Mark
    from mteval_metaeval.study import Draw, Scores, Study

__all__ = ["Bar", "Resampled", "Resampling", "marks_of", "quiet", "resample"]

IntervalKind = Literal["percentile", "basic", "symmetric", "bca"]
INTERVAL_KINDS: tuple[IntervalKind, ...] = ("percentile", "basic", "symmetric", "bca")

Step = TypeVar("Step")


ROUNDING = 1e-9
"""Resamples that differ by less than this differ by rounding."""


class Bar(Protocol):
    """A progress bar."""

    def __call__(self, steps: Iterable[Step], total: int, /) -> Iterable[Step]:
        """Return the steps, and show progress as they are taken."""
        ...


def quiet(steps: Iterable[Step], _total: int, /) -> Iterable[Step]:
    """Show no progress."""
    return steps


@dataclass(frozen=True)
class Resampling:
    """How intervals are drawn.

    Parameters
    ----------
    n : int
        Number of resamples; 0 for no intervals.
    level : float
        Confidence level in percent.
    seed : int
        Seed of ``numpy.random.default_rng``.
    draw : {"segments", "systems", "both"}
        What is drawn with replacement.
    interval : {"percentile", "basic", "symmetric", "bca"}, optional
        The kind of the intervals. Default: see `kind` and `of_means`.
    threads : int
        Number of threads that resample. It does not change the results.

    Raises
    ------
    UsageError
        If a value is out of range.
    """

    n: int = 1000
    level: float = 95.0
    seed: int = 12345
    draw: Draw = "segments"
    interval: IntervalKind | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        if self.n < 0 or not 0 < self.level < 100 or self.seed < 0:
            raise UsageError(
                f"{self.n} resamples at level {self.level:g} with seed {self.seed}: expected 0 or "
                f"more, a level between 0 and 100, and a seed of 0 or more"
            )
        if self.draw not in DRAWS:
            raise UsageError(f"draw {self.draw!r}: expected {', '.join(DRAWS)}")
        if self.interval is not None and self.interval not in INTERVAL_KINDS:
            kinds = ", ".join(INTERVAL_KINDS)
            raise UsageError(f"unknown kind of interval {self.interval!r}: expected {kinds}")

    def kind(self, quantity: str = "coefficient") -> IntervalKind:
        """Return the kind of the intervals of a coefficient, or of a difference if it is empty.

        Unless one is chosen: BCa if systems are drawn, percentile for soft pairwise accuracy, whose
        value depends on the length of the text, and otherwise symmetric, or basic for differences.
        Resampling adds noise, which lowers coefficients over systems, but hardly their differences.
        """
        if self.interval is not None:
            return self.interval
        if self.draw != "segments":
            return "bca"
        if quantity == SOFT:
            return "percentile"
        return "symmetric" if quantity else "basic"

    def of_means(self) -> Resampling:
        """Return the settings for means over segments, which no noise lowers: basic by default."""
        is_default = self.interval is None and self.draw == "segments"
        return replace(self, interval="basic") if is_default else self

    def interval_of(
        self, estimate: Estimate, quantity: str = "", least: tuple[float, float] | None = None
    ) -> Interval | None:
        """Compute the interval of a coefficient, or of a difference if no quantity is named.

        Parameters
        ----------
        estimate : Estimate
        quantity : str
            The coefficient.
        least : (float, float), optional
            Ends that the interval contains if systems are drawn and no kind is chosen.

        Returns
        -------
        Interval or None
            None if nothing is resampled, and for a coefficient that is the same on all resamples of
            the systems: they do not show how it varies.
        """
        bounds = (-math.inf, math.inf)
        if quantity:
            bounds = (0.0 if quantity.endswith("accuracy") else -1.0, 1.0)
        interval = estimate.interval(self.level, self.kind(quantity), bounds)
        if interval is None or self.draw == "segments":
            return interval
        spread = np.nanmax(estimate.resamples) - np.nanmin(estimate.resamples)
        if quantity and spread < ROUNDING:
            return None
        if least is None or self.interval is not None:
            return interval
        low, high = least
        return replace(interval, low=min(interval.low, low), high=max(interval.high, high))

    def settings(self) -> dict[str, object]:
        """Name all settings, for the record of an experiment."""
        return {**asdict(self), "interval": self.kind()}


def marks_of(estimates: Sequence[Estimate], resampling: Resampling) -> list[Mark]:
    """Mark the highest of some estimates, and those not significantly different from it.

    An estimate is equal to the best one if the interval of their difference includes 0.
    """
    rivals = [estimate for estimate in estimates if not math.isnan(estimate.value)]
    if len(rivals) < 2:
        return [""] * len(estimates)
    best = max(rivals, key=lambda estimate: estimate.value)

    def mark(estimate: Estimate) -> Mark:
        if estimate.value == best.value:
            return "best"
        lead = resampling.interval_of(best.minus(estimate))
        return "equal" if lead is not None and lead.low <= 0 else ""

    return [mark(estimate) for estimate in estimates]


@dataclass(frozen=True, eq=False)
class Resampled:
    """Functions of the scores of systems, on every resample and without every unit.

    Parameters
    ----------
    resamples : ndarray of float64, shape (n_functions, n_criteria, n_measures, n_resamples)
    left_out : tuple of ndarray of float64, shape (n_functions, n_criteria, n_measures, n_units)
        One array for each sort of units that is drawn; none if the intervals do not need it.
    """

    resamples: NDArray[np.float64]
    left_out: tuple[NDArray[np.float64], ...] = ()

    def estimate(self, value: float, *place: int) -> Estimate:
        """Join a value with its resamples; the place is that of a function and what follows."""
        return Estimate(value, self.resamples[place], [each[place] for each in self.left_out])


def resample(
    study: Study, functions: Sequence[Coefficient], resampling: Resampling, bar: Bar = quiet
) -> Resampled:
    """Compute functions of the scores of systems on every resample.

    Returns
    -------
    Resampled
        Nothing else is kept of a resample.
    """
    from threadpoolctl import threadpool_limits

    if resampling.n and resampling.draw != "systems":
        study.need_scores_of_units(f"resampling {study.unit}s")
        study.need_independent_units()

    def of_chunk(scores: Callable[[], Scores]) -> NDArray[np.float64]:
        metrics, humans = scores()
        return np.stack([each(metrics[:, :, None], humans[:, None]).T for each in functions])

    chunks = study.resamples(resampling.n, resampling.seed, resampling.draw)
    steps = bar(chunks, math.ceil(resampling.n / CHUNK))
    # In products this small, BLAS threads only wait for each other.
    with threadpool_limits(1, user_api="blas"):
        parts = in_threads(of_chunk, ((step,) for step in steps), resampling.threads)
    shape = (len(functions), len(study.criteria), len(study.measures), 0)
    values = np.concatenate([np.empty(shape), *parts], axis=-1)
    if resampling.kind() != "bca" or not resampling.n:
        return Resampled(values)
    left_out = [
        np.stack([function(metrics[:, :, None], humans[:, None]).T for function in functions])
        for metrics, humans in study.left_out(resampling.draw)
    ]
    return Resampled(values, tuple(left_out))
