"""Staged alignment: one relation after the other links as many tokens as it can, in good order."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from mteval_core.kernels._reference import _check_lengths, _segments
from mteval_core.kernels.twins.relations import bits, candidates, checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.kernels._reference import ReferenceTexts, Texts
    from mteval_core.kernels.twins.relations import Relation

__all__ = ["staged_alignment"]

NARROW = 16
"""How many partial alignments the first, quick search keeps at every position.

What it finds bounds the next one, which keeps eight times as many, and so on up to the limit.
"""

NONE = -2
"""No position, nor the neighbour of one."""

Chain: TypeAlias = "tuple[int, int, Chain] | None"
"""Links of an alignment, the last one first: hypothesis position and reference position."""

Layer: TypeAlias = "list[tuple[float, int, int, Chain]]"
"""Partial alignments: cost, reference positions used by links that were open, the one of the row
before, links."""


def staged_alignment(
    hypotheses: Texts,
    references: ReferenceTexts,
    relations: Sequence[Relation],
    minimize: Literal["crossings", "chunks"] = "crossings",
    limit: int = 1000,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Link the tokens of a hypothesis and of each of its references one to one, in stages.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    relations : sequence of None or (ndarray of int64, ndarray of int32)
        Which tokens may be linked, a stage each, at least one: None, tokens with the same id; or
        ``offsets`` of shape (n_types + 1,) and ``keys``, tokens that have a key in common, where
        those of ``id`` are ``keys[offsets[id]:offsets[id + 1]]``.
    minimize : {"crossings", "chunks"}
        What makes the order good.
    limit : int
        How many partial alignments are kept at every position where more than one way is left
        open, at least 1.

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
        For texts outside their ids or of more than 65,535 tokens, a segment without reference,
        uneven numbers of segments, an id without keys, no relation, or numbers out of range.

    See Also
    --------
    beam_alignment : all relations at once.

    Notes
    -----
    A stage links tokens that the earlier stages have left. It takes a largest possible set of
    links; among those one with the fewest crossings, pairs of links of the stage in opposite order
    in the two texts; among those one with the fewest chunks, groups of links, of all stages so
    far, that are neighbours and in the same order in both texts. With ``minimize="chunks"`` chunks
    come before crossings. If several are left it is the one that comes first when the hypothesis
    is read from left to right and the links of a token are tried from left to right, none last.

    Links that all largest sets share are fixed beforehand. The rest is found by a search through
    the hypothesis with a bound on what the rest must cost at least; partial alignments that have
    used the same tokens are one. It is exact unless more than `limit` of them are left, which
    happens to long texts of few types; then the most promising are kept, and the links of the
    last, incomplete relation may be fewer than possible. Finding the fewest chunks is NP-hard
    (minimum common string partition).
    """
    if minimize not in ("crossings", "chunks"):
        message = f"minimize is {minimize!r}; expected 'crossings' or 'chunks'"
        raise ValueError(message)
    if limit < 1:
        message = f"limit is {limit}; expected at least 1"
        raise ValueError(message)
    segments = _segments(hypotheses, references)
    keys_of = checked(relations, hypotheses, references)
    _check_lengths(hypotheses, references)
    positions: list[int] = []
    kinds: list[int] = []
    for hypothesis, texts_of_segment in segments:
        for reference in texts_of_segment:
            linked = [NONE] * len(hypothesis)
            kind_of = [-1] * len(hypothesis)
            for kind, keys in enumerate(keys_of):
                taken = set(linked)
                rows = [-1 if j != NONE else t for t, j in zip(hypothesis, linked, strict=True)]
                columns = [-1 if j in taken else t for j, t in enumerate(reference)]
                masks = candidates(rows, columns, keys, equal=True)
                for i, j in _Stage(masks, linked, minimize, limit).links():
                    linked[i] = j
                    kind_of[i] = kind
            links = {j: (i, k) for i, (j, k) in enumerate(zip(linked, kind_of, strict=True))}
            chosen = [links.get(j, (-1, -1)) for j in range(len(reference))]
            positions += [i for i, _ in chosen]
            kinds += [kind for _, kind in chosen]
    return np.array(positions, np.int32), np.array(kinds, np.int32)


class _Component:
    """Rows that compete, directly or through others, for the same columns.

    ``least[a][b]``, where links must be in order, is what the rows from the a-th on must cost at
    least with the columns from the b-th on.
    """

    def __init__(self, columns: int, row: int) -> None:
        self.columns = columns
        self.rows = [row]
        self.complete = True
        self.least: list[list[float]] = []

    @property
    def size(self) -> int:
        """How many links a largest set has, if every row can be linked to every column."""
        return min(len(self.rows), self.columns.bit_count())

    @property
    def fewer_rows(self) -> bool:
        """Whether every row must have a link; otherwise every column must, if it is complete."""
        return len(self.rows) < self.columns.bit_count()


class _Stage:
    """The links of one relation.

    A cost is one number: tokens that find no link, then crossings, then chunks, or in the other
    order. That of a partial alignment contains what its open components must cost at least.
    """

    def __init__(
        self,
        masks: Sequence[int],
        linked: Sequence[int],
        minimize: Literal["crossings", "chunks"],
        limit: int,
    ) -> None:
        self.masks = masks
        self.linked = list(linked)
        self.limit = limit
        self.in_order = minimize == "crossings"
        self.skip = 1 << 48
        self.crossing, self.chunk = (1 << 16, 1) if self.in_order else (1, 1 << 32)
        self.component: list[_Component | None] = [None] * len(masks)
        self.fixed: dict[int, int] = {}
        self.open: list[_Component] = []
        for component in _components(masks):
            rows, columns = component.rows, component.columns
            even = component.complete and len(rows) == columns.bit_count()
            if even and (self.in_order or len(rows) == 1):
                self.fixed.update(zip(rows, bits(columns), strict=True))
            else:
                self.open.append(component)
                for i in rows:
                    self.component[i] = component
        for i, j in self.fixed.items():
            self.linked[i] = j

    def links(self) -> Iterator[tuple[int, int]]:
        """Hypothesis and reference position of every link."""
        yield from self.fixed.items()
        if not self.open:
            return
        self._cross_fixed()
        for component in self.open:
            if self._is_ordered(component):
                component.least = self._least(component)
        self._bound()
        width = min(NARROW, self.limit)
        cost, chain, exact = self._search(width, inf)
        while not exact and width < self.limit:
            width = min(8 * width, self.limit)
            other_cost, other, exact = self._search(width, cost)
            if other_cost <= cost:
                cost, chain = other_cost, other
        while chain is not None:
            i, j, chain = chain
            if self.component[i]:
                yield i, j

    def _is_ordered(self, component: _Component) -> bool:
        """Whether the links of a component are never in opposite order in a best alignment."""
        return self.in_order and component.complete

    def _cross_fixed(self) -> None:
        """Work out what every open link costs by crossing fixed ones."""
        self.alone: dict[tuple[int, int], int] = {}
        before, after = 0, sum(1 << j for j in self.fixed.values())
        for i, component in enumerate(self.component):
            if i in self.fixed:
                before |= 1 << self.fixed[i]
                after ^= 1 << self.fixed[i]
            elif component:
                for j in bits(self.masks[i]):
                    crossings = (before >> j).bit_count() + (after & ((1 << j) - 1)).bit_count()
                    self.alone[i, j] = crossings * self.crossing

    def _least(self, component: _Component) -> list[list[float]]:
        """What the links of a component cost at least by crossing fixed ones."""
        rows, columns = component.rows, list(bits(component.columns))
        least = [[inf] * (len(columns) + 1) for _ in range(len(rows) + 1)]
        for a in reversed(range(len(rows) + 1)):
            for b in reversed(range(len(columns) + 1)):
                if a == len(rows) if component.fewer_rows else b == len(columns):
                    least[a][b] = 0
                elif a < len(rows) and b < len(columns):
                    linked = self.alone[rows[a], columns[b]] + least[a + 1][b + 1]
                    not_linked = least[a][b + 1] if component.fewer_rows else least[a + 1][b]
                    least[a][b] = min(linked, not_linked)
        return least

    def _bound(self) -> None:
        """Work out what the rows after each one must cost at least, ordered components apart.

        ``rest[i][j]`` is that after i if i is linked to j: each row takes what is best for it and
        the next.
        """
        n = len(self.masks)
        self.rest: list[dict[int, int]] = [{} for _ in range(n + 1)]
        self.rest_of_none = [0] * (n + 1)
        alone_of_following: dict[int, int] = {}
        for i in reversed(range(n)):
            following = self.rest_of_none[i + 1]
            component = self.component[i]
            costs = []
            alone: dict[int, int] = {}
            if component:
                ordered = self._is_ordered(component)
                alone = {j: 0 if ordered else self.alone[i, j] for j in bits(self.masks[i])}
                if not component.complete:
                    costs.append(following + self.skip)
                elif len(component.rows) > component.size:
                    costs.append(following)
            elif self.linked[i] != NONE:
                alone = {self.linked[i]: 0}
            else:
                costs.append(following)
            for j, cost in alone.items():
                rest = following
                if j + 1 in alone_of_following:
                    rest = min(rest, self.rest[i + 1][j + 1] + alone_of_following[j + 1])
                self.rest[i][j] = rest
                costs.append(rest + cost + self.chunk)
            self.rest_of_none[i] = min(costs)
            alone_of_following = alone

    def _search(self, width: int, bound: float) -> tuple[float, Chain, bool]:
        """Cost and links of the best alignment that was found, and whether nothing was left out.

        What must cost more than `bound` is not looked at.
        """
        start = sum(c.least[0][0] for c in self.open if self._is_ordered(c))
        layer: Layer = [(start, 0, NONE, None)]
        exact = True
        for i in range(len(self.masks)):
            reached: dict[tuple[int, int], int] = {}
            following: list[tuple[float, tuple[float, int, int, Chain]] | None] = []
            for alignment in layer:
                for option in self._options(i, alignment):
                    cost, used, last, _ = option
                    rest = self.rest_of_none[i + 1] if last == NONE else self.rest[i][last]
                    total = cost + rest
                    if total > bound:
                        continue
                    place = reached.get((used, last))
                    if place is not None:
                        known = following[place]
                        if known is not None and known[0] <= total:
                            continue
                        following[place] = None
                    reached[used, last] = len(following)
                    following.append((total, option))
            kept = [entry for entry in following if entry is not None]
            if len(kept) > width:
                exact = False
                best = sorted(range(len(kept)), key=lambda place: (kept[place][0], place))[:width]
                kept = [kept[place] for place in sorted(best)]
            layer = [option for _, option in kept]
        if not layer:
            return inf, None, False
        cost, _, _, chain = min(layer, key=lambda option: option[0])
        return cost, chain, exact

    def _options(
        self, i: int, alignment: tuple[float, int, int, Chain]
    ) -> Iterator[tuple[float, int, int, Chain]]:
        """All ways to go on with a row."""
        cost, used, last, chain = alignment
        component = self.component[i]
        if component is None:
            j = self.linked[i]
            if j == NONE:
                yield cost, used, NONE, chain
            else:
                yield cost + self.chunk * (j != last + 1), used, j, (i, j, chain)
            return
        for j, step in self._links_of(i, used, component):
            step += (used >> j).bit_count() * self.crossing + self.chunk * (j != last + 1)
            yield cost + step, used | 1 << j, j, (i, j, chain)
        step = self._skip_of(i, used, component)
        if step < inf:
            yield cost + step, used, NONE, chain

    def _links_of(self, i: int, used: int, component: _Component) -> Iterator[tuple[int, float]]:
        """Columns that an open row can still take, with what that costs but for crossings."""
        mine = used & component.columns
        if self._is_ordered(component):
            a = component.rows.index(i)
            first = (component.columns & ((1 << mine.bit_length()) - 1)).bit_count()
            free = component.columns >> mine.bit_length() << mine.bit_length()
            for b, j in enumerate(bits(free), first):
                then = component.least[a + 1][b + 1]
                if then < inf:
                    yield j, self.alone[i, j] + then - component.least[a][first]
                if not component.fewer_rows:
                    break
        elif not component.complete or mine.bit_count() < component.size:
            for j in bits(self.masks[i] & ~used):
                yield j, self.alone[i, j]

    def _skip_of(self, i: int, used: int, component: _Component) -> float:
        """What it costs to leave an open row without a link, infinitely much if it needs one."""
        if not component.complete:
            return self.skip
        mine = used & component.columns
        a = component.rows.index(i)
        if self._is_ordered(component):
            if component.fewer_rows:
                return inf
            b = mine.bit_count()
            return component.least[a + 1][b] - component.least[a][b]
        n_rows_left = len(component.rows) - a - 1
        return 0 if n_rows_left >= component.size - mine.bit_count() else inf


def _components(masks: Sequence[int]) -> list[_Component]:
    """Put together the rows that share columns, directly or through others."""
    components: list[_Component] = []
    for i, mask in enumerate(masks):
        if not mask:
            continue
        touched = [c for c in components if c.columns & mask]
        if not touched:
            components.append(_Component(mask, i))
            continue
        first, *others = touched
        first.complete = not others and first.complete and first.columns == mask
        first.columns |= mask
        first.rows.append(i)
        for other in others:
            first.columns |= other.columns
            first.rows += other.rows
            components.remove(other)
        first.rows.sort()
    return components
