"""Numbers in reports: rounding, and nouns in singular or plural."""

from __future__ import annotations

import math

__all__ = ["DASH", "FEW", "UNITS", "count", "number"]

DASH = "–"
"""Written for a number that is not defined."""

FEW = 10
"""With fewer units, p-values are not reliable."""

UNITS = {"segment": "segment", "doc": "document"}
"""What units are called in prose."""


def number(value: float, decimals: int) -> str:
    """Write a number; a dash if it is not defined."""
    if math.isnan(value):
        return DASH
    # Adding zero turns "-0.00" into "0.00".
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def count(n: int, what: str) -> str:
    """Write a number of things."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
