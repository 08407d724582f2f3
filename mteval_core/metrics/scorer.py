"""A metric made ready: its declaration, options, pipelines and class, as one object that scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core._version import __version__
from mteval_core.errors import PluginError, attributed
from mteval_core.metrics.contract import Score
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.rows import prepare, statistics
from mteval_core.signature import Signature
from mteval_core.text.pipeline import Pipeline, Tokenization, gather_references
from mteval_core.text.text import TestSet, Text, as_test_set, as_text
from mteval_core.text.tokens import TokenizedCorpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.plugin.declarations import MetricSpec
    from mteval_core.plugin.registry import Entry, Plugin, Registry
    from mteval_core.spec import Spec

__all__ = ["Scorer", "score_systems", "tokenize_systems"]


@dataclass(frozen=True, eq=False)
class Scorer:
    """A metric with its options, ready to score. Made by `metric`.

    Parameters
    ----------
    spec : Spec
        What was asked for.
    entry : Entry
        What the plugin says of the metric, and which plugin it is.
    plugins : tuple of Plugin
        The plugins that take part: of the metric, its tokenizers and normalizers.
    fields : mapping of str to tuple of str
        The signature's fields for all options, in order.
    options : mapping of str to object
        The metric's own options.
    pipelines : mapping of str to Pipeline
        The pipeline of each view.
    implementation : Metric
        The metric.
    registry : Registry
        Where all of it was found.

    Examples
    --------
    >>> bleu = metric("bleu:smooth=none")
    >>> round(bleu.corpus_score(["a b c d e"], [["a b c d f"]]).score, 4)
    66.874
    """

    spec: Spec
    entry: Entry
    plugins: tuple[Plugin, ...]
    fields: Mapping[str, tuple[str, ...]]
    options: Mapping[str, Any]
    pipelines: Mapping[str, Pipeline]
    implementation: Any
    registry: Registry

    @property
    def declaration(self) -> MetricSpec:
        """What the plugin says of the metric."""
        declaration: MetricSpec = self.entry.declaration
        return declaration

    @property
    def label(self) -> str:
        """Name in tables and signatures."""
        return self.declaration.label or self.declaration.name

    @cached_property
    def scales(self) -> dict[str, float]:
        """Each value's factor from the formula's scale to that in which people read it."""
        values = self.declaration.values
        return dict(values(self.options) if callable(values) else values)

    @property
    def main(self) -> str:
        """Name of the value that is the score."""
        return self.declaration.main or next(iter(self.scales))

    def values(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Apply the formula to sums of rows, and the scales to what it gives.

        Parameters
        ----------
        totals : ndarray of float64, shape (..., k)

        Returns
        -------
        ndarray of float64, shape (..., v)

        Raises
        ------
        PluginError
            If the formula fails, gives another shape than declared, or a value that is not finite.
        """
        with attributed(f"the formula of metric {self.entry}"):
            fractions = np.asarray(self.implementation.score(totals), np.float64)
        expected = (*totals.shape[:-1], len(self.scales))
        if fractions.shape != expected or not np.isfinite(fractions).all():
            fault = (
                f"has the shape {fractions.shape}, expected {expected}"
                if fractions.shape != expected
                else "is not finite"
            )
            message = f"metric {self.entry}: what the formula gives {fault}"
            raise PluginError(message)
        values: NDArray[np.float64] = fractions * list(self.scales.values())
        return values

    def bind(self, references: Mapping[Pipeline, Any], vocabulary: Any) -> Scorer:
        """Give the metric the whole set of references, if it wants to have seen it."""
        views = {name: references[pipeline] for name, pipeline in self.pipelines.items()}
        with attributed(f"the preparation of metric {self.entry}"):
            prepared = prepare(self.implementation, views, vocabulary)
        return self if prepared is self.implementation else replace(self, implementation=prepared)

    def rows(
        self, corpora: Mapping[Pipeline, TokenizedCorpus], threads: int = 1
    ) -> NDArray[np.float64]:
        """Rows of statistics, shape (n_segments, k), of a metric that is bound."""
        views = {name: corpora[pipeline] for name, pipeline in self.pipelines.items()}
        with attributed(f"the statistics of metric {self.entry}"):
            return statistics(self.implementation, views, f"metric {self.entry}", threads)

    def plain(self) -> Scorer:
        """Give the same metric, not jackknifed."""
        if not isinstance(self.implementation, Jackknife):
            return self
        fields = {key: items for key, items in self.fields.items() if key != "loo"}
        return replace(self, fields=fields, implementation=self.implementation.metric)

    def get_signature(
        self,
        references: Sequence[Sequence[str | None]] | TestSet | None = None,
        drawn: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Signature:
        """Signature of a score; complete if the references are given.

        Parameters
        ----------
        references : sequence of sequence of str, optional
            One sequence per reference stream.
        drawn : mapping of str to tuple of str, optional
            Fields that say how intervals and p-values were drawn.
        """
        versions = sorted(plugin.signed for plugin in self.plugins)
        if references is None:
            described, hashed = {}, {}
        else:
            test_set = as_test_set(references)
            described = {"nrefs": (str(test_set.n_references or "var"),)}
            hashed = {"refs": (test_set.hash,)}
        return Signature(
            self.label,
            {
                **described,
                **(drawn or {}),
                **self.fields,
                **hashed,
                "plugin": tuple(versions),
                "version": (__version__,),
            },
        )

    def corpus_score(
        self, hypotheses: Sequence[str] | Text, references: Sequence[Sequence[str | None]] | TestSet
    ) -> Score:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence of str
            One per segment.
        references : sequence of sequence of str
            One sequence per reference stream; None where a segment lacks that reference.

        Returns
        -------
        Score

        Raises
        ------
        InputError
            If there are not equally many segments everywhere, or none, or a segment lacks every
            reference.
        """
        text = as_text(hypotheses, "the hypotheses")
        test_set = as_test_set(references, n_hypotheses=len(text))
        ((_, bound, rows),) = score_systems([self], {"the hypotheses": text}, test_set)
        values = bound.values(rows.sum(axis=0)).tolist()
        named = dict(zip(self.scales, values, strict=True))
        return Score(self.label, named[self.main], named, len(text), self.get_signature(test_set))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Score:
        """Score one segment against its references.

        A metric that is prepared on the references is prepared on these.
        """
        if isinstance(references, str):
            references = [references]
        return self.corpus_score([hypothesis], [[reference] for reference in references])


def tokenize_systems(
    scorers: Sequence[Scorer], systems: Mapping[str, Text], test_set: TestSet
) -> Iterator[tuple[str, list[Scorer], dict[Pipeline, TokenizedCorpus]]]:
    """Run every pipeline that the metrics need, once per text.

    Yields
    ------
    (str, list of Scorer, dict of Pipeline to TokenizedCorpus)
        Name of the system; the metrics, bound to the references; the system beside the references
        as each pipeline sees them.
    """
    for name, text in systems.items():
        test_set.check(text, name)
    tokenization = Tokenization()
    vocabulary = tokenization.vocabulary
    pipelines = list(dict.fromkeys(p for s in scorers for p in s.pipelines.values()))
    streams = [tokenization.tokenize(stream, pipelines) for stream in test_set.references]
    references = {
        pipeline: gather_references([stream[pipeline] for stream in streams], test_set.references)
        for pipeline in pipelines
    }
    del streams
    bound = [scorer.bind(references, vocabulary) for scorer in scorers]

    def beside_references(text: Text) -> dict[Pipeline, TokenizedCorpus]:
        tokens = tokenization.tokenize(text, pipelines)
        return {p: TokenizedCorpus(tokens[p], references[p], vocabulary) for p in pipelines}

    # What is yielded is kept by nobody else, so that it can be thrown away.
    for name, text in systems.items():
        yield name, bound, beside_references(text)


def score_systems(
    scorers: Sequence[Scorer], systems: Mapping[str, Text], test_set: TestSet, threads: int = 1
) -> Iterator[tuple[str, Scorer, NDArray[np.float64]]]:
    """Compute the rows of every system under every metric, system by system.

    Yields
    ------
    (str, Scorer, ndarray of float64 of shape (n_segments, k))
        Name of the system; the metric, bound to the references; rows.
    """
    for name, bound, corpora in tokenize_systems(scorers, systems, test_set):
        for i, scorer in enumerate(bound):
            yield name, scorer, scorer.rows(corpora, threads)
            wanted = {p for later in bound[i + 1 :] for p in later.pipelines.values()}
            for pipeline in corpora.keys() - wanted:
                del corpora[pipeline]
