"""From everything that was counted in parts to an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.distributed.plan import empty_test_set
from mteval_core.distributed.worker import check_ids
from mteval_core.errors import InputError
from mteval_core.evaluation.evaluation import Evaluation
from mteval_core.evaluation.scores import InParts
from mteval_core.metrics.scorer import tokenize_systems
from mteval_core.metrics.sums import KeptRows
from mteval_core.metrics.threads import in_threads
from mteval_core.text.seen import SeenTestSet, SeenText
from mteval_core.text.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mteval_core.distributed.partial import Partial
    from mteval_core.distributed.worker import Worker
    from mteval_core.metrics.sums import Rows

    Key = tuple[str, str]

__all__ = ["to_evaluation"]


def to_evaluation(
    worker: Worker,
    partial: Partial,
    *,
    paths: Mapping[Key, str] | None = None,
    threads: int = 1,
) -> Evaluation:
    """Make an evaluation of everything that was counted.

    Parameters
    ----------
    worker : Worker
        The plan and its metrics.
    partial : Partial
        All parts, merged.
    paths : mapping of (str, str) to str, optional
        The files of the texts by role and name.
    threads : int
        Number of threads that join the rows of metrics. It does not change the results.

    Returns
    -------
    Evaluation
        Its scores, documents, intervals and tests are those of `evaluate`, as far as the plan kept
        what they need.

    Raises
    ------
    InputError
        If nothing was counted, or two segments have the same id.
    """
    check_whole(partial)
    named, plan = paths or {}, worker.plan

    def seen(role: str, name: str) -> SeenText:
        return SeenText(partial.digests[role, name], named.get((role, name)))

    ids = partial.all_ids
    order = slice(None) if (np.diff(ids) > 0).all() else np.argsort(ids)
    joined = in_threads(lambda key: partial.all_rows(key)[order], zip(partial.rows), threads)
    rows: dict[Key, Rows] = dict(zip(partial.rows, joined, strict=True))
    empty = {"": Text.of([""])}
    _, bound, _ = next(tokenize_systems(worker.scorers, empty, empty_test_set(plan)))
    for run, spec in rows.keys() - partial.counted.keys():
        rows[run, spec] = KeptRows(rows[run, spec])
    counted = partial.counted
    documents = dict(sorted(partial.documents.items(), key=lambda item: item[1].first))
    return Evaluation(
        test_set=SeenTestSet(
            references=tuple(seen("ref", str(k)) for k in range(len(plan.references))),
            source=seen("src", "") if plan.source else None,
            documents_text=seen("doc", "") if ("doc", "") in partial.digests else None,
            size=partial.n_segments,
            per_segment=partial.least if partial.least == partial.most else None,
        ),
        runs=plan.systems,
        texts={run: seen("hyp", run) for run in plan.runs},
        scorers={str(scorer.spec): scorer for scorer in bound},
        totals={
            **{key: each.total.total() for key, each in counted.items()},
            **{key: each.sum() for key, each in rows.items() if isinstance(each, KeptRows)},
        },
        rows=rows,
        in_parts=InParts(
            document_sizes={name: each.n_segments for name, each in documents.items()},
            document_rows={
                key: np.array([each.totals[key].total() for each in documents.values()])
                for key in (counted if documents else ())
            },
            resampled={
                key: each.resampled.total() for key, each in counted.items() if each.resampled
            },
            alike={key: each.row is not None for key, each in counted.items()},
            seed=plan.seed,
        ),
    )


def check_whole(partial: Partial) -> None:
    """Raise an `InputError` if there is no segment, or if ids must have been repeated."""
    n = partial.n_segments
    if not n:
        message = "the test set is empty: expected at least one segment"
        raise InputError(message)
    is_full = partial.last == n - 1
    if partial.last < n - 1 or (is_full and partial.id_sum != n * (n - 1) // 2):
        message = (
            f"{n} segments with ids up to {partial.last}: some ids come twice; expected an id of "
            f"its own for each segment"
        )
        raise InputError(message)
    if partial.ids:
        check_ids(partial.all_ids)
