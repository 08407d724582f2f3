"""Progress bars for evaluations and for slow metrics."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Step = TypeVar("Step")

ARE_SHOWN: ContextVar[bool] = ContextVar("are_shown", default=False)


def progress(iterable: Iterable[Step], total: int | None, unit: str = "step") -> Iterable[Step]:
    """Show a progress bar while iterating, if the work takes longer than a second.

    The commands show it on a terminal without ``-q``; `evaluate` shows it with ``progress=True``.
    Otherwise this is the iterable itself.

    Parameters
    ----------
    iterable : iterable
        The steps of the work.
    total : int or None
        Number of steps, if it is known.
    unit : str
        What one step is, in the singular.

    Returns
    -------
    iterable
        The same steps.

    Examples
    --------
    >>> [2 * batch for batch in progress([1, 2, 3], 3, "batch")]
    [2, 4, 6]
    """
    if not ARE_SHOWN.get():
        return iterable
    from tqdm import tqdm

    bar: Iterable[Step] = tqdm(iterable, total=total, unit=unit, delay=1, leave=False)
    return bar


@contextmanager
def show_bars() -> Iterator[None]:
    """Show progress bars."""
    token = ARE_SHOWN.set(True)
    try:
        yield
    finally:
        ARE_SHOWN.reset(token)
