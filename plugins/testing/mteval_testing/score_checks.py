"""Checks of a metric's scores: finite, reproducible, within bounds, independent of order."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

import numpy as np

from mteval_core import InputError, Sample, Scorer
from mteval_kernels import implementation
from mteval_testing.corpora import EDGE_CASES, EQUALLY_GOOD, REPETITIVE, selected
from mteval_testing.findings import expect
from mteval_testing.subjects import (
    TOLERANCE,
    bound_rows,
    close,
    corpus_of,
    counted,
    equal,
    formula_of,
    fuzz,
    hold,
    main_value,
    score_alike,
    values,
)

__all__ = [
    "a_corpus_twice_scores_the_same",
    "edge_cases_are_finite",
    "empty_sums_are_finite",
    "formula_is_vectorised",
    "identity_is_best",
    "is_deterministic",
    "reference_order_is_irrelevant",
    "repetitive_text_is_affordable",
    "score_is_in_bounds",
    "segment_order_is_irrelevant",
]

MILLION = 1e6
"""How often a corpus is counted to make its sums large."""

AFFORDABLE = 5.0
"""Seconds that a segment of 400 words may take."""


def is_deterministic(scorer: Scorer) -> None:
    """Scoring twice gives identical results; otherwise published scores cannot be verified."""
    corpus = corpus_of(scorer)
    expect(
        equal(values(scorer, corpus), values(scorer, corpus), scorer.declaration.tolerance),
        "the same texts got two different scores",
    )


def formula_is_vectorised(scorer: Scorer) -> None:
    """The formula works along the last axis; otherwise intervals and segment scores are wrong."""
    bound, rows = bound_rows(scorer, corpus_of(scorer))
    weights = np.stack([np.eye(len(rows)), np.tri(len(rows))[::-1] * 2.0])
    score, (*fixed, stack) = formula_of(bound, counted(rows), weights)
    each = [[score(*fixed, one.copy()) for one in part] for part in stack]
    expect(
        close(score(*fixed, stack.copy()), each),
        f"{score.__name__}() of a stack differs from {score.__name__}() of its parts",
    )


def empty_sums_are_finite(scorer: Scorer) -> None:
    """A sum of zeros has a finite score; otherwise resamples of tiny corpora fail."""
    bound, rows = bound_rows(scorer, corpus_of(scorer))
    bound.values(np.zeros(len(rows)) @ rows)


def edge_cases_are_finite(scorer: Scorer) -> str:
    """Empty and unusual segments have a score; otherwise one line spoils a test set."""

    def check(sample: Sample) -> None:
        try:
            values(scorer, sample)
        except Exception as error:
            raise AssertionError(f"{sample}: {type(error).__name__}: {error}") from error

    for sample in (*EDGE_CASES.values(), corpus_of(scorer)):
        check(sample)
    return fuzz(check)


def identity_is_best(scorer: Scorer) -> str:
    """A copy of the reference scores best; otherwise the metric can be gamed."""
    if not scorer.setup.uses_references:
        return "not run: the metric uses no references"
    corpus = corpus_of(scorer)
    first = tuple(str(text) for text in corpus.references[0])

    def score(hypotheses: tuple[str, ...], name: str = "") -> float:
        changed = replace(corpus, hypotheses=hypotheses, references=(first,), name=name)
        return main_value(scorer, changed)

    best = score(first, "a copy of the reference")
    for name, hypotheses in {
        "another translation": corpus.hypotheses,
        "last words dropped": tuple(text.rpartition(" ")[0] for text in first),
        "everything repeated": tuple(f"{text} {text}" for text in first),
    }.items():
        other = score(hypotheses, name)
        gain = other - best if scorer.declaration.better == "higher" else best - other
        worse = gain <= scorer.declaration.tolerance * max(1.0, abs(best))
        expect(worse, f"{name} scores {other}, but a copy of the reference scores {best}")
    return ""


def score_is_in_bounds(scorer: Scorer) -> str:
    """Scores stay within the declared bounds; otherwise readers misjudge them."""
    low, high = scorer.declaration.bounds
    slack = max(TOLERANCE, scorer.declaration.tolerance)

    def is_inside(sample: Sample) -> bool:
        with suppress(Exception):  # another check reports samples without a score
            value = main_value(scorer, sample)  # NaN if a metric misses all segments
            return not (value < low - slack or value > high * (1 + slack))
        return True

    def complaint(sample: Sample) -> str:
        return f"{sample}: the score {main_value(scorer, sample)} is outside {low:g} to {high:g}"

    return hold((*EDGE_CASES.values(), corpus_of(scorer)), is_inside, complaint)


def a_corpus_twice_scores_the_same(scorer: Scorer) -> str:
    """Texts given twice keep their score; otherwise the size of a test set changes its scores."""

    def twice(sample: Sample) -> Sample:
        return selected(sample, [*range(len(sample))] * 2)

    def is_same(sample: Sample) -> bool:
        return score_alike(scorer, sample, twice(sample), main_value)

    def complaint(sample: Sample) -> str:
        once, again = (main_value(scorer, each) for each in (sample, twice(sample)))
        return f"{sample}: the score is {once}, and {again} if every segment is given twice"

    if scorer.declaration.resample != "with-replacement":
        return "not run: the score of a whole set changes with its size"
    large_sums_score_the_same(scorer)
    samples = (*EDGE_CASES.values(), corpus_of(scorer))
    return hold(samples, is_same, complaint, random=False)


def large_sums_score_the_same(scorer: Scorer) -> None:
    """Compare the values of a corpus with those of a million times its sums."""
    bound, rows = bound_rows(scorer, corpus_of(scorer))
    each = np.ones(len(rows))
    main = [*scorer.scales].index(scorer.main)
    once, often = (bound.values(weights @ rows)[main] for weights in (each, MILLION * each))
    expect(
        close(once, often, max(1e-9, scorer.declaration.tolerance)),
        f"the score is {once}, and {often} for {MILLION:,.0f} times the sums; compute score() "
        f"in float64",
    )


def segment_order_is_irrelevant(scorer: Scorer) -> str:
    """The order of segments does not matter; otherwise scores depend on how files are sorted."""

    def is_same(sample: Sample) -> bool:
        return score_alike(scorer, sample, selected(sample, [*range(len(sample))][::-1]))

    def complaint(sample: Sample) -> str:
        return f"reversing the segments changes the values: {sample}"

    return hold([corpus_of(scorer)], is_same, complaint, size=2)


def reference_order_is_irrelevant(scorer: Scorer) -> str:
    """The order of references does not matter; otherwise scores depend on file names."""

    def is_same(sample: Sample) -> bool:
        return score_alike(scorer, sample, replace(sample, references=sample.references[::-1]))

    def complaint(sample: Sample) -> str:
        return f"reversing the references changes the values: {sample}"

    return hold([corpus_of(scorer), EQUALLY_GOOD], is_same, complaint)


def repetitive_text_is_affordable(scorer: Scorer) -> str:
    """Repeated words cost no more than other words; otherwise one noisy line takes hours."""
    if implementation == "python":
        return "not run: the kernels in plain Python are slow"
    for samples in REPETITIVE.values():
        for sample in samples:
            start = time.thread_time()
            try:
                values(scorer, sample)
            except InputError as error:
                return str(error)
            seconds = time.thread_time() - start
            expect(seconds < AFFORDABLE, f"{sample}: one segment takes {seconds:.1f} s")
    return ""
