"""Components: the tokens that compete for links, directly or through others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(slots=True)
class Component:
    """Rows that share columns, directly or through other rows.

    It is complete if every row can be linked to every column.
    """

    columns: int
    rows: list[int] = field(default_factory=list)
    complete: bool = True

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.columns.bit_count()

    @property
    def size(self) -> int:
        """Number of links in a largest set, if the component is complete."""
        return min(len(self.rows), self.n_columns)

    @property
    def fewer_rows(self) -> bool:
        """Whether every row needs a link; if not, every column of a complete component does."""
        return len(self.rows) < self.n_columns


def find_components(masks: Sequence[int]) -> list[Component]:
    """Find the components, from the columns that each row can be linked to."""
    components: list[Component] = []
    for i, mask in enumerate(masks):
        if not mask:
            continue
        touched = [c for c in components if c.columns & mask]
        joined = Component(mask, [i], all(c.complete and c.columns == mask for c in touched))
        for component in touched:
            joined.columns |= component.columns
            joined.rows += component.rows
            components.remove(component)
        joined.rows.sort()
        components.append(joined)
    return sorted(components, key=lambda component: component.rows)
