"""Texts: reading, normalizing, tokenizing, and the ids that metrics count.

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core.text.file_types import RefusedFile
    from mteval_core.text.files import Cleaner, read_blocks
    from mteval_core.text.text import as_test_set, as_text

__all__ = ["Cleaner", "RefusedFile", "as_test_set", "as_text", "read_blocks"]

_HOME = {
    "Cleaner": "files",
    "RefusedFile": "file_types",
    "as_test_set": "text",
    "as_text": "text",
    "read_blocks": "files",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
