"""Parquet, Arrow, and data sets that Hugging Face ``datasets`` has saved, through pyarrow.

A folder of ``save_to_disk`` has its columns in several files, which ``FOLDER/state.json`` lists;
``FOLDER/state.json::FIELD`` reads all of them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteval_core
from mteval_readers import json_records
from mteval_readers.columns import packed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_readers.columns import Column


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
    parsed = mteval_core.Field.parse(field)
    values: list[Any] = []
    for file in files(path):
        table = table_of(file)
        top = field if field in table.column_names else str(parsed.steps[0])
        if top not in table.column_names:
            parsed.of(dict.fromkeys(table.column_names), file)
        column = pylist(table, top, file)
        if {*map(type, column)} != {str}:
            column = [
                parsed.text({top: value}, f"{file}: row {row}")
                for row, value in enumerate(column, 1)
            ]
        values += column
    return packed(values)


def fields(path: str) -> list[str]:
    """Name the columns, as a user can write them."""
    schema = table_of(files(path)[0]).schema
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
        message = f"{path}: expected the names of files of this folder in '_data_files'"
        raise mteval_core.InputError(message)
    return [str(Path(path).with_name(name)) for name in plain]


def table_of(path: str) -> Any:
    """Read a file, whose first bytes tell its format."""
    try:
        import pyarrow
        from pyarrow import ipc, parquet
    except ImportError:
        message = f"{path}: reading it needs pyarrow: pip install 'mteval-readers[arrow]'"
        raise mteval_core.InputError(message) from None
    with mteval_core.open_binary(path) as stream:
        data = pyarrow.BufferReader(stream.read())
    try:
        start = data.read(6)
        data.seek(0)
        if start.startswith(b"PAR1"):
            return parquet.read_table(data)
        opened = ipc.open_file(data) if start == b"ARROW1" else ipc.open_stream(data)
        return opened.read_all()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        message = f"{path}: cannot be read as Parquet or Arrow: {json.dumps(str(error)[:200])}"
        raise mteval_core.InputError(message) from None


def pylist(table: Any, name: str, path: str) -> list[Any]:
    """Return the values of a column, whose offsets a crafted file lets point anywhere."""
    if table.column_names.count(name) > 1:
        message = f"{path}: {table.column_names.count(name)} columns are called {name!r}"
        raise mteval_core.InputError(message)
    try:
        found = table.column(name)
        found.validate(full=True)
        values: list[Any] = found.to_pylist()
    except ValueError as error:  # out of bounds, not UTF-8, or a date that Python does not have
        message = f"{path}: the column {name!r} cannot be read: {str(error)[:200]}"
        raise mteval_core.InputError(message) from None
    return values
