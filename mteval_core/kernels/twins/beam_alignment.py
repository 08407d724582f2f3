"""Beam alignment: one-to-one links between two texts that fall into few chunks, by beam search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from mteval_core.kernels._reference import _segments
from mteval_core.kernels.twins.relations import bits, candidates, checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core.kernels._reference import ReferenceTexts, Texts
    from mteval_core.kernels.twins.relations import Keys, Relation

__all__ = ["beam_alignment"]

Chain: TypeAlias = "tuple[int, int, int, Chain] | None"
"""Links of an alignment, the last one first: reference position, hypothesis position, relation."""


def beam_alignment(
    hypotheses: Texts,
    references: ReferenceTexts,
    relations: Sequence[Relation],
    weights: Sequence[int],
    beam: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Link the tokens of a hypothesis and of each of its references one to one, by beam search.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    relations : sequence of None or (ndarray of int64, ndarray of int32)
        Which tokens may be linked, at least one relation: None, tokens with the same id; or
        ``offsets`` of shape (n_types + 1,) and ``keys``, tokens with different ids that have a key
        in common, where those of ``id`` are ``keys[offsets[id]:offsets[id + 1]]``.
    weights : sequence of int
        What a link of each relation counts in the ranking, at least 0.
    beam : int
        How many partial alignments are extended at every position, at least 1.

    Returns
    -------
    positions : ndarray of int32, shape (n_reference_tokens,)
        For every token of every reference text, text after text, the position in the hypothesis
        that it is linked to, or -1.
    kinds : ndarray of int32, shape (n_reference_tokens,)
        The number of the relation that links them, or -1.

    Raises
    ------
    ValueError
        For texts outside their ids, a segment without reference, uneven numbers of segments, an
        id without keys, no relation, or numbers out of range.

    See Also
    --------
    staged_alignment : one relation after the other, and no beam.

    Notes
    -----
    All relations propose links at once, and two tokens may be linked by several; where hypothesis
    and reference are the same, only the first relation does. A link is fixed if its tokens have no
    other. The rest is chosen by a search through the reference from left to right: an alignment
    either takes one of the free links of the position, or leaves it open. Before every position,
    and twice at the end, the alignments are ranked by the weight of their links, then by fewer
    chunks (links that are neighbours and in the same order in both texts), then by the smaller
    distance, and the first `beam` are kept. A chunk counts as soon as it ends. The sort is stable;
    an alignment queues its free links (relation after relation, each from left to right), then the
    copy that leaves the position open. The distance of a fixed link is ``|i - j|``; that of a free
    one counts for the copies queued after it, not for the one that takes it.

    O(r * beam * l * log(beam * l)) for a reference of r tokens with l links each, at most.
    """
    if beam < 1:
        message = f"beam is {beam}; expected at least 1"
        raise ValueError(message)
    if len(weights) != len(relations) or min(weights, default=0) < 0:
        message = f"weights are {list(weights)}; expected {len(relations)} numbers of at least 0"
        raise ValueError(message)
    segments = _segments(hypotheses, references)
    keys_of = checked(relations, hypotheses, references)
    positions: list[int] = []
    kinds: list[int] = []
    for hypothesis, texts in segments:
        for reference in texts:
            proposing = keys_of[:1] if hypothesis == reference else keys_of
            links = _propose(hypothesis, reference, proposing)
            chosen = dict.fromkeys(range(len(reference)), (-1, -1))
            chain = _search(links, list(weights), beam)
            while chain is not None:
                j, i, kind, chain = chain
                chosen[j] = (i, kind)
            positions += [i for i, _ in chosen.values()]
            kinds += [kind for _, kind in chosen.values()]
    return np.array(positions, np.int32), np.array(kinds, np.int32)


def _propose(
    hypothesis: Sequence[int],
    reference: Sequence[int],
    keys_of: Sequence[Keys],
) -> list[list[tuple[int, int]]]:
    """All links of every reference position: hypothesis position and relation."""
    links: list[list[tuple[int, int]]] = [[] for _ in reference]
    for kind, keys in enumerate(keys_of):
        for j, mask in enumerate(candidates(reference, hypothesis, keys, equal=False)):
            links[j] += [(i, kind) for i in bits(mask)]
    return links


@dataclass(slots=True)
class _Alignment:
    """A partial alignment, with what it is ranked by."""

    weight: int = 0
    chunks: int = 0
    distance: int = 0
    end: int = -1  # the position behind the last link, if that was at the last position
    used: int = 0
    chain: Chain = None

    def rank(self) -> tuple[int, int, int]:
        return -self.weight, self.chunks, self.distance

    def take(self, j: int, i: int, kind: int, weight: int) -> None:
        self.weight += weight
        self.chunks += self.end not in (-1, i)
        self.end = i + 1
        self.used |= 1 << i
        self.chain = (j, i, kind, self.chain)

    def close(self) -> None:
        self.chunks += self.end != -1
        self.end = -1

    def copy(self) -> _Alignment:
        return _Alignment(self.weight, self.chunks, self.distance, self.end, self.used, self.chain)


def _search(links: Sequence[Sequence[tuple[int, int]]], weights: list[int], beam: int) -> Chain:
    """Best alignment at the end of the reference."""
    n_links: dict[int, int] = {}
    for options in links:
        for i, _ in options:
            n_links[i] = n_links.get(i, 0) + 1
    fixed = [len(options) == 1 and n_links[options[0][0]] == 1 for options in links]
    alignments = [_Alignment()]
    for j, options in enumerate(links):
        alignments.sort(key=_Alignment.rank)
        queue: list[_Alignment] = []
        for alignment in alignments[:beam]:
            if fixed[j]:
                ((i, kind),) = options
                alignment.take(j, i, kind, weights[kind])
                alignment.distance += abs(i - j)
            else:
                for i, kind in options:
                    if not alignment.used >> i & 1:
                        taking = alignment.copy()
                        taking.take(j, i, kind, weights[kind])
                        queue.append(taking)
                        alignment.distance += abs(i - j)
                alignment.close()
            queue.append(alignment)
        alignments = queue
    alignments.sort(key=_Alignment.rank)
    del alignments[beam:]
    for alignment in alignments:
        alignment.close()
    return min(alignments, key=_Alignment.rank).chain
