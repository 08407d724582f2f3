"""Standard output: reserved for commands; on a terminal, its size and colours.

Whatever plugins print goes to standard error.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERRUPTED = 130
"""Exit code of a command that Ctrl-C has ended."""

_REAL: ContextVar[TextIO | None] = ContextVar("real", default=None)


@contextmanager
def reserved_output() -> Iterator[None]:
    """Redirect standard output to standard error, except for `show` and `output`.

    The redirection covers a whole command and all of its threads, so it costs nothing per call.
    """
    token = _REAL.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _REAL.reset(token)


def output() -> TextIO:
    """Return the standard output of the process."""
    return _REAL.get() or sys.stdout


def show(text: str, end: str = "\n") -> None:
    """Print on the standard output of the process."""
    print(text, end=end, file=output())


def terminal_size(columns: int = 100) -> os.terminal_size:
    """Return the columns and lines of the terminal; without one, those of the argument and 24.

    So does the function of `shutil`, whose import brings archives along, which takes 2 ms.
    """
    try:
        found = os.get_terminal_size(sys.__stdout__.fileno())  # type: ignore[union-attr]
    except (AttributeError, OSError, ValueError):
        found = os.terminal_size((0, 0))
    own = (os.environ.get(name, "") for name in ("COLUMNS", "LINES"))
    given = [int(size) if size.isdecimal() else 0 for size in own]
    sizes = zip(given, found, (columns, 24), strict=True)
    return os.terminal_size([own or size or n for own, size, n in sizes])


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return output().isatty()


def shows_colours() -> bool:
    """Whether standard output is a terminal, and the user has not asked for no colours."""
    return is_terminal() and not os.environ.get("NO_COLOR")


def wrap_line(line: str, indent: int) -> str:
    """Break a line at the width of the terminal and indent its continuation."""
    from textwrap import fill

    return fill(
        line,
        max(terminal_size().columns, indent + 20),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
