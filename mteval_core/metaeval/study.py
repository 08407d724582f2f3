"""Metrics and human scores of the same outputs, as rows that every experiment weights.

Human scores are rows too: the sum of a unit's scores and their number. Weighted totals of these
rows give means, and outputs that were not judged count nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.errors import InputError, UsageError, warn
from mteval_core.evaluation.evaluate import evaluate
from mteval_core.evaluation.resampling import CHUNK, bootstrap
from mteval_core.metaeval.correlation import pearson
from mteval_core.metaeval.criteria import criteria_of, units_of
from mteval_core.metaeval.measures import Measure, requests
from mteval_core.metaeval.notes import (
    FewSystems,
    MissingJudgments,
    UnjudgedSystems,
    UnscoredSystems,
    UnusedCriteria,
    WrongDirection,
)
from mteval_core.metrics.outside import OutsideScorer
from mteval_core.metrics.sums import side_by_side
from mteval_core.plugin.loading import default_registry
from mteval_core.text.text import as_test_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from mteval_core.data.judgments import Judgments
    from mteval_core.data.outside import OutsideScores
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.metaeval.criteria import Criterion, Unit
    from mteval_core.metaeval.measures import Request
    from mteval_core.metaeval.notes import Note
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry
    from mteval_core.spec import Spec
    from mteval_core.text.text import TestSet, Text

    Scores = tuple[NDArray[np.float64], NDArray[np.float64]]

__all__ = ["DRAWS", "Draw", "Study", "study_metrics"]

Draw = Literal["segments", "systems", "both"]
DRAWS: tuple[Draw, ...] = ("segments", "systems", "both")

ENOUGH = 5
"""With fewer systems, coefficients over systems are not reliable."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Study:
    """Metrics and human scores of the same systems and units. Made by `study_metrics`.

    Parameters
    ----------
    systems : tuple of str
        Systems that were both scored and judged, in the order in which they were scored.
    units : tuple of int or tuple of str
        Numbers of the segments, or document ids.
    unit : {"segment", "doc"}
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
        kept = np.flatnonzero(n)
        names: list[Any] = [self.units[k] for k in kept]
        return replace(
            self,
            units=tuple(names),
            measures=tuple(
                replace(m, rows=tuple(rows[kept] for rows in m.rows)) for m in self.measures
            ),
            criteria=tuple(replace(c, rows=c.rows[:, kept]) for c in self.criteria),
        )

    def need_items(self, purpose: str) -> None:
        """Raise a `UsageError` if only systems were judged."""
        if not self.has_item_judgments:
            message = f"{purpose} needs judgments of segments or documents; these are of systems"
            raise UsageError(message)

    def scores(self, chunks: Iterable[NDArray[np.float64]]) -> Iterator[Scores]:
        """Compute the scores of all systems under weights.

        Parameters
        ----------
        chunks : iterable of ndarray of float64, shape (chunk, n_units)
            How often each unit counts.

        Yields
        ------
        metrics : ndarray of float64, shape (chunk, n_measures, n_systems)
        humans : ndarray of float64, shape (chunk, n_criteria, n_systems)
        """
        from threadpoolctl import threadpool_limits

        sources: list[Measure | Criterion] = [*self.measures, *self.criteria]
        scores_of = [side_by_side(source.rows, source.scores) for source in sources]
        # In products this small, BLAS threads only wait for each other.
        with threadpool_limits(1, user_api="blas"):
            for weights in chunks:
                scores = [of_source(weights) for of_source in scores_of]
                yield (
                    np.stack(scores[: len(self.measures)], axis=1),
                    np.stack(scores[len(self.measures) :], axis=1),
                )

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

    def resamples(self, n: int, seed: int, draw: Draw) -> Iterator[Scores]:
        """Compute scores on resampled segments, of resampled systems, or both.

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
        metrics : ndarray of float64, shape (chunk, n_measures, n_systems)
        humans : ndarray of float64, shape (chunk, n_criteria, n_systems)
        """
        segments = draw in ("segments", "both")
        scores = self.scores(bootstrap(len(self.units), n, seed)) if segments else self._repeated(n)
        if draw == "segments":
            yield from scores
            return
        rng = np.random.default_rng([seed, 1])
        for metrics, humans in scores:
            drawn = rng.integers(0, len(self.systems), (len(metrics), 1, len(self.systems)))
            yield (
                np.take_along_axis(metrics, drawn, axis=-1),
                np.take_along_axis(humans, drawn, axis=-1),
            )

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
        without = [[each.scores(rows.sum(axis=0) - rows) for rows in each.rows] for each in sources]
        return np.array(without).transpose(2, 0, 1)

    def _repeated(self, n: int) -> Iterator[Scores]:
        """Repeat the scores on the whole test set n times, in chunks."""
        metrics, humans = self.totals
        for start in range(0, n, CHUNK):
            size = min(CHUNK, n - start)
            yield (
                np.broadcast_to(metrics, (size, *metrics.shape)),
                np.broadcast_to(humans, (size, *humans.shape)),
            )


def study_metrics(
    systems: Mapping[str, Sequence[str] | Text],
    references: Sequence[Sequence[str | None]] | TestSet,
    judgments: Judgments,
    specs: Iterable[str | Spec | Scorer | OutsideScores] | None = None,
    *,
    unit: Unit | None = None,
    documents: Sequence[str] | None = None,
    minimum: int = 1,
    judged_only: bool = False,
    sets: Iterable[str] | None = None,
    names: Mapping[str, str] | None = None,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
    progress: bool = False,
) -> Study:
    """Score the systems that were judged.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        Hypotheses by name of the system, one per segment.
    references : sequence of sequence of str, or TestSet
        One sequence per reference stream; None where a segment lacks that reference.
    judgments : Judgments
        Human scores.
    specs : iterable of str, Spec, Scorer or OutsideScores, optional
        The metrics. Default: those that declare themselves part of the default set.
    unit : {"segment", "doc"}, optional
        What is resampled and what an item is. Default: documents if documents were judged,
        otherwise segments.
    documents : sequence of str, optional
        Document id of each segment.
    minimum : int
        An output that fewer raters judged counts as not judged.
    judged_only : bool
        Whether units of which no output was judged are left out, also for the metrics.
    sets : iterable of {"case", "nocase", "stem"}, optional
        Text treatments; every metric is computed under each of them. See
        `mteval_core.evaluation.evaluate.TEXT_SETS`. Options that a spec gives apply in every set.
    names : mapping of str to str, optional
        Names of metrics for tables, by spec. Default: label and options.
    registry : Registry, optional
        Where to look for metrics. Default: everything that is installed.
    defaults : mapping of str to str, optional
        Values of ``case``, ``tok``, ``stem`` and ``loo`` for metrics with these options.
    threads : int
        Number of threads.
    progress : bool
        Whether to show a progress bar on a terminal when it takes long.

    Returns
    -------
    Study

    Raises
    ------
    UsageError
        If there is no system or metric, a metric or set is unknown, or documents are not known.
    InputError
        If texts and judgments do not belong together.
    """
    registry = default_registry() if registry is None else registry
    specs = registry.default_metrics() if specs is None else specs
    wanted = requests(specs, sets, registry, defaults, names=names)
    judged = _judged(list(systems), judgments, minimum)
    test_set = as_test_set(references, documents, n_hypotheses=len(systems[judged[0]]))
    judgments = judgments.located(test_set.ids)
    units = units_of(test_set, unit or ("doc" if judgments.level == "doc" else "segment"))
    criteria = criteria_of(judgments, judged, units, minimum)
    evaluation = evaluate(
        {name: systems[name] for name in judged},
        test_set,
        [request.scorer for request in wanted],
        registry=registry,
        defaults=defaults,
        threads=threads,
        progress=progress,
    )
    measures = tuple(_measure(request, evaluation, judged, units.kind) for request in wanted)
    study = Study(
        systems=tuple(judged),
        units=units.names,
        unit=units.kind,
        measures=measures,
        criteria=criteria,
        judgments=judgments,
        inputs=evaluation.inputs(),
    )
    study = study.of_judged_units() if judged_only else study
    notes = [*_notes(list(systems), judged, judgments, study.criteria), *_wrong_directions(study)]
    return replace(study, notes=tuple(notes))


def _wrong_directions(study: Study) -> Iterator[Note]:
    """Find scores from outside that correlate negatively with every criterion."""
    metrics, humans = study.totals
    if len(study.systems) < 3:  # two points always lie on a line
        return
    for measure, scores in zip(study.measures, metrics, strict=True):
        if isinstance(measure.scorer, OutsideScorer) and np.all(pearson(scores, humans) < 0):
            yield WrongDirection(measure.name, measure.scorer.given.better)


def _judged(systems: list[str], judgments: Judgments, minimum: int) -> list[str]:
    """Choose the systems that have a human score."""
    missing = np.isnan(judgments.means(systems, minimum=minimum))
    judged = [name for k, name in enumerate(systems) if not missing[:, k].all()]
    if not judged:
        by = f" by {minimum} raters or more" if minimum > 1 else ""
        message = (
            f"none of the systems was judged{by}: scored are {', '.join(systems) or 'none'}; "
            f"judged are {', '.join(judgments.systems)}"
        )
        raise InputError(message)
    unscored = [name for name in judgments.systems if name not in systems]
    for name in systems:
        same = [other for other in unscored if name not in judged and are_alike(name, other)]
        if same:
            message = (
                f"system {name!r} was not judged, but {same[0]!r} was: if they are the same, type "
                f"-i {same[0]}=PATH"
            )
            warn("similar-names", message)
    return judged


def are_alike(name: str, other: str) -> bool:
    """Whether two names differ only in case, or one has a suffix after a mark of punctuation."""
    short, long = sorted((name.casefold(), other.casefold()), key=len)
    return long.startswith(short) and not long[len(short) : len(short) + 1].isalnum()


def _measure(request: Request, evaluation: Evaluation, systems: list[str], unit: Unit) -> Measure:
    """Collect the rows of a metric from an evaluation."""
    spec = str(request.scorer.spec)
    return Measure(
        name=request.name,
        set=request.set,
        scorer=evaluation.scorers[spec],
        signature=str(evaluation.signature(systems[0], spec)),
        rows=tuple(evaluation.sums(system, spec, unit) for system in systems),
    )


def _notes(
    systems: list[str], judged: list[str], judgments: Judgments, criteria: tuple[Criterion, ...]
) -> Iterator[Note]:
    unjudged = tuple(name for name in systems if name not in judged)
    if unjudged:
        yield UnjudgedSystems(unjudged)
    unscored = tuple(name for name in judgments.systems if name not in systems)
    if unscored:
        yield UnscoredSystems(unscored)
    if judgments.unchosen:
        yield UnusedCriteria(judgments.unchosen)
    if len(judged) < ENOUGH:
        yield FewSystems(len(judged))
    for criterion in criteria if judgments.level != "system" else ():
        n = criterion.rows[..., 1]
        missing = int(np.sum(n == 0))
        if missing:
            yield MissingJudgments(criterion.name, missing, n.size)
