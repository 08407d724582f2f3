"""A configured metric: declaration, options, pipelines and implementation, ready to score."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from mteval_core.errors import InputError, SegmentError, attributed
from mteval_core.frozen import Frozen
from mteval_core.metrics.collected import Collected
from mteval_core.metrics.contract import PiecewiseMetric, PreparableMetric, RowsMetric, Score
from mteval_core.metrics.formula import Formula
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.matrix import EveryPair
from mteval_core.metrics.pool import Asked, pooled_rows
from mteval_core.metrics.rows import check_width, prepare, statistics, too_long
from mteval_core.metrics.segment_mean import SegmentMean
from mteval_core.metrics.sentences import OneByOne
from mteval_core.metrics.signing import Signed
from mteval_core.metrics.state import InPieces
from mteval_core.metrics.sums import KeptRows
from mteval_core.signature import Signature
from mteval_core.text.pipeline import Tokenization
from mteval_core.text.text import TestSet, Text
from mteval_core.text.views import Views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.metrics.contract import Counts, Metric
    from mteval_core.metrics.sums import Rows, Sums
    from mteval_core.plugin.declarations import MetricSpec
    from mteval_core.plugin.registry import Entry, Plugin, Registry
    from mteval_core.spec import Spec
    from mteval_core.text.pipeline import Pipeline
    from mteval_core.text.tokens import CorpusView, ReferenceView
    from mteval_kernels import Vocabulary

__all__ = ["Job", "Scorer", "score_systems", "tokenize_systems"]


class Scorer(EveryPair, OneByOne, InPieces, Signed, Frozen, eq=False):
    """A configured metric. Call `metric` to make one.

    Parameters
    ----------
    spec : Spec
        The name and the options as they were given.
    entry : Entry
        The metric's declaration and its plugin.
    plugins : tuple of Plugin
        The plugins of the metric, its tokenizers and its normalizers, excluding the host.
    fields : mapping of str to tuple of str
        The signature's fields for all options, in order.
    options : mapping of str to object
        The metric's own options.
    pipelines : mapping of str to Pipeline
        The pipeline of each view.
    implementation : Metric
        The object that computes rows and the formula.
    registry : Registry
        Where the names were looked up.
    scales : mapping of str to float
        Factors that convert the formula's values to the scale in which they are reported.
    files : mapping of str to str
        Paths of the files that options name, by the names that signatures have.
    chosen : str
        Name of the value that is the score; empty for the main value.
    tokenization : Tokenization or None
        What made the references that the metric is bound to, if it is bound for many calls.

    Examples
    --------
    >>> from mteval_core import metric
    >>> bleu = metric("bleu:smooth=none")
    >>> round(bleu.corpus_score(["a b c d e"], [["a b c d f"]]).score, 4)
    66.874
    """

    spec: Spec
    entry: Entry[MetricSpec]
    plugins: tuple[Plugin, ...]
    fields: Mapping[str, tuple[str, ...]]
    options: Mapping[str, Any]
    pipelines: Mapping[str, Pipeline]
    implementation: Metric | RowsMetric
    registry: Registry
    scales: Mapping[str, float]
    files: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    chosen: str = field(default="", kw_only=True)
    tokenization: Tokenization | None = field(default=None, kw_only=True)

    @property
    def declaration(self) -> MetricSpec:
        """The metric as its plugin declares it."""
        return self.entry.declaration

    @property
    def label(self) -> str:
        """Name in tables and signatures."""
        return self.declaration.label or self.declaration.name

    @property
    def main(self) -> str:
        """Name of the value that is the score."""
        return self.chosen or self.declaration.main or next(iter(self.scales))

    @cached_property
    def _name(self) -> str:
        """The metric and its plugin, for messages."""
        return f"metric {self.entry}"

    def named(self, values: NDArray[np.float64]) -> dict[str, float]:
        """Pair one row of `values`, shape (v,), with their names."""
        return dict(zip(self.scales, values.tolist(), strict=True))

    @property
    def keeps_rows(self) -> bool:
        """Whether the metric computes its values from all rows, not from their sum."""
        return hasattr(self.implementation, "score_rows")

    def addable(self, rows: NDArray[np.float64], widths: dict[Scorer, int] | None = None) -> Rows:
        """Return rows as `values` takes sums of them; added rows must have the same width."""
        if self.keeps_rows:
            return KeptRows(rows)
        if widths is not None:
            check_width(rows, widths.setdefault(self, rows.shape[1]), f"metric {self.entry}")
        return rows

    def values(self, totals: Sums) -> NDArray[np.float64]:
        """Compute all values from sums of rows, in the scale in which they are reported.

        Parameters
        ----------
        totals : ndarray of float64, shape (..., k), or WeightedRows or KeptRows

        Returns
        -------
        ndarray of float64, shape (..., v)

        Raises
        ------
        PluginError
            If the formula fails, or if its result has another shape than the metric declares or
            is not finite.
        """
        return self._score.values(totals)

    def numbers(self, total: Sums) -> list[float]:
        """Compute all values from one sum of rows, as `values` does, in less time."""
        return self._score.numbers(total)

    @cached_property
    def _score(self) -> Formula:
        return self._formula("score")

    def _formula(self, name: str) -> Formula:
        """The method of the metric with this name, or the same for all rows."""
        function = getattr(self.implementation, f"{name}_rows" if self.keeps_rows else name)
        factors = tuple(map(float, self.scales.values()))
        return Formula(function, f"metric {self.entry}", factors, self.keeps_rows)

    def scores(self, totals: Sums) -> NDArray[np.float64]:
        """Compute the main value from sums of rows, shape (..., k) to (...)."""
        return self.values(totals)[..., list(self.scales).index(self.main)]

    def jackknife_scores(self, totals: Sums) -> NDArray[np.float64] | None:
        """Compute the main value of each leave-one-out set, shape (..., k) to (N, ...).

        None if the metric is not jackknifed.
        """
        if not isinstance(self.implementation, Jackknife):
            return None
        values = self._formula("scores").values(totals, len(self.implementation.sets))
        return values[..., list(self.scales).index(self.main)]

    @property
    def uses_source(self) -> bool:
        """Whether the metric uses the source, if there is one."""
        return self.declaration.source != "none"

    @property
    def uses_references(self) -> bool:
        """Whether the metric uses the references, if there are any."""
        return self.declaration.references != "none"

    def check(self, test_set: TestSet) -> None:
        """Raise an `InputError` if a test set lacks texts that the metric needs."""
        if self.declaration.references == "required" and not test_set.references:
            message = f"no references for the metric {self.spec}: add REF..."
            raise InputError(message)
        if self.declaration.source == "required" and test_set.source is None:
            message = f"no source for the metric {self.spec}: add --source FILE"
            raise InputError(message)

    def used(self, corpora: Mapping[Pipeline, CorpusView]) -> dict[str, CorpusView]:
        """Return the views by name, without the texts that the metric does not use."""
        views = {name: corpora[pipeline] for name, pipeline in self.pipelines.items()}
        if not self.uses_references:
            views = {name: view.without_references() for name, view in views.items()}
        return views if self.uses_source else {n: v.without_source() for n, v in views.items()}

    def bind(self, references: Mapping[Pipeline, ReferenceView], vocabulary: Vocabulary) -> Scorer:
        """Prepare the metric on the whole set of references, if it has a ``prepare`` method."""
        if self.tokenization is not None:  # it is prepared
            return self
        with attributed(f"the preparation of metric {self.entry}"):
            prepared = prepare(self.implementation, self._seen(references), vocabulary)
        return self if prepared is self.implementation else replace(self, implementation=prepared)

    def _seen(self, references: Mapping[Pipeline, ReferenceView]) -> dict[str, ReferenceView]:
        """Return what the metric is prepared on."""
        views = {name: references[pipeline] for name, pipeline in self.pipelines.items()}
        if self.uses_references:
            return views
        return {name: view.without_references() for name, view in views.items()}

    @property
    def takes_tokens(self) -> bool:
        """Whether tokenized hypotheses and references are all that a segment is scored by."""
        return self._takes_tokens

    @cached_property
    def _takes_tokens(self) -> bool:
        return (
            bool(self.pipelines)
            and all(p.tokenizer is not None and p.of == "texts" for p in self.pipelines.values())
            and self.uses_references
            and not self.declaration.pooled
            and not self.binds
        )

    @property
    def binds(self) -> bool:
        """Whether `bind` prepares the metric, or its leave-one-out sets, on the references."""
        return hasattr(self.implementation, "prepare")

    def bound_to(self, test_set: TestSet) -> Scorer:
        """Bind the metric to references, for texts of several calls."""
        tokenization = Tokenization()
        views = Views(test_set, self.pipelines.values(), tokenization)
        bound = self.bind(views.references, views.vocabulary)
        return replace(bound, tokenization=tokenization)

    def rows(
        self,
        corpora: Mapping[Pipeline, CorpusView],
        of: tuple[str, TestSet],  # noqa: ARG002 - scores from outside go by system and test set
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """Compute the rows of statistics, shape (n_segments, k); the metric must be bound."""
        return self.count(self.used(corpora), threads)

    def count(self, views: Mapping[str, CorpusView], threads: int = 1) -> NDArray[np.float64]:
        """Compute the rows of statistics from the views that the metric uses, by their names."""
        with attributed(f"the statistics of {self._name}"):
            return statistics(self.implementation, views, self._name, threads)

    def need_parts(self, level: Literal["segment", "doc"]) -> None:
        """Raise a `UsageError` if the metric has no scores of such parts of the test set."""

    @property
    def is_prepared(self) -> bool:
        """Whether the metric must see the texts of all references before it counts."""
        metric = self.implementation
        while isinstance(metric, (Jackknife, SegmentMean)):
            metric = metric.metric
        return isinstance(metric, PreparableMetric) and not isinstance(metric, Collected)

    @property
    def is_piecewise(self) -> bool:
        """Whether the metric can see all references in pieces, if it must see them."""
        return isinstance(self.implementation, PiecewiseMetric)

    def collect(
        self, references: Mapping[Pipeline, ReferenceView], vocabulary: Vocabulary
    ) -> Counts:
        """Return what a piece of the references adds to the counts of a piecewise metric."""
        assert isinstance(self.implementation, PiecewiseMetric)
        with attributed(f"the preparation of metric {self.entry}"):
            return self.implementation.collect(**self._seen(references), vocabulary=vocabulary)

    def collected(self, counts: Counts) -> Scorer:
        """Return a piecewise metric with the counts of all pieces: `bind` then takes a piece."""
        return replace(self, implementation=Collected(self.implementation, counts))

    def plain(self) -> Scorer:
        """Return the same metric without jackknifing."""
        if not isinstance(self.implementation, Jackknife):
            return self
        fields = {key: items for key, items in self.fields.items() if key != "loo"}
        return replace(self, fields=fields, implementation=self.implementation.metric)

    def rows_of_text(self, text: Text, test_set: TestSet) -> tuple[Scorer, Rows]:
        """Compute the rows of hypotheses; return the bound metric, too."""
        ((_, bound, rows),) = score_systems([Job([self], {"the hypotheses": text}, test_set)])
        return bound, rows

    def as_score(
        self,
        values: list[float],
        n_segments: int,
        signature: Signature | Callable[[], Signature],
    ) -> Score:
        """Make a score of all values of one sum."""
        named = dict(zip(self.scales, values, strict=True))
        return Score(self.label, named[self.main], named, n_segments, signature=signature)


def tokenize_systems(
    scorers: Sequence[Scorer], systems: Mapping[str, Text], test_set: TestSet
) -> Iterator[tuple[str, list[Scorer], dict[Pipeline, CorpusView]]]:
    """Run every pipeline that the metrics need once per text.

    Yields
    ------
    (str, list of Scorer, dict of Pipeline to TokenizedCorpus, TextCorpus or Tokens)
        Name of the system; the metrics, bound to the references; the texts as each pipeline makes
        them.

    Raises
    ------
    InputError
        If the numbers of segments differ, or a metric needs texts that the test set does not have.
    """
    for name, text in systems.items():
        test_set.check(text, name)
    for scorer in scorers:
        scorer.check(test_set)
    tokenization = scorers[0].tokenization if len(scorers) == 1 else None
    pipelines = (p for scorer in scorers for p in scorer.pipelines.values())
    views = Views(test_set, pipelines, tokenization)
    bound = [scorer.bind(views.references, views.vocabulary) for scorer in scorers]
    # The generator keeps no reference to what it yields, so the caller can free it.
    for name, text in systems.items():
        yield name, bound, views.with_hypotheses(text)


class Job(NamedTuple):
    """Metrics to compute for some systems on one test set.

    If this is a part of a test set, `ids` are the numbers of its segments in the whole, for
    messages.
    """

    scorers: Sequence[Scorer]
    systems: Mapping[str, Text]
    test_set: TestSet
    ids: NDArray[np.int64] | None = None


def score_systems(jobs: Iterable[Job], threads: int = 1) -> Iterator[tuple[str, Scorer, Rows]]:
    """Compute the rows of every system under every metric, system by system.

    Pooled metrics follow the others: they are called once for all systems of all jobs.

    Yields
    ------
    (str, Scorer, ndarray of float64 of shape (n_segments, k) or KeptRows)
        Name of the system; the metric, bound to the references; rows.

    Raises
    ------
    InputError
        If a segment is too long for a metric.
    """
    widths: dict[Scorer, int] = {}
    pools: dict[str, list[tuple[Scorer, Asked]]] = {}
    for scorers, systems, test_set, ids in jobs:
        for name, bound, corpora in tokenize_systems(scorers, systems, test_set):
            for i, scorer in enumerate(bound):
                if scorer.declaration.pooled:
                    asked = Asked(name, systems[name], scorer.implementation, scorer.used(corpora))
                    pools.setdefault(str(scorer.spec), []).append((scorer, asked))
                    continue
                try:
                    rows = scorer.rows(corpora, (name, test_set), threads)
                except SegmentError as error:
                    raise too_long(
                        located(error, ids), scorer.label, name, systems[name]
                    ) from error
                yield name, scorer, scorer.addable(rows, widths)
                del rows
                wanted = {p for later in bound[i + 1 :] for p in later.pipelines.values()}
                for pipeline in corpora.keys() - wanted:
                    del corpora[pipeline]
    for pool in pools.values():
        first, _ = pool[0]
        pooled = pooled_rows([asked for _, asked in pool], f"metric {first.entry}", first.label)
        for (scorer, asked), rows in zip(pool, pooled, strict=True):
            yield asked.system, scorer, scorer.addable(rows, widths)


def located(error: SegmentError, ids: NDArray[np.int64] | None) -> SegmentError:
    """Name a segment by its number in the whole test set."""
    return error if ids is None else SegmentError(int(ids[error.segment]), error.reason)
