"""Outside scores: computed by another program, for metrics that mteval does not run."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.data.joining import refuse_unequal, rows_by_id
from mteval_core.errors import InputError
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core.text.text import TestSet


class OutsideScores(Frozen, eq=False, kw_only=True):
    """Scores of systems under a metric that was computed elsewhere.

    Parameters
    ----------
    name : str
        Name of the metric.
    values : mapping of str to ndarray of float64 or float
        Scores by system: a single number for the level ``system``, otherwise an array with one
        number per segment or document.
    level : {"segment", "doc", "system"}
        What was scored.
    better : {"higher", "lower"}
        Which direction is better.
    ids : tuple of str or None
        Ids of the segments or documents of the arrays. None: they are those of the test set, in
        its order.
    path : str
        The file that the scores were read from.
    sha256 : str
        SHA-256 of the file, in hexadecimal digits (default: that of the scores themselves).

    Raises
    ------
    InputError
        If a score is not a finite number, or an array does not have one score per id.
    """

    name: str
    values: Mapping[str, NDArray[np.float64] | float]
    level: Literal["segment", "doc", "system"] = "segment"
    better: Literal["higher", "lower"] = "higher"
    ids: tuple[str, ...] | None = None
    path: str = ""
    sha256: str = ""

    def __post_init__(self) -> None:
        for system, values in self.values.items():
            array = np.asarray(values, np.float64)
            where = f"{self.path or self.name}: {system}"
            if not np.isfinite(array).all():
                bad = int(np.flatnonzero(~np.isfinite(array.reshape(-1)))[0])
                segment = repr(self.ids[bad]) if self.ids else f"segment {bad}"
                place = f" of {segment}" if array.ndim else ""
                raise InputError(f"{where}: the score{place} is not a finite number")
            if self.ids is not None and array.shape != (len(self.ids),):
                raise InputError(
                    f"{where}: {array.size} scores for {len(self.ids)} ids; expected one each"
                )
        if not self.sha256:
            digest = sha256(repr((self.level, self.ids)).encode())
            for system, values in self.values.items():
                digest.update(f"{system}\n".encode() + np.asarray(values, "<f8").tobytes())
            object.__setattr__(self, "sha256", digest.hexdigest())

    @property
    def where(self) -> str:
        """The metric and its file, for messages."""
        return f"{self.path}: {self.name}" if self.path else self.name

    def rows(self, system: str, test_set: TestSet) -> NDArray[np.float64]:
        """Return the scores of a system on a test set as rows: a score, and the number of scores.

        Returns
        -------
        ndarray of float64, shape (n_segments, 2)

        Raises
        ------
        InputError
            If the system has no scores, or not one for each part of the test set.
        """
        if system not in self.values:
            known = ", ".join(self.values)
            raise InputError(f"{self.where}: no scores of the system {system!r}; it has {known}")
        values = np.atleast_1d(np.asarray(self.values[system], np.float64))
        places, names = places_of(self.level, test_set)
        if self.ids is not None and names is not None:
            rows = rows_by_id(self.ids, self.where)
            refuse_unequal(rows, names, self.where)
            values = values[[rows[name] for name in names]]
        if len(values) != len(places):
            raise InputError(
                f"{self.where}: {len(values)} scores of the system {system!r}; the test set has "
                f"{len(places)}; expected one per {self.level}"
            )
        table = np.zeros((len(test_set), 2))
        table[places] = np.stack([values, np.ones(len(values))], axis=1)
        return table


def places_of(level: str, test_set: TestSet) -> tuple[Sequence[int], tuple[str, ...] | None]:
    """Return the segments whose rows hold the scores, and the names of what is scored."""
    if level == "system":
        return [0], None
    if level == "segment":
        return range(len(test_set)), test_set.ids
    if test_set.documents is None:
        raise InputError("scores of documents need documents: add --docs or --data")
    return [own[0] for own in test_set.places.values()], tuple(test_set.places)
