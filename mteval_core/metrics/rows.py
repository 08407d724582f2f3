"""Rows of sufficient statistics of all segments, computed in ranges and checked."""

from __future__ import annotations

from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import InputError, PluginError, SegmentError
from mteval_core.metrics.contract import RowsMetric, SegmentMetric
from mteval_core.metrics.threads import in_threads
from mteval_core.text.tokens import TextCorpus, TokenizedCorpus, Tokens
from mteval_core.text.values import Values
from mteval_kernels import TooLongError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.metrics.contract import Metric
    from mteval_core.text.text import Text
    from mteval_core.text.tokens import CorpusView, ReferenceView
    from mteval_kernels import Vocabulary

SEGMENTS_AT_ONCE = 8192
"""Segments in a range: each is counted by one call of the metric."""

FLOAT64 = np.dtype(np.float64)

LARGEST_STATISTIC = 1e100
"""Larger numbers are refused: weighted sums of them could overflow."""


def statistics(
    metric: Metric | RowsMetric, corpora: Mapping[str, CorpusView], name: str, threads: int = 1
) -> NDArray[np.float64]:
    """Compute the rows of a metric for all segments.

    Parameters
    ----------
    metric : Metric
        The metric, prepared if it has a ``prepare`` method.
    corpora : mapping of str to TokenizedCorpus, TextCorpus or Tokens
        The views by name.
    name : str
        The metric's name, for messages.
    threads : int
        Number of ranges of segments that are counted at the same time. It does not change the rows.

    Returns
    -------
    ndarray of float64, shape (n_segments, k)

    Raises
    ------
    PluginError
        If the rows have a wrong shape, or numbers that are not finite or too large.
    SegmentError
        If the metric refuses a segment. It has the number of the segment in the test set.
    """
    n = len(next(iter(corpora.values())))
    n_ranges = n // SEGMENTS_AT_ONCE

    def rows_of_range(start: int, stop: int) -> NDArray[np.float64]:
        part = {key: corpus.slice(start, stop) for key, corpus in corpora.items()}
        return check(rows_of(metric, part), range(start, stop), name)

    try:
        if n_ranges <= 1:
            return check(rows_of(metric, corpora), range(n), name)
        ranges = pairwise(n * i // n_ranges for i in range(n_ranges + 1))
        parts = in_threads(rows_of_range, ranges, threads)
    except SegmentError as error:
        raise with_segment(error, rows_of_range, corpora) from error
    if isinstance(metric, RowsMetric):
        return np.concatenate(pad_rows(parts))
    for part in parts:
        check_width(part, parts[0].shape[1], name)
    return np.concatenate(parts)


def pad_rows(rows: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Append columns of zeros to rows of a metric with ``score_rows``, so that all are as wide."""
    width = max(part.shape[1] for part in rows)
    return [
        part if part.shape[1] == width else np.pad(part, ((0, 0), (0, width - part.shape[1])))
        for part in rows
    ]


def with_segment(
    error: SegmentError,
    rows_of_range: Callable[[int, int], NDArray[np.float64]],
    corpora: Mapping[str, CorpusView],
) -> SegmentError:
    """Find the segment of an error: the longest one that the metric refuses alone.

    A metric may call a kernel with other segments than its own, for example with one for each
    reference.
    """
    texts = [corpus for corpus in corpora.values() if not isinstance(corpus, Values)]
    sizes = np.sum([corpus.sizes for corpus in texts], axis=0)
    for segment in np.argsort(-sizes, kind="stable").tolist():
        try:
            rows_of_range(segment, segment + 1)
        except SegmentError as alone:  # noqa: PERF203 - few are tried
            return SegmentError(segment, alone.reason)
    return error


def with_file(error: SegmentError, label: str, system: str, text: Text) -> InputError:
    """Say in which file and line the segment is that a metric refuses."""
    where = (
        f"{text.path}:{error.segment + 1}" if text.path else f"{system}: segment {error.segment}"
    )
    return InputError(
        f"{where}: {label} cannot score it: {error.reason}; change the segment, or leave the "
        f"metric out"
    )


def check(rows: NDArray[np.float64], segments: range, name: str) -> NDArray[np.float64]:
    """Return the rows of a range of segments; raise a `PluginError` if they are no such rows."""
    # Many calls with one segment each: Python adds up a row in less time.
    is_row = rows.ndim == 2 and len(rows) == len(segments) == 1
    if not (is_row and sum(map(abs, rows.tolist()[0])) <= LARGEST_STATISTIC):
        check_shape(rows, len(segments), name)
        check_numbers(rows, segments, name)
    return rows


def check_shape(rows: NDArray[np.float64], n: int, name: str) -> None:
    """Raise a `PluginError` if there is not one row for each of n segments."""
    if rows.ndim != 2 or len(rows) != n:
        raise PluginError(
            f"{name}: the statistics have shape {rows.shape}; "
            f"expected ({n}, k), one row per segment"
        )


def check_numbers(rows: NDArray[np.float64], segments: range, name: str) -> None:
    """Raise a `PluginError` if the rows of a range of segments have a wrong value."""
    sizes = np.abs(rows)
    if not sizes.max(initial=0.0) <= LARGEST_STATISTIC:  # NaN is not, either
        i = int(np.argmin((sizes <= LARGEST_STATISTIC).all(axis=1)))  # the first one
        raise PluginError(
            f"{name}: the statistics of segment {segments[i]} are not finite, or larger than "
            f"{LARGEST_STATISTIC:g}: {rows[i]}"
        )


def check_width(rows: NDArray[np.float64], width: int, name: str) -> None:
    """Raise a `PluginError` if rows have another number of columns than those before them."""
    if rows.shape[1] != width:
        raise PluginError(
            f"{name}: the statistics have {rows.shape[1]} columns, and had {width} before; "
            f"expected the same number for all segments and systems"
        )


def as_numbers(result: object) -> NDArray[np.float64]:
    """Return what a metric computed as numbers.

    Raises
    ------
    TypeError
        If it holds something that numpy would convert with a loss, or by chance: strings, complex
        numbers, dates, masked values.
    """
    if type(result) is np.ndarray and result.dtype == FLOAT64:
        return result
    array = np.asarray(result)
    is_real = array.dtype.kind in "biuf" or (
        array.dtype.kind == "O" and all(isinstance(each, Real) for each in array.flat)
    )
    if not is_real or hasattr(result, "mask"):
        what = "masked" if is_real else f"of type {array.dtype}"
        raise TypeError(f"the result is {what}; expected real numbers")
    return array.astype(np.float64, copy=False)


def rows_of(metric: object, views: Mapping[str, CorpusView]) -> NDArray[np.float64]:
    """Call the method of a metric that computes rows: ``statistics`` or ``segment_statistics``.

    Raises
    ------
    PluginError
        If the metric has neither.
    SegmentError
        If the metric refuses a segment, or it is too long for a kernel.
    """
    # Many calls with one segment each: checks against a protocol would take most of the time.
    if (method := getattr(metric, "statistics", None)) is not None:
        try:
            return as_numbers(method(**views))
        except TooLongError as error:
            raise SegmentError(error.segment, error.reason) from error
    if not isinstance(metric, SegmentMetric):
        raise PluginError(f"{type(metric).__name__} has no 'statistics' or 'segment_statistics'")
    rows = [metric.segment_statistics(*texts) for texts in segment_texts(views)]
    if not isinstance(metric, RowsMetric):
        return as_numbers(rows)
    # Rows of a metric with ``score_rows`` may differ in length.
    return np.concatenate(pad_rows([as_numbers([row]) for row in rows]))


def segment_texts(views: Mapping[str, CorpusView]) -> Iterable[tuple[Any, ...]]:
    """Return the texts of every segment: hypothesis, references and, if it is used, the source.

    A text is a list of tokens, or a string in a raw view. The values of columns follow.

    Raises
    ------
    PluginError
        Unless there is exactly one view of the texts, and at most one of the source.
    """
    values = [view for view in views.values() if isinstance(view, Values)]
    sources = [view for view in views.values() if isinstance(view, Tokens)]
    corpora = [view for view in views.values() if isinstance(view, TokenizedCorpus | TextCorpus)]
    if len(corpora) != 1 or len(sources) > 1:
        raise PluginError(
            f"segment_statistics() takes one view of hypotheses and references, and perhaps one of "
            f"the source; the metric has {', '.join(views)}"
        )
    (corpus,) = corpora
    sides: list[Any]
    if isinstance(corpus, TextCorpus):
        sides = [corpus.hypotheses, corpus.references, *filter(None, [corpus.sources])]
    else:
        references, index = lists_of(corpus.references, corpus), corpus.references.index
        of_segments = [references[a:b] for a, b in pairwise(index)]
        sides = [lists_of(corpus.hypotheses, corpus), of_segments]
        sides += [lists_of(source, corpus) for source in sources]
    return zip(*sides, *values, strict=True)


def lists_of(side: Tokens, corpus: TokenizedCorpus) -> list[list[str]]:
    """Return the tokens of every text as a list of strings."""
    tokens = corpus.vocabulary.tokens
    return [tokens(side.ids[a:b]) for a, b in zip(side.starts, side.ends, strict=True)]


def prepare(metric: Any, references: Mapping[str, ReferenceView], vocabulary: Vocabulary) -> Any:
    """Prepare a metric on the whole set of references, if it has a ``prepare`` method."""
    if not hasattr(metric, "prepare"):
        return metric
    return metric.prepare(**references, vocabulary=vocabulary)
