"""Parallel calls in threads, with results that do not depend on their number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from queue import SimpleQueue

    Result = TypeVar("Result")

PATIENCE = 5.0
"""Seconds to wait for a thread after an error; one that waits for a pipe does not end."""


def in_order(
    function: Callable[..., Result], calls: Iterable[tuple[Any, ...]], threads: int
) -> Iterator[Result]:
    """Call a function several times at once; an error or an interrupt ends all calls.

    Parameters
    ----------
    function : callable
        The function.
    calls : iterable of tuple
        The arguments of each call. The threads take them one by one, never two at the same time,
        so they may be drawn or read from somewhere.
    threads : int
        Number of threads. With 1, everything happens in this thread.

    Yields
    ------
    result
        The results in the order of the calls. No more than two for each thread wait to be taken.

    Raises
    ------
    BaseException
        That of the first call, in their order, that failed.
    """
    if threads == 1:
        for each in calls:
            yield function(*each)
        return
    from concurrent.futures import Future
    from contextlib import suppress
    from queue import SimpleQueue
    from threading import Lock, Semaphore, Thread, get_ident

    source, ended, turn, room = iter(calls), False, Lock(), Semaphore(2 * threads)
    futures: SimpleQueue[Future[Any]] = SimpleQueue()
    running: set[int] = set()
    end = object()

    def work() -> None:
        with suppress(KeyboardInterrupt):  # that of a call which has ended meanwhile
            while room.acquire() and not ended:
                take()

    def take() -> None:
        nonlocal ended
        future: Future[Any] = Future()
        running.add(get_ident())
        try:
            with turn:
                futures.put(future)
                each = None if ended else next(source, None)
                ended = each is None
            result = end if each is None else function(*each)
        except BaseException as error:  # noqa: BLE001 - raised again where results are taken
            ended = True
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            running.discard(get_ident())

    workers = [Thread(target=work, daemon=True) for _ in range(threads)]
    for worker in workers:
        worker.start()
    try:
        while (result := futures.get().result()) is not end:
            yield result
            room.release()
    except BaseException:
        ended = True
        for thread in tuple(running):
            interrupt(thread)
        raise
    finally:
        room.release(threads)
        for worker in workers:
            worker.join(PATIENCE)


def in_threads(
    function: Callable[..., Result], calls: Iterable[tuple[Any, ...]], threads: int
) -> list[Result]:
    """Call a function several times at once, and list the results.

    Parameters
    ----------
    function : callable
        The function.
    calls : iterable of tuple
        The arguments of each call.
    threads : int
        Number of threads. With 1, everything happens in this thread.
    """
    return list(in_order(function, calls, threads))


def interrupt(thread: int) -> None:
    """Raise a `KeyboardInterrupt` in another thread, as soon as it runs Python code."""
    from ctypes import c_ulong, py_object, pythonapi

    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread), py_object(KeyboardInterrupt))
