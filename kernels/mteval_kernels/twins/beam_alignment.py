"""Beam alignment: one-to-one links between two texts in few chunks, by beam search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from mteval_kernels.twins.arguments import (
    MAX_LENGTH,
    TABLE,
    array,
    check_count,
    check_lengths,
    for_each_pair,
    pair,
    segments,
    sequence,
    vector,
    whole_number,
)
from mteval_kernels.twins.link_counts import with_counts
from mteval_kernels.twins.masks import positions
from mteval_kernels.twins.relations import candidates, checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_kernels.twins.link_counts import Flags
    from mteval_kernels.twins.relations import Relation
    from mteval_kernels.twins.texts import ReferenceTexts, Texts

    Phrases = tuple[NDArray[np.int64], NDArray[np.int32]]

__all__ = ["beam_alignment"]

MAX_WEIGHT = MAX_LENGTH
"""Largest weight of a link, so that the weights of all links of a text add up to 32 bits."""

MAX_QUEUED = 1 << 25
"""Most partial alignments that a search queues: the beam times the number of possible links."""

Chain: TypeAlias = "tuple[int, int, int, Chain] | None"
"""Links of an alignment, the last first: reference position, hypothesis position, relation."""


def beam_alignment(
    hypotheses: Texts,
    references: ReferenceTexts,
    relations: Sequence[Relation],
    *,
    weights: Sequence[int],
    beam: int,
    phrases: Phrases | None = None,
    counted: Flags | None = None,
) -> tuple[Any, ...]:
    """Link the tokens of a hypothesis and of each of its references one to one, by beam search.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    relations : sequence of None, ndarray of int32, or (ndarray of int64, ndarray of int32)
        Which tokens may be linked; at least one relation. None relates tokens with the same id.
        Keys, of shape (n_types,), relate tokens with different ids and the same key; a negative key
        relates to nothing. A pair of ``offsets``, of shape (n_types + 1,), and ``keys`` relates
        tokens with different ids that share a key; the keys of ``id`` are
        ``keys[offsets[id]:offsets[id + 1]]``.
    weights : sequence of int
        Weight of a link of each relation in the ranking, 0 to 65,535.
    beam : int
        Largest number of partial alignments to extend at every position, at least 1.
    phrases : (ndarray of int64, ndarray of int32), optional
        Links between stretches of tokens, in addition to those of the relations: ``offsets`` of
        shape (n_references + 1,) and ``links`` of shape (n_links, 5). The links of reference text
        ``r`` are ``links[offsets[r]:offsets[r + 1]]``. A link has a start and length in the
        reference, a start and length in the hypothesis, and a weight.
    counted : sequence of ndarray of bool or None, optional
        Sets of ids whose tokens are counted, each as one flag for each id; None for all tokens.

    Returns
    -------
    positions : ndarray of int32, shape (n_reference_tokens,)
        For every token of every reference text, text after text, the hypothesis position that it
        is linked to, or -1.
    kinds : ndarray of int32, shape (n_reference_tokens,)
        The number of the relation that links the token, or -1. The first token of a linked phrase
        has the number of the phrase in ``links`` plus the number of relations; its other tokens
        have -1.
    counts : list of ndarray of float64, shape (n_references, 3 + 2 * n), if `counted` is given
        For each set: tokens of hypothesis and reference; chunks, which are groups of links adjacent
        and in the same order in both texts; tokens of the hypothesis that are linked by each of the
        n kinds, the relations and then, if there are any, phrases; and likewise tokens of the
        reference.

    Raises
    ------
    ValueError
        If a text lies outside its ids, a segment has no reference, the numbers of segments differ,
        an id has no keys, there is no relation, a phrase lies outside its texts, or a number is out
        of range.
    TooLongError
        If a segment is too long; README.md has the limits.

    See Also
    --------
    staged_alignment : applies one relation after the other, with an exact search.

    Notes
    -----
    All relations propose links at once, then the phrases, and several relations may propose a link
    of the same two tokens. If hypothesis and reference are equal, only the first relation proposes
    links. A link is fixed if its tokens have no other link.

    The search goes through the reference from left to right. At every position, an alignment
    either takes one of the free links or leaves the position open. Before every position, and
    twice at the end, the alignments are ranked by larger weight of their links, then by fewer
    chunks (groups of links that are adjacent and in the same order in both texts), then by smaller
    distance, and the first `beam` are kept. A chunk counts as soon as it ends. The sort is stable:
    an alignment queues a copy for each of its free links (relation after relation, each from left
    to right, then phrases in the order given), then one that leaves the position open. The
    distance of a fixed link is ``|i - j|``; that of a free link counts for the copies queued after
    the one that takes it.

    For a reference of r tokens with at most l links each, the time is
    O(r * beam * l * log(beam * l)).
    """
    beam = whole_number("beam", beam, 1)
    weights = _checked_weights(weights, len(sequence("relations", relations)))
    texts = segments(hypotheses, references)
    keys_of = checked(relations, hypotheses, references)
    check_lengths(hypotheses, references, TABLE)
    phrases_of = links_of_phrases(phrases, hypotheses, references, len(relations))
    chosen: list[tuple[int, int]] = []
    of_each = iter(phrases_of)

    def align(hypothesis: list[int], reference: list[int]) -> None:
        same = hypothesis == reference
        masks = [
            candidates(reference, hypothesis, keys, equal=False)
            for keys in (keys_of[:1] if same else keys_of)
        ]
        n_links = sum(mask.bit_count() for of_kind in masks for mask in of_kind)
        lengths = len(hypothesis), len(reference)
        check_count(lengths, n_links, MAX_QUEUED // beam, "possible links")
        links = _propose(masks, weights)
        phrase_links = next(of_each)
        for j, link in [] if same else phrase_links:
            links[j].append(link)
        chosen.extend(_links_of(_search(links, beam), len(reference)))

    for_each_pair(texts, align)
    columns = np.array(chosen, np.int32).reshape(-1, 2).T
    links = columns[0].copy(), columns[1].copy()
    lengths = [(link.hypothesis_length, link.length) for own in phrases_of for _, link in own]
    sizes = None if phrases is None else lengths
    return with_counts(
        links, hypotheses, references, n_relations=len(relations), counted=counted, sizes=sizes
    )


class _Link(NamedTuple):
    """A link that may be taken at a reference position."""

    position: int
    kind: int
    weight: int
    length: int = 1
    hypothesis_length: int = 1

    def mask(self) -> int:
        """Hypothesis positions that the link covers."""
        return (1 << self.hypothesis_length) - 1 << self.position


def links_of_phrases(
    phrases: Phrases | None, hypotheses: Texts, references: ReferenceTexts, n_relations: int
) -> list[list[tuple[int, _Link]]]:
    """Check phrases, then return those of every reference text with their reference position."""
    n_texts = len(references.starts)
    links: list[list[tuple[int, _Link]]] = [[] for _ in range(n_texts)]
    if phrases is None:
        return links
    offsets, table = _checked_phrases(phrases, n_texts)
    lengths = np.asarray(references.ends) - np.asarray(references.starts)
    hypothesis_lengths = np.repeat(
        np.asarray(hypotheses.ends) - np.asarray(hypotheses.starts), np.diff(references.index)
    )
    text_of_phrase = np.repeat(np.arange(n_texts), np.diff(offsets)).tolist()
    for k, (r, (j, n, start, m, weight)) in enumerate(zip(text_of_phrase, table, strict=True)):
        is_inside = 0 <= j < j + n <= lengths[r] and 0 <= start < start + m <= hypothesis_lengths[r]
        if not (is_inside and 0 <= weight <= MAX_WEIGHT):
            raise ValueError(
                f"phrases: phrase {k} lies outside its texts "
                f"or has a weight outside 0 to {MAX_WEIGHT}"
            )
        link = _Link(start, n_relations + k, weight, length=n, hypothesis_length=m)
        links[r].append((j, link))
    return links


def _checked_weights(weights: Sequence[int], n_relations: int) -> list[int]:
    numbers = [whole_number("weights", weight) for weight in sequence("weights", weights)]
    for weight in numbers:
        if not 0 <= weight <= MAX_WEIGHT:
            raise ValueError(f"weights: got {weight}; expected numbers from 0 to {MAX_WEIGHT}")
    if len(numbers) != n_relations:
        raise ValueError(f"weights: got {len(numbers)} numbers for {n_relations} relations")
    return numbers


def _checked_phrases(phrases: Phrases, n_texts: int) -> tuple[NDArray[np.int64], list[list[int]]]:
    first, second = pair("phrases", phrases)
    offsets, table = vector("phrases", first, np.int64), array("phrases", second, np.int32)
    if table.ndim != 2 or table.shape[1] != 5:
        raise ValueError("phrases: expected an int32 array with five columns")
    ascend = len(offsets) == n_texts + 1 and not (np.diff(offsets) < 0).any()
    if not ascend or offsets[0] != 0 or offsets[-1] != len(table):
        raise ValueError(
            f"phrases: the offsets do not divide {len(table)} phrases among {n_texts} references"
        )
    return offsets, table.tolist()


def _propose(masks: Sequence[Sequence[int]], weights: Sequence[int]) -> list[list[_Link]]:
    """Links that the relations allow at every reference position."""
    links: list[list[_Link]] = [[] for _ in masks[0]]
    for kind, of_kind in enumerate(masks):
        for j, mask in enumerate(of_kind):
            links[j] += [_Link(i, kind, weights[kind]) for i in positions(mask)]
    return links


@dataclass(slots=True)
class _Alignment:
    """A partial alignment, with the numbers by which it is ranked."""

    weight: int = 0
    chunks: int = 0
    distance: int = 0
    next: int = 0  # reference position after the last link
    end: int = -1  # hypothesis position after the last link, if that link ended just before
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
    """For every reference position, whether its only link shares no token with another link."""
    n_links: dict[int, int] = {}
    n_hypothesis_links: dict[int, int] = {}
    for j, options in enumerate(links):
        for link in options:
            for k in range(j, j + link.length):
                n_links[k] = n_links.get(k, 0) + 1
            for i in positions(link.mask()):
                n_hypothesis_links[i] = n_hypothesis_links.get(i, 0) + 1
    for j, options in enumerate(links):
        yield len(options) == 1 and all(
            [n_links[k] == 1 for k in range(j, j + options[0].length)]
            + [n_hypothesis_links[i] == 1 for i in positions(options[0].mask())]
        )


def _search(links: Sequence[Sequence[_Link]], beam: int) -> Chain:
    """Links of the best alignment."""
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


def _links_of(chain: Chain, length: int) -> list[tuple[int, int]]:
    """Hypothesis position and relation of every reference position."""
    links = [(-1, -1)] * length
    while chain is not None:
        j, i, kind, chain = chain
        links[j] = (i, kind)
    return links
