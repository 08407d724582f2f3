"""The pair index: ids of pairs of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PairIndex"]


class PairIndex:
    """The ids of pairs of int32 numbers: 0, 1, 2, ... in order of first occurrence.

    It numbers n-grams: an n-gram is the pair of the id of its first n - 1 tokens and the id of its
    last token. A pair with a negative number has no id. Looking up or adding a pair takes constant
    time. Fill an index from one thread at a time.
    """

    def __init__(self) -> None:
        self._ids: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.int32]:
        """Look up the ids of pairs, and add the pairs that are new.

        Parameters
        ----------
        left, right : ndarray of int32, shape (n,)
            The pairs.

        Returns
        -------
        ndarray of int32, shape (n,)
            The ids; -1 for a pair with a negative number, which is not added.
        """
        ids = self._ids
        keys = _keys(left, right)
        numbers = [ids.setdefault(key, len(ids)) if key >= 0 else -1 for key in keys]
        return np.array(numbers, dtype=np.int32)

    def find(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.int32]:
        """Look up the ids of pairs without adding them.

        Parameters
        ----------
        left, right : ndarray of int32, shape (n,)
            The pairs.

        Returns
        -------
        ndarray of int32, shape (n,)
            The ids; -1 for a pair that is not in the index.
        """
        get = self._ids.get
        return np.array([get(key, -1) for key in _keys(left, right)], dtype=np.int32)


def _keys(left: NDArray[np.int32], right: NDArray[np.int32]) -> list[int]:
    """One number per pair, negative if a number of the pair is."""
    left = vector("left", left, np.int32)
    right = vector("right", right, np.int32)
    if len(left) != len(right):
        raise ValueError(
            f"left has {len(left)} numbers, right has {len(right)}; expected equal lengths"
        )
    keys = left.astype(np.int64) << 32 | right
    keys[right < 0] = -1
    numbers: list[int] = keys.tolist()
    return numbers
