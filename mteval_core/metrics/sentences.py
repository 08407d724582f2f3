"""Scores of test sets, and of segments, each on its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from mteval_core.errors import InputError, SegmentError, UsageError
from mteval_core.metrics.rows import too_long
from mteval_core.metrics.sums import KeptRows, total_of
from mteval_core.text.text import TestSet, Text, as_test_set, as_text, is_sequence, kind
from mteval_core.text.views import views_of_segment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.metrics.contract import Score
    from mteval_core.metrics.sums import Rows, Sums
    from mteval_core.signature import Signature
    from mteval_core.text.pipeline import Pipeline
    from mteval_core.text.tokens import CorpusView

    References = Sequence[Sequence[str | None]] | TestSet

__all__ = ["OneByOne"]


class Scoring(Protocol):
    """What the methods need of a `Scorer`."""

    @property
    def label(self) -> str: ...
    @property
    def pipelines(self) -> Mapping[str, Pipeline]: ...
    @property
    def keeps_rows(self) -> bool: ...
    @property
    def binds(self) -> bool: ...
    @property
    def takes_tokens(self) -> bool: ...
    def count(self, views: Mapping[str, CorpusView]) -> NDArray[np.float64]: ...
    def values(self, totals: Sums) -> NDArray[np.float64]: ...
    def numbers(self, total: Sums) -> list[float]: ...
    def rows_of_text(self, text: Text, test_set: TestSet) -> tuple[Scoring, Rows]: ...
    def get_signature(self, references: References) -> Signature: ...
    def as_score(
        self, values: list[float], n_segments: int, signature: Callable[[], Signature]
    ) -> Score: ...
    def corpus_score(
        self,
        hypotheses: Sequence[str] | Text,
        references: References,
        *,
        source: Sequence[str] | None = None,
    ) -> Score: ...


class OneByOne:
    """Scores of test sets and of segments: methods of `Scorer`."""

    def corpus_score(
        self: Scoring,
        hypotheses: Sequence[str] | Text,
        references: Sequence[Sequence[str | None]] | TestSet = (),
        *,
        source: Sequence[str] | Text | None = None,
    ) -> Score:
        """Score a whole test set.

        Parameters
        ----------
        hypotheses : sequence of str
            One per segment.
        references : sequence of sequence of str
            One sequence per reference stream; None where a segment lacks that reference.
        source : sequence of str, optional
            The source of each segment, for metrics that use it.

        Returns
        -------
        Score

        Raises
        ------
        InputError
            If the numbers of segments differ or are zero, if a segment has no reference, or if
            the metric needs texts that are not there.
        """
        text = as_text(hypotheses, "the hypotheses")
        test_set = as_test_set(references, source=source, n_hypotheses=len(text))
        bound, rows = self.rows_of_text(text, test_set)
        values = bound.numbers(total_of(rows))
        return self.as_score(values, len(text), partial(self.get_signature, test_set))

    def sentence_scores(
        self: Scoring,
        hypotheses: Sequence[str] | Text,
        references: References = (),
        *,
        source: Sequence[str] | Text | None = None,
    ) -> list[Score]:
        """Score many segments, each on its own: what `sentence_score` returns for each of them.

        This takes no longer than the score of the corpus, unless the metric has a ``prepare``
        method. Such a metric is prepared for each segment on the references of this segment.

        Parameters
        ----------
        hypotheses, references, source
            As for `corpus_score`.

        Returns
        -------
        list of Score
            One per segment.

        Raises
        ------
        InputError
            As `corpus_score`.

        Examples
        --------
        >>> from mteval_core import metric
        >>> wer = metric("wer")
        >>> [score.score for score in wer.sentence_scores(["a b", "c"], [["a b", "d"]])]
        [0.0, 100.0]
        """
        text = as_text(hypotheses, "the hypotheses")
        test_set = as_test_set(references, source=source, n_hypotheses=len(text))
        if self.binds:
            test_set.check(text, "the hypotheses")
            segments = (test_set.segment(i) for i in range(len(text)))
            return [self.corpus_score(text.take([i]), own) for i, own in enumerate(segments)]
        bound, rows = self.rows_of_text(text, test_set)
        return [
            self.as_score(values, 1, partial(signature_of_segment, self, test_set, i))
            for i, values in enumerate(bound.values(rows).tolist())
        ]

    def sentence_score(
        self: Scoring,
        hypothesis: str,
        references: Sequence[str] = (),
        *,
        source: str | None = None,
    ) -> Score:
        """Score one segment against its references.

        A metric with a ``prepare`` method is prepared on these references alone.

        Parameters
        ----------
        hypothesis : str
            The segment.
        references : sequence of str
            Its references.
        source : str, optional
            Its source, for metrics that use it.

        Returns
        -------
        Score

        Raises
        ------
        UsageError
            If the references are not strings.
        """
        if isinstance(references, str):
            references = [references]
        if not is_sequence(references):
            message = f"the references: expected a list of strings, got {kind(references)}"
            raise UsageError(message)
        references = [*references]
        streams = [[reference] for reference in references]
        can_join = self.takes_tokens and source is None and references
        segment = joined([hypothesis, *references]) if can_join else None
        if segment is None:
            sources = None if source is None else [source]
            return self.corpus_score([hypothesis], streams, source=sources)
        try:
            rows = self.count(views_of_segment(segment, self.pipelines))
        except SegmentError as error:
            raise too_long(error, self.label, "the hypotheses", segment) from error
        total = KeptRows(rows).sum() if self.keeps_rows else rows[0]
        return self.as_score(self.numbers(total), 1, partial(self.get_signature, streams))


def joined(texts: list[str]) -> Text | None:
    """Make one text of a hypothesis and its references; None if they are not all strings."""
    if None in texts:
        return None
    try:
        return Text.of(texts)
    except InputError:  # `Scorer.corpus_score` says which of them is not valid
        return None


def signature_of_segment(scorer: Scoring, test_set: TestSet, i: int) -> Signature:
    """Return the signature of the score of a segment alone."""
    return scorer.get_signature(test_set.segment(i))
