"""State of a score whose segments come in pieces: in a training loop, or in several processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import InputError, UsageError
from mteval_core.metrics.exact import ExactSum
from mteval_core.metrics.rows import pad_rows
from mteval_core.metrics.scorer import (
    bind,
    count_rows,
    require_texts,
    rows_of_text,
    score_of_total,
    sign,
    summable,
    tokenize_systems,
    views_of_texts,
)
from mteval_core.metrics.sums import KeptRows
from mteval_core.text.pipeline import Tokenization
from mteval_core.text.text import TestSet, Text, kind, texts_of
from mteval_core.text.tokens import Tokens
from mteval_core.text.values import Values
from mteval_core.text.views import Views

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.metrics.contract import Score
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.metrics.sums import Rows, Sums
    from mteval_core.text.pipeline import Pipeline
    from mteval_core.text.tokens import CorpusView, ReferenceView

    Segments = Sequence[str] | Text
    Streams = Sequence[Sequence[str | None]] | TestSet


class State:
    """The sums of a metric over the segments so far.

    States can be pickled, and merged in any order: the score is that of one call with all
    segments, to the last bit. A metric that computes its score from all rows keeps them, so its
    memory grows with the number of segments.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    references : sequence of sequence of str, optional
        The references of all segments, one sequence per reference stream. A metric with a
        ``prepare`` method, such as NIST, needs them: it is prepared on them. With them, the
        signature of the score is complete.
    source : sequence of str, optional
        The source of all segments, likewise.

    Raises
    ------
    UsageError
        If the metric needs the references and does not get them.

    Examples
    --------
    >>> from mteval_core import State, metric
    >>> first, second = State(metric("wer")), State(metric("wer"))
    >>> first.update(["a b c d"], [["a b c d"]])
    >>> second.update(["a b", "c"], [["a x", "c"]])
    >>> first.merge(second)
    >>> first.n_segments, round(first.compute().score, 2)
    (3, 14.29)
    """

    def __init__(
        self, scorer: Scorer, references: Streams | None = None, *, source: Segments | None = None
    ) -> None:
        if references is None and scorer.setup.binds and scorer.setup.tokenization is None:
            raise UsageError(
                f"the metric {scorer.spec} is prepared on the references of all segments: call "
                f"State(metric, references)"
            )
        self.references: TestSet | None = None
        self._unprepared = scorer
        if references is not None:
            self.references = TestSet.of(references, source=source)
            scorer = bind_to(scorer, self.references)
        self.scorer: Scorer = scorer
        self.sums: ExactSum = ExactSum()
        self.kept: list[NDArray[np.float64]] = []
        self.n_segments: int = 0

    def update(
        self, hypotheses: Segments, references: Streams = (), *, source: Segments | None = None
    ) -> None:
        """Add segments.

        Parameters
        ----------
        hypotheses : sequence of str
            One per segment.
        references : sequence of sequence of str
            One sequence per reference stream; None where a segment lacks that reference.
        source : sequence of str, optional
            The source of each segment, for metrics that use it.

        Raises
        ------
        InputError
            As `Scorer.corpus_score`; or if the state was started with references, and a segment has
            others.
        """
        if self.scorer.setup.needs_documents:
            raise UsageError(f"{self.scorer.spec} needs whole documents: call corpus_score")
        rows = self.rows(hypotheses, references, source=source)
        if isinstance(rows, KeptRows):
            self.kept.append(rows.rows)
        else:
            self.sums.add(rows)
        self.n_segments += len(rows)

    def views(
        self, hypotheses: Segments, references: Streams = (), *, source: Segments | None = None
    ) -> dict[str, CorpusView]:
        """Return the texts of segments as the metric gets them, by the names of its views.

        Parameters
        ----------
        hypotheses, references, source
            As for `update`.

        Returns
        -------
        dict of str to TokenizedCorpus, TextCorpus or Tokens
        """
        text, test_set = texts_of(hypotheses, references, source)
        ((_, _, corpora),) = tokenize_systems([self.scorer], {"the hypotheses": text}, test_set)
        return views_of_texts(self.scorer, corpora)

    def prepared(self, views: Mapping[str, CorpusView]) -> State:
        """Prepare the metric on other references, if it has a ``prepare`` method.

        Parameters
        ----------
        views : mapping of str to TokenizedCorpus, TextCorpus or Tokens
            Segments with these references, made of what `views` returned.

        Returns
        -------
        State
            A state without segments; this one, if the metric is not prepared.
        """
        scorer, tokenization = self._unprepared, self.scorer.setup.tokenization
        if tokenization is None:
            return self
        references: dict[Pipeline, ReferenceView] = {
            scorer.setup.pipelines[name]: view if isinstance(view, Tokens) else view.references
            for name, view in views.items()
            if not isinstance(view, Values)
        }
        state = State(prepare_on(scorer, references, tokenization))
        state._unprepared = scorer
        return state

    def rows(
        self,
        hypotheses: Segments | Mapping[str, CorpusView],
        references: Streams = (),
        *,
        source: Segments | None = None,
    ) -> Rows:
        """Compute the rows of segments without adding them.

        Parameters
        ----------
        hypotheses, references, source
            As for `update`; or views alone, which are made of what `views` returned.

        Returns
        -------
        ndarray of float64 of shape (n_segments, k), or KeptRows
            `Scorer.values` takes sums of them.

        Raises
        ------
        InputError
            As `update`.
        SegmentError
            If the metric refuses a segment of the views.
        """
        if isinstance(hypotheses, Mapping):
            return summable(self.scorer, count_rows(self.scorer, hypotheses))
        text, test_set = texts_of(hypotheses, references, source)
        for i, own in enumerate(references_of(test_set) if self.references else ()):
            if own not in self._known:
                seen = f"segment {i} has the references {own!r:.60}, which are not among those of"
                raise InputError(f"{seen} State(metric, references); pass those of all segments")
        return rows_of_text(self.scorer, text, test_set)[1]

    @cached_property
    def _known(self) -> set[tuple[str, ...]]:
        """The references of each segment that the state was started with."""
        return set(references_of(self.references)) if self.references else set()

    def merge(self, other: State) -> None:
        """Add the segments of another state of the same metric.

        Raises
        ------
        UsageError
            If it is not a state of the same metric with the same options and references.
        """
        if not isinstance(other, State):
            raise UsageError(f"expected a state of the same metric, got {kind(other)}")
        own, theirs = (sign(state.scorer, state.references) for state in (self, other))
        if own != theirs:
            raise UsageError(f"a state of {theirs} cannot be merged into one of {own}")
        self.sums.merge(other.sums)
        self.kept += other.kept
        self.n_segments += other.n_segments

    def compute(self) -> Score:
        """Compute the score of the segments so far.

        Returns
        -------
        Score
            Its signature has the hash of the references if the state was started with them, and
            all segments have come.

        Raises
        ------
        InputError
            If there are no segments yet, or too few of them have a score.
        """
        if not self.n_segments:
            raise InputError("there are no segments yet: call update(hypotheses, references) first")
        totals: Sums = (
            KeptRows(np.concatenate(pad_rows(self.kept))).sum()
            if self.scorer.setup.keeps_rows
            else self.sums.total()
        )
        whole = self.references if len(self.references or ()) == self.n_segments else None
        return score_of_total(self.scorer, totals, self.n_segments, whole)


def references_of(test_set: TestSet) -> Iterator[tuple[str, ...]]:
    """Yield the references of each segment, without missing ones."""
    for own in zip(*test_set.references, strict=True):
        yield tuple(text for text in own if text is not None)


def bind_to(scorer: Scorer, test_set: TestSet) -> Scorer:
    """Bind a metric to references, for texts of several calls; others stay as they are."""
    if not scorer.setup.binds:
        return scorer
    require_texts(scorer, test_set)
    tokenization = Tokenization()
    views = Views(test_set, scorer.setup.pipelines.values(), tokenization)
    return prepare_on(scorer, views.references, tokenization)


def prepare_on(
    scorer: Scorer, references: Mapping[Pipeline, ReferenceView], tokenization: Tokenization
) -> Scorer:
    """Bind a metric to references that a tokenization has made, for more texts of it."""
    bound = bind(scorer, references, tokenization.vocabulary)
    return replace(bound, setup=replace(bound.setup, tokenization=tokenization))
