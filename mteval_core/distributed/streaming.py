"""Scoring files block by block: memory does not grow with the number of segments."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.distributed.merging import to_evaluation
from mteval_core.distributed.partial import Partial
from mteval_core.distributed.plan import plan_of
from mteval_core.distributed.worker import Batch, Worker
from mteval_core.evaluation.checks import CheckedTexts, warn_of_texts
from mteval_core.metrics import bars
from mteval_core.metrics.threads import in_order
from mteval_core.text.blocks import LineFiles
from mteval_core.text.summary import TextSummary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.metrics.scorer import Scorer

__all__ = ["collected", "evaluate_files"]

TRIM_EVERY = 32
"""Number of blocks after which free memory is returned to the system."""


def evaluate_files(
    files: LineFiles,
    systems: Mapping[str, Sequence[str]],
    scorers: Sequence[Scorer],
    *,
    keep_rows: bool = False,
    resamples: int = 0,
    seed: int = 12345,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
    progress: bool = False,
) -> Evaluation:
    """Score the systems of line files in one pass, without keeping the texts.

    Parameters
    ----------
    files : LineFiles
        References, source and the outputs of all runs, in the order of `systems`.
    systems : mapping of str to sequence of str
        Names of the runs of each system; the first system is the baseline.
    scorers : sequence of Scorer
        The metrics. The references are read twice for those that must see all of them first.
    keep_rows : bool
        Whether to keep the rows of all segments: intervals and tests need them, unless their
        resamples are counted.
    resamples : int
        Number of resamples of a Poisson bootstrap that are counted; 0 for none.
    seed : int
        Its seed.
    defaults : mapping of str to str, optional
        The options that the metrics got as defaults; some metric must have each of them.
    threads : int
        Number of blocks that are counted at the same time. It does not change the results.
    progress : bool
        Whether to show a progress bar if the evaluation takes long.

    Returns
    -------
    Evaluation
        The same scores and signatures as `evaluate` gives, without texts.

    Raises
    ------
    UsageError
        If a metric cannot be computed in parts.
    InputError
        If a file is refused, the files are of different lengths, or a segment is too long.
    """
    plan = plan_of(
        scorers,
        systems,
        files.references,
        source=files.source is not None,
        level="segment" if keep_rows else "corpus",
        resamples=resamples,
        seed=seed,
        defaults=defaults,
    )
    worker, whole = Worker(plan, scorers=scorers), Partial(plan.id)
    if worker.collects:
        references = LineFiles(
            files.references, (), files.source, n_lines=files.n_lines, quiet=True
        )
        worker = collected(worker, references, threads)
    outputs = dict(zip(plan.runs, files.systems, strict=True))
    summaries = {path: TextSummary(path) for path in files.paths}

    def batches() -> Iterator[Batch]:
        n_read = 0
        for test_set, texts in files:
            read = dict(zip(files.references, test_set.references, strict=True))
            read |= zip(files.systems, texts, strict=True)
            if files.source is not None and test_set.source is not None:
                read[files.source] = test_set.source
            for path, text in read.items():
                summaries[path].add(text)
            ids = np.arange(n_read, n_read + len(test_set))
            yield Batch(ids, dict(zip(outputs, texts, strict=True)), test_set)
            n_read += len(test_set)

    with bars.shown() if progress else nullcontext():
        counted = in_order(worker.count, zip(batches()), threads)
        for n_blocks, partial in enumerate(bars.progress(counted, None, "block"), 1):
            whole.merge(partial)
            if n_blocks % TRIM_EVERY == 0:
                trim_memory()
    checked = CheckedTexts(
        {run: summaries[path] for run, path in outputs.items()},
        tuple(summaries[path] for path in files.references),
        summaries[files.source] if files.source is not None else None,
        tuple(scorers),
    )
    warn_of_texts(checked, scorers[0].registry)
    paths = {("hyp", run): path for run, path in outputs.items()}
    paths |= {("ref", str(k)): path for k, path in enumerate(files.references)}
    if files.source is not None:
        paths["src", ""] = files.source
    return to_evaluation(worker, whole, paths=paths, threads=threads)


def collected(worker: Worker, references: LineFiles, threads: int) -> Worker:
    """Return a worker whose metrics have seen all references."""
    texts = (test_set for test_set, _ in references)
    return worker.collected(in_order(worker.collect, zip(texts), threads))


def trim_memory() -> None:
    """Return free memory to the system. The C library of Linux keeps it, more and more of it."""
    import ctypes

    with suppress(AttributeError, TypeError):  # other libraries; Windows
        ctypes.CDLL(None).malloc_trim(0)
