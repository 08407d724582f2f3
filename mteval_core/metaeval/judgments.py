"""Human judgments: reading them, and what is done to them before they are compared with metrics.

A file is a table with one line per judgment::

    system  segment  rater   adequacy  fluency
    best    0        judge1  5         5

``segment`` is the number of the line in the test set, from 0; ``doc`` in its place is a document
id; without either a line judges a system. ``rater`` may be left out. Every other column that holds
numbers is a criterion. An empty cell (or ``NA``, ``NaN``, ``None``) is a missing score, not a zero.
A table with the columns ``first`` and ``second`` holds two judgments of one item per line.

References
----------
Blatz et al. 2003, "Confidence estimation for machine translation", section 4.2, and Lavie, Sagae
and Jayaraman 2004, section 3.1 (normalisation, the sum of adequacy and fluency).
Melamed, Green and Turian 2003, "Precision and recall of machine translation", section 4 (one random
judgment per item).
"""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mteval_core.errors import InputError, UnknownNameError, UsageError, near
from mteval_core.metaeval.correlation import quotient
from mteval_core.text.files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from numpy.typing import NDArray

__all__ = ["ItemLevel", "Judgments", "read_judgments"]

ItemLevel = Literal["segment", "doc", "system"]

MISSING = {"", "na", "nan", "none", "null"}
"""What a cell without a score holds, in lower case."""

TWICE = ("first", "second")
"""Columns of a table with two judgments of one item per line."""


@dataclass(frozen=True, eq=False)
class Judgments:
    """Scores that raters gave to outputs, one row per judgment. Made by `read_judgments`.

    Parameters
    ----------
    level : {"segment", "doc", "system"}
        What was judged.
    systems : tuple of str
        Names of the systems, in order of first appearance.
    items : tuple of int or tuple of str
        Numbers of the segments from 0, or document ids; empty for systems.
    raters : tuple of str
        Names of the raters; one empty name if they are not known.
    criteria : tuple of str
        What was scored.
    system, item, rater : ndarray of int64, shape (n,)
        Index into these names, for each judgment.
    scores : ndarray of float64, shape (n, n_criteria)
        NaN where missing; higher is better.
    sources : tuple of (str, str)
        Paths of the files, each with the SHA-256 of its lines.
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

    def __len__(self) -> int:
        return len(self.scores)

    def choose(self, criteria: Iterable[str]) -> Judgments:
        """Choose criteria, or make them.

        Parameters
        ----------
        criteria : iterable of str
            Names of criteria, or ``NAME=CRITERION+CRITERION+...``, their sum.

        Returns
        -------
        Judgments

        Raises
        ------
        UsageError
            If there is no such criterion, or a name is given twice.
        """
        chosen: dict[str, NDArray[np.float64]] = {}
        for given in criteria:
            name, _, parts = given.rpartition("=")
            columns = [self._column(part) for part in parts.split("+")] if name else []
            name, column = (name, np.sum(columns, axis=0)) if name else (given, self._column(given))
            if name in chosen:
                message = f"the criterion {name!r} is given twice"
                raise UsageError(message)
            chosen[name] = column
        if not chosen:
            message = f"no criterion chosen; there are {', '.join(self.criteria)}"
            raise UsageError(message)
        return replace(self, criteria=tuple(chosen), scores=np.stack(list(chosen.values()), axis=1))

    def _column(self, criterion: str) -> NDArray[np.float64]:
        if criterion not in self.criteria:
            message = f"unknown criterion {criterion!r}.{near(criterion, self.criteria)}"
            raise UnknownNameError(message)
        return self.scores[:, self.criteria.index(criterion)]

    def normalized(self) -> Judgments:
        """Give the scores of each rater the mean 0 and the standard deviation 1, per criterion.

        Returns
        -------
        Judgments
            With (score - mean) / standard deviation, both over all judgments of the rater, the
            deviation that of a population; 0 for a rater who always gives the same score.

        Raises
        ------
        UsageError
            If the raters are not known.
        """
        self._need_raters("normalising scores per rater")
        scores = np.empty_like(self.scores)
        for rater in range(len(self.raters)):
            of_rater = self.rater == rater
            for c in range(len(self.criteria)):
                given = self.scores[of_rater, c]
                present = ~np.isnan(given)
                values = given[present]
                constant = len(values) and values.max() == values.min()
                given[present] = (
                    (0.0 if constant else (values - values.mean()) / values.std())
                    if len(values)
                    else values
                )
                scores[of_rater, c] = given
        return replace(self, scores=scores)

    def drawn(self, seed: int = 12345) -> Judgments:
        """Keep one judgment of each item, drawn at random."""
        order = np.random.default_rng(seed).permutation(len(self))
        _, first = np.unique(
            np.stack([self.system, self.item])[:, order], axis=1, return_index=True
        )
        kept = np.sort(order[first])
        return replace(
            self,
            system=self.system[kept],
            item=self.item[kept],
            rater=self.rater[kept],
            scores=self.scores[kept],
        )

    def by_rater(
        self,
        systems: Sequence[str] | None = None,
        items: Sequence[int] | Sequence[str] | None = None,
    ) -> NDArray[np.float64]:
        """Scores by rater, the mean where a rater judged an item more than once.

        Parameters
        ----------
        systems, items : sequence, optional
            Which, in which order; those of the judgments, unless given.

        Returns
        -------
        ndarray of float64, shape (n_raters, n_criteria, n_systems, n_items)
            NaN where missing.
        """
        rows = _places(self.systems, self.systems if systems is None else systems)[self.system]
        own = self.items or (0,)
        columns = _places(own, own if items is None else items)[self.item]
        shape = (
            len(self.raters),
            len(self.criteria),
            len(self.systems if systems is None else systems),
            len(own if items is None else items),
        )
        inside = (rows >= 0) & (columns >= 0)
        cell = np.ravel_multi_index(
            (self.rater[inside], rows[inside], columns[inside]), (shape[0], *shape[2:])
        )
        size = shape[0] * shape[2] * shape[3]
        found = np.empty((shape[1], size))
        for c in range(shape[1]):
            given = self.scores[inside, c]
            present = ~np.isnan(given)
            count = np.bincount(cell[present], minlength=size)
            found[c] = quotient(np.bincount(cell[present], given[present], size), count)
        return np.moveaxis(found.reshape(shape[1], shape[0], *shape[2:]), 0, 1)

    def means(
        self,
        systems: Sequence[str] | None = None,
        items: Sequence[int] | Sequence[str] | None = None,
        minimum: int = 1,
    ) -> NDArray[np.float64]:
        """Mean score of each item over its raters.

        Parameters
        ----------
        systems, items : sequence, optional
            Which, in which order; those of the judgments, unless given.
        minimum : int
            An item that fewer raters judged is missing.

        Returns
        -------
        ndarray of float64, shape (n_criteria, n_systems, n_items)
            NaN where missing.
        """
        scores = self.by_rater(systems, items)
        n = np.sum(~np.isnan(scores), axis=0)
        return quotient(np.nansum(scores, axis=0), np.where(n >= minimum, n, 0))

    def repeats(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Find what a rater judged more than once.

        Returns
        -------
        rater : ndarray of int64, shape (m,)
        earlier, later : ndarray of float64, shape (m, n_criteria)
            Every two judgments of the same item by the same rater, in the order of the file.
        """
        key = np.stack([self.system, self.item, self.rater])
        order = np.lexsort((np.arange(len(self)), *key))
        pairs: list[tuple[int, int]] = []
        start = 0
        for stop in [*np.flatnonzero(np.any(np.diff(key[:, order]), axis=0)) + 1, len(self)]:
            same = order[start:stop].tolist()
            pairs += [(a, b) for k, b in enumerate(same) for a in same[:k]]
            start = stop
        earlier, later = np.array(pairs, np.int64).reshape(-1, 2).T
        return self.rater[earlier], self.scores[earlier], self.scores[later]

    def _need_raters(self, purpose: str) -> None:
        if self.raters == ("",):
            message = f"{purpose} needs to know the raters: the judgments have no column 'rater'"
            raise UsageError(message)


def _places(
    names: Sequence[int] | Sequence[str], wanted: Sequence[int] | Sequence[str]
) -> NDArray[np.int64]:
    """Index of each name among those wanted, -1 if it is not."""
    place: dict[object, int] = {name: i for i, name in enumerate(wanted)}
    return np.array([place.get(name, -1) for name in names], np.int64)


def read_judgments(
    paths: Iterable[str | PathLike[str] | tuple[str, str | PathLike[str]]],
) -> Judgments:
    """Read tables of human scores.

    Parameters
    ----------
    paths : iterable of path-like or of (str, path-like)
        One file or several of the same systems and items, with different criteria or different
        items. A name before a path, unless it is empty, is that of the criterion ``score`` of the
        file. ``.gz`` and ``.xz`` are uncompressed, ``-`` is standard input. Tabs separate the
        columns; if the first line has none, commas, with quotes as in CSV.

    Returns
    -------
    Judgments

    Raises
    ------
    InputError
        If a file cannot be read or is no such table, with file and line.
    """
    table = _Table()
    for given in paths:
        name, path = given if isinstance(given, tuple) else ("", given)
        table.read(name, path)
    return table.judgments()


class _Table:
    """Judgments of all files, gathered by system, item, rater and repetition."""

    def __init__(self) -> None:
        self.sources: list[tuple[str, str]] = []
        self.level: ItemLevel | None = None
        self.source = ""
        self.criteria: dict[str, int] = {}
        self.rows: dict[tuple[str, int | str, str, int], dict[str, float]] = {}

    def read(self, name: str, path: str | PathLike[str]) -> None:
        source = "standard input" if str(path) == "-" else str(path)
        content = read_text(path)
        self.sources.append((source, hashlib.sha256(content.buffer).hexdigest()))
        lines = [line or "" for line in content]
        tabs = "\t" in lines[0]
        reader = csv.reader(
            (line + "\n" for line in lines),
            delimiter="\t" if tabs else ",",
            quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL,
            strict=True,
        )
        cells, numbers = [], []
        try:
            for row in reader:
                if row:
                    cells.append(row)
                    numbers.append(reader.line_num)
        except csv.Error as error:
            message = f"{source}:{reader.line_num}: {error}"
            raise InputError(message) from None
        header = [cell.strip() for cell in cells[0]]
        level = self._level_of(header, source)
        criteria = self._criteria_of(header, cells[1:], source)
        if len(cells) < 2:
            message = f"{source}: no judgments below the header line"
            raise InputError(message)
        seen: dict[tuple[str, int | str, str], int] = {}
        for row, number in zip(cells[1:], numbers[1:], strict=True):
            where = f"{source}:{number}"
            if len(row) != len(header):
                message = f"{where}: {len(row)} columns; the header line has {len(header)}"
                raise InputError(message)
            record = dict(zip(header, (cell.strip() for cell in row), strict=True))
            item: int | str = 0
            if level != "system":
                item = _item(record[level], level, where)
            key = (_named(record["system"], "system", where), item, record.get("rater", ""))
            scores = [_number(record[column], column, where) for column in criteria]
            for part in _judgments_in(criteria, scores, name):
                repetition = seen.get(key, 0)
                seen[key] = repetition + 1
                judged = self.rows.setdefault((*key, repetition), {})
                for criterion, score in part.items():
                    if criterion in judged:
                        message = (
                            f"{where}: {criterion!r} of this item is in an earlier file too; name "
                            f"the criteria of the files, NAME=FILE"
                        )
                        raise InputError(message)
                    self.criteria.setdefault(criterion, len(self.criteria))
                    judged[criterion] = score

    def _level_of(self, header: list[str], source: str) -> ItemLevel:
        repeated = {column for column in header if header.count(column) > 1}
        if "system" not in header or repeated:
            found = ", ".join(map(repr, header))
            wanted = f"{min(repeated)!r} once" if repeated else "a column 'system'"
            message = f"{source}:1: expected {wanted} in the header line; found {found}"
            raise InputError(message)
        level: ItemLevel = (
            "segment" if "segment" in header else "doc" if "doc" in header else "system"
        )
        if self.level not in (None, level):
            message = (
                f"{source}:1: judgments of a {level}, but of a {self.level} in {self.source}: "
                f"give one or the other"
            )
            raise InputError(message)
        self.level, self.source = level, source
        return level

    def _criteria_of(self, header: list[str], cells: list[list[str]], source: str) -> list[str]:
        """Give ``score`` and the columns whose first cell with anything in it is a number."""
        criteria = []
        for k, column in enumerate(header):
            if column in ("system", "segment", "doc", "rater"):
                continue
            values = (row[k].strip() for row in cells if k < len(row))
            first = next((v for v in values if v.lower() not in MISSING), None)
            if column == "score" or (first is not None and _is_number(first)):
                criteria.append(column)
        if not criteria:
            message = (
                f"{source}:1: no column of scores beside {', '.join(map(repr, header))}; expected "
                f"'score', or criteria such as 'adequacy'"
            )
            raise InputError(message)
        return criteria

    def judgments(self) -> Judgments:
        systems: dict[str, int] = {}
        raters: dict[str, int] = {}
        keys = list(self.rows)
        items = sorted({item for _, item, _, _ in keys}, key=lambda i: (isinstance(i, str), i))
        if self.level == "doc":
            items = list(dict.fromkeys(item for _, item, _, _ in keys))
        item_place = {item: i for i, item in enumerate(items)}
        index = np.array(
            [
                (
                    systems.setdefault(system, len(systems)),
                    item_place[item],
                    raters.setdefault(rater, len(raters)),
                )
                for system, item, rater, _ in keys
            ],
            np.int64,
        )
        scores = np.array(
            [[row.get(c, np.nan) for c in self.criteria] for row in self.rows.values()]
        )
        level = self.level or "segment"
        names: Any = () if level == "system" else tuple(items)
        system, item, rater = index.T
        return Judgments(
            level,
            tuple(systems),
            names,
            tuple(raters),
            tuple(self.criteria),
            system,
            item,
            rater,
            scores,
            tuple(self.sources),
        )


def _judgments_in(criteria: list[str], scores: list[float], name: str) -> list[dict[str, float]]:
    """One judgment of a line, or the two of a table of repetitions."""
    named = dict(zip(criteria, scores, strict=True))
    if set(TWICE) <= set(named):
        return [{name or "score": named[column]} for column in TWICE]
    if name and "score" in named:
        return [{name if c == "score" else c: score for c, score in named.items()}]
    if name and len(named) == 1:
        return [{name: scores[0]}]
    return [named]


def _named(cell: str, what: str, where: str) -> str:
    if not cell:
        message = f"{where}: the {what} is empty"
        raise InputError(message)
    return cell


def _item(cell: str, level: str, where: str) -> int | str:
    if level == "doc":
        return _named(cell, "document id", where)
    if not (cell.isascii() and cell.isdigit()):
        message = f"{where}: segment {cell!r}; expected a line number of the test set, from 0"
        raise InputError(message)
    return int(cell)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(cell: str, column: str, where: str) -> float:
    if cell.lower() in MISSING:
        return float("nan")
    try:
        number = float(cell)
    except ValueError:
        number = float("inf")
    if not np.isfinite(number):
        message = f"{where}: {column} {cell!r}; expected a number, or nothing if it is missing"
        raise InputError(message)
    return number
