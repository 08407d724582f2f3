"""The second phase of a stage: bound the costs of the open links."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from mteval_kernels.twins.arguments import check_count
from mteval_kernels.twins.fixed_links import NONE
from mteval_kernels.twins.masks import positions

if TYPE_CHECKING:
    from mteval_kernels.twins.components import Component
    from mteval_kernels.twins.fixed_links import Costs, FixedLinks

Alone: TypeAlias = "dict[tuple[int, int], int]"
Least: TypeAlias = "list[list[float]]"

MAX_CELLS = 1 << 22
"""Most links of a stage, fixed ones included, for each of which its tables have three numbers."""


@dataclass(frozen=True)
class Bounds:
    """Lower bounds of costs.

    Parameters
    ----------
    alone : dict of (int, int) to int
        Cost of every open link for crossing fixed links, and links that are bound to cross it:
        those that later rows need and can only get on its left.
    last : dict of int to int
        The last column of every row that needs a link, in ordered components.
    pending : list of int
        By row: the columns of ordered components that need a link, and can get it from this row,
        from earlier ones and from later ones.
    least : dict of int to list of list of float
        For every ordered component, known by its first row: ``least[a][b]`` is the lowest cost,
        as in `alone`, of its rows from the a-th on with its columns from the b-th on.
    rest : list of dict of int to int
        ``rest[i][j]`` bounds the cost of the rows after i, if i is linked to j.
    rest_of_none : list of int
        ``rest_of_none[i]`` bounds the cost of row i and the rows after it.
    """

    alone: Alone
    last: dict[int, int]
    pending: list[int]
    least: dict[int, Least]
    rest: list[dict[int, int]]
    rest_of_none: list[int]


def bound(links: FixedLinks, costs: Costs) -> Bounds:
    """Bound the costs of open links."""
    cells = (
        m.bit_count() if c else 1 for m, c in zip(links.masks, links.component_of, strict=True)
    )
    check_count((len(links.masks), links.n_columns), sum(cells), MAX_CELLS, "open links")
    alone = _cross_fixed(links, costs)
    last, first, pending = _needs(links)
    _cross_needed(links, costs, alone, [*last.items(), *first.items()])
    least = {c.rows[0]: _least(c, alone) for c in links.open if links.is_ordered(c)}
    rest, rest_of_none = _rest(links, costs, alone)
    return Bounds(alone, last, pending, least, rest=rest, rest_of_none=rest_of_none)


def _cross_fixed(links: FixedLinks, costs: Costs) -> Alone:
    """Cost of every open link for crossing the fixed links of the stage."""
    alone: Alone = {}
    before, after = 0, sum(1 << j for j in links.new.values())
    for i, component in enumerate(links.component_of):
        if i in links.new:
            before |= 1 << links.new[i]
            after ^= 1 << links.new[i]
        elif component:
            for j in positions(links.masks[i]):
                crossings = (before >> j).bit_count() + (after & ((1 << j) - 1)).bit_count()
                alone[i, j] = crossings * costs.crossing
    return alone


def _needs(links: FixedLinks) -> tuple[dict[int, int], dict[int, int], list[int]]:
    """Find what needs a link in ordered components, which is linked from left to right.

    Returns
    -------
    last : dict of int to int
        The last column of every row that needs a link.
    first : dict of int to int
        For every column that needs a link, its first row and the column.
    pending : list of int
        As in `Bounds`.
    """
    last: dict[int, int] = {}
    first: dict[int, int] = {}
    pending = [0] * len(links.masks)
    for component in filter(links.is_ordered, links.open):
        rows, columns = component.rows, list(positions(component.columns))
        if component.fewer_rows:
            last.update(zip(rows, columns[-len(rows) :], strict=True))
            continue
        first.update(zip(rows, columns, strict=False))
        for j, start, end in zip(columns, rows, rows[-len(columns) :], strict=False):
            for i in range(start, end + 1):
                pending[i] |= 1 << j
    return last, first, pending


def _cross_needed(
    links: FixedLinks, costs: Costs, alone: Alone, needs: list[tuple[int, int]]
) -> None:
    """Add the cost of crossing what a later row needs on the left, or a column from a later row."""
    column_of = dict(needs)  # a row is in one component, and has one need
    later = 0
    for i in reversed(range(len(links.masks))):
        if links.component_of[i]:
            for j in positions(links.masks[i]):
                alone[i, j] += (later & ((1 << j) - 1)).bit_count() * costs.crossing
        if i in column_of:
            later |= 1 << column_of[i]


def _least(component: Component, alone: Alone) -> Least:
    """Lowest cost of the links of an ordered component, as in `Bounds`."""
    rows, columns = component.rows, list(positions(component.columns))
    least = [[inf] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for a in reversed(range(len(rows) + 1)):
        for b in reversed(range(len(columns) + 1)):
            if a == len(rows) if component.fewer_rows else b == len(columns):
                least[a][b] = 0
            elif a < len(rows) and b < len(columns):
                linked = alone[rows[a], columns[b]] + least[a + 1][b + 1]
                not_linked = least[a][b + 1] if component.fewer_rows else least[a + 1][b]
                least[a][b] = min(linked, not_linked)
    return least


def _rest(links: FixedLinks, costs: Costs, alone: Alone) -> tuple[list[dict[int, int]], list[int]]:
    """Bound the cost of the rows after each one, without the crossings of ordered components.

    Each row takes the link that is best for itself and the next row.
    """
    n = len(links.masks)
    rest: list[dict[int, int]] = [{} for _ in range(n)]
    rest_of_none = [0] * (n + 1)
    next_rest: dict[int, int] = {}  # by column of the next row, with the cost of that link
    for i in reversed(range(n)):
        following = rest_of_none[i + 1]
        steps = _links_of(i, links, alone)
        rest[i] = {j: min(following, next_rest.get(j + 1, following)) for j in steps}
        next_rest = {j: rest[i][j] + step for j, step in steps.items()}
        ways = [cost + costs.chunk for cost in next_rest.values()]
        rest_of_none[i] = min([*ways, *_without_link(i, links, costs, following)])
    return rest, rest_of_none


def _links_of(i: int, links: FixedLinks, alone: Alone) -> dict[int, int]:
    """Columns that a row can be linked to, with the least cost of the link."""
    component = links.component_of[i]
    if component:
        ordered = links.is_ordered(component)
        return {j: 0 if ordered else alone[i, j] for j in positions(links.masks[i])}
    return {links.columns[i]: 0} if links.columns[i] != NONE else {}


def _without_link(i: int, links: FixedLinks, costs: Costs, following: int) -> list[int]:
    """Least cost from row i on without a link of that row; empty if it needs one."""
    component = links.component_of[i]
    if component and not component.complete:
        return [following + costs.missing]
    if component:
        return [following] if len(component.rows) > component.size else []
    return [following] if links.columns[i] == NONE else []
