"""Staged alignment: each relation in turn links as many tokens as it can, in good order.

A stage, which finds the links of one relation, has three phases: fix the links that are in every
best set (`fixed_links`), bound the costs of the others (`stage_bounds`), and search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from mteval_kernels.twins.arguments import (
    TABLE,
    check_lengths,
    choice,
    for_each_pair,
    segments,
    whole_number,
)
from mteval_kernels.twins.fixed_links import CHUNKS_FIRST, CROSSINGS_FIRST, NONE, fix
from mteval_kernels.twins.link_counts import with_counts
from mteval_kernels.twins.masks import positions
from mteval_kernels.twins.relations import candidates, checked
from mteval_kernels.twins.stage_bounds import bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mteval_kernels.twins.components import Component
    from mteval_kernels.twins.fixed_links import Costs, FixedLinks
    from mteval_kernels.twins.link_counts import Flags
    from mteval_kernels.twins.relations import Keys, Relation
    from mteval_kernels.twins.stage_bounds import Bounds
    from mteval_kernels.twins.texts import ReferenceTexts, Texts

__all__ = ["staged_alignment"]

NARROW = 4
"""Number of partial alignments that the first, quick search keeps at every row.

The next search keeps eight times as many, and so on up to the limit.
"""

EFFORT, EFFORT_WITHOUT_ORDER = 1 << 17, 1 << 22
"""Most ways to continue a partial alignment that a search compares to be exact.

The second number is for stages with components without order, where bounds are weak.
"""

Chain: TypeAlias = "tuple[int, int, Chain] | None"
"""Links of an alignment, the last first: hypothesis position and reference position."""

Stage: TypeAlias = "Callable[[Sequence[int], Sequence[int], int], Iterator[tuple[int, int]]]"
"""From the columns that each row can be linked to, those it is linked to, and the number of
columns, to new links.
"""


def staged_alignment(
    hypotheses: Texts,
    references: ReferenceTexts,
    relations: Sequence[Relation],
    *,
    minimize: Literal["crossings", "chunks"] = "crossings",
    limit: int = 1000,
    counted: Flags | None = None,
) -> tuple[Any, ...]:
    """Link the tokens of a hypothesis and of each of its references one to one, in stages.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    relations : sequence of None, ndarray of int32, or (ndarray of int64, ndarray of int32)
        Which tokens may be linked in each stage; at least one relation. None relates tokens with
        the same id. Keys, of shape (n_types,), relate tokens with the same key; a negative key
        relates to nothing. A pair of ``offsets``, of shape (n_types + 1,), and ``keys`` relates
        tokens that share a key; the keys of ``id`` are ``keys[offsets[id]:offsets[id + 1]]``.
    minimize : {"crossings", "chunks"}
        What to minimize first.
    limit : int
        Largest number of partial alignments to keep at every position of the search, at least 1.
    counted : sequence of ndarray of bool or None, optional
        Sets of ids whose tokens are counted, each as one flag for each id; None for all tokens.

    Returns
    -------
    positions : ndarray of int32, shape (n_reference_tokens,)
        For every token of every reference text, text after text, the hypothesis position that it
        is linked to, or -1.
    kinds : ndarray of int32, shape (n_reference_tokens,)
        The number of the relation that links the token, or -1.
    counts : list of ndarray of float64, shape (n_references, 3 + 2 * n), if `counted` is given
        For each set: tokens of hypothesis and reference; chunks, which are groups of links adjacent
        and in the same order in both texts; tokens of the hypothesis that are linked by each of the
        n kinds, the relations; and likewise tokens of the reference.

    Raises
    ------
    ValueError
        If a text lies outside its ids, a segment has no reference, the numbers of segments differ,
        an id has no keys, there is no relation, or a number is out of range.
    TooLongError
        If a segment is too long; README.md has the limits.

    See Also
    --------
    beam_alignment : applies all relations at once.

    Notes
    -----
    A stage links tokens without a link from an earlier stage. It chooses a largest possible set of
    links; of several, one with the fewest crossings (pairs of links of the stage in opposite order
    in the two texts); of several, one with the fewest chunks (groups of links, of all stages so
    far, that are adjacent and in the same order in both texts). With ``minimize="chunks"``, chunks
    count before crossings. If several sets remain, the stage takes the first one in the order of
    reading: the hypothesis from left to right, the links of each token from left to right, then no
    link.

    Links that are in every best set are fixed first. A search through the hypothesis chooses the
    others, with a lower bound of the cost of the rest; it merges partial alignments that use the
    same tokens. The search is exact unless more than `limit` partial alignments remain, or there
    are more than 2^17 ways to continue them (2^22 if chunks count first, or a relation is not
    transitive), which happens with texts of hundreds of tokens. It then keeps the most promising
    ones, and a relation that is not transitive may get fewer links than possible. Finding the
    fewest chunks is NP-hard (minimum common string partition).
    """
    choice("minimize", minimize, "crossings", "chunks")
    limit = whole_number("limit", limit, 1)
    texts = segments(hypotheses, references)
    keys_of = checked(relations, hypotheses, references)
    check_lengths(hypotheses, references, TABLE)
    costs = CROSSINGS_FIRST if minimize == "crossings" else CHUNKS_FIRST
    stage = partial(_stage, costs=costs, limit=limit)
    aligned = for_each_pair(texts, partial(_align, keys_of=keys_of, stage=stage))
    chosen = [link for links in aligned for link in links]
    columns = np.array(chosen, np.int32).reshape(-1, 2).T
    links = columns[0].copy(), columns[1].copy()
    return with_counts(links, hypotheses, references, n_relations=len(relations), counted=counted)


def _align(
    hypothesis: list[int], reference: list[int], keys_of: Sequence[Keys], stage: Stage
) -> list[tuple[int, int]]:
    """Hypothesis position and relation of every reference position."""
    columns = [NONE] * len(hypothesis)
    kinds = [-1] * len(hypothesis)
    for kind, keys in enumerate(keys_of):
        taken = set(columns)
        row_tokens = [-1 if j != NONE else t for t, j in zip(hypothesis, columns, strict=True)]
        column_tokens = [-1 if j in taken else t for j, t in enumerate(reference)]
        masks = candidates(row_tokens, column_tokens, keys, equal=True)
        for i, j in stage(masks, columns, len(reference)):
            columns[i] = j
            kinds[i] = kind
    links = {j: (i, kind) for i, (j, kind) in enumerate(zip(columns, kinds, strict=True))}
    return [links.get(j, (-1, -1)) for j in range(len(reference))]


def _stage(
    masks: Sequence[int], columns: Sequence[int], n_columns: int, *, costs: Costs, limit: int
) -> Iterator[tuple[int, int]]:
    """Row and column of every new link."""
    links = fix(masks, columns, n_columns, in_order=costs.in_order)
    yield from links.new.items()
    if not links.open:
        return
    chain = _best_of(_Search(links, bound(links, costs), costs), limit)
    while chain is not None:
        i, j, chain = chain
        if links.component_of[i]:
            yield i, j


def _best_of(search: _Search, limit: int) -> Chain:
    """Links of the best alignment that is found.

    Mostly an alignment costs as little as the bound says. Of several such alignments, all searches
    return the first one.
    """
    cost, chain, _ = search.run(1, search.lower_bound)
    return chain if cost < inf else _widen(search, limit)


def _widen(search: _Search, limit: int) -> Chain:
    """Search with more and more partial alignments until the result is exact, or it takes too long.

    The best result so far bounds the costs of a search that gives up where it would not be exact.
    """
    search.n_options = 0
    best, best_chain = inf, None
    width = min(NARROW, limit)
    while True:
        n_before = search.n_options
        cost, chain, exact = search.run(width, best)
        n_compared = search.n_options - n_before
        if exact:
            return chain
        if cost < best:
            best, best_chain = cost, chain
            _, chain, exact = search.run(limit, best, may_drop=False)
            if exact:
                return chain
        if width == limit or 16 * n_compared > search.effort:
            return best_chain
        width = min(8 * width, limit)


class _Alignment(NamedTuple):
    """A partial alignment.

    Its cost includes the least that its open components can cost, and crossings that are bound to
    follow from its links; `used` has the columns of its links to open rows, `column` is that of the
    last row.
    """

    cost: float
    used: int = 0
    column: int = NONE
    chain: Chain = None


@dataclass
class _Search:
    """The third phase of a stage: search the open links row by row."""

    links: FixedLinks
    bounds: Bounds
    costs: Costs
    n_options: int = 0

    @property
    def lower_bound(self) -> float:
        """Bound of the costs of all alignments."""
        return self._least_of_all + self.bounds.rest_of_none[0]

    @property
    def _least_of_all(self) -> float:
        """Lowest cost of all ordered components for crossing fixed links."""
        return sum(least[0][0] for least in self.bounds.least.values())

    @property
    def effort(self) -> int:
        """Most ways to continue an alignment that a search compares to be exact."""
        ordered = all(map(self.links.is_ordered, self.links.open))
        return EFFORT if ordered else EFFORT_WITHOUT_ORDER

    def run(self, width: int, most: float, *, may_drop: bool = True) -> tuple[float, Chain, bool]:
        """Cost and links of the best alignment, and whether the search was exact.

        Keeps at most `width` partial alignments, and none that must cost more than `most`. If it
        may not drop others, it ends without a result where it would have to, or after its effort.
        """
        layer = [_Alignment(self._least_of_all)]
        exact = True
        last_option = inf if may_drop else self.n_options + self.effort
        for i in range(len(self.links.masks)):
            following = self._extend(i, layer, most)
            if self.n_options > last_option or (len(following) > width and not may_drop):
                return inf, None, False
            if len(following) > width:
                exact = False
                best = sorted(range(len(following)), key=lambda k: following[k][0])[:width]
                following = [following[k] for k in sorted(best)]
            layer = [alignment for _, alignment in following]
        if not layer:
            return inf, None, False
        cheapest = min(layer, key=lambda alignment: alignment.cost)
        return cheapest.cost, cheapest.chain, exact

    def _extend(
        self, i: int, layer: Sequence[_Alignment], most: float
    ) -> list[tuple[float, _Alignment]]:
        """Ways to continue with row i, each with a bound of its total cost.

        Of alignments that use the same columns, the first with the lowest bound is kept.
        """
        reached: dict[tuple[int, int], tuple[float, _Alignment]] = {}
        for alignment in layer:
            for option in self._options(i, alignment):
                self.n_options += 1
                rest = self.bounds.rest[i].get(option.column, self.bounds.rest_of_none[i + 1])
                total = option.cost + rest
                key = option.used, option.column
                if total > most or (key in reached and reached[key][0] <= total):
                    continue
                reached.pop(key, None)  # a better one goes to the end
                reached[key] = total, option
        return list(reached.values())

    def _options(self, i: int, alignment: _Alignment) -> Iterator[_Alignment]:
        """Ways to continue an alignment with row i: each link from the left, then no link."""
        cost, used, last, chain = alignment
        component = self.links.component_of[i]
        if component is None:
            j = self.links.columns[i]
            if j == NONE:
                yield _Alignment(cost, used, NONE, chain)
            else:
                yield _Alignment(self._linked(cost, last, j), used, j, (i, j, chain))
            return
        for j, step in self._links_of(i, used, component):
            step += self._crossings(i, j, used, component) * self.costs.crossing
            yield _Alignment(self._linked(cost + step, last, j), used | 1 << j, j, (i, j, chain))
        step = self._step_without_link(i, used, component)
        if step < inf:
            yield _Alignment(cost + step, used, NONE, chain)

    def _crossings(self, i: int, j: int, used: int, component: Component) -> int:
        """Crossings that a link brings, but for those with links that it was bound to cross.

        These are the crossings with links of earlier rows, and with columns on its left that still
        need a link.
        """
        needed = self.bounds.pending[i] & ~used & ((1 << j) - 1)
        if self.links.is_ordered(component) and not component.fewer_rows:
            return needed.bit_count()  # links on the right were bound to cross what column j needs
        right = used >> j
        if i in self.bounds.last:
            right &= (1 << (self.bounds.last[i] - j)) - 1
        return needed.bit_count() + right.bit_count()

    def _linked(self, cost: float, last: int, j: int) -> float:
        """Add the cost of a chunk if a link to j starts one."""
        return cost + self.costs.chunk * (j != last + 1)

    def _links_of(self, i: int, used: int, component: Component) -> Iterator[tuple[int, float]]:
        """Columns that an open row can still take, with the cost of crossing fixed links."""
        mine = used & component.columns
        if self.links.is_ordered(component):
            yield from self._ordered_links_of(i, mine, component)
        elif not component.complete or mine.bit_count() < component.size:
            for j in positions(self.links.masks[i] & ~used):
                yield j, self.bounds.alone[i, j]

    def _ordered_links_of(
        self, i: int, mine: int, component: Component
    ) -> Iterator[tuple[int, float]]:
        """Columns to the right of those in use that leave enough columns for the other rows."""
        a = component.rows.index(i)
        least = self.bounds.least[component.rows[0]]
        first = (component.columns & ((1 << mine.bit_length()) - 1)).bit_count()
        free = component.columns >> mine.bit_length() << mine.bit_length()
        for b, j in enumerate(positions(free), first):
            then = least[a + 1][b + 1]
            if then < inf:
                yield j, self.bounds.alone[i, j] + then - least[a][first]
            if not component.fewer_rows:
                break

    def _step_without_link(self, i: int, used: int, component: Component) -> float:
        """Cost of leaving an open row without a link; infinite if the row needs one."""
        if not component.complete:
            return self.costs.missing
        n_used = (used & component.columns).bit_count()
        a = component.rows.index(i)
        if self.links.is_ordered(component):
            if component.fewer_rows:
                return inf
            least = self.bounds.least[component.rows[0]]
            return least[a + 1][n_used] - least[a][n_used]
        n_rows_left = len(component.rows) - a - 1
        return 0 if n_rows_left >= component.size - n_used else inf
