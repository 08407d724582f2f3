"""Pairs of a hypothesis and a reference, for every one of both: texts, views, rows and scores.

Each distinct text is tokenized once. A pair is two places among the texts, so the segments that a
metric gets repeat places and not texts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import (
    InputError,
    References,
    SegmentError,
    TestSet,
    Text,
    TextCorpus,
    TokenizedCorpus,
    Tokens,
    UsageError,
)
from mteval_core.metrics.scorer import bind, count_rows, require_texts, summable, views_of_texts
from mteval_core.text.pipeline import Tokenization
from mteval_core.text.tokens import TextReferences
from mteval_core.text.views import raw

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import Scorer
    from mteval_core.text.pipeline import Pipeline
    from mteval_core.text.tokens import CorpusView, ReferenceView

    Places = NDArray[np.int64]

__all__ = ["Pairs", "Side"]


class Side(NamedTuple):
    """The hypotheses, or the references.

    Parameters
    ----------
    places : ndarray of int64, shape (n_distinct,)
        Place of each distinct text among the texts of both sides.
    distinct : ndarray of int64, shape (n_texts,)
        Which of the distinct texts each text is.
    """

    places: Places
    distinct: Places

    def first(self, k: int) -> int:
        """Return the number of the first text that is the k-th distinct one."""
        return int(np.argmax(self.distinct == k))


class Pairs:
    """The distinct texts of both sides, and the rows and scores of pairs of them.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    hypotheses, references : sequence of str
        The texts of both sides; None stands for the hypotheses.
    source : str or None
        The source of all segments.

    Attributes
    ----------
    hypotheses, references : Side
        The distinct texts of both sides.
    is_prepared : bool
        Whether the metric is prepared on references.

    Raises
    ------
    UsageError
        If the metric uses no references, or has only scores from outside.
    InputError
        If there is no hypothesis or no reference, one of them is not a string, or the metric needs
        a source that is not there.
    """

    def __init__(
        self,
        scorer: Scorer,
        hypotheses: Sequence[str],
        references: Sequence[str] | None,
        source: str | None,
    ) -> None:
        refuse_without_pairs(scorer)
        one = checked(hypotheses, "the hypotheses")
        other = one if references is None else checked(references, "the references")
        places: dict[str | None, int] = {}
        for text in (*one, *other):
            places.setdefault(text, len(places))
        self.hypotheses: Side = side_of(one, places)
        self.references: Side = side_of(other, places)
        self.scorer = scorer
        texts = Text.of(list(places))
        sources = None if source is None else checked([source], "the source")
        test_set = TestSet((texts.take([0]),), source=sources)
        require_texts(scorer, test_set)
        tokenization = Tokenization()
        self._vocabulary = tokenization.vocabulary
        self._strings: dict[Pipeline, tuple[list[str], str | None]] = {}
        self._tokens: dict[Pipeline, Tokens] = {}
        for pipeline in set(scorer.setup.pipelines.values()):
            own = texts if pipeline.of == "texts" else sources
            if pipeline.tokenizer is None:
                of_source = None if sources is None else raw(sources, pipeline)[0]
                self._strings[pipeline] = raw(texts, pipeline), of_source
            elif own is not None:
                self._tokens |= tokenization.tokenize(own, [pipeline])
        self.is_prepared: bool = self.bound(np.zeros(1, np.int64)) is not scorer

    # Views of places

    def _references(
        self, places: Places, take: Callable[[Tokens, Places], Tokens]
    ) -> dict[Pipeline, ReferenceView]:
        """Return the views of segments with one reference each."""
        views: dict[Pipeline, ReferenceView] = {}
        for pipeline, (strings, _) in self._strings.items():
            views[pipeline] = TextReferences([strings[i]] for i in places.tolist())
        for pipeline, tokens in self._tokens.items():
            if pipeline.of == "source":
                views[pipeline] = take(tokens, np.zeros_like(places))
                continue
            own, index = take(tokens, places), np.arange(len(places) + 1)
            views[pipeline] = References(own.ids, own.starts, own.ends, index, breaks=own.breaks)
        return views

    def _views(self, hypotheses: Places, references: Places) -> dict[Pipeline, CorpusView]:
        """Return the views of segments with a hypothesis and a reference each."""
        views: dict[Pipeline, CorpusView] = {}
        for pipeline, view in self._references(references, shared).items():
            if isinstance(view, TextReferences):
                strings, source = self._strings[pipeline]
                texts = [strings[i] for i in hypotheses.tolist()]
                sources = None if source is None else [source] * len(texts)
                views[pipeline] = TextCorpus(texts, view, sources)
            elif isinstance(view, References):
                tokens = shared(self._tokens[pipeline], hypotheses)
                views[pipeline] = TokenizedCorpus(tokens, view, self._vocabulary)
            else:
                views[pipeline] = view
        return views

    # Rows and scores of pairs of distinct texts

    def bound(self, references: Places) -> Scorer:
        """Prepare the metric on some references, if it has a ``prepare`` method."""
        places = self.references.places[references]
        return bind(self.scorer, self._references(places, copied), self._vocabulary)

    def rows(self, bound: Scorer, h: Places, r: Places) -> NDArray[np.float64]:
        """Compute the rows of the pairs of hypotheses h and references r, shape (n_pairs, k)."""
        views = self._views(self.hypotheses.places[h], self.references.places[r])
        try:
            return count_rows(bound, views_of_texts(bound, views))
        except SegmentError as error:
            one = self.hypotheses.first(h[error.segment])
            other = self.references.first(r[error.segment])
            message = (
                f"hypothesis {one} with reference {other}: too long for {self.scorer.label}: "
                f"{error.reason}; leave them out, or take another metric"
            )
            raise InputError(message) from error

    def scores(self, h: Places, r: Places) -> NDArray[np.float64]:
        """Score pairs as `sentence_score` does, shape (n_pairs,).

        If the metric is prepared, the pairs have one reference in common.
        """
        bound = self.bound(r[:1]) if self.is_prepared else self.scorer
        return bound.scores(summable(bound, self.rows(bound, h, r)))


def refuse_without_pairs(scorer: Scorer) -> None:
    """Raise a `UsageError` if a metric does not compare hypotheses with references."""
    if not scorer.setup.pipelines:
        reason = "its scores come from a file, which has none of other pairs"
    elif not scorer.setup.uses_references:
        reason = "it uses no references, so all columns would be equal: use sentence_score"
    else:
        return
    message = f"no matrix of the metric {scorer.spec}: {reason}"
    raise UsageError(message)


def checked(texts: Sequence[str], what: str) -> Text:
    """Return strings as a text; refuse none, or a missing one."""
    text = Text.of(texts, what)
    missing = np.flatnonzero(text.missing)
    if not len(text) or len(missing):
        seen = f"text {missing[0]} is missing" if len(missing) else "there are none"
        message = f"{what}: {seen}; expected one string or more, even if empty"
        raise InputError(message)
    return text


def shared(tokens: Tokens, places: Places) -> Tokens:
    """Return the texts at some places, over the same ids."""
    return replace(tokens, starts=tokens.starts[places], ends=tokens.ends[places])


def copied(tokens: Tokens, places: Places) -> Tokens:
    """Return the texts at some places, over their own ids, as a metric is prepared on them."""
    lengths = tokens.lengths[places]
    ends = np.cumsum(lengths)
    kept = np.arange(lengths.sum()) + np.repeat(tokens.ends[places] - ends, lengths)
    breaks = np.flatnonzero(np.isin(kept, tokens.breaks))
    return Tokens(tokens.ids[kept], ends - lengths, ends, breaks=breaks)


def side_of(texts: Text, places: Mapping[str | None, int]) -> Side:
    """List the places of texts, each once, and which of them each text has."""
    return Side(*np.unique([places[text] for text in texts], return_inverse=True))
