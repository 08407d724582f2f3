"""Counting the segments of a part: sums of rows, and rows, documents and resamples as asked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core.errors import InputError, PluginError, UsageError, attributed
from mteval_core.evaluation.partial import Counted, Document, Partial, merge_partials, spooled
from mteval_core.frozen import Frozen
from mteval_core.metrics import bars
from mteval_core.metrics.contract import PiecewiseMetric, PreparableMetric
from mteval_core.metrics.exact import ExactSum, Weighable, WeightedSum
from mteval_core.metrics.formula import SegmentMean
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.request import JACKKNIFE
from mteval_core.metrics.scorer import Job, require_texts, score_systems, views_of_references
from mteval_core.metrics.sums import KeptRows, are_alike
from mteval_core.text.text import TestSet, Text
from mteval_core.text.views import Views

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mteval_core.evaluation.scores import Level
    from mteval_core.evaluation.sources import Part, Source
    from mteval_core.metrics.contract import Counts, Metric
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.metrics.sums import Rows
    from mteval_core.text.tokens import ReferenceView
    from mteval_kernels import Vocabulary

    Key = tuple[str, str]


class Kept(NamedTuple):
    """What is kept of the rows of segments.

    Parameters
    ----------
    level : {"corpus", "doc", "segment"}
        Sums of all segments, sums of each document too, or all rows.
    resamples : int
        Number of resamples of a Poisson bootstrap that are counted; 0 for none.
    seed : int
        Its seed.
    """

    level: Level = "corpus"
    resamples: int = 0
    seed: int = 12345

    def check(self) -> None:
        """Raise a `UsageError` if a value is not one of these."""
        if self.level not in ("corpus", "doc", "segment"):
            raise UsageError(f"unknown level {self.level!r:.100}: expected corpus, doc or segment")
        if self != Kept(self.level):
            from mteval_core.evaluation.draw import check_count, check_seed

            check_count(self.resamples or 1, "resamples")
            check_seed(self.seed)

    def check_scorers(self, scorers: Sequence[Scorer], *, n_references: int, source: bool) -> None:
        """Check that metrics can be counted in parts.

        Parameters
        ----------
        scorers : sequence of Scorer
            The metrics.
        n_references : int
            Number of reference streams.
        source : bool
            Whether there is a source.

        Raises
        ------
        UsageError
            If a metric needs all segments at once, or a value of this is not valid.
        InputError
            If a metric needs references or a source, and there are none.
        """
        self.check()
        for scorer in scorers:
            check_parts(scorer, self)
            require_texts(scorer, empty_test_set(n_references, source=source))

    def with_references(
        self, scorers: Sequence[Scorer], source: Source, threads: int = 1
    ) -> list[Scorer]:
        """Return metrics that have seen the references of all parts, if they must.

        Raises
        ------
        UsageError
            If a metric cannot be counted in the parts of the source.
        """
        if not source.is_whole:
            for scorer in scorers:
                check_parts(scorer, self)
        references = source.references()
        piecewise = [scorer for scorer in scorers if is_prepared(scorer)]
        if references is None or not piecewise:
            return list(scorers)
        collection = Collection()
        for each in references.map(partial(collect, scorers=piecewise), threads):
            collection.merge(each)
        return [
            with_counts(scorer, collection[str(scorer.spec)]) if scorer in piecewise else scorer
            for scorer in scorers
        ]

    def count_source(self, source: Source, scorers: Sequence[Scorer], threads: int = 1) -> Partial:
        """Count all parts of a source.

        Raises
        ------
        InputError
            If texts are refused, a source that knows its number of segments yields another, or
            rows do not fit on the disk.
        """
        parts = source.map(partial(count_segments, scorers=scorers, kept=self), threads)
        in_memory = source.is_whole or self.level != "segment"
        whole = merge_partials(parts if in_memory else spooled(parts))
        if source.n_segments not in (None, whole.n_segments):
            raise InputError(
                f"{whole.n_segments} segments were counted of {source.n_segments}: the files have "
                f"changed, or the engine has lost some"
            )
        return whole


def empty_test_set(n_references: int, *, source: bool) -> TestSet:
    """Return a test set of one empty segment, to which metrics can be bound."""
    empty = Text.of([""])
    return TestSet((empty,) * n_references, source=empty if source else None, size=1)


def count_segments(part: Part, scorers: Sequence[Scorer], kept: Kept, threads: int = 1) -> Partial:
    """Count the segments of a part.

    Parameters
    ----------
    part : Part
        The segments.
    scorers : sequence of Scorer
        The metrics. Those that must see all references first are prepared on a part that is the
        whole; for other parts, they have collected the references.
    kept : Kept
        What is kept.
    threads : int
        Number of threads. It does not change the result.

    Raises
    ------
    UsageError
        If a metric cannot be counted in parts, or has not seen all references.
    InputError
        If the documents are not known, or ids are negative or repeated.
    PluginError
        If the row of a segment depends on the other segments of the part.
    """
    partial = Partial(len(part.test_set), whole=part) if part.is_whole else describe_segments(part)
    ids = np.arange(partial.n_segments) if part.ids is None else part.ids
    places = part.test_set.places if kept.level == "doc" else {}
    partial.documents = {
        name: Document(int(ids[own].min()), len(own), {}) for name, own in places.items()
    }
    alone = {} if part.is_whole else first_rows(part, scorers, kept)
    to_resample: dict[Key, NDArray[np.float64]] = {}
    for run, scorer, rows in part_rows(part, scorers, threads):
        key = (run, str(scorer.spec))
        if part.is_whole:
            partial.scorers[key] = scorer
        if isinstance(rows, KeptRows):
            partial.rows[key] = [rows.rows]
            continue
        if key in alone:
            check_alone(scorer, rows[0], alone[key], int(ids[0]))
        partial.counted[key] = Counted(ExactSum.of(rows))
        for name, own in places.items():
            partial.documents[name].totals[key] = ExactSum.of(rows[own])
        if kept.level == "segment":
            partial.rows[key] = [rows]
        if kept.resamples:
            to_resample[key] = rows
    if kept.level == "segment" and not part.is_whole:
        partial.ids = [ids]
    if to_resample:
        from mteval_core.evaluation.poisson import poisson_weights

        weighable = Weighable.of(to_resample.values(), cut=True)
        chunks = map(weighable.sums, poisson_weights(ids, kept.resamples, kept.seed))
        for (key, rows), sums in zip(to_resample.items(), zip(*chunks, strict=True), strict=True):
            row = rows[0] if are_alike(rows) else None
            resampled = WeightedSum.joined(sums)
            partial.counted[key] = partial.counted[key]._replace(row=row, resampled=resampled)
    return partial


def describe_segments(part: Part) -> Partial:
    """Describe segments of which others are elsewhere: their ids, and digests of their texts.

    Raises
    ------
    InputError
        If ids are negative or repeated.
    """
    assert part.ids is not None
    check_ids(part.ids)
    n_references = np.sum([~text.missing for text in part.test_set.references], axis=0)
    return Partial(
        len(part.ids),
        last=int(part.ids.max()),
        id_sum=sum(part.ids.tolist()),
        least=int(np.min(n_references)),
        most=int(np.max(n_references)),
        digests={key: text.part_digest(part.ids) for key, text in part.texts().items()},
    )


def check_ids(ids: NDArray[np.int64]) -> None:
    """Raise an `InputError` if an id is negative or comes twice."""
    ordered = np.sort(ids)
    if len(ids) and ordered[0] < 0:
        raise InputError(f"segment id {ordered[0]}: expected a whole number of at least 0")
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(repeated):
        raise InputError(f"two segments have the id {repeated[0]}; expected different ids")


def part_rows(
    part: Part, scorers: Sequence[Scorer], threads: int
) -> Iterable[tuple[str, Scorer, Rows]]:
    """Compute the rows of every run under every metric, those of humans too."""
    jobs = [Job(scorers, part.systems, part.test_set, part.ids)]
    if part.humans:
        plain = list(map(without_jackknife, scorers))
        jobs += [Job(plain, human.systems, human.test_set) for human in part.humans]
    rows = score_systems(jobs, threads)
    if not part.is_whole:
        return rows
    return bars.progress(rows, sum(len(job.scorers) * len(job.systems) for job in jobs), "score")


def without_jackknife(scorer: Scorer) -> Scorer:
    """Return the same metric without jackknifing."""
    setup = scorer.setup
    if not isinstance(setup.implementation, Jackknife):
        return scorer
    fields = {key: items for key, items in setup.fields.items() if key != JACKKNIFE.key}
    implementation = setup.implementation.metric
    return replace(scorer, setup=replace(setup, fields=fields, implementation=implementation))


# Parts of a test set


def needs_whole(scorer: Scorer) -> bool:
    """Whether a metric needs all segments at once: all rows, one call, or all references."""
    in_one_call = scorer.declaration.pooled or scorer.setup.outside is not None
    unprepared = is_prepared(scorer) and not is_piecewise(scorer)
    depends = bool(scorer.setup.columns) or scorer.setup.needs_documents
    return in_one_call or scorer.setup.keeps_rows or unprepared or depends


def check_parts(scorer: Scorer, kept: Kept) -> None:
    """Raise a `UsageError` if a metric cannot be counted in parts of which so much is kept."""
    if scorer.setup.keeps_rows and kept.level != "segment":
        raise UsageError(
            f"{scorer.spec} is computed from all rows and not from their sum: keep the rows of all "
            f"segments, or leave the metric out"
        )
    if scorer.setup.columns:
        raise UsageError(
            f"{scorer.spec} needs the column {scorer.setup.columns[0]!r}, and parts of a test set "
            f"have only texts: leave the metric out, or score on one machine"
        )
    if scorer.setup.needs_documents:
        raise UsageError(f"{scorer.spec} needs whole documents, which parts cut: leave it out")
    if is_prepared(scorer) and not is_piecewise(scorer):
        raise UsageError(
            f"{scorer.spec} must see all references before it counts, so it cannot be computed in "
            f"parts; leave the metric out, or score on one machine"
        )


def first_rows(part: Part, scorers: Sequence[Scorer], kept: Kept) -> dict[Key, Rows]:
    """Compute the rows of the first segment on its own, to compare them with those in the part.

    One run shows whether a metric adds up, and of thousands, each would take as long as a system.

    Raises
    ------
    UsageError
        If a metric cannot be counted in parts, or has not seen all references.
    """
    for scorer in scorers:
        check_parts(scorer, kept)
        if is_prepared(scorer):
            raise UsageError(
                f"{scorer.spec} must see all references before it counts: collect them first, or "
                f"leave the metric out"
            )
    first = part._replace(systems=dict([*part.systems.items()][:1])).slice(0, 1)
    return {(run, str(one.spec)): rows for run, one, rows in part_rows(first, scorers, 1)}


def check_alone(
    scorer: Scorer, row: NDArray[np.float64], alone: NDArray[np.float64], segment: int
) -> None:
    """Raise a `PluginError` if a segment has another row alone than among others."""
    if not np.allclose(alone[0], row, rtol=scorer.declaration.tolerance, atol=0):
        raise PluginError(
            f"{scorer.setup.name}: the row of segment {segment} is {row} among other segments "
            f"and {alone[0]} alone, so rows cannot be added in parts; expected rows that depend "
            f"on their own segment only"
        )


# References


class Collection(dict[str, "Counts"]):
    """What metrics need to know of all references, by spec."""

    def merge(self, other: Collection) -> None:
        """Add what was collected from other parts."""
        for spec, counts in other.items():
            if spec in self:
                self[spec].merge(counts)
            else:
                self[spec] = counts


def collect(part: Part, scorers: Sequence[Scorer]) -> Collection:
    """Collect what metrics need to know of the references of a part."""
    pipelines = [pipeline for scorer in scorers for pipeline in scorer.setup.pipelines.values()]
    views = Views(part.test_set, pipelines)
    collection = Collection()
    for scorer in scorers:
        metric = scorer.setup.implementation
        assert isinstance(metric, PiecewiseMetric)
        references = views_of_references(scorer, views.references)
        with attributed(f"the preparation of {scorer.setup.name}"):
            collection[str(scorer.spec)] = metric.collect(**references, vocabulary=views.vocabulary)
    return collection


# Metrics that see all references before they count


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


def with_counts(scorer: Scorer, counts: Counts) -> Scorer:
    """Give a piecewise metric the counts of all pieces, so that it can be bound to any of them."""
    implementation = Collected(scorer.setup.implementation, counts)
    return replace(scorer, setup=replace(scorer.setup, implementation=implementation))
