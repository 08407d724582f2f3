"""JSON lines, and JSON files that hold one list of records.

Each record is an object. A key that occurs twice in an object is an error, because programs differ
in which of the two they read.
"""

from __future__ import annotations

import json
from collections import Counter
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Any, NoReturn

import mteval_core
from mteval_readers.columns import column, names
from mteval_readers.fields import Field

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_readers.columns import Column

BETWEEN = "\n"
"""Stands between the lines of a block; no line has this string outside of objects."""

BLOCK = 1 << 16
"""Number of bytes that are parsed in one call. One call per line takes three times as long."""


def read(path: str, field: str) -> Column:
    """Read a column; see `mteval_readers.columns.column`."""
    return column(blocks(path), field, path)


def fields(path: str) -> list[str]:
    """Name the fields of the first record."""
    return names(blocks(path))


def values(path: str, field: str) -> Iterator[tuple[str, Any]]:
    """Yield a value of each record as it is, with its file and line."""
    parsed = Field.parse(field)
    for line, record in rows(path):
        where = f"{path}:{line}"
        yield where, parsed.of(record, where)


def rows(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records, each with the number of its line; see `blocks`."""
    for lines, records in blocks(path):
        yield from zip(lines, records, strict=True)


def string(record: Mapping[str, Any], field: str, where: str) -> str:
    """Return a string of a record.

    Raises
    ------
    mteval_core.InputError
        If it is missing, null, or anything else than a string.
    """
    value = record.get(field)
    if isinstance(value, str):
        return value
    seen = f"{field!r} is {json.dumps(value)[:60]}" if field in record else f"no field {field!r}"
    raise mteval_core.InputError(f"{where}: {seen}; expected a string")


def blocks(path: str) -> Iterator[tuple[Sequence[int], list[dict[str, Any]]]]:
    """Yield the records in blocks, with the numbers of their lines.

    Parameters
    ----------
    path : str
        A file with one object per line, or with one list of objects, which are then numbered
        themselves.

    Raises
    ------
    mteval_core.InputError
        If a line is not an object, or an object has a key twice.
    """
    data = mteval_core.read_text(path, plain=False).buffer
    if data[:100].lstrip().startswith(b"["):
        records = listed(data.decode(), path)
        yield range(1, 1 + len(records)), records
        return
    if not data.strip():
        raise mteval_core.InputError(
            f"{path}: every line is empty; expected one JSON object per line"
        )
    number = 1
    start = 0
    while start < len(data):
        stop = data.find(b"\n", start + BLOCK) + 1 or len(data)
        yield block(data[start:stop], number, path)
        number += data.count(b"\n", start, stop)
        start = stop


def block(data: bytes, start: int, path: str) -> tuple[Sequence[int], list[dict[str, Any]]]:
    """Parse some lines at once; if they are not as many objects, parse them one by one."""
    try:
        joined = data[:-1].replace(b"\n", f",{json.dumps(BETWEEN)},".encode()).decode()
        parsed_block = DECODER.decode(f"[{joined}]")
    except (ValueError, RecursionError):
        parsed_block = []
    records, between = parsed_block[::2], parsed_block[1::2]
    n_lines = data.count(b"\n")
    if between == [BETWEEN] * (n_lines - 1) and {*map(type, records)} == {dict}:
        return range(start, start + n_lines), records
    lines = data.decode().split("\n")[:-1]
    numbers = [number for number, line in enumerate(lines, start) if line.strip()]
    return numbers, [parsed(lines[number - start], f"{path}:{number}") for number in numbers]


def parsed(line: str, where: str) -> dict[str, Any]:
    """Parse one object."""
    try:
        record = DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        refuse(error, where)
    if not isinstance(record, dict):
        raise mteval_core.InputError(
            f"{where}: a JSON {type(record).__name__}; expected one object per line, {{...}}"
        )
    return record


def listed(text: str, path: str) -> list[dict[str, Any]]:
    """Parse a list of objects."""
    records = document(text, path)
    if not (isinstance(records, list) and records) or not all(
        type(record) is dict for record in records
    ):
        raise mteval_core.InputError(f"{path}: expected a list of JSON objects, [{{...}}, ...]")
    return records


def document(text: str, path: str) -> Any:
    """Parse one JSON document."""
    try:
        return DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        line = f":{error.lineno}" if isinstance(error, JSONDecodeError) else ""
        refuse(error, f"{path}{line}")


def refuse(error: Exception, where: str) -> NoReturn:
    """Raise an `InputError` that says why a text is not JSON."""
    reason = error.msg if isinstance(error, JSONDecodeError) else str(error)
    if isinstance(error, RecursionError):
        reason = "objects are nested too deeply"
    raise mteval_core.InputError(f"{where}: not a JSON object: {reason}") from None


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs; refuse a key that occurs twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        (key, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key!r} occurs twice in one object")
    return record


DECODER = JSONDecoder(object_pairs_hook=unique)
