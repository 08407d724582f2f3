"""Reading texts and data sets by the name of a file, with the formats of the registry.

An *address* is the path of a plain file, or ``PATH::FIELD``: a column of a file with fields, or a
text of a data set. Every `Text` that is read has an address as its path, from which it can be read
again.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core.data.dataset import Dataset
from mteval_core.errors import InputError, PluginError, attributed, near, readable
from mteval_core.plugin.declarations import DatasetSpec, load
from mteval_core.plugin.loading import default_registry
from mteval_core.text.text import Text, kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.plugin.declarations import ReaderSpec
    from mteval_core.plugin.registry import Entry, Registry

__all__ = ["MARK", "field_of", "path_of", "read_dataset", "text_at", "texts_at"]

MARK = "::"
"""Separates the path of a file from a field."""


def path_of(address: str) -> str:
    """Return the file of an address."""
    return address if exists(address) else address.rpartition(MARK)[0] or address


def field_of(address: str) -> str:
    """Return the field of an address; empty if there is none."""
    return "" if exists(address) or MARK not in address else address.rpartition(MARK)[2]


def exists(path: str) -> bool:
    """Whether there is a file or folder of this name; a text that cannot be a path has none."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


# Texts


def text_at(address: str, registry: Registry) -> Text:
    """Read one text.

    Parameters
    ----------
    address : str
        A plain file, or ``PATH::FIELD``.
    registry : Registry
        Where to look for the format.

    Raises
    ------
    InputError
        If the file cannot be read, or the field holds several texts.
    PluginError
        If the format fails, or several claim the file.
    """
    texts = texts_at(address, registry)
    if len(texts) > 1:
        message = (
            f"{address}: {len(texts)} texts per segment, expected one: choose it, as in "
            f"{address.replace('[*]', '[1]')}"
        )
        raise InputError(message)
    return texts[0]


def texts_at(address: str, registry: Registry) -> list[Text]:
    """Read the texts of an address: one, or several for a field with ``[*]``.

    See `text_at` for the parameters and errors.
    """
    path, field = path_of(address), field_of(address)
    if field and belongs_to_dataset(path, field, registry):
        return [read_dataset(path, registry=registry).text(field)]
    reader = registry.reader(path)
    if reader.declaration.fields is None:
        if field:
            raise InputError(without_columns(path, field, reader, registry))
        return [plain_text(path, reader)]
    if not field:
        raise InputError(without_field(path, reader))
    return column(path, field, reader)


def plain_text(path: str, reader: Entry[ReaderSpec]) -> Text:
    """Read a file that holds one text."""
    with attributed(f"reader {reader}"), readable(path):
        segments = load(reader.declaration.function)(path)
        text = segments if isinstance(segments, Text) else Text.of(segments, path)
    return text if text.path else replace(text, path=path)


def column(path: str, field: str, reader: Entry[ReaderSpec]) -> list[Text]:
    """Read one column of a file with fields."""
    address = f"{path}{MARK}{field}"
    with attributed(f"reader {reader}"), readable(path):
        values = load(reader.declaration.function)(path, field)
        if isinstance(values, Text):
            return [replace(values, path=address)]
        if not isinstance(values, list):
            message = f"reader {reader}: returned {kind(values)}; expected a list"
            raise PluginError(message)
        if any(isinstance(value, list | Text) for value in values):
            return several(values, address)
        return [replace(Text.of(values, address), path=address)]


def several(values: list[Any], address: str) -> list[Text]:
    """Make texts of a column with a list of texts per segment; the first ones make the first."""
    if all(isinstance(value, Text) for value in values):
        texts: list[Text] = values
    else:
        rows = [value if isinstance(value, list) else [value] for value in values]
        width = max(map(len, rows))
        padded = [[*row, *[None] * (width - len(row))] for row in rows]
        texts = [Text.of(list(stream), address) for stream in zip(*padded, strict=True)]
    if not texts:
        message = f"{address}: every list of texts is empty; expected one text or more per segment"
        raise InputError(message)
    places = [address.replace("[*]", f"[{k}]") for k in range(1, len(texts) + 1)]
    return [replace(text, path=place) for text, place in zip(texts, places, strict=True)]


def without_columns(path: str, field: str, reader: Entry[ReaderSpec], registry: Registry) -> str:
    """Say why a file has no field."""
    if not exists(path):
        return f"{path}: no such file"
    data_set = registry.dataset(path)
    if data_set:
        fields = read_dataset(path, registry=registry).fields
        return f"{path}: a data set without a text {field!r}.{near(field, fields)}"
    return (
        f"{path}: read as {reader.declaration.help or reader.declaration.name}, which has no "
        f"field {field!r}. Files with columns need a plugin that reads them, such as "
        f"mteval-readers, and the ending of their format, such as .jsonl or .tsv"
    )


def without_field(path: str, reader: Entry[ReaderSpec]) -> str:
    """Say which fields a file has."""
    assert reader.declaration.fields is not None
    with attributed(f"reader {reader}"), readable(path):
        fields = [str(field) for field in load(reader.declaration.fields)(path)]
    listed = ", ".join(fields) or "none"
    example = f": type {path}{MARK}{fields[-1]}" if fields else ""
    return f"{path}: a file with fields; choose one of {listed}{example}"


# Data sets


def belongs_to_dataset(path: str, field: str, registry: Registry) -> bool:
    """Whether an address is a text of a data set and not a column of a file."""
    kind_of_text, dot, _ = field.partition(".")
    is_text = kind_of_text in (("ref", "system") if dot else ("source", "docs", "ids"))
    return is_text and bool(named_format(path, registry) or registry.dataset(path))


def named_format(path: str, registry: Registry) -> Entry[DatasetSpec] | None:
    """Return the format of ``NAME:REST``; None for the path of a file."""
    name, colon, _ = path.partition(":")
    entries = registry.named(DatasetSpec, name) if colon and not exists(path) else []
    return registry.find(DatasetSpec, name) if entries else None


def read_dataset(
    path: str,
    *,
    registry: Registry | None = None,
) -> Dataset:
    """Read a data set.

    Parameters
    ----------
    path : str
        A file or folder in a format that a plugin reads, or ``NAME:REST`` for the format ``NAME``.
    registry : Registry, optional
        Where to look for the format. Default: everything that is installed.

    Returns
    -------
    Dataset

    Raises
    ------
    InputError
        If no format claims the path, or it cannot be read.
    PluginError
        If the format fails, or several claim the path.
    """
    registry = default_registry() if registry is None else registry
    named = named_format(path, registry)
    entry = named or registry.dataset(path)
    if entry is None:
        raise InputError(no_dataset(path, registry))
    with attributed(f"data set {entry}"), readable(path):
        dataset = load(entry.declaration.function)(path.partition(":")[2] if named else path)
        if not isinstance(dataset, Dataset):
            message = f"data set {entry}: returned {kind(dataset)}; expected a Dataset"
            raise PluginError(message)
    return addressed(dataset, path)


def no_dataset(path: str, registry: Registry) -> str:
    """Say that no format claims a data set, and which formats there are."""
    entries = registry.of_kind(DatasetSpec)
    known = ", ".join(entry.declaration.name for entry in entries)
    formats = f"known are {known}" if known else "none is installed; mteval-readers has many"
    seen = "not in a format of data sets" if exists(path) else "no such file or folder"
    return f"{path}: {seen} (formats: {formats})"


def addressed(dataset: Dataset, path: str) -> Dataset:
    """Give every text of a data set an address, where it has no file of its own."""

    def at(text: Text, field: str) -> Text:
        return text if text.path else replace(text, path=f"{path}{MARK}{field}")

    def runs(system: str) -> Text | Sequence[Text]:
        first, *more = dataset.runs(system)
        field = f"system.{system}"
        later = [at(text, f"{field}.{k}") for k, text in enumerate(more, 2)]
        return [at(first, field), *later] if later else at(first, field)

    test_set = dataset.test_set
    if test_set is not None:
        names = dataset.reference_names
        references = zip(test_set.references, names, strict=True)
        test_set = replace(
            test_set,
            references=tuple(at(stream, f"ref.{name}") for stream, name in references),
            source=test_set.source and at(test_set.source, "source"),
            documents_path=test_set.documents_path or f"{path}{MARK}docs",
        )
    systems = {system: runs(system) for system in dataset.systems}
    return replace(dataset, test_set=test_set, systems=systems, path=path)
