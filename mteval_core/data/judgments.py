"""Human judgments of segments, documents or systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mteval_core.errors import InputError
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

ItemLevel = Literal["segment", "doc", "system"]


class Judgments(Frozen, eq=False, kw_only=True):
    """Human scores of outputs, one row per judgment. Call `of` to make them.

    Parameters
    ----------
    level : {"segment", "doc", "system"}
        What was judged.
    systems : tuple of str
        Names of the systems, in order of first appearance.
    items : tuple of int or tuple of str
        Numbers of the segments from 0, ids of segments, or document ids; empty for systems.
    raters : tuple of str
        Names of the raters; an unknown rater has an empty name.
    criteria : tuple of str
        What was scored.
    system, item, rater : ndarray of int64, shape (n,)
        Indices into these names, one for each judgment.
    scores : ndarray of float64, shape (n, n_criteria)
        NaN where missing; higher is better.
    sources : tuple of (str, str)
        Paths of the files, each with its SHA-256.
    unchosen : tuple of str
        Criteria that were left out.
    texts : mapping of (str, int) to str or None
        What raters saw, by system and segment, as far as the files say. The source has an empty
        name.
    """

    level: ItemLevel
    systems: tuple[str, ...]
    items: tuple[int, ...] | tuple[str, ...]
    raters: tuple[str, ...]
    criteria: tuple[str, ...]
    system: NDArray[np.int64]
    item: NDArray[np.int64]
    rater: NDArray[np.int64]
    scores: NDArray[np.float64]
    sources: tuple[tuple[str, str], ...] = ()
    unchosen: tuple[str, ...] = ()
    texts: Mapping[tuple[str, int], str] | None = None

    @classmethod
    def of(
        cls,
        rows: Iterable[tuple[str, int | str, str, Mapping[str, float]]],
        *,
        level: ItemLevel = "segment",
        sources: Sequence[tuple[str, str]] = (),
    ) -> Judgments:
        """Make judgments of rows.

        Parameters
        ----------
        rows : iterable of (str, int or str, str, mapping of str to float)
            System, item, rater and scores by criterion of each judgment. The rater is empty if
            unknown. The item of a judgment of a system is 0.
        level : {"segment", "doc", "system"}
            What was judged.
        sources : sequence of (str, str)
            Paths of the files, each with its SHA-256.

        Returns
        -------
        Judgments

        Raises
        ------
        InputError
            If there is no row, or some segments have numbers and others have ids.

        Examples
        --------
        >>> judgments = Judgments.of([("A", 0, "", {"MQM": -1}), ("B", 0, "", {"MQM": -5})])
        >>> judgments.systems, judgments.items, judgments.scores.tolist()
        (('A', 'B'), (0,), [[-1.0], [-5.0]])
        """
        table = list(rows)
        systems, items, raters = (_index(row[k] for row in table) for k in range(3))
        criteria = _index(criterion for row in table for criterion in row[3])
        kinds = {type(item) for item in items}
        if len(kinds) != 1:
            seen = "there are segment numbers and ids" if kinds else "there are none"
            raise InputError(f"judgments: {seen}; expected the numbers or the ids of all segments")
        if int in kinds:
            items = _index(sorted(items))
        scores = [[row[3].get(criterion, np.nan) for criterion in criteria] for row in table]
        return cls(
            level=level,
            systems=tuple(systems),
            items=() if level == "system" else tuple(items),
            raters=tuple(raters),
            criteria=tuple(criteria),
            system=np.array([systems[row[0]] for row in table], np.int64),
            item=np.array([items[row[1]] for row in table], np.int64),
            rater=np.array([raters[row[2]] for row in table], np.int64),
            scores=np.array(scores, np.float64),
            sources=tuple(sources),
        )

    def __len__(self) -> int:
        return len(self.scores)


def _index(names: Iterable[Any]) -> dict[Any, int]:
    """Number names in order of first appearance."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}
