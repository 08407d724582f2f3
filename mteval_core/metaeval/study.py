"""Metrics and human scores of the same outputs, as rows that every experiment weighs.

Human scores are rows as well: the sum of an item's scores and their number, so that totals of any
weights give a mean, and what nobody judged counts nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.errors import InputError, UsageError
from mteval_core.evaluation.evaluate import evaluate, text_sets
from mteval_core.evaluation.resampling import CHUNK, bootstrap
from mteval_core.metaeval.correlation import quotient
from mteval_core.metaeval.notes import (
    FewSystems,
    MissingJudgments,
    UnjudgedSystems,
    UnscoredSystems,
)
from mteval_core.metrics.resolve import metric
from mteval_core.plugin.loading import default_registry
from mteval_core.text.text import as_test_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from mteval_core.metaeval.judgments import Judgments
    from mteval_core.metaeval.notes import Note
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry
    from mteval_core.spec import Spec
    from mteval_core.text.text import TestSet, Text

__all__ = ["Criterion", "Draw", "Measure", "Study", "Unit", "study_metrics"]

Unit = Literal["segment", "doc"]
Draw = Literal["segments", "systems", "both"]
DRAWS: tuple[Draw, ...] = ("segments", "systems", "both")

DECIMALS = 10
"""Scores that agree in so many decimals are tied: sums in another order differ in the last bits."""


ENOUGH = 5
"""With fewer systems, coefficients over systems are not reliable."""


@dataclass(frozen=True, eq=False)
class Measure:
    """A metric on all systems.

    Parameters
    ----------
    name : str
        Label and options, for tables.
    set : str
        Which of the sets of a study it is of; empty if there are none.
    scorer : Scorer
        The metric, bound to the references.
    signature : str
        What it takes to compute its scores again.
    rows : ndarray of float64, shape (n_systems, n_units, k)
        Statistics.
    """

    name: str
    set: str
    scorer: Scorer
    signature: str
    rows: NDArray[np.float64]

    def scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of totals, shape (..., k) to (...): higher is better, errors being turned."""
        main = list(self.scorer.scales).index(self.scorer.main)
        sign = 1.0 if self.scorer.declaration.better == "higher" else -1.0
        scores: NDArray[np.float64] = np.round(
            sign * self.scorer.values(totals)[..., main], DECIMALS
        )
        return scores


@dataclass(frozen=True, eq=False)
class Criterion:
    """Human scores of all systems.

    Parameters
    ----------
    name : str
        What was scored.
    rows : ndarray of float64, shape (n_systems, n_units, 2)
        Sum and number of scores.
    """

    name: str
    rows: NDArray[np.float64]

    def scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Means of totals, shape (..., 2) to (...); NaN where nothing was judged."""
        return np.round(quotient(totals[..., 0], totals[..., 1]), DECIMALS)


@dataclass(frozen=True, eq=False)
class Study:
    """Metrics and human scores of the same systems and units. Made by `study_metrics`.

    Parameters
    ----------
    systems : tuple of str
        Systems that were both scored and judged, in the order of the scores.
    units : tuple of int or tuple of str
        Numbers of the segments, or document ids.
    unit : {"segment", "doc"}
        Which of the two: what is resampled, and an item of segment-level experiments.
    measures : tuple of Measure
        The metrics; set by set, if there are sets.
    criteria : tuple of Criterion
        The human scores.
    judgments : Judgments
        Where these come from.
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
    def judged_items(self) -> bool:
        """Whether items were judged, not only systems."""
        return self.judgments.level != "system"

    @cached_property
    def item_scores(self) -> NDArray[np.float64]:
        """Scores of all units under all metrics, shape (n_measures, n_systems, n_units)."""
        return np.stack([measure.scores(measure.rows) for measure in self.measures])

    @cached_property
    def human_items(self) -> NDArray[np.float64]:
        """Human scores of all units, shape (n_criteria, n_systems, n_units)."""
        return np.stack([criterion.scores(criterion.rows) for criterion in self.criteria])

    def need_items(self, purpose: str) -> None:
        """Raise a `UsageError` if only systems were judged."""
        if not self.judged_items:
            message = f"{purpose} needs judgments of segments or documents; these are of systems"
            raise UsageError(message)

    def scores(
        self, chunks: Iterable[NDArray[np.float64]]
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Scores of all systems under weights.

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
        n_systems, n = len(self.systems), len(self.units)
        flat = [np.swapaxes(source.rows, 0, 1).reshape(n, -1) for source in sources]
        # For products this small, BLAS threads do nothing but wait for each other.
        with threadpool_limits(1, user_api="blas"):
            for weights in chunks:
                found = [
                    source.scores((weights @ rows).reshape(len(weights), n_systems, -1))
                    for source, rows in zip(sources, flat, strict=True)
                ]
                yield (
                    np.stack(found[: len(self.measures)], axis=1),
                    np.stack(found[len(self.measures) :], axis=1),
                )

    @cached_property
    def totals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Scores on the whole test set.

        Returns
        -------
        metrics : ndarray of float64, shape (n_measures, n_systems)
        humans : ndarray of float64, shape (n_criteria, n_systems)
        """
        ((metrics, humans),) = self.scores([np.ones((1, len(self.units)))])
        return metrics[0], humans[0]

    def resamples(
        self, n: int, seed: int, draw: Draw
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Scores on resampled segments, of resampled systems, or both.

        Parameters
        ----------
        n : int
            Number of resamples.
        seed : int
            Of ``numpy.random.default_rng``.
        draw : {"segments", "systems", "both"}
            What is drawn with replacement; for ``segments`` read documents if these are the units.

        Yields
        ------
        metrics : ndarray of float64, shape (chunk, n_measures, n_systems)
        humans : ndarray of float64, shape (chunk, n_criteria, n_systems)
        """
        if draw == "systems":
            whole = [np.broadcast_to(scores, (CHUNK, *scores.shape)) for scores in self.totals]
            sizes = (min(CHUNK, n - start) for start in range(0, n, CHUNK))
            found: Iterable[tuple[NDArray[np.float64], NDArray[np.float64]]] = (
                (whole[0][:size], whole[1][:size]) for size in sizes
            )
        else:
            found = self.scores(bootstrap(len(self.units), n, seed))
        rng = np.random.default_rng([seed, 1])
        for metrics, humans in found:
            if draw == "segments":
                yield metrics, humans
                continue
            drawn = rng.integers(0, len(self.systems), (len(metrics), 1, len(self.systems)))
            yield (
                np.take_along_axis(metrics, drawn, axis=-1),
                np.take_along_axis(humans, drawn, axis=-1),
            )


def study_metrics(
    systems: Mapping[str, Sequence[str] | Text],
    references: Sequence[Sequence[str | None]] | TestSet,
    judgments: Judgments,
    specs: Iterable[str | Spec] | None = None,
    *,
    unit: Unit | None = None,
    documents: Sequence[str] | None = None,
    minimum: int = 1,
    sets: Iterable[str] | None = None,
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
    references : sequence of sequence of str
        One sequence per reference stream; None where a segment lacks that reference.
    judgments : Judgments
        Human scores.
    specs : iterable of str, optional
        The metrics; those that declare themselves of the default set, unless given.
    unit : {"segment", "doc"}, optional
        What is resampled and what an item is; what was judged, unless given, or segments.
    documents : sequence of str, optional
        Document id of each segment.
    minimum : int
        An item that fewer raters judged counts as not judged.
    sets : iterable of {"case", "nocase", "stem"}, optional
        Ways of preparing the text, each with all metrics; see
        `mteval_core.evaluation.evaluate.TEXT_SETS`.
        What a spec says of the text itself stays in every set.
    registry : Registry, optional
        Where to look for metrics; all that is installed, unless given.
    defaults : mapping of str to str, optional
        Values of ``case``, ``tok``, ``stem`` and ``loo`` for all metrics that have them.
    threads : int
        How many threads count.
    progress : bool
        Whether to show a progress bar on a terminal when it takes long.

    Returns
    -------
    Study

    Raises
    ------
    UsageError
        If there is no system or metric, no such metric or set, or documents are not known.
    InputError
        If texts and judgments do not belong together.
    """
    registry = default_registry() if registry is None else registry
    wanted = _wanted(registry.default_metrics() if specs is None else specs, sets, registry)
    missing = np.isnan(judgments.means(list(systems), minimum=minimum))
    judged = [name for k, name in enumerate(systems) if not missing[:, k].all()]
    if not judged:
        enough = f" by {minimum} raters or more" if minimum > 1 else ""
        message = (
            f"none of the systems was judged{enough}: scored are {', '.join(systems) or 'none'}; "
            f"judged are {', '.join(judgments.systems)}"
        )
        raise InputError(message)
    test_set = as_test_set(references, documents, n_hypotheses=len(systems[judged[0]]))
    unit = unit or ("doc" if judgments.level == "doc" else "segment")
    units, place = _units(test_set, unit)
    criteria = _criteria(judgments, judged, units, place, test_set, minimum)
    evaluation = evaluate(
        {name: systems[name] for name in judged},
        test_set,
        dict.fromkeys(spec for _, _, spec in wanted),
        registry=registry,
        defaults=defaults,
        threads=threads,
        progress=progress,
    )
    measures = tuple(
        Measure(
            name,
            way,
            evaluation.scorers[spec],
            str(evaluation.signature(judged[0], spec)),
            np.stack([evaluation.sums(system, spec, unit) for system in judged]),
        )
        for name, way, spec in wanted
    )
    notes = tuple(_notes(list(systems), judgments, judged, criteria))
    inputs = evaluation.inputs()
    return Study(tuple(judged), units, unit, measures, criteria, judgments, inputs, notes)


def _wanted(
    specs: Iterable[str | Spec], sets: Iterable[str] | None, registry: Registry
) -> list[tuple[str, str, str]]:
    """Name, set and spec of all metrics; one that a set does not change is in those before only."""
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    specs = list(specs)
    for way in [""] if sets is None else sets:
        for given in specs:
            scorer = metric(given, registry=registry)
            spec = text_sets([scorer.spec], [way], registry)[0] if way else scorer.spec
            # The label and the options that were asked for: a spec that `-m` takes.
            options = [f"{key}={'+'.join(items)}" for key, items in scorer.spec.options.items()]
            name = ":".join([scorer.label, ",".join(options)]) if options else scorer.label
            found.setdefault((str(scorer.spec), str(spec)), (name, way, str(spec)))
    return list(found.values())


def _units(
    test_set: TestSet, unit: Unit
) -> tuple[tuple[int, ...] | tuple[str, ...], NDArray[np.int64] | None]:
    """Names of the units, and for documents the place of each segment among them."""
    if unit == "segment":
        return tuple(range(len(test_set))), None
    if test_set.documents is None:
        message = "documents are not known: give the document id of each segment (--docs FILE)"
        raise UsageError(message)
    ids = {document: i for i, document in enumerate(dict.fromkeys(test_set.documents))}
    return tuple(ids), np.array([ids[document] for document in test_set.documents])


def _criteria(
    judgments: Judgments,
    systems: list[str],
    units: tuple[int, ...] | tuple[str, ...],
    place: NDArray[np.int64] | None,
    test_set: TestSet,
    minimum: int,
) -> tuple[Criterion, ...]:
    """Human scores as rows of the units."""
    segments = range(len(test_set))
    items = {"segment": segments, "doc": units, "system": None}[judgments.level]
    if judgments.level == "doc" and place is None:
        message = "documents were judged, not segments; expected the unit doc (--level doc)"
        raise UsageError(message)
    unknown: list[Any] = [] if items is None else sorted({*judgments.items} - {*items})
    if unknown and judgments.level == "doc":
        message = (
            f"document {unknown[0]!r} was judged but is not in the test set, whose documents are "
            f"{', '.join(map(str, units[:5]))}{', ...' if len(units) > 5 else ''}"
        )
        raise InputError(message)
    if unknown:
        message = (
            f"segment {unknown[-1]} was judged, but the test set ends with segment "
            f"{segments[-1]}: the judgments belong to another test set, or count from 1"
        )
        raise InputError(message)
    means = judgments.means(systems, items, minimum)
    if judgments.level == "system":
        means = np.broadcast_to(means, (*means.shape[:2], len(units)))
    judged = ~np.isnan(means)
    for name, some in zip(judgments.criteria, judged, strict=True):
        if not some.any():
            message = f"{name}: no output of {', '.join(systems)} was judged" + (
                f" by {minimum} raters or more" if minimum > 1 else ""
            )
            raise InputError(message)
    rows = np.stack([np.nan_to_num(means), judged.astype(np.float64)], axis=-1)
    if judgments.level == "segment" and place is not None:
        sums = np.zeros((*rows.shape[:2], len(units), 2))
        np.add.at(np.moveaxis(sums, 2, 0), place, np.moveaxis(rows, 2, 0))
        rows = sums
    return tuple(Criterion(*named) for named in zip(judgments.criteria, rows, strict=True))


def _notes(
    systems: list[str],
    judgments: Judgments,
    judged: list[str],
    criteria: tuple[Criterion, ...],
) -> Iterator[Note]:
    unjudged = tuple(name for name in systems if name not in judged)
    if unjudged:
        yield UnjudgedSystems(unjudged)
    unscored = tuple(name for name in judgments.systems if name not in systems)
    if unscored:
        yield UnscoredSystems(unscored)
    if len(judged) < ENOUGH:
        yield FewSystems(len(judged))
    for criterion in criteria if judgments.level != "system" else ():
        n = criterion.rows[..., 1]
        missing = int(np.sum(n == 0))
        if missing:
            yield MissingJudgments(criterion.name, missing, n.size)
