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


def terminal_size() -> os.terminal_size:
    """Columns and lines of the terminal; 100 and 24 if there is no terminal."""
    from shutil import get_terminal_size

    size = get_terminal_size((100, 24))
    return os.terminal_size((size.columns or 100, size.lines or 24))  # 0 in Python 3.10


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
