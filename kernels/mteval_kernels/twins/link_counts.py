"""Counts of what an alignment links: tokens by relation, and chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mteval_kernels.twins.arguments import pairs, sequence, vector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import ReferenceTexts, Texts

Flags: TypeAlias = "Sequence[NDArray[np.bool_] | None]"
"""Sets of ids, as a flag for each; None is the set of all tokens."""


def with_counts(
    links: tuple[NDArray[np.int32], NDArray[np.int32]],
    hypotheses: Texts,
    references: ReferenceTexts,
    *,
    n_relations: int,
    counted: Flags | None,
    sizes: Sequence[tuple[int, int]] | None = None,
) -> tuple[Any, ...]:
    """Append counts to links, if sets of tokens to count are given.

    Parameters
    ----------
    links : (ndarray of int32, ndarray of int32)
        Positions and kinds.
    hypotheses, references
        The texts.
    n_relations : int
        Number of relations.
    counted : sequence of ndarray of bool or None, optional
        Sets of ids.
    sizes : sequence of (int, int), optional
        Tokens of hypothesis and reference in each phrase, if the alignment has phrases.
    """
    if counted is None:
        return links
    positions, kinds = (side.tolist() for side in links)
    n_kinds = n_relations + (sizes is not None)
    every = [1, 1], *[[1, 1]] * (n_relations - 1), *(sizes or [])
    highest = max(int(np.max(texts.ids, initial=-1)) for texts in (hypotheses, references))
    tables = []
    for flags in sequence("counted", counted):
        known = None if flags is None else vector("counted", flags, np.bool_).tolist()
        if known is not None and highest >= len(known):
            raise ValueError(
                f"counted has flags for {len(known)} ids, but a text contains the id {highest}"
            )
        rows = []
        first = 0
        for hypothesis, reference in pairs(hypotheses, references):
            weights = [
                [1 if known is None else int(token >= 0 and known[token]) for token in text]
                for text in (hypothesis, reference)
            ]
            row = [sum(weights[0]), sum(weights[1]), *[0] * (1 + 2 * n_kinds)]
            end = (-1, -1)
            for j in range(len(reference)):
                i, kind = positions[first + j], kinds[first + j]
                if i < 0:
                    continue
                n, m = every[kind]
                row[2] += (i, j) != end
                end = (i + n, j + m)
                column = 3 + min(kind, n_relations)
                row[column] += sum(weights[0][i : i + n])
                row[column + n_kinds] += sum(weights[1][j : j + m])
            rows.append(row)
            first += len(reference)
        tables.append(np.array(rows, np.float64).reshape(-1, 3 + 2 * n_kinds))
    return (*links, tables)
