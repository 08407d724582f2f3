"""The errors that mteval raises, with their exit codes on the command line.

::

    MtevalError                       5  internal error
    ├── UsageError (ValueError)       2  a request that is not valid
    │   ├── UnknownNameError (LookupError)
    │   └── OptionError
    ├── InputError (ValueError)       3  files and texts that cannot be scored
    │   └── SegmentError
    └── PluginError                   4  a requested plugin is broken, blocked or ambiguous

A message says what was seen, what was expected, where, and what to do. An error that follows from
another one has it as its ``__cause__``.
"""

from __future__ import annotations

import warnings
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType


MOST_LISTED = 60
"""Largest number of names that a message lists."""


def near(name: str, known: Iterable[str], also: Iterable[str] = ()) -> str:
    """Suggest known names that resemble an unknown one.

    Parameters
    ----------
    name : str
        The unknown name.
    known : iterable of str
        All known names.
    also : iterable of str
        Further names that are suggested, but not listed.

    Returns
    -------
    str
        A sentence to append to an error message, starting with a space: the nearest names, or all
        names if none is near and there are not too many.
    """
    import difflib

    names = sorted(known)
    folded = {each.casefold(): each for each in (*also, *names)}
    close = difflib.get_close_matches(name.casefold(), folded, n=3)
    if close:
        return f" Did you mean {' or '.join(repr(folded[each]) for each in close)}?"
    return f" Known: {', '.join(names)}." if 0 < len(names) <= MOST_LISTED else ""


class MtevalError(Exception):
    """Base of all errors of mteval.

    Attributes
    ----------
    exit_code : int
        Exit code of the command line.
    """

    exit_code = 5


class UsageError(MtevalError, ValueError):
    """A request that is not valid."""

    exit_code = 2


class UnknownNameError(UsageError, LookupError):
    """A name that is not registered."""

    near: ClassVar[Callable[[str, Iterable[str]], str]] = staticmethod(near)


class OptionError(UsageError):
    """An option that does not exist, or a value that it does not allow."""


class InputError(MtevalError, ValueError):
    """A file or text that cannot be scored.

    Attributes
    ----------
    code : str
        Stable name of what is wrong with a file that has no lines of text; empty for other errors.
    reason : str
        What was seen, and what to do, without the name of such a file.
    line : int or None
        The line of such a file, from 1.
    """

    exit_code = 3
    code: str = ""
    reason: str = ""
    line: int | None = None


class SegmentError(InputError):
    """A segment that a metric cannot score, because it is too long, for instance.

    The host replaces it by an `InputError` that names the file and the line.

    Parameters
    ----------
    segment : int
        Number of the segment, among those that the metric was called with.
    reason : str
        What was seen, and what was expected; perhaps another option of the metric.
    """

    def __init__(self, segment: int, reason: str) -> None:
        super().__init__(segment, reason)
        self.segment = segment
        self.reason = reason

    def __str__(self) -> str:
        return f"segment {self.segment}: {self.reason}"


class PluginError(MtevalError):
    """A requested plugin is missing, broken, blocked or ambiguous."""

    exit_code = 4


class MtevalWarning(UserWarning):
    """A warning of mteval.

    Parameters
    ----------
    code : str
        Stable name of the kind of warning, or of the check of texts that warns.
    message : str
        What was seen, and what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} [{code}]")
        self.code = code


def warn(code: str, message: str) -> None:
    """Issue an `MtevalWarning`.

    Parameters
    ----------
    code : str
        Stable name of the kind of warning.
    message : str
        What was seen, and what to do.
    """
    warnings.warn(MtevalWarning(code, message), stacklevel=3)


_OWN = (UsageError, InputError, PluginError, KeyboardInterrupt)
"""Errors that keep their type in code that is `attributed`."""


class attributed:
    """Turn any error that the code of a plugin raises into a `PluginError` that names the plugin.

    This includes `SystemExit` and other errors that would end the process. Without memory, it is an
    `InputError`: the input is too large. Errors of mteval keep their type, and `KeyboardInterrupt`
    still interrupts. The code must not contain a ``yield``: closing a generator raises an error in
    it. `each` is for generators.

    Parameters
    ----------
    to : object
        What the code belongs to, such as ``metric 'p1' of mteval-sample 0.1.0``.
    """

    __slots__ = ("_to",)

    def __init__(self, to: object) -> None:
        self._to = to

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: object, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, _OWN):
            text = f"{self._to}: {one_line(error)}"
            raise (InputError if isinstance(error, MemoryError) else PluginError)(text) from error

    def each(self, items: Iterator[Any]) -> Iterator[Any]:
        """Yield what an iterator yields, and turn the errors that it raises."""
        while True:
            with self:
                found = [*islice(items, 1)]
            if not found:
                return
            yield found[0]


@contextmanager
def readable(path: object) -> Iterator[None]:
    """Turn the errors of a file that is missing, unreadable or damaged into an `InputError`.

    Parameters
    ----------
    path : path-like
        The file, for the message.
    """
    if "\0" in str(path):
        raise InputError(f"{str(path)!r}: embedded null byte")
    try:
        yield
    except (FileNotFoundError, UnicodeEncodeError):  # no file has a name that is no Unicode
        raise InputError(f"{path}: no such file{_nearest_file(str(path))}") from None
    except (OSError, EOFError, MemoryError) as error:
        why = getattr(error, "strerror", None) or str(error) or "out of memory"
        raise InputError(f"{path}: {why}") from None
    except Exception as error:
        # Errors of zlib, lzma and zstandard are not OSErrors. Their modules are imported only
        # where needed, so they are recognized by name.
        if type(error).__module__.partition(".")[0] not in ("zlib", "_lzma", "zstd", "zstandard"):
            raise
        raise InputError(f"{path}: cannot be decompressed: {error}") from None


def _nearest_file(path: str) -> str:
    """Name the files of a folder whose names resemble that of one that is missing."""
    from pathlib import Path

    with suppress(OSError, ValueError):
        hint = near(Path(path).name, (file.name for file in Path(path).parent.iterdir()))
        return f".{hint}" if hint.startswith(" Did") else ""
    return ""


def one_line(error: BaseException) -> str:
    """Describe an error by its type and text; an error of a plugin may not even have a text."""
    try:
        text = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the code of a plugin may fail in any way
        text = "its text cannot be read"
    return " ".join(f"{type(error).__name__}: {text}".split())
