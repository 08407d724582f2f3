"""The contract of a metric: rows of additive sufficient statistics, and a formula over their sum.

::

    rows   = statistics(hypotheses, references)        (n_segments, k) float64
    totals = weights @ rows                            (..., k)
    values = score(totals)                             (..., v)

With weights of one ``score`` gives the corpus score, with the identity the segments, with groups
the documents, with multinomial counts the resamples of a bootstrap. A metric writes the two ends;
the host does all that lies between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from mteval_core.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from mteval_core.signature import Signature
    from mteval_core.text.tokens import References, TokenizedCorpus

__all__ = ["Metric", "Score", "ratio", "segment_tokens", "statistics"]

SEGMENTS_AT_ONCE = 20_000


class Metric(Protocol):
    """What the class named by a `MetricSpec` offers.

    Beside `score` it has either ``statistics``, which gives all rows of a corpus from arrays of
    ids, or ``segment_statistics``, which gives one row from lists of tokens:

    .. code-block:: python

        def statistics(self, words: TokenizedCorpus) -> NDArray[np.float64]: ...
        def segment_statistics(self, hypothesis, references) -> Sequence[float]: ...

    ``statistics`` has one keyword for each view that the metric declares; it returns an array of
    shape (n_segments, k) in which no row depends on another segment. ``segment_statistics`` is for
    metrics with one view; it gets a list of tokens and a list of such lists, not empty.

    A metric that needs the whole set of references first also has ``prepare(**references)``, with
    a `References` for each view and ``vocabulary``, which returns another metric.
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
            The declared values, in order, as fractions: finite for any sum of rows.
        """
        ...


def ratio(part: ArrayLike, whole: ArrayLike, otherwise: ArrayLike = 0.0) -> NDArray[np.float64]:
    """Divide, for formulas, which must be finite for any sums.

    Parameters
    ----------
    part, whole : array_like of float
        Dividend and divisor.
    otherwise : array_like of float
        What stands where the divisor is not above 0.

    Returns
    -------
    ndarray of float64
        Of the shape that the three broadcast to.

    Examples
    --------
    >>> ratio([3, 1, 0], [4, 0, 0], otherwise=[0, 1, 0])
    array([0.75, 1.  , 0.  ])
    """
    dividend, divisor, values = np.broadcast_arrays(part, whole, otherwise)
    quotient: NDArray[np.float64] = values.astype(np.float64)
    np.divide(dividend, divisor, out=quotient, where=divisor > 0)
    return quotient


def statistics(
    metric: Metric, corpora: Mapping[str, TokenizedCorpus], name: str, threads: int = 1
) -> NDArray[np.float64]:
    """Rows of a metric for all segments.

    Parameters
    ----------
    metric : Metric
        The metric, prepared if it needs to be.
    corpora : mapping of str to TokenizedCorpus
        The views by name.
    name : str
        The metric's name, for messages.
    threads : int
        How many ranges of segments are worked on at once. The rows do not depend on it.

    Returns
    -------
    ndarray of float64, shape (n_segments, k)

    Raises
    ------
    PluginError
        If the metric gives rows of a wrong shape, or one that is not finite.
    """
    n = len(next(iter(corpora.values())))
    n_ranges = max(1, n // SEGMENTS_AT_ONCE)
    bounds = np.linspace(0, n, n_ranges + 1, dtype=np.int64).tolist()

    def rows_of_range(start: int, stop: int) -> NDArray[np.float64]:
        rows = rows_of(metric, {key: corpus.slice(start, stop) for key, corpus in corpora.items()})
        if rows.ndim != 2 or len(rows) != stop - start:
            message = (
                f"{name}: the statistics have shape {rows.shape}; "
                f"expected ({stop - start}, k), one row per segment"
            )
            raise PluginError(message)
        if not np.isfinite(rows).all():
            i = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
            message = f"{name}: the statistics of segment {start + i} are not finite: {rows[i]}"
            raise PluginError(message)
        return rows

    if threads == 1 or n_ranges == 1:
        return np.concatenate(list(map(rows_of_range, bounds[:-1], bounds[1:])))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return np.concatenate(list(pool.map(rows_of_range, bounds[:-1], bounds[1:])))


def rows_of(metric: Any, views: Mapping[str, TokenizedCorpus]) -> NDArray[np.float64]:
    """Ask a metric for its rows, in whichever of the two ways it offers them."""
    if hasattr(metric, "statistics"):
        return np.asarray(metric.statistics(**views), np.float64)
    (corpus,) = views.values()
    rows = [
        metric.segment_statistics(hypothesis, references)
        for hypothesis, references in segment_tokens(corpus)
    ]
    return np.asarray(rows, np.float64)


def segment_tokens(corpus: TokenizedCorpus) -> Sequence[tuple[list[str], list[list[str]]]]:
    """Hypothesis and references of every segment as lists of tokens."""
    tokens = corpus.vocabulary.tokens

    def texts(side: Any) -> list[list[str]]:
        return [tokens(side.ids[a:b]) for a, b in zip(side.starts, side.ends, strict=True)]

    references = texts(corpus.references)
    index = corpus.references.index
    return [
        (hypothesis, references[index[i] : index[i + 1]])
        for i, hypothesis in enumerate(texts(corpus.hypotheses))
    ]


def prepare(metric: Any, references: Mapping[str, References], vocabulary: Any) -> Any:
    """Bind a metric to the whole set of references, if it wants to be."""
    if not hasattr(metric, "prepare"):
        return metric
    return metric.prepare(**references, vocabulary=vocabulary)


@dataclass(frozen=True)
class Score:
    """A score, with its parts and what it takes to compute it again.

    Parameters
    ----------
    name : str
        Label of the metric.
    score : float
        The main value, in the scale in which people read it.
    values : mapping of str to float
        All values by name, each in its scale.
    n_segments : int
        How many segments it is the score of.
    signature : Signature
        What it takes to compute it again.
    """

    name: str
    score: float
    values: Mapping[str, float]
    n_segments: int
    signature: Signature

    def format(self, width: int = 2) -> str:
        """Write signature, score and parts with a number of decimals."""
        parts = " ".join(f"{key}={value:.{width}f}" for key, value in self.values.items())
        return f"{self.signature} = {self.score:.{width}f} ({parts})"

    def __str__(self) -> str:
        return self.format()

    def __float__(self) -> float:
        return self.score
