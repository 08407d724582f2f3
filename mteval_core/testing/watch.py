"""How long a check may take: slow checks are reported, and those that do not end fail.

A check runs in a thread of its own, so that its caller can go on without it. An exception ends a
loop in Python; compiled code that has released the interpreter lock is left alone. Compiled code
that holds the lock, such as a regular expression that backtracks, stops all threads: only another
process can report it and abort this one (`mteval_core.testing.guard`).

The alternatives do less. A signal handler runs between two instructions of Python in the main
thread, so never during compiled code. A process for each check could not run metrics that are
defined in a test, and would load the model of a learned metric again and again.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LIMIT", "leave", "tried", "watched"]

SLOW = 5.0
"""Seconds after which a check is reported."""

LIMIT = 60.0
"""Seconds after which a check fails."""

GRACE = 10.0
"""Seconds from then on until the process is aborted, if it has not ended the check."""


LEFT: list[threading.Thread] = []
"""Checks that could not be ended."""


class Stopped(BaseException):
    """Ends a check that takes too long; no ``except Exception`` of a metric catches it."""


class Run:
    """A check that is running.

    Parameters
    ----------
    name : str
        The check.
    limit : float
        Seconds that it may take.
    """

    def __init__(self, name: str, limit: float) -> None:
        self.name = name
        self.limit = limit
        self.sample = ""
        self.note: str | None = None
        self.error: BaseException | None = None

    def tell(self, sample: str = "") -> None:
        """Tell the guard what the check does."""
        self.sample = " ".join(sample.split())
        tell(f"{self.limit + GRACE}\t{self.name}\t{self.sample}")

    def __call__(self, check: Callable[[Any], str | None], subject: Any) -> None:
        """Run the check, and keep its note or its error."""
        RUN.set(self)
        try:
            self.note = check(subject)
        except BaseException as error:  # noqa: BLE001 - the caller raises it
            self.error = error


RUN: ContextVar[Run | None] = ContextVar("run", default=None)


def tried(sample: str) -> None:
    """Say which sample the running check tries next, for reports about it."""
    run = RUN.get()
    if run is not None:
        run.tell(sample)


def watched(check: Callable[[Any], str | None], subject: Any, limit: float = LIMIT) -> str | None:
    """Run a check that may take too long.

    Parameters
    ----------
    check : callable
        The check.
    subject : object
        What it gets.
    limit : float
        Seconds after which the check fails.

    Returns
    -------
    str or None
        The note of the check.

    Raises
    ------
    AssertionError
        If the check takes too long.
    BaseException
        Whatever the check raises.
    """
    run = Run(getattr(check, "__name__", "a check"), limit)
    thread = threading.Thread(target=copy_context().run, args=(run, check, subject), daemon=True)
    run.tell()
    try:
        thread.start()
        wait(thread, limit)
    except KeyboardInterrupt:
        stop(thread)
        raise
    finally:
        tell("\t\t")
    if thread.is_alive():
        stop(thread)
        where = f", on the sample: {run.sample}" if run.sample else ""
        message = f"it has not ended after {limit:g} s{where}"
        raise AssertionError(message)
    if run.error is not None:
        raise run.error
    return run.note


def wait(thread: threading.Thread, seconds: float) -> None:
    """Wait for a thread. Windows delivers Ctrl-C only between waits, so each wait is short."""
    end = time.monotonic() + seconds
    while thread.is_alive() and (left := end - time.monotonic()) > 0:
        thread.join(min(0.5, left))


def stop(thread: threading.Thread) -> None:
    """End a thread at its next instruction of Python, if it comes to one soon."""
    ident = ctypes.c_ulong(thread.ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Stopped))
    thread.join(0.5)
    if thread.is_alive():
        LEFT.append(thread)


def leave(code: int) -> None:
    """End the process at once if a check still runs.

    At the ordinary end of a process, compiled code that comes back to the interpreter aborts it.
    """
    if any(thread.is_alive() for thread in LEFT):
        for stream in (sys.__stdout__, sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)


def tell(line: str) -> None:
    """Write a line to the guard."""
    pipe = guard()
    if pipe is not None:
        with suppress(OSError):
            pipe.write(f"{line}\n".encode(errors="replace"))


@cache
def guard() -> IO[bytes] | None:
    """Start the guard of this process; return its standard input, or None if it cannot run."""
    path = Path(__file__).with_name("guard.py")
    command = [sys.executable, "-I", "-S", str(path), str(os.getpid()), str(SLOW)]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, bufsize=0
        )
    except OSError:
        return None
    atexit.register(process.communicate)
    return process.stdin
