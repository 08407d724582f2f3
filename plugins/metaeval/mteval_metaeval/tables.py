"""Tables of human scores.

A file has one line per judgment::

    system  segment  rater   adequacy  fluency
    deep    0        judge1  5         5

``segment`` is the line number in the test set, from 0. A column ``doc`` holds document ids instead.
Without either, a line judges a system. ``rater`` is optional. Every other named column is a
criterion if half of its entries or more are numbers; then all of them must be. Columns named as ids
(``doc_id``, ``globalSegId``) are never criteria. An empty cell (or ``NA``, ``NaN``, ``None``) is a
missing score, not a zero. A table with the columns ``first`` and ``second`` holds two judgments of
one item per line. A rater has one line per item. Words in the columns ``target`` and ``source`` are
the texts that a rater saw.
"""

from __future__ import annotations

import csv
import hashlib
import re
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import InputError, Judgments, MtevalWarning, check_name, read_text
from mteval_metaeval.judged_texts import SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Literal

    from mteval_core import Text

    ItemLevel = Literal["segment", "doc", "system"]

__all__ = ["read_judgments"]

KEY_COLUMNS = {"", "system", "segment", "doc", "rater"}
"""Columns that are not criteria."""

ID = re.compile(r"(?:(?:^|[^a-zA-Z])(?:id|ID|Id)|[a-z]I[dD]|(?:^|[^a-zA-Z])(?:doc|seg)id)$")
"""Names of columns that hold ids, such as ``doc_id``, ``seg-id`` or ``globalSegId``."""

MISSING_VALUES = {"", "na", "nan", "none", "null"}
"""Contents of a cell without a score, in lower case."""

DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
"""A number with a comma before its fraction, as many spreadsheets write it."""

TWICE = ("first", "second")
"""Columns of a table with two judgments of one item per line."""

LARGEST_SCORE = 1e100
"""Larger values are rejected: their squares could overflow."""

MOST_SEGMENT_DIGITS = 18
"""Largest number of digits of a segment number."""

NumberedLine = tuple[int, list[str]]


class JudgmentKey(NamedTuple):
    """What identifies a judgment."""

    system: str
    item: int | str
    rater: str
    repetition: int = 0


def read_judgments(
    paths: Iterable[str | PathLike[str] | tuple[str, str | PathLike[str]]],
) -> Judgments:
    """Read tables of human scores.

    Parameters
    ----------
    paths : iterable of path-like or of (str, path-like)
        One file, or several with different criteria or different items. A non-empty name before a
        path names the criterion ``score`` of the file, or its only criterion. ``.gz`` and ``.xz``
        files are decompressed; ``-`` is standard input. Columns are separated by tabs; if the first
        line has none, by commas, with quotes as in CSV.

    Returns
    -------
    Judgments

    Raises
    ------
    InputError
        If a file cannot be read or is not such a table; the message names file and line.
    """
    tables = _Tables()
    for item in paths:
        name, path = item if isinstance(item, tuple) else ("", item)
        tables.read(name, path)
    return tables.judgments()


class _Tables:
    """Judgments of all files, gathered by system, item, rater and repetition."""

    def __init__(self) -> None:
        self.sources: list[tuple[str, str]] = []
        self.level: ItemLevel = "segment"
        self.rows: dict[JudgmentKey, dict[str, float]] = {}
        self.texts: dict[tuple[str, int], str] = {}
        self.names: set[str] = set()

    def read(self, name: str, path: str | PathLike[str]) -> None:
        """Read a file; ``name`` names its criterion, unless it is empty."""
        content = read_text(path, plain=False)
        source = str(content.path)
        if content.buffer.lstrip().startswith((b"{", b"[")):
            raise InputError(f"{source}: JSON in a form that no format knows: {content[0]!r:.60}")
        (top, header), *lines = _lines(content, source)
        for column in (name, *header):
            check_name(column, f"{source}:{top}: column", InputError)
        level = self._level(header, f"{source}:{top}")
        _check_lines(lines, header, source)
        by_content = _Columns.of(header, [row for _, row in lines])
        seen = by_content.take_texts(level)
        by_content.warn_of_unused(level, f"{source}:{top}")
        judgments = _judgments(header, by_content.scores, name, f"{source}:{top}")
        self.sources.append((source, hashlib.sha256(content.buffer).hexdigest()))
        n_seen: dict[JudgmentKey, int] = {}
        for number, row in lines:
            where = f"{source}:{number}"
            record = dict(zip(header, row, strict=True))
            key = self._key(record, level, where)
            if key.rater and key in n_seen:
                raise InputError(
                    f"{where}: a second judgment of {level} {key.item!r} of {key.system!r} by "
                    f"{key.rater!r}; name two of one rater 'first' and 'second', in a line"
                )
            for column in seen:
                system = key.system if column == "target" else SOURCE
                self.texts[system, int(key.item)] = record[column]
            for columns in judgments:
                n = n_seen.get(key, 0)
                n_seen[key] = n + 1
                self._add(key._replace(repetition=n) if n else key, record, columns, where)

    def _key(self, record: dict[str, str], level: ItemLevel, where: str) -> JudgmentKey:
        """Tell what was judged, and by whom."""
        system = self._named(record["system"], "system", where)
        rater = self._named(record["rater"], "rater", where) if "rater" in record else ""
        if level == "segment":
            return JudgmentKey(system, _segment(record["segment"], where), rater)
        item = self._named(record["doc"], "document id", where) if level == "doc" else 0
        return JudgmentKey(system, item, rater)

    def _named(self, cell: str, what: str, where: str) -> str:
        """Return a name; each is checked once."""
        if cell in self.names:
            return cell
        if not cell:
            raise InputError(f"{where}: the {what} is empty")
        self.names.add(check_name(cell, f"{where}: {what}", InputError))
        return cell

    def _add(
        self, key: JudgmentKey, record: dict[str, str], columns: dict[str, str], where: str
    ) -> None:
        """Add the scores of one judgment."""
        scores = self.rows.setdefault(key, {})
        for column, criterion in columns.items():
            if criterion in scores:
                raise InputError(
                    f"{where}: {criterion!r} of this item is in an earlier file too; name the "
                    f"criteria of the files, NAME=FILE"
                )
            scores[criterion] = _score(record[column], column, where)

    def _level(self, header: list[str], where: str) -> ItemLevel:
        """Tell from the header what was judged; it must be the same in all files."""
        repeated = {column for column in header if column and header.count(column) > 1}
        if "system" not in header or repeated:
            has_system = "system" in header
            expected = f"{min(repeated)!r} once" if has_system else "a column 'system'"
            columns = ", ".join(map(repr, header))
            raise InputError(f"{where}: expected {expected} in the header line, got {columns}")
        level: ItemLevel = "system"
        if "segment" in header or "doc" in header:
            level = "segment" if "segment" in header else "doc"
        if self.sources and self.level != level:
            raise InputError(
                f"{where}: judgments of a {level}, but {self.sources[0][0]} has judgments of a "
                f"{self.level}; expected the same in all files"
            )
        self.level = level
        return level

    def judgments(self) -> Judgments:
        """Return the judgments of all files."""
        rows = ((key.system, key.item, key.rater, row) for key, row in self.rows.items())
        found = Judgments.of(rows, level=self.level, sources=tuple(self.sources))
        return replace(found, texts=self.texts or None)


def _lines(content: Text, source: str) -> list[NumberedLine]:
    """Split all non-empty lines into cells, with the numbers of the lines."""
    lines = [(number, line) for number, line in enumerate(content, 1) if line]
    if not lines:
        raise InputError(
            f"{source}: all lines are empty; expected a header line with a column 'system'"
        )
    if "\t" in lines[0][1]:
        rows = [(number, line.split("\t")) for number, line in lines]
    else:
        rows = _csv_lines(content, source)
    return [(number, [cell.strip() for cell in row]) for number, row in rows]


def _csv_lines(content: Text, source: str) -> list[NumberedLine]:
    """Split non-empty lines at commas."""
    for number, line in enumerate(content, 1):
        if line and "\r" in line:
            raise InputError(
                f"{source}:{number}: a carriage return in the line; expected \\n or \\r\\n"
            )
    reader = csv.reader((f"{line}\n" for line in content), strict=True)
    try:
        return [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise InputError(
            f"{source}:{reader.line_num}: not CSV ({error}); expected columns that tabs or commas "
            f"separate, with a column 'system' in the header line"
        ) from None


def _check_lines(lines: list[NumberedLine], header: list[str], source: str) -> None:
    if not lines:
        raise InputError(f"{source}: no judgments below the header line")
    for number, row in lines:
        if len(row) != len(header):
            raise InputError(
                f"{source}:{number}: {len(row)} columns; the header line has {len(header)}"
            )


class _Columns(NamedTuple):
    """Columns other than keys, by what they hold."""

    scores: list[str]
    ids: list[str]
    words: dict[str, str]
    """Column by name, with its first entry that is not a number."""

    @classmethod
    def of(cls, header: list[str], rows: list[list[str]]) -> _Columns:
        """Sort the columns of a table."""
        columns = cls([], [], {})
        for k, column in enumerate(header):
            if column in KEY_COLUMNS:
                continue
            if ID.search(column):
                columns.ids.append(column)
                continue
            entries = [row[k] for row in rows if row[k].lower() not in MISSING_VALUES]
            words = [entry for entry in entries if _parse_number(entry) is None]
            if column == "score" or 0 < len(entries) >= 2 * len(words):
                columns.scores.append(column)
            elif words:
                columns.words[column] = words[0]
        return columns

    def take_texts(self, level: ItemLevel) -> list[str]:
        """Take the columns of what raters saw out of those of words: outputs, and their source."""
        if level != "segment" or "target" not in self.words:
            return []
        return [name for name in ("target", "source") if self.words.pop(name, None)]

    def warn_of_unused(self, level: ItemLevel, where: str) -> None:
        """Name the columns that are not used and might be meant as scores or items."""
        if self.words:
            names = ", ".join(f"{name!r} ({_short(cell)})" for name, cell in self.words.items())
            message = (
                f"{where}: most entries of these columns are not numbers, so they are not scores: "
                f"{names}{''.join(sorted({*map(_advice, self.words.values())}))}"
            )
            warnings.warn(MtevalWarning("unused-columns", message), stacklevel=2)
        if self.ids and level == "system":
            message = (
                f"{where}: {', '.join(map(repr, self.ids))}: columns of ids are not used, so every "
                f"line judges a whole system; for judgments of segments or documents, add a column "
                f"'segment' (line number of the test set, from 0) or 'doc' (document id)"
            )
            warnings.warn(MtevalWarning("unused-columns", message), stacklevel=2)


def _advice(cell: str) -> str:
    """Say what to do about a decimal comma; empty if there is none."""
    if not DECIMAL_COMMA.fullmatch(cell):
        return ""
    return f"; a decimal comma: write {cell.replace(',', '.')}"


def _short(cell: str) -> str:
    """Quote the beginning of a cell."""
    return repr(cell if len(cell) <= 20 else f"{cell[:17]}...")


def _judgments(
    header: list[str], columns: list[str], name: str, where: str
) -> list[dict[str, str]]:
    """Map columns to criteria, for each judgment of a line: one, or two repeated judgments."""
    if not columns:
        raise InputError(
            f"{where}: no column of scores among {', '.join(map(repr, header))}; expected 'score', "
            f"or criteria such as 'adequacy'"
        )
    if set(TWICE) <= set(columns):
        return [{column: name or "score"} for column in TWICE]
    criteria = {column: column for column in columns}
    if name:
        named = "score" if "score" in columns else min(columns)
        if (named != "score" and len(columns) > 1) or name in set(columns) - {named}:
            raise InputError(
                f"{where}: {name!r} can name the column 'score' or a single criterion, and no "
                f"other criterion can have that name; got {', '.join(map(repr, columns))}"
            )
        criteria[named] = name
    return [criteria]


def _segment(cell: str, where: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) <= MOST_SEGMENT_DIGITS):
        raise InputError(
            f"{where}: segment {cell!r}; expected a line number of the test set, from 0"
        )
    return int(cell)


def _parse_number(cell: str) -> float | None:
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def _score(cell: str, column: str, where: str) -> float:
    if cell.lower() in MISSING_VALUES:
        return float("nan")
    number = _parse_number(cell)
    if number is None or not abs(number) <= LARGEST_SCORE:
        raise InputError(
            f"{where}: {column} {cell!r}; expected a number, or nothing if it is missing"
            f"{_advice(cell)}"
        )
    return number
