"""Relations between tokens: which pairs an alignment may link."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from mteval_kernels.twins.arguments import pair, sequence, vector
from mteval_kernels.twins.masks import matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import Texts

Relation: TypeAlias = "NDArray[np.int32] | tuple[NDArray[np.int64], NDArray[np.int32]] | None"
"""None relates tokens with the same id; keys relate tokens that share a key.

A vector has one key for each id; a negative one is none. With offsets before them, the keys of the
token ``id`` are ``keys[offsets[id]:offsets[id + 1]]``.
"""

Keys: TypeAlias = "list[list[int]] | None"
"""A relation as lists: the keys of every id."""


def checked(relations: Sequence[Relation], hypotheses: Texts, references: Texts) -> list[Keys]:
    """Check relations against the texts, then return them as lists.

    Raises
    ------
    ValueError
        If there is no relation, if offsets do not ascend within the keys, or if an id has none.
    """
    if not sequence("relations", relations):
        raise ValueError("relations is empty; expected at least one")
    highest = max(int(np.max(texts.ids, initial=-1)) for texts in (hypotheses, references))
    return [_keys(number, relation, highest) for number, relation in enumerate(relations)]


def _keys(number: int, relation: Relation, highest: int) -> Keys:
    if relation is None:
        return None
    if isinstance(relation, (list, tuple)):
        offsets_of, keys_of = pair("relations", relation)
        bounds = vector("offsets", offsets_of, np.int64).tolist()
        keys = vector("keys", keys_of, np.int32).tolist()
        ascend = all(a <= b for a, b in pairwise(bounds))
        if not bounds or bounds[0] < 0 or bounds[-1] > len(keys) or not ascend:
            raise ValueError(
                f"relation {number}: expected offsets that ascend within 0:{len(keys)}"
            )
        of_ids = [keys[a:b] for a, b in pairwise(bounds)]
    else:
        of_ids = [[k] if k >= 0 else [] for k in vector("keys", relation, np.int32).tolist()]
    if highest >= len(of_ids):
        raise ValueError(
            f"relation {number} has keys for {len(of_ids)} ids, "
            f"but a text contains the id {highest}"
        )
    return of_ids


def candidates(
    rows: Sequence[int], columns: Sequence[int], keys: Keys, *, equal: bool
) -> list[int]:
    """For every row, the mask of the columns that it is related to.

    Parameters
    ----------
    rows, columns : sequence of int
        Token ids.
    keys : list of list of int, or None
        The relation.
    equal : bool
        Whether a relation with keys relates equal tokens too.
    """
    identical = matches(rows, columns)
    if keys is None:
        return identical
    holders: dict[int, int] = {}
    for column, token in enumerate(columns):
        for key in keys[token] if token >= 0 else []:
            holders[key] = holders.get(key, 0) | 1 << column
    masks = []
    for token, excluded in zip(rows, identical, strict=True):
        mask = 0
        for key in keys[token] if token >= 0 else []:
            mask |= holders.get(key, 0)
        masks.append(mask if equal else mask & ~excluded)
    return masks
