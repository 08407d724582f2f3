"""Choosing from n-best lists: minimum Bayes risk decoding, and the oracle.

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_mbr.decoding import RankedHypothesis, mbr, oracle

__all__ = ["RankedHypothesis", "mbr", "oracle"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module("mteval_mbr.decoding"), name)
