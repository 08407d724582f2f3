"""Rows of sufficient statistics of all segments, computed in ranges and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.metrics.contract import Metric
    from mteval_core.text.tokens import References, TokenizedCorpus

__all__ = ["prepare", "rows_of", "segment_tokens", "statistics"]

SEGMENTS_AT_ONCE = 20_000
"""Segments in a range: each is counted by one call of the metric."""


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
