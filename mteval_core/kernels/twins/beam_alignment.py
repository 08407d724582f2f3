"""Beam alignment: links between two texts that fall into few chunks, by beam search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from mteval_core.kernels._reference import _check_lengths, _segments, _vector
from mteval_core.kernels.twins.relations import bits, candidates, checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.kernels._reference import ReferenceTexts, Texts
    from mteval_core.kernels.twins.relations import Keys, Relation

    Phrases = tuple[NDArray[np.int64], NDArray[np.int32]]

__all__ = ["beam_alignment"]

MAX_WEIGHT = 65_535
"""Of a link: the sum of as many as a text has tokens fits 32 bits."""

Chain: TypeAlias = "tuple[int, int, int, Chain] | None"
"""Links of an alignment, the last one first: reference position, hypothesis position, relation."""


def beam_alignment(
    hypotheses: Texts,
    references: ReferenceTexts,
    relations: Sequence[Relation],
    weights: Sequence[int],
    beam: int,
    phrases: Phrases | None = None,
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
        What a link of each relation counts in the ranking, 0 to 65,535.
    beam : int
        How many partial alignments are extended at every position, at least 1.
    phrases : (ndarray of int64, ndarray of int32), optional
        Links between stretches of tokens that may be taken beside those of the relations:
        ``offsets`` of shape (n_references + 1,) and ``links`` of shape (n_links, 5), where those
        of reference text ``r`` are ``links[offsets[r]:offsets[r + 1]]``, each with its start and
        length in the reference, start and length in the hypothesis, and weight.

    Returns
    -------
    positions : ndarray of int32, shape (n_reference_tokens,)
        For every token of every reference text, text after text, the position in the hypothesis
        that it is linked to, or -1.
    kinds : ndarray of int32, shape (n_reference_tokens,)
        The number of the relation that links them, or -1. At the first token of a phrase that is
        linked stands its number in ``links``, counted on from the number of relations; at its
        other tokens -1.

    Raises
    ------
    ValueError
        For texts outside their ids or of more than 65,535 tokens, a segment without reference,
        uneven numbers of segments, an id without keys, no relation, a phrase outside its texts,
        or numbers out of range.

    See Also
    --------
    staged_alignment : one relation after the other, and no beam.

    Notes
    -----
    All relations propose links at once, then the phrases, and two tokens may be linked by several;
    where hypothesis and reference are the same, only the first relation does. A link is fixed if
    its tokens have no other. The rest is chosen by a search through the reference from left to
    right: an alignment either takes one of the free links of the position, or leaves it open.
    Before every position, and twice at the end, the alignments are ranked by the weight of their
    links, then by fewer chunks (links that are neighbours and in the same order in both texts),
    then by the smaller distance, and the first `beam` are kept. A chunk counts as soon as it ends.
    The sort is stable; an alignment queues its free links (relation after relation, each from left
    to right, then phrases in the order given), then the copy that leaves the position open. The
    distance of a fixed link is ``|i - j|``; that of a free one counts for the copies queued after
    it, not for the one that takes it.

    O(r * beam * l * log(beam * l)) for a reference of r tokens with l links each, at most.
    """
    if beam < 1:
        message = f"beam is {beam}; expected at least 1"
        raise ValueError(message)
    if len(weights) != len(relations) or not all(0 <= w <= MAX_WEIGHT for w in weights):
        message = (
            f"weights are {list(weights)}; expected {len(relations)} numbers from 0 to {MAX_WEIGHT}"
        )
        raise ValueError(message)
    segments = _segments(hypotheses, references)
    keys_of = checked(relations, hypotheses, references)
    _check_lengths(hypotheses, references)
    phrases_of = _phrases(phrases, hypotheses, references, len(relations))
    positions: list[int] = []
    kinds: list[int] = []
    first = references.index[:-1].tolist()
    for start, (hypothesis, texts) in zip(first, segments, strict=True):
        for r, reference in enumerate(texts, start):
            same = hypothesis == reference
            links = _propose(hypothesis, reference, keys_of[:1] if same else keys_of, weights)
            for j, link in [] if same else phrases_of[r]:
                links[j].append(link)
            chosen = dict.fromkeys(range(len(reference)), (-1, -1))
            chain = _search(links, beam)
            while chain is not None:
                j, i, kind, chain = chain
                chosen[j] = (i, kind)
            positions += [i for i, _ in chosen.values()]
            kinds += [kind for _, kind in chosen.values()]
    return np.array(positions, np.int32), np.array(kinds, np.int32)


class _Link(NamedTuple):
    """A link that may be taken at a reference position."""

    position: int
    kind: int
    weight: int
    length: int = 1
    hypothesis_length: int = 1

    def mask(self) -> int:
        """Positions of the hypothesis that it covers."""
        return (1 << self.hypothesis_length) - 1 << self.position


def _phrases(
    phrases: Phrases | None, hypotheses: Texts, references: ReferenceTexts, n_relations: int
) -> list[list[tuple[int, _Link]]]:
    """Check phrases, then give those of every reference text with their reference position."""
    n_texts = len(references.starts)
    found: list[list[tuple[int, _Link]]] = [[] for _ in range(n_texts)]
    if phrases is None:
        return found
    offsets, table = _vector("phrases", phrases[0], np.int64), np.asarray(phrases[1])
    if table.ndim != 2 or table.shape[1] != 5 or not np.can_cast(table.dtype, np.int32, "safe"):
        message = "phrases: expected an int32 array of five columns"
        raise ValueError(message)
    ascend = len(offsets) == n_texts + 1 and not (np.diff(offsets) < 0).any()
    if not ascend or offsets[0] != 0 or offsets[-1] != len(table):
        message = (
            f"phrases: the offsets do not divide {len(table)} phrases among {n_texts} references"
        )
        raise ValueError(message)
    rows = table.tolist()
    lengths = (references.ends - references.starts).tolist()
    hypothesis_lengths = (hypotheses.ends - hypotheses.starts).tolist()
    for i, hypothesis_length in enumerate(hypothesis_lengths):
        for r in range(references.index[i], references.index[i + 1]):
            for k in range(offsets[r], offsets[r + 1]):
                j, n, start, m, weight = rows[k]
                lies_in = (
                    0 <= j < j + n <= lengths[r] and 0 <= start < start + m <= hypothesis_length
                )
                if not (lies_in and 0 <= weight <= MAX_WEIGHT):
                    message = (
                        f"phrases: number {k} lies outside its texts or has a weight outside "
                        f"0:{MAX_WEIGHT}"
                    )
                    raise ValueError(message)
                found[r].append((j, _Link(start, n_relations + k, weight, n, m)))
    return found


def _propose(
    hypothesis: Sequence[int],
    reference: Sequence[int],
    keys_of: Sequence[Keys],
    weights: Sequence[int],
) -> list[list[_Link]]:
    """All links of the relations at every reference position."""
    links: list[list[_Link]] = [[] for _ in reference]
    for kind, keys in enumerate(keys_of):
        for j, mask in enumerate(candidates(reference, hypothesis, keys, equal=False)):
            links[j] += [_Link(i, kind, weights[kind]) for i in bits(mask)]
    return links


@dataclass(slots=True)
class _Alignment:
    """A partial alignment, with what it is ranked by."""

    weight: int = 0
    chunks: int = 0
    distance: int = 0
    next: int = 0  # the reference position behind the last link
    end: int = -1  # the position behind the last link, if that ended just before
    used: int = 0
    chain: Chain = None

    def rank(self) -> tuple[int, int, int]:
        return -self.weight, self.chunks, self.distance

    def take(self, j: int, link: _Link) -> None:
        self.weight += link.weight
        self.chunks += self.end not in (-1, link.position)
        self.next = j + link.length
        self.end = link.position + link.hypothesis_length
        self.used |= link.mask()
        self.chain = (j, link.position, link.kind, self.chain)

    def close(self) -> None:
        self.chunks += self.end != -1
        self.end = -1


def _fixed(links: Sequence[Sequence[_Link]]) -> Iterator[bool]:
    """Whether the only link at a reference position has its tokens to itself."""
    n_links: dict[int, int] = {}
    n_hypothesis_links: dict[int, int] = {}
    for j, options in enumerate(links):
        for link in options:
            for k in range(j, j + link.length):
                n_links[k] = n_links.get(k, 0) + 1
            for i in bits(link.mask()):
                n_hypothesis_links[i] = n_hypothesis_links.get(i, 0) + 1
    for j, options in enumerate(links):
        yield len(options) == 1 and all(
            [n_links[k] == 1 for k in range(j, j + options[0].length)]
            + [n_hypothesis_links[i] == 1 for i in bits(options[0].mask())]
        )


def _search(links: Sequence[Sequence[_Link]], beam: int) -> Chain:
    """Best alignment at the end of the reference."""
    fixed = list(_fixed(links))
    alignments = [_Alignment()]
    for j, options in enumerate(links):
        alignments.sort(key=_Alignment.rank)
        queue: list[_Alignment] = []
        for alignment in alignments[:beam]:
            if fixed[j]:
                alignment.take(j, options[0])
                alignment.distance += abs(options[0].position - j)
            elif alignment.next <= j:
                for link in options:
                    if not alignment.used & link.mask():
                        taking = replace(alignment)
                        taking.take(j, link)
                        queue.append(taking)
                        alignment.distance += abs(link.position - j)
                alignment.close()
            queue.append(alignment)
        alignments = queue
    alignments.sort(key=_Alignment.rank)
    del alignments[beam:]
    for alignment in alignments:
        alignment.close()
    return min(alignments, key=_Alignment.rank).chain
