"""Commands of the command line, as plugins declare them.

A command is a `mteval_core.CommandSpec` with two functions: one declares the arguments of the
command with an `Arguments`, the other runs it with a `Session`. The commands of the host are
declared in the same way. Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Arguments, Options
    from mteval_core.commands.session import Session

__all__ = [
    "Arguments",
    "Options",
    "Session",
]

_HOME = {
    "Arguments": "arguments",
    "Options": "arguments",
    "Session": "session",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
