"""The one strict reader of text files. Its errors name the file and the line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from mteval_core.errors import InputError, readable, warn
from mteval_core.text.file_types import refuse_binary, refuse_markup, warn_of_tabs
from mteval_core.text.text import Text, line_blocks

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["open_binary", "read_text"]

BOM = b"\xef\xbb\xbf"


def open_binary(path: str | PathLike[str]) -> IO[bytes]:
    """Open a file for reading bytes, decompressed.

    Parameters
    ----------
    path : path-like
        A file, which is decompressed if it ends in ``.gz``, ``.xz`` or ``.zst``; ``-`` is standard
        input.

    Returns
    -------
    file object

    Raises
    ------
    InputError
        If standard input is closed, the path has a null character, or the file ends in ``.zst``
        and the library zstandard is not installed.
    """
    if str(path) == "-":
        if sys.stdin is None or sys.stdin.closed:
            message = "standard input is closed, or has already been read"
            raise InputError(message)
        return sys.stdin.buffer
    if "\0" in str(path):
        message = f"{str(path)!r}: embedded null byte"
        raise InputError(message)
    ending = Path(path).suffix
    if ending == ".gz":
        import gzip

        return cast("IO[bytes]", gzip.open(path))
    if ending == ".xz":
        import lzma

        return lzma.open(path)
    if ending == ".zst":
        return open_zstandard(path)
    return Path(path).open("rb")


def open_zstandard(path: str | PathLike[str]) -> IO[bytes]:
    """Open a file that is compressed with Zstandard, if the library for it is installed."""
    try:
        import zstandard  # pyright: ignore[reportMissingImports] - optional
    except ImportError:
        message = f"{path}: reading .zst files needs zstandard: pip install 'mteval-core[zstd]'"
        raise InputError(message) from None
    return cast("IO[bytes]", zstandard.open(path))


def read_bytes(path: str | PathLike[str]) -> bytes:
    """Read a file, decompressed.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    with readable(path), open_binary(path) as stream:
        return stream.read()


def read_text(path: str | PathLike[str], *, plain: bool = True) -> Text:
    r"""Read one segment per line.

    Parameters
    ----------
    path : path-like
        A file in UTF-8, which is decompressed if it ends in ``.gz`` or ``.xz``; ``-`` is standard
        input.
    plain : bool
        Whether to refuse files that are evidently not plain text but JSON, XML, a table or an
        archive. Readers of such formats pass False.

    Returns
    -------
    Text
        The lines. A line ends at ``\n`` or ``\r\n`` and nowhere else: a lone carriage return,
        U+2028, NEL and the form feed belong to the line. A byte-order mark at the beginning is
        dropped.

    Raises
    ------
    InputError
        If the file cannot be read, is empty, is not UTF-8, has a byte-order mark inside, or is
        not plain text.

    Warns
    -----
    MtevalWarning
        ``empty-file``: every line is empty. ``tabs``: every line has the same number of tabs.
    """
    data, name = read_bytes(path), file_name(path)
    if plain:
        refuse_binary(data, name)
    text = lines_of(data, name)
    if plain:
        refuse_markup(text.buffer, name)
        warn_of_tabs(text.buffer, name)
        if not text.buffer.strip():
            warn("empty-file", f"{name}: every line is empty")
    return text


def file_name(path: str | PathLike[str]) -> str:
    """Name of a file in messages."""
    return "standard input" if str(path) == "-" else str(path)


def lines_of(data: bytes, name: str) -> Text:
    """Decode the lines of a file."""
    if not data.isascii():
        check_utf8(data, name)
        data = data.removeprefix(BOM)
        refuse_marks(data, name)
    if b"\r\n" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data:
        message = f"{name}: the file is empty; expected one segment per line"
        raise InputError(message)
    return Text.from_lines(data, name)


def refuse_marks(data: bytes, name: str) -> None:
    """Raise an `InputError` that names file and line if there is a byte-order mark."""
    position = data.find(BOM)
    if position >= 0:
        line = data.count(b"\n", 0, position) + 1
        message = (
            f"{name}:{line}: a byte-order mark (U+FEFF) inside the file, as when files with such "
            f"marks are joined: remove it"
        )
        raise InputError(message)


def check_utf8(data: bytes, name: str) -> None:
    """Raise an `InputError` that names file, line and byte if the data is not UTF-8."""
    start = 0
    try:
        for start, stop in line_blocks(data):
            data[start:stop].decode()
    except UnicodeDecodeError as error:
        position = start + error.start
        line = data.count(b"\n", 0, position) + 1
        column = position - data.rfind(b"\n", 0, position)
        hint = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "another encoding"
        message = (
            f"{name}:{line}: byte {column} of the line, 0x{data[position]:02X}, is not valid "
            f"UTF-8; the file looks like {hint}: convert it to UTF-8, for instance with iconv"
        )
        raise InputError(message) from None
