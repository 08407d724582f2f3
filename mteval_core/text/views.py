"""Views: the texts of a test set and its systems after a metric's pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.text.pipeline import Tokenization, gather_references, normalize
from mteval_core.text.tokens import References, TextCorpus, TextReferences, TokenizedCorpus, Tokens
from mteval_core.text.values import Values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
        self._raw = [p for p in every if p.tokenizer is None and not p.column]
        self._tokenized = [p for p in every if p.tokenizer is not None and p.of == "texts"]
        of_source = [p for p in every if p.tokenizer is not None and p.of == "source"]
        self._sources = {} if test_set.source is None else self._tokens(test_set.source, of_source)
        self.references: dict[Pipeline, ReferenceView] = {
            **self._gathered(),
            **{pipeline: self._strings(pipeline) for pipeline in self._raw},
            **self._sources,
        }

    def with_hypotheses(self, text: Text) -> dict[Pipeline, CorpusView]:
        """Return the views of a system."""
        tokens = self._tokens(text, self._tokenized)
        columns = {**self._test_set.columns, **text.columns}
        values = {p: Values.of(columns[p.column], p.column, p.type) for p in self._columns}
        views: dict[Pipeline, CorpusView] = {**self._sources, **values}
        for pipeline in self._tokenized:
            references = self.references[pipeline]
            assert isinstance(references, References)
            views[pipeline] = TokenizedCorpus(tokens[pipeline], references, self.vocabulary)
        for pipeline in self._raw:
            strings = self.references[pipeline]
            assert isinstance(strings, TextReferences)
            source = self._test_set.source
            sources = None if source is None else raw(source, pipeline)
            views[pipeline] = TextCorpus(raw(text, pipeline), strings, sources)
        return views

    def _tokens(self, text: Text, pipelines: list[Pipeline]) -> dict[Pipeline, Tokens]:
        return self._tokenization.tokenize(text, pipelines)

    def _gathered(self) -> dict[Pipeline, References]:
        """Tokenize the references."""
        texts = self._test_set.references
        streams = [self._tokens(stream, self._tokenized) for stream in texts]
        if not streams:
            return {pipeline: References.none(len(self._test_set)) for pipeline in self._tokenized}
        return {
            pipeline: gather_references([stream[pipeline] for stream in streams], texts)
            for pipeline in self._tokenized
        }

    def _strings(self, pipeline: Pipeline) -> TextReferences:
        """Return the references of each segment as strings."""
        streams = [normalize(stream, pipeline.text) for stream in self._test_set.references]
        if not streams:
            return TextReferences([] for _ in range(len(self._test_set)))
        segments = zip(*streams, strict=True)
        return TextReferences([text for text in own if text is not None] for own in segments)


def views_of_segment(texts: Text, pipelines: Mapping[str, Pipeline]) -> dict[str, CorpusView]:
    """Return the views of one segment, whose hypothesis and references are one text.

    This is what `Views` does, for pipelines with a tokenizer, without its costs for many systems.

    Parameters
    ----------
    texts : Text
        The hypothesis, then its references: none of them missing.
    pipelines : mapping of str to Pipeline
        The pipeline of each view.

    Returns
    -------
    dict of str to TokenizedCorpus
    """
    tokenization, index = Tokenization(), np.array([0, len(texts) - 1])
    views: dict[str, CorpusView] = {}
    for name, pipeline in pipelines.items():
        every = tokenization.run(texts, pipeline)
        ids, starts, ends, breaks = every.ids, every.starts, every.ends, every.breaks
        views[name] = TokenizedCorpus(
            Tokens(ids, starts[:1], ends[:1], breaks=breaks),
            References(ids, starts[1:], ends[1:], index, breaks=breaks),
            tokenization.vocabulary,
        )
    return views


def raw(text: Text, pipeline: Pipeline) -> list[str]:
    """Return the segments of a text as strings; a missing one is empty."""
    return [segment or "" for segment in normalize(text, pipeline.text)]
