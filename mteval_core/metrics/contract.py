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

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.signature import Signature

__all__ = ["Metric", "Score"]


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
