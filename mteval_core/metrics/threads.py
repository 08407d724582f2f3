"""Calls in threads, whose results do not depend on the threads."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future

    Result = TypeVar("Result")

__all__ = ["in_threads"]


def in_threads(
    function: Callable[..., Result], calls: Iterable[tuple[Any, ...]], threads: int
) -> list[Result]:
    """Call a function several times at once; an error or an interrupt ends all calls.

    Parameters
    ----------
    function : callable
        The function.
    calls : iterable of tuple
        The arguments of each call. They are taken one by one in this thread, while fewer calls
        than threads are running, so they may be drawn or read from somewhere.
    threads : int
        Number of threads that work at the same time, this one included. With 1, everything happens
        in this thread.

    Returns
    -------
    list
        The results in the order of the calls.

    Raises
    ------
    BaseException
        That of the first call, in their order, that failed.
    """
    if threads == 1:
        return [function(*each) for each in calls]
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    running: set[int] = set()

    def run(each: tuple[Any, ...]) -> Result:
        running.add(get_ident())
        try:
            return function(*each)
        finally:
            running.discard(get_ident())

    futures: list[Future[Result]] = []
    pending: set[Future[Result]] = set()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for each in calls:
                futures.append(pool.submit(run, each))
                pending.add(futures[-1])
                timeout = None if len(pending) == threads else 0
                done, pending = wait(pending, timeout, FIRST_COMPLETED)
                if any(future.exception() for future in done):
                    break
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for thread in tuple(running):
                interrupt(thread)
            raise


def interrupt(thread: int) -> None:
    """Raise a `KeyboardInterrupt` in another thread, as soon as it runs Python code."""
    from ctypes import c_ulong, py_object, pythonapi

    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(KeyboardInterrupt))
