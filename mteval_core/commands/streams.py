"""Standard output is reserved for commands: output of plugins goes to standard error."""

from __future__ import annotations

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
