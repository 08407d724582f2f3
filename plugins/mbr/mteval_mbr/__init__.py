"""Choosing from n-best lists: minimum Bayes risk decoding, the oracle, and matrices of scores.

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_mbr.decoding import RankedHypothesis, mbr, oracle
    from mteval_mbr.matrices import expected_utility, matrix

_HOME = {
    "RankedHypothesis": "decoding",
    "expected_utility": "matrices",
    "matrix": "matrices",
    "mbr": "decoding",
    "oracle": "decoding",
}

__all__ = ["RankedHypothesis", "expected_utility", "matrix", "mbr", "oracle"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
