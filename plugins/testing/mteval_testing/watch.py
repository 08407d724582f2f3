"""Time limits of checks: slow ones are reported, endless ones fail.

A check runs in another thread, so that its caller can go on without it. An exception ends a loop in
Python; compiled code that has released the interpreter lock is left alone. Compiled code that holds
the lock, such as a regular expression that backtracks, stops all threads: `faulthandler` then shows
where it is, and ends the process.

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
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LIMIT", "leave", "seconds_allowed", "tried", "watched"]

SLOW = 5.0
"""Seconds after which a check is reported."""

LIMIT = 60.0
"""Seconds after which a check fails."""

GRACE = 10.0
"""Seconds from then on until the process ends, if the check holds the interpreter lock."""


class Stopped(BaseException):
    """Ends a check that takes too long; no ``except Exception`` of a metric catches it."""


class Run:
    """A check that is running.

    Parameters
    ----------
    check : callable
        The check.
    limit : float
        Seconds that it may take.
    """

    def __init__(self, check: Callable[[Any], str | None], limit: float) -> None:
        self.check: Callable[[Any], str | None] = check
        self.limit: float = limit
        self.has_ended: threading.Event = threading.Event()
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
        self.has_ended.set()

    def __str__(self) -> str:
        name = getattr(self.check, "__name__", "a check")
        return f"{name} (sample: {self.sample})" if self.sample else name


RUN: ContextVar[Run | None] = ContextVar("run", default=None)


class Worker(threading.Thread):
    """A thread that runs one check after another.

    hypothesis collects all garbage when it first runs in a thread. In a large process this takes
    longer than most checks.
    """

    def __init__(self) -> None:
        super().__init__(name="mteval check", daemon=True)
        self.calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.start()

    def run(self) -> None:
        """Make the calls of the queue, for as long as the process lives."""
        with suppress(Stopped):
            while True:
                self.calls.get()()


FREE: list[Worker] = []
"""Threads that wait for the next check."""

LEFT: list[Run] = []
"""Checks that were left alone."""


def _worker() -> Worker:
    """Return a thread that is free; those of a process before a fork are gone."""
    with suppress(IndexError):
        while True:
            worker = FREE.pop()
            if worker.is_alive():
                return worker
    return Worker()


def tried(sample: str) -> None:
    """Say which sample the running check tries next, for reports about it."""
    run = RUN.get()
    if run is not None:
        run.sample = " ".join(sample.split())


def seconds_allowed() -> float:
    """Return the time limit of the running check."""
    run = RUN.get()
    return LIMIT if run is None else run.limit


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
    folder = Path.cwd()
    run, worker, context = Run(check, limit), _worker(), copy_context()
    _end_later(limit + GRACE)
    try:
        worker.calls.put(lambda: context.run(run, subject))
        if not _ends_within(run, min(SLOW, limit)):
            sys.stderr.write(f"mteval: {run} has been running for {min(SLOW, limit):g} s\n")
            _ends_within(run, limit - min(SLOW, limit))
    except KeyboardInterrupt:
        _stop(worker, run)
        raise
    finally:
        faulthandler.cancel_dump_traceback_later()
    if not run.has_ended.is_set():
        _stop(worker, run)
        where = f", on the sample: {run.sample}" if run.sample else ""
        raise AssertionError(f"it has not ended after {limit:g} s{where}")
    FREE.append(worker)
    os.chdir(folder)  # a plugin may have left it
    if run.error is not None:
        raise run.error
    return run.note


def _end_later(seconds: float) -> None:
    """End the process after some time, with a traceback, even if Python code cannot run."""
    if sys.__stderr__ is None:
        return
    with suppress(ValueError, OSError):  # it may be closed, or not be a file
        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)


def _ends_within(run: Run, seconds: float) -> bool:
    """Wait for a check. Windows delivers Ctrl-C only between waits, so each wait is short."""
    end = time.monotonic() + seconds
    while not run.has_ended.is_set() and (left := end - time.monotonic()) > 0:
        run.has_ended.wait(min(0.5, left))
    return run.has_ended.is_set()


def _stop(worker: Worker, run: Run) -> None:
    """End a check at its next instruction of Python, if it comes to one soon."""
    ident = ctypes.c_ulong(worker.ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Stopped))
    if not run.has_ended.wait(0.5):
        LEFT.append(run)


def leave(code: int) -> None:
    """End the process at once if a check still runs.

    At the ordinary end of a process, compiled code that comes back to the interpreter aborts it.
    """
    if not all(run.has_ended.is_set() for run in LEFT):
        for stream in (sys.__stdout__, sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)
