"""The one strict reader of text files. Its errors name the file and the line."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager, nullcontext
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from mteval_core.errors import InputError, UsageError, readable, warn
from mteval_core.text.file_types import (
    UTF16_MARKS,
    BinaryCheck,
    RefusedFile,
    may_be_markup,
    refuse_markup,
    warn_of_tabs,
)
from mteval_core.text.text import Text, block_of, concatenate, line_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from os import PathLike

BOM = b"\xef\xbb\xbf"

N_LINES = 8192
"""Number of lines of a block."""

LIBRARIES = {".gz": "gzip", ".xz": "lzma", ".zst": "zstandard"}
"""What opens compressed files, by the ending."""

BOUNDS = {"BYTES": 1 << 30, "LINE": 1 << 26}
"""Largest number of bytes of what a compressed file, a pipe or a device holds, and of a line."""

PIECE = 1 << 19
"""Number of bytes that are read at once."""


@contextmanager
def open_binary(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes, decompressed.

    Parameters
    ----------
    path : path-like
        A file, which is decompressed if it ends in ``.gz``, ``.xz`` or ``.zst``; ``-`` is standard
        input.

    Yields
    ------
    file object

    Raises
    ------
    InputError
        If the file cannot be opened, or cannot be read while it is open; if standard input is
        closed, or the file ends in ``.zst`` and the library zstandard is not installed.
    """
    with readable(path), open_stream(path) as stream:
        yield stream


def open_stream(path: str | PathLike[str]) -> IO[bytes]:
    """Open a file, decompressed; errors of reading it are as they are."""
    if str(path) == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise InputError("standard input is closed, or has already been read")
        return sys.stdin.buffer
    module = LIBRARIES.get(Path(path).suffix)
    if module is None and Path(path).is_file():
        return Path(path).open("rb")
    try:
        opened = import_module(module or "io").open(path, "rb")
    except ImportError:
        raise InputError(f"{path}: needs zstandard: pip install 'mteval-core[zstd]'") from None
    return io.BufferedReader(Bounded(opened, path))


class Bounded(io.RawIOBase):
    """A file that may hold more than its size tells: compressed, a pipe or a device."""

    def __init__(self, stream: Any, path: str | PathLike[str]) -> None:
        self.stream, self.path, self.n_read = stream, path, 0
        self.most: int = max(bound("BYTES"), 100 * Path(path).stat().st_size)

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes."""
        n: int = self.stream.readinto(buffer)
        self.n_read += n
        check_size(self.n_read, self.most, str(self.path), "a file")
        return n

    def close(self) -> None:
        """Close it."""
        self.stream.close()
        super().close()


def check_size(n_bytes: int, most: int, name: str, what: str) -> None:
    """Raise an `InputError` if what was read is too large."""
    if n_bytes > most:
        raise InputError(
            f"{name}: {what} with more than {most:,} bytes, which may be made to fill the memory; "
            f"if it is not, type mteval --max-bytes N, or set MTEVAL_MAX_BYTES and MTEVAL_MAX_LINE"
        )


def bound(what: str) -> int:
    """Return a bound: what the environment says, or else the default.

    Raises
    ------
    UsageError
        If the environment says no number of bytes.
    """
    name = f"MTEVAL_MAX_{what}"
    given = os.environ.get(name, str(BOUNDS[what]))
    if not given.isdecimal() or int(given) == 0:
        raise UsageError(f"{name} is {given!r}: expected a number of bytes, 1 or more")
    return int(given)


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
    (text,) = pieces(path, plain=plain)
    return text


def read_blocks(
    path: str | PathLike[str],
    n_lines: int = N_LINES,
    *,
    plain: bool = True,
    opened: IO[bytes] | None = None,
    cleaner: Cleaner | None = None,
    quiet: bool = False,
) -> Iterator[Text]:
    """Read a file as `read_text` does, but in blocks, so that memory does not grow with the file.

    Parameters
    ----------
    path : path-like
        See `read_text`.
    n_lines : int
        Number of lines of each block; the last one has those that are left.
    plain : bool
        See `read_text`. A file whose first lines may be the beginning of JSON, XML or a table is
        read as a whole, since only its end tells.
    opened : file object, optional
        The file, if it is open. It is not closed.
    cleaner : Cleaner, optional
        Knows afterwards what was dropped.
    quiet : bool
        Whether to give no warnings, because the file is read again.

    Yields
    ------
    Text
        The blocks joined are the text that `read_text` returns.

    Raises
    ------
    InputError
        See `read_text`. An error of a later line, or of the whole file, comes after the blocks
        before it.

    Warns
    -----
    MtevalWarning
        See `read_text`; ``empty-file`` comes after the last block.
    """
    held: list[Text] = []
    n_held = 0
    read = pieces(path, PIECE, plain=plain, opened=opened, cleaner=cleaner, quiet=quiet)
    for piece in read:
        held.append(piece)
        n_held += len(piece)
        if n_held >= n_lines:
            text = concatenate(held)
            stop = n_held - n_held % n_lines
            yield from (block_of(text, i, i + n_lines) for i in range(0, stop, n_lines))
            held, n_held = [block_of(text, stop, n_held)], n_held - stop
    if n_held:
        yield concatenate(held)


def pieces(
    path: str | PathLike[str],
    size: int = -1,
    *,
    plain: bool = True,
    opened: IO[bytes] | None = None,
    cleaner: Cleaner | None = None,
    quiet: bool = False,
) -> Iterator[Text]:
    """Read a file in pieces of about `size` bytes, or in one; see `read_blocks`.

    The `cleaner` then knows what was dropped.
    """
    name = file_name(path)
    file = nullcontext(opened) if opened else open_binary(path)
    cleaned = clean_pieces(file, size, cleaner or Cleaner(name), plain=plain)
    first = next(cleaned)
    if plain and may_be_markup(first.buffer):
        first = concatenate([first, *cleaned])
        refuse_markup(first.buffer, name)
        if not quiet:
            warn_of_tabs(first.buffer, name)
    is_blank = True
    for piece in chain([first], cleaned):
        is_blank = is_blank and piece.buffer.isspace()
        yield piece
    if plain and is_blank and not quiet:
        warn("empty-file", f"{name}: every line is empty")


def clean_pieces(
    file: AbstractContextManager[IO[bytes]], size: int, cleaner: Cleaner, *, plain: bool
) -> Iterator[Text]:
    """Read and clean a file in pieces; raise what is wrong with its bytes.

    The rest of a file with a fault is read, too: the bytes of the whole tell what it is.
    """
    binary = BinaryCheck(cleaner.name)
    fault: InputError | None = None
    with file as stream:
        for data in whole_lines(stream, size, cleaner.name):
            if plain:
                binary.see(data)
            if fault:
                continue
            try:
                text = cleaner.clean(data)
            except InputError as error:
                fault = error
            else:
                if plain and len(text.buffer) > bound("LINE"):
                    longest = int((text.ends - text.starts).max())
                    check_size(longest, bound("LINE"), cleaner.name, "a line")
                yield text
    binary.refuse()
    if fault:
        raise fault


def whole_lines(stream: IO[bytes], size: int, name: str) -> Iterator[bytes]:
    """Read about `size` bytes at once, and yield them up to the end of a line; at least once."""
    if size < 0:
        yield stream.read()
        return
    parts: list[bytes] = []
    is_empty = True
    while data := stream.read(size):
        if stop := data.rfind(b"\n") + 1:
            yield b"".join([*parts, data[:stop]])
            parts, is_empty = [], False
        parts.append(data[stop:])
        check_size(sum(map(len, parts)), bound("LINE"), name, "a line")
    rest = b"".join(parts)
    if rest or is_empty:
        yield rest


def file_name(path: str | PathLike[str]) -> str:
    """Name of a file in messages."""
    return "standard input" if str(path) == "-" else str(path)


class Cleaner:
    """Makes texts of the bytes of a file, piece by piece. Its errors name the line of the file.

    Parameters
    ----------
    name : str
        The file, for messages.

    Attributes
    ----------
    n_lines : int
        Number of lines so far.
    has_mark : bool
        Whether there was a byte-order mark at the beginning, which is dropped.
    n_windows : int
        Number of lines with the end of Windows, which becomes that of Unix.
    first_windows : int or None
        The first of these, from 1.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.n_lines: int = 0
        self.has_mark: bool = False
        self.n_windows: int = 0
        self.first_windows: int | None = None

    def blocks(
        self, path: str | PathLike[str], n_lines: int = N_LINES, *, opened: IO[bytes] | None = None
    ) -> Iterator[Text]:
        """Read a file in blocks of lines, and clean them.

        Parameters
        ----------
        path : path-like
            A file of plain text, see `read_text`.
        n_lines : int
            Number of lines of each block; the last one has those that are left.
        opened : file object, optional
            The file, if it is open. It is not closed.

        Yields
        ------
        Text
            The blocks joined are the text that `read_text` returns.

        Raises
        ------
        InputError
            See `read_text`. An error of a later line, or of the whole file, comes after the
            blocks before it.
        """
        return read_blocks(path, n_lines, opened=opened, cleaner=self)

    def clean(self, data: bytes) -> Text:
        """Return the lines of the next piece, which ends with a line.

        Raises
        ------
        RefusedFile
            If the file is empty, is not UTF-8, or has a byte-order mark inside.
        """
        if not data.isascii():
            has_mark = not self.n_lines and data.startswith(BOM)
            self._check(data, len(BOM) * has_mark)
            data = data[len(BOM) :] if has_mark else data
            self.has_mark = self.has_mark or has_mark
        if b"\r" in data:
            data = self._without_carriage_returns(data)
        if not data:
            reason = "the file is empty; expected one segment per line"
            raise RefusedFile(self.name, "empty", reason)
        text = Text.from_lines(data, self.name)
        self.n_lines += len(text)
        return text

    def _without_carriage_returns(self, data: bytes) -> bytes:
        """Drop the carriage returns at the ends of lines."""
        dropped = data.replace(b"\r\n", b"\n")
        if len(dropped) < len(data) and self.first_windows is None:
            self.first_windows = self.n_lines + data.count(b"\n", 0, data.index(b"\r\n")) + 1
        self.n_windows += len(data) - len(dropped)
        return dropped

    def _check(self, data: bytes, start: int) -> None:
        """Raise a `RefusedFile` for the first bytes that are not UTF-8, or are a mark."""
        invalid = first_invalid(data)
        # One byte is found many times faster than three.
        mark = data.find(BOM, start, invalid) if BOM[:1] in data else -1
        if mark >= 0:
            reason = (
                "a byte-order mark (U+FEFF) inside the file, as when files with such marks are "
                "joined: remove it"
            )
            line = self.n_lines + data.count(b"\n", 0, mark) + 1
            raise RefusedFile(self.name, "inner-bom", reason, line)
        if invalid is not None:
            is_utf16 = not self.n_lines and data.startswith(UTF16_MARKS)
            hint = "UTF-16" if is_utf16 else "another encoding"
            column = invalid - data.rfind(b"\n", 0, invalid)
            reason = (
                f"byte {column} of the line, 0x{data[invalid]:02X}, is not valid UTF-8; the file "
                f"looks like {hint}: convert it to UTF-8, for instance with iconv"
            )
            line = self.n_lines + data.count(b"\n", 0, invalid) + 1
            raise RefusedFile(self.name, "encoding", reason, line)


def first_invalid(data: bytes) -> int | None:
    """Return the position of the first byte that is not UTF-8; None if there is none."""
    start = 0
    try:
        for start, stop in line_blocks(data):
            data[start:stop].decode()
    except UnicodeDecodeError as error:
        return start + error.start
    return None
