"""The checks of resamplers."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import ResamplerSpec, UsageError
from mteval_testing.findings import Finding, expect
from mteval_testing.kit import Kit
from mteval_testing.targets import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core import Entry, Registry

__all__ = ["RESAMPLER_KIT", "check_resampler"]

ENOUGH = 64
"""A resampler may refuse fewer segments, with a `UsageError`."""

SIZES = ((1, 3), (7, 120), (ENOUGH, 1), (ENOUGH, 120))
"""Numbers of segments and of resamples that are drawn."""

MANY = 1000
"""Number of resamples whose weights are averaged."""

SLACK = 0.1
"""How far the mean and the variance of the weights may be from 1."""

SEED = 12345


def drawn(resampler: ResamplerSpec, n: int, count: int) -> list[NDArray[Any]]:
    """Draw all chunks of weights."""
    return [np.array(chunk) for chunk in load(resampler.function)(n, count, SEED)]


def samples(resampler: ResamplerSpec) -> Iterator[tuple[int, int, list[NDArray[Any]]]]:
    """Draw samples of all sizes that the resampler accepts."""
    for n, count in SIZES:
        with suppress(UsageError) if n < ENOUGH else nullcontext():
            yield n, count, drawn(resampler, n, count)


def weights_are_valid(resampler: ResamplerSpec) -> None:
    """Each chunk holds non-negative weights of all segments; otherwise totals are meaningless."""
    for n, _, chunks in samples(resampler):
        for chunk in chunks:
            expect(
                chunk.dtype in (np.float64, np.uint8) and chunk.ndim == 2 and chunk.shape[1] == n,
                f"expected float64 or uint8 chunks of shape (chunk, {n}), "
                f"got {chunk.dtype} {chunk.shape}",
            )
            expect(
                bool(np.isfinite(chunk).all() and (chunk >= 0).all()),
                "expected finite, non-negative weights",
            )


def count_is_kept(resampler: ResamplerSpec) -> None:
    """As many resamples are drawn as asked for; otherwise signatures state a wrong number."""
    for n, count, chunks in samples(resampler):
        rows = sum(map(len, chunks))
        expect(rows == count, f"{count} resamples of {n} segments: got {rows}")


def seed_determines_draw(resampler: ResamplerSpec) -> None:
    """The same seed draws the same weights; otherwise intervals cannot be reproduced."""
    for n, count, first in samples(resampler):
        second = drawn(resampler, n, count)
        same = len(first) == len(second) and all(map(np.array_equal, first, second))
        expect(same, f"the same seed draws different weights of {n} segments")


def weights_have_mean_and_variance_one(resampler: ResamplerSpec) -> None:
    """Weights have the mean and the variance 1; otherwise intervals are too wide or too narrow."""
    weights = np.concatenate(drawn(resampler, ENOUGH, MANY)).astype(np.float64)
    if weights.shape == (MANY, ENOUGH) and np.isfinite(weights).all():  # see the other checks
        mean, variance = weights.mean(), weights.var(axis=0).mean()
        expect(abs(mean - 1) < SLACK, f"the mean of the weights is {mean:.3f}, expected 1")
        expect(
            abs(variance - 1) < SLACK,
            f"the variance of a segment's weight is {variance:.3f}, expected about 1: intervals "
            f"are {np.sqrt(variance):.2f} times as wide as those of the bootstrap",
        )
        fixed = weights.std(axis=0) == 0
        expect(not fixed.any(), f"segment {fixed.argmax()} has the same weight in all resamples")


def declared(entry: Entry[ResamplerSpec], _: Registry) -> ResamplerSpec:
    """Return the declaration: it is what the checks need."""
    return entry.declaration


RESAMPLER_KIT = Kit(
    (
        count_is_kept,
        seed_determines_draw,
        weights_are_valid,
        weights_have_mean_and_variance_one,
    ),
    declared,
)
"""The checks of resamplers."""


def check_resampler(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a resampler.

    Parameters
    ----------
    name : str
        The resampler.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.
    """
    return RESAMPLER_KIT.named(ResamplerSpec, name, registry)
