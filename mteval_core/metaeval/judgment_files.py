"""Tables of human scores.

A file has one line per judgment::

    system  segment  rater   adequacy  fluency
    best    0        judge1  5         5

``segment`` is the number of the line in the test set, from 0; ``doc`` in its place is a document
id; without either a line judges a system. ``rater`` may be left out. Every other column with a name
whose first entry is a number is a criterion. An empty cell (or ``NA``, ``NaN``, ``None``) is a
missing score, not a zero. A table with the columns ``first`` and ``second`` holds two judgments of
one item per line.
"""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import InputError
from mteval_core.metaeval.judgments import Judgments
from mteval_core.text.files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from mteval_core.metaeval.judgments import ItemLevel
    from mteval_core.text.text import Text

__all__ = ["read_judgments"]

NO_CRITERIA = {"", "system", "segment", "doc", "rater"}

MISSING = {"", "na", "nan", "none", "null"}
"""What a cell without a score holds, in lower case."""

TWICE = ("first", "second")
"""Columns of a table with two judgments of one item per line."""

LARGEST = 1e100
"""What is larger is no score, and its square may be no number any more."""

DIGITS = 18
"""Longest number of a segment."""


def read_judgments(
    paths: Iterable[str | PathLike[str] | tuple[str, str | PathLike[str]]],
) -> Judgments:
    """Read tables of human scores.

    Parameters
    ----------
    paths : iterable of path-like or of (str, path-like)
        One file or several of the same systems and items, with different criteria or different
        items. A name before a path, unless it is empty, is that of the criterion ``score`` of the
        file, or of the only criterion. ``.gz`` and ``.xz`` are uncompressed, ``-`` is standard
        input. Tabs separate the columns; if the first line has none, commas, with quotes as in CSV.

    Returns
    -------
    Judgments

    Raises
    ------
    InputError
        If a file cannot be read or is no such table, with file and line.
    """
    tables = _Tables()
    for given in paths:
        name, path = given if isinstance(given, tuple) else ("", given)
        tables.read(name, path)
    return tables.judgments()


class _Tables:
    """Judgments of all files, gathered by system, item, rater and repetition."""

    def __init__(self) -> None:
        self.sources: list[tuple[str, str]] = []
        self.level: ItemLevel = "segment"
        self.criteria: dict[str, None] = {}
        self.rows: dict[tuple[str, int | str, str, int], dict[str, float]] = {}

    def read(self, name: str, path: str | PathLike[str]) -> None:
        content = read_text(path)
        source = str(content.path)
        (top, header), *lines = _lines(content, source)
        level = self._level(header, f"{source}:{top}")
        if not lines:
            message = f"{source}: no judgments below the header line"
            raise InputError(message)
        for number, row in lines:
            if len(row) != len(header):
                message = (
                    f"{source}:{number}: {len(row)} columns; the header line has {len(header)}"
                )
                raise InputError(message)
        judgments = _judgments(header, [row for _, row in lines], name, f"{source}:{top}")
        self.criteria.update((criterion, None) for one in judgments for criterion in one.values())
        self.sources.append((source, hashlib.sha256(content.buffer).hexdigest()))
        n_seen: Counter[tuple[str, int | str, str]] = Counter()
        for number, row in lines:
            where = f"{source}:{number}"
            record = dict(zip(header, row, strict=True))
            key = (
                _named(record["system"], "system", where),
                _item(record, level, where),
                _named(record["rater"], "rater", where) if "rater" in record else "",
            )
            for columns in judgments:
                scores = self.rows.setdefault((*key, n_seen[key]), {})
                n_seen[key] += 1
                for column, criterion in columns.items():
                    if criterion in scores:
                        message = (
                            f"{where}: {criterion!r} of this item is in an earlier file too; name "
                            f"the criteria of the files, NAME=FILE"
                        )
                        raise InputError(message)
                    scores[criterion] = _score(record[column], column, where)

    def _level(self, header: list[str], where: str) -> ItemLevel:
        repeated = {column for column in header if column and header.count(column) > 1}
        if "system" not in header or repeated:
            found = ", ".join(map(repr, header))
            wanted = f"{min(repeated)!r} once" if repeated else "a column 'system'"
            message = f"{where}: expected {wanted} in the header line; found {found}"
            raise InputError(message)
        level: ItemLevel = (
            "segment" if "segment" in header else "doc" if "doc" in header else "system"
        )
        if self.sources and self.level != level:
            message = (
                f"{where}: judgments of a {level}, but of a {self.level} in {self.sources[0][0]}: "
                f"give one or the other"
            )
            raise InputError(message)
        self.level = level
        return level

    def judgments(self) -> Judgments:
        systems, items, raters = (
            {name: place for place, name in enumerate(dict.fromkeys(names))}
            for names in zip(*((key[:3]) for key in self.rows), strict=True)
        )
        if self.level == "segment":
            items = {item: place for place, item in enumerate(sorted(items))}
        places: Any = [(systems[s], items[i], raters[r]) for s, i, r, _ in self.rows]
        system, item, rater = np.array(places, np.int64).T
        names: Any = () if self.level == "system" else tuple(items)
        return Judgments(
            self.level,
            tuple(systems),
            names,
            tuple(raters),
            tuple(self.criteria),
            system,
            item,
            rater,
            np.array([[row.get(c, np.nan) for c in self.criteria] for row in self.rows.values()]),
            tuple(self.sources),
        )


def _lines(content: Text, source: str) -> list[tuple[int, list[str]]]:
    """Cells of all lines but empty ones, with the numbers of the lines."""
    lines = {number: line for number, line in enumerate(content, 1) if line}
    if not lines:
        message = f"{source}: all lines are empty; expected a header line with a column 'system'"
        raise InputError(message)
    if "\t" in next(iter(lines.values())):
        found = [(number, line.split("\t")) for number, line in lines.items()]
    else:
        for number, line in lines.items():
            if "\r" in line:
                message = (
                    f"{source}:{number}: a carriage return in the line; expected \\n or \\r\\n"
                )
                raise InputError(message)
        reader = csv.reader((f"{line}\n" for line in content), strict=True)
        try:
            found = [(reader.line_num, row) for row in reader if row]
        except csv.Error as error:
            message = f"{source}:{reader.line_num}: {error}"
            raise InputError(message) from None
    return [(number, [cell.strip() for cell in row]) for number, row in found]


def _judgments(
    header: list[str], rows: list[list[str]], name: str, where: str
) -> list[dict[str, str]]:
    """Columns and criteria of each judgment of a line: one judgment, or two repeated ones."""
    columns = {}
    for k, column in enumerate(header):
        first = next((row[k] for row in rows if row[k].lower() not in MISSING), "")
        if column not in NO_CRITERIA and (column == "score" or _number(first) is not None):
            columns[column] = column
    if not columns:
        message = (
            f"{where}: no column of scores beside {', '.join(map(repr, header))}; expected "
            f"'score', or criteria such as 'adequacy'"
        )
        raise InputError(message)
    if set(TWICE) <= set(columns):
        return [{column: name or "score"} for column in TWICE]
    if name:
        named = "score" if "score" in columns else min(columns)
        if (named != "score" and len(columns) > 1) or name in columns.keys() - {named}:
            message = (
                f"{where}: which column is {name!r}? Expected 'score' or a single criterion, and "
                f"none of that name; found {', '.join(map(repr, columns))}"
            )
            raise InputError(message)
        columns[named] = name
    return [columns]


def _named(cell: str, what: str, where: str) -> str:
    if not cell:
        message = f"{where}: the {what} is empty"
        raise InputError(message)
    return cell


def _item(record: dict[str, str], level: ItemLevel, where: str) -> int | str:
    if level == "system":
        return 0
    if level == "doc":
        return _named(record["doc"], "document id", where)
    cell = record["segment"]
    if not (cell.isascii() and cell.isdigit() and len(cell) <= DIGITS):
        message = f"{where}: segment {cell!r}; expected a line number of the test set, from 0"
        raise InputError(message)
    return int(cell)


def _number(cell: str) -> float | None:
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def _score(cell: str, column: str, where: str) -> float:
    if cell.lower() in MISSING:
        return float("nan")
    number = _number(cell)
    if number is None or not abs(number) <= LARGEST:
        message = f"{where}: {column} {cell!r}; expected a number, or nothing if it is missing"
        raise InputError(message)
    return number
