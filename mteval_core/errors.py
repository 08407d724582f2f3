"""The errors that mteval raises, and the exit code each becomes on the command line.

::

    MtevalError                       5  internal error
    ├── UsageError (ValueError)       2  a metric, option or name that does not exist
    │   ├── UnknownNameError (LookupError)
    │   └── OptionError
    ├── InputError (ValueError)       3  files and texts that cannot be scored
    └── PluginError                   4  a plugin asked for is broken, blocked or ambiguous

Every message says what was seen, what was expected, where, and what to do.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "InputError",
    "MtevalError",
    "OptionError",
    "PluginError",
    "UnknownNameError",
    "UsageError",
    "attributed",
    "near",
]


class MtevalError(Exception):
    """Base of all errors of mteval.

    Attributes
    ----------
    exit_code : int
        What the command line exits with.
    """

    exit_code = 5


class UsageError(MtevalError, ValueError):
    """A request that cannot be understood."""

    exit_code = 2


class UnknownNameError(UsageError, LookupError):
    """A name that nothing is registered under."""


class OptionError(UsageError):
    """An option that does not exist, or a value out of its range."""


class InputError(MtevalError, ValueError):
    """Text that cannot be scored."""

    exit_code = 3


class PluginError(MtevalError):
    """A plugin that was asked for is broken, blocked or ambiguous."""

    exit_code = 4


@contextmanager
def attributed(to: str) -> Iterator[None]:
    """Make a `PluginError` of whatever the code of a plugin raises, to say whose error it is."""
    try:
        yield
    except MtevalError:
        raise
    except Exception as error:
        message = f"{to}: {type(error).__name__}: {error}"
        raise PluginError(message) from error


def near(name: str, known: Iterable[str]) -> str:
    """Suggest known names that resemble one that was not found.

    Returns
    -------
    str
        A sentence to append to an error message, beginning with a space: the nearest names, or
        else all of them.
    """
    import difflib

    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3)
    if close:
        return f" Did you mean {' or '.join(map(repr, close))}?"
    return f" Known: {', '.join(names)}." if names else ""
