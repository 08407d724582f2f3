"""Relations between tokens: which of them an alignment may link."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from mteval_core.kernels._reference import _vector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.kernels._reference import ReferenceTexts, Texts

Relation: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.int32]] | None"
"""None, tokens with the same id; or offsets and keys, tokens that have a key in common.

The keys of the token ``id`` are ``keys[offsets[id]:offsets[id + 1]]``.
"""

Keys: TypeAlias = "list[list[int]] | None"
"""A relation as lists: the keys of every id."""


def checked(
    relations: Sequence[Relation], hypotheses: Texts, references: ReferenceTexts
) -> list[Keys]:
    """Check relations against the texts, then return them as lists.

    Raises
    ------
    ValueError
        If there is no relation, if offsets are no offsets, or if an id has none.
    """
    if not relations:
        message = "relations is empty; expected at least one"
        raise ValueError(message)
    highest = max(int(np.max(texts.ids, initial=-1)) for texts in (hypotheses, references))
    result: list[Keys] = []
    for kind, relation in enumerate(relations):
        if relation is None:
            result.append(None)
            continue
        offsets = _vector("offsets", relation[0], np.int64)
        keys = _vector("keys", relation[1], np.int32)
        bounds = offsets.tolist()
        if (
            not bounds
            or bounds[0] < 0
            or bounds[-1] > len(keys)
            or any(a > b for a, b in pairwise(bounds))
        ):
            message = (
                f"relation {kind}: the offsets are no ascending positions within 0:{len(keys)}"
            )
            raise ValueError(message)
        if highest >= len(bounds) - 1:
            message = (
                f"relation {kind} has keys for {len(bounds) - 1} ids; the texts have the id "
                f"{highest}"
            )
            raise ValueError(message)
        values = keys.tolist()
        result.append([values[a:b] for a, b in pairwise(bounds)])
    return result


def candidates(
    rows: Sequence[int], columns: Sequence[int], keys: Keys, *, equal: bool
) -> list[int]:
    """Mask of the columns that every row is related to.

    A relation with keys holds between equal tokens too only if `equal` says so.
    """
    same = _holders([[token] for token in columns])
    identical = [same.get(token, 0) if token >= 0 else 0 for token in rows]
    if keys is None:
        return identical
    holders = _holders([keys[token] if token >= 0 else [] for token in columns])
    masks = []
    for token, excluded in zip(rows, identical, strict=True):
        mask = 0
        for key in keys[token] if token >= 0 else []:
            mask |= holders.get(key, 0)
        masks.append(mask if equal else mask & ~excluded)
    return masks


def _holders(columns: Sequence[Sequence[int]]) -> dict[int, int]:
    """Mask of the columns that hold each key."""
    masks: dict[int, int] = {}
    for column, keys in enumerate(columns):
        for key in keys:
            masks[key] = masks.get(key, 0) | 1 << column
    return masks


def bits(mask: int) -> Iterator[int]:
    """Positions of a mask, from the lowest."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
