"""Checks of a metric's rows: each segment is counted alone, and nothing is modified."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mteval_core.metrics.contract import CorpusMetric, SegmentMetric
from mteval_core.metrics.rows import rows_of, segment_texts, statistics
from mteval_core.metrics.scorer import Scorer
from mteval_core.testing.corpora import CORPUS
from mteval_core.testing.findings import expect
from mteval_core.testing.subjects import bound_rows, bound_views, close, is_prepared

__all__ = [
    "inputs_are_unchanged",
    "metric_can_be_pickled",
    "rows_are_independent",
    "segment_form_is_corpus_form",
    "threads_do_not_matter",
]


def rows_are_independent(scorer: Scorer) -> None:
    """A row does not depend on other segments; otherwise documents and resamples are wrong."""
    _, whole = bound_rows(scorer, CORPUS)
    for start, stop in ((0, 1), (2, 5), (5, len(CORPUS))):
        # Each range gets fresh texts: another check reports metrics that modify them.
        bound, views = bound_views(scorer, CORPUS)
        part = {name: corpus.slice(start, stop) for name, corpus in views.items()}
        rows = [statistics(bound.implementation, part, scorer.label)]
        if not is_prepared(scorer):
            rows.append(bound_rows(scorer, CORPUS.select([*range(start, stop)]))[1])
        expect(
            all(close(alone, whole[start:stop]) for alone in rows),
            f"the rows of segments {start} to {stop - 1} differ when they are scored alone",
        )


def segment_form_is_corpus_form(scorer: Scorer) -> None:
    """A segment scores alone as in its corpus; otherwise examples do not explain a table."""
    bound, views = bound_views(scorer, CORPUS)
    metric = bound.implementation
    if isinstance(metric, CorpusMetric) and isinstance(metric, SegmentMetric) and len(views) == 1:
        rows = [metric.segment_statistics(*texts) for texts in segment_texts(views)]
        expect(
            close(np.asarray(rows, np.float64), rows_of(metric, views)),
            "segment_statistics() and statistics() return different rows",
        )
    if not is_prepared(scorer):
        segments_score_alone(scorer)


def segments_score_alone(scorer: Scorer) -> None:
    """Compare the scores of segments alone with their scores in the corpus."""
    bound, rows = bound_rows(scorer, CORPUS)
    for i, row in enumerate(rows):
        expected = bound.values(row).tolist()
        references = [stream[i] for stream in CORPUS.references if stream[i] is not None]
        source = CORPUS.source[i] if scorer.uses_source else None
        hypothesis, texts = CORPUS.hypotheses[i], [str(r) for r in references]
        alone = scorer.sentence_score(hypothesis, texts, source=source)
        expect(
            close([*alone.values.values()], expected),
            f"segment {i} scores {[*alone.values.values()]} alone, {expected} in the corpus",
        )


def inputs_are_unchanged(scorer: Scorer) -> None:
    """Arguments are not modified; otherwise the next metric scores different texts."""
    bound, views = bound_views(scorer, CORPUS)
    before = pickle.dumps(views)
    rows = statistics(bound.implementation, views, scorer.label)
    totals = rows.sum(axis=0)
    copy = totals.copy()
    bound.implementation.score(totals)
    expect(pickle.dumps(views) == before, "statistics() modified its texts")
    expect(np.array_equal(totals, copy), "score() modified its totals")


def metric_can_be_pickled(scorer: Scorer) -> None:
    """A metric can be pickled; otherwise it cannot be sent to other processes."""
    bound, rows = bound_rows(scorer, CORPUS)
    again = pickle.loads(pickle.dumps(bound.implementation))
    same = statistics(again, bound_views(scorer, CORPUS)[1], scorer.label)
    expect(np.array_equal(rows, same), "a pickled copy of the metric returns different rows")


def threads_do_not_matter(scorer: Scorer) -> None:
    """Threads do not disturb each other; otherwise scores depend on the machine."""
    # As in a large corpus, each thread has its own texts, with different segments.
    parts = []
    for start in 4 * [*range(len(CORPUS))]:
        _, views = bound_views(scorer, CORPUS)
        parts.append({name: corpus.slice(start, start + 1) for name, corpus in views.items()})
    implementation = bound_views(scorer, CORPUS)[0].implementation
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = [
                *pool.map(lambda part: statistics(implementation, part, scorer.label), parts)
            ]
    finally:
        sys.setswitchinterval(interval)
    _, alone = bound_rows(scorer, CORPUS)
    expect(
        close(np.concatenate(together), np.tile(alone, (4, 1))),
        "four threads return different rows from one",
    )
