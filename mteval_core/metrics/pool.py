"""Pooled metrics: one call with the distinct segments of all systems.

Models are slow, and outputs of systems are often equal. A metric that declares itself pooled gets
each distinct segment once, whatever the number of systems, runs and leave-one-out sets. The
segments are sorted, so that the call does not depend on the order of the systems either.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from json import dumps, loads
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core.errors import InputError, SegmentError, attributed
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.rows import check_numbers, check_shape, rows_of, with_file
from mteval_core.text.tokens import TextCorpus, TextReferences
from mteval_core.text.values import Values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core.text.text import Text
    from mteval_core.text.tokens import CorpusView

Segment = tuple[tuple[str, tuple[str, ...], str], ...]
"""Hypothesis, references and source of a segment in each view; a source that is not used is empty.
A value of a column, as JSON, stands in place of the hypothesis.
"""


class Asked(NamedTuple):
    """A system, and what the metric is called with for it.

    Parameters
    ----------
    system : str
        Its name.
    text : Text
        Its output.
    metric : Metric
        The metric: prepared, and perhaps jackknifed.
    views : mapping of str to TextCorpus
        The views of the texts.
    """

    system: str
    text: Text
    metric: Any
    views: Mapping[str, CorpusView]


class Call(NamedTuple):
    """What one call of ``statistics`` would get without a pool.

    Parameters
    ----------
    asked : Asked
        The system.
    metric : Metric
        The metric; of a jackknifed one, that of a leave-one-out set.
    segments : list of Segment
        The segments.
    """

    asked: Asked
    metric: Any
    segments: list[Segment]


def pooled_rows(systems: Sequence[Asked], name: str, label: str) -> list[NDArray[np.float64]]:
    """Compute the rows of several systems with one call of the metric.

    A metric that is prepared on several sets of references is called once for each of them.

    Parameters
    ----------
    systems : sequence of Asked
        What is asked of the metric.
    name, label : str
        The metric, for messages about its plugin and about texts.

    Returns
    -------
    list of ndarray of float64, shape (n_segments, k)
        The rows of each system.

    Raises
    ------
    PluginError
        If the rows have a wrong shape, or numbers that are not finite or too large.
    InputError
        If the metric refuses a segment.
    """
    calls = [
        Call(asked, metric, segments_of(views))
        for asked in systems
        for metric, views in calls_of(asked.metric, asked.views)
    ]
    computed: dict[int, dict[Segment, NDArray[np.float64]]] = {}
    for called in {id(call.metric): call.metric for call in calls}.values():
        members = [call for call in calls if call.metric is called]
        try:
            with attributed(f"the statistics of {name}"):
                computed[id(called)] = rows_by_segment(members, name)
        except SegmentError as error:
            raise with_place(error, members, label) from error
    rows: dict[str, list[NDArray[np.float64]]] = {}
    for call in calls:
        found = computed[id(call.metric)]
        own = np.stack([found[segment] for segment in call.segments])
        check_numbers(own, range(len(own)), name)
        rows.setdefault(call.asked.system, []).append(own)
    return [join_jackknifed(asked.metric, rows[asked.system]) for asked in systems]


def join_jackknifed(metric: Any, rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Join the rows of the leave-one-out sets of a jackknifed metric; another has only one set."""
    return metric.joined(rows) if isinstance(metric, Jackknife) else rows[0]


def calls_of(metric: Any, views: Mapping[str, CorpusView]) -> list[tuple[Any, Any]]:
    """List the calls of ``statistics`` for a system, each with its views."""
    return metric.calls(views) if isinstance(metric, Jackknife) else [(metric, views)]


def segments_of(views: Mapping[str, CorpusView]) -> list[Segment]:
    """List the segments of a system."""
    columns: list[zip[Any]] = []
    for view in views.values():
        if isinstance(view, Values):
            columns.append(zip(map(dumps, view), repeat(()), repeat("")))
            continue
        assert isinstance(view, TextCorpus)  # the views of a pooled metric are raw
        references, sources = map(tuple, view.references), view.sources or [""] * len(view)
        columns.append(zip(view.hypotheses, references, sources, strict=True))
    return list(zip(*columns, strict=True))


def corpora_of(
    segments: Sequence[Segment], views: Mapping[str, CorpusView]
) -> dict[str, CorpusView]:
    """Return the views of some segments, like those of a system."""
    corpora: dict[str, CorpusView] = {}
    for (name, view), column in zip(views.items(), zip(*segments, strict=True), strict=True):
        hypotheses, references, sources = zip(*column, strict=True)
        if isinstance(view, Values):
            corpora[name] = Values(map(loads, hypotheses))
            continue
        assert isinstance(view, TextCorpus)
        corpora[name] = TextCorpus(
            list(hypotheses),
            TextReferences(map(list, references)),
            None if view.sources is None else list(sources),
        )
    return corpora


def rows_by_segment(calls: Sequence[Call], name: str) -> dict[Segment, NDArray[np.float64]]:
    """Call a metric with the distinct segments of some calls; return a row for each segment."""
    distinct = distinct_segments(calls)
    rows = rows_of(calls[0].metric, corpora_of(distinct, calls[0].asked.views))
    check_shape(rows, len(distinct), name)
    return dict(zip(distinct, rows, strict=True))


def distinct_segments(calls: Sequence[Call]) -> list[Segment]:
    """List the segments of some calls, each once, in an order that depends only on them."""
    return sorted({segment for call in calls for segment in call.segments})


def with_place(error: SegmentError, calls: Sequence[Call], label: str) -> InputError:
    """Say in which file and line the segment is that a metric refuses."""
    segment = distinct_segments(calls)[error.segment]
    call = next(call for call in calls if segment in call.segments)
    first = SegmentError(call.segments.index(segment), error.reason)
    return with_file(first, label, call.asked.system, call.asked.text)
