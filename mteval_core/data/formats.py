"""Text formats of the registry, applied to files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mteval_core.data.addresses import MARK, Address
from mteval_core.errors import InputError, PluginError, attributed, readable
from mteval_core.plugin.declarations import load
from mteval_core.plugin.registry import HOST
from mteval_core.text.text import Text, kind

if TYPE_CHECKING:
    from mteval_core.plugin.declarations import ReaderSpec
    from mteval_core.plugin.registry import Entry


def text_of_file(path: str, reader: Entry[ReaderSpec]) -> Text:
    """Read a file that holds one text."""
    with attributed(f"reader {reader}"), readable(path):
        text = Text.of(load(reader.declaration.function)(path), path)
        if reader.plugin.distribution == HOST:
            return text
        check_made_text(text)
    return replace(text, path=path)


def check_made_text(text: Text) -> None:
    """Raise an error if the bounds of a text are no arrays or lie outside, or it is not UTF-8."""
    _ = text.digest, text.starts.dtype, text.ends.dtype, [*text]


def texts_of_field(address: Address, reader: Entry[ReaderSpec]) -> list[Text]:
    """Read one column of a file with fields."""
    path, field, *_ = address
    with attributed(f"reader {reader}"), readable(path):
        values = load(reader.declaration.function)(path, field)
        values = [values] if isinstance(values, Text) else values
        if not isinstance(values, list):
            message = f"reader {reader}: returned {kind(values)}; expected a list"
            raise PluginError(message)
        if any(isinstance(value, list | Text) for value in values):
            return several(values, str(address))
        return [replace(Text.of(values, str(address)), path=str(address))]


def several(values: list[Any], address: str) -> list[Text]:
    """Make texts of a column with a list of texts per segment; the first ones make the first."""
    if all(isinstance(value, Text) for value in values):
        texts: list[Text] = values
        for text in texts:
            check_made_text(text)
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


def field_names(path: str, reader: Entry[ReaderSpec]) -> list[str]:
    """Name the fields of a file."""
    assert reader.declaration.fields is not None
    with attributed(f"reader {reader}"), readable(path):
        return [str(field) for field in load(reader.declaration.fields)(path)]


def without_field(path: str, reader: Entry[ReaderSpec]) -> str:
    """Say which fields a file has."""
    fields = field_names(path, reader)
    listed = ", ".join(fields) or "none"
    example = f": type {path}{MARK}{fields[-1]}" if fields else ""
    return f"{path}: a file with fields; choose one of {listed}{example}"
