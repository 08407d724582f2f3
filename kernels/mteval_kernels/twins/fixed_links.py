"""The first phase of a stage: fix the links that are in every best set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mteval_kernels.twins.components import Component, find_components
from mteval_kernels.twins.masks import positions

if TYPE_CHECKING:
    from collections.abc import Sequence

NONE = -2
"""Stands for a missing column; it is not next to any column."""


class Costs(NamedTuple):
    """Costs of a token without a link, a crossing and a chunk, which add up to one number.

    Each is larger than the sum of all those that count less.
    """

    missing: int
    crossing: int
    chunk: int

    @property
    def in_order(self) -> bool:
        """Whether crossings cost more than chunks."""
        return self.crossing > self.chunk


CROSSINGS_FIRST = Costs(1 << 48, 1 << 16, 1)
CHUNKS_FIRST = Costs(1 << 48, 1, 1 << 32)


@dataclass(frozen=True)
class FixedLinks:
    """The fixed links of a stage, and the rows that are still open.

    Parameters
    ----------
    masks : sequence of int
        Columns that each row can be linked to in this stage.
    columns : sequence of int
        Column of every row with a fixed link, of this stage or an earlier one; otherwise `NONE`.
    n_columns : int
        Number of columns.
    new : dict of int to int
        Column of every row that this stage has fixed.
    open : list of Component
        Components with open rows.
    component_of : sequence of (Component or None)
        The open component of every row.
    in_order : bool
        Whether crossings cost more than chunks.
    """

    masks: Sequence[int]
    columns: Sequence[int]
    n_columns: int
    new: dict[int, int]
    open: list[Component]
    component_of: Sequence[Component | None]
    in_order: bool

    def is_ordered(self, component: Component) -> bool:
        """Whether no two links of a component cross in a best alignment."""
        return self.in_order and component.complete


def fix(
    masks: Sequence[int], columns: Sequence[int], n_columns: int, *, in_order: bool
) -> FixedLinks:
    """Fix the links of every component that has only one best set of links."""
    new: dict[int, int] = {}
    still_open: list[Component] = []
    component_of: list[Component | None] = [None] * len(masks)
    for component in find_components(masks):
        rows = component.rows
        square = component.complete and len(rows) == component.n_columns
        if square and (in_order or len(rows) == 1):
            new.update(zip(rows, positions(component.columns), strict=True))
        else:
            still_open.append(component)
            for i in rows:
                component_of[i] = component
    fixed = [new.get(i, j) for i, j in enumerate(columns)]
    return FixedLinks(
        masks=masks,
        columns=fixed,
        n_columns=n_columns,
        new=new,
        open=still_open,
        component_of=component_of,
        in_order=in_order,
    )
