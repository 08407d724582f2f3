"""Study: rows of metrics and human scores for the same outputs.

Human scores are rows too: the sum of a unit's scores and their number. Weighted totals of these
rows give means, and outputs that were not judged count nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core import UsageError, bootstrap, totals_under

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from mteval_core import Judgments
    from mteval_metaeval.criteria import Criterion, Unit
    from mteval_metaeval.measures import Measure
    from mteval_metaeval.notes import Note

    Weights = NDArray[np.float64] | NDArray[np.uint8]
    Scores = tuple[NDArray[np.float64], NDArray[np.float64]]

__all__ = ["DRAWS", "Draw", "Study"]

Draw = Literal["segments", "systems", "both"]
DRAWS: tuple[Draw, ...] = ("segments", "systems", "both")

OTHER_UNITS = ", or take documents (--level doc; over systems --by doc)"
OTHER_DRAWS = f"{OTHER_UNITS}, systems (--resample systems), or nothing (-n 0)"
"""What can be done where rows depend on the segments around."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Study:
    """Metrics and human scores of the same systems and units. `study_metrics` makes it.

    ``print(study)`` prints the correlations over systems, without intervals; a notebook shows them.

    Parameters
    ----------
    systems : tuple of str
        Systems that were both scored and judged, in the order in which they were scored.
    units : tuple of int or tuple of str
        Numbers of the segments, document ids, or names of domains.
    unit : {"segment", "doc", "domain"}
        What a unit is. Units are resampled, and they are the items of segment-level experiments.
    measures : tuple of Measure
        The metrics, set by set.
    criteria : tuple of Criterion
        The human scores.
    judgments : Judgments
        The judgments that the human scores come from.
    inputs : mapping
        Paths and fingerprints of the texts; see `Evaluation.inputs`.
    notes : tuple of Note
        Notes on every result.
    """

    systems: tuple[str, ...]
    units: tuple[int, ...] | tuple[str, ...]
    unit: Unit
    measures: tuple[Measure, ...]
    criteria: tuple[Criterion, ...]
    judgments: Judgments
    inputs: Mapping[str, Any]
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return f"<Study: {len(self.systems)} systems, {len(self.measures)} metrics>"

    def __str__(self) -> str:
        from mteval_metaeval.display import show_study

        return str(show_study(self, "text"))

    def _repr_html_(self) -> str | None:
        from mteval_metaeval.display import show_study

        return show_study(self, "html")

    @property
    def has_item_judgments(self) -> bool:
        """Whether segments or documents were judged, not only systems."""
        return self.judgments.level != "system"

    @cached_property
    def item_scores(self) -> NDArray[np.float64]:
        """Scores of all units under all metrics, shape (n_measures, n_systems, n_units)."""
        return np.array([[m.scores(rows) for rows in m.rows] for m in self.measures])

    @cached_property
    def human_items(self) -> NDArray[np.float64]:
        """Human scores of all units, shape (n_criteria, n_systems, n_units)."""
        return np.stack([criterion.scores(criterion.rows) for criterion in self.criteria])

    def of_judged_units(self) -> Study:
        """Keep the units of which some output was judged.

        Raises
        ------
        UsageError
            If only systems were judged.
        """
        self.need_items("leaving out what was not judged")
        n = np.sum([criterion.rows[..., 1] for criterion in self.criteria], axis=(0, 1))
        return self.of_units(np.flatnonzero(n))

    def of_units(self, kept: NDArray[np.int64]) -> Study:
        """Keep the units of these numbers."""
        names: list[Any] = [self.units[k] for k in kept]
        return replace(
            self,
            units=tuple(names),
            measures=tuple(
                replace(m, rows=tuple(rows[kept] for rows in m.rows)) for m in self.measures
            ),
            criteria=tuple(replace(c, rows=c.rows[:, kept]) for c in self.criteria),
        )

    def of_systems(self, kept: NDArray[np.int64]) -> Study:
        """Keep the systems of these numbers."""
        return replace(
            self,
            systems=tuple(self.systems[k] for k in kept),
            measures=tuple(replace(m, rows=tuple(m.rows[k] for k in kept)) for m in self.measures),
            criteria=tuple(replace(c, rows=c.rows[kept]) for c in self.criteria),
        )

    def need_items(self, purpose: str) -> None:
        """Raise a `UsageError` if only systems were judged, or have scores of a metric."""
        if not self.has_item_judgments:
            raise UsageError(
                f"{purpose} needs judgments of segments or documents; these are of systems"
            )
        self.need_scores_of_units(purpose)

    def need_scores_of_units(self, purpose: str) -> None:
        """Raise a `UsageError` if a metric has scores of systems only."""
        names = [measure.name for measure in self.measures if not measure.of_units]
        if names:
            raise UsageError(
                f"{purpose} needs scores of segments or documents; {', '.join(names)} has a score "
                f"per system: leave it out, or add --resample systems to intervals"
            )

    def need_independent_units(self) -> None:
        """Raise a `UsageError` if the score of a metric is not that of units drawn at random."""
        self.need_units_without_context(instead=OTHER_DRAWS)
        for measure in self.measures:
            if measure.scorer.declaration.resample != "with-replacement":
                raise UsageError(
                    f"{measure.name} scores whole sets, and changes if a {self.unit} is drawn "
                    f"twice: leave it out, or add --resample systems"
                )

    def has_context(self, measure: Measure) -> bool:
        """Whether rows of units depend on the units around."""
        return self.unit == "segment" and measure.scorer.setup.has_context

    def need_units_without_context(self, done: str = "drawn", instead: str = OTHER_UNITS) -> None:
        """Raise a `UsageError` if rows of segments depend on others.

        Parameters
        ----------
        done : {"drawn", "exchanged"}
            What is done with single segments.
        instead : str
            What can be done except leaving the metric out, for the message.
        """
        for measure in filter(self.has_context, self.measures):
            raise UsageError(
                f"rows of {measure.name} depend on the segments around, which are not {done} with "
                f"them: leave it out{instead}"
            )

    def scores(self, chunks: Iterable[Weights]) -> Iterator[Scores]:
        """Compute the scores of all systems under weights.

        Parameters
        ----------
        chunks : iterable of ndarray of float64 or uint8, shape (chunk, n_units)
            How often each unit counts.

        Yields
        ------
        metrics : ndarray of float64, shape (chunk, n_measures, n_systems)
        humans : ndarray of float64, shape (chunk, n_criteria, n_systems)
        """
        from threadpoolctl import threadpool_limits

        scores = self.scores_under()
        # In products this small, BLAS threads only wait for each other.
        with threadpool_limits(1, user_api="blas"):
            yield from map(scores, chunks)

    def scores_under(self) -> Callable[[Weights], Scores]:
        """Prepare the scores of all systems as a function of weights, see `scores`."""
        sources: list[Measure | Criterion] = [*self.measures, *self.criteria]
        scores_of = [side_by_side(source.rows, source.scores) for source in sources]

        def scores(drawn: Weights) -> Scores:
            weights = drawn.astype(np.float64, copy=False)
            each = [of_source(weights) for of_source in scores_of]
            n = len(self.measures)
            return np.stack(each[:n], axis=1), np.stack(each[n:], axis=1)

        return scores

    @cached_property
    def totals(self) -> Scores:
        """Scores on the whole test set.

        Returns
        -------
        metrics : ndarray of float64, shape (n_measures, n_systems)
        humans : ndarray of float64, shape (n_criteria, n_systems)
        """
        ((metrics, humans),) = self.scores([np.ones((1, len(self.units)))])
        return metrics[0], humans[0]

    def resamples(self, n: int, seed: int, draw: Draw) -> Iterator[Callable[[], Scores]]:
        """Draw segments, systems, or both.

        Parameters
        ----------
        n : int
            Number of resamples.
        seed : int
            Seed of ``numpy.random.default_rng``.
        draw : {"segments", "systems", "both"}
            What is drawn with replacement; ``segments`` means documents if these are the units.

        Yields
        ------
        callable
            Computes, in any thread, what `scores` yields for a chunk of resamples.
        """
        n_systems = len(self.systems)
        of_units = self.scores_under() if draw != "systems" else self._repeated
        n_units = len(self.units) if draw != "systems" else 1
        rng = np.random.default_rng([seed, 1])
        for weights in bootstrap(n_units, n, seed):
            size = (len(weights), 1, n_systems)
            systems = rng.integers(0, n_systems, size) if draw != "segments" else None
            yield partial(_of_systems, systems, of_units, weights)

    def left_out(self, draw: Draw) -> Iterator[Scores]:
        """Compute scores without each unit of the test set, without each system, or both in turn.

        Yields
        ------
        metrics : ndarray of float64, shape (n, n_measures, n_systems)
            NaN for a system that is left out.
        humans : ndarray of float64, shape (n, n_criteria, n_systems)
        """
        if draw in ("segments", "both"):
            yield self._without_each(self.measures), self._without_each(self.criteria)
        if draw in ("systems", "both"):
            out = np.eye(len(self.systems), dtype=bool)[:, None]
            metrics, humans = (np.where(out, np.nan, scores) for scores in self.totals)
            yield metrics, humans

    def _without_each(self, sources: Sequence[Measure | Criterion]) -> NDArray[np.float64]:
        """Compute scores without each unit, shape (n_units, n_sources, n_systems)."""
        without = [[each.scores(total_of(rows) - rows) for rows in each.rows] for each in sources]
        return np.array(without).transpose(2, 0, 1)

    def _repeated(self, weights: Weights) -> Scores:
        """Repeat the scores on the whole test set, one time for each resample."""
        metrics, humans = self.totals
        shape = (len(weights), 1, 1)
        return np.tile(metrics, shape), np.tile(humans, shape)


def total_of(rows: Any) -> Any:
    """Add up all rows, correctly rounded, shape (1, k)."""
    return totals_under({"": rows})(np.ones((1, len(rows))))[""]


def side_by_side(
    rows: Sequence[Any] | NDArray[np.float64], score: Callable[[Any], NDArray[np.float64]]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Prepare the scores of several systems, whose units get the same weights.

    Parameters
    ----------
    rows : sequence of ndarray of float64, shape (n_units, k), or of KeptRows
        The rows of each system.
    score : callable
        From sums of shape (..., k) to scores of shape (...).

    Returns
    -------
    callable
        From weights of shape (chunk, n_units) to scores of shape (chunk, n_systems).
    """
    if not all(isinstance(each, np.ndarray) for each in rows):
        return lambda weights: np.stack([score(weights @ each) for each in rows], axis=1)
    beside = np.concatenate(rows, axis=1)
    return lambda weights: score((weights @ beside).reshape(len(weights), len(rows), -1))


def _of_systems(
    systems: NDArray[np.int64] | None,
    scores: Callable[[Weights], Scores],
    weights: Weights,
) -> Scores:
    """Compute scores under weights, and choose those of the systems that were drawn."""
    metrics, humans = scores(weights)
    if systems is None:
        return metrics, humans
    return (
        np.take_along_axis(metrics, systems, axis=-1),
        np.take_along_axis(humans, systems, axis=-1),
    )
