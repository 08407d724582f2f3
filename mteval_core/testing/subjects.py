"""What the checks of metrics compute: rows, views and values of a sample."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.metrics.contract import PreparableMetric
from mteval_core.metrics.scorer import Scorer, score_systems, tokenize_systems
from mteval_core.testing.corpora import Sample
from mteval_core.text.text import as_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mteval_core.text.text import TestSet, Text
    from mteval_core.text.tokens import CorpusView

__all__ = [
    "TOLERANCE",
    "bound_rows",
    "bound_views",
    "close",
    "fuzz",
    "is_prepared",
    "score_alike",
    "values",
]

TOLERANCE = 1e-12
"""Largest relative and absolute difference of results that are equal up to rounding."""


def bound_rows(scorer: Scorer, sample: Sample) -> tuple[Scorer, NDArray[np.float64]]:
    """Bind a metric to the references of a sample, and compute its rows."""
    ((_, bound, rows),) = score_systems([scorer], *texts_of(sample))
    return bound, rows


def bound_views(scorer: Scorer, sample: Sample) -> tuple[Scorer, dict[str, CorpusView]]:
    """Bind a metric to the references of a sample, and return the views that it gets."""
    ((_, (bound,), corpora),) = tokenize_systems([scorer], *texts_of(sample))
    return bound, scorer.used(corpora)


def texts_of(sample: Sample) -> tuple[dict[str, Text], TestSet]:
    """Return the hypotheses of a sample as a system, and its test set."""
    systems = {"sample": as_text(sample.hypotheses, "the hypotheses")}
    return systems, sample.test_set


def values(scorer: Scorer, sample: Sample) -> NDArray[np.float64]:
    """Return all values of the corpus score."""
    bound, rows = bound_rows(scorer, sample)
    return bound.values(rows.sum(axis=0))


def score_alike(scorer: Scorer, one: Sample, other: Sample) -> bool:
    """Tell whether two samples get the same values; another check reports those without any."""
    with suppress(Exception):
        return close(values(scorer, one), values(scorer, other))
    return True


def is_prepared(scorer: Scorer) -> bool:
    """Tell whether the rows depend on the whole set of references."""
    return isinstance(scorer.implementation, PreparableMetric)


def close(one: Any, other: Any) -> bool:
    """Tell whether two results are equal up to rounding."""
    return np.shape(one) == np.shape(other) and bool(
        np.allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE)
    )


def fuzz(check: Callable[[Sample], None]) -> str:
    """Run a check on random texts, the same ones each time; return a note if it cannot."""
    try:
        import hypothesis
    except ImportError:
        return "not run on random texts: install the package hypothesis"
    from mteval_core.testing.strategies import samples

    settings = hypothesis.settings(
        max_examples=40,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),  # pyright: ignore[reportArgumentType]
    )
    settings(hypothesis.given(samples())(lambda sample: check(sample)))()
    return ""
