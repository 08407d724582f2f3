"""Scores on Spark: row groups of files as tasks, and data frames through Arrow."""

from __future__ import annotations

import os
import pickle
import sys
from typing import TYPE_CHECKING, Any

from mteval_core import PluginError
from mteval_scale.tables import evaluate_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from mteval_core import Evaluation
    from mteval_scale.tables import Work

__all__ = ["run", "score"]


def session() -> Any:
    """Return the Spark session of this process, or start one on all cores of this machine.

    The workers run the Python of this process, unless ``PYSPARK_PYTHON`` names another.

    Raises
    ------
    PluginError
        If PySpark is not installed.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise PluginError(
            "the engine spark needs PySpark: pip install 'mteval-scale[spark]'"
        ) from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    builder = SparkSession.builder.appName("mteval").config("spark.ui.enabled", "false")
    if "SPARK_REMOTE" not in os.environ and "MASTER" not in os.environ:
        builder = builder.master("local[*]")
    started = builder.getOrCreate()
    started.sparkContext.setLogLevel("ERROR")
    return started


def run(call: Callable[[Any], Any], parts: Sequence[Any]) -> Iterator[Any]:
    """Call a function with every part in a task of its own.

    Spark repeats a task that fails.

    Parameters
    ----------
    call : callable
        Called with one part at a time, on any machine.
    parts : sequence
        The parts.

    Yields
    ------
    object
        What each call returns, in the order of the parts.
    """
    context = session().sparkContext
    tasks = context.parallelize(parts, max(1, len(parts)))
    yield from tasks.map(call).toLocalIterator(prefetchPartitions=True)


def score(
    dataframe: Any,
    specs: Iterable[str] | None = None,
    *,
    id: str = "id",
    hyp: Sequence[str] | Mapping[str, str],
    ref: Sequence[str],
    src: str | None = None,
    doc: str | None = None,
    **settings: Any,
) -> Evaluation:
    """Score a Spark data frame.

    Parameters
    ----------
    dataframe : pyspark.sql.DataFrame
        One row per segment.
    specs : iterable of str, optional
        The metrics. Default: those of the default set.
    id : str
        Column of the ids of the segments: ``bigint``, from 0, each once.
    hyp : sequence of str, or mapping of str to str
        Columns of the systems, the baseline first; or columns by the names of the systems.
    ref : sequence of str
        Columns of the references; null where a segment lacks one.
    src, doc : str, optional
        Columns of the source and of the document ids.
    **settings
        ``level``, ``resamples``, ``seed``, ``registry`` and ``defaults``, see
        `mteval_scale.tables.evaluate_tables`.

    Returns
    -------
    Evaluation
        The same as on one machine, to the last bit; with ``resamples=1000``, it has what
        ``confidence(1000, resampler="poisson")`` and ``compare("bs", ...)`` need.

    Examples
    --------
    >>> evaluation = score(dataframe, ["bleu"], hyp=["A", "B"], ref=["human"])  # doctest: +SKIP
    """

    def results(work: Work) -> Iterator[Any]:
        def batches(tables: Iterator[Any]) -> Iterator[Any]:
            yield from work.pickled(tables).to_batches()

        chosen = dataframe.select(*dict.fromkeys(work.fields.values()))
        for row in chosen.mapInArrow(batches, "result binary").toLocalIterator():
            yield pickle.loads(bytes(row.result))  # of our own tasks

    return evaluate_tables(specs, results, id=id, hyp=hyp, ref=ref, src=src, doc=doc, **settings)
