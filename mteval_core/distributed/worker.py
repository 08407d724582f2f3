"""Counting a part of a test set."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core.distributed.partial import Counted, Document, Partial
from mteval_core.errors import InputError, PluginError, UsageError
from mteval_core.evaluation.evaluate import resolve_all
from mteval_core.evaluation.poisson import poisson_weights
from mteval_core.metrics.exact import ExactSum, Weighable, WeightedSum
from mteval_core.metrics.scorer import Job, Scorer, score_systems
from mteval_core.metrics.sums import KeptRows, are_alike
from mteval_core.text.text import TestSet, Text
from mteval_core.text.views import Views

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.distributed.plan import Plan
    from mteval_core.metrics.contract import Counts
    from mteval_core.metrics.sums import Rows
    from mteval_core.plugin.registry import Registry

    Key = tuple[str, str]
    Collection = dict[str, Counts]

__all__ = ["Batch", "Worker", "check_ids"]


class Batch(NamedTuple):
    """Some segments.

    Parameters
    ----------
    ids : ndarray of int64, shape (n,)
        Unique ids of the segments: whole numbers, from 0.
    systems : mapping of str to Text
        Hypotheses by run.
    test_set : TestSet
        References, and source and documents if they are known.
    """

    ids: NDArray[np.int64]
    systems: Mapping[str, Text]
    test_set: TestSet


class Worker:
    """Counts parts of a test set.

    Parameters
    ----------
    plan : Plan
        What to count.
    registry : Registry, optional
        Where to look the metrics up. Default: everything that is installed.
    scorers : sequence of Scorer, optional
        The metrics of the plan, if they are configured already.

    Raises
    ------
    PluginError
        If metrics have other signatures here than in the plan: another version, or another model.
    """

    def __init__(
        self,
        plan: Plan,
        registry: Registry | None = None,
        *,
        scorers: Sequence[Scorer] | None = None,
    ) -> None:
        self.plan: Plan = plan
        self.collection: Collection = {}
        self.scorers: list[Scorer] = resolve_all(
            plan.metrics if scorers is None else scorers,
            registry=registry,
            defaults=plan.defaults if scorers is None else None,
        )
        for scorer, planned in zip(self.scorers, plan.signatures, strict=True):
            here = str(scorer.get_signature())
            if here != planned:
                message = (
                    f"{scorer.spec} has the signature {here} here, and {planned} in the plan; "
                    f"install the same versions on all machines"
                )
                raise PluginError(message)

    @property
    def collects(self) -> list[Scorer]:
        """The metrics that must see all references before anything is counted."""
        return [scorer for scorer in self.scorers if scorer.is_prepared]

    def collect(self, test_set: TestSet) -> Collection:
        """Collect what such metrics need of a part of the references."""
        metrics = self.collects
        views = Views(test_set, [p for scorer in metrics for p in scorer.pipelines.values()])
        return {
            str(scorer.spec): scorer.collect(views.references, views.vocabulary)
            for scorer in metrics
        }

    def collected(self, collections: Iterable[Collection]) -> Worker:
        """Return a worker whose metrics have seen all parts of the references."""
        whole: Collection = {}
        for collection in collections:
            for spec, counts in collection.items():
                if spec in whole:
                    whole[spec].merge(counts)
                else:
                    whole[spec] = counts
        scorers = [
            scorer.collected(whole[spec]) if (spec := str(scorer.spec)) in whole else scorer
            for scorer in self.scorers
        ]
        worker = Worker(self.plan, scorers=scorers)
        worker.collection = whole
        return worker

    def count(self, batch: Batch, threads: int = 1) -> Partial:
        """Count some segments.

        Parameters
        ----------
        batch : Batch
            The segments.
        threads : int
            Number of threads.

        Raises
        ------
        UsageError
            If a metric has not seen all references; see `collect`.
        InputError
            If the batch does not have the texts of the plan, or ids are negative or repeated.
        PluginError
            If the row of a segment depends on other segments.
        """
        plan, (ids, systems, test_set) = self.plan, batch
        for scorer in self.collects:
            message = (
                f"{scorer.spec} must see all references before it counts: collect them first, or "
                f"leave the metric out"
            )
            raise UsageError(message)
        self._check(batch)
        n_references = np.sum([~text.missing for text in test_set.references], axis=0)
        partial = Partial(
            plan.id,
            len(ids),
            last=int(ids.max()),
            id_sum=sum(ids.tolist()),
            least=int(np.min(n_references)),
            most=int(np.max(n_references)),
            digests={key: text.part_digest(ids) for key, text in texts_of(batch).items()},
        )
        documents = grouped(batch) if plan.level == "doc" else {}
        alone = self._first_rows(batch)
        added: dict[Key, NDArray[np.float64]] = {}
        job = Job(self.scorers, systems, test_set, ids)
        for run, scorer, rows in score_systems([job], threads):
            key = (run, str(scorer.spec))
            if isinstance(rows, KeptRows):
                partial.rows[key] = [rows.rows]
                continue
            check_alone(scorer, rows[0], alone[key], int(ids[0]))
            added[key] = rows
            for name, places in documents.items():
                empty = Document(int(ids[places].min()), len(places), {})
                totals = partial.documents.setdefault(name, empty).totals
                totals[key] = ExactSum.of(rows[places])
        resampled = self._resampled(added, ids)
        for key, rows in added.items():
            row = rows[0] if are_alike(rows) else None
            partial.counted[key] = Counted(ExactSum.of(rows), row, resampled.get(key))
        if plan.level == "segment":
            partial.ids = [ids]
            partial.rows |= {key: [rows] for key, rows in added.items()}
        return partial

    def _check(self, batch: Batch) -> None:
        """Raise an `InputError` if a batch does not fit the plan."""
        plan, (ids, systems, test_set) = self.plan, batch
        seen = (set(systems), len(test_set.references), test_set.source is not None)
        if seen != (set(plan.runs), len(plan.references), plan.source):
            message = (
                f"a batch with the systems {', '.join(systems)}, {seen[1]} references and "
                f"{'a' if seen[2] else 'no'} source; the plan has {', '.join(plan.runs)}, "
                f"{len(plan.references)} and {'a' if plan.source else 'no'} source"
            )
            raise InputError(message)
        if plan.level == "doc" and test_set.documents is None:
            message = "the documents are not known: pass the document id of each segment"
            raise InputError(message)
        if len(ids) != len(test_set):
            message = f"{len(ids)} ids for {len(test_set)} segments; expected one each"
            raise InputError(message)
        check_ids(ids)

    def _resampled(
        self, rows: Mapping[Key, NDArray[np.float64]], ids: NDArray[np.int64]
    ) -> dict[Key, WeightedSum]:
        """Add up the rows of every resample, if the plan asks for any."""
        plan = self.plan
        if not plan.resamples:
            return {}
        weighable = Weighable.of(rows.values(), cut=True)
        chunks = map(weighable.sums, poisson_weights(ids, plan.resamples, plan.seed))
        return {
            key: WeightedSum.joined(each)
            for key, each in zip(rows, zip(*chunks, strict=True), strict=True)
        }

    def _first_rows(self, batch: Batch) -> dict[Key, Rows]:
        """Compute the rows of the first segment on its own."""
        systems = {run: text.take([0]) for run, text in batch.systems.items()}
        job = Job(self.scorers, systems, first_of(batch.test_set))
        return {(run, str(scorer.spec)): rows for run, scorer, rows in score_systems([job])}


def check_alone(
    scorer: Scorer, row: NDArray[np.float64], alone: NDArray[np.float64], segment: int
) -> None:
    """Raise a `PluginError` if a segment has another row alone than among others."""
    if not np.allclose(alone[0], row, rtol=scorer.declaration.tolerance, atol=0):
        message = (
            f"metric {scorer.entry}: the row of segment {segment} is {row} among other segments "
            f"and {alone[0]} alone, so rows cannot be added in parts; expected rows that depend "
            f"on their own segment only"
        )
        raise PluginError(message)


def check_ids(ids: NDArray[np.int64]) -> None:
    """Raise an `InputError` if an id is negative or comes twice."""
    ordered = np.sort(ids)
    if len(ids) and ordered[0] < 0:
        message = f"segment id {ordered[0]}: expected a whole number of at least 0"
        raise InputError(message)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(repeated):
        message = f"two segments have the id {repeated[0]}; expected an id of its own for each"
        raise InputError(message)


def texts_of(batch: Batch) -> dict[Key, Text]:
    """Return the texts of a batch by role and name."""
    test_set = batch.test_set
    texts = {("hyp", run): text for run, text in batch.systems.items()}
    texts |= {("ref", str(k)): text for k, text in enumerate(test_set.references)}
    if test_set.source is not None:
        texts["src", ""] = test_set.source
    if test_set.documents is not None:
        texts["doc", ""] = Text.of(test_set.documents)
    return texts


def grouped(batch: Batch) -> dict[str, list[int]]:
    """List the places of the segments of each document."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(batch.test_set.documents or ()):
        places.setdefault(name, []).append(place)
    return places


def first_of(test_set: TestSet) -> TestSet:
    """Return the test set of the first segment."""
    source = test_set.source
    return TestSet(
        tuple(stream.take([0]) for stream in test_set.references),
        source=source and source.take([0]),
        size=1,
    )
