"""Checks of a metric's rows: each segment is counted alone, and nothing is modified."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import Scorer, State, Text, TextCorpus
from mteval_testing.corpora import selected
from mteval_testing.findings import expect
from mteval_testing.subjects import (
    bound_rows,
    bound_views,
    close,
    corpus_of,
    counted,
    equal,
    expect_same_rows,
    filled,
    formula_of,
    is_prepared,
    padded,
    prepared,
    total_of,
    values,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "documents_are_one_text",
    "inputs_are_unchanged",
    "metric_can_be_pickled",
    "rows_are_independent",
    "segment_form_is_corpus_form",
    "threads_do_not_matter",
]


def rows_are_independent(scorer: Scorer) -> None:
    """A row does not depend on other segments; otherwise documents and resamples are wrong."""
    if scorer.setup.keeps_rows:
        weights_count_segments(scorer)
        return
    corpus, declared = corpus_of(scorer), scorer.declaration.tolerance
    _, whole = bound_rows(scorer, corpus)
    if scorer.declaration.counts:
        expect(bool((whole >= 0).all()), "counts=True, and a number of a row is below 0")
    n = len(corpus)
    for start, stop in ((0, 1), (n // 4, n // 2 + 1), (n // 2, n)):
        # Each range gets fresh texts: another check reports metrics that modify them.
        state, views = bound_views(scorer, corpus)
        rows = [state.rows({name: view.slice(start, stop) for name, view in views.items()})]
        if not is_prepared(scorer):
            rows.append(bound_rows(scorer, selected(corpus, [*range(start, stop)]))[1])
        for alone in rows:
            what = "scored alone and with others"
            expect_same_rows(alone, whole[start:stop], what, start=start, declared=declared)
    if not is_prepared(scorer):
        _, twice = bound_rows(scorer, selected(corpus, [*range(n), 0]))
        what = "scored once, and twice among others"
        expect_same_rows(twice, [*whole, whole[0]], what, declared=declared)


def documents_are_one_text(scorer: Scorer) -> str | None:
    """A document has one row, of however many segments; otherwise real documents are refused."""
    if scorer.declaration.unit != "document":
        return None
    corpus = corpus_of(scorer)
    names = tuple(f"{i // 2}" for i in range(len(corpus)))
    test_set = replace(filled(scorer, corpus).test_set, documents=names)
    state = State(scorer, test_set)
    try:
        state.rows(state.views(corpus.hypotheses, test_set))
    except Exception as error:
        raise AssertionError(f"documents of two segments, joined by a tab: {error}") from error
    return ""


def weights_count_segments(scorer: Scorer) -> None:
    """Compare the weights of score_rows() with texts that have segments as often."""
    corpus = corpus_of(scorer)
    bound, rows = bound_rows(scorer, corpus)
    n = len(corpus)
    for segments in ([0], [*range(n // 4, n // 2 + 1)], [0, 0, 0, *range(n // 2, n), n - 1]):
        weights = np.bincount(segments, minlength=n).astype(np.float64)
        start, stop = segments[0], segments[-1] + 1
        # Each range gets fresh texts: another check reports metrics that modify them.
        state, views = bound_views(scorer, corpus)
        alone = state.rows({name: view.slice(start, stop) for name, view in views.items()})
        same = [bound.values(weights[start:stop] @ alone)]
        if not is_prepared(scorer):
            same.append(values(scorer, selected(corpus, segments)))
        score = bound.values(weights @ rows)
        for other in same:
            expect(
                close(other, score, scorer.declaration.tolerance),
                f"the text of the segments {segments} has the values {other}; score_rows() gives "
                f"{score} for weights that count these segments as often",
            )


def segment_form_is_corpus_form(scorer: Scorer) -> None:
    """A segment scores alone as in its corpus; otherwise examples do not explain a table."""
    corpus, declared = corpus_of(scorer), scorer.declaration.tolerance
    for sample in (corpus, replace(corpus, references=corpus.references[::-1])):
        state, views = bound_views(scorer, sample)
        metric: Any = state.scorer.setup.implementation
        forms = hasattr(metric, "statistics") and hasattr(metric, "segment_statistics")
        if forms and len(views) == 1:
            (view,) = views.values()
            alone = (metric.segment_statistics(*texts) for texts in texts_of_segments(view))
            rows = padded(np.array([row], np.float64) for row in alone)
            what = "segment_statistics() and statistics()"
            expect_same_rows(rows, counted(state.rows(views)), what, declared=declared)
    if not is_prepared(scorer):
        segments_score_alone(scorer)


def texts_of_segments(view: Any) -> Iterator[tuple[Any, ...]]:
    """Yield hypothesis and references of each segment, and the source of texts that have one."""
    if isinstance(view, TextCorpus):
        columns = view.hypotheses, view.references, view.sources
        yield from zip(*(column for column in columns if column is not None), strict=True)
        return
    for i in range(len(view)):
        hypothesis, references = view.segment(i)
        yield [*hypothesis], [[*reference] for reference in references]


def segments_score_alone(scorer: Scorer) -> None:
    """Compare the scores of segments alone with their scores in the corpus."""
    corpus = corpus_of(scorer)
    bound, rows = bound_rows(scorer, corpus)
    for i in range(len(corpus)):
        expected = bound.values(total_of(rows[i : i + 1])).tolist()
        references = [str(stream[i]) for stream in corpus.references if stream[i] is not None]
        source = corpus.source[i] if scorer.setup.uses_source else None
        columns = {name: [values[i]] for name, values in corpus.columns.items()}
        text = corpus.hypotheses[i]
        hypothesis = Text.of([text], columns=columns) if columns else text
        alone = scorer.sentence_score(hypothesis, references, source=source)
        expect(
            close([*alone.values.values()], expected, scorer.declaration.tolerance),
            f"segment {i} scores {[*alone.values.values()]} alone, {expected} in the corpus",
        )


def inputs_are_unchanged(scorer: Scorer) -> None:
    """Arguments are not modified; otherwise the next metric scores different texts."""
    state, views = bound_views(scorer, corpus_of(scorer))
    before = pickle.dumps(views)
    rows = counted(state.rows(views))
    score, arguments = formula_of(state.scorer, rows, np.ones(len(rows)))
    copies = [argument.copy() for argument in arguments]
    score(*arguments)
    expect(pickle.dumps(views) == before, "statistics() modified its texts")
    same = all(map(np.array_equal, arguments, copies))
    expect(same, f"{score.__name__}() modified its arguments")


def metric_can_be_pickled(scorer: Scorer) -> None:
    """A metric can be pickled; otherwise it cannot be sent to other processes."""
    state, views = bound_views(scorer, corpus_of(scorer))
    rows = counted(state.rows(views))
    own = state.scorer.setup
    again = replace(own, implementation=pickle.loads(pickle.dumps(own.implementation)))
    copied = State(replace(state.scorer, setup=again))
    same = counted(copied.rows(bound_views(scorer, corpus_of(scorer))[1]))
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
    state = prepared(scorer, corpus)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = [*pool.map(lambda part: counted(state.rows(part)), parts)]
    finally:
        sys.setswitchinterval(interval)
    _, alone = bound_rows(scorer, corpus)
    declared = scorer.declaration.tolerance
    for rows in np.split(padded(together), 4):
        expect_same_rows(rows, counted(alone), "four threads and one", declared=declared)
    return ""
