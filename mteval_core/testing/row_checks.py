"""Checks of a metric's rows: each segment is counted alone, and nothing is modified."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mteval_core.metrics.contract import CorpusMetric, SegmentMetric
from mteval_core.metrics.rows import rows_of, segment_texts, statistics
from mteval_core.metrics.scorer import Scorer
from mteval_core.testing.findings import expect
from mteval_core.testing.subjects import (
    bound_rows,
    bound_views,
    close,
    corpus_of,
    equal,
    expect_same_rows,
    is_prepared,
)

__all__ = [
    "inputs_are_unchanged",
    "metric_can_be_pickled",
    "rows_are_independent",
    "segment_form_is_corpus_form",
    "threads_do_not_matter",
]


def rows_are_independent(scorer: Scorer) -> None:
    """A row does not depend on other segments; otherwise documents and resamples are wrong."""
    corpus, declared = corpus_of(scorer), scorer.declaration.tolerance
    _, whole = bound_rows(scorer, corpus)
    n = len(corpus)
    for start, stop in ((0, 1), (n // 4, n // 2 + 1), (n // 2, n)):
        # Each range gets fresh texts: another check reports metrics that modify them.
        bound, views = bound_views(scorer, corpus)
        part = {name: view.slice(start, stop) for name, view in views.items()}
        rows = [statistics(bound.implementation, part, scorer.label)]
        if not is_prepared(scorer):
            rows.append(bound_rows(scorer, corpus.select([*range(start, stop)]))[1])
        for alone in rows:
            what = "scored alone and with others"
            expect_same_rows(alone, whole[start:stop], what, start=start, declared=declared)


def segment_form_is_corpus_form(scorer: Scorer) -> None:
    """A segment scores alone as in its corpus; otherwise examples do not explain a table."""
    bound, views = bound_views(scorer, corpus_of(scorer))
    metric = bound.implementation
    if isinstance(metric, CorpusMetric) and isinstance(metric, SegmentMetric) and len(views) == 1:
        rows = [metric.segment_statistics(*texts) for texts in segment_texts(views)]
        what, declared = "segment_statistics() and statistics()", scorer.declaration.tolerance
        expect_same_rows(rows, rows_of(metric, views), what, declared=declared)
    if not is_prepared(scorer):
        segments_score_alone(scorer)


def segments_score_alone(scorer: Scorer) -> None:
    """Compare the scores of segments alone with their scores in the corpus."""
    corpus = corpus_of(scorer)
    bound, rows = bound_rows(scorer, corpus)
    for i, row in enumerate(rows):
        expected = bound.values(row).tolist()
        references = [stream[i] for stream in corpus.references if stream[i] is not None]
        source = corpus.source[i] if scorer.uses_source else None
        hypothesis, texts = corpus.hypotheses[i], [str(r) for r in references]
        alone = scorer.sentence_score(hypothesis, texts, source=source)
        expect(
            close([*alone.values.values()], expected, scorer.declaration.tolerance),
            f"segment {i} scores {[*alone.values.values()]} alone, {expected} in the corpus",
        )


def inputs_are_unchanged(scorer: Scorer) -> None:
    """Arguments are not modified; otherwise the next metric scores different texts."""
    bound, views = bound_views(scorer, corpus_of(scorer))
    before = pickle.dumps(views)
    rows = statistics(bound.implementation, views, scorer.label)
    totals = rows.sum(axis=0)
    copy = totals.copy()
    bound.implementation.score(totals)
    expect(pickle.dumps(views) == before, "statistics() modified its texts")
    expect(np.array_equal(totals, copy), "score() modified its totals")


def metric_can_be_pickled(scorer: Scorer) -> None:
    """A metric can be pickled; otherwise it cannot be sent to other processes."""
    bound, rows = bound_rows(scorer, corpus_of(scorer))
    again = pickle.loads(pickle.dumps(bound.implementation))
    same = statistics(again, bound_views(scorer, corpus_of(scorer))[1], scorer.label)
    unchanged = equal(rows, same, scorer.declaration.tolerance)
    expect(unchanged, "a pickled copy of the metric returns different rows")


def threads_do_not_matter(scorer: Scorer) -> str:
    """Threads do not disturb each other; otherwise scores depend on the machine."""
    if scorer.declaration.pooled:
        return "not run: one thread calls the metric, because it is pooled"
    # As in a large corpus, each thread has its own texts, with different segments.
    parts = []
    corpus = corpus_of(scorer)
    for start in 4 * [*range(len(corpus))]:
        _, views = bound_views(scorer, corpus)
        parts.append({name: corpus.slice(start, start + 1) for name, corpus in views.items()})
    implementation = bound_views(scorer, corpus)[0].implementation
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = [
                *pool.map(lambda part: statistics(implementation, part, scorer.label), parts)
            ]
    finally:
        sys.setswitchinterval(interval)
    _, alone = bound_rows(scorer, corpus)
    for rows in np.split(np.concatenate(together), 4):
        expect_same_rows(rows, alone, "four threads and one", declared=scorer.declaration.tolerance)
    return ""
