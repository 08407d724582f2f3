"""Settings of intervals and tests: their checks, and their fields in signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core.errors import UsageError, attributed
from mteval_core.evaluation.intervals import INTERVAL_KINDS
from mteval_core.evaluation.p_values import MOST_TRIALS
from mteval_core.evaluation.resampling import bootstrap
from mteval_core.plugin.declarations import ResamplerSpec, load
from mteval_core.plugin.loading import default_registry
from mteval_core.plugin.registry import HOST
from mteval_core.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mteval_core.evaluation.intervals import IntervalKind
    from mteval_core.evaluation.p_values import Test
    from mteval_core.evaluation.scores import By
    from mteval_core.metrics.exact import Weights
    from mteval_core.plugin.registry import Registry

    Resampler = Callable[[int, int, int], Iterator[Weights]]

USUAL = {"draw": "bootstrap", "by": "segment", "interval": "percentile"}
"""How resamples are drawn by default; a signature does not state it."""


class Draw(NamedTuple):
    """How differences are drawn.

    Parameters
    ----------
    test : {"bs", "ar"}
        Paired bootstrap or approximate randomisation.
    n : int
        Number of resamples or trials of the test.
    n_resamples : int
        Number of bootstrap resamples of the intervals; for a paired bootstrap the same as `n`.
    seed : int
        Seed of ``numpy.random.default_rng``.
    by : {"segment", "doc"}
        The unit that is drawn or exchanged.
    level : float
        Confidence level of the intervals, in percent.
    resampler : callable
        Draws the resamples.
    interval : {"percentile", "basic", "symmetric", "bca"}
        The kind of the intervals.
    threads : int
        Number of threads that draw. It does not change what is drawn.
    """

    test: Test
    n: int
    n_resamples: int
    seed: int = 12345
    by: By = "segment"
    level: float = 95.0
    resampler: Resampler = bootstrap
    interval: IntervalKind = "percentile"
    threads: int = 1

    @classmethod
    def checked(cls, test: Test, n: int, n_resamples: int, **settings: Any) -> Draw:
        """Make a draw of checked settings.

        Raises
        ------
        UsageError
            If a number of resamples or trials, the level, the unit, the kind of interval or the
            seed is not valid.
        """
        draw = cls(test, n, n_resamples, **settings)
        check_count(draw.n, "resamples" if test == "bs" else "trials")
        check_seed(draw.seed)
        is_number = isinstance(draw.level, (int, float)) and not isinstance(draw.level, bool)
        if not (is_number and 0 < draw.level < 100):
            raise UsageError(
                f"confidence level {draw.level!r}: expected a number of percent between 0 and 100"
            )
        if draw.by not in ("segment", "doc"):
            raise UsageError(f"cannot resample by {draw.by!r}: expected 'segment' or 'doc'")
        if draw.interval not in INTERVAL_KINDS:
            known = ", ".join(INTERVAL_KINDS)
            raise UsageError(f"unknown kind of interval {draw.interval!r}: expected {known}")
        return draw._replace(n=int(n), n_resamples=int(n_resamples))


def check_count(n: int, what: str) -> None:
    """Raise a `UsageError` if a number of resamples or trials is not from 1 to a million."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= MOST_TRIALS:
        raise UsageError(f"{n!r} {what}: expected a whole number from 1 to {MOST_TRIALS}")


def check_seed(seed: int) -> None:
    """Raise a `UsageError` if a seed is not a whole number of at least 0."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise UsageError(f"seed {seed!r}: expected a whole number of at least 0")


def find_resampler(name: str, registry: Registry | None) -> Resampler:
    """Look up a resampler and import its function; what a plugin's draws is checked."""
    entry = (default_registry() if registry is None else registry).find(ResamplerSpec, name)
    blames = attributed(f"resampler {entry}")
    with blames:
        function: Resampler = load(entry.declaration.function)
    if entry.plugin.distribution == HOST:
        return function
    return lambda n, count, seed: blames.each(with_checks(function, n, count, seed))


def with_checks(function: Resampler, n: int, count: int, seed: int) -> Iterator[Weights]:
    """Yield what a resampler draws; raise a `ValueError` at weights that are not valid."""
    left = count
    for chunk in function(n, count, seed):
        check_weights(chunk, n, left)
        left -= len(chunk)
        yield chunk
    check_weights(None, n, left)


def check_weights(chunk: object, n: int, left: int) -> None:
    """Raise a `ValueError` if a chunk does not hold weights of n segments, or is one too many."""
    if chunk is None:
        is_valid = left == 0
    else:
        is_valid = (
            isinstance(chunk, np.ndarray)
            and chunk.dtype in (np.float64, np.uint8)
            and chunk.ndim == 2
            and 0 < len(chunk) <= left
            and chunk.shape[1] == n
            and bool(np.isfinite(chunk).all() and (chunk >= 0).all() and (n < 9 or chunk.any()))
        )
    if not is_valid:
        seen = f"{chunk.dtype}, {chunk.shape}" if isinstance(chunk, np.ndarray) else repr(chunk)
        raise ValueError(
            f"expected finite weights of at least 0, and not all 0, float64 or uint8 arrays of "
            f"shape (chunk, {n}), {left} more rows in all; got {seen}"
        )


def sign_draw(
    before: Mapping[str, tuple[str, ...]], **settings: str | int
) -> dict[str, tuple[str, ...]]:
    """Write how intervals and comparisons were drawn as fields of a signature.

    Parameters
    ----------
    before : mapping of str to tuple of str
        The fields of what was drawn before; empty if nothing was.
    **settings
        Numbers of resamples and trials, seed, resampler, unit and kind of interval.

    Returns
    -------
    dict of str to tuple of str

    Raises
    ------
    UsageError
        If a setting differs from what was drawn before: one signature could not say both.
    """
    fields = dict(before)
    for key, value in settings.items():
        usual = (USUAL[key],) if key in USUAL else None
        drawn_before = fields.get(key, usual if before else None)
        if drawn_before not in (None, (str(value),)):
            raise UsageError(
                f"the scores have intervals or tests drawn with {key}:{drawn_before[0]}, and now "
                f"{key}:{value} is asked for: draw both in the same way"
            )
        if (str(value),) != usual:
            fields[key] = (str(value),)
    return {key: fields[key] for key in Signature.DRAW if key in fields}
