"""The score of segments that come in pieces: in a training loop, or in several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from mteval_core.errors import InputError, UsageError
from mteval_core.metrics.exact import ExactSum
from mteval_core.metrics.rows import padded
from mteval_core.metrics.sums import KeptRows
from mteval_core.text.text import as_test_set, as_text, kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core.metrics.contract import Score
    from mteval_core.metrics.sums import Rows, Sums
    from mteval_core.signature import Signature
    from mteval_core.text.text import TestSet, Text

__all__ = ["InPieces", "State"]


class Bound(Protocol):
    """What a state needs of a `Scorer`."""

    @property
    def spec(self) -> object: ...
    @property
    def keeps_rows(self) -> bool: ...
    @property
    def binds(self) -> bool: ...
    def bound_to(self, test_set: TestSet) -> Bound: ...
    def rows_of_text(self, text: Text, test_set: TestSet) -> tuple[object, Rows]: ...
    def numbers(self, total: Sums) -> list[float]: ...
    def get_signature(self, references: TestSet | None) -> Signature: ...
    def as_score(self, values: list[float], n_segments: int, signature: Signature) -> Score: ...


class InPieces:
    """Scores of segments that come in pieces: a method of `Scorer`."""

    def start(
        self: Bound,
        references: Sequence[Sequence[str | None]] | TestSet | None = None,
        *,
        source: Sequence[str] | Text | None = None,
    ) -> State:
        """Start the score of segments that come in pieces.

        Parameters
        ----------
        references : sequence of sequence of str, optional
            The references of all segments, one sequence per reference stream. A metric with a
            ``prepare`` method, such as NIST, needs them: it is prepared on them. With them, the
            signature of the score is complete.
        source : sequence of str, optional
            The source of all segments, likewise.

        Returns
        -------
        State

        Raises
        ------
        UsageError
            If the metric needs the references and does not get them.

        Examples
        --------
        >>> from mteval_core import metric
        >>> state = metric("bleu").start()
        >>> for hypothesis, reference in [("a b c d e", "a b c d f"), ("a b c d", "a b c d")]:
        ...     state.update([hypothesis], [[reference]])
        >>> round(state.compute().score, 2)
        79.84
        """
        if references is not None:
            test_set = as_test_set(references, source=source)
            return State(self.bound_to(test_set) if self.binds else self, test_set)
        if self.binds:
            message = (
                f"the metric {self.spec} is prepared on the references of all segments: call "
                f"start(references)"
            )
            raise UsageError(message)
        return State(self)


class State:
    """The sums of a metric over the segments so far. `Scorer.start` makes one.

    States can be pickled, and merged in any order: the score is that of one call with all
    segments, to the last bit. A metric that computes its score from all rows keeps them, so its
    memory grows with the number of segments.

    Parameters
    ----------
    scorer : Scorer
        The metric, bound to the references if it is prepared on them.
    references : TestSet or None
        The references that it is bound to.

    Examples
    --------
    >>> from mteval_core import metric
    >>> first, second = metric("wer").start(), metric("wer").start()
    >>> first.update(["a b c d"], [["a b c d"]])
    >>> second.update(["a b", "c"], [["a x", "c"]])
    >>> first.merge(second)
    >>> first.n_segments, round(first.compute().score, 2)
    (3, 14.29)
    """

    def __init__(self, scorer: Bound, references: TestSet | None = None) -> None:
        self.scorer: Bound = scorer
        self.references: TestSet | None = references
        self.sums: ExactSum = ExactSum()
        self.kept: list[NDArray[np.float64]] = []
        self.n_segments: int = 0

    def update(
        self,
        hypotheses: Sequence[str] | Text,
        references: Sequence[Sequence[str | None]] | TestSet = (),
        *,
        source: Sequence[str] | Text | None = None,
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
            As `Scorer.corpus_score`.
        """
        text = as_text(hypotheses, "the hypotheses")
        test_set = as_test_set(references, source=source, n_hypotheses=len(text))
        _, rows = self.scorer.rows_of_text(text, test_set)
        if isinstance(rows, KeptRows):
            self.kept.append(rows.rows)
        else:
            self.sums.add(rows)
        self.n_segments += len(text)

    def merge(self, other: State) -> None:
        """Add the segments of another state of the same metric.

        Raises
        ------
        UsageError
            If it is not a state of the same metric with the same options and references.
        """
        if not isinstance(other, State):
            message = f"expected a state of the same metric, got {kind(other)}"
            raise UsageError(message)
        own, theirs = (state.scorer.get_signature(state.references) for state in (self, other))
        if own != theirs:
            message = f"a state of {theirs} cannot be merged into one of {own}"
            raise UsageError(message)
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
            If there are no segments yet.
        """
        if not self.n_segments:
            message = "there are no segments yet: call update(hypotheses, references) first"
            raise InputError(message)
        totals: Sums = (
            KeptRows(np.concatenate(padded(self.kept))).sum()
            if self.scorer.keeps_rows
            else self.sums.total()
        )
        whole = self.references
        is_whole = whole is not None and len(whole) == self.n_segments
        signature = self.scorer.get_signature(whole if is_whole else None)
        return self.scorer.as_score(self.scorer.numbers(totals), self.n_segments, signature)
