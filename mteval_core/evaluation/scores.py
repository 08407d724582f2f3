"""Counts of an evaluation: rows and totals of every system and run, and the scores from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.frozen import Frozen
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.scorer import cut_texts, formula
from mteval_core.metrics.sums import by_unit, total_of, weighted_totals
from mteval_core.text.digest import SeenTestSet
from mteval_core.text.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from mteval_core.metrics.scorer import Scorer
    from mteval_core.metrics.sums import Rows, Sums
    from mteval_core.text.digest import SeenText
    from mteval_core.text.text import TestSet

SYSTEMS_AT_ONCE = 25
"""A call of a formula takes as long as 200 scores, and larger arrays would leave the cache."""

Level = Literal["corpus", "doc", "segment"]
By = Literal["segment", "doc"]
"""The unit that is resampled or exchanged: a segment, or a document with the sum of its rows."""


class Human(Frozen):
    """A reference that is scored as if it were a system.

    Parameters
    ----------
    test_set : TestSet
        The other references.
    scorers : mapping of str to Scorer
        The metrics by spec, bound to the other references and not jackknifed.
    """

    test_set: TestSet
    scorers: Mapping[str, Scorer]


class Corpus(NamedTuple):
    """A test set, and the outputs by run."""

    test_set: TestSet
    texts: Mapping[str, Text]


class InParts(Frozen):
    """What parts of a test set keep in place of all rows.

    Parameters
    ----------
    document_sizes : mapping of str to int
        Number of segments of each document. Empty if documents were not counted.
    document_rows : mapping of (str, str) to ndarray of float64, shape (n_documents, k)
        Sum of the rows of each document, by run and spec.
    resampled : mapping of (str, str) to ndarray of float64, shape (n_resamples, k)
        Totals of Poisson resamples, by run and spec. Empty if none were counted.
    alike : mapping of (str, str) to bool
        Whether all segments have the same row.
    seed : int
        Seed of the resamples.
    """

    document_sizes: Mapping[str, int]
    document_rows: Mapping[tuple[str, str], NDArray[np.float64]]
    resampled: Mapping[tuple[str, str], NDArray[np.float64]]
    alike: Mapping[tuple[str, str], bool]
    seed: int


class Scores(Frozen, eq=False):
    """Rows and totals of every run under every metric.

    Parameters
    ----------
    test_set : TestSet
        The references, and the documents if they are known.
    runs : mapping of str to tuple of str
        The systems in the order given, each with the names of its runs. A system with one run has
        its own name here.
    texts : mapping of str to Text
        The outputs by run.
    scorers : mapping of str to Scorer
        The metrics by spec, in the order given, bound to the references.
    totals : mapping of (str, str) to ndarray of float64, shape (k,), or WeightedRows
        The sum of the rows by run and spec.
    rows : mapping of (str, str) to ndarray of float64, shape (n_segments, k), KeptRows, or list
        The rows by run and spec; a list has pieces that are in a file. Empty if they were not kept.
    humans : mapping of str to Human
        The systems that are references.
    in_parts : InParts or None
        What was kept if the texts were counted in parts and dropped.
    """

    test_set: TestSet | SeenTestSet
    runs: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, Text | SeenText]
    scorers: Mapping[str, Scorer]
    totals: Mapping[tuple[str, str], Sums]
    rows: Mapping[tuple[str, str], Rows] = field(default_factory=dict)
    humans: Mapping[str, Human] = field(default_factory=dict)
    in_parts: InParts | None = None

    @property
    def corpus(self) -> Corpus:
        """The test set and the outputs with all their segments.

        Raises
        ------
        UsageError
            If they were counted in parts and dropped.
        """
        texts = {run: text for run, text in self.texts.items() if isinstance(text, Text)}
        if isinstance(self.test_set, SeenTestSet) or len(texts) < len(self.texts):
            raise UsageError(
                "the texts were counted in parts and dropped, and this needs them: evaluate all "
                "segments on one machine"
            )
        return Corpus(self.test_set, texts)

    @cached_property
    def single_runs(self) -> bool:
        """Whether every system has one run."""
        return all(len(runs) == 1 for runs in self.runs.values())

    @property
    def competing(self) -> list[str]:
        """The systems that are compared: all but the references."""
        return [system for system in self.runs if system not in self.humans]

    def from_file_only(self, spec: str, level: Level = "corpus") -> dict[str, float]:
        """Return the scores of systems that only the file of a metric's scores names, by name."""
        outside = self.scorers[spec].setup.outside
        found = sorted(outside.values.items()) if outside and level == "corpus" else ()
        return {name: float(np.mean(values)) for name, values in found if name not in self.runs}

    def titled(self, names: Mapping[str, str]) -> Scores:
        """Return the same with other names of metrics in tables, by their specs."""
        scorers = {**self.scorers}
        for spec, title in names.items():
            setup = replace(scorers[spec].setup, title=title)
            scorers[spec] = replace(scorers[spec], setup=setup)
        return replace(self, scorers=scorers)

    def scorer(self, system: str, spec: str) -> Scorer:
        """Return the metric that a system is scored with; humans are not jackknifed.

        Raises
        ------
        UsageError
            If the evaluation has no such system or metric.
        """
        if system not in self.runs or spec not in self.scorers:
            raise UsageError(
                f"no score of system {system!r} under {spec!r}; "
                f"systems: {', '.join(self.runs)}; metrics: {', '.join(self.scorers)}"
            )
        return self.humans[system].scorers[spec] if system in self.humans else self.scorers[spec]

    def values(self, system: str, spec: str, level: Level = "corpus") -> NDArray[np.float64]:
        """Compute all values of a system, the mean over its runs, for each part of the test set.

        Returns
        -------
        ndarray of float64, shape (n_parts, v)
            The parts are those of `groups`.
        """
        return np.concatenate([*self.blocks(system, spec, level)])

    def blocks(self, system: str, spec: str, level: Level) -> Iterator[NDArray[np.float64]]:
        """Compute the same values, those of some parts of the test set at a time."""
        scorer = self.scorer(system, spec)
        for sums in zip(*(self._parts(run, spec, level) for run in self.runs[system]), strict=True):
            yield np.mean([scorer.values(each) for each in sums], axis=0)

    def cut(self, system: str, spec: str) -> int:
        """Return how many texts a metric has cut, in all runs of a system."""
        totals = (self.totals[run, spec] for run in self.runs[system])
        return sum(cut_texts(self.scorer(system, spec), total) for total in totals)

    def misses_segments(self, spec: str) -> bool:
        """Tell whether a metric leaves out some segment of some system."""
        leaves_out = self.scorers[spec].setup.fields.get("missing") == ("leave-out",)
        return leaves_out and any(self.values(one, spec)[0, -1] < 100 for one in self.runs)

    def of_both(self, system: str, baseline: str, spec: str) -> Scores:
        """Return the scores of two systems over the segments that have a score of both."""
        runs = {name: self.runs[name] for name in (system, baseline)}
        rows = {
            (run, spec): self.sums(run, spec, "segment") for own in runs.values() for run in own
        }
        scorer = self.scorers[spec]
        scored = np.all([scorer.values(each)[:, -1:] == 100 for each in rows.values()], axis=0)
        rows = {key: each * scored for key, each in rows.items()}
        totals = {key: total_of(each) for key, each in rows.items()}
        return replace(self, runs=runs, scorers={spec: scorer}, rows=rows, totals=totals)

    def run_scores(self, system: str, spec: str) -> NDArray[np.float64]:
        """Compute the corpus score of each run of a system, shape (n_runs,)."""
        score = self.scorer(system, spec).scores
        return np.concatenate([score(self.sums(run, spec, "corpus")) for run in self.runs[system]])

    def jackknife_scores(self, system: str, spec: str) -> NDArray[np.float64] | None:
        """Compute the score against each leave-one-out set of references, shape (N,).

        Their spread shows how much the score depends on the choice of references. None if the
        metric is not jackknifed.
        """
        scorer = self.scorer(system, spec)
        jackknife = scorer.setup.implementation
        if not isinstance(jackknife, Jackknife):
            return None
        sums = [self.sums(run, spec, "corpus") for run in self.runs[system]]
        of_sets, main = formula(scorer, "scores"), list(scorer.scales).index(scorer.main)
        runs = [of_sets.values(one, len(jackknife.sets))[..., main] for one in sums]
        scores: NDArray[np.float64] = np.concatenate(runs, axis=1).mean(axis=1)
        return scores

    def groups(self, level: Level) -> tuple[list[str] | range | list[None], NDArray[np.int64]]:
        """List the parts of the test set at a level: their ids and their numbers of segments.

        Raises
        ------
        InputError
            If documents are asked for and not known.
        """
        n = len(self.test_set)
        if level == "corpus":
            return [None], np.array([n])
        if level == "segment":
            return range(n), np.ones(n, np.int64)
        sizes = self.in_parts.document_sizes if self.in_parts else {}
        sizes = sizes or {name: len(own) for name, own in self.corpus.test_set.places.items()}
        return list(sizes), np.array([*sizes.values()])

    @cached_property
    def _document_numbers(self) -> NDArray[np.int64]:
        """Number of each segment's document, in order of first appearance."""
        numbers = np.empty(len(self.test_set), np.int64)
        for i, own in enumerate(self.corpus.test_set.places.values()):
            numbers[own] = i
        return numbers

    def sums(self, run: str, spec: str, level: Level) -> Sums:
        """Add up the rows of a run over each part of the test set, shape (n_parts, k)."""
        first, *others = self._parts(run, spec, level)
        return np.concatenate([first, *others]) if others else first

    def _parts(self, run: str, spec: str, level: Level) -> Iterable[Sums]:
        """Return the same sums, those of some parts at a time if the rows are in a file."""
        if level == "corpus":
            return [self.totals[run, spec][None]]
        need_parts(self.scorers[spec], level)
        if level == "doc" and self.in_parts and self.in_parts.document_rows:
            return [self.in_parts.document_rows[run, spec]]
        if not self.rows:
            raise UsageError("the rows were not kept: evaluate with kept=Kept('segment')")
        rows = self.rows[run, spec]
        pieces = [rows] if not isinstance(rows, list) else map(np.asarray, rows)
        if level == "segment":
            return pieces
        first, *others = pieces
        whole = np.concatenate([first, *others]) if others else first
        return [by_unit(whole, self._document_numbers)]

    def unit_rows(self, by: By) -> dict[tuple[str, str], Rows]:
        """Return the rows of all units by run and spec, shape (n_units, k).

        Raises
        ------
        UsageError
            If segments are drawn, and a row depends on those around it.
        """
        context = [spec for spec, scorer in self.scorers.items() if scorer.setup.has_context]
        if context and by == "segment":
            raise UsageError(f"rows of {context[0]} depend on segments around: add --by doc")
        return {
            (run, spec): self.sums(run, spec, by)
            for runs in self.runs.values()
            for run in runs
            for spec in self.scorers
        }

    def mean_scores(
        self, totals: Mapping[tuple[str, str], Sums], spec: str
    ) -> dict[str, NDArray[np.float64]]:
        """Compute the score of every system, the mean over its runs, from totals of the runs.

        Parameters
        ----------
        totals : mapping of (str, str) to ndarray of float64, shape (..., k), or WeightedRows
            Totals by run and spec.
        spec : str
            The metric.

        Returns
        -------
        dict of str to ndarray of float64, shape (...)
            Scores by system.
        """
        runs = self.runs.items()
        sums = [totals[run, spec] for _, own in runs for run in own]
        blocks: Iterable[Iterable[NDArray[np.float64]]]
        if self.humans or not isinstance(sums[0], np.ndarray):
            scorers = (self.scorer(one, spec) for one, own in runs for _ in own)
            blocks = ([own.scores(each)] for own, each in zip(scorers, sums, strict=True))
        else:
            some = (sums[k : k + SYSTEMS_AT_ONCE] for k in range(0, len(sums), SYSTEMS_AT_ONCE))
            # Each column stays in one piece, as formulas like it.
            stacks = (np.stack([one.T for one in each], axis=1) for each in some)
            blocks = (self.scorers[spec].scores(np.moveaxis(one, 0, -1)) for one in stacks)
        found = chain.from_iterable(blocks)
        return {
            one: np.mean([*islice(found, len(own))], axis=0) if len(own) > 1 else next(found)
            for one, own in runs
        }

    def subsample_scores(
        self, spec: str, by: By, n: int, seed: int
    ) -> dict[str, NDArray[np.float64]]:
        r"""Score every system on n subsamples, and give these scores the spread of the whole set.

        Returns
        -------
        dict of str to ndarray of float64, shape (n,)
            By system. An interval of them is one of the score.

        Raises
        ------
        UsageError
            If the metric declares that its score cannot be resampled.

        Notes
        -----
        A subsample leaves out a fifth of the units. The score of m of N units without replacement
        spreads too little for m units, by the factor :math:`\sqrt{1 - m/N}`, and too much for N, by
        :math:`\sqrt{N/m}`. So the deviations from the mean of all subsamples are multiplied by
        :math:`\sqrt{m / (N - m)}` (Shao and Wu 1989, the jackknife without N - m units at a time),
        and added to the score of the whole set. The mean itself takes no part: fewer units may have
        another score by their number.
        """
        if self.scorers[spec].declaration.resample == "none":
            raise UsageError(f"{spec} cannot be resampled, as its plugin declares: test without it")
        from mteval_core.evaluation.resampling import subsamples

        rows = replace(self, scorers={spec: self.scorers[spec]}).unit_rows(by)
        n_units = len(next(iter(rows.values())))
        size = n_units - max(1, n_units // 5)
        weights = partial(subsamples, n_units, n, seed, size=size)
        observed = self.mean_scores(self.totals, spec)
        chunks = [self.mean_scores(totals, spec) for totals in weighted_totals(weights, rows)]
        drawn = {one: np.concatenate([chunk[one] for chunk in chunks]) for one in observed}
        factor = (size / (n_units - size)) ** 0.5
        return {one: observed[one] + factor * (own - own.mean()) for one, own in drawn.items()}

    def without_each(self, spec: str, by: By) -> dict[str, NDArray[np.float64]]:
        """Compute the scores of every system without each unit, shape (n_units,)."""
        runs = [run for own in self.runs.values() for run in own]
        rows = {(run, spec): self.sums(run, spec, by) for run in runs}
        return self.mean_scores({key: total_of(r) - r for key, r in rows.items()}, spec)


def need_parts(scorer: Scorer, level: Literal["segment", "doc"]) -> None:
    """Raise a `UsageError` if only larger parts of the test set have a score."""
    outside, unit = scorer.setup.outside, scorer.declaration.unit
    own = outside.level if outside else "doc" if unit == "document" else "segment"
    if own not in ("segment", level):
        raise UsageError(
            f"{outside.where if outside else scorer.spec} has a score per {own}, not per {level}: "
            f"no scores, intervals or tests of {level}s; leave out the metric, or these"
            f"{', or take documents (--level doc; for tests --by doc)' if own == 'doc' else ''}"
        )
