"""Human scores of all systems of a study, as rows of sufficient statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core import InputError, UsageError
from mteval_metaeval.correlation import DECIMALS
from mteval_metaeval.missing import quotient
from mteval_metaeval.raters import mean_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Judgments, TestSet

__all__ = ["Criterion", "Unit", "Units", "criteria_of", "units_of"]

Unit = Literal["segment", "doc", "domain"]


@dataclass(frozen=True, eq=False)
class Criterion:
    """Human scores of all systems.

    Parameters
    ----------
    name : str
        What was scored.
    rows : ndarray of float64, shape (n_systems, n_units, 2)
        Sum and number of scores.
    """

    name: str
    rows: NDArray[np.float64]

    def scores(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute means, shape (..., 2) to (...); NaN where nothing was judged."""
        return np.round(quotient(totals[..., 0], totals[..., 1]), DECIMALS)


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a study.

    Parameters
    ----------
    kind : {"segment", "doc", "domain"}
        What a unit is.
    names : tuple of int or tuple of str
        Numbers of the segments, document ids, or names of domains.
    unit_of_segment : ndarray of int64, shape (n_segments,)
        Index of the unit of each segment.
    """

    kind: Unit
    names: tuple[int, ...] | tuple[str, ...]
    unit_of_segment: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.names)


def units_of(test_set: TestSet, kind: Unit) -> Units:
    """List the segments, documents or domains of a test set.

    Raises
    ------
    UsageError
        If documents or domains are requested and not known.
    """
    if kind == "segment":
        n = len(test_set)
        return Units(kind, tuple(range(n)), np.arange(n))
    of_segments = test_set.documents if kind == "doc" else test_set.domains
    if of_segments is None:
        message = "documents are not known: give the document id of each segment (--docs FILE)"
        if kind == "domain":
            message = "domains are not known: give the domain of each segment (--domains FILE)"
        raise UsageError(message)
    ids = {name: i for i, name in enumerate(dict.fromkeys(of_segments))}
    return Units(kind, tuple(ids), np.array([ids[name] for name in of_segments]))


def criteria_of(
    judgments: Judgments, systems: list[str], units: Units, minimum: int
) -> tuple[Criterion, ...]:
    """Arrange judgments as rows of the units.

    Raises
    ------
    UsageError
        If documents were judged and the units are segments.
    InputError
        If the judgments belong to another test set, or a criterion has no scores.
    """
    n_segments = len(units.unit_of_segment)
    items: tuple[int, ...] | tuple[str, ...] | None = None
    if judgments.level == "segment":
        items = tuple(range(n_segments))
        _check_segments(judgments, n_segments)
    elif judgments.level == "doc":
        items = units.names
        _check_documents(judgments, units)
    means = mean_scores(judgments, systems, items, minimum)
    _check_scores(judgments, means, systems, minimum)
    if judgments.level == "system":
        means = np.broadcast_to(means, (*means.shape[:2], len(units)))
    rows = np.stack([np.nan_to_num(means), (~np.isnan(means)).astype(np.float64)], axis=-1)
    if judgments.level == "segment" and units.kind != "segment":
        sums = np.zeros((*rows.shape[:2], len(units), 2))
        np.add.at(np.moveaxis(sums, 2, 0), units.unit_of_segment, np.moveaxis(rows, 2, 0))
        rows = sums
    return tuple(Criterion(*named) for named in zip(judgments.criteria, rows, strict=True))


def _check_segments(judgments: Judgments, n_segments: int) -> None:
    last = max((item for item in judgments.items if isinstance(item, int)), default=-1)
    if last >= n_segments:
        raise InputError(
            f"segment {last} was judged, but the test set ends with segment {n_segments - 1}: the "
            f"judgments belong to another test set, or count from 1"
        )


def _check_documents(judgments: Judgments, units: Units) -> None:
    if units.kind != "doc":
        raise UsageError(
            f"documents were judged, not {units.kind}s; expected the unit doc (--level doc)"
        )
    unknown = sorted({str(item) for item in judgments.items} - {str(name) for name in units.names})
    if unknown:
        known = ", ".join(map(str, units.names[:5])) + (", ..." if len(units) > 5 else "")
        raise InputError(
            f"document {unknown[0]!r} was judged but is not in the test set, whose documents are "
            f"{known}"
        )


def _check_scores(
    judgments: Judgments, means: NDArray[np.float64], systems: list[str], minimum: int
) -> None:
    for name, scores in zip(judgments.criteria, means, strict=True):
        if np.isnan(scores).all():
            by = f" by {minimum} raters or more" if minimum > 1 else ""
            raise InputError(f"{name}: no output of {', '.join(systems)} was judged{by}")
