"""Parquet, Arrow, and data sets that Hugging Face ``datasets`` has saved, through pyarrow.

A folder of ``save_to_disk`` has its columns in several files, which ``FOLDER/state.json`` lists;
``FOLDER/state.json::FIELD`` reads all of them.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteval_core
from mteval_readers import json_records
from mteval_readers.columns import packed
from mteval_readers.fields import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mteval_readers.columns import Column


ROWS = 1024
"""Number of rows of Parquet that are read at once: a few values may stand for many."""

MOST_BYTES = 1 << 30
"""Largest number of bytes of a column, unless the environment says otherwise."""


def is_state(path: str) -> bool:
    """Whether a file is the ``state.json`` of a saved data set."""
    with mteval_core.open_binary(path) as stream:
        return b'"_data_files"' in stream.read(1 << 16)


def is_no_state(path: str) -> bool:
    """Whether a JSON file is not the ``state.json`` of a saved data set."""
    return Path(path).name != "state.json" or not is_state(path)


def read(path: str, field: str) -> Column:
    """Read a column.

    Parameters
    ----------
    path : str
        A file ``*.parquet`` or ``*.arrow``, or ``state.json``.
    field : str
        The name of a column, or a path into its values, such as ``translation.de``.

    Raises
    ------
    mteval_core.InputError
        If pyarrow is not installed, a file is damaged, or a value is not text.
    """
    found: list[Any] = []
    for top, file, column in columns(path, field):
        if {*map(type, column)} != {str}:
            parsed = Field.parse(field)
            column = [
                parsed.text({top: value}, f"{file}: row {row}")
                for row, value in enumerate(column, 1)
            ]
        found += column
    return packed(found)


def values(path: str, field: str) -> Iterator[tuple[str, Any]]:
    """Yield a value of each row as it is, with its file and the number of the row."""
    parsed = Field.parse(field)
    for top, file, column in columns(path, field):
        for row, value in enumerate(column, 1):
            where = f"{file}: row {row}"
            yield where, parsed.of({top: value}, where)


def columns(path: str, field: str) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield the name of a column, a file, and the values of the column in it."""
    parsed = Field.parse(field)
    for file in files(path):
        schema, batches = opened(file)
        with arrow_errors(file):  # names may not be UTF-8
            known = schema.names
        top = field if field in known else str(parsed.steps[0])
        if top not in known:
            parsed.of(dict.fromkeys(known), file)
        if known.count(top) > 1:
            raise mteval_core.InputError(f"{file}: {known.count(top)} columns are called {top!r}")
        yield top, file, [value for part in batches(top) for value in pylist(part, top, file)]


def fields(path: str) -> list[str]:
    """Name the columns, as a user can write them."""
    schema, _ = opened(files(path)[0])
    with arrow_errors(path):
        return [name for column in schema for name in names(column)]


def names(column: Any, before: str = "") -> Iterator[str]:
    """Yield the fields of a column: those of a structure, and ``[*]`` of a list."""
    name, kind = f"{before}{column.name}", column.type
    if str(kind).startswith("struct"):
        for k in range(kind.num_fields):
            yield from names(kind.field(k), f"{name}.")
    else:
        yield f"{name}[*]" if str(kind).startswith(("list", "large_list")) else name


def files(path: str) -> list[str]:
    """Return the files of a saved data set; another path is its only file."""
    if Path(path).name != "state.json":
        return [path]
    text = mteval_core.read_text(path, plain=False).buffer.decode()
    state = json_records.document(text, path)
    listed = state.get("_data_files") if isinstance(state, dict) else None
    listed = listed if isinstance(listed, list) else []
    found = [file.get("filename") for file in listed if isinstance(file, dict)]
    plain = [name for name in found if isinstance(name, str) and Path(name).name == name]
    if not plain or len(plain) < len(listed):
        raise mteval_core.InputError(
            f"{path}: expected the names of files of this folder in '_data_files'"
        )
    return [str(Path(path).with_name(name)) for name in plain]


def opened(path: str) -> tuple[Any, Callable[[str], Iterator[Any]]]:
    """Open a file, whose first bytes tell its format.

    Returns
    -------
    schema : pyarrow.Schema
    batches : callable
        ``batches(name)`` yields the parts of a column.
    """
    try:
        import pyarrow
        from pyarrow import ipc, parquet
    except ImportError:
        raise mteval_core.InputError(
            f"{path}: reading it needs pyarrow: pip install 'mteval-readers[arrow]'"
        ) from None
    with mteval_core.open_binary(path) as stream:
        data = pyarrow.BufferReader(stream.read())
    start = data.read(6)
    data.seek(0)
    with arrow_errors(path):
        if start.startswith(b"PAR1"):
            file = parquet.ParquetFile(data)
            schema = file.schema_arrow
        else:
            found = ipc.open_file(data) if start == b"ARROW1" else ipc.open_stream(data)
            schema = found.schema

    def batches(name: str) -> Iterator[Any]:
        if start.startswith(b"PAR1"):
            read = file.iter_batches(ROWS, columns=[name])
        elif start == b"ARROW1":
            read = map(found.get_batch, range(found.num_record_batches))
        else:
            read = iter(found)
        most = max(int(os.environ.get("MTEVAL_MAX_BYTES", MOST_BYTES)), 100 * data.size())
        n_bytes = 0
        while True:
            with arrow_errors(path):
                batch = next(read, None)
            if batch is None:
                return
            column = checked(batch.column(batch.schema.names.index(name)), name, path)
            n_bytes += column.get_total_buffer_size()
            if n_bytes > most:
                raise mteval_core.InputError(
                    f"{path}: more than {most:,} bytes of values, as in a file that is made to "
                    f"fill the memory; if it is not, type mteval --max-bytes N, or set "
                    f"MTEVAL_MAX_BYTES"
                )
            yield column

    return schema, batches


@contextmanager
def arrow_errors(path: str) -> Iterator[None]:
    """Turn what pyarrow raises for a damaged file into an `InputError`."""
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise mteval_core.InputError(
            f"{path}: cannot be read as Parquet or Arrow: {json.dumps(str(error)[:200])}"
        ) from None


def checked(part: Any, name: str, path: str) -> Any:
    """Validate a part of a column, whose offsets a crafted file lets point anywhere."""
    try:
        part.validate(full=True)
        return part.dictionary_decode() if hasattr(part, "dictionary_decode") else part
    except ValueError as error:  # out of bounds, or not UTF-8
        raise mteval_core.InputError(
            f"{path}: the column {name!r} cannot be read: {str(error)[:200]}"
        ) from None


def pylist(part: Any, name: str, path: str) -> list[Any]:
    """Return the values of a part of a column."""
    try:
        values: list[Any] = part.to_pylist()
    except ValueError as error:  # a date that Python does not have
        raise mteval_core.InputError(
            f"{path}: the column {name!r} cannot be read: {str(error)[:200]}"
        ) from None
    return values
