"""Checks of a metric's scores: finite, reproducible, within bounds, independent of order."""

from __future__ import annotations

import numpy as np

from mteval_core.metrics.scorer import Scorer
from mteval_core.testing.corpora import CORPUS, EDGE_CASES, EQUALLY_GOOD, Sample
from mteval_core.testing.findings import expect
from mteval_core.testing.subjects import TOLERANCE, bound_rows, close, fuzz, score_alike, values

__all__ = [
    "edge_cases_are_finite",
    "empty_sums_are_finite",
    "formula_is_vectorised",
    "identity_is_best",
    "is_deterministic",
    "reference_order_is_irrelevant",
    "score_is_in_bounds",
    "segment_order_is_irrelevant",
]


def is_deterministic(scorer: Scorer) -> None:
    """Scoring twice gives identical results; otherwise published scores cannot be verified."""
    expect(
        np.array_equal(values(scorer, CORPUS), values(scorer, CORPUS)),
        "the same texts got two different scores",
    )


def formula_is_vectorised(scorer: Scorer) -> None:
    """score() works along the last axis; otherwise intervals and segment scores are wrong."""
    bound, rows = bound_rows(scorer, CORPUS)
    score = bound.implementation.score
    stack = np.stack([rows, rows[::-1] * 2.0])
    expect(
        close(score(stack.copy()), [[score(row.copy()) for row in rows] for rows in stack]),
        "score() of stacked rows differs from score() of each row",
    )


def empty_sums_are_finite(scorer: Scorer) -> None:
    """A sum of zeros has a finite score; otherwise resamples of tiny corpora fail."""
    bound, rows = bound_rows(scorer, CORPUS)
    bound.values(np.zeros(rows.shape[1]))


def edge_cases_are_finite(scorer: Scorer) -> str:
    """Empty and unusual segments have a score; otherwise one line spoils a test set."""

    def check(sample: Sample, name: str = "") -> None:
        try:
            values(scorer, sample)
        except Exception as error:
            message = f"{name or sample}: {type(error).__name__}: {error}"
            raise AssertionError(message) from error

    for name, sample in EDGE_CASES.items():
        check(sample, name)
    return fuzz(check)


def identity_is_best(scorer: Scorer) -> str:
    """A copy of the reference scores best; otherwise the metric can be gamed."""
    if not scorer.uses_references:
        return "not run: the metric uses no references"
    references = CORPUS.references[:1]
    source = CORPUS.source
    copies = [str(r) for r in references[0]]
    best = scorer.corpus_score(copies, references, source=source).score
    for name, hypotheses in {
        "another translation": CORPUS.hypotheses,
        "last words dropped": [str(r).rpartition(" ")[0] for r in references[0]],
        "everything repeated": [f"{r} {r}" for r in references[0]],
    }.items():
        other = scorer.corpus_score(hypotheses, references, source=source).score
        worse = other <= best if scorer.declaration.better == "higher" else other >= best
        expect(worse, f"{name} scores {other}, but a copy of the reference scores {best}")
    return ""


def score_is_in_bounds(scorer: Scorer) -> str:
    """Scores stay within the declared bounds; otherwise readers misjudge them."""
    low, high = scorer.declaration.bounds

    def check(sample: Sample, name: str = "") -> None:
        try:
            score = scorer.corpus_score(sample.hypotheses, sample.test_set).score
        except Exception:  # noqa: BLE001 - another check reports samples without a score
            return
        expect(
            low - TOLERANCE <= score <= high * (1 + TOLERANCE),
            f"{name or sample}: the score {score} is outside {low:g} to {high:g}",
        )

    for name, sample in {**EDGE_CASES, "ordinary text": CORPUS}.items():
        check(sample, name)
    return fuzz(check)


def segment_order_is_irrelevant(scorer: Scorer) -> str:
    """The order of segments does not matter; otherwise scores depend on how files are sorted."""

    def check(sample: Sample) -> None:
        reversed_ = sample.select([*range(len(sample))][::-1])
        expect(
            score_alike(scorer, sample, reversed_),
            f"reversing the segments changes the score: {sample}",
        )

    check(CORPUS)
    return fuzz(check)


def reference_order_is_irrelevant(scorer: Scorer) -> str:
    """The order of references does not matter; otherwise scores depend on file names."""

    def check(sample: Sample) -> None:
        reversed_ = Sample(sample.hypotheses, sample.references[::-1])
        expect(
            score_alike(scorer, sample, reversed_),
            f"reversing the references changes the score: {sample}",
        )

    check(CORPUS)
    check(EQUALLY_GOOD)
    return fuzz(check)
