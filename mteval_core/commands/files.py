"""Files that the commands write: whole or not at all, and never an input."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core.commands.terminal import output
from mteval_core.data.addresses import exists
from mteval_core.errors import InputError, MtevalError, UsageError
from mteval_core.plugin.registry import COMPRESSED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO


def check_output(path: str | None, inputs: Iterable[str | None], flag: str = "-o") -> None:
    """Refuse, before the work, a file that cannot be written or that is one of the inputs.

    Raises
    ------
    UsageError
        If the file is an input, or would have to be compressed.
    InputError
        If the file is a directory, or its directory does not exist.
    """
    if path in (None, "-"):
        return
    if path.endswith(COMPRESSED):
        ending = Path(path).suffix
        raise UsageError(f"{flag} {path}: mteval writes no compressed files; leave out {ending}")
    for other in inputs:
        if other not in (None, "-") and same_file(path, other):
            raise UsageError(f"{flag} {path} would overwrite the input {other}: name another file")
    if exists(path, Path.is_dir) or not exists(str(Path(path).parent), Path.is_dir):
        raise InputError(f"{flag} {path}: expected the name of a file, in a folder that exists")


def files_of(path: str) -> list[str]:
    """Return the files of a folder that are not hidden; another path stands for itself.

    Raises
    ------
    UsageError
        If the folder has no files.
    """
    if not exists(path, Path.is_dir):
        return [path]
    files = [one for one in sorted(Path(path).iterdir()) if one.is_file() and one.name[0] != "."]
    if not files:
        raise UsageError(f"{path}: the folder has no files")
    return list(map(str, files))


def same_file(path: str, other: str) -> bool:
    """Whether two paths name one regular file that exists."""
    return exists(path, lambda file: file.is_file() and file.samefile(other))


def write_file(path: str, chunks: Iterable[str | bytes]) -> None:
    """Write a file, whole or not at all. Devices and pipes are written as they are.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    is_open = path.startswith(("/dev/", "/proc/"))  # another name of an open stream
    try:
        if is_open or exists(path, lambda file: file.exists() and not file.is_file()):
            with Path(path).open("wb") as stream:
                write_chunks(stream, chunks)
        else:
            replace_file(Path(path).resolve(), chunks)
    except (BrokenPipeError, MtevalError):
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def replace_file(path: Path, chunks: Iterable[str | bytes]) -> None:
    """Write a temporary file in the same folder, then rename it. It keeps the permissions.

    Raises
    ------
    PermissionError
        If the file may not be written.
    """
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    temporary = path.with_name(f".mteval-{os.urandom(8).hex()}")
    try:
        with temporary.open("xb") as stream:
            if path.exists():
                temporary.chmod(path.stat().st_mode & 0o7777)
            write_chunks(stream, chunks)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_chunks(stream: BinaryIO, chunks: Iterable[str | bytes]) -> None:
    """Write text and bytes; characters that UTF-8 does not have are written as Python does."""
    for chunk in chunks:
        bare = chunk.encode(errors="backslashreplace") if isinstance(chunk, str) else chunk
        stream.write(bare)


def write_output(path: str | None, chunks: Iterable[str | bytes], form: str) -> None:
    """Write what a format makes of a report to a file, or to standard output.

    Raises
    ------
    UsageError
        If a binary format would go to a terminal.
    """
    if path not in (None, "-"):
        write_file(path, chunks)
        return
    output().flush()
    for chunk in chunks:
        if isinstance(chunk, bytes) and output().isatty():
            raise UsageError(f"-f {form} is a binary format: write it to a file with -o FILE")
        write_chunks(output().buffer, [chunk])
