"""Human judgments: sums of criteria, and means over raters.

References
----------
Blatz et al. 2003, "Confidence estimation for machine translation", section 4.2, and Lavie, Sagae
and Jayaraman 2004, section 3.1 (normalisation, the sum of adequacy and fluency).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mteval_core.errors import InputError, UsageError
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

ItemLevel = Literal["segment", "doc", "system"]


class Judgments(Frozen, eq=False, kw_only=True):
    """Human scores of outputs, one row per judgment. Call `of` or `read_judgments` to make them.

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
        Criteria that a choice among them left out.
    texts : mapping of (str, int) to str or None
        What raters saw, by system and segment, as far as the files say.
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
            message = f"judgments: {seen}; expected the numbers, or the ids, of all segments"
            raise InputError(message)
        if int in kinds:
            items = _index(sorted(items))
        return cls(
            level=level,
            systems=tuple(systems),
            items=() if level == "system" else tuple(items),
            raters=tuple(raters),
            criteria=tuple(criteria),
            system=np.array([systems[row[0]] for row in table], np.int64),
            item=np.array([items[row[1]] for row in table], np.int64),
            rater=np.array([raters[row[2]] for row in table], np.int64),
            scores=np.array(
                [[row[3].get(c, np.nan) for c in criteria] for row in table], np.float64
            ),
            sources=tuple(sources),
        )

    def __len__(self) -> int:
        return len(self.scores)

    def merged(self) -> Judgments:
        """Average the judgments of an output by the same rater, so that one is left.

        Returns
        -------
        Judgments
            One judgment for each rater of each output, sorted by system, item and rater.
        """
        shape = (len(self.systems), len(self.items) or 1, len(self.raters))
        keys = np.ravel_multi_index((self.system, self.item, self.rater), shape)
        kept, place = np.unique(keys, return_inverse=True)
        columns = []
        for scores in self.scores.T:
            present = ~np.isnan(scores)
            n = np.bincount(place[present], minlength=len(kept))
            total = np.bincount(place[present], scores[present], len(kept))
            columns.append(quotient(total, n))
        system, item, rater = np.unravel_index(kept, shape)
        scores = np.stack(columns, axis=1)
        return replace(self, system=system, item=item, rater=rater, scores=scores)

    def outputs(
        self,
        systems: Sequence[str] | None = None,
        items: Sequence[int] | Sequence[str] | None = None,
    ) -> NDArray[np.int64]:
        """Number the outputs that were judged, system by system.

        Parameters
        ----------
        systems, items : sequence, optional
            Systems and items to number, in this order. Default: all that were judged.

        Returns
        -------
        ndarray of int64, shape (n,)
            For each judgment, the number of its output; -1 for another system or item.
        """
        own = self.items or (0,)
        systems = self.systems if systems is None else systems
        items = own if items is None else items
        system = _indices(self.systems, systems)[self.system]
        item = _indices(own, items)[self.item]
        return np.where((system >= 0) & (item >= 0), system * len(items) + item, -1)

    def means(
        self,
        systems: Sequence[str] | None = None,
        items: Sequence[int] | Sequence[str] | None = None,
        minimum: int = 1,
    ) -> NDArray[np.float64]:
        """Average the scores of each output over its raters.

        Parameters
        ----------
        systems, items : sequence, optional
            Systems and items to return, in this order. Default: all that were judged.
        minimum : int
            An output that fewer raters judged is missing.

        Returns
        -------
        ndarray of float64, shape (n_criteria, n_systems, n_items)
            NaN where missing.

        Raises
        ------
        UsageError
            If a minimum is requested and the raters are not known.
        """
        if minimum > 1 and "" in self.raters:
            message = (
                f"a minimum of {minimum} judgments needs the raters' names: a column 'rater' in "
                f"every file"
            )
            raise UsageError(message)
        systems = self.systems if systems is None else systems
        items = self.items or (0,) if items is None else items
        shape = len(systems), len(items)
        merged = self.merged()
        output = merged.outputs(systems, items)
        means = []
        for scores in merged.scores.T:
            present = (output >= 0) & ~np.isnan(scores)
            n = np.bincount(output[present], minlength=math.prod(shape))
            total = np.bincount(output[present], scores[present], math.prod(shape))
            means.append(quotient(total, np.where(n >= minimum, n, 0)).reshape(shape))
        return np.stack(means)


def _index(names: Iterable[Any]) -> dict[Any, int]:
    """Number names in order of first appearance."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def _indices(
    names: Sequence[int] | Sequence[str], wanted: Sequence[int] | Sequence[str]
) -> NDArray[np.int64]:
    """Look up the index of each name among those wanted; -1 if it is not wanted."""
    place: dict[object, int] = {name: i for i, name in enumerate(wanted)}
    return np.array([place.get(name, -1) for name in names], np.int64)


# Arithmetic with missing numbers, which are NaN


def quotient(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Divide element-wise; NaN where the divisor is 0."""
    b = np.asarray(b, np.float64)
    result: NDArray[np.float64] = np.divide(a, b, out=np.full(b.shape, np.nan), where=b != 0)
    return result
