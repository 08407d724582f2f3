"""How long a check may take: slow checks are reported, and those that do not end fail.

A check runs in a thread of its own, so that its caller can go on without it. An exception ends a
loop in Python; compiled code that has released the interpreter lock is left alone. Compiled code
that holds the lock, such as a regular expression that backtracks, stops all threads: `faulthandler`
then shows where it is, and ends the process.

The alternatives do less. A signal handler runs between two instructions of Python in the main
thread, so never during compiled code. A process for each check could not run metrics that are
defined in a test, and would load the model of a learned metric again and again.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import sys
import threading
import time
from contextlib import suppress
from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LIMIT", "leave", "tried", "watched"]

SLOW = 5.0
"""Seconds after which a check is reported."""

LIMIT = 60.0
"""Seconds after which a check fails."""

GRACE = 10.0
"""Seconds from then on until the process ends, if the check holds the interpreter lock."""

LEFT: list[threading.Thread] = []
"""Threads of checks that were left alone."""


class Stopped(BaseException):
    """Ends a check that takes too long; no ``except Exception`` of a metric catches it."""


class Run:
    """A check that is running.

    Parameters
    ----------
    check : callable
        The check.
    """

    def __init__(self, check: Callable[[Any], str | None]) -> None:
        self.check = check
        self.sample = ""
        self.note: str | None = None
        self.error: BaseException | None = None

    def __call__(self, subject: Any) -> None:
        """Run the check, and keep its note or its error."""
        RUN.set(self)
        try:
            self.note = self.check(subject)
        except BaseException as error:  # noqa: BLE001 - the caller raises it
            self.error = error

    def __str__(self) -> str:
        name = getattr(self.check, "__name__", "a check")
        return f"{name} (sample: {self.sample})" if self.sample else name


RUN: ContextVar[Run | None] = ContextVar("run", default=None)


def tried(sample: str) -> None:
    """Say which sample the running check tries next, for reports about it."""
    run = RUN.get()
    if run is not None:
        run.sample = " ".join(sample.split())


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
    run = Run(check)
    thread = threading.Thread(target=copy_context().run, args=(run, subject), daemon=True)
    _end_later(limit + GRACE)
    try:
        thread.start()
        if not _ends_within(thread, min(SLOW, limit)):
            sys.stderr.write(f"mteval: {run} has been running for {min(SLOW, limit):g} s\n")
            _ends_within(thread, limit - min(SLOW, limit))
    except KeyboardInterrupt:
        _stop(thread)
        raise
    finally:
        faulthandler.cancel_dump_traceback_later()
    if thread.is_alive():
        _stop(thread)
        where = f", on the sample: {run.sample}" if run.sample else ""
        message = f"it has not ended after {limit:g} s{where}"
        raise AssertionError(message)
    if run.error is not None:
        raise run.error
    return run.note


def _end_later(seconds: float) -> None:
    """End the process after some time, with a traceback, even if Python code cannot run."""
    if sys.__stderr__ is None:
        return
    with suppress(ValueError, OSError):  # it may be closed, or not be a file
        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)


def _ends_within(thread: threading.Thread, seconds: float) -> bool:
    """Wait for a thread. Windows delivers Ctrl-C only between waits, so each wait is short."""
    end = time.monotonic() + seconds
    while thread.is_alive() and (left := end - time.monotonic()) > 0:
        thread.join(min(0.5, left))
    return not thread.is_alive()


def _stop(thread: threading.Thread) -> None:
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
