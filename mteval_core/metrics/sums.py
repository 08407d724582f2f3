"""Sums of rows: added up, or kept as rows with weights for metrics that are no function of sums.

The engines write every sum over segments with the same few operations::

    total_of(rows)          the corpus
    by_unit(rows, unit)     documents
    weights @ rows          resamples, exchanges
    sums + sums, sums - sums

Rows of most metrics are arrays, and so are their sums, which `mteval_core.metrics.exact` computes.
A metric with ``score_rows`` cannot be computed from sums. Its rows are `KeptRows`, and the same
operations give `WeightedRows`, which remember how often each row counts until the metric is
computed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from mteval_core.frozen import Frozen
from mteval_core.metrics.exact import Weighable, exact_total, exact_totals
from mteval_core.metrics.rows import pad_rows
from mteval_core.metrics.threads import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from mteval_core.metrics.exact import Swaps, Weights

    Draw = Callable[[], Iterable[Weights]]
    Formula = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
    Key = TypeVar("Key", bound=Hashable)

UNITS_AT_ONCE = 50
"""Units that one call of ``score_rows`` scores; with more, the weights would be mostly zeros."""


class WeightedRun(NamedTuple):
    """Rows of one run, and how often each counts: ``fixed + drawn * weights[:, unit]``.

    Parameters
    ----------
    rows : ndarray of float64, shape (n_segments, k)
        The rows.
    fixed : ndarray of float64, shape (..., n_segments)
        Weights that are known.
    unit : ndarray of int64, shape (n_segments,)
        Unit of each segment, for weights that are drawn for units.
    drawn : float
        Factor of the weights that are drawn.
    """

    rows: NDArray[np.float64]
    fixed: NDArray[np.float64]
    unit: NDArray[np.int64]
    drawn: float = 0.0

    def times(self, factor: float) -> WeightedRun:
        """Multiply the weights."""
        return self._replace(fixed=self.fixed * factor, drawn=self.drawn * factor)

    def plus(self, other: WeightedRun) -> WeightedRun:
        """Add the weights of the same rows."""
        unit = self.unit if self.drawn else other.unit
        drawn = self.drawn + other.drawn
        return WeightedRun(self.rows, self.fixed + other.fixed, unit, drawn)

    def weights(self, drawn: Weights) -> NDArray[np.float64]:
        """Compute the weights from a chunk of drawn ones, shape (chunk, n_segments)."""
        return self.fixed + self.drawn * drawn[:, self.unit].astype(np.float64)


class WeightedRows(Frozen, eq=False):
    """Sums of rows that are not carried out: rows of one or more runs, with weights.

    Parameters
    ----------
    runs : tuple of WeightedRun
        The runs, each with its weights.
    draw : callable or None
        Draws the weights of units in chunks, the same ones at each call. Chunks are drawn when
        they are needed, so memory does not grow with their number.
    """

    runs: tuple[WeightedRun, ...]
    draw: Draw | None = None

    def __add__(self, other: WeightedRows) -> WeightedRows:
        assert not (self.draw and other.draw) or self.draw is other.draw  # one draw in all runs
        runs = {id(run.rows): run for run in self.runs}
        for run in other.runs:
            key = id(run.rows)
            runs[key] = runs[key].plus(run) if key in runs else run
        return WeightedRows(tuple(runs.values()), self.draw or other.draw)

    def __sub__(self, other: WeightedRows | KeptRows) -> WeightedRows:
        sums = other.of_units() if isinstance(other, KeptRows) else other
        return self + replace(sums, runs=tuple(run.times(-1.0) for run in sums.runs))

    def __getitem__(self, index: None) -> WeightedRows:
        """Insert an axis, as for arrays."""
        return replace(self, runs=tuple(one._replace(fixed=one.fixed[index]) for one in self.runs))

    def values(self, formula: Formula) -> NDArray[np.float64]:
        """Apply a formula to the rows of all runs and their weights.

        Parameters
        ----------
        formula : callable
            ``formula(rows, weights)`` returns values of shape (..., v) for rows of shape (n, k)
            and weights of shape (..., n).

        Returns
        -------
        ndarray of float64, shape (..., v)
            With drawn weights, one for each of them in the last axis but one.
        """
        rows = np.concatenate(pad_rows([run.rows for run in self.runs]))
        if self.draw is None:
            return formula(rows, np.concatenate([run.fixed for run in self.runs], axis=-1))
        blocks = [
            formula(rows, np.concatenate([run.weights(drawn) for run in self.runs], axis=1))
            for drawn in self.draw()
        ]
        return np.concatenate(blocks, axis=-2)


class KeptRows:
    """The rows of a run that are not added up, unit by unit.

    Parameters
    ----------
    rows : ndarray of float64, shape (n_segments, k)
        The rows.
    unit : ndarray of int64, shape (n_segments,), optional
        Unit of each segment, from 0. Default: each segment is a unit.

    Examples
    --------
    >>> rows = KeptRows(np.array([[1.0], [2.0], [9.0]]))
    >>> totals = np.array([[1.0, 1, 1], [0, 2, 1]]) @ rows
    >>> totals.values(lambda rows, weights: weights @ rows)
    array([[12.],
           [13.]])
    """

    __array_ufunc__ = None  # leaves ``weights @ rows`` to this class

    def __init__(self, rows: NDArray[np.float64], unit: NDArray[np.int64] | None = None) -> None:
        self.rows = rows
        self.unit = np.arange(len(rows)) if unit is None else unit
        self._order = np.argsort(self.unit, kind="stable")
        self._ends = np.cumsum(np.bincount(self.unit))

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, chosen: slice | NDArray[np.int64]) -> KeptRows:
        """Return some units."""
        units = np.arange(len(self))[chosen]
        segments = [self._segments(unit, unit + 1) for unit in units]
        renumbered = np.repeat(np.arange(len(units)), list(map(len, segments)))
        return KeptRows(self.rows[np.concatenate(segments)], renumbered)

    def _segments(self, start: int, stop: int) -> NDArray[np.int64]:
        """List the segments of a range of units, unit by unit."""
        first = self._ends[start - 1] if start else 0
        return self._order[first : self._ends[stop - 1]]

    def sum(self) -> WeightedRows:
        """Let every row count once."""
        return WeightedRows((WeightedRun(self.rows, np.ones(len(self.rows)), self.unit),))

    def __rmatmul__(self, weights: Weights) -> WeightedRows:
        """Weight the units, shape (..., n_units)."""
        fixed = weights[..., self.unit].astype(np.float64, copy=False)
        return WeightedRows((WeightedRun(self.rows, fixed, self.unit),))

    def weighted(self, draw: Draw) -> WeightedRows:
        """Weight the units by weights that are drawn later, in chunks."""
        return WeightedRows(
            (WeightedRun(self.rows, np.zeros(len(self.rows)), self.unit, 1.0),), draw
        )

    def of_units(self) -> WeightedRows:
        """Return the sums of each unit."""

        def one_by_one() -> Iterator[NDArray[np.float64]]:
            for start in range(0, len(self), UNITS_AT_ONCE):
                yield np.eye(min(UNITS_AT_ONCE, len(self) - start), len(self), start)

        return self.weighted(one_by_one)

    def values(self, formula: Formula) -> NDArray[np.float64]:
        """Apply a formula to each unit; see `WeightedRows.values`."""
        return np.concatenate(list(self._blocks(formula)), axis=-2)

    def _blocks(self, formula: Formula) -> Iterator[NDArray[np.float64]]:
        for start in range(0, len(self), UNITS_AT_ONCE):
            stop = min(start + UNITS_AT_ONCE, len(self))
            segments = self._segments(start, stop)
            own = self.unit[segments] == np.arange(start, stop)[:, None]
            yield formula(self.rows[segments], own.astype(np.float64))

    def are_alike(self) -> bool:
        """Test whether all units have the same rows."""
        return all(self._sorted(0) == self._sorted(unit) for unit in range(1, len(self)))

    def _sorted(self, unit: int) -> list[list[float]]:
        rows: list[list[float]] = self.rows[self._segments(unit, unit + 1)].tolist()
        return sorted(rows)


Rows: TypeAlias = Any
"""An array, or `KeptRows`. Type checkers cannot see that the engines' operations fit both."""

Sums: TypeAlias = Any
"""An array, or `WeightedRows`. `KeptRows` are also sums: those of each unit."""


def by_unit(rows: Rows, unit: NDArray[np.int64]) -> Rows:
    """Add up the rows of each unit.

    Parameters
    ----------
    rows : ndarray of float64, shape (n_segments, k), or KeptRows
        The rows of the segments.
    unit : ndarray of int64, shape (n_segments,)
        Unit of each segment, from 0; no unit is empty.

    Returns
    -------
    ndarray of float64, shape (n_units, k), or KeptRows
    """
    if isinstance(rows, KeptRows):
        return KeptRows(rows.rows, unit)
    return exact_totals(rows[np.argsort(unit, kind="stable")], np.bincount(unit))


def total_of(rows: Rows) -> Sums:
    """Add up all rows, correctly rounded."""
    return rows.sum() if isinstance(rows, KeptRows) else exact_total(rows)


def are_alike(rows: Rows) -> bool:
    """Test whether all units are alike, so that every resample is the test set itself."""
    return rows.are_alike() if isinstance(rows, KeptRows) else bool((rows == rows[0]).all())


def weighted_totals(
    draw: Callable[[], Iterable[Weights | Swaps]], rows: Mapping[Key, Rows], threads: int = 1
) -> Iterator[dict[Key, Sums]]:
    """Add up many sets of rows under the same weights, chunk by chunk.

    Parameters
    ----------
    draw : callable
        Draws the weights: an iterable of ndarray of float64 or uint8, shape (chunk, n_units), or of
        `Swaps`.
    rows : mapping to ndarray of float64, shape (n_units, k), or KeptRows
        Rows by any key.
    threads : int
        Number of threads that draw and add up. It does not change the sums.

    Yields
    ------
    dict to ndarray of float64, shape (chunk, k), or WeightedRows
        ``weights @ rows`` by the same keys.
    """
    from threadpoolctl import threadpool_limits

    # For products this small, BLAS threads only wait for each other.
    with threadpool_limits(1, user_api="blas"):
        yield from in_order(totals_under(rows, threads), zip(draw()), threads)


def totals_under(
    rows: Mapping[Key, Rows], threads: int = 1
) -> Callable[[Weights | Swaps], dict[Key, Sums]]:
    """Prepare the sums of many sets of rows as a function of weights.

    Parameters
    ----------
    rows : mapping to ndarray of float64, shape (n_units, k), or KeptRows
        Rows by any key.
    threads : int
        Number of threads that prepare them.

    Returns
    -------
    callable
        From weights of shape (chunk, n_units) to ``weights @ rows`` by the same keys.
    """
    arrays = {key: each for key, each in rows.items() if not isinstance(each, KeptRows)}
    kept: dict[Key, Rows] = {key: each for key, each in rows.items() if key not in arrays}
    weighable = Weighable.of(arrays.values(), threads=threads) if arrays else None

    def totals(weights: Weights | Swaps) -> dict[Key, Sums]:
        sums = weighable.sums(weights) if weighable else []
        of_arrays = zip(arrays, (each.total() for each in sums), strict=True)
        if isinstance(weights, np.ndarray):
            return {**dict(of_arrays), **{key: weights @ each for key, each in kept.items()}}
        masks = weights.masks  # the same object for all: see `WeightedRows.draw`
        return {**dict(of_arrays), **{key: each.weighted(masks) for key, each in kept.items()}}

    return totals
