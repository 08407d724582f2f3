"""The engine ``local``: the cores of this machine."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Part = TypeVar("Part")
    Result = TypeVar("Result")

__all__ = ["run"]


def run(call: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
    """Call a function with every part, in threads of this process; yield the results in order."""
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(call, parts)
