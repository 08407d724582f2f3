"""Outside scores: computed by another program, for metrics that mteval does not run."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.errors import InputError
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
        self._check_values()
        if not self.sha256:
            digest = sha256(repr((self.level, self.ids)).encode())
            for system, values in self.values.items():
                digest.update(f"{system}\n".encode() + np.asarray(values, "<f8").tobytes())
            object.__setattr__(self, "sha256", digest.hexdigest())

    def _check_values(self) -> None:
        """Raise an `InputError` for a score that is not a number, or not one per id."""
        for system, values in self.values.items():
            array = np.asarray(values, np.float64)
            where = f"{self.path or self.name}: {system}"
            if not np.isfinite(array).all():
                bad = int(np.flatnonzero(~np.isfinite(array.reshape(-1)))[0])
                place = f" of segment {bad}" if array.ndim else ""
                place = f" of {self.ids[bad]!r}" if self.ids and array.ndim else place
                message = f"{where}: the score{place} is not a finite number"
                raise InputError(message)
            if self.ids is not None and array.shape != (len(self.ids),):
                message = f"{where}: {array.size} scores for {len(self.ids)} ids; expected one each"
                raise InputError(message)
