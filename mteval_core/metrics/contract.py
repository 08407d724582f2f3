"""The contract of a metric: rows of additive sufficient statistics, and a formula over their sum.

::

    rows   = statistics(hypotheses, references)        (n_segments, k) float64
    totals = weights @ rows                            (..., k)
    values = score(totals)                             (..., v)

The weights decide what is scored: ones give the whole test set, the identity matrix gives segments,
0/1 groups give documents, multinomial counts give bootstrap resamples. A metric implements the two
ends, and the host does everything between them.

There are three forms of a score. With ``score``, it is a formula of sums, as above. With neither
``score`` nor ``score_rows``, the rows are values of segments, and the score is their mean. With
``score_rows``, it is computed from all rows, for what is no function of sums, such as a median::

    values = score_rows(rows, weights)                 (n, k) and (..., n) to (..., v)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.signature import Signature


class Metric(Protocol):
    """The interface of the class that a `MetricSpec` names.

    A class without `score` computes the values of each segment; the score is their mean. A class
    with ``score_rows(rows, weights)`` in place of `score` computes its values from all rows, shape
    (n, k), and how often each of them counts, shape (..., n). In addition, the class has either
    ``statistics``, which computes the rows of all segments from arrays of token ids, or
    ``segment_statistics``, which computes one row from lists of tokens:

    .. code-block:: python

        def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]: ...
        def segment_statistics(self, hypothesis, references) -> Sequence[float]: ...

    ``statistics`` takes one keyword per declared view and returns the rows, an array of shape
    (n_segments, k). No row may depend on another segment. ``segment_statistics`` is for metrics
    with one view. It takes the tokens of the hypothesis and a non-empty list with the tokens of
    each reference.

    A metric that can say why a segment has its score also has ``explain``. It takes the same views
    as ``statistics``, of one segment, and returns an `Explanation`, whose row must be that of
    ``statistics``. A metric that finds errors, or other spans, has ``marks``. It takes the same
    views, of many segments, and returns a sequence of `Mark` for each segment.

    A metric that must see the whole set of references first also has ``prepare(**references)``. It
    takes a `References` per view and the ``vocabulary``, and returns the prepared metric.
    """

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Apply the formula.

        Parameters
        ----------
        totals : ndarray of float64, shape (..., k)
            Sums of rows.

        Returns
        -------
        ndarray of float64, shape (..., v)
            The declared values in their order, as fractions. They are finite for any sum of rows.
        """
        ...


@runtime_checkable
class RowsMetric(Protocol):
    """A metric that is no function of sums: it computes its values from all rows."""

    def score_rows(
        self, rows: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Apply the formula to rows, each of which counts as often as its weight says.

        Parameters
        ----------
        rows : ndarray of float64, shape (n, k)
            Rows that ``statistics`` returned, perhaps those of several systems. If these differ
            in width, the missing columns are zeros.
        weights : ndarray of float64, shape (..., n)
            How often each row counts, 0 or more. 0 leaves the segment out; 2 is the segment twice.

        Returns
        -------
        ndarray of float64, shape (..., v)
            The declared values in their order, as fractions. They are finite for any weights, also
            if all are 0.
        """
        ...


@runtime_checkable
class SegmentMetric(Protocol):
    """A metric that computes one row at a time."""

    def segment_statistics(self, *texts: Any) -> Sequence[float]:
        """Compute the row of one segment, k numbers.

        The texts are the hypothesis, its references and the source, as far as the metric declares
        that it uses them: lists of tokens, or strings in a raw view.
        """
        ...


@runtime_checkable
class PreparableMetric(Protocol):
    """A metric that must see the whole set of references before it counts."""

    def prepare(self, *args: Any, **references: Any) -> Metric:
        """Return the metric prepared on one `References` per view and the ``vocabulary``.

        A raw view is a list with the references of each segment; a view of the source is `Tokens`.
        """
        ...


class Counts(Protocol):
    """What a `PiecewiseMetric` collects. It can be pickled."""

    def merge(self, other: Any) -> None:
        """Add the counts of another piece."""
        ...


@runtime_checkable
class PiecewiseMetric(Protocol):
    """A metric that can read the references piece by piece before it counts.

    ``finish``, called for a piece with the merged counts of all pieces, returns what ``prepare``
    returns for all references at once. A metric with these methods also has ``prepare``.
    """

    def collect(self, *args: Any, **references: Any) -> Counts:
        """Return what a piece of the references adds; the arguments are those of ``prepare``."""
        ...

    def finish(self, counts: Any, *args: Any, **references: Any) -> Metric:
        """Return the metric prepared for a piece of the references, from the counts of all."""
        ...


class Score:
    """A score with its parts and its signature.

    Parameters
    ----------
    name : str
        Label of the metric.
    score : float
        The main value, in the scale in which it is reported.
    values : mapping of str to float
        All values by name, each in its own scale.
    n_segments : int
        Number of segments that were scored.
    signature : Signature or callable
        Everything that is needed to compute the score again, or a function that returns it, which
        is called when the signature is asked for.
    """

    def __init__(
        self,
        name: str,
        score: float,
        values: Mapping[str, float],
        n_segments: int,
        *,
        signature: Signature | Callable[[], Signature],
    ) -> None:
        self.name = name
        self.score = score
        self.values = values
        self.n_segments = n_segments
        self._signature = signature

    @property
    def signature(self) -> Signature:
        """Everything that is needed to compute the score again."""
        if callable(self._signature):
            self._signature = self._signature()
        return self._signature

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_signature": self.signature}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self.__getstate__() == other.__getstate__()

    def __repr__(self) -> str:
        return (
            f"Score({self.name!r}, {self.score!r}, {self.values!r}, {self.n_segments!r}, "
            f"signature={self.signature!r})"
        )

    def __format__(self, spec: str) -> str:
        """Write the score as a number: ``f"{score:.2f}"``."""
        return format(self.score, spec) if spec else str(self)

    def format(self, width: int = 2) -> str:
        """Write signature, score and parts with ``width`` decimals."""
        parts = " ".join(f"{key}={value:.{width}f}" for key, value in self.values.items())
        return f"{self.signature} = {self.score:.{width}f} ({parts})"

    def __str__(self) -> str:
        return self.format()

    def __float__(self) -> float:
        return self.score
