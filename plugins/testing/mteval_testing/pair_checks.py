"""The check of metrics that compare systems: rows of pairs."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import State
from mteval_testing.findings import expect
from mteval_testing.subjects import close, corpus_of, total_of

if TYPE_CHECKING:
    from mteval_core import Scorer

__all__ = ["pairs_have_rows_of_segments"]


def pairs_have_rows_of_segments(scorer: Scorer) -> str | None:
    """A pair of systems has a row for each segment alone; otherwise tests and ranks are wrong."""
    if not scorer.declaration.compares:
        return None
    sample, tolerance = corpus_of(scorer), scorer.declaration.tolerance
    n = len(sample)
    metric: Any = scorer.setup.implementation
    inner = metric if hasattr(metric, "pair_statistics") else metric.metric
    rotated = (*sample.hypotheses[1:], *sample.hypotheses[:1])
    both = replace(
        sample,
        hypotheses=sample.hypotheses + rotated,
        references=tuple(stream * 2 for stream in sample.references),
        source=sample.source * 2,
        columns={name: [*values] * 2 for name, values in sample.columns.items()},
    )
    views = State(scorer, both.test_set).views(both.hypotheses, both.test_set)

    def rows(start: int, stop: int) -> Any:
        a = {name: view.slice(start, stop) for name, view in views.items()}
        b = {name: view.slice(n + start, n + stop) for name, view in views.items()}
        before = pickle.dumps((a, b))
        found = np.asarray(inner.pair_statistics(a, b), np.float64).reshape(stop - start, -1)
        expect(pickle.dumps((a, b)) == before, "pair_statistics() modified its texts")
        return found

    whole = rows(0, n)
    expect(close(whole, rows(0, n), tolerance), "two calls return different rows")
    inner = pickle.loads(pickle.dumps(inner))
    expect(close(whole, rows(0, n), tolerance), "a pickled copy returns different rows")
    for start, stop in ((0, 1), (n // 2, n)):
        alone = rows(start, stop)
        expect(
            close(alone, whole[start:stop], tolerance),
            f"the segments {start} to {stop - 1} have the rows {alone.tolist()} alone, and "
            f"{whole[start:stop].tolist()} among others",
        )
    extended = metric.extend(whole) if hasattr(metric, "extend") else whole
    low, high = scorer.declaration.bounds
    for totals in (total_of(extended), np.zeros(extended.shape[1])):
        (score,) = scorer.scores(totals[None]).tolist()
        expect(low - 1e-9 <= score <= high + 1e-9, f"the score {score} is outside its bounds")
    return ""
