"""Subjects of checks: rows, views and values of a metric on a sample."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from textwrap import shorten
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from mteval_core import ExactSum, Sample, Scorer, State
from mteval_testing.corpora import CORPUS, narrowed, selected
from mteval_testing.findings import expect
from mteval_testing.targets import load
from mteval_testing.watch import tried

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

__all__ = [
    "TOLERANCE",
    "bound_rows",
    "bound_views",
    "close",
    "corpus_of",
    "counted",
    "equal",
    "expect_same_rows",
    "filled",
    "formula_of",
    "fuzz",
    "hold",
    "is_prepared",
    "main_value",
    "padded",
    "prepared",
    "score_alike",
    "total_of",
    "values",
]

TOLERANCE = 1e-12
"""Largest relative and absolute difference of results that are equal up to rounding."""


FEW = 2
"""Segments of a sample that is few."""


def corpus_of(scorer: Scorer) -> Sample:
    """Return the ordinary text for a metric: its author's, or that of the kit."""
    sample = scorer.declaration.sample
    if sample is None:
        return CORPUS
    given: Sample = load(sample)()
    return selected(given, range(len(given))[:FEW]) if given.few else given


def filled(scorer: Scorer, sample: Sample) -> Sample:
    """Give a sample the columns that a metric uses, if it lacks them: the values of its author.

    A hypothesis always gets the same value, so that it keeps it in another order.
    """
    names = [name for name in scorer.setup.columns if name not in sample.columns]
    if not names:
        return sample
    given = corpus_of(scorer).columns
    for name in names:
        expect(name in given, f"it uses the column {name!r}: declare a sample that has it")
    numbers = [crc32(text.encode(errors="surrogatepass")) for text in sample.hypotheses]
    columns = {name: [given[name][k % len(given[name])] for k in numbers] for name in names}
    return replace(sample, columns={**sample.columns, **columns})


def bound_rows(scorer: Scorer, sample: Sample) -> tuple[Scorer, Any]:
    """Bind a metric to the references of a sample, and compute its rows."""
    state = prepared(scorer, sample)
    return state.scorer, state.rows(sample.hypotheses, filled(scorer, sample).test_set)


def counted(rows: Any) -> NDArray[np.float64]:
    """Return rows as the metric computed them."""
    return rows if isinstance(rows, np.ndarray) else rows.rows


def padded(rows: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return rows one below the other, with zeros at the ends of shorter ones."""
    parts = list(rows)
    width = max(part.shape[1] for part in parts)
    return np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts])


def total_of(rows: Any) -> Any:
    """Add up all rows, as the metric's formula gets them."""
    return ExactSum.of(rows).total() if isinstance(rows, np.ndarray) else rows.sum()


def formula_of(
    bound: Scorer, rows: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[Callable[..., Any], list[NDArray[np.float64]]]:
    """Return the formula of a metric and what it gets for weights of the rows."""
    metric = bound.setup.implementation
    if hasattr(metric, "score_rows"):
        return metric.score_rows, [rows, weights]
    return metric.score, [weights @ rows]


def bound_views(scorer: Scorer, sample: Sample) -> tuple[State, dict[str, Any]]:
    """Prepare a metric on the references of a sample, and return the views that it gets."""
    state = prepared(scorer, sample)
    return state, state.views(sample.hypotheses, filled(scorer, sample).test_set)


def prepared(scorer: Scorer, sample: Sample) -> State:
    """Prepare a metric on the references of a sample."""
    tried(str(sample))
    return State(scorer, filled(scorer, sample).test_set)


def values(scorer: Scorer, sample: Sample) -> NDArray[np.float64]:
    """Return all values of the corpus score."""
    bound, rows = bound_rows(scorer, sample)
    return bound.values(total_of(rows))


def main_value(scorer: Scorer, sample: Sample) -> float:
    """Return the corpus score."""
    return float(values(scorer, sample)[[*scorer.scales].index(scorer.main)])


def score_alike(
    scorer: Scorer, one: Sample, other: Sample, of: Callable[[Scorer, Sample], Any] = values
) -> bool:
    """Tell whether two samples get the same values; another check reports those without any."""
    with suppress(Exception):
        return close(of(scorer, one), of(scorer, other), scorer.declaration.tolerance)
    return True


def is_prepared(scorer: Scorer) -> bool:
    """Tell whether the rows depend on the whole set of references."""
    return hasattr(scorer.setup.implementation, "prepare")


def close(one: Any, other: Any, declared: float = 0.0) -> bool:
    """Tell whether two results are equal up to rounding, or the tolerance of their metric."""
    tolerance = max(TOLERANCE, declared)
    return np.shape(one) == np.shape(other) and bool(
        np.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)
    )


def equal(one: Any, other: Any, declared: float) -> bool:
    """Tell whether two results are identical, or equal within the tolerance of their metric."""
    return close(one, other, declared) if declared else np.array_equal(one, other)


def expect_same_rows(
    one: Any, other: Any, what: str, *, start: int = 0, declared: float = 0.0
) -> None:
    """Fail at the first segment, counted from `start`, whose rows are not `close`."""
    one, other = np.asarray(one, np.float64), np.asarray(other, np.float64)
    expect(one.shape == other.shape, f"{what}: shapes {one.shape} and {other.shape}")
    for i, (row, second) in enumerate(zip(one, other, strict=True), start):
        rows = " and ".join(shorten(str(each.tolist()), 200) for each in (row, second))
        expect(close(row, second, declared), f"{what}: segment {i} has the rows {rows}")


def hold(
    samples: Iterable[Sample],
    passes: Callable[[Sample], bool],
    complaint: Callable[[Sample], str],
    *,
    size: int = 1,
    random: bool = True,
) -> str:
    """Fail unless all samples pass; return a note if there are no random ones.

    Parameters
    ----------
    samples : iterable of Sample
        The samples.
    passes : callable
        Whether a sample passes.
    complaint : callable
        Says what is wrong with a sample. It gets the first segments that do not pass alone.
    size : int
        Number of segments that it takes to fail.
    random : bool
        Whether to try random texts, too.
    """

    def check(sample: Sample) -> None:
        if not passes(sample):
            raise AssertionError(complaint(narrowed(sample, passes, size)))

    for sample in samples:
        check(sample)
    return fuzz(check) if random else ""


def fuzz(check: Callable[[Sample], None]) -> str:
    """Run a check on random texts, the same ones each time; return a note if it cannot."""
    try:
        import hypothesis
    except ImportError:
        return "not run on random texts: install the package hypothesis"
    from mteval_testing.strategies import samples

    settings = hypothesis.settings(
        max_examples=min(40, hypothesis.settings().max_examples),
        derandomize=True,
        database=None,
        deadline=None,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),  # pyright: ignore[reportArgumentType]
    )
    settings(hypothesis.given(samples())(lambda sample: check(sample)))()
    return ""
