"""Data: test sets with their systems, judgments and outside scores, and how they are read.

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core.data.addresses import Address
    from mteval_core.data.reading import Files

__all__ = ["Address", "Files"]

_HOME = {"Address": "addresses", "Files": "reading"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
