"""Data: test sets with their systems, judgments and outside scores, and how they are read."""

from __future__ import annotations

from mteval_core.data.addresses import Address

__all__ = ["Address"]
