"""Tables: TSV and CSV, with a header line or without one.

A field is a name of the header line, or the number of a column from 1. A name makes the first line
a header; a number does not.

CSV is what Python's csv module reads. In TSV a quotation mark is a character like any other, unless
the file is exactly what the csv module writes, with quotes around every cell or around those that
need them, and would not also be a table without them.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

import mteval_core
from mteval_readers.fields import Field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mteval_readers.columns import Column

    Line = tuple[int, list[str]]

CSV = re.compile(r"\.csv(\.(gz|xz|zst))?$")
"""The ending of a file with commas."""
QUOTED = re.compile(r'(?:^|\t)"', re.MULTILINE)
"""The beginning of a cell with quotes, if the file has such."""
USUAL = re.compile(
    r"(src|source|tgt|target|mt|hyp|hypothesis|ref|reference|translation|system|doc|seg|segment|id|score)"
    r"s?[ _.-]?(\w{1,8})?",
    re.IGNORECASE,
)
"""Names that columns of texts often have."""


def read(path: str, field: str) -> Column:
    """Read a column.

    Parameters
    ----------
    path : str
        A file whose name ends in ``.csv`` or ``.tsv``, apart from the ending of compression.
    field : str
        A name in the header line, or a number from 1.

    Returns
    -------
    list of str

    Raises
    ------
    mteval_core.InputError
        If the lines have not all the same number of cells, or there is no such column.

    Warns
    -----
    MtevalWarning
        ``header-line``: the column has a number, but the first line looks like a header.
    """
    return [cell for _, cell in cells_of(path, field)]


def values(path: str, field: str) -> Iterator[tuple[str, str]]:
    """Yield the cells of a column, each with its file and line; see `read`."""
    for line, cell in cells_of(path, field):
        yield f"{path}:{line}", cell


def cells_of(path: str, field: str) -> list[tuple[int, str]]:
    """Return the cells of a column with the numbers of their lines; see `read`."""
    (first, header), *lines = even(path)
    place = Field.parse(field).column(header, f"{path}:{first}")
    if field not in header:
        lines = [(first, header), *lines]
    if field not in header and is_header(header):
        message = (
            f"{path}:{first}: the line looks like a header ({', '.join(header)}), but column "
            f"{field} includes it as a segment; if it is a header, write {path}::{header[place]}"
        )
        warnings.warn(mteval_core.MtevalWarning("header-line", message), stacklevel=2)
    return [(number, cells[place]) for number, cells in lines]


def fields(path: str) -> list[str]:
    """Name the columns by the header line; without one, number them."""
    first = even(path)[0][1]
    return first if is_header(first) else [str(k) for k in range(1, len(first) + 1)]


def is_header(cells: Sequence[str]) -> bool:
    """Whether the cells of a line look like names of columns."""
    return len({*cells}) == len(cells) and any(USUAL.fullmatch(cell) for cell in cells)


def records(path: str, columns: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines below the header as records, with their numbers.

    Raises
    ------
    mteval_core.InputError
        If the header line lacks one of the columns.
    """
    (first, header), *lines = even(path)
    for name in columns:
        Field.parse(name).column(header, f"{path}:{first}")
    for number, cells in lines:
        yield number, dict(zip(header, cells, strict=True))


def even(path: str) -> list[Line]:
    """Split the lines of a file into cells; refuse lines of different length."""
    text = mteval_core.read_text(path, plain=False).buffer.decode()
    lines = rows(text, path)
    first = next((cells for _, cells in lines if cells), None)
    if first is None:
        raise mteval_core.InputError(f"{path}: all lines are empty; expected a table")
    if len(first) == 1:  # the empty line is an empty cell
        lines = [(number, cells or [""]) for number, cells in lines]
    lines = [line for line in lines if line[1]]
    for number, cells in lines:
        if len(cells) != len(lines[0][1]):
            raise mteval_core.InputError(
                f"{path}:{number}: {len(cells)} cells, but line {lines[0][0]} has "
                f"{len(lines[0][1])}; expected the same number in every line"
            )
    return lines


def rows(text: str, path: str) -> list[Line]:
    """Split a text into lines and cells."""
    if CSV.search(path):
        return quoted_rows(text, ",", path)
    numbered = enumerate(text.split("\n")[:-1], 1)
    lines = [(n, line.split("\t") if line else []) for n, line in numbered]
    if not QUOTED.search(text):
        return lines
    with suppress(mteval_core.InputError):
        quoted = quoted_rows(text, "\t", path)
        exact = text == written(quoted, csv.QUOTE_MINIMAL) or (
            text.startswith('"') and text == written(quoted, csv.QUOTE_ALL)
        )
        if exact and (len(quoted) == len(lines) or len({len(row) for _, row in lines}) > 1):
            return quoted
    return lines


def quoted_rows(text: str, delimiter: str, path: str) -> list[Line]:
    """Split a text whose cells may be quoted, and may then contain line feeds."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[Line] = []
    limit = csv.field_size_limit(max(len(text), 1 << 17))
    try:
        start = 1
        for cells in reader:
            lines.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as error:
        raise mteval_core.InputError(f"{path}:{reader.line_num}: {error}") from None
    finally:
        csv.field_size_limit(limit)
    return lines


def written(lines: list[Line], quoting: Literal[0, 1]) -> str:
    """Write lines as the csv module does."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n", quoting=quoting)
    writer.writerows(cells for _, cells in lines)
    return stream.getvalue()
