"""Partial results: sums and samples of one part of a test set, which merge exactly."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

import numpy as np

from mteval_core.errors import InputError
from mteval_core.metrics.exact import ExactSum, WeightedSum
from mteval_core.metrics.rows import pad_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from mteval_core.evaluation.sources import Part
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.text.digest import TextDigest

    Key = tuple[str, str]


class Counted(NamedTuple):
    """What some segments of one run add under one metric.

    Parameters
    ----------
    total : ExactSum
        Sum of the rows.
    row : ndarray of float64, shape (k,), or None
        The row that all these segments have; None if they differ, or nothing is resampled.
    resampled : WeightedSum or None
        Sums of the resamples, shape (n_resamples, k).
    """

    total: ExactSum
    row: NDArray[np.float64] | None = None
    resampled: WeightedSum | None = None

    def plus(self, other: Counted) -> Counted:
        """Add other segments."""
        self.total.merge(other.total)
        same = self.row is not None and other.row is not None and (self.row == other.row).all()
        resampled = self.resampled
        if resampled is not None and other.resampled is not None:
            resampled = resampled.plus(other.resampled)
        return Counted(self.total, self.row if same else None, resampled)


class Document(NamedTuple):
    """A document, or a part of it.

    Parameters
    ----------
    first : int
        Smallest id of its segments.
    n_segments : int
        Number of segments.
    totals : dict of (str, str) to ExactSum
        Sum of the rows by run and metric.
    """

    first: int
    n_segments: int
    totals: dict[Key, ExactSum]

    def plus(self, other: Document) -> Document:
        """Add another part of the document."""
        for key, total in other.totals.items():
            self.totals[key].merge(total)
        first, n_segments = min(self.first, other.first), self.n_segments + other.n_segments
        return Document(first, n_segments, self.totals)


@dataclass(eq=False)
class Partial:
    """What some segments add to an evaluation.

    Parameters
    ----------
    n_segments : int
        Number of segments.
    last : int
        Largest id of a segment.
    id_sum : int
        Sum of the ids.
    least, most : int
        Smallest and largest number of references of a segment.
    digests : dict of (str, str) to TextDigest
        Digest of each text by role (``hyp``, ``ref``, ``src`` or ``doc``) and name.
    counted : dict of (str, str) to Counted
        Sums by run and metric.
    documents : dict of str to Document
        Sums of each document, if they are kept.
    ids : list of ndarray of int64
        Ids of the segments in pieces, if rows are kept.
    rows : dict of (str, str) to list of ndarray of float64 or of SpooledRows
        Rows of the same pieces by run and metric, if they are kept, in memory or in a file.
    whole : Part or None
        The part, if it is the whole test set: it is kept, and needs neither ids nor digests.
    scorers : dict of (str, str) to Scorer
        The metrics by run and spec, bound to the references of the whole.
    """

    n_segments: int = 0
    last: int = -1
    id_sum: int = 0
    least: int = 0
    most: int = 0
    digests: dict[Key, TextDigest] = field(default_factory=dict)
    counted: dict[Key, Counted] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    ids: list[NDArray[np.int64]] = field(default_factory=list)
    rows: dict[Key, list[Any]] = field(default_factory=dict)
    whole: Part | None = None
    scorers: dict[Key, Scorer] = field(default_factory=dict)

    @property
    def all_ids(self) -> NDArray[np.int64]:
        """Ids of all segments in one array, empty if no rows are kept."""
        return np.concatenate([np.empty(0, np.int64), *self.ids])

    def all_rows(self, key: Key) -> NDArray[np.float64]:
        """Return the rows of all segments for a run and a metric, in the order of `all_ids`."""
        pieces = self.rows[key]
        if len(pieces) > 1:  # which are not needed any more
            pieces[:] = [np.concatenate(pad_rows([*map(np.asarray, pieces)]))]
        return np.asarray(pieces[0])

    def merge(self, other: Partial) -> None:
        """Add other segments.

        Raises
        ------
        InputError
            If only some of the segments have document ids.
        """
        if self.n_segments and other.n_segments and self.digests.keys() != other.digests.keys():
            raise InputError("some parts have document ids, others do not; expected all or none")
        if not self.n_segments:
            vars(self).update(vars(other))
            self.ids = [*other.ids]
            self.rows = {key: [*pieces] for key, pieces in other.rows.items()}
        elif other.n_segments:
            self.n_segments += other.n_segments
            self.last, self.id_sum = max(self.last, other.last), self.id_sum + other.id_sum
            self.least, self.most = min(self.least, other.least), max(self.most, other.most)
            self.digests = {key: own + other.digests[key] for key, own in self.digests.items()}
            self.counted = {key: own.plus(other.counted[key]) for key, own in self.counted.items()}
            for name, document in other.documents.items():
                known = self.documents.get(name)
                self.documents[name] = known.plus(document) if known else document
            self.ids += other.ids
            for key, own in self.rows.items():
                own += other.rows[key]


class Spool:
    """A temporary file of rows, which is gone when nothing refers to them or the process ends."""

    def __init__(self) -> None:
        from tempfile import TemporaryFile

        self.file: Any = TemporaryFile(buffering=0)  # noqa: SIM115 - the next line closes it
        finalize(self, self.file.close)

    def put(self, rows: NDArray[np.float64]) -> SpooledRows:
        """Write rows at the end of the file.

        Raises
        ------
        InputError
            If they do not fit on the disk.
        """
        place, written = self.file.tell(), 0
        with suppress(OSError):
            written = self.file.write(rows.tobytes())
        if written < rows.nbytes:
            raise InputError(
                "no room for the rows of segments: free some, or name another folder in TMPDIR"
            )
        return SpooledRows(self, place, rows.shape)


class SpooledRows:
    """Rows in a temporary file. `numpy.asarray` reads them."""

    def __init__(self, spool: Spool, place: int, shape: tuple[int, ...]) -> None:
        self.spool: Spool = spool
        self.place: int = place
        self.shape: tuple[int, ...] = shape

    def __array__(self, *_: object, **__: object) -> NDArray[np.float64]:
        return np.memmap(self.spool.file, float, "c", offset=self.place, shape=self.shape)

    def __reduce__(self) -> tuple[object, ...]:
        return np.array, (np.array(self),)


def spooled(partials: Iterable[Partial]) -> Iterator[Partial]:
    """Move rows that are added up to a temporary file, one partial result after another."""
    spool = Spool()
    for each in partials:
        each.rows |= {key: [*map(spool.put, each.rows[key])] for key in each.counted}
        yield each


def merge_partials(partials: Iterable[Partial]) -> Partial:
    """Merge partial results."""
    whole = Partial()
    for each in partials:
        whole.merge(each)
    return whole
