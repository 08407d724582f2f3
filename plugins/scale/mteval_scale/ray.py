"""Scores on Ray: row groups of files as tasks, and Ray data sets."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from mteval_core import PluginError
from mteval_scale.tables import evaluate_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from mteval_core import Evaluation
    from mteval_scale.tables import Work

__all__ = ["run", "score"]

WAITING = 4
"""Tasks per core that are submitted at once."""

SEGMENTS = 20_000
"""Segments of a task."""


def started() -> Any:
    """Import Ray, and start it on this machine unless it is connected to a cluster.

    Raises
    ------
    PluginError
        If it is not installed.
    """
    try:
        import ray
    except ImportError:
        raise PluginError("the engine ray needs Ray: pip install 'mteval-scale[ray]'") from None
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
    return ray


def run(call: Callable[[Any], Any], parts: Sequence[Any]) -> Iterator[Any]:
    """Call a function with every part in a task of its own.

    Ray repeats a task whose worker is lost.

    Parameters
    ----------
    call : callable
        Called with one part at a time, on any machine.
    parts : sequence
        The parts.

    Yields
    ------
    object
        What each call returns, in any order.
    """
    ray = started()
    task = ray.remote(lambda shared, part: shared(part))
    shared = ray.put(call)
    n_waiting = WAITING * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting: list[Any] = []
    for part in parts:
        waiting.append(task.remote(shared, part))
        if len(waiting) >= n_waiting:
            (ready,), waiting = ray.wait(waiting)
            yield of_task(ray, ready)
    while waiting:
        (ready,), waiting = ray.wait(waiting)
        yield of_task(ray, ready)


def of_task(ray: Any, reference: Any) -> Any:
    """Return the result of a task; an error of the task as itself, not as Ray wraps it."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None


def score(
    dataset: Any,
    specs: Iterable[str] | None = None,
    *,
    id: str = "id",
    hyp: Sequence[str] | Mapping[str, str],
    ref: Sequence[str],
    src: str | None = None,
    doc: str | None = None,
    num_gpus: float = 0,
    **settings: Any,
) -> Evaluation:
    """Score a Ray data set.

    Parameters
    ----------
    dataset : ray.data.Dataset
        One row per segment.
    specs : iterable of str, optional
        The metrics. Default: those of the default set.
    id : str
        Column of the ids of the segments: int64, from 0, each once.
    hyp : sequence of str, or mapping of str to str
        Columns of the systems, the baseline first; or columns by the names of the systems.
    ref : sequence of str
        Columns of the references; null where a segment lacks one.
    src, doc : str, optional
        Columns of the source and of the document ids.
    num_gpus : float
        GPUs that each task needs, for metrics that run a model.
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
    >>> evaluation = score(dataset, ["bleu"], hyp=["A", "B"], ref=["human"])  # doctest: +SKIP
    """
    started()

    def results(work: Work) -> Iterator[Any]:
        chosen = dataset.select_columns(sorted({*work.fields.values()}))
        done = chosen.map_batches(
            lambda table: work.pickled([table]),
            batch_format="pyarrow",
            batch_size=SEGMENTS,
            num_gpus=num_gpus or None,
        )
        for row in done.iter_rows():
            yield pickle.loads(row["result"])  # of our own tasks

    return evaluate_tables(specs, results, id=id, hyp=hyp, ref=ref, src=src, doc=doc, **settings)
