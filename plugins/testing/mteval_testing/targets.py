"""Functions and classes that declarations name, as objects or as ``"module:attribute"``."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

__all__ = ["load"]


def load(target: Any) -> Any:
    """Return the function or class that a declaration names, importing it if necessary."""
    return resolve_name(target) if isinstance(target, str) else target
