"""Texts: reading, normalizing, tokenizing, and the ids that metrics count.

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core.text.file_types import RefusedFile
    from mteval_core.text.files import Cleaner

__all__ = ["Cleaner", "RefusedFile"]

_HOME = {
    "Cleaner": "files",
    "RefusedFile": "file_types",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
