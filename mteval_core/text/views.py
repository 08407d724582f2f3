"""Views: the texts of a test set and its systems after a metric's pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.text.documents import join_segments
from mteval_core.text.pipeline import Tokenization, gather_references, normalize
from mteval_core.text.tokens import References, TextCorpus, TextReferences, TokenizedCorpus, Tokens
from mteval_core.text.values import Values

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mteval_core.text.pipeline import Pipeline
    from mteval_core.text.text import TestSet, Text
    from mteval_core.text.tokens import CorpusView, ReferenceView
    from mteval_kernels import Vocabulary


class Views:
    """The views of a test set. Every pipeline runs once per text.

    Parameters
    ----------
    test_set : TestSet
        References and source.
    pipelines : iterable of Pipeline
        The pipelines that the metrics need.
    tokenization : Tokenization, optional
        Runs the pipelines, with the vocabulary of earlier texts.

    Attributes
    ----------
    vocabulary : Vocabulary
        The types of all texts seen so far.
    references : dict of Pipeline to References, list of list of str, or Tokens
        What the metrics are prepared on: the references, or for pipelines of the source the source.
    """

    def __init__(
        self,
        test_set: TestSet,
        pipelines: Iterable[Pipeline],
        tokenization: Tokenization | None = None,
    ) -> None:
        self._tokenization: Tokenization = tokenization or Tokenization()
        self.vocabulary: Vocabulary = self._tokenization.vocabulary
        self._test_set = test_set
        every = list(dict.fromkeys(pipelines))
        self._columns = [p for p in every if p.column]
        raw = [p for p in every if p.tokenizer is None and not p.column]
        tokenized = [p for p in every if p.tokenizer is not None and p.of != "source"]
        of_source = [p for p in every if p.tokenizer is not None and p.of == "source"]
        self._sources = {} if test_set.source is None else self._tokens(test_set.source, of_source)
        self._tokenized = self._gathered(tokenized)
        self._raw = {pipeline: self._strings(pipeline) for pipeline in raw}
        self.references: dict[Pipeline, ReferenceView] = {**self._tokenized, **self._raw}
        self.references |= self._sources

    def with_hypotheses(self, text: Text) -> dict[Pipeline, CorpusView]:
        """Return the views of a system."""
        tokens = self._tokens(text, [*self._tokenized])
        views: dict[Pipeline, CorpusView] = {**self._sources}
        columns = {**self._test_set.columns, **text.columns}
        for pipeline in self._columns:
            name = pipeline.column
            views[pipeline] = Values.of(columns[name], name, pipeline.type)
        for pipeline, references in self._tokenized.items():
            views[pipeline] = TokenizedCorpus(tokens[pipeline], references, self.vocabulary)
        source = self._test_set.source
        for pipeline, strings in self._raw.items():
            sources = None if source is None else self._raw_text(source, pipeline)
            views[pipeline] = TextCorpus(self._raw_text(text, pipeline), strings, sources)
        return views

    def _tokens(self, text: Text, pipelines: list[Pipeline]) -> dict[Pipeline, Tokens]:
        run = self._tokenization.tokenize
        others = {p: run(self._joined(text, p), [p])[p] for p in pipelines if p.joins is not None}
        return run(text, [p for p in pipelines if p.joins is None]) | others

    def _joined(self, text: Text, pipeline: Pipeline) -> Text:
        """Join the segments of a text as a pipeline sees them."""
        around = pipeline.joins
        return text if around is None else join_segments(text, self._test_set, around)

    def _raw_text(self, text: Text, pipeline: Pipeline) -> list[str]:
        """Return the segments of a text as strings; a missing one is empty."""
        return [s or "" for s in normalize(self._joined(text, pipeline), pipeline.text)]

    def _n_texts(self, pipeline: Pipeline) -> int:
        """Count the texts that a pipeline sees: segments, or documents."""
        return len(self._test_set if pipeline.joins != () else self._test_set.places)

    def _gathered(self, pipelines: list[Pipeline]) -> dict[Pipeline, References]:
        """Tokenize the references."""
        texts = self._test_set.references
        streams = [self._tokens(stream, pipelines) for stream in texts]
        if not streams:
            return {p: References.none(self._n_texts(p)) for p in pipelines}
        return {
            p: gather_references([one[p] for one in streams], [self._joined(t, p) for t in texts])
            for p in pipelines
        }

    def _strings(self, pipeline: Pipeline) -> TextReferences:
        """Return the references of each segment as strings."""
        texts = (self._joined(stream, pipeline) for stream in self._test_set.references)
        streams = [normalize(text, pipeline.text) for text in texts]
        if not streams:
            return TextReferences([] for _ in range(self._n_texts(pipeline)))
        segments = zip(*streams, strict=True)
        return TextReferences([text for text in own if text is not None] for own in segments)
