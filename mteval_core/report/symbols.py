"""The symbols that reports are written with, and the threshold behind the dagger."""

from __future__ import annotations

__all__ = ["ARROWS", "DAGGER", "DASH", "SIGNIFICANT"]

ARROWS = {"higher": "↑", "lower": "↓"}
"""Which direction of a metric is better."""

DAGGER = "†"
"""Follows a significant number."""

DASH = "–"
"""Written for a number that is not defined."""

SIGNIFICANT = 0.05
"""A p-value below this is marked."""
